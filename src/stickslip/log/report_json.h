#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "stickslip/simulate/report.h"

namespace stickslip {

// As `stickslip run --json` prints it, and back. What a report cannot be made of is std::invalid_argument.
nlohmann::ordered_json to_json(const Report& report);
nlohmann::ordered_json to_json(const Warning& warning);
Report report_from_json(const std::string& text);

}  // namespace stickslip
