#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stickslip/view/page_scene.h"
#include "stickslip/view/replay.h"

namespace stickslip {

// What the server answers to the page's requests: all there is, however a request is spelled.
class PageContent {
 public:
  explicit PageContent(PageScene scene) : scene_(std::move(scene)) {}
  virtual ~PageContent() = default;

  // Of an address below the token's, such as "mesh/3"; none: there is no such thing.
  virtual std::optional<std::string> get(std::string_view address);

 private:
  PageScene scene_;
};

// With the samples of a recording.
class ReplayContent final : public PageContent {
 public:
  explicit ReplayContent(std::shared_ptr<const Trajectory> run);
  std::optional<std::string> get(std::string_view address) override;

 private:
  std::optional<std::string> frames(std::string_view range);
  Replay replay_;
};

// The page's title and what it may do.
PageScene scene_of(const Trajectory& run, size_t samples);
PageScene scene_of(const Simulator& simulator, const std::string& mode);

}  // namespace stickslip
