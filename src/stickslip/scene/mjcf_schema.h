#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// Goes through all elements and attributes: a word that is not MJCF is an error with the word that was likely meant; a
// word that means something for physics which has no counterpart here gets a warning.
void check_words(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
