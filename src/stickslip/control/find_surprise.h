#pragma once

#include "stickslip/control/scheme.h"
#include "stickslip/step/convex_method.h"

namespace stickslip {

// As Scheme::look_for_surprises, for a step h from `start` to `next`; `middle` may be null.
Surprise find_surprise(ConvexMethod& method, const Method::Prepared& start, const Method::Prepared* middle,
                       const ErrorNorm& norm, double h, const State& next, double allowed);

}  // namespace stickslip
