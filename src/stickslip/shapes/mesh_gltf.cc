#include <fmt/format.h>

#include <map>
#include <set>

#include "stickslip/shapes/gltf_file.h"
#include "stickslip/shapes/gltf_materials.h"
#include "stickslip/shapes/mesh_assembly.h"
#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

using Eigen::Affine3d;
using Json = GltfFile::Json;

enum Mode : std::size_t { kTriangles = 4, kStrip = 5, kFan = 6 };

struct ColoredPiece {
  MeshPiece piece;
  std::vector<std::optional<Color>> colors;
};

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const std::string& file) : file_(bytes, file), materials_(file_), out_(file) {}

  Mesh read() {
    Affine3d up = Affine3d::Identity();  // y becomes z
    up.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    for (const std::size_t node : find_roots()) read_node(node, up, 0);
    return out_.finish();
  }

 private:
  // Of the scene to be shown; without scenes, nodes that are nobody's children.
  std::vector<std::size_t> find_roots() const {
    std::vector<std::size_t> out;
    if (!file_.list(file_.root(), "scenes").empty()) {
      const Json& scene = file_.element("scenes", file_.size(file_.root(), "scene", 0));
      for (const Json& node : file_.list(scene, "nodes")) out.push_back(file_.whole_number(node, "nodes"));
      return out;
    }
    const Json& nodes = file_.list(file_.root(), "nodes");
    std::set<std::size_t> children;
    for (const Json& node : nodes) {
      for (const Json& child : file_.list(node, "children")) children.insert(file_.whole_number(child, "children"));
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!children.contains(i)) out.push_back(i);
    }
    return out;
  }

  Affine3d read_place(const Json& node) const {
    Affine3d out = Affine3d::Identity();
    if (!GltfFile::member(node, "matrix").is_null()) {
      const std::vector<double> x = file_.numbers(node, "matrix", std::vector<double>(16));
      out.matrix() = Eigen::Map<const Eigen::Matrix4d>(x.data());  // column by column
      out.makeAffine();
      return out;
    }
    const std::vector<double> t = file_.numbers(node, "translation", {0, 0, 0});
    const std::vector<double> r = file_.numbers(node, "rotation", {0, 0, 0, 1});  // x, y, z, w
    const std::vector<double> s = file_.numbers(node, "scale", {1, 1, 1});
    const Quaterniond rotation(r[3], r[0], r[1], r[2]);
    if (!(rotation.norm() > 0)) file_.refuse("the rotation of a node is no quaternion");
    out.translate(Vector3d(t[0], t[1], t[2])).rotate(rotation.normalized()).scale(Vector3d(s[0], s[1], s[2]));
    return out;
  }

  void read_node(std::size_t index, const Affine3d& around, int depth) {
    const Json& node = file_.element("nodes", index);
    const Json& children = file_.list(node, "children");
    out_.enter_node(depth, children.size());
    const Affine3d place = around * read_place(node);
    if (const std::optional<std::size_t> mesh = file_.index(node, "mesh")) {
      const auto [entry, is_new] = pieces_.try_emplace(*mesh);
      if (is_new) entry->second = read_piece(file_.element("meshes", *mesh));
      const Json& name = GltfFile::member(node, "name");
      out_.add(entry->second.piece, name.is_string() ? name.get<std::string>() : "", place, entry->second.colors);
    }
    for (const Json& child : children) read_node(file_.whole_number(child, "children"), place, depth + 1);
  }

  ColoredPiece read_piece(const Json& mesh) {
    ColoredPiece out;
    std::map<std::size_t, std::size_t> first_vertex;  // by accessor: primitives often share their vertices
    for (const Json& primitive : file_.list(mesh, "primitives")) {
      const std::size_t mode = file_.size(primitive, "mode", kTriangles);
      const auto position = file_.index(GltfFile::member(primitive, "attributes"), "POSITION");
      if (!position || mode < kTriangles || mode > kFan) continue;  // points and lines
      const auto [entry, is_new] = first_vertex.try_emplace(*position, out.piece.vertices.size());
      if (is_new) {
        const std::vector<Vector3d> vertices = file_.positions(*position);
        count(vertices.size());
        out.piece.vertices.insert(out.piece.vertices.end(), vertices.begin(), vertices.end());
        vertex_count_[*position] = vertices.size();
      }
      const std::size_t before = out.piece.triangles.size();
      add_triangles(mode, read_corners(primitive, entry->second, vertex_count_[*position]), out.piece);
      if (out.piece.triangles.size() == before) continue;
      out.piece.groups.push_back({before, ""});
      const std::optional<std::size_t> material = file_.index(primitive, "material");
      out.colors.push_back(material ? std::optional(materials_.color_of(*material)) : std::nullopt);
    }
    drop_unused_vertices(out.piece);
    return out;
  }

  std::vector<int> read_corners(const Json& primitive, std::size_t first, std::size_t vertices) {
    std::vector<int> out;
    if (const std::optional<std::size_t> accessor = file_.index(primitive, "indices")) {
      for (const std::uint32_t index : file_.indices(*accessor)) {
        if (index >= vertices) file_.refuse(fmt::format("index {} is not among the {} vertices", index, vertices));
        out.push_back(static_cast<int>(first + index));
      }
    } else {
      for (std::size_t i = 0; i < vertices; ++i) out.push_back(static_cast<int>(first + i));
    }
    count(out.size());
    return out;
  }

  static void add_triangles(std::size_t mode, const std::vector<int>& corners, MeshPiece& piece) {
    const std::size_t step = mode == kTriangles ? 3 : 1;
    for (std::size_t i = 2; i < corners.size(); i += step) {
      // In a strip every second triangle is listed the other way round.
      const std::size_t odd = mode == kStrip ? i % 2 : 0;
      const int first = mode == kFan ? corners[0] : corners[i - 2 + odd];
      piece.triangles.push_back({first, corners[i - 1 - odd], corners[i]});
    }
  }

  // Primitives may name the same numbers over and over.
  void count(std::size_t numbers) {
    constexpr std::size_t kMostNumbers = 6 * MeshAssembly::kMostTriangles;
    numbers_read_ += numbers;
    if (numbers_read_ > kMostNumbers) file_.refuse("its meshes have too many vertices and indices together");
  }

  GltfFile file_;
  GltfMaterials materials_;
  MeshAssembly out_;
  std::map<std::size_t, ColoredPiece> pieces_;       // by mesh
  std::map<std::size_t, std::size_t> vertex_count_;  // by accessor
  std::size_t numbers_read_ = 0;
};

}  // namespace

Mesh parse_gltf(std::string_view bytes, const std::string& file) { return GltfReader(bytes, file).read(); }

}  // namespace stickslip
