"""Scenes that the tests of recordings run, and comparisons of what comes back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import stickslip as ss

from oracles.robot_files import example_robot_urdfs, mjcf_files

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"

# A crate slides and comes to rest on anchored friction, a ball bounces, an arm with a motor swings against its limit: contacts, constraint
# forces, controls and energies of every kind. The masses are numbers that occur nowhere else.
MIXED = """
materials: {rubber: {stiffness: 1.0e5, dissipation: 10, friction: 0.6}}
bodies:
  - {name: floor, fixed: true, geometry: [{half_space: {}, material: rubber}]}
  - {name: crate, mass: 2.125, pose: {position: [0, 0, 0.11]}, velocity: {linear: [0.5, 0, 0]}, geometry: [{box: {size: [0.2, 0.2, 0.2]}, material: rubber}]}
  - {name: ball, mass: 0.625, pose: {position: [1, 0, 0.15]}, velocity: {linear: [0, 0.3, 0]}, geometry: [{sphere: {radius: 0.1}, material: rubber}]}
  - {name: arm, mass: 1.375, center: [0.3, 0, 0], inertia: {ixx: 0.01, iyy: 0.05, izz: 0.05}}
joints:
  - {name: hinge, type: revolute, child: arm, axis: [0, 1, 0], pose: {position: [0, 2, 1]}, position: 0.3, damping: 0.2, stiffness: 3, limits: {lower: -0.5, upper: 0.5}}
actuators: [{name: motor, joint: hinge, type: motor}]
keyframes: [{name: high, q: [0, 0, 0.3, 1, 0, 0, 0, 1, 0, 0.5, 1, 0, 0, 0, 0.1], ctrl: [0.5]}]
"""
SLIDER = """
gravity: [0, 0, 0]
bodies: [{name: cart, mass: 2}]
joints: [{name: slide, type: prismatic, child: cart, axis: [1, 0, 0], position: 0.4, velocity: -1.5}]
"""
PENDULUM = str(EXAMPLES / "double_pendulum.yaml")
MOCAP = """
bodies:
  - {name: table, fixed: true, geometry: [{half_space: {}}]}
  - {name: hand, mocap: true, pose: {position: [-0.3, 0, 0.1]}, geometry: [{box: {size: [0.1, 0.4, 0.1]}}]}
  - {name: puck, density: 500, pose: {position: [-0.1, 0, 0.05]}, geometry: [{cylinder: {radius: 0.08, length: 0.1}}]}
"""
MOTION = """
bodies:
  - {name: shaker, motion: {axis: [1, 0, 0], amplitude: 0.05, frequency: 3}, geometry: [{box: {size: [1, 1, 0.1]}}]}
  - {name: lift, pose: {position: [3, 0, 0]}, motion: {axis: [0, 0, 1], table: [[0, 0], [0.2, 0.1], [0.4, 0]]}, geometry: [{box: {size: [1, 1, 0.1]}}]}
  - {name: belt, fixed: true, pose: {position: [6, 0, 0]}, geometry: [{box: {size: [1, 1, 0.1]}, surface_velocity: [0.5, 0, 0]}]}
  - {name: a, density: 500, pose: {position: [0, 0, 0.1]}, geometry: [{box: {size: [0.1, 0.1, 0.1]}}]}
  - {name: b, density: 500, pose: {position: [3, 0, 0.1]}, geometry: [{box: {size: [0.1, 0.1, 0.1]}}]}
  - {name: c, density: 500, pose: {position: [6, 0, 0.1]}, geometry: [{box: {size: [0.1, 0.1, 0.1]}}]}
  - {name: wheel, mass: 1, geometry: [{cylinder: {radius: 0.1, length: 0.02}}]}
joints: [{name: axle, type: continuous, child: wheel, pose: {position: [9, 0, 1]}, motion: {velocity: 5}}]
"""
JOINTS = """
bodies:
  - {name: door, mass: 2, center: [0.25, 0, 0.5], inertia: {ixx: 0.2, iyy: 0.2, izz: 0.1}}
  - {name: bolt, mass: 0.1, geometry: [{cylinder: {radius: 0.005, length: 0.05}, collides: false}]}
  - {name: puck, mass: 0.2, geometry: [{cylinder: {radius: 0.05, length: 0.02}, collides: false}]}
  - {name: gimbal, mass: 1, geometry: [{sphere: {radius: 0.05}, collides: false}]}
  - {name: bob, mass: 1, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}, center: [0, 0, -0.5]}
  - {name: second, mass: 1, center: [0.1, 0, 0]}
