#include "stickslip/icf/grips.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stickslip/geometry/find_contacts.h"
#include "stickslip/icf/elastic_energy.h"

namespace stickslip {
namespace {

constexpr double kStiffness = 1e5, kDepth = 1e-4;

Geometry geometry(const Shape& shape) {
  Geometry out;
  out.shape = shape;
  out.material = "soft";
  return out;
}

// A shape on a large slab; both are free bodies.
struct Pair {
  explicit Pair(const Shape& shape, double friction = 0.5) {
    Scene scene;
    scene.materials.push_back({.name = "soft", .stiffness = 2 * kStiffness, .static_friction = friction});
    scene.materials.back().dynamic_friction = 0.8 * friction;
    for (const char* name : {"slab", "roller"}) {
      scene.bodies.push_back({.name = name, .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()}});
      scene.bodies.back().geometry.push_back(geometry(name == std::string("slab") ? Shape(Box{{2, 2, 0.2}}) : shape));
    }
    model = compile(scene);
    collision = make_collision_model(model);
    state = initial_state(model);
  }

  // Both bodies, the slab at `base`, the roller at `own` as seen from it.
  void place(const Pose& base, const Pose& own) {
    const Quaterniond qb = base.quaternion(), qo = qb * own.quaternion();
    const Vector3d p = base.position + qb * own.position;
    state.q << base.position, qb.w(), qb.x(), qb.y(), qb.z(), p, qo.w(), qo.x(), qo.y(), qo.z();
    compute_poses(model, state, kinematics);
    find_contacts(collision, kinematics, std::vector<double>(2, 0.0), contacts, workspace);
    load.clear();
    for (int i = 0; i < contacts.size(); ++i)
      load.push_back(std::max(0.0, -contacts.weight[i] * kStiffness * contacts.distance[i]));
    find_grips({collision, kinematics, contacts, load, memory}, grips, share);
    ASSERT_EQ(grips.size(), 1U);
  }

  void remember() { memory = {grips[0].grip}; }
  const Grip& grip() const { return grips[0].grip; }

