#include "stickslip/scene/mjcf_testing.h"

#include <fmt/format.h>

#include <cmath>

namespace stickslip {
namespace {

using namespace mjcf_testing;
using ::testing::ElementsAre;

TEST(Mjcf, SizesBecomeFullLengths) {
  const Scene scene = world(R"(<geom type="box" size="1 2 3"/><geom type="capsule" size=".1 2"/>
      <geom type="cylinder" size=".1" fromto="0 0 0 0 4 0"/><geom type="plane" size="1 1 1"/>
      <geom type="ellipsoid" size="1 2 3"/>)");
  EXPECT_EQ(std::get<Box>(scene.world_geometry[0].shape).size, Vector3d(2, 4, 6));
  EXPECT_EQ(std::get<Capsule>(scene.world_geometry[1].shape).length, 4);
  EXPECT_EQ(std::get<Cylinder>(scene.world_geometry[2].shape).length, 4);
  EXPECT_EQ(scene.world_geometry[2].pose.position, Vector3d(0, 2, 0));
  EXPECT_NEAR(std::abs(scene.world_geometry[2].pose.rotation(1, 2)), 1, kRoundOff);
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(scene.world_geometry[3].shape));
  EXPECT_EQ(std::get<Ellipsoid>(scene.world_geometry[4].shape).radii, Vector3d(1, 2, 3));
}

TEST(Mjcf, OrientationsInEveryNotationAgree) {
  const Scene scene = world(R"(<geom size=".1" euler="0 0 90"/><geom size=".1" quat="1 0 0 1"/>
      <geom size=".1" axisangle="0 0 5 90"/><geom size=".1" xyaxes="0 2 0 -1 3 0"/>)");
  const Matrix3d expected = (Matrix3d() << 0, -1, 0, 1, 0, 0, 0, 0, 1).finished();
  for (const Geometry& geometry : scene.world_geometry) {
    EXPECT_LT((geometry.pose.rotation - expected).norm(), kRoundOff);
  }
}

TEST(Mjcf, InertiaComesFromGeomsOfTheGroupsInRange) {
  const Scene scene = world(
      R"(<body><freejoint/><geom size="1" mass="2"/><geom size="1" mass="5" group="3"/>
      <geom pos="3 0 0" size="1" mass="1"/></body>)",
      R"(<compiler inertiagrouprange="0 2"/>)");
  EXPECT_NEAR(scene.bodies[0].inertia.mass, 3, kRoundOff);
  EXPECT_LT((scene.bodies[0].inertia.center - Vector3d(1, 0, 0)).norm(), kRoundOff);
  // Two spheres of 2/5 m r^2 and, across, the reduced mass 2/3 at distance 3.
  EXPECT_NEAR(scene.bodies[0].inertia.inertia(0, 0), 1.2, kRoundOff);
  EXPECT_NEAR(scene.bodies[0].inertia.inertia(1, 1), 1.2 + 6, kRoundOff * 10);
}

TEST(Mjcf, ExplicitInertialOverridesGeomsUnlessToldOtherwise) {
  const std::string body =
      R"(<body><freejoint/><inertial pos="0 0 1" mass="7" fullinertia="3 4 5 .1 .2 .3"/><geom size="1" mass="2"/>
      </body>)";
  const MassProperties explicit_inertia = world(body).bodies[0].inertia;
  EXPECT_EQ(explicit_inertia.mass, 7);
  EXPECT_EQ(explicit_inertia.inertia(0, 2), 0.2);
  EXPECT_EQ(world(body, R"(<compiler inertiafromgeom="true"/>)").bodies[0].inertia.mass, 2);
}

TEST(Mjcf, ImpossibleInertiaIsRefusedOrBalanced) {
  const std::string body = R"(<body name="b"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 4"/>
      </body>)";
  EXPECT_EQ(error_of("<mujoco><worldbody>" + body + "</worldbody></mujoco>").code(), "impossible-inertia");
  const Scene balanced = world(body, R"(<compiler balanceinertia="true"/>)");
  EXPECT_LT((balanced.bodies[0].inertia.inertia - 2 * Matrix3d::Identity()).norm(), kRoundOff);
  EXPECT_TRUE(has_warning(balanced, "balanced-inertia"));
}

// As `stickslip check --repair` asks for; the excess of 4 over 1 + 1 is shared.
TEST(Mjcf, ImpossibleInertiaIsRepairedWhereThatIsAsked) {
  LoadOptions options;
  options.repair_all = true;
  const Scene scene = read_mjcf_string(
      "<mujoco><worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/></body></worldbody>"
      "</mujoco>",
      ".", options);
  EXPECT_LT((scene.bodies[0].inertia.inertia.diagonal() - Vector3d(5, 5, 10) / 3).norm(), kRoundOff);
  EXPECT_TRUE(has_warning(scene, "repaired-inertia"));
}

TEST(Mjcf, BoundsAndTotalMassAreApplied) {
  const Scene scene = world(R"(<body><freejoint/><geom size=".1" mass=".001"/></body><body><freejoint/>
      <geom size=".1" mass="3"/></body>)",
                            R"(<compiler boundmass="1" boundinertia=".5" settotalmass="8"/>)");
  EXPECT_NEAR(scene.bodies[0].inertia.mass, 2, kRoundOff);
  EXPECT_NEAR(scene.bodies[1].inertia.mass, 6, kRoundOff);
  EXPECT_NEAR(scene.bodies[0].inertia.inertia(0, 0), 1, kRoundOff);
}

