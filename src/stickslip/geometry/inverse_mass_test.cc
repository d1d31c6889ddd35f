#include "stickslip/geometry/inverse_mass.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/dynamics/jacobian.h"
#include "stickslip/dynamics/mass_matrix.h"
#include "stickslip/scene/mjcf.h"

namespace stickslip {
namespace {

constexpr const char* kModel = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="stone" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0"/></body>
    <body name="torso" pos="1 0 1">
      <freejoint/><geom type="capsule" size=".1 .3"/>
      <body name="thigh" pos=".1 0 -.3">
        <joint type="ball" armature=".02"/><geom type="capsule" size=".06" fromto="0 0 0 .1 0 -.4"/>
        <body name="shin" pos=".1 0 -.4" euler="0 20 0">
          <joint axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.4"/>
          <body name="foot" pos="0 0 -.4"><geom type="box" size=".1 .05 .02" pos=".05 0 0"/></body>
        </body>
      </body>
      <body name="arm" pos="0 .2 .3">
        <joint type="slide" axis="1 2 0"/><joint axis="0 0 1" armature=".1"/><geom type="sphere" size=".1" pos="0 .2 0"/>
      </body>
    </body>
    <body name="mast" pos="3 0 0">
      <geom type="cylinder" size=".05 .5"/>
      <body name="vane" pos="0 0 .6"><joint axis="0 0 1"/><geom type="box" size=".2 .01 .1" pos=".15 0 0"/></body>
      <body name="wheel" pos="0 0 1"><joint axis="0 1 0"/><geom type="cylinder" size=".2 .02" euler="90 0 0"/></body>
    </body>
    <body name="hand" mocap="true" pos="5 0 0"><geom type="sphere" size=".1"/></body>
  </worldbody>
</mujoco>
)";

// body_invweight0 of MuJoCo 4.0.0 for the model above: free, ball, slide and hinge joints, armature, two joints on a
// body, welded parts, a wheel on its axle, static and mocap bodies.
TEST(InverseMass, EqualsMujocosInverseWeight) {
  struct Expected {
    const char* body;
    double translation, rotation;
  };
  constexpr Expected kMujoco[] = {{"world", 0, 0},
                                  {"stone", 0.0208333333333333, 0.78525641025641},
                                  {"torso", 0.0360445727417394, 1.36518340004756},
                                  {"thigh", 0.0596384391927948, 6.67437045038931},
                                  {"shin", 0.127859820005068, 7.49619409988795},
                                  {"foot", 0.286275342562205, 7.49619409988795},
                                  {"arm", 0.17451260295938, 2.00379198032362},
                                  {"mast", 0, 0},
                                  {"vane", 0.130692379182156, 5.80855018587361},
                                  {"wheel", 0, 3.31572798108115},
                                  {"hand", 0, 0}};
  const Model model = compile(read_mjcf_string(kModel));
  const std::vector<InverseMass> masses = inverse_masses(model);
  for (const Expected& expected : kMujoco) {
    const InverseMass& mass = masses[model.find_body(expected.body)];
    // 15 digits were printed.
    EXPECT_NEAR(mass.translation, expected.translation, 1e-13 * (1 + expected.translation)) << expected.body;
    EXPECT_NEAR(mass.rotation, expected.rotation, 1e-13 * (1 + expected.rotation)) << expected.body;
  }
}

// The recursion against the definition, J M^-1 J' with dense matrices, on every kind of joint.
TEST(InverseMass, EqualsTheDenseFormula) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Model model = compile(forest_testing::forest(seed));
    const State state = initial_state(model);
    Kinematics kinematics;
    compute_poses(model, state, kinematics);
    MassMatrix mass(model);
    compute_mass_matrix(model, state, kinematics, mass);
    const MatrixXd M = dense_mass_matrix(model, kinematics, mass);
    const std::vector<InverseMass> masses = inverse_masses(model);
    for (int body = 0; body < static_cast<int>(model.bodies.size()); ++body) {
      const BodyInfo& info = model.bodies[body];
      Matrix6Xd J;
      point_jacobian(model, kinematics, info.link, body_pose(model, kinematics, body) * info.inertia.center, J);
      const VectorXd diagonal = (J * M.llt().solve(J.transpose())).diagonal();
      // Two solves of a few dozen unknowns, of condition about 1e3.
      EXPECT_NEAR(masses[body].translation, diagonal.head<3>().mean(), 1e-11) << info.name;
      EXPECT_NEAR(masses[body].rotation, diagonal.tail<3>().mean(), 1e-11) << info.name;
    }
  }
}

// A joint that moves no mass has no acceleration; it must not spoil the bodies around it.
TEST(InverseMass, MasslessLeafIsLocked) {
  Scene scene;
  scene.bodies = {{.name = "stone", .inertia = {2, Vector3d::Zero(), Matrix3d::Identity()}}, {.name = "ghost"}};
  scene.joints = {{.name = "hinge", .type = JointType::kRevolute, .parent = "stone", .child = "ghost"}};
  const std::vector<InverseMass> masses = inverse_masses(compile(scene));
  EXPECT_NEAR(masses[1].translation, 0.5, 1e-15);
  EXPECT_NEAR(masses[2].translation, 0.5, 1e-15);
}

}  // namespace
}  // namespace stickslip
