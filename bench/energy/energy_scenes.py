"""The scenes of bench/energy: nothing feeds them, and what they do with their energy is known."""

from __future__ import annotations

import numpy as np
from rigid import Box, Boxes, Hold, Scene, numbers, unit

CORNER = np.array([0.5, 0.5, 0.5])


# -------------------------------------------------------------------------------------------------------------- one box
def thrown(rng: np.random.Generator, size: np.ndarray | None = None) -> Box:
    """Of 5 to 30 cm, at 2 m/s and 5 rad/s."""
    size = rng.uniform(0.05, 0.3, 3) if size is None else size
    return Box(size, np.zeros(3), unit(rng, 4), 2 * unit(rng, 3), 5 * unit(rng, 3))


def held_box(kind: str, seed: int, ropes: int = 1) -> Boxes:
    """On ropes of 0.3 to 1.2 m, or a pin, from points anywhere in the box."""
    rng = np.random.default_rng(seed)
    box = thrown(rng)
    holds = []
    for _ in range(ropes):
        own = rng.uniform(-0.5, 0.5, 3) * box.size
        length = float(rng.uniform(0.3, 1.2)) if kind == "distance" else 0.0
        holds.append(Hold(kind, 0, own, None, box.point(own) + length * unit(rng, 3), length))
    return Boxes([box], holds)


def jointed(boxes: Boxes) -> Scene:
    """The box on a ball joint instead of a pin, as fast as the pin's jerk leaves it."""
    scene = boxes.scene()
    [body], [hold] = scene["bodies"], boxes.holds
    spin = boxes.boxes[0].R.T @ boxes.after_the_jerk()[3:]
    joint = {
        "name": "joint",
        "type": "ball",
        "child": body["name"],
        "pose": {"position": numbers(hold.point_b)},
        "child_pose": {"position": numbers(hold.point_a)},
        "position": body["pose"]["quaternion"],
        "velocity": numbers(spin),
    }
    del body["pose"], body["velocity"]
    return {"bodies": [body], "joints": [joint]}


def brick(size: tuple[float, ...], quaternion: tuple[float, ...], velocity: tuple[float, ...], spin: tuple[float, ...],
          point: tuple[float, ...], world: tuple[float, ...], length: float) -> Boxes:  # fmt: skip
    box = Box(np.array(size), np.zeros(3), np.array(quaternion), np.array(velocity), np.array(spin))
    return Boxes([box], [Hold("distance", 0, np.array(point), None, np.array(world), length)])


# The first that were found to spin up.
BRICKS = {
    "brick 1": brick(
        (0.061, 0.042, 0.024), (-0.06075, -0.03838, -0.99349, -0.08841), (3.8105, -1.8032, -2.6633), (-2.5605, -5.7417, 2.6851),
        (0.029984, 0.022596, 0.009514), (-0.694012, -0.043855, 0.965573), 1.182773,
    ),
    "brick 2": brick(
        (0.0986, 0.0672, 0.0341), (0.16416, -0.44646, 0.48074, -0.73662), (-1.34, -0.5217, 1.4332), (-2.7453, 1.6916, 2.3796),
        (-0.034055, -0.015367, 0.027503), (-0.303943, 0.157969, 0.08187), 0.385007,
    ),
}  # fmt: skip


def gap_box(gap: float, kind: str = "ball") -> Scene:
    """1 kg, 20 cm, at rest and without gravity: a corner is pulled to a place `gap` beside it."""
    own = 0.2 * CORNER
    body = {"name": "box", "mass": 1, "geometry": [{"box": {"size": [0.2, 0.2, 0.2]}, "collides": False}]}
    away = own + gap * np.array([1.0, 2.0, 2.0]) / 3
    hold: Scene = {"name": "hold", "type": kind, "body_a": "box", "pose_a": {"position": numbers(own)}, "pose_b": {"position": numbers(away)}}
    if kind == "distance":
        hold |= {"pose_b": {"position": numbers(own + (gap + 0.5) * np.array([1.0, 2.0, 2.0]) / 3)}, "length": 0.5}
    if kind == "weld":
        hold |= {"pose_b": {"position": numbers(away), "quaternion": [np.cos(2 * gap), 0, np.sin(2 * gap), 0]}}
    return {"gravity": [0, 0, 0], "bodies": [body], "constraints": [hold]}


# ---------------------------------------------------------------------------------------------------------------- loops
def chain(kind: str, seed: int) -> Boxes:
    """Four boxes from corner to corner, hung at the first: on pins, or on rods of 0.3 m."""
    rng = np.random.default_rng(seed)
    boxes: list[Box] = []
    holds: list[Hold] = []
    place = np.zeros(3)
    for i in range(4):
        box = thrown(rng, rng.uniform(0.05, 0.2, 3))
        near, far = -CORNER * box.size, CORNER * box.size
        length = 0.3 if kind == "distance" else 0.0
        way = unit(rng, 3)
        box.position = place + length * way - box.R @ near
        holds.append(Hold(kind, i, near, i - 1 if i else None, CORNER * boxes[-1].size if i else np.zeros(3), length))
        place = box.point(far)
        boxes.append(box)
    return Boxes(boxes, holds)


