#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "stickslip/shapes/mesh_damage_testing.h"
#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

const std::string kElements =
    "comment made by hand\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\n"
    "property uchar red\nelement edge 1\nproperty int vertex1\nelement face 2\n"
    "property list uchar int vertex_indices\nproperty float quality\nend_header\n";

template <typename Number>
void append(std::string& bytes, Number value, bool big_endian) {
  std::string raw(reinterpret_cast<const char*>(&value), sizeof(Number));
  if (big_endian) std::reverse(raw.begin(), raw.end());
  bytes += raw;
}

std::string binary(bool big_endian) {
  std::string bytes =
      std::string("ply\nformat binary_") + (big_endian ? "big" : "little") + "_endian 1.0\n" + kElements;
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
  for (const auto& corner : corners) {
    append(bytes, corner[0], big_endian);
    append(bytes, static_cast<double>(corner[1]), big_endian);
    append(bytes, corner[2], big_endian);
    append(bytes, std::uint8_t{255}, big_endian);
  }
  append(bytes, std::int32_t{3}, big_endian);
  for (const std::vector<int>& face : {std::vector<int>{0, 1, 2, 3}, std::vector<int>{0, 2, 1}}) {
    append(bytes, static_cast<std::uint8_t>(face.size()), big_endian);
    for (int corner : face) append(bytes, static_cast<std::int32_t>(corner), big_endian);
    append(bytes, 0.5f, big_endian);
  }
  return bytes;
}

const std::string kText = "ply\r\nformat ascii 1.0\n" + kElements +
                          "0 0 0 255\n1 0 0 255\n1 1 0 255\n0 1 0.5 255\n3\n4 0 1 2 3 0.5\n3 0 2 1 0.5\n";

TEST(Ply, TextAndBothOrdersOfBytesAgree) {
  const Mesh text = parse_mesh(kText, MeshFormat::kPly, "a.ply");
  ASSERT_EQ(text.vertices.size(), 4u);
  EXPECT_EQ(text.vertices[3], Vector3d(0, 1, 0.5));
  ASSERT_EQ(text.triangles.size(), 3u);
  EXPECT_EQ(text.triangles[1], (std::array<int, 3>{0, 2, 3}));
  for (bool big_endian : {false, true}) {
    const Mesh mesh = parse_mesh(binary(big_endian), MeshFormat::kPly, "a.ply");
    EXPECT_EQ(mesh.vertices, text.vertices);
    EXPECT_EQ(mesh.triangles, text.triangles);
  }
}

TEST(Ply, WhatIsNoPlyIsRefused) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  expect_mesh_refused("solid a", MeshFormat::kPly, "begins with 'ply'");
  expect_mesh_refused("ply\nformat ascii 1.0\n", MeshFormat::kPly, "does not end");
  expect_mesh_refused(changed(kText, "ascii", "utf8"), MeshFormat::kPly, "not a format");
  expect_mesh_refused(changed(kText, "float x", "float u"), MeshFormat::kPly, "no x, y and z");
  expect_mesh_refused(changed(kText, "vertex 4", "vertex 2000000000"), MeshFormat::kPly, "promises more");
  expect_mesh_refused(changed(kText, "0 1 2 3 0.5", "0 1 2 4 0.5"), MeshFormat::kPly, "refers to vertex 4 of 4");
  expect_mesh_refused(changed(kText, "1 0 0 255", "1 x 0 255"), MeshFormat::kPly, "word where a number");
  expect_mesh_refused(changed(kText, "face 2", "face 0"), MeshFormat::kPly, "no faces");
}

TEST(Ply, DamageIsReadOrRefused) {
  expect_damage_is_read_or_refused(kText, MeshFormat::kPly, "a.ply");
  expect_damage_is_read_or_refused(binary(false), MeshFormat::kPly, "a.ply");
}

}  // namespace
}  // namespace stickslip
