#include "bench_robots.h"

#include <cstdlib>
#include <stdexcept>

namespace stickslip::bench {

std::string folder_from_environment(const char* variable) {
  const char* folder = std::getenv(variable);
  if (!folder) throw std::runtime_error(std::string("set ") + variable + ", or use bench/run");
  return folder;
}

}  // namespace stickslip::bench
