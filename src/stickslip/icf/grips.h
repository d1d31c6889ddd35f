#pragma once

#include <span>
#include <vector>

#include "stickslip/contact/anchored_model.h"
#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/collision_model.h"
#include "stickslip/icf/contact_terms.h"

// The memory of friction between steps: found again at the start of one, less what slipped at its end.
namespace stickslip {

// The contacts that two geometries have along one normal, and what they remember.
//
// Their tangential springs are as stiff, together, as the pair is along its normal, and share that stiffness as they
// share the load. A displacement then loads all of them in the same ratio to their cones: they give way together, not
// one after the other. Shared otherwise, the least loaded points would slip long before the pair does, and a rigid
// displacement cannot tell what each of them has lost.
struct GripTerms {
  Grip grip;                         // at the poses of now
  int first = 0, count = 0;          // contacts
  int ground = 0;                    // link
  double sign = 1;                   // 1 if the roller is B, else -1
  double stiffness = 0;              // of all springs together [N/m]; infinite for two rigid sides until they are given
  double spread = 0;                 // mean square of the points' distances from the centre of pressure [m^2]
  Vector3d belt = Vector3d::Zero();  // how fast the roller's surface runs against the ground's, ground's axes [m/s]

  double energy() const {
    return 0.5 * stiffness * (grip.displacement.squaredNorm() + grip.twist * grip.twist * spread);
  }
};

struct GripQuery {
  const CollisionModel& collision;
  const Kinematics& kinematics;
  const ContactSet& contacts;
  std::span<const double> load;  // normal force of each contact
  std::span<const Grip> memory;  // by geometries
  bool with_unloaded = false;  // contacts that are open now, too: friction of the step's own normal impulse needs them
};

// All grips of a state that bear a load, in the order of the contacts. `share`: of each contact, its part of its grip's
// load.
void find_grips(const GripQuery& query, std::vector<GripTerms>& grips, std::vector<double>& share);

// Bodies were put elsewhere between steps, by a user: their grips go with them, neither strained nor eased.
void move_grips(const CollisionModel& collision, const Kinematics& before, const Kinematics& after,
                std::span<Grip> grips);

// Gives the contacts their springs and their friction coefficient: static where the grip holds, dynamic where it slips.
void give_grips(const ContactSet& contacts, const Kinematics& kinematics, std::span<GripTerms> grips,
                std::span<const double> share, ContactTermsList& terms);

// What a solve made of one contact; the tangents' axes.
struct GripOutcome {
  double normal = 0;                  // impulse
  bool slips = true;                  // its cone was reached
  Vector2d moved = Vector2d::Zero();  // displacement at the end of the step, had nothing slipped
  Vector2d kept = Vector2d::Zero();   // the same less what slipped
  double yield = 0;                   // displacement that its cone holds
};

// `v` of the solution, h the step, `stiffness` k_t as the law has it.
GripOutcome grip_outcome(const AnchoredModel<double>& law, const Vector3d& v, double h, double stiffness);

// The memory that is left after a step h. A grip whose contacts have all opened is forgotten.
void keep_grips(const ContactSet& contacts, const ContactTermsList& terms, const Kinematics& kinematics,
                std::span<const GripTerms> grips, std::span<const double> share, std::span<const GripOutcome> outcomes,
                double h, std::vector<Grip>& memory);

// `half` is the memory after two half steps, `full` after a whole one: in the trees that are extrapolated slip becomes
// what the two tend to.
void extrapolate_grips(const Model& model, const CollisionModel& collision, std::span<const char> is_extrapolated,
                       std::span<const Grip> full, std::span<Grip> half);

}  // namespace stickslip
