#pragma once

// Defines STICKSLIP_ADDRESS_SANITIZER where the compiler, whichever it is, builds with it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STICKSLIP_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define STICKSLIP_ADDRESS_SANITIZER
#endif
