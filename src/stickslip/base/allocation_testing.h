#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include "stickslip/base/sanitizer_testing.h"

// Every allocation of a test program is counted, by operator new and by Eigen's malloc alike: malloc and its relatives
// stand here in place of glibc's and pass on to it; under the address sanitizer, which has its own, its hook counts.
// For one file of a program: it defines functions.
// NOLINTBEGIN(misc-definitions-in-headers,bugprone-reserved-identifier,readability-identifier-naming)
namespace stickslip::allocation_testing {
inline constinit thread_local std::size_t allocation_count = 0;
}

#if defined(STICKSLIP_ADDRESS_SANITIZER)
// As in <sanitizer/allocator_interface.h>, which not every compiler brings along.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, size_t),
                                                         void (*free_hook)(const volatile void*));

namespace {
void count_allocation(const volatile void*, size_t) { ++stickslip::allocation_testing::allocation_count; }
void ignore_release(const volatile void*) {}
const bool kHooksInstalled = __sanitizer_install_malloc_and_free_hooks(count_allocation, ignore_release) > 0;
}  // namespace
#else
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) noexcept {
  ++stickslip::allocation_testing::allocation_count;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) noexcept {
  ++stickslip::allocation_testing::allocation_count;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) noexcept {
  ++stickslip::allocation_testing::allocation_count;
  return __libc_realloc(memory, size);
}
void* memalign(size_t alignment, size_t size) noexcept {
  ++stickslip::allocation_testing::allocation_count;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  ++stickslip::allocation_testing::allocation_count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  ++stickslip::allocation_testing::allocation_count;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
#endif
// NOLINTEND(misc-definitions-in-headers,bugprone-reserved-identifier,readability-identifier-naming)