joints:
  - {name: hinge, type: revolute, child: door, axis: [1, 0, 0], position: 0.3, dry_friction: 0.1, limits: {lower: 0, upper: 0.5}}
  - {name: thread, type: screw, parent: door, child: bolt, pitch: 0.001, damping: 0.01}
  - {name: table, type: planar, child: puck, position: [0.1, 0.2, 0]}
  - {name: cross, type: universal, child: gimbal, axis: [1, 0, 0], axis2: [0, 1, 0], position: [0.1, 0.2]}
  - {name: socket, type: ball, child: bob, pose: {position: [0, 3, 0]}, damping: 0.1}
  - {name: follower, type: revolute, child: second, axis: [0, 1, 0], pose: {position: [0, 5, 0]}, position: 0.3}
constraints: [{type: coupler, joint_a: follower, joint_b: hinge, coefficients: [0, 1]}]
tendons: [{name: cable, joints: {hinge: 0.5, follower: -0.3}, stiffness: 10, damping: 1}]
actuators: [{name: pull, tendon: cable, type: motor, control: 0.2}]
frames: [{name: handle, body: door, pose: {position: [0.8, 0, 1]}}]
"""
MESHES = """
bodies:
  - {name: floor, fixed: true, geometry: [{mesh: {file: channel.obj, convex: false}}]}
  - {name: wedge, density: 500, pose: {position: [0.02, 0, 0.45]}, geometry: [{mesh: {file: wedge.obj, scale: 0.3}}]}
"""
PARTS = """
bodies:
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
  - {name: channel, density: 500, pose: {position: [0, 0, 0.05]}, geometry: [{mesh: {file: channel.obj, decompose: true}}]}
"""
HEIGHTS = """
bodies:
  - {name: ground, fixed: true, geometry: [{height_field: {size: [4, 4], thickness: 0.2, heights: [[0, 0.1, 0], [0.2, 0.3, 0], [0, 0, 0.1]]}}]}
  - {name: ball, density: 500, pose: {position: [0.2, 0.1, 0.5]}, geometry: [{sphere: {radius: 0.1}}]}
