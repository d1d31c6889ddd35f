"""Converts scenes with the command line and compares what comes out with the scene itself, in MuJoCo and here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import stickslip as ss
from command_line import run

from .pinocchio_oracle import relative

SUFFIXES = {"planar": ("_x", "_y", "_angle"), "universal": ("_1", "_2")}  # of the joints that MuJoCo has instead


@dataclass
class Conversion:
    path: Path
    files: list[Path]
    notes: list[dict[str, Any]]

    @property
    def codes(self) -> set[str]:
        return {note["code"] for note in self.notes}


def convert(source: Path, out: Path, *options: str) -> Conversion:
    done = run("convert", source, out, "--json", *options)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert Path(told["output"]) == out
    return Conversion(out, [Path(file) for file in told["files"]], told["notes"])


class Coordinates:
    """Where each of our positions and velocities stands in MuJoCo's."""

    def __init__(self, model: ss.Model, oracle: mujoco.MjModel) -> None:
        self.model = model
        self.q = np.zeros(model.nq, dtype=int)
        self.v = np.zeros(model.nv, dtype=int)
        for name in model.joint_names:
            joint = model.joint(name)
            if joint.nv == 0:
                continue  # prescribed
            parts = [oracle.joint(name + suffix) for suffix in SUFFIXES.get(joint.type, ("",))]
            q, v = np.arange(joint.nq // len(parts)), np.arange(joint.nv // len(parts))
            self.q[joint.q_start : joint.q_start + joint.nq] = np.concatenate([part.qposadr[0] + q for part in parts])
            self.v[joint.v_start : joint.v_start + joint.nv] = np.concatenate([part.dofadr[0] + v for part in parts])

    def random_state(self, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        q = random.uniform(-1, 1, self.model.nq)
        for name in self.model.joint_names:
            joint = self.model.joint(name)
            if joint.type in ("free", "ball"):
                end = joint.q_start + joint.nq
                q[end - 4 : end] = random.normal(size=4)
                q[end - 4 : end] /= np.linalg.norm(q[end - 4 : end])
        return q, random.uniform(-1, 1, self.model.nv)


def load_mujoco(path: Path) -> mujoco.MjModel:
    """Without contact, which is compared by other means, and takes time."""
    oracle = mujoco.MjModel.from_xml_path(str(path))
    oracle.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    return oracle


def compare_with_mujoco(model: ss.Model, path: Path, states: int = 3, seed: int = 0) -> dict[str, float]:
    """Largest relative difference of each quantity between a model and its conversion to MJCF, over random states."""
    oracle = load_mujoco(path)
    data = mujoco.MjData(oracle)
    assert (model.nq, model.nv, model.nu) == (oracle.nq, oracle.nv, oracle.nu)
    names = [name for name in model.body_names if name != "world"]
    ids = [oracle.body(name).id for name in names]
    worst = {
        "masses": relative(np.array([model.body(name).mass for name in names]), oracle.body_mass[ids]),
        "gravity": relative(np.asarray(model.gravity), oracle.opt.gravity),
    }
    coordinates = Coordinates(model, oracle)
    random = np.random.default_rng(seed)
    M = np.zeros((oracle.nv, oracle.nv))
    for _ in range(states):
        q, v = coordinates.random_state(random)
        data.qpos[coordinates.q], data.qvel[coordinates.v] = q, v
        mujoco.mj_forward(oracle, data)
        mujoco.mj_fullM(oracle, data, M)
        order = np.ix_(coordinates.v, coordinates.v)
        ours = np.array([model.pose(q, name)[:3].ravel() for name in names])
        theirs = np.array([np.column_stack([data.xmat[i].reshape(3, 3), data.xpos[i]]).ravel() for i in ids])
        found = {
            "body poses": relative(ours, theirs),
            "mass matrix": relative(model.mass_matrix(q), M[order]),
            "bias force": relative(model.bias_force(q, v), data.qfrc_bias[coordinates.v], np.abs(M).max(initial=1e-12)),
        }
        worst |= {name: max(value, worst.get(name, 0.0)) for name, value in found.items()}
    return worst


def compare_models(a: ss.Model, b: ss.Model, states: int = 2, seed: int = 0) -> dict[str, float]:
    """The same of two models here, whose joints stand in the same order."""
    assert (a.nq, a.nv, a.nu) == (b.nq, b.nv, b.nu)
    assert a.joint_names == b.joint_names and a.actuator_names == b.actuator_names and a.frame_names == b.frame_names
    worst = {"q0": relative(np.asarray(b.q0), np.asarray(a.q0)), "v0": relative(np.asarray(b.v0), np.asarray(a.v0), 1.0)}
    random = np.random.default_rng(seed)
    for _ in range(states):
        q = np.asarray(a.integrate(a.q0, random.uniform(-1, 1, a.nv)))
        v = random.uniform(-1, 1, a.nv)
        M = np.asarray(a.mass_matrix(q))
        found = {
            "mass matrix": relative(b.mass_matrix(q), M),
            "bias force": relative(b.bias_force(q, v), a.bias_force(q, v), np.abs(M).max(initial=1e-12)),
        }
        worst |= {name: max(value, worst.get(name, 0.0)) for name, value in found.items()}
    return worst
