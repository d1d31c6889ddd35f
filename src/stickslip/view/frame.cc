#include "stickslip/view/frame.h"

#include "stickslip/log/bytes.h"

namespace stickslip {
namespace {

constexpr std::uint32_t kMagic = 0x31465353;  // SSF1

void put_pose(const Pose& pose, ByteWriter& bytes) {
  const Quaterniond q = pose.quaternion();
  for (double x : {pose.position.x(), pose.position.y(), pose.position.z(), q.w(), q.x(), q.y(), q.z()})
    bytes.put(static_cast<float>(x));
}

void put_contact(const ContactSample& contact, ByteWriter& bytes) {
  bytes.put(contact.point);
  bytes.put(contact.force);
  for (std::int32_t x : {contact.mode, contact.body_a, contact.body_b}) bytes.put(static_cast<float>(x));
}

}  // namespace

double total_force(std::span<const ContactSample> contacts) {
  double sum = 0;
  for (const ContactSample& contact : contacts) sum += magnitude(contact.force);
  return sum;
}

void FrameWriter::append(const FrameInput& input, std::string& out) {
  const State& state = input.state;
  compute_poses(model_, state, kinematics_);
  ByteWriter bytes(out);
  bytes.put(kMagic);
  bytes.put(static_cast<std::uint32_t>(model_.bodies.size()));
  bytes.put(static_cast<std::uint32_t>(input.contacts.size()));
  for (const VectorXd* x : {&state.q, &state.v, &state.ctrl}) bytes.put(static_cast<std::uint32_t>(x->size()));
  for (double x : {state.time, input.step_size, input.energy.kinetic, input.energy.potential, input.energy.elastic,
                   total_force(input.contacts)})
    bytes.put(x);
  for (size_t body = 0; body < model_.bodies.size(); ++body)
    put_pose(body_pose(model_, kinematics_, static_cast<int>(body)), bytes);
  for (const ContactSample& contact : input.contacts) put_contact(contact, bytes);
  for (const VectorXd* x : {&state.q, &state.v, &state.ctrl}) {
    for (double number : *x) bytes.put(static_cast<float>(number));
  }
}

}  // namespace stickslip
