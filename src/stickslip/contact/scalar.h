#pragma once

#include <cmath>

#include "stickslip/math/pack.h"

// The few functions that laws need of a scalar type: double, Pack (four contacts at once), or what a test
// differentiates with (which brings its own, found by its namespace).
namespace stickslip {

inline double positive_part(double x) { return x > 0 ? x : 0; }
inline Pack positive_part(const Pack& x) { return x > 0 ? x : Pack{}; }

// 1 where x > 0, else 0.
inline double step_function(double x) { return x > 0 ? 1 : 0; }
inline Pack step_function(const Pack& x) { return x > 0 ? Pack{1, 1, 1, 1} : Pack{}; }

inline double square_root(double x) { return std::sqrt(x); }

inline bool any_positive(double x) { return x > 0; }
inline bool any_positive(const Pack& x) { return x[0] > 0 || x[1] > 0 || x[2] > 0 || x[3] > 0; }

// x where condition > 0, else y.
inline double select(double condition, double x, double y) { return condition > 0 ? x : y; }
inline Pack select(const Pack& condition, const Pack& x, const Pack& y) { return condition > 0 ? x : y; }

}  // namespace stickslip
