#include "stickslip/control/energy_guard.h"

#include <gtest/gtest.h>

#include "stickslip/control/control_testing.h"

namespace stickslip {
namespace {

using control_testing::model_of;

// A method that knows nothing but the energy that the test gives each tree at the start.
class ToldEnergy final : public Method {
 public:
  explicit ToldEnergy(std::vector<TreeEnergy> energy) : energy_(std::move(energy)) {}
  std::unique_ptr<Prepared> make_prepared() const override { return std::make_unique<Prepared>(); }
  Status prepare(const State&, double, Prepared&) override { return {}; }
  Status advance(const Prepared&, double, State&) override { return {}; }
  void measure_energy(const Prepared&, std::vector<TreeEnergy>& energy) const override { energy = energy_; }
  void set_systems(std::shared_ptr<const SystemList>) override {}

 private:
  std::vector<TreeEnergy> energy_;
};

// Two free balls of 1 kg without gravity: each has v^2/2.
Model two_balls() {
  return model_of(R"(
gravity: [0, 0, 0]
bodies:
  - {name: left, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
  - {name: right, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
)");
}

struct Case {
  std::vector<TreeEnergy> start = {{.kinetic = 0.5}, {.kinetic = 0.5}};
  double left = 1, right = 1;  // speeds at the end
  std::vector<int> islands = {0, 1};
  StepWork work;
  double h = 0.01;
};

EnergyGain gain_of(const Case& x) {
  const Model model = two_balls();
  EnergyGuard guard(model, 1e-2);
  const ToldEnergy method(x.start);
  guard.begin(method, *method.make_prepared());
  State next = initial_state(model);
  next.v[0] = x.left;
  next.v[6] = x.right;
  guard.forget_islands();
  guard.join({{.island = x.islands[0], .is_acted_on = true}, {.island = x.islands[1], .is_acted_on = true}});
  return guard.measure(x.h, next, x.work);
}

// Of 0.5 J in play, 0.1 * 1e-2 of that may be gained in 10 ms: 0.5 mJ.
TEST(EnergyGuard, AllowsAShareOfTheAccuracyOfWhatIsInPlay) {
  EXPECT_EQ(gain_of({}).over, 0);
  const auto speed = [](double gained) { return std::sqrt(1 + 2 * gained); };
  EXPECT_NEAR(gain_of({.left = speed(0.4e-3)}).over, 0.8, 1e-5);  // the creep of size() counts for 1e-6
  const EnergyGain much = gain_of({.left = speed(5e-3)});
  EXPECT_NEAR(much.over, 10, 1e-4);
  EXPECT_EQ(much.tree, 0);
  EXPECT_NEAR(much.gained, 5e-3, 1e-9);
  // Half of the time, half of it; but a tenth at least.
  EXPECT_NEAR(gain_of({.left = speed(0.25e-3), .h = 5e-3}).over, 1, 1e-5);
  EXPECT_NEAR(gain_of({.left = speed(0.05e-3), .h = 1e-6}).over, 1, 1e-5);
}

// What one gives and another takes is nobody's gain, in one island; between islands there is no way for it.
TEST(EnergyGuard, BodiesOfAnIslandExchangeEnergy) {
  Case given{.left = 0, .right = std::sqrt(2.0), .islands = {0, 0}};
  EXPECT_EQ(gain_of(given).over, 0);
  given.islands = {0, 1};
  EXPECT_GT(gain_of(given).over, 100);
  EXPECT_EQ(gain_of(given).tree, 1);
}

TEST(EnergyGuard, StoredEnergyMayComeBack) {
  EXPECT_EQ(gain_of({.start = {{.elastic = 0.5}, {.kinetic = 0.5}}}).over, 0);
  EXPECT_EQ(gain_of({.start = {{.stiff = 0.5}, {.kinetic = 0.5}}}).over, 0);
  EXPECT_GT(gain_of({.start = {{}, {.kinetic = 0.5}}}).over, 100);
}

// Work of contact feeds nothing; that of actuators and prescribed motion does.
TEST(EnergyGuard, OnlyWhatComesFromOutsideFeeds) {
  const std::vector<TreeEnergy> start = {{}, {.kinetic = 0.5}};
  EXPECT_EQ(gain_of({.start = start, .work = {.actuators = 0.5}}).over, 0);
  EXPECT_EQ(gain_of({.start = start, .work = {.prescribed = 0.5}}).over, 0);
  EXPECT_GT(gain_of({.start = start, .work = {.contact = 0.5}}).over, 100);
}

// A million metres up, in gravity, potential energy is known to a nanojoule or so, and no better.
TEST(EnergyGuard, RoundOffFarAwayIsNoGain) {
  const Model model = model_of(R"(
bodies: [{name: mote, mass: 1.0e-3, inertia: {ixx: 1.0e-10, iyy: 1.0e-10, izz: 1.0e-10}, pose: {position: [0, 0, 1.0e6]}}]
)");
  EnergyGuard guard(model, 1e-5);
  State next = initial_state(model);
  const double potential = 1e-3 * model.gravity.norm() * 1e6;
  const ToldEnergy method(std::vector<TreeEnergy>{{.potential = potential * (1 - 1e-15)}});
  guard.begin(method, *method.make_prepared());
  guard.forget_islands();
  guard.join({{.island = 0, .is_acted_on = true}});
  EXPECT_LE(guard.measure(1e-3, next, {}).over, 1);
}

}  // namespace
}  // namespace stickslip
