#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <random>

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/anisotropy.h"
#include "stickslip/contact/differentiate_testing.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"

namespace stickslip {
namespace {

using contact_testing::Dual;
using contact_testing::to_matrix;
using contact_testing::to_vector;
using contact_testing::variables;

// Random parameters and velocities that visit stick, slip and open, overlap and candidates, with and without
// dissipation.
class Sampler {
 public:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  double decades(double low, double high) { return std::pow(10, uniform(std::log10(low), std::log10(high))); }
  bool coin() { return uniform(0, 1) < 0.5; }

  NormalLaw<double> normal_law() {
    const double h = decades(1e-4, 5e-2);
    const double phi0 = uniform(-1e-3, 5e-4);
    const double k = decades(1e3, 1e8);
    if (coin()) return relaxation_law(phi0, h, k, coin() ? 0 : decades(1e-4, 1e-1));
    if (coin()) return hertz_law(phi0, h, 30 * k, coin() ? 0 : decades(1e-1, 1e3));
    return hunt_crossley_law(phi0, h, k, coin() ? 0 : decades(1e-1, 1e3));
  }
  ContactVector<double> velocity() {
    const double slip = decades(1e-6, 1), angle = uniform(0, 6.3);
    return {slip * std::cos(angle), slip * std::sin(angle), (coin() ? -1 : 1) * decades(1e-6, 2)};
  }

