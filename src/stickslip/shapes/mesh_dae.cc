#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <unordered_map>

#include "stickslip/shapes/dae_file.h"
#include "stickslip/shapes/dae_geometry.h"
#include "stickslip/shapes/dae_materials.h"
#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

using Eigen::Affine3d;

class DaeReader {
 public:
  DaeReader(std::string_view bytes, const std::string& file) : file_(bytes, file), materials_(file_), out_(file) {}

  Mesh read() {
    const pugi::xml_node instance = file_.root().child("scene").child("instance_visual_scene");
    pugi::xml_node scene = file_.find(instance.attribute("url").value(), "visual_scene");
    if (!scene) scene = file_.root().child("library_visual_scenes").child("visual_scene");
    if (!scene) file_.refuse(file_.root(), "the file has no <visual_scene>");
    const Affine3d unit(Eigen::Scaling(read_unit()));
    for (pugi::xml_node node : scene.children("node")) read_node(node, unit, 0);
    Mesh mesh = out_.finish();
    mesh.up = read_up();
    return mesh;
  }

 private:
  int read_up() const {
    const std::string_view word = file_.root().child("asset").child("up_axis").text().get();
    return word == "X_UP" ? 0 : word == "Y_UP" ? 1 : 2;
  }

  double read_unit() const {
    const pugi::xml_attribute meter = file_.root().child("asset").child("unit").attribute("meter");
    const double unit = meter.as_double(1);
    if (unit > 0 && std::isfinite(unit)) return unit;
    file_.refuse(file_.root().child("asset"), "the unit of length is not positive", meter.value());
  }

  // Only what shapes are placed by: <lookat> is for cameras, and <skew> for nobody.
  Affine3d read_transform(pugi::xml_node element) const {
    const std::string_view kind = element.name();
    Affine3d out = Affine3d::Identity();
    if (kind == "matrix" || kind == "bind_shape_matrix") {
      const std::vector<double> x = file_.numbers(element, 16);
      out.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(x.data());
      out.makeAffine();
    } else if (kind == "translate" || kind == "scale") {
      const std::vector<double> x = file_.numbers(element, 3);
      const Vector3d v(x[0], x[1], x[2]);
      out = kind == "scale" ? Affine3d(Eigen::Scaling(v)) : Affine3d(Eigen::Translation3d(v));
    } else if (kind == "rotate") {
      const std::vector<double> x = file_.numbers(element, 4);
      const Vector3d axis(x[0], x[1], x[2]);
      if (axis.norm() > 0) out.rotate(Eigen::AngleAxisd(x[3] * std::numbers::pi / 180, axis.normalized()));
    }
    return out;
  }

  const Affine3d& local_place(pugi::xml_node node) {
    const auto [entry, is_new] = places_.try_emplace(node.internal_object(), Affine3d::Identity());
    if (is_new) {
      for (pugi::xml_node child : node.children()) entry->second = entry->second * read_transform(child);
    }
    return entry->second;
  }

  void read_node(pugi::xml_node node, const Affine3d& around, int depth) {
    out_.enter_node(depth, static_cast<std::size_t>(std::distance(node.begin(), node.end())));
    const Affine3d place = around * local_place(node);
    for (pugi::xml_node child : node.children()) {
      const std::string_view kind = child.name();
      if (kind == "node") read_node(child, place, depth + 1);
      if (kind == "instance_geometry" || kind == "instance_controller") show(child, name_of(node), place);
      if (kind != "instance_node") continue;
      const pugi::xml_node other = file_.find(child.attribute("url").value(), "node");
      if (!other) file_.refuse(child, "there is no such node", child.attribute("url").value());
      read_node(other, place, depth + 1);
    }
  }

  static std::string name_of(pugi::xml_node node) {
    const pugi::xml_attribute name = node.attribute("name");
    return name ? name.value() : node.attribute("id").value();
  }

  void show(pugi::xml_node instance, const std::string& name, const Affine3d& place) {
    const auto [entry, is_new] = shown_.try_emplace(instance.internal_object());
    if (is_new) entry->second = find_shown(instance);
    const Shown& shown = entry->second;
    if (shown.piece) out_.add(*shown.piece, name, place * shown.place, shown.colors);
  }

  // An <instance_geometry>, or an <instance_controller>: a skin, as it was bound to its bones.
  struct Shown {
    const MeshPiece* piece = nullptr;
    Affine3d place = Affine3d::Identity();
    std::vector<std::optional<Color>> colors;
  };

  Shown find_shown(pugi::xml_node instance) {
    Shown out;
    std::string url = instance.attribute("url").value();
    if (std::string_view(instance.name()) == "instance_controller") {
      const pugi::xml_node skin = file_.find(url, "controller").child("skin");
      if (!skin) return out;  // a morph
      url = skin.attribute("source").value();
      out.place = read_transform(skin.child("bind_shape_matrix"));
    }
    const pugi::xml_node geometry = file_.find(url, "geometry");
    if (!geometry) file_.refuse(instance, "there is no such geometry", url);
    const auto [entry, is_new] = pieces_.try_emplace(geometry.internal_object());
    if (is_new) entry->second = read_dae_geometry(file_, geometry);
    out.piece = &entry->second;
    out.colors = find_colors(instance, entry->second);
    return out;
  }

  std::vector<std::optional<Color>> find_colors(pugi::xml_node instance, const MeshPiece& piece) {
    std::map<std::string, std::string> bound;
    const pugi::xml_node materials = instance.child("bind_material").child("technique_common");
    for (pugi::xml_node material : materials.children("instance_material")) {
      bound.emplace(material.attribute("symbol").value(), material.attribute("target").value());
    }
    std::vector<std::optional<Color>> out;
    for (const MeshPiece::Group& group : piece.groups) {
      const auto found = bound.find(group.material);
      // Some exporters forget to bind.
      out.push_back(materials_.color_of(found != bound.end() ? found->second : "#" + group.material));
    }
    return out;
  }

  DaeFile file_;
  DaeMaterials materials_;
  MeshAssembly out_;
  // By element: what is shown many times is read once.
  std::unordered_map<const void*, Affine3d> places_;
  std::unordered_map<const void*, MeshPiece> pieces_;
  std::unordered_map<const void*, Shown> shown_;
};

}  // namespace

Mesh parse_dae(std::string_view bytes, const std::string& file) { return DaeReader(bytes, file).read(); }

}  // namespace stickslip
