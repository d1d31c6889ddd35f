#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/shapes/mesh_damage_testing.h"
#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/png_testing.h"

namespace stickslip {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using Triangle = std::array<int, 3>;

template <typename T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// Four corners of a unit square, then indices of two triangles: 48 + 12 bytes.
std::string square_bytes() {
  std::string out;
  for (const float x : {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) append(out, x);
  for (const std::uint16_t i : {0, 1, 2, 0, 2, 3}) append(out, i);
  return out;
}

// The same in base64, as others encode it.
const std::string kSquare =
    "data:application/"
    "octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAABAAIAAAACAAMA";

struct Parts {
  std::string uri = R"("uri":")" + kSquare + R"(",)";
  std::string primitives = R"({"attributes":{"POSITION":0},"indices":1})";
  std::string nodes = R"({"mesh":0})";
  std::string roots = "0";
  std::string accessors = "";
  std::string more = "";
};

std::string gltf(const Parts& parts = {}) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[)" + parts.roots + R"(]}],"nodes":[)" +
         parts.nodes + R"(],"meshes":[{"primitives":[)" + parts.primitives + R"(]}],"accessors":[)" +
         R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)" +
         R"({"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"})" + parts.accessors +
         R"(],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],)" +
         R"("buffers":[{)" + parts.uri + R"("byteLength":60}])" + parts.more + "}";
}

std::string glb(std::string json, std::string binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string out = "glTF";
  append(out, std::uint32_t{2});
  append(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
  append(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON" + json;
  append(out, static_cast<std::uint32_t>(binary.size()));
  out += std::string("BIN\0", 4) + binary;
  return out;
}

Mesh read(const std::string& bytes) { return parse_mesh(bytes, MeshFormat::kGltf, "part.bin"); }
void refused(const std::string& text, const std::string& words) { expect_mesh_refused(text, MeshFormat::kGltf, words); }

// glTF is y up, as its standard says: what is up in the file is up here.
TEST(Gltf, YBecomesZ) {
  const Mesh mesh = read(gltf());
  EXPECT_EQ(mesh.vertices, (std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(mesh.parts.empty());
}

TEST(Gltf, BuffersAreWithinBesideOrInTheContainer) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "my data.bin", std::ios::binary) << square_bytes();
  const std::vector<Vector3d> expected = read(gltf()).vertices;
  const std::string beside = (folder.path() / "a.gltf").string();
  EXPECT_EQ(parse_gltf(gltf({.uri = R"("uri":"my%20data.bin",)"}), beside).vertices, expected);
  EXPECT_EQ(read(glb(gltf({.uri = ""}), square_bytes())).vertices, expected);
  EXPECT_THROW(read(gltf({.uri = R"("uri":"my%20data.bin",)"})), ModelError);
}

TEST(Gltf, NodesPlaceWhatTheyShow) {
  // Scaled by 2, turned by 90 degrees about the file's y, moved by 3 along it.
  const Mesh mesh = read(
      gltf({.nodes = R"({"children":[1],"translation":[0,3,0]},{"mesh":0,"rotation":[0,0.5,0,0.5],"scale":[2,2,2]})"}));
  EXPECT_LT((mesh.vertices[1] - Vector3d(0, 2, 3)).norm(), 1e-12);
  const Mesh same = read(gltf({.nodes = R"({"mesh":0,"matrix":[0,0,-2,0, 0,2,0,0, 2,0,0,0, 0,3,0,1]})"}));
  for (size_t i = 0; i < 4; ++i) EXPECT_LT((mesh.vertices[i] - same.vertices[i]).norm(), 1e-12);
  EXPECT_EQ(read(gltf({.nodes = R"({"mesh":0,"scale":[1,1,-1]})"})).triangles[0], (Triangle{0, 2, 1}));
}

TEST(Gltf, PrimitivesAreTrianglesStripsAndFansWithOrWithoutIndices) {
  EXPECT_EQ(read(gltf({.primitives = R"({"attributes":{"POSITION":0},"mode":5})"})).triangles,
            (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}}));
  EXPECT_EQ(read(gltf({.primitives = R"({"attributes":{"POSITION":0},"mode":6})"})).triangles,
            (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(read(gltf({.primitives = R"({"attributes":{"POSITION":0},"mode":1},{"attributes":{"POSITION":0}})"}))
                .vertices.size(),
            3u);  // a line, and a triangle
}

// Small integers that stand for -1 to 1, as compact files have.
TEST(Gltf, PositionsMayBeIntegers) {
  const Mesh mesh =
      read(gltf({.primitives = R"({"attributes":{"POSITION":2}})",
                 .accessors = R"(,{"bufferView":0,"byteOffset":12,"componentType":5121,"normalized":true,)"
                              R"("count":3,"type":"VEC3"})"}));
  EXPECT_NEAR(mesh.vertices[0].y(), -128.0 / 255, 1e-15);  // bytes 00 00 80 of the float 1
}

TEST(Gltf, MaterialsAreBaseColorsAsSrgb) {
  const auto parts_of = [](const std::string& material) {
    return read(gltf({.primitives = R"({"attributes":{"POSITION":0},"indices":1,"material":0})",
                      .more = R"(,"materials":[)" + material + "]"}))
        .parts;
  };
  const std::string factor = R"("pbrMetallicRoughness":{"baseColorFactor":[1,0.2140411,0,0.5]})";
  const std::vector<Mesh::Part> opaque = parts_of("{" + factor + "}");
  ASSERT_EQ(opaque.size(), 1u);
  EXPECT_EQ(opaque[0].count, 2);
  EXPECT_THAT(opaque[0].color, ElementsAre(DoubleNear(1, 1e-12), DoubleNear(0.5, 1e-6), 0, 1));
  EXPECT_EQ(parts_of(R"({"alphaMode":"BLEND",)" + factor + "}")[0].color[3], 0.5);
  EXPECT_THAT(parts_of("{}")[0].color, testing::Each(DoubleNear(1, 1e-12)));
}

TEST(Gltf, PicturesAreTheirMeanColor) {
  const std::string binary = square_bytes() + std::string(kColorPng);
  std::string json = gltf({.uri = "",
                           .primitives = R"({"attributes":{"POSITION":0},"indices":1,"material":0})",
                           .more = R"(,"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],)"
                                   R"("textures":[{"source":0}],"images":[{"bufferView":2,"mimeType":"image/png"}])"});
  const std::string views = R"("byteOffset":48,"byteLength":12})";
  json.replace(json.find(views), views.size(),
               views + fmt::format(R"(,{{"buffer":0,"byteOffset":60,"byteLength":{}}})", kColorPng.size()));
  const Mesh mesh = read(glb(json, binary));
  ASSERT_EQ(mesh.parts.size(), 1u);
  EXPECT_NEAR(mesh.parts[0].color[0], 25.0 / 255, 1e-12);
}

