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

struct Velocity {
  Pack v_z;
  PackVector w;  // body's axes
};

Velocity read_velocity(const FreeBodyGroup& group, const double* v) {
  Pack v_z = load_pack(v + group.v_start[0] + 2);
  Pack x = load_pack(v + group.v_start[1] + 2);
  Pack y = load_pack(v + group.v_start[2] + 2);
  Pack z = load_pack(v + group.v_start[3] + 2);
  transpose(v_z, x, y, z);
  return {v_z, {x, y, z}};
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

void write_poses(const FreeBodyGroup& group, const PackMatrix& R, const double* q, Kinematics& kinematics) {
  Pack px = load_pack(q + group.q_start[0]);
  Pack py = load_pack(q + group.q_start[1]);
  Pack pz = load_pack(q + group.q_start[2]);
  Pack unused = load_pack(q + group.q_start[3]);
  transpose(px, py, pz, unused);
  const auto pose = [&](int k) { return kinematics.pose[group.link[k]].R.data(); };
  static_assert(offsetof(LinkPose, p) == 9 * sizeof(double));
  store_rows(R.c0.x, R.c0.y, R.c0.z, R.c1.x, [&](int k) { return pose(k); });
  store_rows(R.c1.y, R.c1.z, R.c2.x, R.c2.y, [&](int k) { return pose(k) + 4; });
  store_rows(R.c2.z, px, py, pz, [&](int k) { return pose(k) + 8; });
}

void write_velocities(const FreeBodyGroup& group, const PackMatrix& R, const Velocity& own, const double* v,
                      Kinematics& kinematics) {
  const PackVector w = R * own.w;
  const auto velocity = [&](int k) { return kinematics.velocity[group.link[k]].v.data(); };
  static_assert(offsetof(LinkVelocity, w) == 3 * sizeof(double));
  // Four numbers of v, of which the last is overwritten by w behind them.
  for (int k = 0; k < kPackSize; ++k) store_pack(load_pack(v + group.v_start[k]), velocity(k));
  store_rows(own.v_z, w.x, w.y, w.z, [&](int k) { return velocity(k) + 2; });
}

void write_masses(const FreeBodyGroup& group, const PackMatrix& R, MassMatrix& mass) {
  const PackVector r = R * group.center;
  const PackSymmetric I = turned(R, group.inertia);
  const auto body = [&](int k) { return &mass.free_bodies[group.body[k]].mass; };
  static_assert(offsetof(FreeBodyMass, r) == sizeof(double) && offsetof(FreeBodyMass, I) == 4 * sizeof(double));
  store_rows(group.mass, r.x, r.y, r.z, [&](int k) { return body(k); });
  store_rows(I.xx, I.yy, I.zz, I.xy, [&](int k) { return body(k) + 4; });
  store_rows(I.zz, I.xy, I.xz, I.yz, [&](int k) { return body(k) + 6; });
}

void write_bias(const FreeBodyGroup& group, const PackMatrix& R, const PackVector& w, const Vector3d& gravity,
                VectorXd& tau) {
  const Pack weight = -group.mass;
  const PackVector weight_W{weight * gravity.x(), weight * gravity.y(), weight * gravity.z()};
  // In the body's axes: the force that keeps the centre of mass from falling and turns it with the body.
  const PackVector centripetal = group.mass * cross(w, cross(w, group.center));
  const PackVector f_W = weight_W + R * centripetal;
  const PackVector f_B = transposed_times(R, weight_W) + centripetal;
  const PackVector n = cross(w, group.inertia * w) + cross(group.center, f_B);
  const auto out = [&](int k) { return tau.data() + group.v_start[k]; };
  store_rows(f_W.x, f_W.y, f_W.z, n.x, [&](int k) { return out(k); });
  store_rows(f_W.z, n.x, n.y, n.z, [&](int k) { return out(k) + 2; });
}

// The outputs asked for (not nullptr), in one pass over the bodies: memory, not arithmetic, is what a thousand bodies
// cost.
struct Outputs {
  Kinematics* poses = nullptr;
  Kinematics* velocities = nullptr;
  MassMatrix* mass = nullptr;
  VectorXd* bias = nullptr;
};

void sweep(const Model& model, const State& state, const Outputs& out) {
  for (const FreeBodyGroup& group : model.free_groups) {
    const PackMatrix R = read_rotation(group, state.q.data());
    const Velocity velocity = read_velocity(group, state.v.data());
    if (out.poses) write_poses(group, R, state.q.data(), *out.poses);
    if (out.velocities) write_velocities(group, R, velocity, state.v.data(), *out.velocities);
    if (out.mass) write_masses(group, R, *out.mass);
    if (out.bias) write_bias(group, R, velocity.w, model.gravity, *out.bias);
  }
}

}  // namespace

void compute_free_poses(const Model& model, const State& state, Kinematics& kinematics) {
  sweep(model, state, {.poses = &kinematics});
}

void compute_free_velocities(const Model& model, const State& state, Kinematics& kinematics) {
  sweep(model, state, {.velocities = &kinematics});
}

void compute_free_masses(const Model& model, const State& state, MassMatrix& mass) {
  sweep(model, state, {.mass = &mass});
}

void compute_free_bias(const Model& model, const State& state, VectorXd& tau) { sweep(model, state, {.bias = &tau}); }

void compute_free_terms(const Model& model, const State& state, Kinematics& kinematics, MassMatrix& mass,
                        VectorXd& bias) {
  sweep(model, state, {&kinematics, &kinematics, &mass, &bias});
}

}  // namespace stickslip
