#include "stickslip/convert/xml_text.h"

#include <algorithm>

#include "stickslip/convert/exact_text.h"

namespace stickslip::convert {

void set_text(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(value.c_str());
}

void set_number(pugi::xml_node node, const char* attribute, double x, double fallback) {
  if (x != fallback) set_text(node, attribute, number_text(x));
}

void set_numbers(pugi::xml_node node, const char* attribute, const double* x, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += ' ';
    text += number_text(x[i]);
  }
  set_text(node, attribute, text);
}

void set_pose(pugi::xml_node node, const Pose& pose) {
  if (!pose.position.isZero(0)) set_vector(node, "pos", pose.position);
  const Quaterniond q = stable_quaternion(pose.rotation);
  if (!q.vec().isZero(0)) set_numbers(node, "quat", {q.w(), q.x(), q.y(), q.z()});
}

void set_range(pugi::xml_node node, const char* attribute, const Range& range) {
  constexpr double kFarOut = 1e10;  // mjMAXVAL
  if (!range.bounded()) return;
  set_numbers(node, attribute, {std::max(range.lower, -kFarOut), std::min(range.upper, kFarOut)});
}

}  // namespace stickslip::convert
