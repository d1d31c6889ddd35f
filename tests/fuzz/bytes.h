#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "stickslip/math/types.h"

namespace stickslip::fuzzing {

// A fault that is no crash by itself.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Reads numbers off the fuzzer's bytes; zeros when they run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  bool empty() const { return left_ == 0; }

  template <typename T>
  T take() {
    T value{};
    const std::size_t count = std::min(sizeof(T), left_);
    std::memcpy(&value, data_, count);
    data_ += count;
    left_ -= count;
    return value;
  }
  int below(int limit) { return take<std::uint8_t>() % limit; }
  double unit() { return take<std::int16_t>() / 32767.0; }
  // From 1e-4 to 1e3 m: what the readers let through and people use.
  double length() { return std::pow(10, 3.5 * unit() - 0.5); }
  // Any finite double within a kilometre, small ones and special ones included.
  double coordinate() {
    const double raw = take<double>();
    return std::isfinite(raw) && std::abs(raw) <= 1e3 ? raw : unit();
  }
  Vector3d point() {
    const bool raw = below(2) == 0;
    Vector3d p;
    for (int i = 0; i < 3; ++i) p[i] = raw ? coordinate() : unit();
    return p;
  }
  Vector3d lengths() {
    Vector3d x;
    for (int i = 0; i < 3; ++i) x[i] = length();
    return x;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace stickslip::fuzzing
