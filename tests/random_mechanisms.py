"""Random scenes of bodies, joints, constraints and what may drive them, the same ones each time; constraint_scenes judges what becomes of them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import stickslip as ss

Scene = dict[str, Any]
SINGLE = ("revolute", "prismatic")  # joints with one coordinate
FAR_GAP = 0.05  # m: most of the small gaps, and least of the large ones


def rotation(quaternion: np.ndarray) -> np.ndarray:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


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


def unit(rng: np.random.Generator, size: int) -> np.ndarray:
    x = rng.normal(size=size)
    return x / np.linalg.norm(x)


def numbers(x: Any) -> list[float]:
    return [float(value) for value in np.ravel(x)]


def magnitude(rng: np.random.Generator, low: float, high: float) -> float:
    return float(10 ** rng.uniform(np.log10(low), np.log10(high)))


def random_body(rng: np.random.Generator, index: int, collides: bool) -> Scene:
    size = rng.uniform(0.05, 0.3, 3)
    shapes: list[Scene] = [
        {"box": {"size": numbers(size)}},
        {"capsule": {"radius": float(size[0] / 4), "length": float(size[1])}},
        {"cylinder": {"radius": float(size[0] / 2), "length": float(size[1])}},
        {"sphere": {"radius": float(size[0] / 2)}},
    ]
    shape = shapes[int(rng.choice(4, p=[0.7, 0.1, 0.1, 0.1]))]
    # Half a metre apart, so that they do not begin in each other.
    position = 0.5 * np.array([index % 3, index // 3, 0]) + rng.uniform(-0.05, 0.05, 3)
    return {
        "name": f"body{index}",
        "density": 500,
        "geometry": [{**shape, "collides": collides, "material": "surface"}],
        "pose": {"position": numbers(position), "quaternion": numbers(unit(rng, 4))},
        "velocity": {"linear": numbers(2 * rng.normal(size=3) / np.sqrt(3)), "angular": numbers(5 * rng.normal(size=3) / np.sqrt(3))},
    }


def random_joint(rng: np.random.Generator, index: int, jointed: list[int]) -> Scene:
    kind = str(rng.choice(["revolute", "prismatic", "ball", "universal"]))
    joint: Scene = {"name": f"joint{index}", "type": kind, "child": f"body{index}"}
    joint["pose"] = {"position": numbers(rng.uniform(-0.3, 0.3, 3)), "quaternion": numbers(unit(rng, 4))}
    if jointed and rng.random() < 0.5:
        joint["parent"] = f"body{int(rng.choice(jointed))}"
    if kind in SINGLE:
        joint["axis"] = numbers(unit(rng, 3))
        joint["velocity"] = float(rng.uniform(-3, 3) if kind == "revolute" else rng.uniform(-1, 1))
        if rng.random() < 0.5:
            joint["limits"] = {"lower": -float(rng.uniform(0.1, 1)), "upper": float(rng.uniform(0.1, 1))}
        if rng.random() < 0.3:
            joint["stiffness"] = magnitude(rng, 0.1, 100)
        if rng.random() < 0.3:
            joint |= {"damping": magnitude(rng, 1e-3, 1), "dry_friction": magnitude(rng, 1e-3, 1)}
        if rng.random() < 0.2:
            joint["armature"] = magnitude(rng, 1e-4, 1e-1)
    if kind == "universal":
        axis = unit(rng, 3)
        joint["axis"], joint["axis2"] = numbers(axis), numbers(np.cross(axis, unit(rng, 3)))
    return joint


def random_constraint(rng: np.random.Generator, sim: ss.Simulator, count: int, index: int, gap: float) -> Scene:
    """Between two bodies, or one and the world, that holds at the start but for a gap."""
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
        length = float(np.linalg.norm(far))
        out["length"] = length - gap if length - gap > 0.02 else length + gap
    else:
        out["pose_b"] = {"position": numbers(turn.T @ (point + gap * unit(rng, 3) - other))}
    if kind == "weld":  # turned as they start
        out["pose_a"]["quaternion"], out["pose_b"]["quaternion"] = quaternion_of(R.T), quaternion_of(turn.T)
    elif rng.random() < 0.2:  # a spring
        out |= {"stiffness": magnitude(rng, 10, 1e4), "dissipation": magnitude(rng, 0.01, 10)}
    return out


def random_gap(rng: np.random.Generator) -> float:
    """Half of the scenes have one, half of these a large one [m]."""
    if rng.random() < 0.5:
        return 0.0
    return float(rng.uniform(0.005, FAR_GAP) if rng.random() < 0.5 else rng.uniform(FAR_GAP, 0.3))


def random_surface(rng: np.random.Generator) -> Scene:
    """Half of them soft."""
    surface: Scene = {"friction": float(rng.uniform(0, 1))}
    if rng.random() < 0.5:
        surface |= {"stiffness": magnitude(rng, 1e3, 1e5), "dissipation": magnitude(rng, 0.1, 10)}
    return surface


def movable(scene: Scene) -> list[str]:
    """Joints with one coordinate that is not prescribed."""
    return [joint["name"] for joint in scene["joints"] if joint["type"] in SINGLE and "motion" not in joint]


def add_couplings(rng: np.random.Generator, scene: Scene) -> None:
    """Gears, and tendons with a spring."""
    ones = movable(scene)
    if len(ones) > 1 and rng.random() < 0.7:
        coefficients = [0, float(rng.uniform(-2, 2)), *([float(rng.uniform(-1, 1))] if rng.random() < 0.3 else [])]
        scene["constraints"].append({"name": "gear", "type": "coupler", "joint_a": ones[0], "joint_b": ones[1], "coefficients": coefficients})
    if ones and rng.random() < 0.4:
        tendon: Scene = {"name": "tendon", "joints": {name: float(rng.uniform(-0.1, 0.1)) for name in ones[:2]}, "stiffness": magnitude(rng, 10, 1e4)}
        tendon |= {"damping": magnitude(rng, 0.01, 10), "rest": {"lower": -0.01, "upper": 0.01}}
        if rng.random() < 0.5:
            tendon["limits"] = {"lower": -0.05, "upper": 0.05}
        scene["tendons"] = [tendon]


def add_motions(rng: np.random.Generator, scene: Scene) -> None:
    """Joints and a body that move as prescribed."""
    for joint in scene["joints"]:
        if joint["type"] in SINGLE and rng.random() < 0.2:
            kept = {key: joint[key] for key in ("name", "type", "child", "parent", "pose", "axis") if key in joint}
            sine = {"amplitude": float(rng.uniform(0.05, 0.5)), "frequency": float(rng.uniform(0.2, 2)), "phase": float(rng.uniform(0, 6))}
            joint.clear()
            joint |= kept | {"motion": sine if rng.random() < 0.5 else {"velocity": float(rng.uniform(-5, 5))}}
    if rng.random() < 0.3:
        motion = {"axis": numbers(unit(rng, 3)), "amplitude": float(rng.uniform(0.02, 0.2)), "frequency": float(rng.uniform(0.2, 2))}
        place = {"position": numbers(rng.uniform(-0.5, 0.5, 3) + [0, 0, 1.0])}
        scene["bodies"].append({"name": "shaker", "pose": place, "motion": motion})


def add_leash(scene: Scene, sim: ss.Simulator) -> None:
    """From the body that moves as prescribed to the first that does not."""
    if scene["bodies"][-1]["name"] == "shaker":
        length = float(np.linalg.norm(sim.body("shaker").position - sim.body("body0").position))
        scene["constraints"].append({"name": "leash", "type": "distance", "body_a": "body0", "body_b": "shaker", "length": length})


def add_motors(rng: np.random.Generator, scene: Scene) -> None:
    """Motors and servos."""
    scene["actuators"] = []
    for name in movable(scene):
        kind = str(rng.choice(["none", "motor", "position", "velocity"]))
        drive: Scene = {"name": f"drive_{name}", "joint": name, "type": kind, "control": float(rng.uniform(-1, 1))}
        if kind == "motor":
            scene["actuators"].append(drive | {"gear": float(rng.uniform(-5, 5))})
        elif kind == "position":
            scene["actuators"].append(drive | {"kp": magnitude(rng, 1, 1000), "kd": magnitude(rng, 0.01, 10), "effort_limit": magnitude(rng, 1, 100)})
        elif kind == "velocity":
            scene["actuators"].append(drive | {"kv": magnitude(rng, 0.1, 100), "force_limits": {"lower": -10, "upper": 10}})


def is_fed(seed: int) -> bool:
    """All but a third."""
    return seed % 3 != 0


def random_scene(seed: int) -> Scene:
    """One to five bodies, thrown; half of the scenes with a floor and contact, half with constraints that start open."""
    rng = np.random.default_rng(seed)
    collides, gap = bool(rng.random() < 0.5), random_gap(rng)
    count = 1 + int(rng.integers(5))
    scene: Scene = {"materials": {"surface": random_surface(rng)}, "bodies": [random_body(rng, i, collides) for i in range(count)], "joints": [], "constraints": []}
    jointed: list[int] = []
    for i in range(count):
        if rng.random() < 0.4:
            scene["joints"].append(random_joint(rng, i, jointed))
            for key in ("pose", "velocity"):
                del scene["bodies"][i][key]
            jointed.append(i)
    if is_fed(seed):
        add_motions(rng, scene)
    sim = ss.Simulator(ss.from_string(json.dumps(scene)))
    scene["constraints"] = [random_constraint(rng, sim, count, i, gap) for i in range(1 + int(rng.integers(3)))]
    add_couplings(rng, scene)
    if is_fed(seed):
        add_leash(scene, sim)
        add_motors(rng, scene)
    if collides:
        floor: Scene = {"half_space": {}, "material": "surface"}
        if is_fed(seed) and rng.random() < 0.3:
            floor["surface_velocity"] = numbers([*rng.uniform(-1, 1, 2), 0])
        scene["bodies"].append({"name": "floor", "fixed": True, "pose": {"position": [0, 0, -0.8]}, "geometry": [floor]})
        apart(scene)
    return scene


def apart(scene: Scene) -> None:
    """What begins in each other does not collide: surfaces pressed deep into each other are no springs whose energy is known."""
    pairs = ss.Simulator(ss.from_string(json.dumps(scene))).overlaps()
    if pairs:
        scene["exclusions"] = [{"body_a": a, "body_b": b} for a, b, _ in pairs]


def gap_of(seed: int) -> float:
    """With which the scene's constraints start open [m]."""
    rng = np.random.default_rng(seed)
    rng.random()
    return random_gap(rng)
