#pragma once

#include <vector>

#include "stickslip/scene/xml.h"

namespace stickslip::sdf {

// What <include merge="true"> adds to the model around it: the links, joints and frames of the included model, and a
// frame in place of its own, which they are relative to.
std::vector<XmlElement> merged(XmlElement model);

}  // namespace stickslip::sdf
