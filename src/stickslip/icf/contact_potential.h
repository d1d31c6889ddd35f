#pragma once

#include <vector>

#include "stickslip/contact/contact_vector.h"
#include "stickslip/icf/block_assembly.h"
#include "stickslip/icf/line_value.h"
#include "stickslip/icf/patch_motion.h"
#include "stickslip/math/pack.h"

namespace stickslip {

// The contacts of a problem under one convex model (LaggedModel, SimilarModel, SapModel). Laws and velocities stand in
// packs of four contacts; each island begins a new pack, whose unused lanes have laws that do nothing.
template <template <typename> class Law>
class ContactPotential {
 public:
  std::vector<Law<Pack>> laws;  // one a pack; const during a solve

  void resize(const Problem& problem);

  // The pieces of Newton's method, for one island; x and g are vectors over all nodes.
  void set_velocity(const Problem& problem, const Island& island, const double* v);  // v_c = J v + b
  void remember_start(const Island& island);  // v_c is that of the start of the step
  void set_direction(const Problem& problem, const Island& island, const double* p);       // u_c = J p
  void move(const Island& island, double alpha);                                           // v_c += alpha u_c
  void add_gradient(const Problem& problem, const Island& island, double* g);              // g -= J' gamma(v_c)
  LineValue along(const Island& island, double alpha) const;                               // at v_c + alpha u_c
  void compute_hessian(const Problem& problem, const Island& island, double caution);      // of each patch, at v_c
  void add_hessian(const Problem& problem, const Island& island, BlockAssembly& H) const;  // H += J' G J
  void add_product(const Problem& problem, const Island& island, const double* x, double* y) const;  // y += J' G J x

  // Makes an island's contacts stiffer or softer by a factor.
  void scale_stiffness(const Island& island, double factor) {
    for (int i = island.packs.first; i < island.packs.end(); ++i) laws[i].scale_stiffness(factor);
  }

  // Lagged models: friction's normal impulses become those of v_c. Returns how much they changed, relative to all
  // impulses of the island.
  double relag(const Island& island)
    requires requires(Law<Pack> law) { law.radius; };
  void remember_lag(const Island& island)
    requires requires(Law<Pack> law) { law.radius; };
  void restore_lag(const Island& island)
    requires requires(Law<Pack> law) { law.radius; };
  std::vector<Pack> friction;  // mu of each contact, in packs

  // Impulses times mean velocity over the step, without the bias; all islands.
  double work(const Problem& problem) const;
  // The part of it that the bias gave: what moves by prescription, and surfaces that run.
  double bias_work(const Problem& problem) const;

  // Of contact i of the problem, contact's frame.
  Vector3d velocity(int i) const { return lane(v_, i); }
  Vector3d impulse(int i) const { return lane(impulse_, i); }
  Vector3d start_velocity(int i) const { return lane(start_, i); }

 private:
  using Vectors = std::vector<ContactVector<Pack>>;
  static Vector3d lane(const Vectors& x, int i) {
    const ContactVector<Pack>& pack = x[i / kPackSize];
    const int k = i % kPackSize;
    return {pack.x[k], pack.y[k], pack.n[k]};
  }
  static void set_lane(Vectors& x, int i, const Vector3d& value) {
    ContactVector<Pack>& pack = x[i / kPackSize];
    const int k = i % kPackSize;
    pack.x[k] = value.x();
    pack.y[k] = value.y();
    pack.n[k] = value.z();
  }

  Vectors v_, u_, impulse_, start_;
  std::vector<Pack> lag_;  // as remembered
  std::vector<ContactMatrix<Pack>> hessian_;
  std::vector<PatchHessian> patch_hessian_;
};

}  // namespace stickslip
