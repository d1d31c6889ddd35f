#pragma once

#include "stickslip/geometry/ray_cast.h"

namespace stickslip {

// The part of a line inside a convex shape, both in the shape's frame. Empty unless enter <= leave.
struct RaySpan {
  double enter = std::numeric_limits<double>::infinity();
  double leave = -std::numeric_limits<double>::infinity();
  Vector3d enter_normal = Vector3d::Zero(), leave_normal = Vector3d::Zero();  // outward

  bool empty() const { return !(enter <= leave); }
};

RaySpan whole_line();
RaySpan common_part(const RaySpan& a, const RaySpan& b);
RaySpan hull_of(const RaySpan& a, const RaySpan& b);  // the two and what is between them

// The part in front of which n . x <= offset.
RaySpan half_space_span(const Ray& ray, const Vector3d& n, double offset);
RaySpan ball_span(const Ray& ray, const Vector3d& center, double radius);
RaySpan box_span(const Ray& ray, const Vector3d& lower, const Vector3d& upper);
RaySpan cylinder_span(const Ray& ray, double radius, double half_length);
RaySpan capsule_span(const Ray& ray, double radius, double half_length);
RaySpan ellipsoid_span(const Ray& ray, const Vector3d& radii);
RaySpan hull_span(const Ray& ray, const Hull& hull);

}  // namespace stickslip