TEST(Gltf, WrongFilesAreRefusedWithASentence) {
  refused("", "not a JSON object");
  refused("[]", "not a JSON object");
  refused("glTF", "ends within its header");
  refused(glb(gltf(), "").substr(0, 12), "no JSON chunk");
  refused(glb(gltf(), "").replace(4, 1, "\1"), "version 1");
  refused(glb(gltf(), "").substr(0, 40), "promises");
  refused(R"({"asset":{"version":"1.0"}})", "version '1.0'");
  refused(gltf({.more = R"(,"extensionsRequired":["KHR_draco_mesh_compression"])"}), "compress");
  refused(gltf({.nodes = "{}"}), "no vertices");
  refused(gltf({.nodes = R"({"mesh":1})"}), "no element 1 in 'meshes'");
  refused(gltf({.nodes = R"({"mesh":-1})"}), "not a whole number");
  refused(gltf({.nodes = R"({"mesh":0,"scale":[1,2]})"}), "list of 3 numbers");
  refused(gltf({.nodes = R"({"mesh":0,"rotation":[0,0,0,0]})"}), "quaternion");
  refused(gltf({.roots = "7"}), "no element 7 in 'nodes'");
  refused(gltf({.uri = R"("uri":"data:;base64,????",)"}), "base64");
  refused(gltf({.uri = R"("uri":"data:;base64,AAAA",)"}), "beyond its buffer");
  const auto accessor = [](const std::string& text) {
    return gltf({.primitives = R"({"attributes":{"POSITION":2}})", .accessors = "," + text});
  };
  refused(accessor(R"({"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"})"), "beyond its buffer");
  refused(accessor(R"({"bufferView":0,"componentType":5126,"count":4000000000,"type":"VEC3"})"), "more than");
  refused(accessor(R"({"bufferView":0,"componentType":1,"count":1,"type":"VEC3"})"), "unknown type");
  refused(accessor(R"({"componentType":5126,"count":1,"type":"VEC3"})"), "no data");
  refused(accessor(R"({"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"})"), "not of type VEC3");
  refused(gltf({.primitives = R"({"attributes":{"POSITION":0},"indices":2})",
                .accessors = R"(,{"bufferView":0,"componentType":5121,"byteOffset":12,"count":3,"type":"SCALAR"})"}),
          "index 128 is not among the 4 vertices");
}

TEST(Gltf, EndlessAndHugeScenesAreRefused) {
  refused(gltf({.nodes = R"({"children":[0]})"}), "nested");
  std::string bomb;
  for (int i = 1; i <= 60; ++i) bomb += fmt::format(R"({{"children":[{},{}]}},)", i, i);
  refused(gltf({.nodes = bomb + R"({"mesh":0})"}), "more than");
  refused(std::string(100000, '['), "not a JSON object");
}

TEST(Gltf, DamageIsReadOrRefused) {
  const std::string good = gltf({.nodes = R"({"children":[1],"translation":[0,3,0]},{"mesh":0,"rotation":[0,0,0,1]})"});
  expect_damage_is_read_or_refused(good, MeshFormat::kGltf, "part.gltf");
  expect_damage_is_read_or_refused(glb(gltf({.uri = ""}), square_bytes()), MeshFormat::kGltf, "part.glb");
}

}  // namespace
}  // namespace stickslip
