#include "stickslip/math/block_cholesky.h"

#include <algorithm>

#include "stickslip/math/block_kernels.h"

namespace stickslip {

using block_kernels::copy;
using block_kernels::kTile;
using block_kernels::subtract_product;
using block_kernels::subtract_product_columns;
using block_kernels::with_tile_width;

namespace {

// Relative to the diagonal. |h_ij|^2 < h_ii h_jj, so that a shift by the number of entries in a row makes any positive
// definite matrix dominated by its diagonal, and incomplete factors of such exist.
constexpr double kFirstShift = 1e-3;
constexpr double kShiftGrowth = 4;
constexpr double kLastShift = 1e6;

// The lower triangle of C -= B B', and all the rows that follow.
template <int kDepth>
void subtract_lower(int rows, int columns, int depth, const double* B, int stride, double* C, int C_stride) {
  for (int j = 0; j < columns; j += kTile) {
    subtract_product<kDepth>(rows - j, std::min(kTile, columns - j), depth, B + j, B + j, stride,
                             C + j + static_cast<std::ptrdiff_t>(j) * C_stride, C_stride);
  }
}

template <int kDepth>
void apply_update(const BlockPattern::Update& update, std::span<const BlockPattern::Run> runs, double* values) {
  const double* B = values + update.source;
  double* C = values + update.target;
  const int stride = update.source_stride;
  if (update.columns == kTile) {  // one body's columns: the triangle is no matter, and this is quicker
    for (const BlockPattern::Run& run : runs) {
      subtract_product_columns<kTile, kDepth>(run.rows, update.depth, B + run.source_row, B, stride, C + run.target_row,
                                              update.target_stride);
    }
    return;
  }
  subtract_lower<kDepth>(runs[0].rows, update.columns, update.depth, B, stride, C, update.target_stride);
  for (const BlockPattern::Run& run : runs.subspan(1)) {
    subtract_product<kDepth>(run.rows, update.columns, update.depth, B + run.source_row, B, stride, C + run.target_row,
                             update.target_stride);
  }
}

}  // namespace

void BlockCholesky::analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges, Fill fill) {
  pattern_.analyze(sizes, edges, fill);
  values_.resize(pattern_.value_count());
  if (pattern_.fill() == Fill::kNone) unshifted_.resize(values_.size());
  reciprocals_.resize(pattern_.unknown_count());
  x_.resize(pattern_.unknown_count());
}

void BlockCholesky::set_zero() { std::fill(values_.begin(), values_.end(), 0.); }

double BlockCholesky::condition_estimate() const {
  if (reciprocals_.empty()) return 1;
  const auto [least, most] = std::minmax_element(reciprocals_.begin(), reciprocals_.end());
  const double ratio = *most / *least;
  return ratio * ratio;
}

bool BlockCholesky::factor() {
  shift_ = 0;
  if (pattern_.fill() == Fill::kComplete) return factor_values();
  std::copy(values_.begin(), values_.end(), unshifted_.begin());
  return factor_values() || factor_shifted();
}

bool BlockCholesky::factor_values() {
  return std::ranges::all_of(pattern_.panels(), [&](const BlockPattern::Panel& panel) {
    for (int i = panel.updates_begin; i < panel.updates_end; ++i) apply(pattern_.updates()[i]);
    return factor_panel(panel);
  });
}

void BlockCholesky::apply(const BlockPattern::Update& update) {
  const auto runs = pattern_.runs().subspan(update.runs_begin, update.runs_end - update.runs_begin);
  if (update.depth == 6) {
    apply_update<6>(update, runs, values_.data());
  } else {
    apply_update<0>(update, runs, values_.data());
  }
}

