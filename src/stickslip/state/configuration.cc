#include "stickslip/state/configuration.h"

#include <cmath>

#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

Quaterniond read_quaternion(const VectorXd& q, int start) {
  return {q[start], q[start + 1], q[start + 2], q[start + 3]};
}

void write_quaternion(const Quaterniond& value, int start, VectorXd& q) {
  q.segment<4>(start) << value.w(), value.x(), value.y(), value.z();
}

// Calls translation(q_index, v_index, count) and rotation(q_index, v_index) for every link's coordinates.
template <typename Translation, typename Rotation>
void for_each_coordinate(const Model& model, Translation&& translation, Rotation&& rotation) {
  for (const Link& link : model.links) {
    switch (link.kind) {
      case LinkKind::kPrescribed:
        break;
      case LinkKind::kRevolute:
      case LinkKind::kPrismatic:
      case LinkKind::kScrew:
        translation(link.q_start, link.v_start, 1);
        break;
      case LinkKind::kBall:
        rotation(link.q_start, link.v_start);
        break;
      case LinkKind::kFree:
        translation(link.q_start, link.v_start, 3);
        rotation(link.q_start + 3, link.v_start + 3);
        break;
    }
  }
}

}  // namespace

void integrate(const Model& model, const VectorXd& q, const VectorXd& dv, VectorXd& out) {
  out.resize(q.size());
  for_each_coordinate(
      model,
      [&](int iq, int iv, int count) {
        for (int k = 0; k < count; ++k) out[iq + k] = q[iq + k] + dv[iv + k];
      },
      [&](int iq, int iv) {
        const Quaterniond turned = read_quaternion(q, iq) * exp_quaternion(dv.segment<3>(iv));
        write_quaternion(turned.normalized(), iq, out);
      });
}

void difference(const Model& model, const VectorXd& q1, const VectorXd& q0, VectorXd& dv) {
  dv.resize(model.nv);
  for_each_coordinate(
      model,
      [&](int iq, int iv, int count) {
        for (int k = 0; k < count; ++k) dv[iv + k] = q1[iq + k] - q0[iq + k];
      },
      [&](int iq, int iv) {
        dv.segment<3>(iv) = log_quaternion(read_quaternion(q0, iq).conjugate() * read_quaternion(q1, iq));
      });
}

void tangent_rate(const Model& model, const VectorXd& u, const VectorXd& v, VectorXd& rate) {
  rate = v;
  for_each_coordinate(
      model, [](int, int, int) {},
      [&](int, int iv) { rate.segment<3>(iv) = right_jacobian_inverse(u.segment<3>(iv)) * v.segment<3>(iv); });
}

void normalize_configuration(const Model& model, VectorXd& q) {
  for_each_coordinate(
      model, [](int, int, int) {},
      [&](int iq, int) {
        const double norm = q.segment<4>(iq).norm();
        if (norm > 0 && std::isfinite(norm)) {
          q.segment<4>(iq) /= norm;
        } else {
          write_quaternion(Quaterniond::Identity(), iq, q);
        }
      });
}

}  // namespace stickslip
