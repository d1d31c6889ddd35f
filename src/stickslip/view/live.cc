#include "stickslip/view/live.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "stickslip/view/drag_spring.h"

namespace stickslip {
namespace {

constexpr auto kFramePeriod = std::chrono::microseconds(16667);
constexpr int kLeastPause = 20;  // between frames, in times what one takes
constexpr auto kMostCredit = std::chrono::milliseconds(100);
constexpr auto kStatusPeriod = std::chrono::seconds(1);

double seconds(std::chrono::steady_clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

FramePublisher::FramePublisher(const Simulator& simulator, ViewerServer& server)
    : server_(server),
      writer_(simulator.model()),
      energy_(simulator.shared_model(), simulator.acts_on_contact()),
      last_(std::chrono::steady_clock::now()),
      credit_(kMostCredit) {}

// Without anybody who looks a frame now and then is enough, for whoever comes.
bool FramePublisher::is_due() const {
  const auto now = std::chrono::steady_clock::now();
  return now >= (server_.watchers() > 0 ? next_ : next_ + kStatusPeriod);
}

bool FramePublisher::is_worth_it(const Simulator& simulator) const {
  const auto saved = credit_ + (std::chrono::steady_clock::now() - last_) / kLeastPause;
  return simulator.time() != shown_ && saved > std::chrono::steady_clock::duration::zero();
}

void FramePublisher::see_step(const Simulator& simulator) {
  if (server_.watchers() == 0) return;
  sample_contacts(simulator.contacts(), step_contacts_);
  average_.add(step_contacts_, simulator.last_step());
}

void FramePublisher::publish(const Simulator& simulator) {
  const auto began = std::chrono::steady_clock::now();
  if (average_.duration() > 0) {
    average_.finish(contacts_);
  } else if (simulator.time() != shown_) {
    sample_contacts(simulator.contacts(), contacts_);
  }
  std::string frame;
  writer_.append({.state = simulator.state(),
                  .step_size = simulator.last_step(),
                  .energy = energy_.measure(simulator.state(), friction_energy(simulator.state())),
                  .contacts = contacts_},
                 frame);
  server_.publish_frame(std::move(frame));
  const auto ended = std::chrono::steady_clock::now();
  next_ = std::max<std::chrono::steady_clock::time_point>(began + kFramePeriod, ended + kLeastPause * (ended - began));
  credit_ = std::min<std::chrono::steady_clock::duration>(credit_ + (ended - last_) / kLeastPause, kMostCredit) -
            (ended - began);
  last_ = ended;
  shown_ = simulator.time();
}

LiveSession::LiveSession(Simulator& simulator, ViewerServer& server, LiveOptions options)
    : simulator_(simulator),
      server_(server),
      options_(std::move(options)),
      publisher_(simulator, server),
      start_(simulator.state()),
      first_ctrl_(start_.ctrl),
      playing_(!options_.paused) {}

Eigen::Ref<VectorXd> LiveSession::hand() {
  return simulator_.state().z.segment(hand_start_, DragSpring::nothing().size());
}

void LiveSession::drag(const view::Drag& command) {
  const Model& model = simulator_.model();
  if (command.body <= 0 || static_cast<size_t>(command.body) >= model.bodies.size()) return;
  if (hand_start_ < 0) {
    hand_start_ = simulator_.state().z.size();
    simulator_.add(std::make_shared<DragSpring>());
  }
  if (command.body == dragged_) return DragSpring::move(command.target, hand());
  dragged_ = command.body;
  hand() = DragSpring::holding(model, simulator_.state(), command.body, command.point, command.target);
}

void LiveSession::drop() {
  dragged_ = -1;
  if (hand_start_ >= 0) hand() = DragSpring::nothing();
}

// One overload a command; what names a body or an actuator that is not there is ignored.
struct LiveSession::CommandHandler {
  LiveSession& session;

  void operator()(const view::Nothing&) const {}
  void operator()(const view::Ready&) const { session.begin(); }
  // After a failure it is tried again, from the last good state.
  void operator()(const view::Play&) const {
    session.begin();
    session.playing_ = true;
    session.message_.clear();
  }
  void operator()(const view::Pause&) const {
    session.playing_ = false;
    session.publisher_.publish(session.simulator_);
  }
  void operator()(const view::StepOnce&) const {
    session.playing_ = false;
    session.message_.clear();
    session.take_step(kInfinity);
    session.publisher_.publish(session.simulator_);
  }
  void operator()(const view::Reset&) const {
    session.drop();
    // Sliders keep their place, unless what they say may be what stopped it.
    if (std::exchange(session.failed_, false)) session.start_.ctrl = session.first_ctrl_;
    State start = session.start_;
    if (session.hand_start_ >= 0) start.z = session.simulator_.state().z;
    start.z.head(session.start_.z.size()) = session.start_.z;
    session.simulator_.set_state(start);
    session.message_.clear();
    session.publisher_.publish(session.simulator_);
  }
  void operator()(const view::SetSpeed& command) const { session.options_.speed = command.speed; }
  void operator()(const view::SetControl& command) const {
    VectorXd& ctrl = session.simulator_.state().ctrl;
    if (command.actuator >= ctrl.size()) return;
    const Range& limits = session.simulator_.model().actuators[static_cast<size_t>(command.actuator)].control_limits;
    ctrl[command.actuator] = std::clamp(command.value, limits.lower, limits.upper);
    session.start_.ctrl = ctrl;
    if (!session.playing_ || !session.begun_) session.publisher_.publish(session.simulator_);
  }
  void operator()(const view::Drag& command) const { session.drag(command); }
  void operator()(const view::Drop&) const { session.drop(); }
};

void LiveSession::obey() {
  bool has_stepped = false;  // who holds the key down does not get ahead of the clock
  for (const view::Command& command : server_.take_commands()) {
    const bool is_step = std::holds_alternative<view::StepOnce>(command);
    if (is_step && std::exchange(has_stepped, true)) continue;
    std::visit(CommandHandler{*this}, command);
    changed_ = true;
  }
}

void LiveSession::take_step(double end) {
  const double before = simulator_.time();
  const Status status = std::isinf(end) ? simulator_.step() : simulator_.step_toward(end);
  simulated_ += simulator_.time() - before;
  if (simulator_.time() != before) publisher_.see_step(simulator_);
  if (status.ok()) return;
  changed_ = true;
  message_ = status.message;
  if (status.code == StatusCode::kNotRecorded) return;  // which is said once, and stops nothing
  playing_ = false;
  failed_ = true;
  publisher_.publish(simulator_);
}

// A sixtieth of a second of the clock; what takes longer to simulate makes the clock late, and is not caught up with.
void LiveSession::advance() {
  const double end = simulator_.time() + options_.speed * seconds(kFramePeriod);
  const Clock::time_point enough = Clock::now() + kFramePeriod;
  while (playing_ && simulator_.time() < end && Clock::now() < enough) take_step(end);
}

void LiveSession::tell_status() {
  const Clock::time_point now = Clock::now();
  if (!changed_ && now < next_status_) return;
  if (now >= next_status_) {
    rate_ = simulated_ / std::max(1e-9, seconds(now - measured_));
    simulated_ = 0;
    measured_ = now;
    next_status_ = now + kStatusPeriod;
  }
  changed_ = false;
  const nlohmann::ordered_json status = {
      {"type", "status"}, {"playing", playing_}, {"speed", options_.speed}, {"rate", rate_}, {"message", message_}};
  server_.publish_status(status.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

// Nothing moves before somebody sees it: the first second is often all there is to see.
void LiveSession::begin() {
  if (std::exchange(begun_, true)) return;
  measured_ = Clock::now();
  next_status_ = measured_ + kStatusPeriod;
}

void LiveSession::run() {
  publisher_.publish(simulator_);
  while (goes_on()) {
    const Clock::time_point began = Clock::now();
    obey();
    const bool runs = playing_ && begun_;
    if (runs) advance();
    if (runs && publisher_.is_due()) publisher_.publish(simulator_);
    tell_status();
    std::this_thread::sleep_until(began + kFramePeriod);
  }
}

}  // namespace stickslip
