#include "stickslip/control/error_norm.h"

#include <algorithm>
#include <cmath>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/collision_model.h"
#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

constexpr double kShortestHorizon = 0.01;  // [s] of what was missed
constexpr double kNominalState = 1;        // external states smaller than this are compared with it

void look_at(double difference, int index, ErrorEstimate& worst) {
  const double size = std::abs(difference);
  if (size > worst.value || std::isnan(size)) worst = {size, index};  // nothing is larger than what is no number
}

double horizon_of(const ErrorNorm& norm, TreeError tree) {
  if (tree == TreeError::kConstrained) return 0;
  return tree == TreeError::kRough ? norm.rough_horizon : norm.horizon;
}

}  // namespace

ErrorEstimate measure(const Model& model, const ErrorNorm& norm, const State& a, const State& b,
                      const std::vector<TreeError>& trees, VectorXd& difference) {
  ErrorEstimate worst;
  difference.resize(model.nv);
  stickslip::difference(model, a.q, b.q, difference);
  for (const Link& link : model.links) {
    if (link.tree < 0 || trees[link.tree] == TreeError::kNone) continue;
    const double horizon = horizon_of(norm, trees[link.tree]);
    for (int i = link.v_start; i < link.v_start + velocity_count(link.kind); ++i) {
      look_at(norm.weights[i] * difference[i], i, worst);
      if (horizon > 0) look_at(horizon * norm.weights[i] * (a.v[i] - b.v[i]), i, worst);
    }
  }
  for (Eigen::Index i = 0; i < a.z.size(); ++i) {
    const double size = std::max({std::abs(a.z[i]), std::abs(b.z[i]), kNominalState});
    look_at((a.z[i] - b.z[i]) / size, -1 - static_cast<int>(i), worst);
  }
  return worst;
}

double measure_missed(const ErrorNorm& norm, double h, const VectorXd& v, const VectorXd& z, const State& end) {
  if (!v.allFinite() || !z.allFinite()) return kInfinity;
  double worst = std::max({h, norm.horizon, kShortestHorizon}) * norm.weights.cwiseProduct(v).lpNorm<Eigen::Infinity>();
  for (Eigen::Index i = 0; i < z.size(); ++i)
    worst = std::max(worst, std::abs(z[i]) / std::max(std::abs(end.z[i]), kNominalState));
  return worst;
}

VectorXd identity_weights(const Model& model) {
  VectorXd weights = VectorXd::Ones(model.nv);
  for (const Link& link : model.links) {
    if (link.kind == LinkKind::kFree) weights.segment<3>(link.v_start + 3).setConstant(0.5);
    if (link.kind == LinkKind::kBall) weights.segment<3>(link.v_start).setConstant(0.5);
  }
  return weights;
}

namespace {

// A ball about the centre of what a link carries.
struct Extent {
  Vector3d center = Vector3d::Zero();  // world axes
  double radius = 0;
};

// Of each link, at the model's start: by its geometry, or as large as its inertia says.
std::vector<Extent> link_extents(const Model& model, const Kinematics& kinematics) {
  std::vector<Extent> extents(model.links.size());
  const CollisionModel collision = make_collision_model(model);
  for (size_t i = 0; i < model.links.size(); ++i)
    extents[i].center = kinematics.pose[i].p + kinematics.pose[i].R * model.links[i].inertia.center;
  for (const CollisionGeometry& geometry : collision.geometries) {
    if (!std::isfinite(geometry.radius)) continue;
    const LinkPose& pose = kinematics.pose[geometry.link];
    Extent& extent = extents[geometry.link];
    const double far = (pose.p + pose.R * geometry.center - extent.center).norm() + geometry.radius;
    extent.radius = std::max(extent.radius, far);
  }
  for (size_t i = 0; i < model.links.size(); ++i) {
    const MassProperties& inertia = model.links[i].inertia;
    if (extents[i].radius == 0 && inertia.mass > 0)
      extents[i].radius = std::sqrt(0.5 * inertia.inertia.trace() / inertia.mass);
  }
  return extents;
}

// How far a unit of a link's degree of freedom k moves a ball, in its radii.
double displacement(const Link& link, const LinkPose& pose, int k, const Extent& extent) {
  const bool turns = link.kind == LinkKind::kRevolute || link.kind == LinkKind::kScrew ||
                     link.kind == LinkKind::kBall || (link.kind == LinkKind::kFree && k >= 3);
  if (!turns) return 1 / extent.radius;
  const double shift = link.kind == LinkKind::kScrew ? std::abs(link.pitch) : 0;
  // About its own centre a ball's surface moves by its radius.
  const Vector3d arm = extent.center - pose.p;
  const bool about_z = link.kind == LinkKind::kRevolute || link.kind == LinkKind::kScrew;
  const double distance = about_z ? pose.R.col(2).cross(arm).norm() : arm.norm();
  return (shift + distance) / extent.radius + 1;
}

}  // namespace

VectorXd size_weights(const Model& model) {
  const State start = initial_state(model);
  Kinematics kinematics;
  compute_poses(model, start, kinematics);
  const std::vector<Extent> extents = link_extents(model, kinematics);
  VectorXd weights = VectorXd::Zero(model.nv);
  for (size_t body = 1; body < model.links.size(); ++body) {
    if (!(extents[body].radius > 0)) continue;
    for (int i = static_cast<int>(body); i > 0; i = model.links[i].parent) {
      const Link& link = model.links[i];
      for (int k = 0; k < velocity_count(link.kind); ++k) {
        double& weight = weights[link.v_start + k];
        weight = std::max(weight, displacement(link, kinematics.pose[i], k, extents[body]));
      }
    }
  }
  for (double& weight : weights) weight = weight > 0 ? weight : 1;
  return weights;
}

}  // namespace stickslip
