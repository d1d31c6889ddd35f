#include "stickslip/view/watch.h"

namespace stickslip {

ViewerWatch::ViewerWatch(const Simulator& simulator, const ServerOptions& options)
    : server_(std::make_unique<ViewerServer>(options, std::make_unique<PageContent>(scene_of(simulator, "watch")))),
      publisher_(simulator, *server_) {
  publisher_.publish(simulator);
}

std::string ViewerWatch::url() const {
  const std::lock_guard lock(mutex_);
  return server_ ? server_->url() : "";
}

int ViewerWatch::port() const {
  const std::lock_guard lock(mutex_);
  return server_ ? server_->port() : 0;
}

int ViewerWatch::watchers() const {
  const std::lock_guard lock(mutex_);
  return server_ ? server_->watchers() : 0;
}

void ViewerWatch::close() {
  const std::lock_guard lock(mutex_);
  server_ = nullptr;
}

Status ViewerWatch::on_step(const Simulator& simulator, const AcceptedStep&) {
  const std::lock_guard lock(mutex_);
  if (!server_) return {};
  publisher_.see_step(simulator);
  if (publisher_.is_due()) publisher_.publish(simulator);
  return {};
}

// What a script stops at is what one wants to see.
void ViewerWatch::on_pause(const Simulator& simulator) {
  const std::lock_guard lock(mutex_);
  if (server_ && publisher_.is_worth_it(simulator)) publisher_.publish(simulator);
}

bool ViewerWatch::is_done() const {
  const std::lock_guard lock(mutex_);
  return !server_;
}

}  // namespace stickslip
