#include "stickslip/state/interpolate.h"

#include <gtest/gtest.h>

#include "stickslip/model/forest_testing.h"
#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

Model ball() {
  Scene scene;
  Body body;
  body.name = "ball";
  body.inertia = MassProperties{1.0, Vector3d::Zero(), Matrix3d::Identity()};
  scene.bodies.push_back(body);
  return compile(scene);
}

TEST(Interpolator, FollowsAParabolaExactly) {
  const Model model = ball();
  State from = initial_state(model), to = from;
  const double h = 0.1, g = 9.81;
  from.v[2] = 0.4;
  to.time = h;
  to.q[2] = from.v[2] * h - 0.5 * g * h * h;
  to.v[2] = from.v[2] - g * h;
  Interpolator between(model, from, to);
  VectorXd q, v;
  for (double s : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    between.at(s, q, v);
    const double t = s * h;
    EXPECT_NEAR(q[2], from.v[2] * t - 0.5 * g * t * t, 1e-15);
    EXPECT_NEAR(v[2], from.v[2] - g * t, 1e-15);
  }
}

// A ball that bounced on the way is drawn by a straight line: it goes neither through the floor nor above the ends.
TEST(Interpolator, DoesNotOvershootImpacts) {
  const Model model = ball();
  State from = initial_state(model), to = from;
  from.q[2] = 0.01;
  from.v[2] = -3;
  to.time = 0.01;
  to.q[2] = 0.012;
  to.v[2] = 3;
  Interpolator between(model, from, to);
  VectorXd q, v;
  for (double s = 0; s <= 1; s += 0.05) {
    between.at(s, q, v);
    EXPECT_GE(q[2], 0.01 - 1e-15);
    EXPECT_LE(q[2], 0.012 + 1e-15);
  }
}

// A body that turns steadily is turned steadily, however far.
TEST(Interpolator, TurnsAlongTheManifold) {
  const Model model = ball();
  State from = initial_state(model), to = from;
  from.v[5] = to.v[5] = 20;
  to.time = 0.1;
  VectorXd turn = VectorXd::Zero(6), expected = from.q;
  turn[5] = 2;
  integrate(model, from.q, turn, to.q);
  Interpolator between(model, from, to);
  VectorXd q, v;
  between.at(0.3, q, v);
  turn[5] = 0.6;
  integrate(model, from.q, turn, expected);
  EXPECT_LE((q - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace stickslip
