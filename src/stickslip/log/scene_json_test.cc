#include "stickslip/log/scene_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "stickslip/base/base64.h"
#include "stickslip/model/forest_testing.h"
#include "stickslip/scene/reader.h"
#include "stickslip/simulate/simulator.h"

namespace stickslip {
namespace {

using forest_testing::forest;
using testing::HasSubstr;

std::vector<std::string> scene_files() {
  std::vector<std::string> files;
  for (const char* folder : {"examples", "cases"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string suffix = entry.path().extension().string();
      // One case finds the robot of its scene when it runs.
      const bool is_template = entry.path().string().find("C9_") != std::string::npos;
      if ((suffix == ".yaml" || suffix == ".urdf") && !is_template) files.push_back(entry.path().string());
    }
  }
  return files;
}

// A scene that is written and read is the same scene: all files of the repository, random forests.
TEST(SceneJson, WhatIsReadBackIsTheSame) {
  const std::vector<std::string> files = scene_files();
  ASSERT_GT(files.size(), 12u);
  for (const std::string& file : files) {
    const std::string text = scene_to_json(read_scene(file));
    EXPECT_EQ(scene_to_json(scene_from_json(text)), text) << file;
  }
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::string text = scene_to_json(forest(seed, {.forces = true}));
    EXPECT_EQ(scene_to_json(scene_from_json(text)), text) << seed;
  }
}

// It moves the same, to the bit.
TEST(SceneJson, WhatIsReadBackMovesTheSame) {
  for (const char* file : {"examples/two_arms.yaml", "examples/conveyor.yaml", "examples/gripper.yaml"}) {
    const Scene scene = read_scene(file);
    Simulator sim(compile(scene)), again(compile(scene_from_json(scene_to_json(scene))));
    ASSERT_TRUE(sim.advance_to(0.3).ok());
    ASSERT_TRUE(again.advance_to(0.3).ok());
    EXPECT_EQ(hash(sim.state()), hash(again.state())) << file;
  }
}

// Geometries that share a mesh share it afterwards.
TEST(SceneJson, MeshesAreWrittenOnce) {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  Scene scene;
  scene.world_geometry = {{.shape = TriangleMesh{mesh}}, {.shape = ConvexMesh{mesh}}};
  const Scene back = scene_from_json(scene_to_json(scene));
  EXPECT_EQ(std::get<TriangleMesh>(back.world_geometry[0].shape).mesh,
            std::get<ConvexMesh>(back.world_geometry[1].shape).mesh);
  EXPECT_EQ(std::get<ConvexMesh>(back.world_geometry[1].shape).mesh->vertices, mesh->vertices);
}

std::string mesh_json(const std::string& parts) {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 1}};
  mesh->parts = {{1, 1, {0.1, 0.2, 0.3, 0.5}}};
  Scene scene;
  scene.world_geometry = {{.shape = TriangleMesh{mesh}}};
  std::string text = scene_to_json(scene);
  const std::string written = R"(,"parts":[{"first":1,"count":1,"color":[0.1,0.2,0.3,0.5]}])";
  const size_t at = text.find(written);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, written.size(), parts);
}

// A recording keeps the colours of meshes without their files; those from before meshes had colours can be read.
TEST(SceneJson, MeshesKeepTheirColors) {
  const auto parts = [](const std::string& text) {
    return std::get<TriangleMesh>(scene_from_json(text).world_geometry[0].shape).mesh->parts;
  };
  const std::vector<Mesh::Part> two =
      parts(mesh_json(R"(,"parts":[{"first":0,"count":1,"color":[1,0,0,1]},{"first":1,"count":1,"color":[0,1,0,1]}])"));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].first, 1);
  EXPECT_EQ(two[1].count, 1);
  EXPECT_EQ(two[1].color, (std::array<double, 4>{0, 1, 0, 1}));
  EXPECT_TRUE(parts(mesh_json("")).empty());
  for (const char* bad : {"-1,\"count\":1", "0,\"count\":3", "0,\"count\":-1", "2147483647,\"count\":2147483647"}) {
    const std::string text = mesh_json(std::string(R"(,"parts":[{"first":)") + bad + R"(,"color":[1,0,0,1]}])");
    EXPECT_THROW(scene_from_json(text), std::invalid_argument) << bad;
  }
}

