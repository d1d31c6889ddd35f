"""Whether the force of a contact changes steadily while a body moves: no jump that a finer step does not divide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stickslip import geometry

from .collision_pairs import bound, distance_tolerance, poses, random_rotations, rotation, scale_of
from .shapes import Array, Shape

OVERLAP = 1e-3  # of the scale, kept along the path
FINEST = 1e-9  # of the scale: where halving the step ends
TIE = 1e-3  # rad: a normal that turns by this much within the finest step may have changed its axis
JUMP = 1e-3  # largest change of the wrench, over OVERLAP: what a normal within its tolerance of 1e-3 rad allows


@dataclass
class Path:
    name: str
    poses_a: Array
    poses_b: Array


@dataclass
class Jump:
    size: float  # change of the wrench over OVERLAP, at the finest step
    turn: float  # [rad] of the normal
    tie: bool  # two separating axes with the same depth: the force has to jump
    path: str
    pose_a: Array
    pose_b: Array
    before: Array
    after: Array
    steepest: float = 0.0  # change of the wrench per motion, at the path's own step


def wrench(a: geometry.Collider, b: geometry.Collider, pose_a: Array, pose_b: Array) -> tuple[Array, Array]:
    """Of springs with the manifold's weights as stiffness, about A's origin; and the normal (NaN without contact)."""
    points, normals, distances, weights, _ = (np.asarray(x) for x in geometry.contacts(a, b, pose_a, pose_b))
    if not len(points):
        return np.zeros(6), np.full(3, np.nan)
    force = (weights * np.maximum(-distances, 0))[:, None] * normals
    return np.concatenate([force.sum(axis=0), np.cross(points - pose_a[:3, 3], force).sum(axis=0)]), normals[0]


def _directions(random: np.random.Generator, count: int) -> Array:
    """A smooth walk over the sphere."""
    start, turn = random_rotations(random, 1)[0], random.normal(size=(2, 3))
    t = np.linspace(0, 1, count)[:, None]
    return np.asarray((rotation(t * turn[0] * 0.8) @ rotation(np.sin(5 * t) * turn[1] * 0.4) @ start)[:, :, 2])


def _turns(random: np.random.Generator, count: int, angle: float) -> Array:
    t = np.linspace(-1, 1, count)[:, None]
    axes = random.normal(size=(2, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return np.asarray(rotation(t * angle * axes[0]) @ rotation(np.sin(3 * t) * 0.3 * angle * axes[1]))


def _pushed(a: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, R: Array, foot: Array, u: Array) -> tuple[Array, Array]:
    """B at `foot` + r u, with r such that the overlap is the wanted one."""
    count = len(R)
    wanted = -OVERLAP * scale_of(a, b)
    poses_a, poses_b = poses(np.repeat(np.eye(3)[None], count, axis=0), np.zeros((count, 3))), poses(R, foot)
    r = wanted - bound(a, b, poses_a, poses_b, u[:, None])[:, 0]  # as if u were the axis: too far out or right
    for _ in range(30):
        poses_b[:, :3, 3] = foot + r[:, None] * u
        distance, normal, _, _ = (np.asarray(x) for x in geometry.separation(ca, cb, poses_a, poses_b))
        if np.abs(distance - wanted).max() < 1e-14 * scale_of(a, b):
            break
        cosine = np.einsum("ni,ni->n", normal, u)
        r -= (distance - wanted) / np.maximum(cosine, 0.3)
    poses_b[:, :3, 3] = foot + r[:, None] * u
    return poses_a, poses_b


def paths(a: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, count: int, seed: int, slides: bool) -> list[Path]:
    random = np.random.default_rng(seed)
    t = np.linspace(-1, 1, count)[:, None]
    up = np.repeat([[0.0, 0.0, 1.0]], count, axis=0)
    still = np.zeros((count, 3))
    reach = a.radius if a.kind != "half_space" else b.radius
    side = np.concatenate([random.uniform(-0.3, 0.3, 2) * reach, [0.0]])
    flat = np.repeat(np.eye(3)[None], count, axis=0)
    yawed = np.repeat(rotation(np.array([0, 0, random.uniform(0, 3)]))[None], count, axis=0)
    lying = np.repeat(rotation(np.array([np.pi / 2, 0, 0]))[None], count, axis=0)
    about = np.array([np.cos(0.4), np.sin(0.4), 0])
    tilt = rotation(0.02 * t * about)
    roll_x, roll_y = rotation(2 * t * np.array([1.0, 0, 0])), rotation(2 * t * np.array([0, 1.0, 0]))
    spin = rotation(1.5 * t * np.array([0, 0, 1.0]))
    slide = 1.2 * reach * t * np.array([np.cos(0.5), np.sin(0.5), 0])
    plans: list[tuple[str, Array, Array, Array]] = [
        ("roll about x", roll_x, still + side, up),
        ("roll about y", roll_y, still + side, up),
        ("roll askew", rotation(2 * t * about) @ yawed, still + side, up),
        ("spin on the side", rotation(3 * t * np.array([0, 0, 1.0])) @ lying, still + side, up),
        ("spin upright", spin, still + side, up),
        ("spin about its axis", lying @ spin, still + side, up),
        ("tilt through flat", tilt @ yawed, still + side, up),
        ("tilt through flat, lying", tilt @ lying, still + side, up),
        ("tilt through flat, aligned", tilt @ flat, still, up),
        ("rock about x", rotation(0.02 * t * np.array([1.0, 0, 0])) @ flat, still + side, up),
        ("rock about y, lying", rotation(0.02 * t * np.array([0, 1.0, 0])) @ lying, still + side, up),
        ("random", _turns(random, count, 1.5), still, up if a.kind == "half_space" else _directions(random, count)),
        ("random again", _turns(random, count, 2.5), still + side, up if a.kind == "half_space" else _directions(random, count)),
    ]
    if slides:
        over = "slide over the border" if a.kind != "half_space" else "slide"
        plans += [
            (over, yawed, slide, up),
            (f"{over}, lying", lying @ yawed, slide, up),
            (f"{over}, askew", tilt @ lying, slide[:, [1, 0, 2]], up),
        ]
    return [Path(name, *_pushed(a, b, ca, cb, R, foot, u)) for name, R, foot, u in plans]


def _between(first: Array, last: Array, share: Array) -> Array:
    """Poses on the screw-free straight way from one to the other."""
    R = first[:3, :3].T @ last[:3, :3]
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2  # small turns: the vector itself
    size = float(np.linalg.norm(axis))
    axis = axis * (np.arcsin(min(size, 1.0)) / size if size > 0 else 1)
    R_s = first[:3, :3] @ rotation(share[:, None] * axis)
    return poses(R_s, first[:3, 3] + share[:, None] * (last[:3, 3] - first[:3, 3]))


def motion(first: Array, last: Array, radius: float) -> float:
    turn = np.linalg.norm(first[:3, :3] - last[:3, :3]) / np.sqrt(2)
    return float(np.linalg.norm(first[:3, 3] - last[:3, 3]) + radius * turn)


def _is_tie(a: Shape, b: Shape, pose_a: Array, pose_b: Array, n: Array, m: Array) -> bool:
    """Two hills of the same height with a valley between; a turn on one hill is an error."""
    if not np.linalg.norm(n - m) > TIE or a.kind == "half_space":
        return False
    middle = n + m if np.linalg.norm(n + m) > 1e-3 else np.cross(n, [m[1], -m[2], m[0]])
    directions = np.stack([n, m, middle / np.linalg.norm(middle)])
    one, other, between = bound(a, b, pose_a[None], pose_b[None], directions[None])[0] / scale_of(a, b)
    return bool(abs(one - other) < distance_tolerance((a.kind, b.kind)) and between < min(one, other) - 1e-11)


def refine(path: Path, i: int, a: Shape, b: Shape, evaluate: Callable[[Array, Array], tuple[Array, Array]]) -> Jump:
    """Follows the largest change between poses i and i + 1 into ever finer steps."""
    pose_a, first, last = path.poses_a[i], path.poses_b[i], path.poses_b[i + 1]
    radius, scale = b.radius, scale_of(a, b)
    while True:
        steps = _between(first, last, np.linspace(0, 1, 11))
        found = [evaluate(pose_a, step) for step in steps]
        change = [float(np.linalg.norm(found[k + 1][0] - found[k][0])) for k in range(10)]
        k = int(np.argmax(change))
        first, last = steps[k], steps[k + 1]
        if motion(first, last, radius) < FINEST * scale:
            n, m = found[k][1], found[k + 1][1]
            turn = 0.0 if np.isnan(n).any() or np.isnan(m).any() else float(2 * np.arcsin(min(1.0, float(np.linalg.norm(n - m)) / 2)))
            size = change[k] / max(OVERLAP * scale, float(np.linalg.norm(found[k][0][:3])))
            tie = _is_tie(a, b, pose_a, first, n, m)
            return Jump(size, turn, tie, path.name, pose_a, first, found[k][0], found[k + 1][0])


WORST_OF_A_PATH = 6  # places of a path that are looked at closely


def sweep(a: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, count: int, seed: int = 0, slides: bool | None = None, places: int = WORST_OF_A_PATH) -> list[Jump]:
    """The places where the force changes most for the motion, each followed to the finest step.

    On a surface of triangles A is the half-space that it stands for; `slides` moves B along it too.
    """
    scale = scale_of(a, b)
    jumps = []

    def evaluate(pose_a: Array, pose_b: Array) -> tuple[Array, Array]:
        return wrench(ca, cb, pose_a, pose_b)

    for path in paths(a, b, ca, cb, count, seed, a.kind != "half_space" if slides is None else slides):
        wrenches = np.array([evaluate(x, y)[0] for x, y in zip(path.poses_a, path.poses_b, strict=True)])
        change = np.linalg.norm(np.diff(wrenches, axis=0), axis=1) / (OVERLAP * scale)
        moved = np.array([motion(path.poses_b[i], path.poses_b[i + 1], b.radius) for i in range(count - 1)]) / scale
        rate = change / np.maximum(moved, 1e-12)
        worst = np.unique(np.concatenate([np.argsort(-change)[:places], np.argsort(-rate)[:places]]))
        for i in worst:
            jump = refine(path, int(i), a, b, evaluate)
            jump.steepest = float(rate[i])
            jumps.append(jump)
    return jumps


def worst_jump(jumps: list[Jump]) -> Jump:
    return max((j for j in jumps if not j.tie), key=lambda j: j.size)
