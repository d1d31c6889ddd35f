#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stickslip {

// Bytes as text.   RFC 4648
std::string base64(std::string_view bytes);

// And back; none if the text is not base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace stickslip
