#include "stickslip/shapes/mesh_file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>

#include "stickslip/base/temporary_folder.h"

namespace stickslip {
namespace {

template <typename T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string binary_stl(std::uint32_t promised, int written) {
  std::string bytes(80, ' ');
  append(bytes, promised);
  for (int i = 0; i < written; ++i) {
    for (float value : {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}) append(bytes, value);
    append(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string msh(std::int32_t vertices, std::int32_t faces, std::int32_t corner) {
  std::string bytes;
  for (std::int32_t count : {vertices, 0, 0, faces}) append(bytes, count);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) append(bytes, i == k ? 2.0f : 0.0f);
  }
  for (std::int32_t index : {0, 1, corner}) append(bytes, index);
  return bytes;
}

void expect_refused(const std::string& bytes, MeshFormat format, int line = 0) {
  try {
    parse_mesh(bytes, format, "part.bin");
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "bad-mesh");
    EXPECT_EQ(error.where().file, "part.bin");
    EXPECT_EQ(error.where().line, line);
  }
}

TEST(Obj, ReadsFacesWithSlashesNegativeIndicesAndPolygons) {
  const Mesh mesh =
      parse_mesh("# c\nv 0 0 0\nv 1 0 0\r\nv 1 1 0\nv 0 1 0 1.0\nvn 0 0 1\nf 1/1/1 2//1 3 4\nf -4 -3 -2\n",
                 MeshFormat::kObj, "a.obj");
  ASSERT_EQ(mesh.vertices.size(), 4u);
  ASSERT_EQ(mesh.triangles.size(), 3u);
  EXPECT_EQ(mesh.triangles[1], (std::array<int, 3>{0, 2, 3}));
  EXPECT_EQ(mesh.triangles[2], (std::array<int, 3>{0, 1, 2}));
}

// Materials colour triangles; vertices and triangles are what they are without them.
TEST(Obj, MaterialsColorTriangles) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "two paints.mtl")
      << "newmtl red\r\nKd 1 0 0\r\nnewmtl glass\n  Kd 0 0 1\n  Tr 0.75\nnewmtl odd\nKd 1 x\nd nan\n";
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  const std::string colored = "mtllib two paints.mtl\n" + vertices +
                              "f 1 2 3\nusemtl red\r\nf 1 2 3 4\nusemtl odd\nf 1 2 3\nusemtl glass\nf 2 3 4\n"
                              "usemtl nowhere\nf 1 2 4\n";
  const Mesh mesh = parse_obj(colored, (folder.path() / "a.obj").string());
  const Mesh plain = parse_obj(vertices + "f 1 2 3\nf 1 2 3 4\nf 1 2 3\nf 2 3 4\nf 1 2 4\n", "a.obj");
  EXPECT_EQ(mesh.vertices, plain.vertices);
  EXPECT_EQ(mesh.triangles, plain.triangles);
  ASSERT_EQ(mesh.parts.size(), 2u);
  EXPECT_EQ(mesh.parts[0].first, 1);
  EXPECT_EQ(mesh.parts[0].count, 2);
  EXPECT_EQ(mesh.parts[0].color, (std::array<double, 4>{1, 0, 0, 1}));
  EXPECT_EQ(mesh.parts[1].first, 4);
  EXPECT_EQ(mesh.parts[1].color, (std::array<double, 4>{0, 0, 1, 0.25}));
  EXPECT_TRUE(parse_obj(colored, "a.obj").parts.empty());  // its materials are not beside it
}

TEST(Obj, ErrorsNameTheLine) {
  expect_refused("v 0 0 0\nv 1 x 0\n", MeshFormat::kObj, 2);
  expect_refused("v 0 0 0\nf 1 2 3\n", MeshFormat::kObj, 2);
  expect_refused("v 0 0 0\nf 1 1\n", MeshFormat::kObj, 2);
  expect_refused("v 0 0 0\nf 1 1 0\n", MeshFormat::kObj, 2);
  expect_refused("v 0 0 inf\n", MeshFormat::kObj, 1);
  expect_refused("v 0 0 0\nv 1e999 0 0\n", MeshFormat::kObj, 2);
  expect_refused("", MeshFormat::kObj);
}

TEST(Stl, BinaryMergesRepeatedVertices) {
  const Mesh mesh = parse_mesh(binary_stl(2, 2), MeshFormat::kStl, "a.stl");
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(Stl, TextAndBinaryAgree) {
  const Mesh mesh = parse_mesh(
      "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n "
      "endfacet\nendsolid a\n",
      MeshFormat::kStl, "a.stl");
  EXPECT_EQ(mesh.vertices, parse_mesh(binary_stl(1, 1), MeshFormat::kStl, "a.stl").vertices);
}

// A count that promises more than the file has must not reserve memory for it.
TEST(Stl, CountBeyondTheFileIsRefused) {
  expect_refused(binary_stl(4'000'000'000u, 1), MeshFormat::kStl);
  expect_refused(std::string(10, 'x'), MeshFormat::kStl);
  expect_refused("solid a\nfacet\nvertex 0 0 0\nvertex 0 0\nendfacet", MeshFormat::kStl, 5);
}

TEST(Msh, ReadsVerticesAndFaces) {
  const Mesh mesh = parse_mesh(msh(3, 1, 2), MeshFormat::kMsh, "a.msh");
  ASSERT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.vertices[1], Vector3d(0, 2, 0));
  EXPECT_EQ(mesh.triangles.front(), (std::array<int, 3>{0, 1, 2}));
}

TEST(Msh, CorruptCountsAndIndicesAreRefused) {
  expect_refused(msh(3, 1, 3), MeshFormat::kMsh);
  expect_refused(msh(3, 1, -1), MeshFormat::kMsh);
  expect_refused(msh(2'000'000'000, 1, 2), MeshFormat::kMsh);
  expect_refused(msh(-3, 1, 2), MeshFormat::kMsh);
  expect_refused("abc", MeshFormat::kMsh);
}

TEST(ReadMesh, UnknownExtensionAndMissingFileAreLocatedWhereTheyAreNamed) {
  for (const char* file : {"part.fbx", "/no/such/part.obj"}) {
    try {
      read_mesh(file, Location{"robot.xml", 7, 3});
      FAIL();
    } catch (const ModelError& error) {
      EXPECT_EQ(error.where().str(), "robot.xml:7:3");
      EXPECT_EQ(error.text(), file);
    }
  }
}

}  // namespace
}  // namespace stickslip
