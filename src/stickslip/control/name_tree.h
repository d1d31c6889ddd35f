#pragma once

#include <string>

#include "stickslip/model/model.h"

namespace stickslip {

// What a user calls a tree: its free body, or the body that its first joint moves.
const std::string& body_of_tree(const Model& model, int tree);

// ", on which constraint 'rope' and 2 more acts"; empty if none does.
std::string constraints_on(const Model& model, int tree);

}  // namespace stickslip
