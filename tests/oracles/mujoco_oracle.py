"""Compares a model with MuJoCo's on the same MJCF: sizes, masses, inertias, body poses, mass matrix, bias force."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np

import stickslip as ss

from .pinocchio_oracle import relative


def load_mujoco(path: Path) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(path))


def _random_state(oracle: mujoco.MjModel, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    q = random.uniform(-1, 1, oracle.nq)
    for i in range(oracle.njnt):
        start = oracle.jnt_qposadr[i]
        if oracle.jnt_type[i] == mujoco.mjtJoint.mjJNT_FREE:
            start += 3
        elif oracle.jnt_type[i] != mujoco.mjtJoint.mjJNT_BALL:
            continue
        quaternion = random.normal(size=4)
        q[start : start + 4] = quaternion / np.linalg.norm(quaternion)
    return q, random.uniform(-1, 1, oracle.nv)


def _body_inertia(oracle: mujoco.MjModel, i: int) -> np.ndarray:
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, oracle.body_iquat[i])
    R = R.reshape(3, 3)
    return R @ np.diag(oracle.body_inertia[i]) @ R.T


def _with_signs_of(q: np.ndarray, oracle: mujoco.MjModel) -> np.ndarray:
    """MuJoCo's start, with quaternions on our side: q and -q are one orientation."""
    start = oracle.qpos0.copy()
    for i in range(oracle.njnt):
        is_free, is_ball = (oracle.jnt_type[i] == kind for kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL))
        if not is_free and not is_ball:
            continue
        first = oracle.jnt_qposadr[i] + (3 if is_free else 0)
        turn = slice(first, first + 4)
        start[turn] *= 1 if np.dot(start[turn], q[turn]) >= 0 else -1
    return start


def compare(path: Path, states: int = 10, seed: int = 0, oracle_path: Path | None = None) -> dict[str, float]:
    """Largest relative difference of each quantity over random states."""
    model = ss.load(path)
    oracle = load_mujoco(oracle_path or path)
    data = mujoco.MjData(oracle)
    assert (model.nq, model.nv) == (oracle.nq, oracle.nv), f"nq, nv: {(model.nq, model.nv)}, MuJoCo {(oracle.nq, oracle.nv)}"
    assert len(model.body_names) == oracle.nbody, f"{len(model.body_names)} bodies, MuJoCo {oracle.nbody}"
    worst = {
        "start": relative(np.asarray(model.q0), _with_signs_of(model.q0, oracle)),
        "masses": relative(np.array([model.body(i).mass for i in range(1, oracle.nbody)]), oracle.body_mass[1:]),
        "inertias": relative(
            np.array([model.body(i).inertia for i in range(1, oracle.nbody)]),
            np.array([_body_inertia(oracle, i) for i in range(1, oracle.nbody)]),
        ),
        "body poses": 0.0,
        "mass matrix": 0.0,
        "bias force": 0.0,
    }
    random = np.random.default_rng(seed)
    simulator = ss.Simulator(model, method="rk4")
    for _ in range(states):
        q, v = _random_state(oracle, random)
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(oracle, data)
        M = np.zeros((oracle.nv, oracle.nv))
        mujoco.mj_fullM(oracle, data, M)
        simulator.q, simulator.v = q, v
        poses = np.array([simulator.body(i).position for i in range(oracle.nbody)])
        worst["body poses"] = max(worst["body poses"], relative(poses, data.xpos))
        worst["mass matrix"] = max(worst["mass matrix"], relative(model.mass_matrix(q), M))
        worst["bias force"] = max(worst["bias force"], relative(model.bias_force(q, v), data.qfrc_bias, np.abs(M).max(initial=1e-12)))
    return worst
