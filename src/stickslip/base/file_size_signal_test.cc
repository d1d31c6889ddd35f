#include "stickslip/base/file_size_signal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace stickslip {
namespace {

// In a process of its own, for its limit.
TEST(FileSizeSignal, BeyondTheLimitAWriteFailsAndTheProgramGoesOn) {
  const auto write_too_much = [] {
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::FILE* file = std::tmpfile();
    bool failed = false;
    {
      const WithoutFileSizeSignal guard;
      const char bytes[200] = {};
      failed = write(fileno(file), bytes, 100) == 100 && write(fileno(file), bytes, 100) < 0 && errno == EFBIG;
    }
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    std::_Exit(failed && sigismember(&mask, SIGXFSZ) == 0 ? 0 : 1);
  };
  EXPECT_EXIT(write_too_much(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace stickslip
