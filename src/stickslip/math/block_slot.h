#pragma once

namespace stickslip {

// A block of a larger matrix, column-major with leading dimension `stride`. `transposed`: block (j, i) is stored where
// (i, j) was asked for.
struct BlockSlot {
  double* data = nullptr;
  int stride = 0;
  bool transposed = false;

  double* entry(int row, int column) const {
    return transposed ? data + column + row * stride : data + row + column * stride;
  }
};

}  // namespace stickslip
