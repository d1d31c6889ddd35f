#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/scene/yaml.h"

namespace stickslip {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A U, 3 wide, 1 deep and 3 high, walls and floor 1 thick: volume 7, centre at (1.5, 0.5, 19/14).
constexpr const char* kMesh = R"(
v 0 0 0
v 3 0 0
v 3 0 3
v 2 0 3
v 2 0 1
v 1 0 1
v 1 0 3
v 0 0 3
v 0 1 0
v 3 1 0
v 3 1 3
v 2 1 3
v 2 1 1
v 1 1 1
v 1 1 3
v 0 1 3
f 1 2 5 6
f 2 3 4 5
f 1 6 7 8
f 9 14 13 10
f 10 13 12 11
f 9 16 15 14
f 1 9 10 2
f 2 10 11 3
f 3 11 12 4
f 4 12 13 5
f 5 13 14 6
f 6 14 15 7
f 7 15 16 8
f 8 16 9 1
)";

// Walls that reach down through the floor, so that the parts overlap: volume 9 in all.
constexpr const char* kParts = R"(# stickslip convex parts, format 1: 3 parts, 24 vertices, 0 triangles
o part_0
v 0 0 0
v 3 0 0
v 0 1 0
v 3 1 0
v 0 0 1
v 3 0 1
v 0 1 1
v 3 1 1
o part_1
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 0 3
v 1 0 3
v 0 1 3
v 1 1 3
o part_2
v 2 0 0
v 3 0 0
v 2 1 0
v 3 1 0
v 2 0 3
v 3 0 3
v 2 1 3
v 3 1 3
)";

class YamlDecomposition : public testing::Test {
 protected:
  YamlDecomposition() {
    put(mesh_file(), kMesh);
    setenv("STICKSLIP_CACHE", (folder_.path() / "cache").c_str(), 1);
    std::filesystem::create_directory(folder_.path() / "cache");
  }
  ~YamlDecomposition() override { unsetenv("STICKSLIP_CACHE"); }

  static void put(const std::string& file, const std::string& text) { std::ofstream(file) << text; }
  std::string mesh_file() const { return (folder_.path() / "u.obj").string(); }
  std::string cached(const Decomposition& how = {}) const { return parts_file(mesh_file(), how); }
  Scene read(const std::string& mesh, const std::string& matter = "density: 2", const LoadOptions& options = {}) const {
    return read_yaml_string("bodies:\n  - name: b\n    " + matter + "\n    geometry:\n      - {name: u, mesh: " + mesh +
                                ", material: m, group: 2, pose: {position: [1, 0, 0]}}\nmaterials: {m: {}}",
                            folder_.path().string(), options);
  }
  ModelError error_of(const std::string& mesh, const LoadOptions& options = {}) const {
    try {
      read(mesh, "density: 2", options);
    } catch (const ModelError& error) {
      return error;
    }
    return {"none", {}, ""};
  }

  TemporaryFolder folder_;
};

// Parts collide, under names of their own; the mesh is drawn.
TEST_F(YamlDecomposition, BodyGetsAGeometryForEachPart) {
  put(cached(), kParts);
  const std::vector<Geometry> geometry = read("{file: u.obj, decompose: true}").bodies[0].geometry;
  ASSERT_EQ(geometry.size(), 4u);
  EXPECT_TRUE(std::holds_alternative<TriangleMesh>(geometry[0].shape));
  EXPECT_TRUE(geometry[0].visible && !geometry[0].collides && geometry[0].name.empty());
  for (size_t i = 1; i < geometry.size(); ++i) {
    EXPECT_EQ(geometry[i].name, "u_" + std::to_string(i - 1));
    EXPECT_TRUE(geometry[i].collides && !geometry[i].visible);
    EXPECT_EQ(geometry[i].material, "m");
    EXPECT_EQ(geometry[i].group, 2);
    EXPECT_EQ(geometry[i].pose.position, Vector3d(1, 0, 0));
    EXPECT_EQ(std::get<ConvexMesh>(geometry[i].shape).mesh->vertices.size(), 8u);
  }
}

// Not that of the parts, which weigh 9/7 as much and have their centre lower.
TEST_F(YamlDecomposition, MassIsThatOfTheMesh) {
  put(cached(), kParts);
  for (const char* matter : {"density: 2", "mass: 14"}) {
    const MassProperties m = read("{file: u.obj, decompose: true}", matter).bodies[0].inertia;
    EXPECT_NEAR(m.mass, 14, 1e-12);
    EXPECT_TRUE(m.center.isApprox(Vector3d(2.5, 0.5, 19.0 / 14), 1e-12)) << m.center;
    // About z: the block of 3 by 1 by 3 less the notch of 1 by 1 by 2, both centred on the axis.
    EXPECT_NEAR(m.inertia(2, 2), 18 * (9 + 1) / 12.0 - 4 * (1 + 1) / 12.0, 1e-12);
  }
}

