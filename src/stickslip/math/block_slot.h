#pragma once

namespace stickslip {

// A block of a larger matrix: column-major, `stride` from column to column. Transposed: for an edge (i, j) it holds the
// block of rows j and columns i.
struct BlockSlot {
  double* data = nullptr;
  int stride = 0;
  bool transposed = false;

  double* entry(int row, int column) const {
    return transposed ? data + column + row * stride : data + row + column * stride;
  }
};

}  // namespace stickslip
