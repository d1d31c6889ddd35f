#pragma once

#include <string>

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// The name of the scene's material with the contact parameters of a <geom>; made if it is the first with them.
std::string contact_material(Context& context, const MjcfElement& geom);
std::string contact_material(Context& context, const MjcfContact& contact, const Location& where);

// 1, 3, 4 or 6; torsional and rolling friction get a warning.
void check_condim(Context& context, int condim, const Location& where);
// A margin, less the gap that belongs to it, is a distance at which MuJoCo's contacts push already.
void check_margin(Context& context, const MjcfContact& contact, const Location& where);

}  // namespace stickslip::mjcf