// The parts are cached at the file's own size.
TEST_F(YamlDecomposition, ScaleIsThatOfTheScene) {
  put(cached(), kParts);
  const Body body = read("{file: u.obj, scale: [2, 1, -1], decompose: true}").bodies[0];
  EXPECT_NEAR(body.inertia.mass, 28, 1e-12);
  const Mesh& last = *std::get<ConvexMesh>(body.geometry[3].shape).mesh;
  EXPECT_EQ(last.vertices.back(), Vector3d(6, 1, -3));
}

TEST_F(YamlDecomposition, ParametersNameOtherParts) {
  put(cached({.threshold = 0.1, .max_hulls = 4}), kParts);
  EXPECT_EQ(read("{file: u.obj, decompose: {threshold: 0.1, max_hulls: 4}}").bodies[0].geometry.size(), 4u);
  EXPECT_EQ(error_of("{file: u.obj, decompose: {threshold: 0.1}}").code(), "needs-decomposition");
  EXPECT_EQ(read("{file: u.obj, decompose: false}").bodies[0].geometry.size(), 1u);
}

TEST_F(YamlDecomposition, MissSaysWhichCommandToRun) {
  const ModelError error = error_of("{file: u.obj, decompose: {threshold: 0.1}}");
  EXPECT_EQ(error.code(), "needs-decomposition");
  EXPECT_EQ(error.where().line, 5);
  EXPECT_THAT(error.fix(),
              HasSubstr("python -m stickslip.decompose " + mesh_file() + " --threshold 0.1 --max-hulls 32"));
}

TEST_F(YamlDecomposition, DamagedPartsAreNotUsed) {
  const std::string parts = kParts;
  put(cached(), parts.substr(0, parts.rfind("v ")));
  const ModelError error = error_of("{file: u.obj, decompose: true}");
  EXPECT_EQ(error.code(), "needs-decomposition");
  EXPECT_THAT(error.message(), HasSubstr("not as many as the first line says"));
}

// Once, whether the parts are missing or damaged; what it returns and what it leaves behind are not taken on trust.
TEST_F(YamlDecomposition, FunctionOfTheOptionsFillsTheCache) {
  std::vector<std::string> asked;
  LoadOptions options;
  options.decompose = [&](const std::string& file, const Decomposition& how) {
    asked.push_back(file);
    put(parts_file(file, how), kParts);
    return true;
  };
  const auto count = [&] {
    return read("{file: u.obj, decompose: true}", "mass: 1", options).bodies[0].geometry.size();
  };
  EXPECT_EQ(count(), 4u);
  EXPECT_EQ(count(), 4u);
  EXPECT_THAT(asked, ElementsAre(mesh_file()));
  put(cached(), "damaged");
  EXPECT_EQ(count(), 4u);
  EXPECT_EQ(asked.size(), 2u);
  put(mesh_file(), std::string(kMesh) + "# edited");
  EXPECT_EQ(count(), 4u);
  EXPECT_EQ(asked.size(), 3u);

  put(cached(), "damaged");
  options.decompose = [](const std::string&, const Decomposition&) { return false; };
  EXPECT_EQ(error_of("{file: u.obj, decompose: true}", options).code(), "needs-decomposition");
  options.decompose = [](const std::string&, const Decomposition&) { return true; };
  EXPECT_EQ(error_of("{file: u.obj, decompose: true}", options).code(), "bad-parts");
}

TEST_F(YamlDecomposition, NonsenseIsRefused) {
  EXPECT_EQ(error_of("{file: u.obj, decompose: true, convex: true}").code(), "convex-and-decompose");
  EXPECT_EQ(error_of("{file: u.obj, decompose: {threshold: 0}}").code(), "bad-value");
  EXPECT_EQ(error_of("{file: u.obj, decompose: {threshold: 1.5}}").code(), "bad-value");
  EXPECT_EQ(error_of("{file: u.obj, decompose: {max_hulls: 0}}").code(), "bad-value");
  EXPECT_EQ(error_of("{file: u.obj, decompose: {hulls: 3}}").code(), "unknown-key");
  EXPECT_EQ(error_of("{file: none.obj, decompose: true}").code(), "no-such-file");
}

}  // namespace
}  // namespace stickslip
