#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "stickslip/math/pose.h"
#include "stickslip/scene/scene.h"

// Attributes whose numbers read back as the same doubles.
namespace stickslip::convert {

void set_text(pugi::xml_node node, const char* attribute, const std::string& value);
void set_number(pugi::xml_node node, const char* attribute, double x, double fallback);
void set_numbers(pugi::xml_node node, const char* attribute, const double* x, size_t count);
inline void set_numbers(pugi::xml_node node, const char* attribute, const std::vector<double>& x) {
  set_numbers(node, attribute, x.data(), x.size());
}
inline void set_vector(pugi::xml_node node, const char* attribute, const Vector3d& x) {
  set_numbers(node, attribute, x.data(), 3);
}
void set_pose(pugi::xml_node node, const Pose& pose);  // pos and quat, unless they say nothing
// MuJoCo's ranges have two ends: an open one stands far out. Without bounds: nothing.
void set_range(pugi::xml_node node, const char* attribute, const Range& range);

}  // namespace stickslip::convert
