#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stickslip/math/pack.h"

// Dense kernels of the block factorisation: a product, a factor, and four triangular solves. Matrices are column-major
// with a stride from column to column. Their widths in registers suit blocks of six: a body's degrees of freedom.
namespace stickslip::block_kernels {

constexpr int kTile = 6;  // columns that are factored together

// function(0), function(1), ... up to kCount - 1, each a constant of its own: only so does g++ keep arrays in
// registers.
template <int kCount, class Function>
inline void unroll(const Function& function) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (function(std::integral_constant<int, i>()), ...);
  }(std::make_integer_sequence<int, kCount>());
}

// One number four times: loaded and spread by one instruction.
inline Pack spread(double x) { return Pack{x, x, x, x}; }

inline Pack load_two(const double* from) { return Pack{from[0], from[1]}; }

// A column of up to eight rows in registers: packs, then two rows, then one.
template <int kRows>
struct Strip {
  static constexpr int kPacks = kRows / kPackSize;
  static constexpr bool kPair = kRows % kPackSize >= 2;
  static constexpr bool kSingle = kRows % 2 == 1;
  using Pair = double __attribute__((vector_size(16)));

  Pack packs[std::max(kPacks, 1)];
  Pair pair;
  double single;

  void load(const double* from) {
    unroll<kPacks>([&](auto i) { packs[i] = load_pack(from + i * kPackSize); });
    if constexpr (kPair) std::memcpy(&pair, from + kPacks * kPackSize, sizeof(pair));
    if constexpr (kSingle) single = from[kRows - 1];
  }
  void store(double* to) const {
    unroll<kPacks>([&](auto i) { store_pack(packs[i], to + i * kPackSize); });
    if constexpr (kPair) std::memcpy(to + kPacks * kPackSize, &pair, sizeof(pair));
    if constexpr (kSingle) to[kRows - 1] = single;
  }
  void subtract_product(const Strip& a, const Pack& b) {
    unroll<kPacks>([&](auto i) { packs[i] -= a.packs[i] * b; });
    if constexpr (kPair) pair -= a.pair * __builtin_shufflevector(b, b, 0, 1);
    if constexpr (kSingle) single -= a.single * b[0];
  }
  void scale(const Pack& b) {
    unroll<kPacks>([&](auto i) { packs[i] *= b; });
    if constexpr (kPair) pair *= __builtin_shufflevector(b, b, 0, 1);
    if constexpr (kSingle) single *= b[0];
  }
};

// Calls strip(integral_constant<rows>, first row) until all rows are done, eight at a time as long as there are.
template <class Function>
inline void for_each_strip(int rows, const Function& strip) {
  int i = 0;
  for (; i + 8 <= rows; i += 8) strip(std::integral_constant<int, 8>(), i);
  if (i + 6 <= rows) strip(std::integral_constant<int, 6>(), i), i += 6;
  if (i + 4 <= rows) strip(std::integral_constant<int, 4>(), i), i += 4;
  if (i + 2 <= rows) strip(std::integral_constant<int, 2>(), i), i += 2;
  if (i < rows) strip(std::integral_constant<int, 1>(), i);
}

inline void copy(int rows, const double* from, double* to) {
  for_each_strip(rows, [&]<int kRows>(std::integral_constant<int, kRows>, int i) {
    Strip<kRows> strip;
    strip.load(from + i);
    strip.store(to + i);
  });
}

// C -= A B' for kRows x kColumns of C, in registers. kDepth = 0: depth is not known before. Not inline: the addresses
// of all strips together would be more work than the product.
template <int kRows, int kColumns, int kDepth>
[[gnu::noinline, gnu::flatten]] void subtract_product_strip(int depth, const double* A, const double* B, int stride,
                                                            double* C, int C_stride) {
  Strip<kRows> sum[kColumns];
  unroll<kColumns>([&](auto j) { sum[j].load(C + j * C_stride); });
  const int last = kDepth > 0 ? kDepth : depth;
  for (int k = 0; k < last; ++k) {
    Strip<kRows> a;
    a.load(A + k * stride);
    unroll<kColumns>([&](auto j) { sum[j].subtract_product(a, spread(B[k * stride + j])); });
  }
  unroll<kColumns>([&](auto j) { sum[j].store(C + j * C_stride); });
}

template <int kColumns, int kDepth>
inline void subtract_product_columns(int rows, int depth, const double* A, const double* B, int stride, double* C,
                                     int C_stride) {
  for_each_strip(rows, [&]<int kRows>(std::integral_constant<int, kRows>, int i) {
    subtract_product_strip<kRows, kColumns, kDepth>(depth, A + i, B, stride, C + i, C_stride);
  });
}

// C -= A B'. C: rows x columns, A: rows x depth, B: columns x depth, the latter two of one stride.
template <int kDepth>
inline void subtract_product(int rows, int columns, int depth, const double* A, const double* B, int stride, double* C,
                             int C_stride) {
  int j = 0;
  for (; j + 6 <= columns; j += 6)
    subtract_product_columns<6, kDepth>(rows, depth, A, B + j, stride, C + j * C_stride, C_stride);
  if (j + 3 <= columns) {
    subtract_product_columns<3, kDepth>(rows, depth, A, B + j, stride, C + j * C_stride, C_stride);
    j += 3;
  }
  for (; j < columns; ++j)
    subtract_product_columns<1, kDepth>(rows, depth, A, B + j, stride, C + j * C_stride, C_stride);
}

