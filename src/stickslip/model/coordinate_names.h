#pragma once

#include <string>
#include <vector>

#include "stickslip/model/model.h"

namespace stickslip {

// What each number of q and of v is called: "elbow.q", "ball.x", "ball.qw", "ball.vx", "ball.wz".
std::vector<std::string> position_names(const Model& model);  // nq
std::vector<std::string> velocity_names(const Model& model);  // nv

}  // namespace stickslip
