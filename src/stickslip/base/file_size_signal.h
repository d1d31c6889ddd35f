#pragma once

#include <csignal>
#include <ctime>

namespace stickslip {

// While it lives, a file that grows beyond the limit of the process (ulimit -f) is an error of the write, as a full
// disk is, and not the signal that ends the program. Only for the thread that makes it.
class WithoutFileSizeSignal {
 public:
  WithoutFileSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~WithoutFileSizeSignal() {
    if (sigismember(&before_, SIGXFSZ) != 0) return;
    const timespec no_time{};
    while (sigtimedwait(&signal_, nullptr, &no_time) > 0) {  // those that wait would come now
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutFileSizeSignal(const WithoutFileSizeSignal&) = delete;
  WithoutFileSizeSignal& operator=(const WithoutFileSizeSignal&) = delete;

 private:
  sigset_t signal_{}, before_{};
};

}  // namespace stickslip
