#include <filesystem>
#include <fstream>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/scene/mjcf_testing.h"
#include "stickslip/shapes/png_testing.h"

namespace stickslip {
namespace {

using namespace mjcf_testing;

class MjcfFiles : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.path();
};

TEST_F(MjcfFiles, IncludedErrorsNameTheIncludedFile) {
  write("main.xml", R"(<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>)");
  write("part.xml", "<x>\n <geom size='1.0abc'/></x>");
  try {
    read_mjcf(path("main.xml"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where().str(), path("part.xml") + ":2:14");
    EXPECT_EQ(error.text(), "1.0abc");
  }
}

// Two unit tetrahedra, a metre apart.
TEST_F(MjcfFiles, AllObjectsOfAMeshFileHaveMass) {
  const std::string first = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no a\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string second = "v 2 0 0\nv 3 0 0\nv 2 1 0\nv 2 0 1\no b\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
  write("one.obj", first);
  write("two.obj", first + second);
  const auto body_of = [&](const std::string& file) {
    write("main.xml", "<mujoco><asset><mesh name='m' inertia='exact' file='" + file +
                          "'/></asset>\n<worldbody><body><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    return read_mjcf(path("main.xml"));
  };
  EXPECT_NEAR(body_of("one.obj").bodies[0].inertia.mass, 1000.0 / 6, 1e-4);  // MuJoCo's vertices are floats
  EXPECT_FALSE(has_warning(body_of("one.obj"), "several-objects"));
  EXPECT_NEAR(body_of("two.obj").bodies[0].inertia.mass, 2000.0 / 6, 1e-4);
  EXPECT_TRUE(has_warning(body_of("two.obj"), "several-objects"));
}

TEST_F(MjcfFiles, PathsOfWindowsAreRead) {
  std::filesystem::create_directory(folder_ / "parts");
  write("main.xml", R"(<mujoco><worldbody><include file="parts\ball.xml"/></worldbody></mujoco>)");
  write("parts/ball.xml", "<x><body><geom size='0.1'/></body></x>");
  EXPECT_EQ(read_mjcf(path("main.xml")).bodies.size(), 1u);
}

TEST_F(MjcfFiles, IncludeCycleIsAnError) {
  write("a.xml", R"(<mujoco><worldbody><include file="b.xml"/></worldbody></mujoco>)");
  write("b.xml", R"(<x><include file="b.xml"/></x>)");
  try {
    read_mjcf(path("a.xml"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "include-cycle");
  }
}

TEST_F(MjcfFiles, MeshesAreFoundInMeshdir) {
  std::filesystem::create_directories(folder_ / "meshes");
  write("meshes/t.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write("a.xml", R"(<mujoco><compiler meshdir="meshes"/><asset><mesh file="t.obj" scale="1 2 3"/></asset>
      <worldbody><body><freejoint/><geom type="mesh" mesh="t" density="6"/></body></worldbody></mujoco>)");
  const Scene scene = read_mjcf(path("a.xml"));
  const auto& mesh = *std::get<ConvexMesh>(scene.bodies.at(0).geometry.at(0).shape).mesh;
  EXPECT_EQ(mesh.vertices.at(2), Vector3d(0, 2, 0));
  EXPECT_NEAR(scene.bodies[0].inertia.mass, 2 * 2 * 3, kRoundOff * 12);  // 6 * (2 * 2 * 3) / 6
}

// As in MuJoCo: meshdir is for what is there; a file that is not is looked for beside the file that names it.
TEST_F(MjcfFiles, MeshesOfIncludedFilesAreFoundBesideThem) {
  std::filesystem::create_directories(folder_ / "parts");
  std::filesystem::create_directories(folder_ / "meshes");
  const auto write_wedge = [this](const std::string& name, int length) {
    write(name,
          "v 0 0 0\nv " + std::to_string(length) + " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  };
  const auto mass = [this] { return 6 * read_mjcf(path("a.xml")).bodies.at(0).inertia.mass; };
  write("a.xml", R"(<mujoco><compiler meshdir="meshes"/><include file="parts/b.xml"/>
      <worldbody><body><freejoint/><geom type="mesh" mesh="t" density="1"/></body></worldbody></mujoco>)");
  write("parts/b.xml", R"(<x><asset><mesh name="t" file="../parts/t.obj"/></asset></x>)");
  EXPECT_THROW(mass(), ModelError);
  write_wedge("parts/t.obj", 2);
  EXPECT_NEAR(mass(), 2, kRoundOff);
  write("parts/b.xml", R"(<x><asset><mesh file="t.obj"/></asset></x>)");
  EXPECT_NEAR(mass(), 2, kRoundOff);
  write_wedge("meshes/t.obj", 3);
  EXPECT_NEAR(mass(), 3, kRoundOff);
  write("parts/b.xml", R"(<x><compiler strippath="true"/><asset><mesh file="x/t.obj"/></asset></x>)");
  EXPECT_NEAR(mass(), 3, kRoundOff);
  std::filesystem::remove(folder_ / "meshes/t.obj");
  EXPECT_THROW(mass(), ModelError);  // a path that was stripped is no path
  write("a.xml", R"(<mujoco><compiler meshdir="meshes"/><asset><mesh file="parts/t.obj"/></asset>
      <worldbody><body><freejoint/><geom type="mesh" mesh="t" density="1"/></body></worldbody></mujoco>)");
  EXPECT_THROW(mass(), ModelError);  // the main file's meshes are where meshdir says
}

// As in MuJoCo: a geom has its own colour or material's, and meshes are OBJ, STL or MSH.
TEST_F(MjcfFiles, MeshesHaveNoColorsOfTheirOwn) {
  write("t.mtl", "newmtl red\nKd 1 0 0\n");
  write("t.obj", "mtllib t.mtl\nusemtl red\nv 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write("a.xml", R"(<mujoco><asset><mesh file="t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody>
      </mujoco>)");
  EXPECT_TRUE(std::get<ConvexMesh>(read_mjcf(path("a.xml")).world_geometry.at(0).shape).mesh->parts.empty());
  write("b.xml", R"(<mujoco><asset><mesh file="t.dae"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody>
      </mujoco>)");
  try {
    read_mjcf(path("b.xml"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "unsupported-mesh-format");
  }
}

TEST_F(MjcfFiles, AnImageIsAHeightFieldWithItsFirstRowAtPlusY) {
  write("hill.png", std::string(kGrayPng));
  write("a.xml", R"(<mujoco><asset><hfield name="h" file="hill.png" size="1 2 5 .1"/></asset>
      <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>)");
  const Scene scene = read_mjcf(path("a.xml"));
  const HeightGrid& grid = *std::get<HeightField>(scene.world_geometry.at(0).shape).grid;
  EXPECT_EQ(grid.rows, 2);
  EXPECT_THAT(grid.heights, testing::ElementsAre(3, 4, 5, 0, 1, 2));
  EXPECT_TRUE(scene.warnings.empty());
}

}  // namespace
}  // namespace stickslip
