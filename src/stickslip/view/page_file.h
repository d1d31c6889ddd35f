#pragma once

#include <memory>
#include <string>

#include "stickslip/simulate/trajectory.h"

namespace stickslip {

// The page as it was built: one HTML file. Throws std::runtime_error with a sentence if it is not there.
std::string read_page(const std::string& file);

// What the page says of itself: that its own script may run, and no other. Without a word nothing may.
std::string policy_of(const std::string& page);

struct HtmlOptions {
  std::string page;               // file of the page
  double rate = 60;               // most samples a second; others are left out
  size_t most_bytes = 64u << 20;  // of frames, before they are compressed: beyond it fewer samples are taken
};

// A recording as one HTML file that needs nothing else. Throws std::runtime_error.
void write_html(const std::shared_ptr<const Trajectory>& run, const std::string& path, const HtmlOptions& options);

}  // namespace stickslip