  Model model;
  CollisionModel collision;
  State state;
  Kinematics kinematics;
  ContactSet contacts;
  ContactWorkspace workspace;
  std::vector<double> load, share;
  std::vector<Grip> memory;
  std::vector<GripTerms> grips;
};

Pose pose(const Vector3d& position, const Vector3d& turn = Vector3d::Zero()) {
  Pose out;
  out.position = position;
  out.rotation =
      Eigen::AngleAxisd(turn.norm(), turn.norm() > 0 ? turn.normalized() : Vector3d::UnitX()).toRotationMatrix();
  return out;
}

Pose resting(double x, double y, double height, const Vector3d& turn = Vector3d::Zero()) {
  return pose({x, y, 0.1 + height - kDepth}, turn);
}

TEST(Grips, AShiftedBoxIsDisplacedByTheShift) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  pair.place(Pose(), resting(0.3, 0.1, 0.1));
  EXPECT_EQ(pair.grip().displacement, Vector3d::Zero());
  pair.remember();
  pair.place(Pose(), resting(0.3 + 2e-5, 0.1 - 1e-5, 0.1));
  EXPECT_NEAR((pair.grip().displacement - Vector3d(2e-5, -1e-5, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(pair.grip().twist, 0, 1e-12);
}

TEST(Grips, ATurnedBoxIsTwistedByTheTurn) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  pair.place(Pose(), resting(0.3, 0.1, 0.1));
  pair.remember();
  const double turn = 1e-4;
  pair.place(Pose(), resting(0.3, 0.1, 0.1, {0, 0, turn}));
  EXPECT_NEAR(pair.grip().displacement.norm(), 0, 1e-12);
  EXPECT_NEAR(std::abs(pair.grip().twist), turn, 1e-12);
}

// However the two move together, in one step or in many, their grip is not strained.
TEST(Grips, APairThatTurnsTogetherIsNotStrained) {
  Pair pair(Box{{0.2, 0.3, 0.2}});
  const Pose own = resting(0.5, -0.4, 0.1, {0, 0, 0.3});
  pair.place(Pose(), own);
  pair.grips[0].grip.displacement = Vector3d(3e-5, -1e-5, 0);
  pair.grips[0].grip.twist = 1e-4;
  pair.remember();
  for (int i = 1; i <= 5; ++i) {
    pair.place(pose({0.7 * i, -0.2 * i, 0.1 * i * i}, 0.9 * i * Vector3d(0.3, -0.5, 0.8)), own);
    pair.remember();
    EXPECT_NEAR((pair.grip().displacement - Vector3d(3e-5, -1e-5, 0)).norm(), 0, 1e-14) << i;
    EXPECT_NEAR(pair.grip().twist, 1e-4, 1e-13) << i;
  }
}

// By a third of a turn in one step; on a slab that moves, too.
TEST(Grips, RollingAddsNothing) {
  const double radius = 0.05, angle = 2.0;
  for (const Shape& shape : {Shape(Sphere{radius}), Shape(Cylinder{radius, 0.2})}) {
    Pair pair(shape);
    const Vector3d lying(0.5 * std::numbers::pi, 0, 0);  // a cylinder's axis along y
    pair.place(Pose(), resting(0, 0, radius, lying));
    pair.grips[0].grip.displacement = Vector3d(1e-5, 2e-5, 0);
    pair.remember();
    Pose rolled = resting((radius - 0.5 * kDepth) * angle, 0, radius);
    rolled.rotation = Eigen::AngleAxisd(angle, Vector3d::UnitY()) * pose(Vector3d::Zero(), lying).rotation;
    pair.place(pose({1, 2, 3}, {0.1, 0.7, -0.4}), rolled);
    EXPECT_NEAR((pair.grip().displacement - Vector3d(1e-5, 2e-5, 0)).norm(), 0, 1e-12);
  }
}

TEST(Grips, ABallThatSpinsOnTheSpotIsNotTwisted) {
  Pair pair(Sphere{0.05});
  pair.place(Pose(), resting(0, 0, 0.05));
  pair.remember();
  pair.place(Pose(), resting(0, 0, 0.05, {0, 0, 1}));
  EXPECT_EQ(pair.grip().twist, 0);
  EXPECT_NEAR(pair.grip().displacement.norm(), 0, 1e-15);
}

// The load moves from one side of a twisted box to the other and back: the rigid displacement is the same one.
TEST(Grips, TheCentreOfPressureMayMove) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  const double tilt = 3e-4;
  struct Course {
    Vector3d way, there, back;
  };
  const auto with_twist = [&](double twist) {
    pair.memory.clear();
    pair.place(Pose(), resting(0, 0, 0.1));
    pair.grips[0].grip.twist = twist;
    pair.remember();
    Course course;
    pair.place(Pose(), resting(0, 0, 0.1, {0, tilt, 0}));
    course.way = pair.grip().center - pair.memory[0].center;
    course.there = pair.grip().displacement;
    pair.remember();
    pair.place(Pose(), resting(0, 0, 0.1));
    course.back = pair.grip().displacement;
    return course;
  };
  const Course plain = with_twist(0), twisted = with_twist(1e-4);
  EXPECT_GT(plain.way.norm(), 0.02);
  const Vector3d expected = 1e-4 * pair.grip().normal.cross(plain.way);
  EXPECT_NEAR((twisted.there - plain.there - expected).norm(), 0, 0.02 * expected.norm());
  EXPECT_NEAR((twisted.back - plain.back).norm(), 0, 0.02 * expected.norm());
}

TEST(Grips, AUserWhoMovesBodiesStrainsNothing) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  pair.place(Pose(), resting(0, 0, 0.1));
  pair.grips[0].grip.displacement = Vector3d(1e-5, 0, 0);
  pair.remember();
  const Kinematics before = pair.kinematics;
  pair.place(Pose(), resting(0.4, 0.3, 0.1));
  EXPECT_NEAR(pair.grip().displacement.norm(), 0.5, 1e-3);  // it could not know
  move_grips(pair.collision, before, pair.kinematics, pair.memory);
  pair.place(Pose(), resting(0.4, 0.3, 0.1));
  EXPECT_NEAR((pair.grip().displacement - Vector3d(1e-5, 0, 0)).norm(), 0, 1e-12);
}

// ------------------------------------------------------------------------------------------------------------ a step's
// end

constexpr double kStep = 1e-3;

// One step of a grip whose points all move by `way` against the slab, with the impulses of its loads.
std::vector<Grip> stepped(Pair& pair, const Vector3d& way, double friction) {
  ContactTermsList terms;
  for (int i = 0; i < pair.contacts.size(); ++i) {
    ContactTerms contact;
    const Vector3d &n = pair.contacts.normal[i], &t = pair.contacts.tangent[i];
    contact.placed.frame << t, n.cross(t), n;
    contact.distance = pair.contacts.distance[i];
    contact.stiffness = pair.contacts.weight[i] * kStiffness;
    contact.force = pair.load[i];
    terms.contacts.push_back(contact);
  }
  give_grips(pair.contacts, pair.kinematics, pair.grips, pair.share, terms);
  std::vector<GripOutcome> outcomes;
  for (const ContactTerms& contact : terms.contacts) {
    const Vector2d start = kStep * contact.tangential_stiffness * contact.displacement;
    const AnchoredModel<double> law{hunt_crossley_law(contact.distance, kStep, contact.stiffness, 0),
                                    friction * kStep * contact.force, kStep * kStep * contact.tangential_stiffness,
                                    start.x(), start.y()};
    const Vector3d v = contact.placed.frame.transpose() * way / kStep;
    outcomes.push_back(grip_outcome(law, v, kStep, contact.tangential_stiffness));
  }
  std::vector<Grip> memory;
  keep_grips(pair.contacts, terms, pair.kinematics, pair.grips, pair.share, outcomes, kStep, memory);
  return memory;
}

