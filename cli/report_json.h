#pragma once

#include <nlohmann/json.hpp>

#include "stickslip/stickslip.h"

namespace stickslip::cli {

nlohmann::ordered_json to_json(const Report& report);
nlohmann::ordered_json to_json(const Warning& warning);

}  // namespace stickslip::cli
