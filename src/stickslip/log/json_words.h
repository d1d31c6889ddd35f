#pragma once

#include <array>

#include "stickslip/log/scene_fields.h"

// The words that stand for enumerators and for the kinds of a shape, in their order.
namespace stickslip::json_fields {

template <typename T>
struct Words;

template <>
struct Words<JointType> {
  static constexpr std::array all{"fixed",     "free",   "ball",      "revolute", "continuous",
                                  "prismatic", "planar", "universal", "screw"};
};
template <>
struct Words<Motion::Kind> {
  static constexpr std::array all{"constant", "sine", "table"};
};
template <>
struct Words<Constraint::Kind> {
  static constexpr std::array all{"weld", "ball", "distance", "coupler"};
};
template <>
struct Words<LinearSolver> {
  static constexpr std::array all{"automatic", "sparse", "dense", "iterative"};
};
template <>
struct Words<LineSearchStart> {
  static constexpr std::array all{"cubic", "quadratic", "full"};
};
template <>
struct Words<Shape> {
  static constexpr std::array all{"half_space", "sphere",      "box",           "capsule",     "cylinder",
                                  "ellipsoid",  "convex_mesh", "triangle_mesh", "height_field"};
  static_assert(all.size() == std::variant_size_v<Shape>);
};

}  // namespace stickslip::json_fields