TEST(SceneJson, OptionsReadBackTheSame) {
  SimulatorOptions options{.method = "cenic", .accuracy = 1e-4, .max_step = 0.03, .norm = "state", .threads = 3};
  options.weights = VectorXd(VectorXd::LinSpaced(4, 0.1, 1.0 / 3));
  options.extrapolate = false;
  options.solver.linear_solver = LinearSolver::kDense;
  const std::string text = options_to_json(options);
  const SimulatorOptions back = options_from_json(text);
  EXPECT_EQ(options_to_json(back), text);
  EXPECT_EQ(std::get<VectorXd>(back.weights), std::get<VectorXd>(options.weights));
  EXPECT_EQ(back.solver.linear_solver, LinearSolver::kDense);
  EXPECT_EQ(back.time_step, std::nullopt);
}

// Written before the solver had all of its options.
TEST(SceneJson, OptionsOfOlderRecordingsAreRead) {
  std::string text = options_to_json({.method = "cenic"});
  for (const std::string name : {"patches", "contact_space", "local_solves", "stiff_at_end"}) {
    const size_t at = text.find(",\"" + name + "\":true");
    ASSERT_NE(at, std::string::npos) << name << " in " << text;
    text.erase(at, name.size() + 8);
  }
  EXPECT_EQ(options_to_json(options_from_json(text)), options_to_json({.method = "cenic"}));
}

