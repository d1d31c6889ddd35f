#include "stickslip/base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include "stickslip/base/sanitizer_testing.h"

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

TEST(ThreadPool, WhatAPieceThrowsComesOutAndThePoolGoesOn) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (int thrower : {0, 50, 99}) {
      EXPECT_THROW(pool.run(100,
                            [&](int i) {
                              if (i == thrower) throw std::bad_alloc();
                            }),
                   std::bad_alloc);
      std::atomic<int> done = 0;
      pool.run(100, [&](int) { ++done; });
      EXPECT_EQ(done, 100);
    }
  }
}

TEST(ThreadPool, EndsWithoutWork) { ThreadPool pool(4); }

#if !defined(STICKSLIP_ADDRESS_SANITIZER)  // which wants all addresses for itself
// In a process of its own, for its limit: 512 MB of addresses hold some tens of stacks.
TEST(ThreadPool, SaysHowManyTheSystemStartsIfItDoesNotStartAll) {
  const auto start_too_many = [] {
    const rlimit limit{512u << 20, 512u << 20};
    setrlimit(RLIMIT_AS, &limit);
    try {
      ThreadPool pool(2000);
    } catch (const std::runtime_error& error) {
      const bool is_told = std::string(error.what()).find("of 2000 threads the system starts only") == 0;
      ThreadPool few(3);  // those that did start are gone
      std::_Exit(is_told ? 0 : 1);
    }
    std::_Exit(2);
  };
  EXPECT_EXIT(start_too_many(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace stickslip