// A cube of full side 2 fitted by its inertia: the equivalent box is the cube itself.
TEST(Mjcf, PrimitivesAreFittedToMeshes) {
  const Scene scene = world(
      R"(<body><freejoint/><geom type="box" mesh="cube"/></body><body><freejoint/>
      <geom type="sphere" mesh="cube" fitscale="2"/></body>)",
      R"(<asset><mesh name="cube" vertex="1 1 1 -1 1 1 1 -1 1 -1 -1 1 1 1 -1 -1 1 -1 1 -1 -1 -1 -1 -1"/></asset>)");
  EXPECT_LT((std::get<Box>(scene.bodies[0].geometry[0].shape).size - Vector3d(2, 2, 2)).norm(), 1e-12);
  EXPECT_NEAR(std::get<Sphere>(scene.bodies[1].geometry[0].shape).radius, 2, kRoundOff);
}

// A cube with sides of 2 whose top is shifted in x.
MassProperties sheared_cube(double shift) {
  const Scene scene =
      world(R"(<body><freejoint/><geom type="mesh" mesh="m" density="1"/></body>)",
            R"(<asset><mesh name="m" vertex="-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  )" +
                fmt::format("{0} -1 1  {1} -1 1  {0} 1 1  {1} 1 1", shift - 1, shift + 1) + R"("/></asset>)");
  return scene.bodies.at(0).inertia;
}

TEST(Mjcf, MeshVerticesAreRoundedToFloatsAndThenScaled) {
  std::string vertices = "0 0 0  1 0 0  0 1 0  0 0 1";
  for (int count = 4; count < 12; ++count) {  // vectorised loops treat the last few differently
    const Scene scene = world(R"(<geom type="mesh" mesh="m"/>)", R"(<asset><mesh name="m" face="0 2 1 0 1 3 0 3 2 1 2 3"
        scale="3 1 1" vertex=")" + vertices + R"("/></asset>)");
    const std::vector<Vector3d>& read = std::get<ConvexMesh>(scene.world_geometry.at(0).shape).mesh->vertices;
    for (std::size_t i = 4; i < read.size(); ++i) {
      EXPECT_EQ(read[i], Vector3d(3 * static_cast<double>(0.1f), 0.2f, 0.7f)) << i << " of " << read.size();
    }
    vertices += "  .1 .2 .7";
  }
}

TEST(Mjcf, SmallProductsOfInertiaOfAMeshAreDroppedAsInMujoco) {
  // Relative to the moments the product of inertia is a quarter of the shift.
  EXPECT_EQ(sheared_cube(2.384185791015625e-07).inertia(0, 2), 0);
  EXPECT_NEAR(sheared_cube(0.0009765625).inertia(0, 2), -8.0 / 6 * 0.0009765625, 1e-6);
}

TEST(Mjcf, HeightFieldRowsRunFromMinusY) {
  const Scene scene = world(R"(<geom type="hfield" hfield="h"/>)",
                            R"(<asset><hfield name="h" nrow="2" ncol="3" elevation="1 2 3 5 5 5" size="1 2 8 .1"/>
      </asset>)");
  const HeightField& field = std::get<HeightField>(scene.world_geometry[0].shape);
  EXPECT_EQ(field.size, Vector3d(2, 4, 0.1));
  EXPECT_THAT(field.grid->heights, ElementsAre(8, 8, 8, 0, 2, 4));
}

TEST(Mjcf, MassOfAMeshWithHolesIsReported) {
  const auto warns = [](const std::string& faces, const std::string& more) {
    return has_warning(world("<body><freejoint/><geom type='mesh' mesh='m'/>" + more + "</body>",
                             "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='" + faces + "'/></asset>"),
                       "open-mesh");
  };
  const std::string closed = "0 2 1 0 1 3 0 3 2 1 2 3", open = "0 2 1 0 1 3 0 3 2";
  EXPECT_FALSE(warns(closed, ""));
  EXPECT_TRUE(warns(open, ""));
  EXPECT_FALSE(warns(open, "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"));
}

// Where the mass does not depend on it: nothing is lost but a shape.
TEST(Mjcf, MissingMeshOfAGeomWithoutWeightIsLeftOut) {
  const std::string asset = "<asset><mesh name='m' file='nowhere.stl'/></asset>";
  const Scene scene = world("<geom type='mesh' mesh='m'/>", asset);
  EXPECT_TRUE(scene.world_geometry.empty());
  EXPECT_TRUE(has_warning(scene, "missing-mesh"));
  EXPECT_TRUE(has_warning(world("<body><freejoint/><geom type='mesh' mesh='m'/>"
                                "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>",
                                asset),
                          "missing-mesh"));
  EXPECT_EQ(error_of_world("<body><freejoint/><geom type='mesh' mesh='m'/></body>", asset).code(), "no-such-file");
  const Scene seen = world("<geom type='mesh' mesh='m' contype='0' conaffinity='0'/>", asset);
  EXPECT_TRUE(has_warning(seen, "missing-visual"));
  EXPECT_FALSE(has_warning(seen, "missing-mesh"));
}

TEST(Mjcf, GeomsWithEqualContactParametersShareAMaterial) {
  const Scene scene = world(R"(<geom size=".1"/><geom size=".2"/><geom size=".1" friction="2"/>
      <geom size=".1" contype="0" conaffinity="0"/>)");
  EXPECT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.world_geometry[0].material, scene.world_geometry[1].material);
  EXPECT_TRUE(scene.world_geometry[0].collides);
  EXPECT_FALSE(scene.world_geometry[3].collides);
}

}  // namespace
}  // namespace stickslip
