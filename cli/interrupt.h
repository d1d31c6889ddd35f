#pragma once

#include <csignal>

namespace stickslip::cli {

// Set by Ctrl-C and SIGTERM, for commands that end by themselves then.
inline volatile std::sig_atomic_t interrupted = 0;

inline void end_on_signals() {
  for (int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int number) {
      interrupted = 1;
      std::signal(number, SIG_DFL);  // a second one ends it at once
    });
  }
}

}  // namespace stickslip::cli
