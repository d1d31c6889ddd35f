"""Scenes with known answers, of what users complain about in simulators, and what is measured of them. One description for all engines.

A scene is a dict as in ../contact/scenes.py. A `Run` has the objects at the times asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Scene = dict[str, Any]
G = 9.81
LEVEL = [1.0, 0.0, 0.0, 0.0]
FLOOR = dict(name="floor", size=None, p=[0.0, 0.0, 0.0])


@dataclass(frozen=True)
class Run:
    """Rows are times; the first is the start."""

    t: Array
    q: Array  # T x N x 7: position, quaternion wxyz
    v: Array  # T x N x 6: linear velocity of the origin, angular velocity; world axes
    depth: Array  # T, m, of the deepest contact; 0 where nothing touches
    stopped: str = ""


@dataclass(frozen=True)
class Measure:
    """A number of a run, and what it should be."""

    name: str
    unit: str
    right: float
    of: Callable[[Run], float]


@dataclass(frozen=True)
class Experiment:
    name: str
    what: str
    scene: Scene
    times: list[float]
    measures: list[Measure]
    undamped: bool = False  # MuJoCo's contacts are given no damping


def box(size: float, mass: float, p: Any, **more: Any) -> Scene:
    return dict(shape="box", size=[size] * 3, mass=mass, p=[float(x) for x in p], q=LEVEL, **more)


def scene(name: str, objects: list[Scene], *, k: float = 1e5, d: float = 10.0, mu: float = 0.5, g: float = G, walls: list[Scene] | None = None) -> Scene:
    return dict(name=name, objects=objects, walls=[FLOOR] if walls is None else walls, k=k, d=d, mu=mu, g=g, vs=1e-4, tau=1e-3, T=0.0)


def every(period: float, until: float) -> list[float]:
    return [period * (i + 1) for i in range(round(until / period))]


# ------------------------------------------------------------------------------------------------------------------- rest
def rest(mass: float) -> Experiment:
    k = 1e5
    return Experiment(
        f"rest_{mass:g}", f"a cube of {mass:g} kg at rest on a floor of 1e5 N/m, 3 s", scene("rest", [box(0.1, mass, [0, 0, 0.05])], k=k), [3.0],
        [Measure("overlap", "mm", 1e3 * mass * G / k, lambda r: 1e3 * (0.05 - r.q[-1, 0, 2]))],
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------------ slide
def slide() -> Experiment:
    mu, speed, k = 0.5, 2.0, 1e5
    start = box(0.1, 1.0, [0, 0, 0.05 - G / k], v=[speed, 0, 0])
    return Experiment(
        "slide", "a cube of 1 kg slides at 2 m/s until friction of 0.5 stops it", scene("slide", [start], k=k, mu=mu), every(0.01, 1.0),
        [
            Measure("way", "m", speed**2 / (2 * mu * G), lambda r: float(r.q[-1, 0, 0])),
            Measure("largest lift", "mm", 0.0, lambda r: 1e3 * float((r.q[:, 0, 2] - r.q[0, 0, 2]).max())),
        ],
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------------------- bounce
def bounce() -> Experiment:
    mass, k, radius, height = 0.1, 1e3, 0.05, 1.0
    ball = dict(shape="sphere", radius=radius, mass=mass, p=[0.0, 0.0, height + radius], q=LEVEL)

    def kept(r: Run) -> float:
        z, speed = r.q[:, 0, 2] - radius, r.v[:, 0, 2]
        energy = mass * G * z + 0.5 * mass * speed**2 + 0.5 * k * np.minimum(z, 0) ** 2
        return 100 * float(energy[-1] / energy[0])

    return Experiment(
        "bounce", "a ball without damping falls from 1 m, k 1e3 N/m, 10 s", scene("bounce", [ball], k=k, d=0.0), every(0.05, 10.0),
        [Measure("energy kept", "%", 100.0, kept)], undamped=True,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------------- spin
def spin() -> Experiment:
    """About the middle axis, which is unstable, while it falls."""
    size, mass = np.array([0.1, 0.2, 0.4]), 1.0
    moments = mass * ((size**2).sum() - size**2) / 12
    body = dict(shape="box", size=size.tolist(), mass=mass, p=[0.0, 0.0, 0.0], q=LEVEL, v=[1.0, 0.0, 0.0], w=[0.1, 10.0, 0.1])

    def momentum(r: Run) -> Array:
        out = []
        for q, v in zip(r.q[:, 0], r.v[:, 0], strict=True):
            R = rotation(q[3:])
            out.append(R @ (moments * (R.T @ v[3:])))
        return np.array(out)

    def energy(r: Run) -> Array:
        spin = [rotation(q[3:]).T @ v[3:] for q, v in zip(r.q[:, 0], r.v[:, 0], strict=True)]
        return 0.5 * (np.square(spin) * moments).sum(axis=1)

    def off(r: Run) -> float:
        t = r.t[-1]
        return 1e3 * float(np.linalg.norm(r.q[-1, 0, :3] - [t, 0, -0.5 * G * t**2]))

    return Experiment(
        "spin", "a plate falls and tumbles freely about its middle axis at 10 rad/s, 10 s", scene("spin", [body], walls=[]), every(0.1, 10.0),
        [
            Measure("position off", "mm", 0.0, off),
            Measure("rotational energy", "%", 100.0, lambda r: 100 * float(energy(r)[-1] / energy(r)[0])),
            Measure("angular momentum off", "%", 0.0, lambda r: 100 * float(np.linalg.norm(momentum(r)[-1] - momentum(r)[0]) / np.linalg.norm(momentum(r)[0]))),
        ],
    )  # fmt: skip


def rotation(q: Array) -> Array:
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


# ----------------------------------------------------------------------------------------------------------------- stacks
def stack() -> Experiment:
    count, k = 10, 1e6
    cubes = [box(0.1, 1.0, [0, 0, 0.05 + 0.1 * i]) for i in range(count)]
    return Experiment(
        "stack", "ten cubes of 1 kg on each other, k 1e6 N/m, 60 s", scene("stack", cubes, k=k), [1.0, 60.0],
        [Measure("the top drifts by", "um", 0.0, lambda r: 1e6 * float(np.linalg.norm(r.q[-1, -1, :3] - r.q[1, -1, :3])))],
    )  # fmt: skip


def mass_ratio() -> Experiment:
    k = 1e6
    cubes = [box(0.1, 1.0, [0, 0, 0.05]), box(0.1, 1000.0, [0, 0, 0.15])]
    return Experiment(
        "mass_ratio", "a cube of 1000 kg on one of 1 kg, k 1e6 N/m, 10 s", scene("mass_ratio", cubes, k=k), [10.0],
        [
            Measure("overlap with the floor", "mm", 1e3 * 1001 * G / k, lambda r: 1e3 * (0.05 - float(r.q[-1, 0, 2]))),
            Measure("the heavy one is off sideways by", "mm", 0.0, lambda r: 1e3 * float(np.linalg.norm(r.q[-1, 1, :2]))),
        ],
    )  # fmt: skip


# -------------------------------------------------------------------------------------------------------------- thin wall
def thin_wall(speed: float) -> Experiment:
    radius, thickness = 0.005, 1e-3
    ball = dict(shape="sphere", radius=radius, mass=1000 * 4 / 3 * pi * radius**3, p=[-0.5, 0.0, 0.0], q=LEVEL, v=[speed, 0.0, 0.0])
    wall = dict(name="wall", size=[thickness, 1.0, 1.0], p=[0.0, 0.0, 0.0])
    return Experiment(
        f"wall_{speed:g}", f"a ball of 1 cm flies at {speed:g} m/s against a wall of 1 mm, k 1e6 N/m", scene("wall", [ball], k=1e6, g=0.0, walls=[wall]), every(0.05 / speed, 1.0 / speed),
        [Measure("is behind the wall", "0 or 1", 0.0, lambda r: float(r.q[-1, 0, 0] > 0))],
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ sensitivity
def tumble() -> Experiment:
    """Where it ends, which an engine is asked at two settings."""
    half = [0.2, 0.15]
    q = np.array([np.cos(half[0]) * np.cos(half[1]), np.cos(half[0]) * np.sin(half[1]), np.sin(half[0]) * np.cos(half[1]), -np.sin(half[0]) * np.sin(half[1])])
    start = box(0.1, 1.0, [0, 0, 0.3], v=[1.5, 0.2, 0.0], w=[0.5, 3.0, 0.2]) | dict(q=q.tolist())
    return Experiment("tumble", "a cube thrown tumbling onto a floor, 0.6 s", scene("tumble", [start]), [0.6], [])


EXPERIMENTS = [rest(1.0), rest(100.0), slide(), bounce(), spin(), stack(), mass_ratio(), thin_wall(1.0), thin_wall(10.0), thin_wall(100.0)]
