#include "stickslip/base/printable.h"

#include <fmt/format.h>

namespace stickslip {
namespace {

constexpr char32_t kNone = 0xffffffff;

struct Character {
  char32_t code = kNone;  // none: the byte is no UTF-8
  size_t size = 1;        // [bytes]
};

unsigned char byte(char c) { return static_cast<unsigned char>(c); }

// Shortest forms alone, of which there is one for each character.
Character first_of(std::string_view text) {
  const unsigned char lead = byte(text[0]);
  if (lead < 0x80) return {lead, 1};
  const size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
  char32_t code = lead & (0x7fu >> size);
  for (size_t k = 1; k < size; ++k) {
    if ((byte(text[k]) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(text[k]) & 0x3fu);
  }
  const bool is_shortest = code >= (size == 2 ? 0x80u : size == 3 ? 0x800u : 0x10000u);
  const bool is_half = code >= 0xd800 && code <= 0xdfff;
  if (!is_shortest || is_half || code > 0x10ffff) return {};
  return {code, size};
}

bool does_something(char32_t c) {
  const auto within = [&](char32_t first, char32_t last) { return first <= c && c <= last; };
  return c < 0x20 || within(0x7f, 0x9f) || c == 0x61c || within(0x200e, 0x200f) || within(0x2028, 0x202e) ||
         within(0x2066, 0x2069);
}

std::string escape(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_of(text);
    if (c.code == kNone) {
      out += fmt::format("\\x{:02x}", byte(text[0]));
    } else if (does_something(c.code) && kept.find(text[0]) == std::string_view::npos) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
    } else {
      out += text.substr(0, c.size);
    }
    text.remove_prefix(c.size);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escape(text, "\n\t"); }
std::string on_one_line(std::string_view text) { return escape(text, ""); }

}  // namespace stickslip
