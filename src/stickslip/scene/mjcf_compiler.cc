#include "stickslip/scene/mjcf_compiler.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "stickslip/base/names.h"
#include "stickslip/shapes/nearby.h"

namespace stickslip::mjcf {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code ignored;  // such as a name too long to exist
  return fs::exists(file, ignored);
}

void read_angles(const MjcfElement& element, Compiler& out) {
  out.degrees = element.keyword("angle", {"degree", "radian"}, out.degrees ? "degree" : "radian") == "degree";
  out.global = element.keyword("coordinate", {"local", "global"}, out.global ? "global" : "local") == "global";
  const std::optional<std::string> sequence = element.text("eulerseq");
  if (!sequence) return;
  const bool valid = sequence->size() == 3 && sequence->find_first_not_of("xyzXYZ") == std::string::npos;
  if (!valid) {
    throw ModelError("bad-eulerseq", element.where("eulerseq"), "eulerseq is not three letters of xyzXYZ", *sequence,
                     "write xyz for rotations about moving axes, XYZ for fixed axes");
  }
  out.euler_sequence = *sequence;
}

void read_inertia_rules(const MjcfElement& element, Compiler& out) {
  if (element.has("inertiafromgeom")) {
    const std::string word = element.keyword("inertiafromgeom", {"false", "true", "auto"}, "auto");
    out.inertia_from_geom = word == "true"    ? InertiaFromGeom::kTrue
                            : word == "false" ? InertiaFromGeom::kFalse
                                              : InertiaFromGeom::kAuto;
  }
  if (const auto groups = element.numbers("inertiagrouprange", 2, 2)) {
    out.first_inertia_group = static_cast<int>((*groups)[0]);
    out.last_inertia_group = static_cast<int>((*groups)[1]);
  }
  out.balance_inertia = element.flag("balanceinertia", out.balance_inertia);
  out.bound_mass = element.number("boundmass", out.bound_mass);
  out.bound_inertia = element.number("boundinertia", out.bound_inertia);
  out.total_mass = element.number("settotalmass", out.total_mass);
}

}  // namespace

Compiler read_compiler(const XmlElement& root, const std::string& folder,
                       const std::vector<std::string>& allowed_folders) {
  Compiler out;
  if (!root.is_in_memory()) out.main_file = *root.file;
  out.folder = folder;
  out.allowed_folders = allowed_folders;
  for (const XmlElement& child : root.children) {
    if (child.name != "compiler") continue;
    const MjcfElement element(child);
    read_angles(element, out);
    read_inertia_rules(element, out);
    out.autolimits = element.flag("autolimits", out.autolimits);
    out.strip_path = element.flag("strippath", out.strip_path);
    out.fit_bounding_box = element.flag("fitaabb", out.fit_bounding_box);
    if (const auto assets = element.text("assetdir"); assets && !element.has("meshdir")) out.mesh_folder = *assets;
    out.mesh_folder = element.text("meshdir", out.mesh_folder);
  }
  return out;
}

double Compiler::radians(double angle) const { return degrees ? angle * std::numbers::pi / 180 : angle; }

std::string Compiler::asset_path(const XmlElement& asset) const {
  const std::string name = asset.required_text("file");
  const fs::path path = with_slashes(name);
  fs::path file = (fs::path(folder) / mesh_folder / (strip_path ? path.filename() : path)).lexically_normal();
  const bool is_included = !asset.is_in_memory() && *asset.file != main_file;
  if (is_included && !strip_path && !is_there(file)) {
    const fs::path beside_includer = (fs::path(*asset.file).parent_path() / path).lexically_normal();
    if (is_there(beside_includer)) file = beside_includer;
  }
  if (!asset.is_in_memory()) require_nearby(file.string(), folder, allowed_folders, asset.where("file"), name);
  return file.string();
}

Matrix3d rotation_to_z(const Vector3d& direction) {
  const Vector3d z = direction.normalized();
  const Vector3d normal = Vector3d::UnitZ().cross(z);
  // Straight up or straight down: any axis across will do; x is MuJoCo's choice.
  constexpr double kParallel = 1e-10;
  const Vector3d axis = normal.norm() < kParallel ? Vector3d::UnitX() : Vector3d(normal.normalized());
  return Eigen::AngleAxisd(std::atan2(normal.norm(), z.z()), axis).toRotationMatrix();
}

Matrix3d rotation_from_euler(const Vector3d& angles, const Compiler& compiler) {
  Matrix3d out = Matrix3d::Identity();
  for (int k = 0; k < 3; ++k) {
    const char letter = compiler.euler_sequence[k];
    const bool moving = letter >= 'x';
    const Vector3d axis = Vector3d::Unit(letter - (moving ? 'x' : 'X'));
    const Matrix3d turn = Eigen::AngleAxisd(compiler.radians(angles[k]), axis).toRotationMatrix();
    out = moving ? Matrix3d(out * turn) : Matrix3d(turn * out);
  }
  return out;
}

Matrix3d read_rotation(const MjcfElement& element, const Compiler& compiler) {
  const auto refuse_zero = [&element](std::string_view attribute) {
    throw ModelError("bad-orientation", element.where(attribute),
                     fmt::format("'{}' of <{}> has a direction of length zero", attribute, element.own().name),
                     element.text(attribute, ""), "give a vector that is not zero");
  };
  // An element's own orientation overrides its defaults', in whatever form either is written.
  const MjcfElement source = element.closest_with({"quat", "axisangle", "euler", "xyaxes", "zaxis"});
  if (const auto v = source.numbers("axisangle", 4, 4)) {
    const Vector3d axis((*v)[0], (*v)[1], (*v)[2]);
    if (axis.isZero(0)) refuse_zero("axisangle");
    return Eigen::AngleAxisd(compiler.radians((*v)[3]), axis.normalized()).toRotationMatrix();
  }
  if (const auto v = source.vector3("euler")) return rotation_from_euler(*v, compiler);
  if (const auto v = source.numbers("xyaxes", 6, 6)) {
    const Vector3d x = Vector3d((*v)[0], (*v)[1], (*v)[2]).normalized();
    Vector3d y((*v)[3], (*v)[4], (*v)[5]);
    y -= x * x.dot(y);
    if (x.isZero(0) || y.isZero(0)) refuse_zero("xyaxes");
    y.normalize();
    return (Matrix3d() << x, y, x.cross(y)).finished();
  }
  if (const auto v = source.vector3("zaxis")) {
    if (v->isZero(0)) refuse_zero("zaxis");
    return rotation_to_z(*v);
  }
  if (const auto v = source.numbers("quat", 4, 4)) {
    const Quaterniond q((*v)[0], (*v)[1], (*v)[2], (*v)[3]);
    if (q.coeffs().isZero(0)) refuse_zero("quat");
    return q.normalized().toRotationMatrix();
  }
  return Matrix3d::Identity();
}

Pose read_pose(const MjcfElement& element, const Compiler& compiler) {
  return {read_rotation(element, compiler), element.vector3("pos", Vector3d::Zero())};
}

}  // namespace stickslip::mjcf
