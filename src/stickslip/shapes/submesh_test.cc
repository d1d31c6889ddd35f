#include "stickslip/shapes/submesh.h"

#include <gtest/gtest.h>

#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

// A square lid of two triangles in the middle of a chest, and a hinge of one.
Mesh chest() {
  return parse_obj(
      "v 9 9 9\nv 0 0 1\nv 2 0 1\nv 2 4 1\nv 0 4 1\no box\nf 1 2 3\no lid\nf 2 3 4\nf 2 4 5\ng hinge\nf 3 4 1\n",
      "chest.obj");
}

TEST(Submesh, HasItsOwnTrianglesAndVertices) {
  const std::optional<Mesh> lid = find_submesh(chest(), "lid");
  ASSERT_TRUE(lid);
  EXPECT_EQ(lid->triangles.size(), 2u);
  ASSERT_EQ(lid->vertices.size(), 4u);
  EXPECT_EQ(lid->vertices[0], Vector3d(0, 0, 1));
  EXPECT_EQ(find_submesh(chest(), "hinge")->triangles.size(), 1u);
  EXPECT_FALSE(find_submesh(chest(), "handle"));
}

TEST(Submesh, KeepsItsColors) {
  Mesh mesh = chest();
  mesh.parts = {{0, 2, {1, 0, 0, 1}}, {3, 1, {0, 1, 0, 1}}};  // the box, half of the lid; the hinge
  const std::optional<Mesh> lid = find_submesh(mesh, "lid");
  ASSERT_EQ(lid->parts.size(), 1u);
  EXPECT_EQ(lid->parts[0].count, 1);
  EXPECT_EQ(lid->parts[0].color[0], 1);
  EXPECT_EQ(find_submesh(mesh, "hinge")->parts.at(0).color[1], 1);
}

// Right, up and towards the viewer are -y, x, z; x, y, z; and x, z, -y, by which of x, y and z is up.
TEST(Submesh, AxesThatAreUpBecomeZ) {
  const Vector3d right(1, 0, 0), up(0, 0, 1), nearer(0, -1, 0);  // z up
  const auto turned = [](int axis, const std::vector<Vector3d>& vertices) {
    Mesh mesh;
    mesh.up = axis;
    mesh.vertices = vertices;
    return turned_to_z_up(mesh).vertices;
  };
  const std::vector<Vector3d> expected{right, up, nearer};
  EXPECT_EQ(turned(0, {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}), expected);
  EXPECT_EQ(turned(1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), expected);
  EXPECT_EQ(turned(2, expected), expected);
}

TEST(Submesh, MayBeMovedToItsMiddle) {
  EXPECT_EQ(centered(*find_submesh(chest(), "lid")).vertices[0], Vector3d(-1, -2, 0));
}

// Nodes name what they show in COLLADA.
TEST(Submesh, NodesOfColladaHaveNames) {
  const Mesh mesh = parse_dae(
      "<COLLADA><library_geometries><geometry id='g'><mesh><source id='s'><float_array>0 0 0 1 0 0 0 1 0</float_array>"
      "</source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices><triangles><input "
      "semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
      "<library_visual_scenes><visual_scene><node name='box'><instance_geometry url='#g'/><node id='lid'>"
      "<translate>0 0 1</translate><instance_geometry url='#g'/></node></node></visual_scene></library_visual_scenes>"
      "</COLLADA>",
      "chest.dae");
  EXPECT_EQ(find_submesh(mesh, "lid")->vertices[0], Vector3d(0, 0, 1));
  EXPECT_EQ(find_submesh(mesh, "box")->vertices[0], Vector3d(0, 0, 0));
}

}  // namespace
}  // namespace stickslip