def ring(seed: int) -> Boxes:
    """Four boxes in a square, pinned at their ends, each to the next; thrown."""
    rng = np.random.default_rng(seed)
    boxes, holds, side = [], [], 0.3
    for i in range(4):
        turn = i * np.pi / 2
        size = np.array([side, *rng.uniform(0.03, 0.1, 2)])
        middle = side / 2 * np.array([np.sin(turn), -np.cos(turn), 0])
        box = thrown(rng, size)
        box.position, box.quaternion = middle, np.array([np.cos(turn / 2), 0, 0, np.sin(turn / 2)])
        boxes.append(box)
    end = np.array([side / 2, 0, 0])
    for i in range(4):
        holds.append(Hold("ball", i, end, (i + 1) % 4, -end))
    return Boxes(boxes, holds)


def bar(name: str, length: float) -> Scene:
    return {"name": name, "density": 500, "geometry": [{"box": {"size": [length, 0.03, 0.02]}, "pose": {"position": [length / 2, 0, 0]}, "collides": False}]}


def four_bar(seed: int) -> Scene:
    """Crank and rocker on hinges, the rod on the crank, a pin from the rod to the rocker: links of 0.3 to 1 m, the crank at 5 to 15 rad/s."""
    rng = np.random.default_rng(seed)
    while True:
        crank, rod, rocker, ground = np.array([0.3, 0.5, 0.5, 0.5]) + np.array([0.2, 0.5, 0.5, 0.5]) * rng.random(4)
        lengths = sorted((crank, rod, rocker, ground))
        if lengths[0] + lengths[3] < 0.98 * (lengths[1] + lengths[2]) and crank == lengths[0]:
            break
    a = rng.uniform(0, 2 * np.pi)
    speed = float(rng.uniform(5, 15))
    tip = crank * np.array([np.cos(a), np.sin(a)])
    foot = np.array([ground, 0.0])
    across = foot - tip
    d = float(np.linalg.norm(across))
    inner = np.arctan2(across[1], across[0]) + np.arccos((rod**2 + d**2 - rocker**2) / (2 * rod * d))
    meet = tip + rod * np.array([np.cos(inner), np.sin(inner)])
    outer = np.arctan2(*(meet - foot)[::-1])
    turned = np.array([[-rod * np.sin(inner), rocker * np.sin(outer)], [rod * np.cos(inner), -rocker * np.cos(outer)]])
    rates = np.linalg.solve(turned, -speed * crank * np.array([-np.sin(a), np.cos(a)]))
    joint = {"type": "revolute", "axis": [0, 0, 1]}
    return {
        "gravity": [0, -9.81, 0],
        "bodies": [bar("crank", crank), bar("rod", rod), bar("rocker", rocker)],
        "joints": [
            joint | {"name": "a", "child": "crank", "position": float(a), "velocity": speed},
            joint | {"name": "b", "parent": "crank", "child": "rod", "pose": {"position": [float(crank), 0, 0]}, "position": float(inner - a), "velocity": float(rates[0] - speed)},
            joint | {"name": "c", "child": "rocker", "pose": {"position": [float(ground), 0, 0]}, "position": float(outer), "velocity": float(rates[1])},
        ],
        "constraints": [{"name": "pin", "type": "ball", "body_a": "rod", "body_b": "rocker", "pose_a": {"position": [float(rod), 0, 0]}, "pose_b": {"position": [float(rocker), 0, 0]}}],
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------------- smooth, contact
def pendulum(links: int) -> Scene:
    """Capsules of 1 m, radius 5 cm, 1 kg, each hinged at the end of the one before; the first is let go at 1 rad."""
    capsule = {"capsule": {"radius": 0.05, "length": 1.0}, "pose": {"position": [0, 0, -0.5]}, "collides": False}
    bodies = [{"name": f"link{i}", "mass": 1, "geometry": [capsule]} for i in range(links)]
    joints: list[Scene] = [{"name": f"hinge{i}", "type": "revolute", "axis": [0, 1, 0], "child": f"link{i}"} for i in range(links)]
    joints[0]["position"] = 1.0
    for i in range(1, links):
        joints[i] |= {"parent": f"link{i - 1}", "pose": {"position": [0, 0, -1]}}
    return {"bodies": bodies, "joints": joints}


def planar_chain(seed: int) -> Scene:
    """Twelve links of 3 to 30 cm on hinges along y, each turning by itself at up to 20 rad/s."""
    rng = np.random.default_rng(seed)
    scene: Scene = {"bodies": [], "joints": []}
    before = 0.0
    for i in range(12):
        length = float(rng.uniform(0.03, 0.3))
        box = {"box": {"size": [length, 0.03, 0.03]}, "pose": {"position": [length / 2, 0, 0]}, "collides": False}
        scene["bodies"].append({"name": f"link{i}", "density": 500, "geometry": [box]})
        joint: Scene = {"name": f"hinge{i}", "type": "revolute", "axis": [0, 1, 0], "child": f"link{i}", "velocity": float(rng.uniform(-20, 20))}
        scene["joints"].append(joint | ({"parent": f"link{i - 1}", "pose": {"position": [before, 0, 0]}} if i else {}))
        before = length
    return scene


def thin_capsule(seed: int) -> Scene:
    """Of radius 12 mm, thrown at 2 m/s and 5 to 30 rad/s on a floor, on which it rolls."""
    rng = np.random.default_rng(seed)
    body = {
        "name": "capsule",
        "density": 500,
        "geometry": [{"capsule": {"radius": 0.012, "length": float(rng.uniform(0.05, 0.3))}}],
        "pose": {"position": [0, 0, 0.3], "quaternion": numbers(unit(rng, 4))},
        "velocity": {"linear": numbers(2 * unit(rng, 3)), "angular": numbers(rng.uniform(5, 30) * unit(rng, 3))},
    }
    return {"bodies": [body, {"name": "floor", "fixed": True, "geometry": [{"half_space": {}}]}]}
