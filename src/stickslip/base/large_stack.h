#pragma once

#include <functional>

namespace stickslip {

// Runs `work` on a thread with a stack of 512 MiB (of address space: pages are taken as they are touched) and rethrows
// what it throws. Recursive readers need it: a chain of thousands of links is as many elements deep, and the default
// stack is not. Where there is no room for such a stack it runs on the caller's, and is told so.
void run_on_large_stack(const std::function<void(bool is_large)>& work);

}  // namespace stickslip
