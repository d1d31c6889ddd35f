#pragma once

#include <optional>
#include <string>

#include "stickslip/model/model.h"

// What numbers of a motion may be, wherever they come from: files, states, arrays of the user. What is within the
// bounds can be squared, multiplied and added without an overflow, written in single precision and read back.
namespace stickslip {

constexpr double kLargestTime = 4e9;     // [s]: the time of day until 2096; the clock still moves by half a microsecond
constexpr double kLargestMotion = 1e12;  // of positions and velocities [m, rad, m/s, rad/s]
constexpr double kShortestQuaternion = 1e-12;  // shorter ones have no direction worth trusting
constexpr double kLargestFrequency = 1e9;      // [Hz], of prescribed motions
constexpr double kShortestInterval = 1e-9;     // [s], between rows of tables

// A number, or a quaternion, that nothing can be computed from.
struct BadNumber {
  const char* code;     // as a ModelError
  std::string body;     // whose it is; may be empty
  Location where;       // of its joint or body
  std::string message;  // "v of joint 'hinge' is 1e+200"
  std::string fix;      // "it must be within 1e+12"
};

std::optional<BadNumber> find_bad_time(double time);
std::optional<BadNumber> find_bad_position(const Model& model, const VectorXd& q);
std::optional<BadNumber> find_bad_velocity(const Model& model, const VectorXd& v);
std::optional<BadNumber> find_bad_mocap(const Model& model, const VectorXd& mocap);

}  // namespace stickslip
