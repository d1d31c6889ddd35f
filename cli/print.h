#pragma once

#include <fmt/format.h>

#include <cstdio>

#include "stickslip/base/printable.h"

namespace stickslip::cli {

// As fmt::print, for all that may hold words of a file: names in it must not move the terminal's cursor, or worse.
template <typename... Arguments>
void print_to(std::FILE* stream, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = printable(fmt::format(format, std::forward<Arguments>(arguments)...));
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace stickslip::cli
