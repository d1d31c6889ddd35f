#include "stickslip/base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace stickslip {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int, 256> digit_values() {
  std::array<int, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < kDigits.size(); ++i) values[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
  return values;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  static constexpr std::array<int, 256> values = digit_values();
  if (text.size() % 4 != 0) return {};
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    const size_t count = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t bits = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int value = k < count ? values[static_cast<unsigned char>(text[i + k])] : 0;
      if (value < 0) return {};
      bits = bits << 6 | static_cast<std::uint32_t>(value);
    }
    for (size_t k = 0; k + 1 < count; ++k) out += static_cast<char>(bits >> (16 - 8 * k) & 255);
  }
  return out;
}

}  // namespace stickslip
