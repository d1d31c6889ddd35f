#pragma once

#include <chrono>
#include <functional>

#include "stickslip/simulate/simulator.h"
#include "stickslip/view/frame.h"
#include "stickslip/view/server.h"

namespace stickslip {

// Tells the pages of a server what a simulator does: sixty times a second, or less often where that would take more
// than a twentieth of the time.
class FramePublisher {
 public:
  FramePublisher(const Simulator& simulator, ViewerServer& server);
  bool is_due() const;
  void see_step(const Simulator& simulator);           // each of them: a hit may be over before the next frame
  bool is_worth_it(const Simulator& simulator) const;  // where no step follows: earlier, but if nothing moved
  void publish(const Simulator& simulator);

 private:
  ViewerServer& server_;
  FrameWriter writer_;
  EnergyMeter energy_;
  std::vector<ContactSample> contacts_, step_contacts_;  // of the last frame, of a step
  ContactAverage average_;                               // since the last frame
  std::chrono::steady_clock::time_point next_{}, last_;  // when the next frame is due, and the last was done
  std::chrono::steady_clock::duration credit_;           // saved up for frames that come early
  double shown_ = 0;                                     // time of the last frame [s]
};

struct LiveOptions {
  bool paused = false;
  double speed = 1;                       // simulated time for a second of ours
  std::function<bool()> keep_going = {};  // asked about sixty times a second; false ends it
};

// Simulates in step with the clock, as fast as it can if that is too slow, and does what the pages ask: play, pause,
// step, reset, drag, control. It begins when a page says that it shows the first picture. What is dragged first adds a
// system to the simulator, which holds nothing afterwards.
class LiveSession {
 public:
  LiveSession(Simulator& simulator, ViewerServer& server, LiveOptions options);
  ~LiveSession() { drop(); }
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;
  void run();

 private:
  struct CommandHandler;
  bool goes_on() const { return !options_.keep_going || options_.keep_going(); }
  void begin();
  void obey();
  void advance();
  void take_step(double end);
  void tell_status();
  void drag(const view::Drag& command);
  void drop();
  Eigen::Ref<VectorXd> hand();  // states of what drags

  using Clock = std::chrono::steady_clock;
  Simulator& simulator_;
  ViewerServer& server_;
  LiveOptions options_;
  FramePublisher publisher_;
  State start_;
  VectorXd first_ctrl_;           // of the scene
  Eigen::Index hand_start_ = -1;  // in State::z; none yet
  int dragged_ = -1;              // body
  bool playing_ = true, changed_ = true;
  bool begun_ = false;   // somebody sees it
  bool failed_ = false;  // since the last reset
  std::string message_;
  Clock::time_point next_status_{};
  double simulated_ = 0;          // since the last status [s]
  Clock::time_point measured_{};  // when that began
  double rate_ = 0;
};

}  // namespace stickslip
