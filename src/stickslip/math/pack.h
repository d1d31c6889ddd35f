#pragma once

#include <bit>
#include <cmath>
#include <cstring>

// Four doubles side by side: one arithmetic instruction for four bodies. The compilers' own vector extension, so it
// needs no intrinsics and exists on every processor.
namespace stickslip {

using Pack = double __attribute__((vector_size(32)));
constexpr int kPackSize = 4;

inline Pack load_pack(const double* from) {
  Pack out;
  std::memcpy(&out, from, sizeof(out));
  return out;
}

inline void store_pack(const Pack& pack, double* to) { std::memcpy(to, &pack, sizeof(pack)); }

inline Pack magnitude(const Pack& x) {
  using Bits = long long __attribute__((vector_size(32)));
  constexpr long long kAllButSign = 0x7fffffffffffffff;
  return std::bit_cast<Pack>(std::bit_cast<Bits>(x) & Bits{kAllButSign, kAllButSign, kAllButSign, kAllButSign});
}

inline Pack square_root(const Pack& x) {
  return Pack{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
}

// Rows become columns: turns four bodies' consecutive numbers into packs of one number each, and back.
inline void transpose(Pack& a, Pack& b, Pack& c, Pack& d) {
  const Pack ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Pack ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Pack cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

// A vector and a matrix for each of four bodies.
struct PackVector {
  Pack x, y, z;
};

inline PackVector operator+(const PackVector& a, const PackVector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline PackVector operator*(const Pack& s, const PackVector& a) { return {s * a.x, s * a.y, s * a.z}; }
inline PackVector cross(const PackVector& a, const PackVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct PackMatrix {
  PackVector c0, c1, c2;  // columns
};

inline PackVector operator*(const PackMatrix& A, const PackVector& b) {
  return {A.c0.x * b.x + A.c1.x * b.y + A.c2.x * b.z, A.c0.y * b.x + A.c1.y * b.y + A.c2.y * b.z,
          A.c0.z * b.x + A.c1.z * b.y + A.c2.z * b.z};
}

inline Pack dot(const PackVector& a, const PackVector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

inline PackVector transposed_times(const PackMatrix& A, const PackVector& b) {
  return {dot(A.c0, b), dot(A.c1, b), dot(A.c2, b)};
}

struct PackSymmetric {
  Pack xx, yy, zz, xy, xz, yz;
};

inline PackVector operator*(const PackSymmetric& A, const PackVector& b) {
  return {A.xx * b.x + A.xy * b.y + A.xz * b.z, A.xy * b.x + A.yy * b.y + A.yz * b.z,
          A.xz * b.x + A.yz * b.y + A.zz * b.z};
}

}  // namespace stickslip
