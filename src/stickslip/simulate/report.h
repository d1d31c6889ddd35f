#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stickslip/base/error.h"
#include "stickslip/base/status.h"
#include "stickslip/simulate/step_choice.h"

namespace stickslip {

// Smallest, median and largest of many step sizes in constant memory. The median is exact where all steps are equal and
// within one bin (2 %) otherwise.
class StepSizes {
 public:
  void add(double h);
  double min() const { return count_ ? min_ : 0; }
  double max() const { return max_; }
  double median() const;

 private:
  static constexpr int kBinsPerOctave = 32;
  static constexpr int kOctaves = 64;  // 2^-54 s to 2^10 s
  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(kBinsPerOctave * kOctaves);
  std::uint64_t count_ = 0;
  double min_ = 0, max_ = 0;
};

// One accepted step.
struct StepHistoryEntry {
  double time = 0;   // of its start [s]
  double h = 0;      // [s]
  double error = 0;  // estimated; 0 for fixed steps
};

// The course of a run in bounded memory: every step while they are few, later every second, fourth, ... of them, each
// standing for those around it by the largest error.
class StepHistory {
 public:
  StepHistory() { entries_.reserve(kMost); }
  void add(const StepHistoryEntry& entry);
  const std::vector<StepHistoryEntry>& entries() const { return entries_; }
  double largest_error() const { return largest_error_; }

 private:
  static constexpr size_t kMost = 8192;
  std::vector<StepHistoryEntry> entries_;
  int stride_ = 1, pending_ = 0;
  double largest_error_ = 0;
};

// Where the energy went [J]: end = start + actuators + damping + contact - numerical_loss.
struct EnergyAudit {
  double start = 0, end = 0;
  double actuators = 0;                               // work done by actuators
  double damping = 0;                                 // work done by joint and tendon damping, negative
  double contact = 0;                                 // work done by contact and constraints
  double elastic_normal = 0, elastic_tangential = 0;  // part of `end`: in compressed surfaces, held by friction
  double gained = 0;                                  // the most that came from nothing, see EnergyWatch
  std::optional<double> numerical_loss;               // none if prescribed motion does work that nobody measures
};

struct StageSeconds {
  double geometry = 0, dynamics = 0;
  double setup = 0;  // of the steps' problems: contacts, friction's memory, constraints, islands, laws
  double assembly = 0, factorization = 0, line_search = 0, other = 0, total = 0;
};

// What happened so far, for people (brief, full) and programs.
struct Report {
  Status status;
  std::string method;
  StepChoice choice;  // of its steps
  double time = 0;
  std::int64_t steps = 0, rejected = 0;
  std::int64_t newton_iterations = 0, factorizations = 0, line_search_iterations = 0, geometry_queries = 0;
  std::int64_t gradient_iterations = 0;        // of conjugate gradients, where islands are too large to factorise
  std::int64_t local_iterations = 0;           // Newton's, of parts of large islands; not in newton_iterations
  std::int64_t slowest_island_iterations = 0;  // newton_iterations, of the island with most of them in each step
  double condition = 0;                        // of the last step's Hessians: an estimate, 0 if none was factorised
  double residual = 0;                         // largest of the last step, relative to its impulses
  double h_min = 0, h_median = 0, h_max = 0;
  double max_penetration = 0;  // the deepest overlap seen [m]; of the starts, and middles, of steps
  StepHistory history;
  EnergyAudit energy;
  StageSeconds seconds;
  std::vector<Warning> warnings;
  std::string held_by;  // what keeps the last steps from being longer, in words; empty if nothing does

  std::string brief() const;  // one line
  std::string full() const;   // a table
};

}  // namespace stickslip
