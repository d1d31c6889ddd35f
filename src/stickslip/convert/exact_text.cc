#include "stickslip/convert/exact_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace stickslip::convert {
namespace {

// Where x, step(x), step(step(x)), ... ends: a fixed point, or else, of the few neighbours that it goes round, the
// least. Whichever of them is written, the next reading ends at the same.
template <typename Step>
Eigen::Vector4d settle(const Eigen::Vector4d& start, Step step) {
  constexpr size_t kMostRounds = 100;
  const auto less = [](const Eigen::Vector4d& a, const Eigen::Vector4d& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::vector<Eigen::Vector4d> seen{start};
  while (seen.size() < kMostRounds) {
    const Eigen::Vector4d next = step(seen.back());
    const auto again = std::find(seen.begin(), seen.end(), next);
    if (again != seen.end()) return *std::min_element(again, seen.end(), less);
    seen.push_back(next);
  }
  return seen.back();
}

Eigen::Vector4d rounded(const Quaterniond& q) {
  constexpr double kDecimals = 1e15;
  return (q.coeffs() * kDecimals).array().round() / kDecimals;
}

}  // namespace

std::string number_text(double x) { return x == 0 ? "0" : fmt::format("{}", x); }

Quaterniond stable_quaternion(const Matrix3d& R) {
  const auto read_again = [](const Eigen::Vector4d& xyzw) {
    return rounded(Quaterniond(Quaterniond(xyzw).normalized().toRotationMatrix()));
  };
  return Quaterniond(settle(rounded(Quaterniond(R)), read_again));
}

}  // namespace stickslip::convert
