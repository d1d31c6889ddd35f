#pragma once

#include <array>

#include "stickslip/math/types.h"

namespace stickslip {

// What friction remembers of two surfaces that touch: how far one is displaced from where friction would let it rest,
// as a rigid displacement in the tangent plane. It belongs to the pair, not to its contact points, which come and go.
//
// One of the two is the ground, the other the roller. Vectors are in the axes of the ground's link. The displacement is
// the one at the roller's pose below; what the bodies move from there on adds to it.
struct Grip {
  int geometry_a = 0, geometry_b = 0;  // indices into CollisionModel::geometries
  bool sticks = true;                  // it held in the last step: static friction

  Vector3d position = Vector3d::Zero();      // of the roller's centre
  Matrix3d rotation = Matrix3d::Identity();  // of the roller's link
  Vector3d normal = Vector3d::UnitZ();       // from A to B
  Vector3d center = Vector3d::Zero();        // of pressure

  Vector3d displacement = Vector3d::Zero();  // tangential, of the roller at the centre of pressure [m]
  double twist = 0;                          // about the normal [rad]

  // What slip took away from the two, in all: error control compares it between solves.
  Vector3d slip = Vector3d::Zero();
  double slip_twist = 0;

  double energy = 0;  // that its springs held at the end of the last step [J]

  bool operator==(const Grip&) const = default;
};

// All numbers of a grip, for hashes and files, and back.
constexpr int kGripNumbers = 30;
std::array<double, kGripNumbers> to_numbers(const Grip& grip);
Grip grip_from_numbers(const std::array<double, kGripNumbers>& numbers);

}  // namespace stickslip