TEST(Grips, WhatHoldsLosesNothingAndWhatSlipsKeepsItsCone) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  pair.place(Pose(), resting(0, 0, 0.1));
  const double friction = 0.5, yield = friction * kDepth;  // mu N/k, N = k times the depth
  std::vector<Grip> held = stepped(pair, {0.9 * yield, 0, 0}, friction);
  ASSERT_EQ(held.size(), 1U);
  EXPECT_TRUE(held[0].sticks);
  EXPECT_EQ(held[0].slip.norm(), 0);
  std::vector<Grip> slid = stepped(pair, {3 * yield, 0, 0}, friction);
  ASSERT_EQ(slid.size(), 1U);
  EXPECT_FALSE(slid[0].sticks);
  EXPECT_NEAR((slid[0].slip - Vector3d(2 * yield, 0, 0)).norm(), 0, 1e-12);
  pair.memory = slid;
  pair.place(Pose(), resting(3 * yield, 0, 0.1));  // where the step took it
  EXPECT_NEAR(pair.grip().displacement.norm(), yield, 1e-9);
}

TEST(Grips, StaticFrictionWhereItHoldsDynamicWhereItSlips) {
  Pair pair(Box{{0.2, 0.2, 0.2}}, 0.5);
  pair.place(Pose(), resting(0, 0, 0.1));
  for (bool sticks : {true, false}) {
    pair.grips[0].grip.sticks = sticks;
    ContactTermsList terms;
    terms.contacts.resize(static_cast<size_t>(pair.contacts.size()));
    give_grips(pair.contacts, pair.kinematics, pair.grips, pair.share, terms);
    for (const ContactTerms& contact : terms.contacts) EXPECT_DOUBLE_EQ(contact.friction, sticks ? 0.5 : 0.4);
  }
}

// A box that is pressed down on one side has points that bear next to nothing: all of them slip together nevertheless.
TEST(Grips, PointsGiveWayTogether) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  pair.place(Pose(), resting(0, 0, 0.1, {0, 6e-4, 0}));
  double total = 0;
  for (double load : pair.load) total += load;
  const double yield = 0.5 * total / kStiffness;
  EXPECT_EQ(stepped(pair, {0.999 * yield, 0, 0}, 0.5)[0].slip.norm(), 0);
  EXPECT_FALSE(stepped(pair, {1.001 * yield, 0, 0}, 0.5)[0].sticks);
}

TEST(Grips, AContactThatOpensForgets) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  pair.place(Pose(), resting(0, 0, 0.1));
  EXPECT_TRUE(stepped(pair, {0, 0, 1.5 * kDepth}, 0.5).empty());
}

// Half of k a^2, and of k r^2 twist^2 for points at the distance r.
TEST(ElasticEnergy, CountsWhatFrictionHolds) {
  Pair pair(Box{{0.2, 0.2, 0.2}});
  pair.place(Pose(), resting(0, 0, 0.1));
  ElasticEnergyMeter meter;
  const auto energy = [&](const Vector3d& displacement, double twist) {
    pair.grips[0].grip.displacement = displacement;
    pair.grips[0].grip.twist = twist;
    pair.remember();
    return meter.measure(pair.collision, pair.kinematics, pair.contacts, pair.memory);
  };
  EXPECT_NEAR(energy(Vector3d::Zero(), 0).normal, 0.5 * kStiffness * kDepth * kDepth, 1e-12);
  EXPECT_EQ(energy(Vector3d::Zero(), 0).tangential, 0);
  EXPECT_NEAR(energy({3e-5, 0, 0}, 0).tangential, 0.5 * kStiffness * 9e-10, 1e-12);
  EXPECT_NEAR(energy(Vector3d::Zero(), 1e-4).tangential, 0.5 * kStiffness * 0.02 * 1e-8, 1e-11);
  const double yield = 0.5 * kDepth;
  EXPECT_NEAR(energy({1, 0, 0}, 0).tangential, 0.5 * kStiffness * yield * yield, 1e-12);
}

}  // namespace
}  // namespace stickslip
