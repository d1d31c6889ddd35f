#include "stickslip/icf/measure_work.h"

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"
#include "stickslip/icf/end_share.h"

namespace stickslip {
namespace {

double limit_work(const Problem& problem, const RowPotential<NormalLaw<double>>& limits) {
  double work = 0;
  for (size_t i = 0; i < problem.limit_rows.size(); ++i) {
    const int row = static_cast<int>(i);
    work += limits.impulse(row) * limits.mean_velocity(row);
  }
  return work;
}

// A tendon's spring stores what it takes: its part is returned, not counted as work.
double add_row_work(const SolvedStep& step, const RowPotential<ClampLaw>& forces, StepWork& work) {
  double springs = 0;
  for (size_t i = 0; i < step.problem.force_rows.size(); ++i) {
    const int row = static_cast<int>(i);
    const ForceSpec& spec = step.rows.forces[step.problem.force_rows[i].source];
    const double mean = forces.mean_velocity(row), total = forces.impulse(row) * mean;
    switch (spec.kind) {
      case RowKind::kConstraint:
        work.contact += total;
        if (forces.bias(row) != 0) work.prescribed -= forces.impulse(row) * forces.bias(row);
        break;
      case RowKind::kActuator:
        work.actuators += total;
        break;
      case RowKind::kFriction:
        work.damping += total;
        break;
      case RowKind::kTendon: {
        const double damping =
            -share_in(step.problem, spec) * step.problem.h * spec.damping * forces.velocity(row) * mean;
        work.damping += damping;
        springs += total - damping;
        break;
      }
    }
  }
  return springs;
}

// A (v1 - v0) . v
double change_of_energy(const SolvedStep& step) {
  double sum = 0;
  for (const Node& node : step.problem.nodes) {
    if (node.size == 6) {
      const Eigen::Map<const Matrix6d> A(step.problem.A.data() + node.A);
      const Eigen::Map<const Vector6d> v0(step.start.data() + node.start), v1(step.end.data() + node.start);
      sum += 0.5 * (A * (v1 - v0)).dot(v0 + v1);
      continue;
    }
    const auto v0 = step.start.segment(node.start, node.size), v1 = step.end.segment(node.start, node.size);
    double product = 0;
    for (int c = 0; c < node.size; ++c) product += step.problem.block(node).col(c).dot(v1 - v0) * (v0[c] + v1[c]);
    sum += 0.5 * product;
  }
  return sum;
}

// Springs and damping of joints act implicitly: they are part of A, and M is what is left without them.
void add_joint_work(const SolvedStep& step, StepWork& work) {
  const double h = step.problem.h;
  for (const Link& link : step.model.links) {
    if (link.damping == 0 && link.stiffness == 0) continue;
    for (int k = link.v_start; k < link.v_start + velocity_count(link.kind); ++k) {
      const double v0 = step.state_start[k], v1 = step.state_end[k], mean = 0.5 * (v0 + v1);
      work.damping -= h * link.damping * v1 * mean;
      work.internal -= h * (link.damping + h * link.stiffness) * (v1 - v0) * mean;
      work.internal += h * h * link.stiffness * v1 * mean;
    }
  }
}

}  // namespace

template <template <typename> class ContactLaw>
StepWork measure_work(const SolvedStep& step, const Potentials<ContactLaw>& potentials) {
  const auto& [contacts, limits, forces] = potentials;
  StepWork work;
  work.contact = contacts.work(step.problem) + limit_work(step.problem, limits);
  work.prescribed = contacts.bias_work(step.problem);
  const double springs = add_row_work(step, forces, work);
  const double explicit_work = 0.5 * step.problem.h * step.force.dot(step.state_start + step.state_end);
  work.kinetic = change_of_energy(step);
  work.internal = work.kinetic - explicit_work - springs;
  add_joint_work(step, work);
  return work;
}

template <template <typename> class ContactLaw>
StepWork measure_trapezoid_work(const SolvedStep& step, const PresentForces& start,
                                const Potentials<ContactLaw>& potentials) {
  const auto& [contacts, limits, forces] = potentials;
  StepWork work;
  work.contact = contacts.work(step.problem) + limit_work(step.problem, limits);
  work.prescribed = contacts.bias_work(step.problem);
  work.kinetic = change_of_energy(step);
  add_row_work(step, forces, work);
  for (const Node& node : step.problem.nodes) {
    const int dof = step.model.trees[node.tree].first_dof;
    const auto work_of = [&](const VectorXd& f) {
      const auto own = f.segment(dof, node.size);
      return 0.25 * step.problem.h *
             (own.dot(step.start.segment(node.start, node.size)) + own.dot(step.end.segment(node.start, node.size)));
    };
    work.contact += work_of(start.contact);
    work.actuators += work_of(start.actuators);
    work.damping += work_of(start.damping);
  }
  for (const Link& link : step.model.links) {
    for (int k = link.v_start; link.damping != 0 && k < link.v_start + velocity_count(link.kind); ++k) {
      const double mean = 0.5 * (step.state_start[k] + step.state_end[k]);
      work.damping -= step.problem.h * link.damping * mean * mean;
    }
  }
  work.balance();
  return work;
}

template StepWork measure_work<LaggedModel>(const SolvedStep&, const Potentials<LaggedModel>&);
template StepWork measure_work<AnchoredModel>(const SolvedStep&, const Potentials<AnchoredModel>&);
template StepWork measure_work<SimilarModel>(const SolvedStep&, const Potentials<SimilarModel>&);
template StepWork measure_work<SapModel>(const SolvedStep&, const Potentials<SapModel>&);

template StepWork measure_trapezoid_work<LaggedModel>(const SolvedStep&, const PresentForces&,
                                                      const Potentials<LaggedModel>&);
template StepWork measure_trapezoid_work<AnchoredModel>(const SolvedStep&, const PresentForces&,
                                                        const Potentials<AnchoredModel>&);
template StepWork measure_trapezoid_work<SimilarModel>(const SolvedStep&, const PresentForces&,
                                                       const Potentials<SimilarModel>&);
template StepWork measure_trapezoid_work<SapModel>(const SolvedStep&, const PresentForces&,
                                                   const Potentials<SapModel>&);

}  // namespace stickslip
