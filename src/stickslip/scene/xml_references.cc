#include "stickslip/scene/xml_references.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace stickslip {
namespace {

bool is_name_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) || c == '#' || c == '_' || c == ':' || c == '-' || c == '.' || byte >= 0x80;
}

// Those that an XML document may have.
bool is_character(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && code != 0xfffe && code != 0xffff;
}

// "amp" of "&amp;", "#38" of "&#38;"
bool is_known(std::string_view name) {
  constexpr std::string_view kEntities[] = {"amp", "lt", "gt", "quot", "apos"};
  if (!name.starts_with('#')) return std::ranges::find(kEntities, name) != std::end(kEntities);
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x');
  if (hexadecimal) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
  return error == std::errc() && end == name.data() + name.size() && is_character(code);
}

// Behind the comment, instruction or CDATA that begins here; `at` itself if none does.
std::size_t behind_opaque(std::string_view text, std::size_t at) {
  constexpr std::string_view kBounds[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  for (const auto& [begin, end] : kBounds) {
    if (!text.substr(at).starts_with(begin)) continue;
    const std::size_t found = text.find(end, at + begin.size());
    return found == std::string_view::npos ? text.size() : found + end.size();
  }
  return at;
}

}  // namespace

std::optional<BadReference> find_bad_reference(const std::string& text) {
  const std::string_view all = text;
  for (std::size_t at = 0; (at = all.find_first_of("<&", at)) != std::string_view::npos;) {
    if (all[at] == '<') {
      at = std::max(at + 1, behind_opaque(all, at));
      continue;
    }
    const std::size_t begin = at + 1;
    at = begin;
    while (at < all.size() && is_name_character(all[at])) ++at;
    const bool is_reference = at > begin && at < all.size() && all[at] == ';';
    if (is_reference && !is_known(all.substr(begin, at - begin))) {
      return BadReference{begin - 1, all.substr(begin - 1, at + 2 - begin)};
    }
  }
  return {};
}

}  // namespace stickslip
