"""SDF files: the same masses, poses and mass matrices as Drake computes from them.

tests/sdf/drake.json is what Drake says, written by tools/sdf_reference.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stickslip as ss

FOLDER = Path(__file__).resolve().parent / "sdf"
FILES: dict[str, Any] = json.loads((FOLDER / "drake.json").read_text())["files"]
TOLERANCE = 1e-12  # relative: round-off of a few hundred operations on numbers of order 1


def rotation(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def quaternion_from_rpy(rpy: list[float]) -> np.ndarray:
    (sr, cr), (sp, cp), (sy, cy) = ((np.sin(a / 2), np.cos(a / 2)) for a in rpy)
    return np.array([
        cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy
    ])  # fmt: skip


def configuration(model: ss.Model, state: dict[str, Any]) -> np.ndarray:
    """Ours: Drake's free bodies are quaternion, then position; its balls three angles."""
    q = np.array(model.q0)
    for name, value in state["joints"].items():
        joint = model.joint(name)
        own = quaternion_from_rpy(value) if joint.type == "ball" else value
        q[joint.q_start : joint.q_start + joint.nq] = own
    for name, value in state["floating"].items():
        joint = free_joint(model, name)
        q[joint.q_start : joint.q_start + 7] = [*value[4:], *value[:4]]
    return q


def free_joint(model: ss.Model, body: str) -> Any:
    return next(j for j in map(model.joint, model.joint_names) if j.type == "free" and model.body_names[j.child] == body)


def velocity_map(model: ss.Model, columns: list[Any], q: np.ndarray) -> np.ndarray:
    """v of Drake = T v of ours: free bodies are angular, then linear, in world axes; balls turn in the parent's axes."""
    T = np.zeros((len(columns), model.nv))
    done = set()
    for row, (name, _) in enumerate(columns):
        if name in done:
            continue
        done.add(name)
        if name in model.joint_names and model.joint(name).type != "free":
            joint = model.joint(name)
            block = rotation(q[joint.q_start : joint.q_start + 4]) if joint.type == "ball" else np.eye(joint.nv)
        else:
            joint = free_joint(model, name)
            block = np.zeros((6, 6))
            block[:3, 3:] = rotation(q[joint.q_start + 3 : joint.q_start + 7])
            block[3:, :3] = np.eye(3)
        T[row : row + joint.nv, joint.v_start : joint.v_start + joint.nv] = block
    return T


@pytest.mark.parametrize("name", sorted(FILES))
def test_sdf_equals_drake(name: str) -> None:
    expected = FILES[name]
    model = ss.load(FOLDER / name)
    assert model.nv == expected["nv"]
    assert {b: model.body(b).mass for b in expected["masses"] if model.body(b).mass > 0} == pytest.approx(
        {b: mass for b, mass in expected["masses"].items() if mass > 0}, rel=TOLERANCE
    )
    for body, pose in expected["start"].items():
        np.testing.assert_allclose(model.pose(np.array(model.q0), body), pose, atol=TOLERANCE, err_msg=body)
    for state in expected["states"]:
        q = configuration(model, state)
        for body, pose in state["poses"].items():
            np.testing.assert_allclose(model.pose(q, body), pose, atol=10 * TOLERANCE, err_msg=body)
        T = velocity_map(model, expected["columns"], q)
        M = T.T @ np.array(state["mass_matrix"]) @ T
        np.testing.assert_allclose(model.mass_matrix(q), M, atol=10 * TOLERANCE * np.abs(M).max())


def test_gravity_is_the_worlds() -> None:
    np.testing.assert_array_equal(ss.load(FOLDER / "world.sdf").gravity, [0, 0, -5])


def test_sdf_from_a_string_and_in_a_scene() -> None:
    text = (FOLDER / "old.sdf").read_text()
    assert ss.from_string(text, format="sdf").nv == 2
    scene = ss.from_string("include: [{file: old.sdf, prefix: left_}, {file: old.sdf, prefix: right_}]", folder=str(FOLDER))
    assert scene.nv == 4
    assert "left_elbow" in scene.joint_names


def test_links_in_one_place_take_no_memory_a_pair(tmp_path: Path) -> None:
    """3000 links are 4.5 million pairs: at 200 bytes each nearly 1 GB."""
    links = "".join(f"<link name='l{i}'><inertial><mass>1</mass></inertial><collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>" for i in range(3000))
    (tmp_path / "many.sdf").write_text(f"<sdf version='1.9'><model name='m'>{links}</model></sdf>")
    # VmHWM, since what getrusage says of a child begins with its parent's.
    script = "import sys, stickslip as ss\nmodel = ss.load(sys.argv[1])\nsim = ss.Simulator(model)\nprint(open('/proc/self/status').read().split('VmHWM:')[1].split()[0], len(sim.contacts))\n"
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "many.sdf"], capture_output=True, text=True, timeout=60, check=True)
    kilobytes, contacts = map(int, done.stdout.split())
    assert kilobytes < 300_000 and contacts == 0
