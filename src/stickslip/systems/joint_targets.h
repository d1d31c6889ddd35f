#pragma once

#include <string>
#include <vector>

#include "stickslip/model/model.h"

// What the joint controllers share: joints with one degree of freedom each, one number a joint for gains and targets.
namespace stickslip {

struct JointPlace {
  int q = 0, v = 0;  // indices into State::q and State::v
};

// By name; none: all joints with one degree of freedom. Throws std::invalid_argument for names that do not exist and
// joints that have more or fewer.
std::vector<JointPlace> joint_places(const Model& model, const std::vector<std::string>& joints);

// One number for all, or one a joint; others throw std::invalid_argument that says `what`.
VectorXd one_a_joint(const VectorXd& numbers, size_t joints, const char* what);

std::vector<int> dofs_of(const std::vector<JointPlace>& places);

// A bound a joint as the nv bounds that a system has; empty if there is none.
VectorXd limits_of(const Model& model, const std::vector<JointPlace>& places, const VectorXd& limits);

}  // namespace stickslip
