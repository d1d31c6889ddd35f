#include "stickslip/scene/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

using testing::HasSubstr;

ModelError error_of(const std::string& file) {
  try {
    read_scene(file);
  } catch (const ModelError& e) {
    return e;
  }
  ADD_FAILURE() << "no error for " << file;
  return ModelError("none", {}, "");
}

TEST(Reader, EveryExampleLoads) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("examples")) {
    if (entry.path().extension() != ".yaml") continue;
    const Scene scene = read_scene(entry.path().string());
    EXPECT_FALSE(scene.bodies.empty()) << entry.path();
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0].str();
    ++count;
  }
  EXPECT_GT(count, 0);
}

// The reference page shows scenes that work. Convex parts, which Python finds, are the mesh itself here.
TEST(Reader, EverySnippetOfTheReferenceLoads) {
  const TemporaryFolder cache;
  setenv("STICKSLIP_CACHE", cache.path().c_str(), 1);
  LoadOptions options;
  options.decompose = [](const std::string& file, const Decomposition& how) {
    write_parts(parts_file(file, how), {read_mesh(file)});
    return true;
  };
  std::ifstream page("docs/formats/scene_yaml.md");
  int count = 0;
  std::string line, block;
  for (bool inside = false; std::getline(page, line);) {
    if (inside && line == "```") {
      EXPECT_NO_THROW(read_scene_string(block, SceneFormat::kYaml, "examples", options)) << block;
      ++count;
    }
    block = inside ? block + line + "\n" : "";
    inside = line == "```yaml" || (inside && line != "```");
  }
  EXPECT_GT(count, 10);
  unsetenv("STICKSLIP_CACHE");
}

TEST(Reader, AMissingFileSuggestsItsNeighbour) {
  const ModelError e = error_of("examples/double_pendlum.yaml");
  EXPECT_EQ(e.code(), "no-such-file");
  EXPECT_THAT(e.fix(), HasSubstr("examples/double_pendulum.yaml"));
  EXPECT_EQ(error_of("examples").code(), "no-such-file");
  EXPECT_EQ(error_of("no/such/folder/x.yaml").code(), "no-such-file");
}

TEST(Reader, XmlIsToldApartByItsRootElement) {
  const TemporaryFolder temporary;
  const std::filesystem::path file = temporary.path() / "robot.xml";
  std::ofstream(file) << "<?xml version='1.0'?>\n<!-- <mujoco> -->\n<robot name='r'><link name='a'/></robot>";
  EXPECT_EQ(read_scene(file.string()).bodies[0].name, "a");
}

TEST(Reader, UnknownExtensionsAreErrors) { EXPECT_EQ(error_of("CMakeLists.txt").code(), "unknown-format"); }

TEST(Reader, TextIsReadInEachFormat) {
  EXPECT_EQ(read_scene_string("name: s", SceneFormat::kYaml).name, "s");
  EXPECT_EQ(read_scene_string("<robot name='r'><link name='a'/></robot>", SceneFormat::kUrdf).name, "r");
  EXPECT_EQ(read_scene_string("<mujoco model='m'/>", SceneFormat::kMjcf).name, "m");
}

}  // namespace
}  // namespace stickslip
