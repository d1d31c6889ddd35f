#include "stickslip/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>

namespace stickslip {
namespace {

TEST(ThreadPool, DoesEveryPieceOnce) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (int count : {0, 1, 3, 100}) {
      std::vector<std::atomic<int>> done(static_cast<size_t>(count));
      pool.run(count, [&](int i) { ++done[i]; });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ThreadPool, EndsWithoutWork) { ThreadPool pool(4); }

}  // namespace
}  // namespace stickslip
