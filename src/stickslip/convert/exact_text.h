#pragma once

#include <string>

#include "stickslip/math/types.h"

// Numbers that survive being written and read: shortest decimals of the same double, and directions that a reader's
// normalisation leaves as they are.
namespace stickslip::convert {

// "0.1", "1e-05", "inf"; minus zero is "0".
std::string number_text(double x);

// The quaternion, within round-off, that stays the same when it is normalised, made a matrix and taken from it again: a
// scene converted twice is the same text.
Quaterniond stable_quaternion(const Matrix3d& R);

// The direction, within round-off, that stays the same when it is divided by its length.
Vector3d stable_axis(const Vector3d& axis);

}  // namespace stickslip::convert
