#include "stickslip/view/access.h"

#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "stickslip/base/names.h"

namespace stickslip {
namespace {

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string random_token() {
  constexpr char digits[] = "0123456789abcdef";
  unsigned char bytes[16];
  if (getentropy(bytes, sizeof bytes) != 0) throw std::runtime_error("the system has no random numbers to give");
  std::string token;
  for (unsigned char byte : bytes) {
    token += digits[byte >> 4];
    token += digits[byte & 15];
  }
  return token;
}

bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

bool is_own_host(std::string_view host) {
  const std::string given = lower_case(std::string(host));
  for (std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (given == name) return true;
    if (given.starts_with(name) && given[name.size()] == ':' &&
        is_port(std::string_view(given).substr(name.size() + 1)))
      return true;
  }
  return false;
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  return lower_case(std::string(origin)) == "http://" + lower_case(std::string(host));
}

}  // namespace stickslip