// A = L L' of kColumns columns, in the lower triangle, and one over L's diagonal. False if a pivot is not positive.
// By A = U D U' first, for one division a pivot is all that the next has to wait for; roots follow all at once.
template <int kColumns>
inline bool factor_tile(double* A, int stride, double* reciprocals) {
  double a[kColumns][kColumns];  // a[column][row]
#pragma GCC unroll 6
  for (int k = 0; k < kColumns; ++k) {
#pragma GCC unroll 6
    for (int i = k; i < kColumns; ++i) a[k][i] = A[k * stride + i];
  }
  double inverse[kColumns];
  bool ok = true;
#pragma GCC unroll 6
  for (int k = 0; k < kColumns; ++k) {
    // A pivot below the least normal number has no finite inverse.
    ok &= a[k][k] >= std::numeric_limits<double>::min();
    ok &= a[k][k] <= std::numeric_limits<double>::max();
    inverse[k] = 1 / a[k][k];
#pragma GCC unroll 6
    for (int j = k + 1; j < kColumns; ++j) {
#pragma GCC unroll 6
      for (int i = j; i < kColumns; ++i) a[j][i] -= a[k][i] * a[k][j] * inverse[k];
    }
  }
#pragma GCC unroll 6
  for (int k = 0; k < kColumns; ++k) {
    const double root = std::sqrt(a[k][k]);
    reciprocals[k] = root * inverse[k];
    A[k * stride + k] = root;
#pragma GCC unroll 6
    for (int i = k + 1; i < kColumns; ++i) A[k * stride + i] = a[k][i] * reciprocals[k];
  }
  return ok;
}

// B := B L^-T for kRows x kColumns of B.
template <int kRows, int kColumns>
[[gnu::noinline, gnu::flatten]] void solve_rows_strip(const double* L, const double* reciprocals, double* B,
                                                      int stride) {
  Strip<kRows> b[kColumns];
  unroll<kColumns>([&](auto k) { b[k].load(B + k * stride); });
  unroll<kColumns>([&](auto k) {
    b[k].scale(spread(reciprocals[k]));
    b[k].store(B + k * stride);
    unroll<kColumns>([&](auto j) {
      if (j > k) b[j].subtract_product(b[k], spread(L[k * stride + j]));
    });
  });
}

// B := B L^-T for rows x kColumns of B.
template <int kColumns>
inline void solve_rows(int rows, const double* L, const double* reciprocals, double* B, int stride) {
  for_each_strip(rows, [&]<int kRows>(std::integral_constant<int, kRows>, int i) {
    solve_rows_strip<kRows, kColumns>(L, reciprocals, B + i, stride);
  });
}

// Unknowns of kColumns columns in L x = b, on x in place: their own, then b less their share in the rows below. `below`
// calls its argument with each stretch of these: rows, their first in L and in x.
template <int kColumns, class Below>
[[gnu::noinline, gnu::flatten]] void solve_forward(const double* L, int stride, const double* reciprocals, double* x,
                                                   const Below& below) {
  double y[kColumns];
#pragma GCC unroll 6
  for (int k = 0; k < kColumns; ++k) y[k] = x[k];
#pragma GCC unroll 6
  for (int k = 0; k < kColumns; ++k) {
    y[k] *= reciprocals[k];
    x[k] = y[k];
#pragma GCC unroll 6
    for (int i = k + 1; i < kColumns; ++i) y[i] -= L[k * stride + i] * y[k];
  }
  below([&](int rows, const double* L_below, double* x_below) {
    for_each_strip(rows, [&]<int kRows>(std::integral_constant<int, kRows>, int i) {
      Strip<kRows> sum, column;
      sum.load(x_below + i);
      unroll<kColumns>([&](auto k) {
        column.load(L_below + k * stride + i);
        sum.subtract_product(column, spread(y[k]));
      });
      sum.store(x_below + i);
    });
  });
}

// The same of L' x = b, where all rows below are known already.
template <int kColumns, class Below>
[[gnu::noinline, gnu::flatten]] void solve_backward(const double* L, int stride, const double* reciprocals, double* x,
                                                    const Below& below) {
  Pack sums[kColumns] = {};
  below([&](int rows, const double* L_below, const double* x_below) {
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
      const Pack known = load_pack(x_below + i);
      unroll<kColumns>([&](auto k) { sums[k] += load_pack(L_below + k * stride + i) * known; });
    }
    if (i + 2 <= rows) {
      const Pack known = load_two(x_below + i);
      unroll<kColumns>([&](auto k) { sums[k] += load_two(L_below + k * stride + i) * known; });
      i += 2;
    }
    if (i < rows) {
      const Pack known{x_below[i]};
      unroll<kColumns>([&](auto k) { sums[k] += Pack{L_below[k * stride + i]} * known; });
    }
  });
  double y[kColumns];
  unroll<kColumns>([&](auto k) { y[k] = x[k] - ((sums[k][0] + sums[k][2]) + (sums[k][1] + sums[k][3])); });
#pragma GCC unroll 6
  for (int k = kColumns - 1; k >= 0; --k) {
    y[k] *= reciprocals[k];
    x[k] = y[k];
#pragma GCC unroll 6
    for (int j = 0; j < k; ++j) y[j] -= L[j * stride + k] * y[k];
  }
}

// Calls function(integral_constant<columns>) for columns known only now.
template <class Function>
inline decltype(auto) with_tile_width(int columns, const Function& function) {
  switch (columns) {
    case 1:
      return function(std::integral_constant<int, 1>());
    case 2:
      return function(std::integral_constant<int, 2>());
    case 3:
      return function(std::integral_constant<int, 3>());
    case 4:
      return function(std::integral_constant<int, 4>());
    case 5:
      return function(std::integral_constant<int, 5>());
    default:
      return function(std::integral_constant<int, kTile>());
  }
}

}  // namespace stickslip::block_kernels
