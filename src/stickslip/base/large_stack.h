#pragma once

#include <functional>

namespace stickslip {

// Runs `work` on a thread with a stack of 512 MiB (of address space: pages are taken as they are touched) and rethrows
// what it throws. Recursive readers need it: a chain of thousands of links is as many elements deep, and the default
// stack is not.
void run_on_large_stack(const std::function<void()>& work);

}  // namespace stickslip
