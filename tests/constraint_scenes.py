"""Random scenes of joints and constraints that nothing feeds, and what becomes of their energy: a fuzzer that judges by numbers.

Usage: cd tests && ../.venv/bin/python -m constraint_scenes [--scenes 300] [--first 0] [--jobs 2] [--settings cenic-1e-2,anchored-2ms] [--markdown]

Prints a line for each way to step: how many of the scenes gain more than 1 % and more than 100 % of what their masses would have a metre up at 3.5 m/s,
and how many leave bodies deep in each other, constraints unheld, stop with a status, or take more steps than they should. The same numbers each time.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

import stickslip as ss

SECONDS = 2.0
MOST_STEPS = 20_000  # accepted and rejected: 100 us each; a scene that needs more stands still
Scene = dict[str, Any]

# Ways to step: method and its options.
SETTINGS: dict[str, dict[str, Any]] = {
    "cenic-1e-1": {"method": "cenic", "accuracy": 1e-1},
    "cenic-1e-2": {"method": "cenic", "accuracy": 1e-2},
    "cenic-1e-3": {"method": "cenic", "accuracy": 1e-3},
    "cenic-1e-4": {"method": "cenic", "accuracy": 1e-4},
    "cenic-paper-1e-2": {"method": "cenic-paper", "accuracy": 1e-2},
    "cenic-trapezoid-1e-2": {"method": "cenic-trapezoid", "accuracy": 1e-2},
    "anchored-10ms": {"method": "anchored", "time_step": 1e-2},
    "anchored-2ms": {"method": "anchored", "time_step": 2e-3},
    "lagged-2ms": {"method": "lagged", "time_step": 2e-3},
    "similar-2ms": {"method": "similar", "time_step": 2e-3},
    "sap-2ms": {"method": "sap", "time_step": 2e-3},
}


@dataclass
class Verdict:
    """Of one scene, or sums over many."""

    scenes: int = 1
    gained: int = 0  # more than 1 % of its scale
    exploded: int = 0  # more than 100 %
    overlapping: int = 0  # bodies were deep in each other, beyond the middle of the thinner
    unheld: int = 0  # constraints were far from held
    stopped: int = 0  # with a status
    endless: int = 0  # more than MOST_STEPS

    def __add__(self, other: Verdict) -> Verdict:
        return Verdict(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def rotation(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def unit(rng: np.random.Generator, size: int) -> np.ndarray:
    x = rng.normal(size=size)
    return x / np.linalg.norm(x)


def numbers(x: Any) -> list[float]:
    return [float(value) for value in np.ravel(x)]


def random_body(rng: np.random.Generator, index: int, collides: bool) -> Scene:
    size = rng.uniform(0.05, 0.3, 3)
    shape: Scene = [
        {"box": {"size": numbers(size)}},
        {"capsule": {"radius": float(size[0] / 4), "length": float(size[1])}},
        {"cylinder": {"radius": float(size[0] / 2), "length": float(size[1])}},
        {"sphere": {"radius": float(size[0] / 2)}},
    ][int(rng.choice(4, p=[0.7, 0.1, 0.1, 0.1]))]
    # Half a metre apart, so that they do not begin in each other.
    position = 0.5 * np.array([index % 3, index // 3, 0]) + rng.uniform(-0.05, 0.05, 3)
    return {
        "name": f"body{index}",
        "density": 500,
        "geometry": [{**shape, "collides": collides}],
        "pose": {"position": numbers(position), "quaternion": numbers(unit(rng, 4))},
        "velocity": {"linear": numbers(2 * rng.normal(size=3) / np.sqrt(3)), "angular": numbers(5 * rng.normal(size=3) / np.sqrt(3))},
    }


def random_joint(rng: np.random.Generator, index: int, jointed: list[int]) -> Scene:
    kind = str(rng.choice(["revolute", "prismatic", "ball", "universal"]))
    joint: Scene = {"name": f"joint{index}", "type": kind, "child": f"body{index}"}
    joint["pose"] = {"position": numbers(rng.uniform(-0.3, 0.3, 3)), "quaternion": numbers(unit(rng, 4))}
    if jointed and rng.random() < 0.5:
        joint["parent"] = f"body{int(rng.choice(jointed))}"
    if kind in ("revolute", "prismatic"):
        joint["axis"] = numbers(unit(rng, 3))
        joint["velocity"] = float(rng.uniform(-3, 3) if kind == "revolute" else rng.uniform(-1, 1))
        if rng.random() < 0.5:
            joint["limits"] = {"lower": -float(rng.uniform(0.1, 1)), "upper": float(rng.uniform(0.1, 1))}
    if kind == "universal":
        axis = unit(rng, 3)
        joint["axis"], joint["axis2"] = numbers(axis), numbers(np.cross(axis, unit(rng, 3)))
    return joint


def random_constraint(rng: np.random.Generator, scene: Scene, index: int, gap: float) -> Scene:
    """Between two bodies, or one and the world, that holds at the start but for a gap."""
    sim = ss.Simulator(ss.from_string(json.dumps(scene)))
    count = len(scene["bodies"])
    a = int(rng.integers(count))
    b = int(rng.integers(count)) if rng.random() < 0.5 else a
    kind = str(rng.choice(["distance", "ball", "weld"], p=[0.5, 0.4, 0.1]))
    # Levers: a third of them outside of the body.
    lever = rng.uniform(-0.05, 0.05, 3) * (6 if rng.random() < 0.3 else 1)
    R, p = rotation(sim.body(f"body{a}").quaternion), sim.body(f"body{a}").position
    point = p + R @ lever
    out: Scene = {"name": f"hold{index}", "type": kind, "body_a": f"body{a}", "pose_a": {"position": numbers(lever)}}
    other, turn = np.zeros(3), np.eye(3)
    if b != a:
        other, turn = sim.body(f"body{b}").position, rotation(sim.body(f"body{b}").quaternion)
        out["body_b"] = f"body{b}"
    if kind == "distance":
        far = rng.uniform(0.3, 1) * unit(rng, 3) if b == a else turn @ rng.uniform(-0.05, 0.05, 3) + other - point
        out["pose_b"] = {"position": numbers(turn.T @ (point + far - other))}
        out["length"] = float(max(0.02, np.linalg.norm(far) - gap))
        return out
    out["pose_b"] = {"position": numbers(turn.T @ (point + gap * unit(rng, 3) - other))}
    if kind == "weld":  # turned as they start
        out["pose_a"]["quaternion"], out["pose_b"]["quaternion"] = quaternion_of(R.T), quaternion_of(turn.T)
    return out


def quaternion_of(R: np.ndarray) -> list[float]:
    """By the largest of its components."""
    w = 1 + np.array([np.trace(R), *(2 * np.diag(R) - np.trace(R))])
    k = int(np.argmax(w))
    off = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    if k == 0:
        return numbers(np.array([w[0], *off]) / (2 * np.sqrt(w[0])))
    symmetric = R + R.T
    q = np.empty(4)
    q[0] = off[k - 1]
    q[1:] = symmetric[k - 1]
    q[k] = w[k]
    return numbers(q / (2 * np.sqrt(w[k])))


def random_scene(seed: int) -> Scene:
    """One to five bodies, thrown; half of the scenes with a floor and contact, a quarter with constraints that start open."""
    rng = np.random.default_rng(seed)
    collides = bool(rng.random() < 0.5)
    gap = float(rng.uniform(0.005, 0.05)) if rng.random() < 0.25 else 0.0
    count = 1 + int(rng.integers(5))
    scene: Scene = {"bodies": [random_body(rng, i, collides) for i in range(count)], "joints": [], "constraints": []}
    jointed: list[int] = []
    for i in range(count):
        if rng.random() < 0.4:
            scene["joints"].append(random_joint(rng, i, jointed))
            for key in ("pose", "velocity"):
                del scene["bodies"][i][key]
            jointed.append(i)
    made = [random_constraint(rng, scene, i, gap) for i in range(1 + int(rng.integers(3)))]
    ones = [joint["name"] for joint in scene["joints"] if joint["type"] in ("revolute", "prismatic")]
    if len(ones) > 1 and rng.random() < 0.5:
        made.append({"name": "gear", "type": "coupler", "joint_a": ones[0], "joint_b": ones[1], "coefficients": [0, float(rng.uniform(-2, 2))]})
    scene["constraints"] = made
    if collides:
        scene["bodies"].append({"name": "floor", "fixed": True, "pose": {"position": [0, 0, -0.8]}, "geometry": [{"half_space": {}}]})
    return scene


def brick(size: tuple[float, ...], quaternion: tuple[float, ...], velocity: tuple[float, ...], spin: tuple[float, ...], rope: Scene) -> Scene:
    body = {
        "name": "brick",
        "density": 500,
        "geometry": [{"box": {"size": size}}],
        "pose": {"quaternion": quaternion},
        "velocity": {"linear": velocity, "angular": spin},
    }
    return {"bodies": [body], "constraints": [{"name": "rope", "type": "distance", "body_a": "brick", **rope}]}


# Bricks on a rope whose spin grows from nothing: named, since they were the first that were found to.
NAMED: dict[str, Scene] = {
    "brick 1": brick(
        (0.061, 0.042, 0.024),
        (-0.06075, -0.03838, -0.99349, -0.08841),
        (3.8105, -1.8032, -2.6633),
        (-2.5605, -5.7417, 2.6851),
        {"pose_a": {"position": (0.029984, 0.022596, 0.009514)}, "pose_b": {"position": (-0.694012, -0.043855, 0.965573)}, "length": 1.182773},
    ),
    "brick 2": brick(
        (0.0986, 0.0672, 0.0341),
        (0.16416, -0.44646, 0.48074, -0.73662),
        (-1.34, -0.5217, 1.4332),
        (-2.7453, 1.6916, 2.3796),
        {"pose_a": {"position": (-0.034055, -0.015367, 0.027503)}, "pose_b": {"position": (-0.303943, 0.157969, 0.08187)}, "length": 0.385007},
    ),
}


def named_gain(name: str, options: dict[str, Any], seconds: float = 5.0) -> tuple[float, float]:
    """Mechanical energy just after the start's impact, and the most of it later [J]."""
    sim = ss.Simulator(ss.from_string(json.dumps(NAMED[name])), **options)
    sim.step()
    start = most = sim.kinetic_energy + sim.potential_energy
    for _ in range(MOST_STEPS):
        if sim.time >= seconds:
            break
        sim.step()
        most = max(most, sim.kinetic_energy + sim.potential_energy)
    return start, most


