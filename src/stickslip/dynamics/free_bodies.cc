#include "stickslip/dynamics/free_bodies.h"

#include <cstddef>

namespace stickslip {
namespace {

// q of a free body is [x y z | w x y z], v is [linear | angular]: seven and six numbers, read as two overlapping fours.

// R of quaternions of any length: R = 1 + 2/|q|^2 (...).
PackMatrix rotation(const Pack& w, const Pack& x, const Pack& y, const Pack& z) {
  const Pack s = 2.0 / (w * w + x * x + y * y + z * z);
  const Pack sx = s * x, sy = s * y, sz = s * z;
  const Pack xx = sx * x, yy = sy * y, zz = sz * z;
  const Pack xy = sx * y, xz = sx * z, yz = sy * z;
  const Pack wx = sx * w, wy = sy * w, wz = sz * w;
  return {{1.0 - yy - zz, xy + wz, xz - wy}, {xy - wz, 1.0 - xx - zz, yz + wx}, {xz + wy, yz - wx, 1.0 - xx - yy}};
}

PackMatrix read_rotation(const FreeBodyGroup& group, const double* q) {
  Pack w = load_pack(q + group.q_start[0] + 3);
  Pack x = load_pack(q + group.q_start[1] + 3);
  Pack y = load_pack(q + group.q_start[2] + 3);
  Pack z = load_pack(q + group.q_start[3] + 3);
  transpose(w, x, y, z);
  return rotation(w, x, y, z);
}

PackVector read_angular_velocity(const FreeBodyGroup& group, const double* v) {
  Pack unused = load_pack(v + group.v_start[0] + 2);
  Pack x = load_pack(v + group.v_start[1] + 2);
  Pack y = load_pack(v + group.v_start[2] + 2);
  Pack z = load_pack(v + group.v_start[3] + 2);
  transpose(unused, x, y, z);
  return {x, y, z};
}

// Stores pack k of (a, b, c, d), after turning them into four bodies' rows, at to(k).
template <typename To>
void store_rows(Pack a, Pack b, Pack c, Pack d, To&& to) {
  transpose(a, b, c, d);
  store_pack(a, to(0));
  store_pack(b, to(1));
  store_pack(c, to(2));
  store_pack(d, to(3));
}

PackSymmetric turned(const PackMatrix& R, const PackSymmetric& I) {
  // Columns of R I, then the six different entries of (R I) R'.
  const PackVector a = I.xx * R.c0 + I.xy * R.c1 + I.xz * R.c2;
  const PackVector b = I.xy * R.c0 + I.yy * R.c1 + I.yz * R.c2;
  const PackVector c = I.xz * R.c0 + I.yz * R.c1 + I.zz * R.c2;
  return {a.x * R.c0.x + b.x * R.c1.x + c.x * R.c2.x, a.y * R.c0.y + b.y * R.c1.y + c.y * R.c2.y,
          a.z * R.c0.z + b.z * R.c1.z + c.z * R.c2.z, a.x * R.c0.y + b.x * R.c1.y + c.x * R.c2.y,
          a.x * R.c0.z + b.x * R.c1.z + c.x * R.c2.z, a.y * R.c0.z + b.y * R.c1.z + c.y * R.c2.z};
}

}  // namespace

void compute_free_poses(const Model& model, const State& state, Kinematics& kinematics) {
  const double* q = state.q.data();
  kinematics.free_rotation.resize(model.free_groups.size());
  for (const FreeBodyGroup& group : model.free_groups) {
    const PackMatrix R = read_rotation(group, q);
    kinematics.free_rotation[static_cast<size_t>(&group - model.free_groups.data())] = R;
    Pack px = load_pack(q + group.q_start[0]);
    Pack py = load_pack(q + group.q_start[1]);
    Pack pz = load_pack(q + group.q_start[2]);
    Pack unused = load_pack(q + group.q_start[3]);
    transpose(px, py, pz, unused);
    const auto pose = [&](int k) { return kinematics.pose[static_cast<size_t>(group.link[k])].R.data(); };
    static_assert(offsetof(LinkPose, p) == 9 * sizeof(double) && offsetof(LinkPose, d) == 12 * sizeof(double));
    store_rows(R.c0.x, R.c0.y, R.c0.z, R.c1.x, [&](int k) { return pose(k); });
    store_rows(R.c1.y, R.c1.z, R.c2.x, R.c2.y, [&](int k) { return pose(k) + 4; });
    store_rows(R.c2.z, px, py, pz, [&](int k) { return pose(k) + 8; });
    for (int k = 0; k < kPackSize; ++k) {
      LinkPose& own = kinematics.pose[static_cast<size_t>(group.link[k])];
      own.d = own.p;
    }
  }
}

void compute_free_velocities(const Model& model, const State& state, Kinematics& kinematics) {
  for (const FreeBodyGroup& group : model.free_groups) {
    const PackMatrix& R = kinematics.free_rotation[static_cast<size_t>(&group - model.free_groups.data())];
    const PackVector w = R * read_angular_velocity(group, state.v.data());
    const auto velocity = [&](int k) { return kinematics.velocity[static_cast<size_t>(group.link[k])].v.data(); };
    static_assert(offsetof(LinkVelocity, w) == 3 * sizeof(double));
    // Four numbers from v.z on: v.z is overwritten by its own value below.
    store_rows(w.x, w.x, w.y, w.z, [&](int k) { return velocity(k) + 2; });
    for (int k = 0; k < kPackSize; ++k) {
      LinkVelocity& own = kinematics.velocity[static_cast<size_t>(group.link[k])];
      own.v = Eigen::Map<const Vector3d>(state.v.data() + group.v_start[k]);
    }
  }
}

void compute_free_masses(const Model& model, const Kinematics& kinematics, MassMatrix& mass) {
  for (const FreeBodyGroup& group : model.free_groups) {
    const PackMatrix& R = kinematics.free_rotation[static_cast<size_t>(&group - model.free_groups.data())];
    const PackVector r = R * group.center;
    const PackSymmetric I = turned(R, group.inertia);
    const auto body = [&](int k) { return &mass.free_bodies[static_cast<size_t>(group.body[k])].mass; };
    static_assert(offsetof(FreeBodyMass, r) == sizeof(double) && offsetof(FreeBodyMass, I) == 4 * sizeof(double));
    store_rows(group.mass, r.x, r.y, r.z, [&](int k) { return body(k); });
    store_rows(I.xx, I.xy, I.xz, I.xy, [&](int k) { return body(k) + 4; });
    store_rows(I.yy, I.yz, I.xz, I.yz, [&](int k) { return body(k) + 8; });
    for (int k = 0; k < kPackSize; ++k) body(k)[12] = I.zz[k];
  }
}

void compute_free_bias(const Model& model, const State& state, const Kinematics& kinematics, VectorXd& tau) {
  const Pack zero{};
  const PackVector g{zero + model.gravity.x(), zero + model.gravity.y(), zero + model.gravity.z()};
  for (const FreeBodyGroup& group : model.free_groups) {
    const PackMatrix& R = kinematics.free_rotation[static_cast<size_t>(&group - model.free_groups.data())];
    const PackVector w = read_angular_velocity(group, state.v.data());
    // In the body's axes: the force that keeps the centre of mass from falling and turns it with the body.
    const PackVector centripetal = group.mass * cross(w, cross(w, group.center));
    const PackVector weight = (zero - group.mass) * g;
    const PackVector f_W = weight + R * centripetal;
    const PackVector f_B = transposed_times(R, weight) + centripetal;
    const PackVector n = cross(w, group.inertia * w) + cross(group.center, f_B);
    const auto out = [&](int k) { return tau.data() + group.v_start[k]; };
    store_rows(f_W.x, f_W.y, f_W.z, n.x, [&](int k) { return out(k); });
    store_rows(f_W.z, n.x, n.y, n.z, [&](int k) { return out(k) + 2; });
  }
}

}  // namespace stickslip
