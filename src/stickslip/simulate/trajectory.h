#pragma once

#include <memory>

#include "stickslip/simulate/simulator.h"

namespace stickslip {

// What a run went through, one row a recorded time.
struct Trajectory {
  std::shared_ptr<const Model> model;
  std::vector<double> t;
  std::vector<double> q;  // size(t) x nq, row-major
  std::vector<double> v;  // size(t) x nv, row-major
  State end;
  Report report;
};

struct SimulateOptions {
  SimulatorOptions simulator = {};
  std::optional<double> until = {};  // [s]; none: the scene's, or 10 s
  std::optional<double> sample_rate =
      {};                                 // [Hz]; none: every step. Samples are interpolated and never change the steps
  std::function<bool()> keep_going = {};  // asked before each step
  std::vector<std::shared_ptr<const System>> systems = {};  // external ones
};

// The whole run in one call.
Trajectory simulate(const std::shared_ptr<const Model>& model, const SimulateOptions& options = {});
Trajectory simulate(Model model, const SimulateOptions& options = {});

}  // namespace stickslip