def scale(model: ss.Model) -> float:
    return float(model.total_mass * (9.81 + 6))


def largest_gain(sim: ss.Simulator, until: float, most_steps: int = MOST_STEPS) -> tuple[float, Verdict]:
    """In parts of the scale, over the most that it had in the first 20 ms, in which open constraints close; and what else came of it."""
    unit_energy = scale(sim.model)
    base, gain, verdict = sim.kinetic_energy + sim.potential_energy, 0.0, Verdict()
    steps = 0
    try:
        while sim.time < until and steps < most_steps and gain < 100:
            sim.step()
            steps += 1
            energy = sim.kinetic_energy + sim.potential_energy
            if sim.time <= 0.02:
                base = max(base, energy)
            gain = max(gain, (energy - base) / unit_energy)
    except ss.SimulationStopped:
        verdict.stopped = 1
    codes = {warning.code for warning in sim.report.warnings}
    verdict.gained, verdict.exploded = int(gain > 0.01), int(gain > 1)
    verdict.overlapping, verdict.unheld = int("deep-overlap" in codes), int("stretched-constraint" in codes)
    verdict.endless = int(sim.time < until and not verdict.stopped)
    return gain, verdict


def judge(seed: int, setting: str) -> Verdict:
    sim = ss.Simulator(ss.from_string(json.dumps(random_scene(seed))), **SETTINGS[setting])
    return largest_gain(sim, SECONDS)[1]


def tally(setting: str, seeds: range, jobs: int = 1) -> Verdict:
    if jobs == 1:
        return sum((judge(seed, setting) for seed in seeds), Verdict(scenes=0))
    with ProcessPoolExecutor(jobs) as pool:
        return sum(pool.map(judge, seeds, [setting] * len(seeds), chunksize=4), Verdict(scenes=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--settings", default=",".join(SETTINGS))
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    names = [f.name for f in fields(Verdict)]
    separator = " | " if arguments.markdown else "  "
    print(separator.join([f"{'':<22}", *(f"{name:>11}" for name in names)]))
    for setting in arguments.settings.split(","):
        seeds = range(arguments.first, arguments.first + arguments.scenes)
        verdict = tally(setting, seeds, arguments.jobs)
        print(separator.join([f"{setting:<22}", *(f"{getattr(verdict, name):>11}" for name in names)]), flush=True)


if __name__ == "__main__":
    main()
