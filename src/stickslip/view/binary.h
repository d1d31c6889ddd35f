#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace stickslip {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

// Appends the bytes of a number.
template <typename T>
void append_number(T x, std::string& out) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &x, sizeof(T));
  out.append(bytes, sizeof(T));
}

inline void append_single(double x, std::string& out) { append_number(static_cast<float>(x), out); }
inline void append_count(size_t n, std::string& out) { append_number(static_cast<std::uint32_t>(n), out); }

}  // namespace stickslip
