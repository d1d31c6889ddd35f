#include "stickslip/contact/normal_law.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace stickslip {
namespace {

struct Sample {
  double phi0, h, k, d, v;
};

std::vector<Sample> samples() {
  std::mt19937 generator(3);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(generator); };
  std::vector<Sample> out;
  for (int i = 0; i < 2000; ++i) {
    const double h = std::pow(10, uniform(-5, -1));
    out.push_back({uniform(-2e-3, 1e-3), h, std::pow(10, uniform(2, 8)), i % 3 == 0 ? 0 : std::pow(10, uniform(-1, 3)),
                   uniform(-1, 1)});
  }
  return out;
}

// The form x (p + q x) is the paper's product of two positive parts.   ICF (22)
TEST(HuntCrossleyLaw, EqualsTheProductOfThePaper) {
  for (const Sample& s : samples()) {
    const double expected = s.h * s.k * std::max(0.0, -s.phi0 - s.h * s.v) * std::max(0.0, 1 - s.d * s.v);
    const double scale = s.h * s.k * (std::abs(s.phi0) + s.h * std::abs(s.v)) * (1 + s.d * std::abs(s.v));
    EXPECT_NEAR(hunt_crossley_law(s.phi0, s.h, s.k, s.d).impulse(s.v), expected, 1e-12 * scale);
  }
}

// ICF (23), in all three cases.
TEST(HuntCrossleyLaw, BreaksAtTheBreakingVelocity) {
  EXPECT_DOUBLE_EQ(hunt_crossley_law(-1e-3, 1e-2, 1e5, 0).v_hat, 0.1);
  EXPECT_DOUBLE_EQ(hunt_crossley_law(-1e-3, 1e-2, 1e5, 100).v_hat, 0.01);
  EXPECT_DOUBLE_EQ(hunt_crossley_law(1e-3, 1e-2, 1e5, 100).v_hat, -0.1);
}

// Potential and stiffness are the integral and minus the derivative of the impulse, by central differences.
template <typename Law>
void expect_integrates(const Law& law, const Sample& s) {
  const double e = 1e-6;
  const double slope = (law.potential(s.v + e) - law.potential(s.v - e)) / (2 * e);
  const double scale = law.impulse(s.v - 2 * e) + law.stiffness(s.v - 2 * e) * e;
  EXPECT_NEAR(slope, -law.impulse(s.v), 1e-4 * scale + 1e-8 * law.potential(-1));
  const double curvature = (law.impulse(s.v - e) - law.impulse(s.v + e)) / (2 * e);
  EXPECT_NEAR(curvature, law.stiffness(s.v), 1e-4 * law.stiffness(s.v - 2 * e) + 1e-8 * law.impulse(-1));
  EXPECT_GE(law.stiffness(s.v), 0);
}

bool away_from_breaking(const Sample& s) {
  const double v_hat = s.d > 0 ? std::min(-s.phi0 / s.h, 1 / s.d) : -s.phi0 / s.h;
  return std::abs(s.v - v_hat) > 1e-4;
}

TEST(HuntCrossleyLaw, PotentialIsAntiderivativeOfImpulse) {
  for (const Sample& s : samples())
    if (away_from_breaking(s)) expect_integrates(hunt_crossley_law(s.phi0, s.h, s.k, s.d), s);
}

TEST(RelaxationLaw, PotentialIsAntiderivativeOfImpulse) {
  for (const Sample& s : samples()) {
    const NormalLaw<double> law = relaxation_law(s.phi0, s.h, s.k, s.d * 1e-3);
    if (std::abs(s.v - law.v_hat) > 1e-4) expect_integrates(law, s);
  }
}

TEST(HertzLaw, PotentialIsAntiderivativeOfImpulse) {
  for (const Sample& s : samples())
    if (away_from_breaking(s)) expect_integrates(hertz_law(s.phi0, s.h, s.k, s.d), s);
}

// The form x (p + q x) sqrt(s + t x) is the product of the law's definition.
TEST(HertzLaw, EqualsTheProductOfPowerAndDissipation) {
  for (const Sample& s : samples()) {
    const double delta = std::max(0.0, -s.phi0 - s.h * s.v);
    const double expected = s.h * s.k * std::pow(delta, 1.5) * std::max(0.0, 1 - s.d * s.v);
    const double size = std::abs(s.phi0) + s.h * std::abs(s.v);
    const double scale = s.h * s.k * std::pow(size, 1.5) * (1 + s.d * std::abs(s.v));
    EXPECT_NEAR(hertz_law(s.phi0, s.h, s.k, s.d).impulse(s.v), expected, 1e-12 * scale);
  }
}

// A sphere pressed on a plane: F = 4/3 E* sqrt(R) delta^1.5.
TEST(HertzLaw, ForceGrowsWithThePowerOfThreeHalves) {
  const NormalLaw<double> law = hertz_law(-1e-4, 1e-3, 1e9, 0);
  EXPECT_NEAR(law.impulse(0), 1e-3 * 1e9 * 1e-6, 1e-12);
  const NormalLaw<double> deeper = hertz_law(-4e-4, 1e-3, 1e9, 0);
  EXPECT_NEAR(deeper.impulse(0) / law.impulse(0), 8, 1e-12);
}

// Candidates do not act at a distance; with a relaxation time they do, by tau |v|.
TEST(NormalLaws, ActionAtADistance) {
  const double h = 1e-3, phi = 1e-3;
  EXPECT_EQ(hunt_crossley_law(phi, h, 1e6, 50).impulse(-0.99), 0);
  EXPECT_GT(hunt_crossley_law(phi, h, 1e6, 50).impulse(-1.01), 0);
  EXPECT_EQ(relaxation_law(phi, h, 1e6, 1e-3).impulse(-0.49), 0);
  EXPECT_GT(relaxation_law(phi, h, 1e6, 1e-3).impulse(-0.51), 0);
}

// As the step shrinks the impulse over h becomes the force at the start.
TEST(NormalLaws, ImpulseOverStepTendsToTheForce) {
  const double phi = -1e-3, k = 1e6, d = 2, tau = 1e-4, v = 0.1;
  EXPECT_NEAR(hunt_crossley_law(phi, 1e-9, k, d).impulse(v) / 1e-9, hunt_crossley_force(phi, v, k, d), 1e-3);
  EXPECT_NEAR(relaxation_law(phi, 1e-9, k, tau).impulse(v) / 1e-9, relaxation_force(phi, v, k, tau), 1e-3);
}

}  // namespace
}  // namespace stickslip
