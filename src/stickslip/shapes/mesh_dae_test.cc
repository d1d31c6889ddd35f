#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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

// Four corners of a unit square, and the middle of nothing.
const std::string kSource =
    "<source id='s'><float_array id='a' count='15'>0 0 0 1 0 0 1 1 0 0 1 0 9 9 9</float_array><technique_common>"
    "<accessor source='#a' count='5' stride='3'><param name='X'/><param name='Y'/><param name='Z'/></accessor>"
    "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices>";
const std::string kInput = "<input semantic='VERTEX' source='#v' offset='0'/>";
const std::string kTriangle = "<triangles material='paint'>" + kInput + "<p>0 1 2</p></triangles>";

std::string dae(const std::string& primitives, const std::string& nodes, const std::string& more = "") {
  return "<?xml version='1.0'?>\n<COLLADA>" + more + "<library_geometries><geometry id='g'><mesh>" + kSource +
         primitives + "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='scene'>" +
         nodes +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#scene'/></scene></COLLADA>";
}

const std::string kShown = "<node><instance_geometry url='#g'/></node>";

Mesh read(const std::string& text) { return parse_mesh(text, MeshFormat::kDae, "part.bin"); }
Mesh read_primitives(const std::string& primitives) { return read(dae(primitives, kShown)); }

void refused(const std::string& text, const std::string& words) { expect_mesh_refused(text, MeshFormat::kDae, words); }