"""


def boxes(n: int = 20) -> str:
    """They fall on each other, for ever new contacts."""
    lines = [
        f"  - {{name: box{i}, density: 500, pose: {{position: [{0.03 * (i % 3):g}, {0.02 * (i % 4):g}, {0.2 + 0.25 * i:g}]}}, geometry: [{{box: {{size: [0.2, 0.2, 0.2]}}}}]}}"
        for i in range(n)
    ]
    return "\n".join(["bodies:", "  - {name: floor, fixed: true, geometry: [{half_space: {}}]}", *lines, ""])


def mixed() -> ss.Model:
    return ss.from_string(MIXED)


def panda() -> ss.Model:
    return ss.load(next(p for p in example_robot_urdfs() if p.name == "panda.urdf"))


def gymnasium_robot(name: str) -> ss.Model:
    return ss.load(next(p for p in mjcf_files() if p.name == name and "gymnasium" in p.parts))


# Name: how the model is made, options, simulated time. All are short; what is asked of them is bits.
SCENES: dict[str, tuple[Callable[[], ss.Model], dict[str, Any], float]] = {
    "cenic": (mixed, {}, 0.4),
    "cenic-regularized": (mixed, {"friction": "regularized", "accuracy": 1e-2}, 0.3),
    "anchored": (mixed, {"method": "anchored", "time_step": 2e-3}, 0.3),
    "lagged": (mixed, {"method": "lagged", "time_step": 5e-3, "solver_tolerance": 1e-9}, 0.3),
    "rk4": (lambda: ss.load(PENDULUM), {"method": "rk4", "time_step": 1e-3}, 0.1),
    "grip": (lambda: ss.load(EXAMPLES / "gripper.yaml"), {}, 0.7),
    "conveyor": (lambda: ss.load(EXAMPLES / "conveyor.yaml"), {}, 0.4),
    "loop": (lambda: ss.load(EXAMPLES / "slider_crank.yaml"), {}, 0.3),
    "include": (lambda: ss.load(EXAMPLES / "two_arms.yaml"), {}, 0.3),
    "motion": (lambda: ss.from_string(MOTION), {}, 0.3),
    "joints": (lambda: ss.from_string(JOINTS), {}, 0.3),
    "meshes": (lambda: ss.from_string(MESHES, folder=str(EXAMPLES)), {}, 0.3),
    "parts": (lambda: ss.from_string(PARTS, folder=str(EXAMPLES)), {}, 0.2),
    "heights": (lambda: ss.from_string(HEIGHTS), {}, 0.4),
    "floating-urdf": (lambda: ss.load(EXAMPLES / "arm.urdf", base="floating"), {}, 0.2),
    "panda": (panda, {}, 0.1),
    "hopper": (lambda: gymnasium_robot("hopper.xml"), {}, 0.2),
    "ant": (lambda: gymnasium_robot("ant.xml"), {}, 0.2),
    "nothing-moves": (lambda: ss.from_string("bodies: [{name: floor, fixed: true}]"), {}, 0.1),
    "threads-and-weights": (mixed, {"accuracy": 1e-2, "threads": 2, "weights": "identity", "norm": "state", "max_step": 0.02}, 0.2),
}
ARRAYS = ("t", "q", "v", "z", "ctrl", "mocap", "constraint_forces")
ENERGIES = ("kinetic", "potential", "elastic", "total")


def recorded(path: Path, sim: ss.Simulator, until: float, **options: Any) -> ss.Trajectory:
    with sim.record(path, **options):
        sim.advance_to(until)
    return ss.load_recording(path)


def differences(a: ss.Trajectory, b: ss.Trajectory) -> list[str]:
    """Names of what is not the same bit for bit; empty for equal runs."""
    found = [name for name in ARRAYS if not same_bits(getattr(a, name), getattr(b, name))]
    found += [f"energy.{name}" for name in ENERGIES if not same_bits(getattr(a.energy, name), getattr(b.energy, name))]
    found += [f"steps.{field}" for field in a.steps.dtype.names if not same_bits(a.steps[field], b.steps[field])]
    if set(a.contacts.dtype.names) != set(b.contacts.dtype.names):
        return [*found, "contacts"]
    # A file has them in float32, memory may have them in double.
    return found + [f"contacts.{f}" for f in a.contacts.dtype.names if not same_bits(a.contacts[f].astype(np.float32), b.contacts[f].astype(np.float32))]


def same_bits(a: Any, b: Any) -> bool:
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def datasets(path: Path) -> dict[str, Any]:
    """Every dataset of an HDF5 file, as something that can be compared."""
    found: dict[str, Any] = {}

    def visit(name: str, node: Any) -> None:
        if isinstance(node, h5py.Dataset):
            value = node[()]
            rows = isinstance(value, np.ndarray) and value.dtype == object
            found[name] = [bytes(x) if isinstance(x, bytes) else np.asarray(x).tobytes() for x in value.flat] if rows else value
            if isinstance(found[name], np.ndarray):
                found[name] = (value.shape, str(value.dtype), value.tobytes())

    with h5py.File(path) as file:
        file.visititems(visit)
        found["/"] = {name: str(value) for name, value in file.attrs.items()}
    return found


def text(file: h5py.File, name: str) -> str:
    value = file[name][()]
    return value.decode() if isinstance(value, bytes) else str(value)


def put_text(file: h5py.File, name: str, value: str | bytes) -> None:
    """Other words in a dataset, which keeps its type of string: of any length, or of so many bytes."""
    value = value.encode() if isinstance(value, str) else value
    kind = h5py.check_string_dtype(file[name].dtype)
    del file[name]
    assert kind is not None
    file.create_dataset(name, (), h5py.string_dtype(kind.encoding, None if kind.length is None else max(1, len(value))))
    file[name][()] = value


def journal(path: Path) -> Path:
    return path.with_name(path.name + ".journal")


def python(script: str, *arguments: object, settings: dict[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """A process of its own that finds the same package as this one; `settings` join its environment."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), **(settings or {})}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


@contextmanager
def bounded(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """Ends a process that would go on for ever if a test fails."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=20)


def finish(process: subprocess.Popen[str], timeout: float = 60) -> tuple[int, str, str]:
    with bounded(process):
        out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err
