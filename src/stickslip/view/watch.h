#pragma once

#include <mutex>

#include "stickslip/simulate/step_observer.h"
#include "stickslip/view/live.h"

namespace stickslip {

// Shows a simulator that somebody else steps.
class ViewerWatch final : public StepObserver {
 public:
  ViewerWatch(const Simulator& simulator, const ServerOptions& options);

  std::string url() const;  // empty once it is closed
  int port() const;
  int watchers() const;
  void close();

  void before_step(const Simulator&) override {}
  Status on_step(const Simulator& simulator, const AcceptedStep& step) override;
  void on_pause(const Simulator& simulator) override;
  void on_end(const Simulator&) override {}  // the last frame stays
  bool is_done() const override;

 private:
  mutable std::mutex mutex_;  // whoever closes it need not be the one who steps
  std::unique_ptr<ViewerServer> server_;
  FramePublisher publisher_;
};

}  // namespace stickslip
