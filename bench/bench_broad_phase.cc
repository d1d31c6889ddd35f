// Piles of mixed boxes in a bin of five walls on a half-space: settled, falling together, and all moving fast.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <random>

#include "stickslip/geometry/broad_phase.h"

namespace stickslip::bench {
namespace {

constexpr int kWalls = 5;
constexpr int kStatic = kWalls + 1;  // and the floor

enum class Motion { kSettled, kFalling, kFast };

class Pile {
 public:
  Pile(int count, Motion motion)
      : motion_(motion), collision_(make_model(count)), boxes_(collision_.geometries.size()) {
    constexpr double kFilling = 0.8;  // boxes around the bodies of a settled pile overlap a little
    velocity_.resize(boxes_.size());
    double volume = 0;
    for (std::size_t i = kStatic; i < boxes_.size(); ++i) {
      const Vector3d half(uniform(0.02, 0.05), uniform(0.02, 0.05), uniform(0.02, 0.05));
      boxes_[i] = {-half, half};
      volume += 8 * half.prod();
    }
    side_ = std::cbrt(volume / kFilling);
    for (std::size_t i = kStatic; i < boxes_.size(); ++i) {
      shift(boxes_[i], {uniform(0, side_), uniform(0, side_), uniform(0, side_)});
      velocity_[i] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    }
    add_bin();
    start_ = boxes_;
  }

  const CollisionModel& collision() const { return collision_; }
  const std::vector<Aabb>& boxes() const { return boxes_; }

  // A micron to and fro; 2 ms at 3 m/s with a tenth of scatter, from the start again every 50 queries; 5 ms at up to 5
  // m/s along each axis.
  void step() {
    constexpr int kFall = 50;
    ++steps_;
    if (motion_ == Motion::kFalling && steps_ % kFall == 0) boxes_ = start_;
    for (std::size_t i = kStatic; i < boxes_.size(); ++i) {
      if (motion_ == Motion::kSettled) shift(boxes_[i], (steps_ % 2 == 0 ? 1e-6 : -1e-6) * velocity_[i]);
      if (motion_ == Motion::kFalling) shift(boxes_[i], 0.002 * (Vector3d(0, 0, -3) + 0.3 * velocity_[i]));
      if (motion_ == Motion::kFast) fly(i);
    }
  }

 private:
  static CollisionModel make_model(int count) {
    Scene scene;
    scene.world_geometry = {{.shape = HalfSpace{}}};
    for (int i = 0; i < kWalls; ++i) scene.world_geometry.push_back({.shape = Box{Vector3d::Ones()}});
    for (int i = 0; i < count; ++i) {
      scene.bodies.push_back({.name = std::to_string(i),
                              .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()},
                              .geometry = {{.shape = Box{Vector3d::Ones()}}}});
    }
    return make_collision_model(compile(scene));
  }
  static void shift(Aabb& box, const Vector3d& by) {
    box.lower += by;
    box.upper += by;
  }
  double uniform(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(engine_); }
  void add_bin() {
    const double s = side_, t = 0.1;
    boxes_[0] = {Vector3d::Constant(-kInfinity), Vector3d(kInfinity, kInfinity, 0)};
    boxes_[1] = {Vector3d(-t, -t, -t), Vector3d(s + t, s + t, 0)};
    boxes_[2] = {Vector3d(-t, -t, 0), Vector3d(0, s + t, s)};
    boxes_[3] = {Vector3d(s, -t, 0), Vector3d(s + t, s + t, s)};
    boxes_[4] = {Vector3d(0, -t, 0), Vector3d(s, 0, s)};
    boxes_[5] = {Vector3d(0, s, 0), Vector3d(s, s + t, s)};
  }
  void fly(std::size_t i) {
    shift(boxes_[i], 0.005 * 5 * velocity_[i]);
    const Vector3d center = boxes_[i].center();
    for (int k = 0; k < 3; ++k) {
      const bool leaves = center[k] < 0 ? velocity_[i][k] < 0 : center[k] > side_ && velocity_[i][k] > 0;
      if (leaves) velocity_[i][k] *= -1;
    }
  }

  Motion motion_;
  std::mt19937 engine_{1};
  CollisionModel collision_;
  std::vector<Aabb> boxes_, start_;
  std::vector<Vector3d> velocity_;
  double side_ = 0;
  int steps_ = 0;
};

void run(benchmark::State& bench, Motion motion, int count) {
  constexpr int kWarmUp = 30;
  Pile pile(count, motion);
  BroadPhase broad_phase;
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < kWarmUp; ++i) {
    broad_phase.find_pairs(pile.collision(), pile.boxes(), pairs);
    pile.step();
  }
  for (auto _ : bench) {
    broad_phase.find_pairs(pile.collision(), pile.boxes(), pairs);
    bench.PauseTiming();
    pile.step();
    bench.ResumeTiming();
  }
  bench.counters["body"] = benchmark::Counter(
      count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);  // seconds a body
}

[[maybe_unused]] const bool kRegistered = [] {
  constexpr std::pair<const char*, Motion> kMotions[] = {
      {"settled", Motion::kSettled}, {"falling", Motion::kFalling}, {"fast", Motion::kFast}};
  for (const auto& [name, motion] : kMotions) {
    for (const int count : {100, 1000, 10000}) {
      const std::string title = fmt::format("broad_phase/{}_{}/stickslip", name, count);
      benchmark::RegisterBenchmark(title.c_str(), run, motion, count);
    }
  }
  return true;
}();

}  // namespace
}  // namespace stickslip::bench
