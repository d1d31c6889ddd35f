#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stickslip {

// The candidate closest to `name` by edit distance, if close enough to be a likely typing error; empty otherwise.
std::string closest_name(std::string_view name, std::span<const std::string> candidates);

// "did you mean 'elbow'?" or, without a close candidate, a short list of what there is.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

std::string lower_case(std::string text);              // ASCII letters alone
std::string lower_extension(const std::string& file);  // ".yaml", of "Scene.YAML"
std::string with_slashes(std::string path);            // "parts/arm.stl", of "parts\\arm.stl", as Windows has it

}  // namespace stickslip
