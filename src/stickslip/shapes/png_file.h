#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

struct GrayImage {
  int rows = 0;
  int columns = 0;
  std::vector<std::uint8_t> values;  // rows x columns, row 0 at the top
};

// The first channel of a PNG file: grey, or red where there are colours. Of 16 bits the upper 8 are kept. `file` is
// used in errors only: ModelError "bad-png".
GrayImage parse_png(std::string_view bytes, const std::string& file);

// The mean of red, green and blue over a PNG file, from 0 to 1.
std::array<double, 3> mean_color_of_png(std::string_view bytes, const std::string& file);

}  // namespace stickslip
