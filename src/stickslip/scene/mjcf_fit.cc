#include "stickslip/scene/mjcf_fit.h"

#include <algorithm>
#include <cmath>

namespace stickslip::mjcf {
namespace {

// Principal axes with descending moments: a long body lies along z.
PrincipalInertia descending(const Matrix3d& inertia) {
  const PrincipalInertia ascending = principal_inertia(inertia);
  PrincipalInertia out{ascending.moments.reverse(), ascending.axes.rowwise().reverse()};
  out.axes.col(1) *= -1;  // reversing the columns turned the axes left-handed
  return out;
}

// Half sides of the box with these principal moments.
Vector3d inertia_box(double mass, const Vector3d& moments) {
  const Vector3d squares = 1.5 / mass * (Vector3d::Constant(moments.sum()) - 2 * moments);
  return squares.cwiseMax(0).cwiseSqrt();
}

std::array<double, 3> sizes_like_box(const std::string& type, const Vector3d& half) {
  const double radius = (half.x() + half.y()) / 2;
  if (type == "sphere") return {half.mean(), 0, 0};
  if (type == "capsule") return {radius, std::max(0.0, half.z() - radius / 2), 0};
  if (type == "cylinder") return {radius, half.z(), 0};
  return {half.x(), half.y(), half.z()};
}

std::array<double, 3> sizes_around_box(const std::string& type, const Vector3d& half) {
  const double radius = std::max(half.x(), half.y());
  if (type == "sphere") return {half.maxCoeff(), 0, 0};
  if (type == "capsule") return {radius, std::max(0.0, half.z() - radius), 0};
  if (type == "cylinder") return {radius, half.z(), 0};
  return {half.x(), half.y(), half.z()};
}

}  // namespace

FittedShape fit_to_mesh(Context& context, const MjcfElement& element, const std::string& type,
                        const std::string& mesh) {
  const MassProperties& solid = context.assets.mesh_mass(mesh, element.where("mesh"));
  if (!(solid.mass > 0)) {
    throw ModelError("flat-mesh", element.where("mesh"), "a primitive cannot be fitted to a mesh without volume", mesh,
                     "give the geom a size instead of a mesh");
  }
  const PrincipalInertia principal = descending(solid.inertia);
  FittedShape out{{}, {principal.axes, solid.center}};
  if (context.compiler.fit_bounding_box) {
    const Pose to_axes = out.pose.inverse();
    Eigen::AlignedBox3d box;
    for (const Vector3d& vertex : context.assets.mesh(mesh, element.where("mesh")).mesh->vertices) {
      box.extend(to_axes * vertex);
    }
    out.pose = out.pose * Pose::at(box.center());
    out.size = sizes_around_box(type, box.sizes() / 2);
  } else {
    out.size = sizes_like_box(type, inertia_box(solid.mass, principal.moments));
  }
  const double scale = element.number("fitscale", 1);
  for (double& size : out.size) size *= scale;
  return out;
}

}  // namespace stickslip::mjcf
