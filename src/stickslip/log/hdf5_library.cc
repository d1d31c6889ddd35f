#include "stickslip/log/hdf5_library.h"

#include <unistd.h>

#include <cstdlib>

namespace stickslip {
namespace {

// The library cleans up when the program ends, which waits forever in a fork whose other threads were at work in it:
// only the process that began does so.
bool clean_up_at_the_end() {
  static const int process = ::getpid();
  H5dont_atexit();
  return std::atexit([] {
           if (::getpid() == process) H5close();
         }) == 0;
}

}  // namespace

void silence_hdf5() {
  static const bool cleans_up = clean_up_at_the_end();
  static_cast<void>(cleans_up);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace stickslip
