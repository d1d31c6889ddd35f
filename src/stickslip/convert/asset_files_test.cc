#include "stickslip/convert/asset_files.h"

#include <gtest/gtest.h>

#include "stickslip/shapes/mesh_file.h"

namespace stickslip::convert {
namespace {

Mesh tetrahedron(const std::string& file, double size) {
  return {
      file, {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size / 3}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

TEST(AssetFiles, WriteMeshesThatReadBackAsTheSameDoubles) {
  const Mesh mesh = tetrahedron("parts/foot.stl", 0.1);
  AssetFiles files("robot_assets");
  EXPECT_EQ(files.add_mesh(mesh).file, "robot_assets/foot.obj");
  const std::vector<ConvertedFile> out = files.take();
  ASSERT_EQ(out.size(), 1u);
  const Mesh back = parse_obj(out[0].bytes, "");
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.triangles, mesh.triangles);
}

// A robot shows one file at many places, each read anew; and other folders have files of the same name.
TEST(AssetFiles, ShareEqualMeshesAndTellOthersApart) {
  const Mesh a = tetrahedron("left/Foot.stl", 0.1), same = tetrahedron("left/Foot.stl", 0.1);
  const Mesh other = tetrahedron("right/foot.stl", 0.2), nameless = tetrahedron("", 0.3),
             odd = tetrahedron("ä b.obj", 1);
  AssetFiles files("x");
  EXPECT_TRUE(files.add_mesh(a).is_new);
  EXPECT_FALSE(files.add_mesh(same).is_new);
  EXPECT_EQ(files.add_mesh(same).name, "Foot");
  EXPECT_EQ(files.add_mesh(other).name, "foot_2");
  EXPECT_EQ(files.add_mesh(nameless).name, "mesh");
  EXPECT_EQ(files.add_mesh(odd).name, "___b");
  EXPECT_EQ(files.take().size(), 4u);
}

}  // namespace
}  // namespace stickslip::convert
