#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "stickslip/simulate/report.h"

namespace stickslip {

// As `stickslip run --json` prints it, and back. What a report cannot be made of is std::invalid_argument.
nlohmann::ordered_json to_json(const Report& report);
nlohmann::ordered_json to_json(const Warning& warning);
std::string report_to_text(const Report& report);  // whatever bytes the names in it are made of
Report report_from_json(const std::string& text);

}  // namespace stickslip