std::string complaint(const std::string& text) {
  try {
    scene_from_json(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::string with(const std::string& text, const std::string& old, const std::string& now) {
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return std::string(text).replace(at, old.size(), now);
}

// What does not fit is an error that names the place.
TEST(SceneJson, DamageIsNamed) {
  Scene scene;
  scene.bodies.push_back({.name = "ball", .inertia = {.mass = 2}});
  scene.bodies[0].geometry.push_back({.shape = Sphere{0.25}});
  scene.joints.push_back({.name = "hinge", .child = "ball"});
  const std::string text = scene_to_json(scene);
  EXPECT_EQ(complaint(text), "");
  EXPECT_THAT(complaint(text.substr(0, text.size() / 2)), HasSubstr("not JSON"));
  EXPECT_THAT(complaint("[]"), HasSubstr("object"));
  EXPECT_THAT(complaint(with(text, "\"mass\":2.0", "\"mass\":\"two\"")), HasSubstr("bodies.[0].inertia.mass"));
  EXPECT_THAT(complaint(with(text, "\"mass\":2.0", "\"mass\":\"nan\"")), HasSubstr("number"));
  EXPECT_THAT(complaint(with(text, "\"mass\":2.0,", "")), HasSubstr("'mass' is missing"));
  EXPECT_THAT(complaint(with(text, "revolute", "revolting")), HasSubstr("'revolting' is not known"));
  EXPECT_THAT(complaint(with(text, "{\"sphere\":{\"radius\":0.25}}", "{\"mesh\":0}")), HasSubstr("not known"));
  EXPECT_THAT(complaint(with(text, "{\"sphere\":{\"radius\":0.25}}", "{\"convex_mesh\":{\"mesh\":0}}")),
              HasSubstr("no element 0 of 0"));
  EXPECT_THAT(
      complaint(with(text, "\"meshes\":[]", "\"meshes\":[{\"file\":\"\",\"vertices\":[0,0,0],\"triangles\":[0,0,1]}]")),
      HasSubstr("vertex 1 of 1"));
  const auto with_vertices = [&](const std::string& vertices) {
    return complaint(
        with(text, "\"meshes\":[]", "\"meshes\":[{\"file\":\"\",\"vertices\":\"" + vertices + "\",\"triangles\":[]}]"));
  };
  const std::vector<double> numbers{0, 0, std::nan("")};
  const std::string_view bytes(reinterpret_cast<const char*>(numbers.data()), 24);
  EXPECT_THAT(with_vertices(base64(bytes)), HasSubstr("not finite"));
  EXPECT_THAT(with_vertices(base64(bytes.substr(0, 16))), HasSubstr("three numbers"));
  EXPECT_THAT(with_vertices("*"), HasSubstr("three numbers"));
  EXPECT_THAT(complaint(with(text, "\"height_grids\":[]",
                             "\"height_grids\":[{\"rows\":100000,\"columns\":100000,\"heights\":[0]}]")),
              HasSubstr("heights"));
}

// What was recorded before overlapping links of a robot were told apart collides as it did.
TEST(SceneJson, OlderBodiesAreOfNoRobot) {
  Scene scene;
  scene.bodies = {{.name = "link", .robot = 2}};
  const std::string text = scene_to_json(scene);
  EXPECT_EQ(scene_from_json(text).bodies[0].robot, 2);
  EXPECT_EQ(scene_from_json(with(text, ",\"robot\":2", "")).bodies[0].robot, 0);
}

// Those of SDF models were listed pair by pair.
TEST(SceneJson, OlderBodiesAreOfNoFamily) {
  Scene scene;
  scene.bodies = {{.name = "link", .family = 2}};
  const std::string text = scene_to_json(scene);
  EXPECT_EQ(scene_from_json(text).bodies[0].family, 2);
  EXPECT_EQ(scene_from_json(with(text, ",\"family\":2", "")).bodies[0].family, 0);
}

// Sensors were not listed once.
TEST(SceneJson, SensorsAreKept) {
  Scene scene;
  scene.sensors = {{.name = "force", .type = "touch", .object_type = "site", .object = "tip"}};
  const std::string text = scene_to_json(scene);
  const Scene back = scene_from_json(text);
  EXPECT_EQ(scene_to_json(back), text);
  ASSERT_EQ(back.sensors.size(), 1u);
  EXPECT_EQ(back.sensors[0].object, "tip");
  EXPECT_EQ(complaint(with(scene_to_json(Scene()), "\"sensors\":[],", "")), "");
}

// The step that a file names was a step that somebody chose once.
TEST(SceneJson, TheStepOfAFileIsKept) {
  Scene scene;
  scene.simulation.file_time_step = 0.004;
  const std::string text = scene_to_json(scene);
  EXPECT_EQ(scene_from_json(text).simulation.file_time_step, 0.004);
  EXPECT_EQ(scene_from_json(text).simulation.time_step, std::nullopt);
  const std::string older =
      with(with(text, "\"file_time_step\":0.004,", ""), "\"time_step\":null", "\"time_step\":0.01");
  EXPECT_EQ(complaint(older), "");
  EXPECT_EQ(scene_from_json(older).simulation.time_step, 0.01);
}

// Constraints had no time scale once, and welds no stiffness of their rotation.
TEST(SceneJson, OlderConstraintsAreRead) {
  Scene scene;
  scene.constraints.push_back({.name = "glue", .kind = Constraint::Kind::kWeld, .body_a = "ball"});
  std::string text = scene_to_json(scene);
  for (const char* field : {"\"rotational_stiffness\":null,", "\"rotational_dissipation\":null,",
                            "\"time_scale\":null,", "\"damping_ratio\":1.0,"}) {
    text = with(text, field, "");
  }
  EXPECT_EQ(complaint(text), "");
}

// A field that is added to one of these must be named in scene_fields.h, or recordings lose it. Do that; then mend the
// number here.
static_assert(sizeof(Scene) == 536);
static_assert(sizeof(Material) == 312);
static_assert(sizeof(MjcfContact) == 112);
static_assert(sizeof(Geometry) == 320);
static_assert(sizeof(Motion) == 120);
static_assert(sizeof(Body) == 496);
static_assert(sizeof(Joint) == 648);
static_assert(sizeof(Tendon) == 152);
static_assert(sizeof(Actuator) == 304);
static_assert(sizeof(Constraint) == 544);
static_assert(sizeof(Frame) == 200);
static_assert(sizeof(Sensor) == 168);
static_assert(sizeof(ContactPair) == 136);
static_assert(sizeof(ContactExclusion) == 104);
static_assert(sizeof(Keyframe) == 200);
static_assert(sizeof(SimulationOptions) == 128);
static_assert(sizeof(SimulatorOptions) == 240);
static_assert(sizeof(SolverOptions) == 24);
static_assert(sizeof(Mesh) == 136);
static_assert(sizeof(Mesh::Part) == 40);
static_assert(sizeof(HeightGrid) == 32);

}  // namespace
}  // namespace stickslip
