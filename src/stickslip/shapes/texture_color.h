#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace stickslip {

// A picture is drawn as its mean colour, red, green and blue from 0 to 1. Nothing for pictures other than PNG, and for
// those that are missing or damaged: colours are for the eye alone, and no reason to refuse a mesh.
std::optional<std::array<double, 3>> texture_color(std::string_view bytes);

// The file that a URI in the file `beside` means: relative to its folder, with escapes such as %20.
std::string resolve_beside(std::string_view uri, const std::string& beside);

// Pictures that the file `beside` names, each read once.
class TextureColors {
 public:
  explicit TextureColors(std::string beside) : beside_(std::move(beside)) {}
  std::optional<std::array<double, 3>> color_of(const std::string& uri);

 private:
  std::string beside_;
  std::map<std::string, std::optional<std::array<double, 3>>> known_;  // by file
};

}  // namespace stickslip
