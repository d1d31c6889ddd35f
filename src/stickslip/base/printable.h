#pragma once

#include <string>
#include <string_view>

namespace stickslip {

// Text for a terminal, whatever file it comes from. Characters that do something there instead of being seen (controls
// of ASCII and of Latin-1, which terminals obey too, and those that turn the direction of writing) become what JSON
// writes for them, \u001b, so that JSON stays what it is; bytes that are no UTF-8 become \x9b. New lines and tabs stay.
std::string printable(std::string_view text);

// The same without new lines and tabs, for names and sentences that must not look like several.
std::string on_one_line(std::string_view text);

}  // namespace stickslip
