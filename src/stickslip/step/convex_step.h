#pragma once

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/geometry/find_contacts.h"
#include "stickslip/icf/build_problem.h"
#include "stickslip/icf/contact_laws.h"
#include "stickslip/icf/grips.h"
#include "stickslip/icf/solver.h"
#include "stickslip/step/centers_of_mass.h"
#include "stickslip/step/convex_method.h"
#include "stickslip/step/free_turns.h"
#include "stickslip/step/implicit_systems.h"
#include "stickslip/step/impulse_response.h"

namespace stickslip {

// One convex step: contacts, constraints and actuators at the end of it, everything smooth at its start.
//
//   A (v - v*) = J' gamma(v),  q = q0 (+) h v        ICF (1)-(4)
//
// The contact model is LaggedModel, AnchoredModel, SimilarModel or SapModel.
template <template <typename> class ContactLaw>
class ConvexStep final : public ConvexMethod {
 public:
  ConvexStep(const Model& model, const MethodOptions& options, const ContactLawOptions& law = {});

  std::unique_ptr<Prepared> make_prepared() const override;
  Status prepare(const State& state, double h_max, Prepared& prepared) override;
  Status advance(const Prepared& prepared, double h, State& next) override;
  Status advance(const Prepared& prepared, double h, const VectorXd& guess, State& next) override;
  Status correct(const Prepared& start, const Prepared& predicted, double h, State& next) override;
  const VectorXd& solved_velocity() const override { return solved_v_; }
  void read_activity(std::vector<TreeActivity>& activity) const override;
  const VectorXd& explicit_force(const Prepared& prepared) const override {
    return static_cast<const Preparation&>(prepared).force;
  }
  StepWork work() const override { return work_; }
  void measure_energy(const Prepared& prepared, std::vector<TreeEnergy>& energy) const override;
  void watch_systems(const Prepared& start, const Prepared* middle, const State& end, const TellMissed& tell) override;
  double trusted_step() override;
  double time_before_hit() const override;
  double deepest_overlap(const Prepared& prepared) const override;
  void read_contacts(std::vector<ContactResult>& contacts) const override;
  void read_contact_forces(std::vector<Vector3d>& forces) const override;
  void locate_contacts(const Prepared& prepared, std::vector<ContactResult>& contacts) const override;
  void read_constraint_forces(VectorXd& tau) override;
  void set_systems(std::shared_ptr<const SystemList> systems) override { systems_.set(std::move(systems)); }
  StepStatistics take_statistics() override { return std::exchange(statistics_, {}); }
  std::shared_ptr<const CollisionModel> collision_model() const override { return collision_; }

 private:
  struct Preparation final : Prepared {
    explicit Preparation(const Model& model, const RowList& row_list) : equations(model), rows(row_list) {}
    ProblemTerms problem_terms(const VectorXd& explicit_force) const {
      return {state, equations, explicit_force, terms, rows, serial};
    }
    std::uint64_t serial = 0;  // no two preparations of a method have the same
    State state;
    EquationsOfMotion equations;
    VectorXd force;
    std::vector<double> reach;
    ContactSet contacts;
    ContactTermsList terms;
    std::vector<GripTerms> grips;  // of models that remember
    std::vector<double> grip_share;
    RowList rows;
    ImplicitSystems::Prepared systems;
    bool turns = false;  // any articulated tree, so far that it matters
  };

  void recall_grips(Preparation& preparation);
  void release_grips(const Preparation& preparation, State& next);
  ContactMode mode(int contact) const;
  Status solve(const Preparation& preparation, const State& start);
  void move(const Preparation& preparation, double h, State& end);
  Status solve_for_end(const Preparation& preparation);
  void take_mean_bias(const Preparation& preparation);
  void take_end_gaps(const Preparation& preparation, bool may_improve);
  void begin_again(const Preparation& preparation);
  Status solve_again(const Preparation& preparation);
  bool is_hit(int contact) const;
  double trusted_hits() const;
  double trusted_reach();
  double trusted_turn() const;
  template <typename LawOf>
  void set_contact_laws(const ContactTermsList& terms, LawOf&& law_of);
  void set_laws(const ContactTermsList& contacts, const RowList& rows);
  void set_end_laws(const ContactTermsList& contacts, const RowList& rows);
  Status failure(SolveOutcome outcome, const State& start) const;

  const Model& model_;
  NewtonOptions newton_;
  ContactLawOptions law_;
  TimeScales scales_;
  FreeTurns free_turns_;
  bool is_published_;
  bool has_curved_gaps_;         // constraints whose gaps a solve cannot tell but from where it ends
  std::vector<char> is_driven_;  // trees, by actuators
  bool weighs_ends_;             // contacts have their own end_share: they need to know the mass that they move
  std::shared_ptr<const CollisionModel> collision_;
  TreeEnergyMeter energy_meter_;
  std::vector<int> off_center_;  // links, see find_off_center_links
  double largest_friction_ = 0, largest_relaxation_time_ = 0;
  RowList row_list_;  // knows the reference masses
  ImplicitSystems systems_;
  ContactWorkspace contact_workspace_;
  InnerReach inner_reach_;  // of the last query
  ContactTermsBuilder terms_builder_;
  ProblemBuilder problem_builder_;
  Problem problem_;
  ConvexSolver<ContactLaw> solver_;
  std::unique_ptr<ThreadPool> pool_;  // none for a single thread
  PresentForces present_;             // at the start of a step of the trapezoid rule
  RowList end_rows_;                  // at the end of it
  VectorXd v_, solved_v_, displacement_, force_, read_forces_;
  State end_, mean_;  // of what was solved so far, and half-way there
  Kinematics end_kinematics_, mean_kinematics_;
  InverseDynamicsWorkspace bias_workspace_;
  VectorXd bias_, change_;          // nv, of the last solve, and what it differs by from the one before
  std::vector<double> gaps_;        // at the end
  std::vector<char> solves_again_;  // islands
  std::vector<int> islands_;        // the same, as a list
  VectorXd last_r_, last_v_;        // the last solve, and its solution
  std::vector<ClampLaw> last_laws_, next_laws_, best_laws_;
  VectorXd best_v_;                    // of the solves so far, island by island
  std::vector<double> missed_;         // by these
  std::vector<char> has_candidate_;    // nodes that a contact may act on
  std::vector<double> load_;           // of each contact at the start
  std::vector<GripOutcome> outcomes_;  // of each contact in the last solve
  ImpulseResponse impulse_response_;
  VectorXd missed_v_;
  StepWork work_;
  std::uint64_t preparations_ = 0;     // so far
  const Preparation* last_ = nullptr;  // whose contacts acted in the last advance(), for reports
  StepStatistics statistics_;
};

}  // namespace stickslip
