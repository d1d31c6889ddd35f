#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stickslip/math/pose.h"
#include "stickslip/scene/xml.h"

// SDF keeps its values between tags: these read the text of the child `name`, strictly, and give the fallback (or
// nothing) where there is no such child or it is empty.
namespace stickslip::sdf {

inline const std::string kModelFrame = "__model__";  // the name of every model's own frame within it

std::optional<std::string> text_in(const XmlElement& parent, std::string_view name);
std::string text_in(const XmlElement& parent, std::string_view name, std::string_view fallback);
std::optional<double> number_in(const XmlElement& parent, std::string_view name);
double number_in(const XmlElement& parent, std::string_view name, double fallback);
// "inf" and "-inf" are allowed, and what SDF means by no limit, 1e16 and more.
double bound_in(const XmlElement& parent, std::string_view name, double fallback);
std::optional<Vector3d> vector_in(const XmlElement& parent, std::string_view name);
bool flag_in(const XmlElement& parent, std::string_view name, bool fallback);  // true, false, 1 or 0
// The last element of a path "surface/friction/ode", or null.
const XmlElement* find_path(const XmlElement& element, std::string_view path);

// The attribute "version" as 100 times the first number plus the second: 110 is newer than 109. 0 if there is none.
int version_of(const XmlElement& element);

// A <pose>, with the frame it is relative to; empty: the default of its place.
struct RawPose {
  Pose pose;
  std::string relative_to;
  Location where;
};
RawPose pose_in(const XmlElement& parent);

}  // namespace stickslip::sdf
