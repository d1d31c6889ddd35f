#pragma once

namespace stickslip {

// How the next step follows from the error of the last, CENIC V-F.
struct StepSizeRule {
  double safety = 0.9;           // k_Safe: of the step that would just meet the accuracy
  double low = 0.9, high = 1.2;  // k_Low, k_High: a change within these factors is none
  double growth = 5;             // k_MaxGrow
  double shrinkage = 0.1;        // the least factor of a rejected step
};

// The step that meets the accuracy, for an error that grows like h^order; not bounded.
double ideal_step(double h, double error, double accuracy, int order, const StepSizeRule& rule);

// After a step that was accepted.
double next_step(double h, double error, double accuracy, int order, const StepSizeRule& rule);

// After one that was not; an error that is no number counts as a large one.
double shorter_step(double h, double error, double accuracy, int order, const StepSizeRule& rule);

}  // namespace stickslip
