#include "stickslip/view/page_content.h"

#include <algorithm>
#include <charconv>

namespace stickslip {
namespace {

constexpr size_t kMostFrames = 256;  // in one answer

// Digits and nothing else.
std::optional<size_t> index_in(std::string_view text, size_t size) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index >= size) return {};
  return index;
}

// What follows `prefix`; none if the address does not begin with it.
std::optional<std::string_view> after(std::string_view prefix, std::string_view address) {
  if (!address.starts_with(prefix)) return {};
  return address.substr(prefix.size());
}

}  // namespace

std::optional<std::string> PageContent::get(std::string_view address) {
  if (address == "scene.json") return scene_.json;
  if (const auto rest = after("mesh/", address)) {
    if (const auto index = index_in(*rest, scene_.meshes.size())) return scene_.meshes[*index];
  }
  return {};
}

ReplayContent::ReplayContent(std::shared_ptr<const Trajectory> run)
    : PageContent(scene_of(*run, run->t.size())), replay_(std::move(run)) {}

std::optional<std::string> ReplayContent::get(std::string_view address) {
  if (address == "times") return replay_.times();
  if (const auto rest = after("frames/", address)) return frames(*rest);
  if (const auto rest = after("series/", address)) {
    if (const auto curve = index_in(*rest, replay_.series_count())) return replay_.series(*curve);
    return {};
  }
  return PageContent::get(address);
}

std::optional<std::string> ReplayContent::frames(std::string_view range) {
  const size_t dash = range.find('-'), slash = std::min(range.find('/'), range.size());
  if (dash > slash) return {};
  const auto first = index_in(range.substr(0, dash), replay_.size());
  const auto last = index_in(range.substr(dash + 1, slash - dash - 1), replay_.size());
  const auto every =
      slash < range.size() ? index_in(range.substr(slash + 1), replay_.size() + 1) : std::optional<size_t>(1);
  if (!first || !last || !every || *every == 0 || *last < *first || (*last - *first) / *every >= kMostFrames) return {};
  std::string out;
  for (size_t i = *first; i <= *last; i += *every) replay_.append_frame(i, out);
  return out;
}

PageScene scene_of(const Trajectory& run, size_t samples) {
  return page_scene(
      *run.model,
      {.mode = "replay", .method = run.report.method, .accuracy = run.options.accuracy, .samples = samples});
}

PageScene scene_of(const Simulator& simulator, const std::string& mode) {
  return page_scene(
      simulator.model(),
      {.mode = mode, .method = simulator.method(), .accuracy = simulator.options().accuracy, .samples = 0});
}

}  // namespace stickslip