TEST(Dae, TrianglesHaveOnlyTheirVertices) {
  const Mesh mesh = read_primitives(kTriangle);
  EXPECT_EQ(mesh.vertices, (std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_TRUE(mesh.parts.empty());
}

// Corners carry indices of normals and textures as well; only those of vertices count.
TEST(Dae, CornersMayHaveSeveralIndices) {
  const Mesh mesh = read_primitives(
      "<triangles><input semantic='NORMAL' source='#n' offset='0'/><input semantic='VERTEX' source='#v' offset='1'/>"
      "<input semantic='TEXCOORD' source='#t' offset='2'/><p>7 3 7 8 0 8 9 2 9</p><p>7 0 7 8 1 8 9 2 "
      "9</p></triangles>");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
  EXPECT_EQ(mesh.vertices[0], Vector3d(0, 1, 0));
}

TEST(Dae, PolygonsFansAndStripsAreCutIntoTriangles) {
  const std::vector<Triangle> square{{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(read_primitives("<polylist>" + kInput + "<vcount>4 2</vcount><p>0 1 2 3 0 1</p></polylist>").triangles,
            square);
  EXPECT_EQ(read_primitives("<polygons>" + kInput + "<p>0 1 2 3</p></polygons>").triangles, square);
  EXPECT_EQ(read_primitives("<polygons>" + kInput + "<ph><p>0 1 2 3</p><h>1 2 3</h></ph></polygons>").triangles,
            square);
  EXPECT_EQ(read_primitives("<trifans>" + kInput + "<p>0 1 2 3</p></trifans>").triangles, square);
  EXPECT_EQ(read_primitives("<tristrips>" + kInput + "<p>0 1 3 2</p></tristrips>").triangles,
            (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}}));
  EXPECT_EQ(read_primitives("<lines>" + kInput + "<p>0 4</p></lines>" + kTriangle).vertices.size(), 3u);
}

TEST(Dae, AccessorsMayHaveMoreThanThreeNumbersAVertex) {
  const Mesh mesh = read(
      "<COLLADA><library_geometries><geometry id='g'><mesh><source id='s'><float_array>-1 7 1 2 3 7 4 5 6 7 7 8 9"
      "</float_array><technique_common><accessor offset='1' stride='4'><param/><param name='X'/><param name='Y'/>"
      "<param name='Z'/></accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
      "source='#s'/></vertices>" +
      kTriangle + "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene>" + kShown +
      "</visual_scene></library_visual_scenes></COLLADA>");
  EXPECT_EQ(mesh.vertices, (std::vector<Vector3d>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
}

// Transforms act in the order in which they are written, the last one first, and inner nodes within outer ones.
TEST(Dae, NodesPlaceWhatTheyShow) {
  const Mesh mesh = read(dae(kTriangle,
                             "<node><translate>0 0 5</translate><rotate>0 0 1 90</rotate><node><scale>2 3 4</scale>"
                             "<matrix>1 0 0 1  0 1 0 0  0 0 1 0  0 0 0 1</matrix><instance_geometry url='#g'/></node>"
                             "</node>"));
  const std::vector<Vector3d> expected{{0, 2, 5}, {0, 4, 5}, {-3, 4, 5}};
  for (size_t i = 0; i < 3; ++i) EXPECT_LT((mesh.vertices[i] - expected[i]).norm(), 1e-15);
}

TEST(Dae, MirroredNodesKeepTheOutsideOutside) {
  const Mesh mesh = read(dae(kTriangle, "<node><scale>1 1 -1</scale><instance_geometry url='#g'/></node>"));
  EXPECT_EQ(mesh.triangles[0], (Triangle{0, 2, 1}));
}

TEST(Dae, NodesAndSkinsMayBeInstances) {
  const Mesh mesh =
      read(dae(kTriangle, "<node><instance_node url='#n'/><instance_controller url='#c'/></node>",
               "<library_nodes><node id='n'><instance_geometry url='#g'/></node></library_nodes>"
               "<library_controllers><controller id='c'><skin source='#g'><bind_shape_matrix>1 0 0 0  0 1 "
               "0 0  0 0 1 8  0 0 0 1</bind_shape_matrix></skin></controller></library_controllers>"));
  ASSERT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.vertices[2], Vector3d(1, 1, 0));
  EXPECT_EQ(mesh.vertices[5], Vector3d(1, 1, 8));
}

// Robots are drawn for RViz and Gazebo, which scale by the unit and do not turn by the axis.
TEST(Dae, TheUnitScalesAndTheUpAxisDoesNotTurn) {
  for (const char* axis : {"X_UP", "Y_UP", "Z_UP"}) {
    const Mesh mesh =
        read(dae(kTriangle, kShown,
                 std::string("<asset><unit name='inch' meter='0.0254'/><up_axis>") + axis + "</up_axis></asset>"));
    EXPECT_EQ(mesh.vertices[2], Vector3d(0.0254, 0.0254, 0));
    EXPECT_EQ(mesh.up, axis[0] - 'X');
  }
}

std::string material(const std::string& shader, const std::string& parameters = "") {
  return "<library_images><image id='i'><init_from>my%20picture.png</init_from></image></library_images>"
         "<library_effects><effect id='e'><profile_COMMON>" +
         parameters + "<technique><lambert>" + shader +
         "</lambert></technique></profile_COMMON></effect></library_effects><library_materials><material id='m'>"
         "<instance_effect url='#e'/></material></library_materials>";
}
const std::string kBound =
    "<node><instance_geometry url='#g'><bind_material><technique_common><instance_material symbol='paint' target='#m'/>"
    "</technique_common></bind_material></instance_geometry></node>";

std::array<double, 4> color_of(const std::string& materials) {
  const Mesh mesh = read(dae(kTriangle, kBound, materials));
  return mesh.parts.size() == 1 ? mesh.parts[0].color : std::array<double, 4>{};
}

TEST(Dae, MaterialsAreDiffuseColors) {
  EXPECT_THAT(color_of(material("<diffuse><color>0.1 0.2 2 0.5</color></diffuse>")), ElementsAre(0.1, 0.2, 1, 1));
  EXPECT_THAT(color_of(material("<diffuse/>")), ElementsAre(0, 0, 0, 0));
  const std::string red = "<diffuse><color>1 0 0 1</color></diffuse>";
  const auto opacity = [&](const std::string& more) { return color_of(material(red + more))[3]; };
  EXPECT_EQ(opacity("<transparency><float>0.25</float></transparency>"), 0.25);
  EXPECT_EQ(opacity("<transparency><float>0</float></transparency>"), 1);
  EXPECT_EQ(opacity("<transparent opaque='A_ONE'><color>1 1 1 0.5</color></transparent>"), 0.5);
  EXPECT_NEAR(opacity("<transparent opaque='RGB_ZERO'><color>1 1 1 1</color></transparent><transparency><float>0.3"
                      "</float></transparency>"),
              0.7, 1e-12);
}

// Parts count triangles of the whole mesh; neighbours of one colour are one part.
TEST(Dae, PartsAreRangesOfTriangles) {
  const std::string other = "<triangles>" + kInput + "<p>0 2 3</p></triangles>";
  const Mesh mesh = read(dae(kTriangle + kTriangle + other + kTriangle, kBound + kBound,
                             material("<diffuse><color>1 0 0 1</color></diffuse>")));
  ASSERT_EQ(mesh.parts.size(), 3u);
  EXPECT_EQ(mesh.parts[0].count, 2);
  EXPECT_EQ(mesh.parts[1].first, 3);
  EXPECT_EQ(mesh.parts[1].count, 3);
  EXPECT_EQ(mesh.parts[2].first, 7);
}

TEST(Dae, PicturesAreTheirMeanColor) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "my picture.png", std::ios::binary) << kColorPng;
  const std::string texture = "<diffuse><texture texture='sampler'/></diffuse>";
  const std::string parameters =
      "<newparam sid='surface'><surface><init_from>i</init_from></surface></newparam>"
      "<newparam sid='sampler'><sampler2D><source>surface</source></sampler2D></newparam>";
  const std::string text = dae(kTriangle, kBound, material(texture, parameters));
  const Mesh mesh = parse_dae(text, (folder.path() / "a.dae").string());
  ASSERT_EQ(mesh.parts.size(), 1u);
  EXPECT_NEAR(mesh.parts[0].color[0], 25.0 / 255, 1e-12);
  EXPECT_THAT(color_of(material(texture, parameters)), ElementsAre(0.5, 0.5, 0.5, 1));  // no such picture
}

TEST(Dae, WrongFilesAreRefusedWithASentence) {
  refused("", "XML");
  refused("<COLLADA><a></COLLADA>", "not well-formed");
  refused("<X3D/>", "not a COLLADA");
  refused("<COLLADA/>", "no <visual_scene>");
  refused(dae(kTriangle, ""), "no vertices");
  refused(dae(kTriangle, "<node><instance_geometry url='#x'/></node>"), "no such geometry");
  refused(dae(kTriangle, "<node><instance_node url='other.dae#x'/></node>"), "no such node");
  refused(dae(kTriangle, kShown, "<asset><unit meter='-1'/></asset>"), "unit");
  refused(dae(kTriangle, "<node><matrix>1 2 3</matrix><instance_geometry url='#g'/></node>"), "3 numbers, not 16");
  refused(dae(kTriangle, "<node><scale>1e999 1 1</scale><instance_geometry url='#g'/></node>"), "not a finite number");
  const auto bad_list = [](const std::string& list) {
    return dae("<triangles>" + kInput + list + "</triangles>", kShown);
  };
  refused(bad_list("<p>0 1 5</p>"), "index 5 is not among the 5 vertices");
  refused(bad_list("<p>0 1 -1</p>"), "index -1");
  refused(bad_list("<p>0 1 99999999999999999999</p>"), "not a whole number");
  refused(bad_list("<p>0 1 x</p>"), "not a whole number");
  refused(bad_list("<p>0 1</p>"), "within a triangle");
  refused(dae("<triangles><p>0 1 2</p></triangles>", kShown), "no input of vertices");
  refused(dae("<polylist>" + kInput + "<vcount>3 4</vcount><p>0 1 2</p></polylist>", kShown), "more corners");
}

// A node within itself never ends, and nodes that show others twice, 60 deep, end after 2^60 visits.
TEST(Dae, EndlessAndHugeScenesAreRefused) {
  refused(dae(kTriangle, "<node id='n'><instance_node url='#n'/></node>"), "nested");
  std::string bomb;
  for (int i = 0; i < 60; ++i) {
    const std::string next = "<instance_node url='#n" + std::to_string(i + 1) + "'/>";
    bomb += "<node id='n" + std::to_string(i) + "'>" + next + next + "</node>";
  }
  const std::string end = "<node id='n60'>" + kShown + "</node>";
  refused(
      dae(kTriangle, "<node><instance_node url='#n0'/></node>", "<library_nodes>" + bomb + end + "</library_nodes>"),
      "more than");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<node>";
  refused(dae(kTriangle, deep), "XML");
}

TEST(Dae, DamageIsReadOrRefused) {
  const std::string good = dae(kTriangle + "<polylist>" + kInput + "<vcount>4</vcount><p>0 1 2 3</p></polylist>",
                               "<node><rotate>0 0 1 90</rotate>" + kBound + "</node>",
                               material("<diffuse><color>1 0 0 1</color></diffuse>"));
  expect_damage_is_read_or_refused(good, MeshFormat::kDae, "part.dae");
}

}  // namespace
}  // namespace stickslip
