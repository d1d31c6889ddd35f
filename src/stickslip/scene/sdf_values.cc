#include "stickslip/scene/sdf_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stickslip::sdf {
namespace {

constexpr double kNoLimit = 1e16;  // SDF's default of limits before it had inf

std::string describe(const XmlElement& element) { return fmt::format("<{}>", element.name); }

const XmlElement* filled(const XmlElement& parent, std::string_view name) {
  const XmlElement* child = parent.child(name);
  return child && !split_words(child->content.value).empty() ? child : nullptr;
}

[[noreturn]] void refuse_count(const XmlElement& element, std::size_t count, std::string_view expected) {
  throw ModelError("wrong-count", element.content_where(),
                   fmt::format("<{}> has {} numbers; expected {}", element.name, count, expected),
                   element.content.value, fmt::format("write {} numbers parted by blanks", expected));
}

bool has_flag(const XmlElement& element, std::string_view attribute) {
  const std::string word = element.text(attribute, "false");
  return word == "true" || word == "1";
}

Matrix3d rotation_from_rpy(const Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
      .toRotationMatrix();
}

Pose pose_from(const XmlElement& element) {
  const std::vector<double> x = parse_numbers(element.content.value, element.content_where(), describe(element));
  if (x.empty()) return {};
  const std::string format = element.text("rotation_format", "euler_rpy");
  const Vector3d position(x[0], x.size() > 1 ? x[1] : 0, x.size() > 2 ? x[2] : 0);
  if (format == "quat_xyzw") {
    if (x.size() != 7) refuse_count(element, x.size(), "7 (x y z, then a quaternion x y z w)");
    const Quaterniond q(x[6], x[3], x[4], x[5]);
    if (q.norm() > 0) return Pose::from_quaternion(q, position);
    throw ModelError("bad-rotation", element.content_where(), "the quaternion of a <pose> is zero",
                     element.content.value, "write 0 0 0 1 for no rotation");
  }
  if (format != "euler_rpy") {
    throw ModelError("bad-keyword", element.where("rotation_format"),
                     "rotation_format is neither euler_rpy nor quat_xyzw", format, "write euler_rpy or quat_xyzw");
  }
  if (x.size() != 6) refuse_count(element, x.size(), "6 (x y z roll pitch yaw)");
  const double unit = has_flag(element, "degrees") ? std::numbers::pi / 180 : 1;
  return {rotation_from_rpy(unit * Vector3d(x[3], x[4], x[5])), position};
}

}  // namespace

std::optional<std::string> text_in(const XmlElement& parent, std::string_view name) {
  const XmlElement* child = filled(parent, name);
  if (!child) return {};
  const std::string& value = child->content.value;
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  return value.substr(first, value.find_last_not_of(" \t\r\n") - first + 1);
}

std::string text_in(const XmlElement& parent, std::string_view name, std::string_view fallback) {
  return text_in(parent, name).value_or(std::string(fallback));
}

std::optional<double> number_in(const XmlElement& parent, std::string_view name) {
  const XmlElement* child = filled(parent, name);
  if (!child) return {};
  return parse_number(child->content.value, child->content_where(), describe(*child));
}

double number_in(const XmlElement& parent, std::string_view name, double fallback) {
  return number_in(parent, name).value_or(fallback);
}

double bound_in(const XmlElement& parent, std::string_view name, double fallback) {
  const std::optional<std::string> word = text_in(parent, name);
  if (!word) return fallback;
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  if (*word == "inf" || *word == "+inf") return kUnbounded;
  if (*word == "-inf") return -kUnbounded;
  const double value = *number_in(parent, name);
  return std::abs(value) >= kNoLimit ? std::copysign(kUnbounded, value) : value;
}

std::optional<Vector3d> vector_in(const XmlElement& parent, std::string_view name) {
  const XmlElement* child = filled(parent, name);
  if (!child) return {};
  const std::vector<double> x = parse_numbers(child->content.value, child->content_where(), describe(*child));
  if (x.size() != 3) refuse_count(*child, x.size(), "3");
  return Vector3d(x[0], x[1], x[2]);
}

bool flag_in(const XmlElement& parent, std::string_view name, bool fallback) {
  const std::optional<std::string> word = text_in(parent, name);
  if (!word) return fallback;
  if (*word == "true" || *word == "1" || *word == "True") return true;
  if (*word == "false" || *word == "0" || *word == "False") return false;
  throw ModelError("bad-keyword", parent.child(name)->content_where(), fmt::format("<{}> is not true or false", name),
                   *word, "write true or false");
}

const XmlElement* find_path(const XmlElement& element, std::string_view path) {
  const XmlElement* at = &element;
  while (at && !path.empty()) {
    const std::size_t slash = path.find('/');
    at = at->child(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return at;
}

int version_of(const XmlElement& element) {
  const std::string text = element.text("version", "");
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return 0;
  const auto part = [&](std::size_t first, std::size_t end) {
    const Location where = element.where("version");
    const int number = parse_integer(text.substr(first, end - first), where, "the version");
    if (number < 0 || number > 99)
      throw ModelError("bad-number", where, "the version is none of SDFormat", text, "write one from 1.4 to 1.12");
    return number;
  };
  return 100 * part(0, point) + part(point + 1, std::min(text.find('.', point + 1), text.size()));
}

RawPose pose_in(const XmlElement& parent) {
  const XmlElement* element = parent.child("pose");
  if (!element) return {{}, "", parent.where()};
  // SDF 1.5 and 1.6 called the attribute frame.
  const std::string frame = element->text("relative_to", element->text("frame", ""));
  return {pose_from(*element), frame, element->where()};
}

}  // namespace stickslip::sdf
