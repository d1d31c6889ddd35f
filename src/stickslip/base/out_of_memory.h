#pragma once

#include <new>
#include <stdexcept>

#include "stickslip/base/error.h"

namespace stickslip {

// What a file needs and the machine does not have.
inline ModelError out_of_memory(const Location& where) {
  return {
      "out-of-memory", where, "there is not enough memory for this", "",
      "make meshes, tables or the number of bodies smaller, or raise the limit of memory (ulimit -v, a container's)"};
}

// The result of `work`. Memory that is not there becomes a ModelError like any other, of the file that asks for it.
template <typename Work>
auto within_memory(const Location& where, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw out_of_memory(where);
  } catch (const std::length_error&) {  // more than an address can count
    throw out_of_memory(where);
  }
}

}  // namespace stickslip
