"""Compares a model with Pinocchio's on the same URDF: mass matrix, bias force, body poses, frame Jacobians.

Pinocchio keeps unbounded rotations as (cos, sin), quaternions as xyzw, and a floating base's linear velocity in body axes;
`_Map` translates configurations and velocities: v_pin = T v.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin

import stickslip as ss


def load_pinocchio(path: Path, floating: bool) -> pin.Model:
    if floating:
        return pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    return pin.buildModelFromUrdf(str(path))


def relative(a: np.ndarray, b: np.ndarray, scale: float = 1e-12) -> float:
    """Largest difference, relative to the largest entry or to `scale`, the size of what could have been there."""
    if a.size == 0:
        return 0.0
    return float(np.abs(a - b).max() / max(np.abs(b).max(), scale))


class _Map:
    def __init__(self, model: ss.Model, oracle: pin.Model) -> None:
        self.model, self.oracle = model, oracle
        self.pairs = []
        free = [name for name in model.joint_names if model.joint(name).type == "free"]
        for i in range(1, oracle.njoints):
            # Ours has another name where the file has a joint "root_joint" of its own.
            is_base = i == 1 and oracle.joints[i].shortname() == "JointModelFreeFlyer"
            self.pairs.append((model.joint(free[0] if is_base else oracle.names[i]), oracle.joints[i]))
        assert sum(j.nv for j, _ in self.pairs) == model.nv == oracle.nv, "degrees of freedom differ"

    def random_state(self, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        q = random.uniform(-1, 1, self.model.nq)
        for joint, _ in self.pairs:
            if joint.type == "free":
                quaternion = random.normal(size=4)
                q[joint.q_start + 3 : joint.q_start + 7] = quaternion / np.linalg.norm(quaternion)
        return q, random.uniform(-1, 1, self.model.nv)

    def configuration(self, q: np.ndarray) -> np.ndarray:
        out = np.zeros(self.oracle.nq)
        for joint, other in self.pairs:
            own = q[joint.q_start : joint.q_start + joint.nq]
            if joint.type == "free":
                own = np.concatenate([own[:3], own[4:7], own[3:4]])
            elif joint.type == "planar":
                own = np.array([own[0], own[1], np.cos(own[2]), np.sin(own[2])])
            elif other.nq == 2:
                own = np.array([np.cos(own[0]), np.sin(own[0])])
            out[other.idx_q : other.idx_q + other.nq] = own
        return out

    def velocity_map(self, q: np.ndarray) -> np.ndarray:
        T = np.zeros((self.oracle.nv, self.model.nv))
        for joint, other in self.pairs:
            block = np.eye(joint.nv)
            if joint.type == "free":
                w, x, y, z = q[joint.q_start + 3 : joint.q_start + 7]
                block[:3, :3] = pin.Quaternion(w, x, y, z).matrix().T
            elif joint.type == "planar":
                c, s = np.cos(q[joint.q_start + 2]), np.sin(q[joint.q_start + 2])
                block[:2, :2] = [[c, s], [-s, c]]
            T[other.idx_v : other.idx_v + joint.nv, joint.v_start : joint.v_start + joint.nv] = block
        return T

    def velocity_map_rate(self, T: np.ndarray, v: np.ndarray) -> np.ndarray:
        """T' v: a velocity kept in turning axes changes although the motion does not."""
        v_pin = T @ v
        out = np.zeros(self.oracle.nv)
        for joint, other in self.pairs:
            own = v_pin[other.idx_v : other.idx_v + joint.nv]
            if joint.type == "free":
                out[other.idx_v : other.idx_v + 3] = -np.cross(own[3:], own[:3])
            elif joint.type == "planar":
                out[other.idx_v : other.idx_v + 2] = [own[2] * own[1], -own[2] * own[0]]
        return out


def _common_frames(model: ss.Model, oracle: pin.Model, floating: bool) -> list[tuple[str, int]]:
    """Our body name and Pinocchio's frame index of every link. A floating root link "world" is our "world_link"."""
    out = []
    for index, frame in enumerate(oracle.frames):
        name = "world_link" if floating and frame.name == "world" else frame.name
        if frame.type == pin.FrameType.BODY and name in model.body_names:
            out.append((name, index))
    return out


def compare(
    path: Path, floating: bool, states: int = 10, seed: int = 0, oracle_path: Path | None = None
) -> dict[str, float]:
    """Largest relative difference of each quantity over random states."""
    model = ss.load(path, base="floating" if floating else "fixed", repair=False)  # the oracle takes all as written
    oracle = load_pinocchio(oracle_path or path, floating)
    data = oracle.createData()
    mapping = _Map(model, oracle)
    frames = _common_frames(model, oracle, floating)
    assert frames, "no common bodies"
    random = np.random.default_rng(seed)
    worst = dict.fromkeys(("mass matrix", "bias force", "body poses", "jacobians"), 0.0)
    for _ in range(states):
        q, v = mapping.random_state(random)
        q_pin, T = mapping.configuration(q), mapping.velocity_map(q)
        M_pin = pin.crba(oracle, data, q_pin)
        M_pin = np.triu(M_pin) + np.triu(M_pin, 1).T
        bias_pin = pin.nonLinearEffects(oracle, data, q_pin, T @ v) + M_pin @ mapping.velocity_map_rate(T, v)
        pin.computeJointJacobians(oracle, data, q_pin)
        pin.updateFramePlacements(oracle, data)
        record = {
            "mass matrix": relative(model.mass_matrix(q), T.T @ M_pin @ T),
            # M times speeds of order 1: where gravity does nothing and terms cancel, round-off is relative to this.
            "bias force": relative(model.bias_force(q, v), T.T @ bias_pin, np.abs(M_pin).max(initial=1e-12)),
        }
        for key, value in record.items():
            worst[key] = max(worst[key], value)
        for name, index in frames:
            worst["body poses"] = max(worst["body poses"], relative(model.pose(q, name), data.oMf[index].homogeneous))
            if oracle.nv == 0:  # nothing to compare, and Pinocchio 4.1 crashes on it
                continue
            J = pin.getFrameJacobian(oracle, data, index, pin.LOCAL_WORLD_ALIGNED)
            worst["jacobians"] = max(worst["jacobians"], relative(model.jacobian(q, name), J @ T))
    return worst
