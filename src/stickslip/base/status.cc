#include "stickslip/base/status.h"

namespace stickslip {

const char* to_string(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kSingularMass:
      return "singular-mass";
    case StatusCode::kNotFinite:
      return "not-finite";
    case StatusCode::kNotSolved:
      return "not-solved";
    case StatusCode::kNotAccurate:
      return "not-accurate";
    case StatusCode::kGainedEnergy:
      return "gained-energy";
    case StatusCode::kInterrupted:
      return "interrupted";
    case StatusCode::kNotRecorded:
      return "not-recorded";
  }
  return "unknown";
}

}  // namespace stickslip
