#pragma once

#include <string>
#include <string_view>

// Who may ask the viewer's server: only this machine's own browser, on the page that we gave it.
namespace stickslip {

// 128 random bits from the system, as 32 digits.
std::string random_token();

// Compared in a time that does not tell how much of it was right.
bool same_text(std::string_view a, std::string_view b);

// A name of this machine, with any port: tunnels change it. Pages of other sites, whose names were pointed at us, are
// refused here.
bool is_own_host(std::string_view host);

// Whether a page of this origin was served by us, who were asked under the name `host`.
bool is_own_origin(std::string_view origin, std::string_view host);

}  // namespace stickslip