 private:
  std::mt19937 generator_{7};
};

template <template <typename> class Model>
Model<double> random_model(Sampler& sample);

template <>
LaggedModel<double> random_model<LaggedModel>(Sampler& sample) {
  return {sample.normal_law(), sample.decades(1e-4, 10), sample.decades(1e-5, 1e-2)};
}
template <>
AnchoredModel<double> random_model<AnchoredModel>(Sampler& sample) {
  const double radius = sample.coin() ? sample.decades(1e-4, 10) : 0;
  return {sample.normal_law(), radius, sample.decades(1e-4, 1e3), sample.uniform(-2, 2), sample.uniform(-2, 2)};
}
template <>
SimilarModel<double> random_model<SimilarModel>(Sampler& sample) {
  return {sample.normal_law(), sample.uniform(0, 2), sample.decades(1e-5, 1e-2)};
}
template <>
SapModel<double> random_model<SapModel>(Sampler& sample) {
  return {sample.uniform(-0.5, 0.5), sample.decades(1e-2, 1e4), sample.decades(1, 1e4), sample.uniform(0, 2)};
}

template <typename To, typename From>
NormalLaw<To> converted(const NormalLaw<From>& law, auto&& of) {
  return {of(law.v_hat), of(law.p), of(law.q), of(law.s), of(law.t)};
}
template <typename To>
LaggedModel<To> converted(const LaggedModel<double>& m, auto&& of) {
  return {converted<To>(m.normal, of), of(m.radius), of(m.softness)};
}
template <typename To>
AnchoredModel<To> converted(const AnchoredModel<double>& m, auto&& of) {
  return {converted<To>(m.normal, of), of(m.radius), of(m.kappa), of(m.start_x), of(m.start_y)};
}
template <typename To>
SimilarModel<To> converted(const SimilarModel<double>& m, auto&& of) {
  return {converted<To>(m.normal, of), of(m.mu), of(m.softness)};
}
template <typename To>
SapModel<To> converted(const SapModel<double>& m, auto&& of) {
  return {of(m.v_hat), of(m.inverse_Rn), of(m.inverse_Rt), of(m.mu)};
}
template <typename To, typename Model>
Anisotropic<decltype(converted<To>(Model(), Eigen::constant)), To> converted(const Anisotropic<Model, double>& m,
                                                                             auto&& of) {
  return {converted<To>(m.isotropic, of), of(m.scale_x), of(m.scale_y)};
}

// Near the surfaces where a model switches branch round-off decides which derivative is right; random samples do not
// hit them. Tolerances: sums of a few terms of the size of the result.
template <typename Model>
void expect_derivatives_match(const Model& model, const ContactVector<double>& v) {
  const auto dual = converted<Dual>(model, Eigen::constant);
  const auto V = variables(v);
  const Eigen::Vector3d impulse = to_vector(model.impulse(v));
  const Eigen::Matrix3d hessian = to_matrix(model.hessian(v));
  const Eigen::Vector3d gradient = dual.potential(V).derivatives();
  EXPECT_LE((impulse + gradient).norm(), 1e-9 * impulse.norm() + 1e-300);
  const auto gamma = dual.impulse(V);
  Eigen::Matrix3d derivative;
  derivative << gamma.x.derivatives().transpose(), gamma.y.derivatives().transpose(), gamma.n.derivatives().transpose();
  EXPECT_LE((hessian + derivative).norm(), 1e-9 * hessian.norm() + 1e-300);
  // no curl: the derivative is symmetric although nothing in it says so, ICF (13)
  EXPECT_LE((derivative - derivative.transpose()).norm(), 1e-9 * derivative.norm() + 1e-300);
  const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(hessian).eigenvalues()[0];
  EXPECT_GE(smallest, -1e-12 * hessian.norm());
  EXPECT_GE(model.potential(v), 0);
}

template <typename Model>
void expect_convex_between(const Model& model, const ContactVector<double>& a, const ContactVector<double>& b) {
  const ContactVector<double> middle{0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.n + b.n)};
  const double chord = 0.5 * (model.potential(a) + model.potential(b));
  EXPECT_LE(model.potential(middle), chord * (1 + 1e-12) + 1e-300);
}

template <template <typename> class Model>
void expect_convex_potential() {
  Sampler sample;
  for (int i = 0; i < 20000; ++i) {
    const Model<double> model = random_model<Model>(sample);
    const ContactVector<double> v = sample.velocity();
    expect_derivatives_match(model, v);
    expect_convex_between(model, v, sample.velocity());
    const Anisotropic<Model<double>, double> elliptic{model, sample.uniform(0.1, 1), 1};
    expect_derivatives_match(elliptic, v);
    expect_convex_between(elliptic, v, sample.velocity());
    if (testing::Test::HasFailure()) FAIL() << "sample " << i;
  }
}

TEST(LaggedModel, ImpulseIsMinusTheGradientOfAConvexPotential) { expect_convex_potential<LaggedModel>(); }
TEST(AnchoredModel, ImpulseIsMinusTheGradientOfAConvexPotential) { expect_convex_potential<AnchoredModel>(); }
TEST(SimilarModel, ImpulseIsMinusTheGradientOfAConvexPotential) { expect_convex_potential<SimilarModel>(); }
TEST(SapModel, ImpulseIsMinusTheGradientOfAConvexPotential) { expect_convex_potential<SapModel>(); }

// Compilers contract products and sums differently in vectors; where velocities cancel a few digits go.
void expect_near(double packed, double alone) { EXPECT_NEAR(packed, alone, 1e-8 * (1 + std::abs(alone))); }

// Four contacts at a time give what each gives alone.
template <template <typename> class Model>
void expect_packs_equal_scalars() {
  Sampler sample;
  const auto lanes = [](double x) { return Pack{x, x, x, x}; };
  for (int i = 0; i < 1000; ++i) {
    const Model<double> model = random_model<Model>(sample);
    const Model<Pack> packed = converted<Pack>(model, lanes);
    ContactVector<double> v[kPackSize];
    ContactVector<Pack> V;
    for (int lane = 0; lane < kPackSize; ++lane) {
      v[lane] = sample.velocity();
      V.x[lane] = v[lane].x;
      V.y[lane] = v[lane].y;
      V.n[lane] = v[lane].n;
    }
    const ContactVector<Pack> impulse = packed.impulse(V);
    const ContactMatrix<Pack> hessian = packed.hessian(V);
    for (int lane = 0; lane < kPackSize; ++lane) {
      const ContactVector<double> gamma = model.impulse(v[lane]);
      const ContactMatrix<double> H = model.hessian(v[lane]);
      expect_near(impulse.n[lane], gamma.n);
      expect_near(impulse.x[lane], gamma.x);
      expect_near(hessian.nn[lane], H.nn);
      expect_near(hessian.xx[lane], H.xx);
      EXPECT_NEAR(hessian.xy[lane], H.xy, 1e-8 * (1 + H.xx + H.yy));
    }
  }
}

TEST(LaggedModel, FourAtATimeEqualOne) { expect_packs_equal_scalars<LaggedModel>(); }
TEST(AnchoredModel, FourAtATimeEqualOne) { expect_packs_equal_scalars<AnchoredModel>(); }
TEST(SimilarModel, FourAtATimeEqualOne) { expect_packs_equal_scalars<SimilarModel>(); }
TEST(SapModel, FourAtATimeEqualOne) { expect_packs_equal_scalars<SapModel>(); }

// At rest every model's friction is finite and zero.
TEST(ConvexModels, NoSlipNoFriction) {
  const ContactVector<double> rest{0, 0, -0.01};
  const NormalLaw<double> law = hunt_crossley_law(-1e-4, 1e-3, 1e5, 10);
  for (const ContactVector<double>& gamma :
       {LaggedModel<double>{law, 0.1, 1e-4}.impulse(rest), SimilarModel<double>{law, 0.5, 1e-4}.impulse(rest),
        SapModel<double>{0.1, 1, 100, 0.5}.impulse(rest)}) {
    EXPECT_EQ(gamma.x, 0);
    EXPECT_EQ(gamma.y, 0);
    EXPECT_GT(gamma.n, 0);
  }
}

// A stretched spring holds without moving as long as its cone lets it, and then all that the cone allows.
TEST(AnchoredModel, HoldsWithoutMovingUpToTheCone) {
  const double h = 1e-3, k = 1e5, c = 20, kappa = h * (h * k + c), radius = 5e-3;
  const NormalLaw<double> law = hunt_crossley_law(-1e-4, h, k, 10);
  const auto at_rest = [&](double a) {
    return AnchoredModel<double>{law, radius, kappa, h * k * a, 0}.impulse(ContactVector<double>{});
  };
  EXPECT_DOUBLE_EQ(at_rest(2e-5).x, -h * k * 2e-5);
  EXPECT_DOUBLE_EQ(at_rest(-4.9e-5).x, h * k * 4.9e-5);
  EXPECT_DOUBLE_EQ(at_rest(1e-3).x, -radius);
  EXPECT_EQ(at_rest(0).x, 0);
}

// An ever stiffer spring is a rigid contact: the velocity that any load below the cone leaves tends to zero.
TEST(AnchoredModel, TendsToRigidStick) {
  const double h = 1e-2, load = 0.4, radius = 0.5;
  double last = std::numeric_limits<double>::infinity();
  for (double k : {1e3, 1e5, 1e7, 1e9, 1e12}) {
    const AnchoredModel<double> model{{}, radius, h * h * k, 0, 0};
    const double v = load / (h * h * k);  // where the spring alone balances the load
    EXPECT_NEAR(model.impulse({v, 0, 0}).x, -load, 1e-12);
    EXPECT_LT(v, last);
    last = v;
    EXPECT_NEAR(model.impulse({1e-3, 0, 0}).x, -std::min(radius, h * h * k * 1e-3), 1e-12);
  }
  EXPECT_LT(last, 1e-7);
}

// Unused lanes of a pack, and contacts without friction.
TEST(AnchoredModel, NothingIsFinite) {
  const AnchoredModel<double> nothing;
  EXPECT_EQ(nothing.impulse({1, 2, 3}).x, 0);
  EXPECT_EQ(nothing.hessian({1, 2, 3}).xx, 0);
  EXPECT_EQ(nothing.potential({1, 2, 3}), 0);
  const AnchoredModel<double> slippery{{}, 0, 1, 0, 0};
  EXPECT_EQ(slippery.impulse({0, 0, 0}).y, 0);
  EXPECT_EQ(slippery.hessian({0, 0, 0}).yy, 1);  // the inner side of a cone that is a point
  EXPECT_EQ(slippery.hessian({1, 0, 0}).yy, 0);
}

// ICF Table I, gliding: the height at which a sliding body loses its normal force, and beyond which it has none.
TEST(ConvexModels, GlidingHeightsOfTableOne) {
  const double h = 1e-2, tau = 3e-3, k = 1e6, d = 20, mu = 0.7, speed = 2, vs = 1e-4;
  const ContactVector<double> slide{speed, 0, 0};
  const auto force = [&](auto&& model_at, double height) { return model_at(height).impulse(slide).n; };
  const auto sap = [&](double phi) { return SapModel<double>{-phi / (h + tau), h * k * (h + tau), 1e3, mu}; };
  const auto similar = [&](double phi) { return SimilarModel<double>{hunt_crossley_law(phi, h, k, d), mu, vs}; };
  const auto lagged = [&](double phi) { return LaggedModel<double>{hunt_crossley_law(phi, h, k, d), 0.1, vs}; };
  const auto expect_height = [&](auto&& model_at, double height) {
    EXPECT_GT(force(model_at, height - 1e-6), 0);
    EXPECT_EQ(force(model_at, height + 1e-6), 0);
  };
  expect_height(sap, mu * (h + tau) * speed);     // ICF (24)
  expect_height(similar, mu * h * (speed - vs));  // |v_t|_s = |v_t| - v_s for fast slip
  expect_height(lagged, 0);
}

// ICF Table I, compliance during slip: k/(1 + mt^2) and tau for SAP, k (1 + mu d |vt|) and d/(1 + mu d |vt|) for
// Similar, k and d for Lagged. Measured as derivatives of the normal force by the distance and by v_n.
TEST(ConvexModels, EffectiveStiffnessesOfTableOne) {
  const double h = 1e-4, tau = 3e-3, k = 1e6, d = 5, mu = 0.7, speed = 0.5, vs = 1e-6, phi = -5e-3, Rt = 1e-3;
  const ContactVector<double> slide{speed, 0, 0};
  const double step = 1e-7;
  const auto stiffness = [&](auto&& model_at) {
    return (model_at(phi - step).impulse(slide).n - model_at(phi + step).impulse(slide).n) / (2 * step * h);
  };
  const double Rn = 1 / (h * k * (h + tau));
  const auto sap = [&](double x) { return SapModel<double>{-x / (h + tau), 1 / Rn, 1 / Rt, mu}; };
  const auto similar = [&](double x) { return SimilarModel<double>{hunt_crossley_law(x, h, k, d), mu, vs}; };
  const auto lagged = [&](double x) { return LaggedModel<double>{hunt_crossley_law(x, h, k, d), 0.1, vs}; };
  EXPECT_NEAR(stiffness(sap), k / (1 + mu * mu * Rt / Rn), 1e-6 * k);
  EXPECT_NEAR(stiffness(similar), k * (1 + mu * d * speed), 1e-4 * k);  // v_s/speed of it
  EXPECT_NEAR(stiffness(lagged), k, 1e-6 * k);
  // the dissipation: -(d gamma/d v_n at fixed end distance) / (stiffness * overlap)
  const auto dissipation = [&](auto&& model_at) {
    const double total = model_at(phi).hessian(slide).nn / h;  // h k_eff + k_eff d_eff overlap
    return (total - h * stiffness(model_at)) / (stiffness(model_at) * -phi);
  };
  EXPECT_NEAR(dissipation(similar), d / (1 + mu * d * speed), 0.02 * d);  // first order in h
  EXPECT_NEAR(dissipation(lagged), d, 1e-6 * d);
}

// ICF (26): plain while the impulse is small, softer in proportion beyond.
TEST(LaggedModel, SoftnessGrowsWithImpacts) {
  EXPECT_EQ(impact_softness(1e-4, 2, 0.01), 1e-4);
  EXPECT_DOUBLE_EQ(impact_softness(1e-4, 2, 10), 2e-2);
}

}  // namespace
}  // namespace stickslip
