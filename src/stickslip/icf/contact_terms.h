#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/mass_matrix.h"
#include "stickslip/geometry/collision_model.h"
#include "stickslip/icf/problem.h"
#include "stickslip/icf/rows.h"

namespace stickslip {

// What a contact brings to a problem, before the step h is known.
struct ContactTerms {
  PatchContact placed;
  Vector3d point = Vector3d::Zero();     // world axes
  Vector3d velocity = Vector3d::Zero();  // v_c now, contact's frame
  double distance = 0;                   // phi0
  double stiffness = 0;                  // k, the contact's share of its pair's [N/m]; Hertz: of now
  bool is_rigid = false;                 // both sides are
  double pair_stiffness = 0;             // of all contacts of the pair together
  double hertz = 0;                      // K, its share [N/m^1.5]; 0: linear
  double dissipation = 0;                // d [s/m]
  double relaxation_time = 0;            // tau [s]; used instead of d where it is given
  double friction = 0;                   // mu at the slip of now, CENIC (8)
  double stiction_tolerance = 0;
  double force = 0;         // normal force of now, f_n0 [N]
  double inverse_mass = 0;  // w = |W_ii|/3 [1/kg]; only where asked for

  // Friction with memory (see recall_grips); the tangents' axes:
  double tangential_stiffness = 0, tangential_damping = 0;  // k_t [N/m], c_t [N s/m]
  Vector2d displacement = Vector2d::Zero();                 // a [m]

  bool relaxes() const { return relaxation_time > 0 && dissipation == 0; }
  ContactTerms stepped_back(double h) const;  // where a step h starts that ends here at the velocity of now
  double end_share(double h) const;           // see end_share.h; needs inverse_mass
};

struct PatchTerms {
  int tree_a = -1, tree_b = -1;        // -1: no force moves it
  int carrier_a = -1, carrier_b = -1;  // the link with prescribed motion that each stands on, or is; -1: none
  PatchSide a, b;                      // without nodes
  int first = 0, count = 0;            // contacts
};

// All contacts of a state, ready to be sorted into islands; in the order of the ContactSet.
struct ContactTermsList {
  std::vector<PatchTerms> patches;
  std::vector<PatchColumn> columns;
  std::vector<ContactTerms> contacts;
};

class ContactTermsBuilder {
 public:
  // `patches` false: each contact is a patch of its own.
  explicit ContactTermsBuilder(const Model& model, bool patches = true);

  struct Query {
    const CollisionModel& collision;
    const State& state;
    const Kinematics& kinematics;  // poses and velocities
    const MassMatrix& mass;
    const ContactSet& contacts;
    const TimeScales& scales;
    bool with_inverse_mass = false;  // fill in ContactTerms::inverse_mass
  };
  void build(const Query& query, ContactTermsList& out);

 private:
  void add_side(const Query& query, int body, const Vector3d& center, int& tree, PatchSide& side,
                ContactTermsList& out) const;
  void add_contact(const Query& query, const ContactPatch& source, const PatchTerms& patch, const Vector3d& center,
                   int i, ContactTermsList& out);
  Vector3d prescribed_velocity(const Query& query, int body, int tree, const PatchSide& side, const Vector3d& arm,
                               const Vector3d& point, const ContactTermsList& list) const;
  double inverse_mass(const MassMatrix& mass, const PatchTerms& patch, const ContactTerms& contact,
                      const ContactTermsList& list);
  void add_inverse_mass(const MassMatrix& mass, int tree, const PatchSide& side, const Vector3d& arm,
                        const ContactTermsList& list, Matrix3d& W);

  void add_patch(const Query& query, const ContactPatch& source, ContactTermsList& out);

  const Model& model_;
  bool patches_;
  std::vector<int> free_index_;       // of each tree; -1: articulated
  std::vector<bool> has_prescribed_;  // of each link: it, or something it hangs on, moves by prescription
  std::vector<int> carrier_;          // of each link, see PatchTerms
  std::vector<int> factored_tree_;    // trees whose inverse is up to date
  std::vector<Eigen::LLT<MatrixXd>> factors_;
  std::vector<MatrixXd> inverse_;  // M^-1 of articulated trees
};

}  // namespace stickslip
