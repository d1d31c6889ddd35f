#include "stickslip/base/status.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

// Every code has its word; reports, JSON and Python print it.
TEST(Status, EveryCodeHasItsWord) {
  EXPECT_STREQ(to_string(StatusCode::kOk), "ok");
  EXPECT_STREQ(to_string(StatusCode::kSingularMass), "singular-mass");
  EXPECT_STREQ(to_string(StatusCode::kNotFinite), "not-finite");
  EXPECT_STREQ(to_string(StatusCode::kGainedEnergy), "gained-energy");
  EXPECT_STREQ(to_string(StatusCode::kInterrupted), "interrupted");
}

// A default status is good, any other code is not.
TEST(Status, OnlyOkIsOk) {
  EXPECT_TRUE(Status{}.ok());
  EXPECT_FALSE(Status{.code = StatusCode::kInterrupted}.ok());
}

}  // namespace
}  // namespace stickslip
