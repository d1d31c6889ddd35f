#include "stickslip/icf/contact_potential.h"

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"
#include "stickslip/icf/node_blocks.h"

namespace stickslip {
namespace {

double sum(const Pack& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// K = frame H frame', world axes.
Matrix3d to_world(const Matrix3d& frame, const ContactMatrix<Pack>& H, int k) {
  const Vector3d x = H.xx[k] * frame.col(0) + H.xy[k] * frame.col(1) + H.xn[k] * frame.col(2);
  const Vector3d y = H.xy[k] * frame.col(0) + H.yy[k] * frame.col(1) + H.yn[k] * frame.col(2);
  const Vector3d n = H.xn[k] * frame.col(0) + H.yn[k] * frame.col(1) + H.nn[k] * frame.col(2);
  Matrix3d K;
  for (int c = 0; c < 3; ++c) K.col(c) = frame(c, 0) * x + frame(c, 1) * y + frame(c, 2) * n;
  return K;
}

// Adds a contact's K at its arm: J = [1, -X] with X = [arm], so [P Q; Q' S] = [K, -K X; X K, -X K X].
void add_contact(const Matrix3d& K, const Vector3d& arm, PatchHessian& G) {
  const Matrix3d XK = cross_times(arm, K);
  G.P += K;
  G.Q += XK.transpose();
  G.S += cross_times(arm, XK.transpose());
}

// visit(contact, J x), contact's frame.
template <typename Visit>
void for_each_velocity(const Problem& problem, const Island& island, const double* x, Visit&& visit) {
  for (int i = island.patches.first; i < island.patches.end(); ++i) {
    const Patch& patch = problem.patches[i];
    const Twist twist = relative_twist(problem, patch, x);
    for (int c = patch.first; c < patch.first + patch.count; ++c) {
      const PatchContact& contact = problem.contacts[c];
      const Vector3d velocity = twist.linear + twist.angular.cross(contact.arm);
      visit(c, contact.frame.transpose() * velocity);
    }
  }
}

}  // namespace

template <template <typename> class Law>
void ContactPotential<Law>::resize(const Problem& problem) {
  const size_t packs = problem.contacts.size() / kPackSize;
  laws.resize(packs);
  friction.resize(packs);
  lag_.resize(packs);
  v_.assign(packs, {});  // lanes without a contact stay zero
  u_.assign(packs, {});
  impulse_.resize(packs);
  start_.resize(packs);
  hessian_.resize(packs);
  patch_hessian_.resize(problem.patches.size());
}

template <template <typename> class Law>
void ContactPotential<Law>::set_velocity(const Problem& problem, const Island& island, const double* v) {
  for_each_velocity(problem, island, v,
                    [&](int c, const Vector3d& v_c) { set_lane(v_, c, v_c + problem.contacts[c].bias); });
}

template <template <typename> class Law>
void ContactPotential<Law>::remember_start(const Island& island) {
  for (int i = island.packs.first; i < island.packs.end(); ++i) start_[i] = v_[i];
}

template <template <typename> class Law>
double ContactPotential<Law>::relag(const Island& island)
  requires requires(Law<Pack> law) { law.radius; }
{
  Pack change{}, total{};
  for (int i = island.packs.first; i < island.packs.end(); ++i) {
    const Pack impulse = impulse_[i].n, radius = friction[i] * impulse, step = radius - laws[i].radius;
    change += step > 0.0 ? step : -step;
    total += impulse + radius;
    laws[i].radius = radius;
  }
  return sum(total) > 0 ? sum(change) / sum(total) : 0;
}

template <template <typename> class Law>
void ContactPotential<Law>::remember_lag(const Island& island)
  requires requires(Law<Pack> law) { law.radius; }
{
  for (int i = island.packs.first; i < island.packs.end(); ++i) lag_[i] = laws[i].radius;
}

template <template <typename> class Law>
void ContactPotential<Law>::restore_lag(const Island& island)
  requires requires(Law<Pack> law) { law.radius; }
{
  for (int i = island.packs.first; i < island.packs.end(); ++i) laws[i].radius = lag_[i];
}

template <template <typename> class Law>
double ContactPotential<Law>::work(const Problem& problem) const {
  Pack total{};
  for (size_t i = 0; i < v_.size(); ++i) total += 0.5 * (dot(impulse_[i], start_[i]) + dot(impulse_[i], v_[i]));
  return sum(total) + bias_work(problem);
}

template <template <typename> class Law>
double ContactPotential<Law>::bias_work(const Problem& problem) const {
  double work = 0;
  if (!problem.has_bias) return work;
  for (size_t i = 0; i < problem.contacts.size(); ++i)
    work -= lane(impulse_, static_cast<int>(i)).dot(problem.contacts[i].bias);
  return work;
}

template <template <typename> class Law>
void ContactPotential<Law>::set_direction(const Problem& problem, const Island& island, const double* p) {
  for_each_velocity(problem, island, p, [&](int c, const Vector3d& u_c) { set_lane(u_, c, u_c); });
}

template <template <typename> class Law>
void ContactPotential<Law>::move(const Island& island, double alpha) {
  const Pack a = alpha + Pack{};
  for (int i = island.packs.first; i < island.packs.end(); ++i) v_[i] = advanced(v_[i], a, u_[i]);
}

template <template <typename> class Law>
void ContactPotential<Law>::add_gradient(const Problem& problem, const Island& island, double* g) {
  for (int i = island.packs.first; i < island.packs.end(); ++i) impulse_[i] = laws[i].impulse(v_[i]);
  for (int i = island.patches.first; i < island.patches.end(); ++i) {
    const Patch& patch = problem.patches[i];
    Twist wrench;
    for (int c = patch.first; c < patch.first + patch.count; ++c) {
      const PatchContact& contact = problem.contacts[c];
      const Vector3d impulse = contact.frame * lane(impulse_, c);
      wrench.linear += impulse;
      wrench.angular += contact.arm.cross(impulse);
    }
    add_wrench(problem, patch.b, wrench, -1, g);
    add_wrench(problem, patch.a, wrench, 1, g);
  }
}

template <template <typename> class Law>
LineValue ContactPotential<Law>::along(const Island& island, double alpha) const {
  const Pack a = alpha + Pack{};
  Pack slope{}, curvature{};
  for (int i = island.packs.first; i < island.packs.end(); ++i) {
    const ContactVector<Pack> v = advanced(v_[i], a, u_[i]);
    slope -= dot(laws[i].impulse(v), u_[i]);
    curvature += quadratic_form(laws[i].hessian(v), u_[i]);
  }
  return {sum(slope), sum(curvature)};
}

template <template <typename> class Law>
void ContactPotential<Law>::compute_hessian(const Problem& problem, const Island& island, double caution) {
  for (int i = island.packs.first; i < island.packs.end(); ++i) hessian_[i] = laws[i].hessian(v_[i], caution);
  for (int i = island.patches.first; i < island.patches.end(); ++i) {
    const Patch& patch = problem.patches[i];
    PatchHessian& G = patch_hessian_[i];
    G.is_point = patch.count == 1;
    if (G.is_point) {
      const int c = patch.first;
      G.P = to_world(problem.contacts[c].frame, hessian_[c / kPackSize], c % kPackSize);
      continue;
    }
    G = {};
    for (int c = patch.first; c < patch.first + patch.count; ++c) {
      const PatchContact& contact = problem.contacts[c];
      add_contact(to_world(contact.frame, hessian_[c / kPackSize], c % kPackSize), contact.arm, G);
    }
  }
}

template <template <typename> class Law>
void ContactPotential<Law>::add_hessian(const Problem& problem, const Island& island, BlockAssembly& H) const {
  for (int i = island.patches.first; i < island.patches.end(); ++i)
    add_patch_blocks(problem, island, problem.patches[i], patch_hessian_[i], H);
}

template <template <typename> class Law>
void ContactPotential<Law>::add_product(const Problem& problem, const Island& island, const double* x,
                                        double* y) const {
  for (int i = island.patches.first; i < island.patches.end(); ++i) {
    const Patch& patch = problem.patches[i];
    const Twist wrench = patch_hessian_[i] * relative_twist(problem, patch, x);
    add_wrench(problem, patch.b, wrench, 1, y);
    add_wrench(problem, patch.a, wrench, -1, y);
  }
}

template class ContactPotential<LaggedModel>;
template class ContactPotential<AnchoredModel>;
template class ContactPotential<SimilarModel>;
template class ContactPotential<SapModel>;

}  // namespace stickslip
