#pragma once

#include <string>

#include "stickslip/math/types.h"

// Numbers that survive being written and read: shortest decimals of the same double, and rotations that are written the
// same when they were read.
namespace stickslip::convert {

// "0.1", "1e-05", "inf"; minus zero is "0".
std::string number_text(double x);

// The quaternion to 15 decimals. The way through a matrix and back costs a few units of the sixteenth, so this one
// stays the same when it is normalised, made a matrix and taken from it again: a scene converted twice is the same
// text.
Quaterniond stable_quaternion(const Matrix3d& R);

}  // namespace stickslip::convert
