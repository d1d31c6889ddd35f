#include "stickslip/view/frame.h"

#include <cmath>

#include "stickslip/view/binary.h"

namespace stickslip {
namespace {

constexpr std::uint32_t kMagic = 0x31465353;  // SSF1

void append_pose(const Pose& pose, std::string& out) {
  const Quaterniond q = pose.quaternion();
  for (double x : {pose.position.x(), pose.position.y(), pose.position.z(), q.w(), q.x(), q.y(), q.z()})
    append_single(x, out);
}

void append_contact(const ContactSample& contact, std::string& out) {
  for (float x : contact.point) append_number(x, out);
  for (float x : contact.force) append_number(x, out);
  for (std::int32_t x : {contact.mode, contact.body_a, contact.body_b}) append_single(x, out);
}

}  // namespace

double total_force(std::span<const ContactSample> contacts) {
  double sum = 0;
  for (const ContactSample& contact : contacts)
    sum += std::hypot(static_cast<double>(contact.force[0]), contact.force[1], contact.force[2]);
  return sum;
}

void FrameWriter::append(const FrameInput& input, std::string& out) {
  const State& state = input.state;
  compute_poses(model_, state, kinematics_);
  append_number(kMagic, out);
  append_count(model_.bodies.size(), out);
  append_count(input.contacts.size(), out);
  for (const VectorXd* x : {&state.q, &state.v, &state.ctrl}) append_count(static_cast<size_t>(x->size()), out);
  for (double x : {state.time, input.step_size, input.energy.kinetic, input.energy.potential, input.energy.elastic,
                   total_force(input.contacts)})
    append_number(x, out);
  for (size_t body = 0; body < model_.bodies.size(); ++body)
    append_pose(body_pose(model_, kinematics_, static_cast<int>(body)), out);
  for (const ContactSample& contact : input.contacts) append_contact(contact, out);
  for (const VectorXd* x : {&state.q, &state.v, &state.ctrl}) {
    for (double number : *x) append_single(number, out);
  }
}

}  // namespace stickslip
