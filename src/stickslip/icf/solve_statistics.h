#pragma once

#include <algorithm>
#include <cstdint>

namespace stickslip {

enum class SolveOutcome { kConverged, kNoFactor, kNotFinite, kTooManyIterations };

struct SolveStatistics {
  std::int64_t newton_iterations = 0, factorizations = 0, line_search_iterations = 0;
  std::int64_t gradient_iterations = 0;        // of conjugate gradients
  std::int64_t local_iterations = 0;           // Newton's, of parts of islands
  std::int64_t slowest_island_iterations = 0;  // Newton's, of the island with most of them in each solve
  double condition = 0;  // estimate of the largest condition number of a Hessian, of the last solve; 0: not factorised
  double assembly_seconds = 0, factorization_seconds = 0, line_search_seconds = 0;  // of all threads together
  double residual = 0;  // largest of the islands: |D g| relative to the step's impulses, see newton.cc

  void add(const SolveStatistics& other) {
    newton_iterations += other.newton_iterations;
    factorizations += other.factorizations;
    line_search_iterations += other.line_search_iterations;
    gradient_iterations += other.gradient_iterations;
    local_iterations += other.local_iterations;
    slowest_island_iterations += other.slowest_island_iterations;
    condition = std::max(condition, other.condition);
    assembly_seconds += other.assembly_seconds;
    factorization_seconds += other.factorization_seconds;
    line_search_seconds += other.line_search_seconds;
    residual = std::max(residual, other.residual);
  }
};

}  // namespace stickslip
