#pragma once

#include <string>
#include <vector>

#include "stickslip/stickslip.h"

namespace stickslip::cli {

// Something that a simulation takes as it is not written, for --repair.
struct Assumption {
  std::string code;
  Location where;
  std::string message;
};

// What `stickslip check` found out about a file.
struct Checked {
  Model model;
  std::vector<Warning> warnings;  // of reading, and of what can collide
  std::vector<Assumption> assumptions;
};

// Throws ModelError, also for what only a simulation would refuse.
Checked check_model(Model model);

std::string as_text(const Checked& checked, bool with_assumptions);
std::string as_json(const Checked& checked, bool with_assumptions);
std::string as_json(const ModelError& error);

const char* shape_name(const Shape& shape);  // "box"
// Principal moments about the centre of mass, ascending [kg m^2].
Vector3d moments_of(const BodyInfo& body);

}  // namespace stickslip::cli