bool BlockCholesky::factor_panel(const BlockPattern::Panel& panel) {
  double* reciprocals = reciprocals_.data() + panel.unknown;
  for (int j = 0; j < panel.columns; j += kTile) {
    double* A = tile(panel, j);
    const double* row = values_.data() + panel.values + j;
    const int columns = std::min(kTile, panel.columns - j);
    if (j > 0) subtract_product<0>(panel.rows - j, columns, j, row, row, panel.stride, A, panel.stride);
    const bool ok = with_tile_width(columns, [&]<int kColumns>(std::integral_constant<int, kColumns>) {
      if (!block_kernels::factor_tile<kColumns>(A, panel.stride, reciprocals + j)) return false;
      block_kernels::solve_rows<kColumns>(panel.rows - j - kColumns, A, reciprocals + j, A + kColumns, panel.stride);
      return true;
    });
    if (!ok) return false;
  }
  return true;
}

bool BlockCholesky::factor_shifted() {
  for (shift_ = kFirstShift; shift_ <= kLastShift; shift_ *= kShiftGrowth) {
    std::copy(unshifted_.begin(), unshifted_.end(), values_.begin());
    scale_diagonal(1 + shift_);
    if (factor_values()) return true;
  }
  return false;
}

void BlockCholesky::scale_diagonal(double factor) {
  for (size_t node = 0; node < pattern_.sizes().size(); ++node) {
    const BlockSlot block = diagonal(static_cast<int>(node));
    for (int k = 0; k < pattern_.sizes()[node]; ++k) block.data[k * (block.stride + 1)] *= factor;
  }
}

void BlockCholesky::solve_in_place(double* x) {
  const auto sizes = pattern_.sizes();
  const auto unknowns = pattern_.unknowns();
  double* from = x;
  for (size_t node = 0; node < sizes.size(); from += sizes[node++]) copy(sizes[node], from, x_.data() + unknowns[node]);
  const auto panels = pattern_.panels();
  for (const BlockPattern::Panel& panel : panels) solve_forward(panel);
  for (size_t i = panels.size(); i-- > 0;) solve_backward(panels[i]);
  double* to = x;
  for (size_t node = 0; node < sizes.size(); to += sizes[node++]) copy(sizes[node], x_.data() + unknowns[node], to);
}

// stretch(rows, their first in L, their first in x) for all rows of a panel from `row` on, in `column` of L.
template <class Function>
inline void BlockCholesky::below_tile(const BlockPattern::Panel& panel, int row, int column, const Function& stretch) {
  const double* L = values_.data() + panel.values + static_cast<std::ptrdiff_t>(column) * panel.stride;
  if (row < panel.columns) stretch(panel.columns - row, L + row, x_.data() + panel.unknown + row);
  L += panel.columns;
  for (int s = panel.segments_begin; s < panel.segments_end; ++s) {
    const BlockPattern::Segment segment = pattern_.segments()[s];
    stretch(segment.rows, L, x_.data() + segment.unknown);
    L += segment.rows;
  }
}

void BlockCholesky::solve_forward(const BlockPattern::Panel& panel) {
  for (int j = 0; j < panel.columns; j += kTile) {
    with_tile_width(panel.columns - j, [&]<int kColumns>(std::integral_constant<int, kColumns>) {
      block_kernels::solve_forward<kColumns>(tile(panel, j), panel.stride, &reciprocals_[panel.unknown + j],
                                             &x_[panel.unknown + j],
                                             [&](const auto& stretch) { below_tile(panel, j + kColumns, j, stretch); });
    });
  }
}

void BlockCholesky::solve_backward(const BlockPattern::Panel& panel) {
  for (int j = (panel.columns - 1) / kTile * kTile; j >= 0; j -= kTile) {
    with_tile_width(panel.columns - j, [&]<int kColumns>(std::integral_constant<int, kColumns>) {
      block_kernels::solve_backward<kColumns>(
          tile(panel, j), panel.stride, &reciprocals_[panel.unknown + j], &x_[panel.unknown + j],
          [&](const auto& stretch) { below_tile(panel, j + kColumns, j, stretch); });
    });
  }
}

}  // namespace stickslip
