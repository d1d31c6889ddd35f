"""Pairs of shapes at random poses, and how well a separation of them is proven.

With s(n) = -h_A(n) - h_B(-n), the distance is the maximum of s over all unit n. So an answer (d, n) is a lower bound if
s(n) = d; points on both surfaces, d apart, make it an upper bound too. Where the shapes overlap, every other direction
must have a smaller s: Coal's normal is tried, and a search from many directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import coal_oracle
from .shapes import CONVEX_KINDS, SIDE_A, SIDE_B, Array, Shape

HALF_SPACE = Shape("half_space", "half_space", "half_space: {}", 0.0, lambda n: np.full(n.shape[:-1], np.nan), lambda x: x[..., 2])

Mask = np.ndarray[Any, np.dtype[np.bool_]]

CONVEX_PAIRS = [(first, second) for i, first in enumerate(CONVEX_KINDS) for second in CONVEX_KINDS[i:]]
HALF_SPACE_PAIRS = [("half_space", kind) for kind in CONVEX_KINDS]
PAIRS = HALF_SPACE_PAIRS + CONVEX_PAIRS
SURFACE_PAIRS = [(surface, kind) for surface in ("triangle_mesh", "height_field") for kind in CONVEX_KINDS]

CLOSED_FORM = {"half_space", "sphere", "capsule", "box"}  # pairs among these have closed forms


def shapes_of(pair: tuple[str, str]) -> tuple[Shape, Shape]:
    return (HALF_SPACE if pair[0] == "half_space" else SIDE_A[pair[0]]), SIDE_B[pair[1]]


def scale_of(a: Shape, b: Shape) -> float:
    return max(a.radius, b.radius) or 1.0  # a single point on a half-space has none


def distance_tolerance(pair: tuple[str, str]) -> float:
    """Relative to the scale: round-off with room for closed forms, ten times that for iterations."""
    return 1e-6 if set(pair) <= CLOSED_FORM else 1e-5


NORMAL_TOLERANCE = 1e-3  # rad


def random_rotations(random: np.random.Generator, count: int) -> Array:
    q = random.normal(size=(count, 4))
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def rotation(vector: Array) -> Array:
    """By |vector| about vector; (..., 3) -> (..., 3, 3)."""
    angle = np.linalg.norm(vector, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vector, -1, 0)
    zero = np.zeros_like(x)
    cross = np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1), np.stack([-y, x, zero], -1)], -2)
    return np.asarray(np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * (cross @ cross))


def quarter_turns(random: np.random.Generator, count: int, size: float) -> Array:
    """Rotations that bring axes onto axes, turned by another 0, 1e-9, .. or 1e-3 rad: nearly parallel faces and edges."""
    turns = np.rint(random_rotations(random, 24 * count))
    turns = turns[np.isclose(np.linalg.det(turns), 1) & (np.abs(turns).sum(axis=(1, 2)) == 3)]
    turns = turns[random.integers(len(turns), size=count)] if len(turns) else np.repeat(np.eye(3)[None], count, axis=0)
    off = random.normal(size=(count, 3)) * random.choice([0.0, 1e-9, 1e-7, 1e-5, 1e-3], size=(count, 1)) * size
    return turns @ rotation(off)


def poses(R: Array, p: Array) -> Array:
    X = np.zeros((len(R), 4, 4))
    X[:, :3, :3], X[:, :3, 3], X[:, 3, 3] = R, p, 1
    return X


def turned(n: Array, poses_of: Array) -> Array:
    """Directions (i, k, 3) of the world in the frames of the poses (i, 4, 4)."""
    return np.asarray(n @ poses_of[:, :3, :3])


def bound(a: Shape, b: Shape, poses_a: Array, poses_b: Array, n: Array) -> Array:
    """s(n) for directions (i, k, 3): the distance of A and B is at least this."""
    apart = (n @ (poses_b[:, :3, 3] - poses_a[:, :3, 3])[:, :, None])[..., 0]
    if a.kind == "half_space":
        return np.asarray(apart - b.support(-turned(n, poses_b)))
    return np.asarray(apart - a.support(turned(n, poses_a)) - b.support(-turned(n, poses_b)))


def random_poses(pair: tuple[str, str], count: int, seed: int = 0) -> tuple[Array, Array]:
    """A third apart, a third in shallow and a third in deep overlap; half of them nearly aligned."""
    a, b = shapes_of(pair)
    random = np.random.default_rng(seed)
    loose, aligned = count - count // 2, count // 2
    R_a = np.concatenate([random_rotations(random, loose), random_rotations(random, aligned)])
    R_b = np.concatenate([random_rotations(random, loose), R_a[loose:] @ quarter_turns(random, aligned, 1.0)])
    p_a = random.uniform(-1, 1, size=(count, 3))
    u = random.normal(size=(count, 3))
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    snapped = np.rint(np.einsum("nji,nj->ni", R_a, u) * 1.2)
    snapped /= np.maximum(np.linalg.norm(snapped, axis=1, keepdims=True), 1)
    along = random.random(count) < 0.3  # B beside a face, an edge or a corner of A
    u = np.where(along[:, None], np.einsum("nij,nj->ni", R_a, snapped), u)
    poses_a, poses_b = poses(R_a, p_a), poses(R_b, p_a)
    if a.kind == "half_space":
        u = R_a[:, :, 2]
    reach = -bound(a, b, poses_a, poses_b, u[:, None])[:, 0]
    scale = scale_of(a, b)
    which = random.integers(3, size=count)
    wanted = np.select(
        [which == 0, which == 1], [random.uniform(0, scale, count), -(10 ** random.uniform(-6, -1, count)) * scale], -random.uniform(0, 1, count) * reach
    )
    poses_b[:, :3, 3] += (reach + wanted)[:, None] * u
    if a.kind == "half_space":  # anywhere along the plane
        poses_b[:, :3, 3] += np.einsum("nij,nj->ni", R_a[:, :, :2], random.uniform(-1, 1, (count, 2)))
    return poses_a, poses_b


def _sphere_points(count: int) -> Array:
    i = np.arange(count) + 0.5
    z, angle = 1 - 2 * i / count, np.pi * (1 + 5**0.5) * i
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=1)


def _tangents(n: Array) -> tuple[Array, Array]:
    helper = np.where(np.abs(n[..., :1]) < 0.6, np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
    t = np.cross(n, helper)
    t /= np.linalg.norm(t, axis=-1, keepdims=True)
    return t, np.cross(n, t)


def around(n: Array, angle: Array | float, count: int) -> Array:
    """Directions `angle` away from each n: (..., 3) -> (..., count, 3)."""
    t, s = _tangents(n)
    turn = 2 * np.pi * np.arange(count) / count
    ring = np.cos(turn)[:, None] * t[..., None, :] + np.sin(turn)[:, None] * s[..., None, :]
    angle = np.asarray(angle)[..., None, None]
    return np.asarray(np.cos(angle) * n[..., None, :] + np.sin(angle) * ring)


SAMPLES = 400
STARTS = 4
RING = 7  # odd: the ring of the next, smaller radius has other directions
SHRINK = 0.55
SMALLEST = 1e-9  # rad, end of the search


def search(a: Shape, b: Shape, poses_a: Array, poses_b: Array, guess: Array) -> tuple[Array, Array]:
    """The largest s and its direction for each pose: from the guesses (i, k, 3) and the best of many directions."""
    samples = np.broadcast_to(_sphere_points(SAMPLES), (len(poses_a), SAMPLES, 3))
    value = bound(a, b, poses_a, poses_b, samples)
    starts = np.argsort(-value, axis=1)[:, : 6 * STARTS : 6]  # every sixth: neighbours climb the same hill
    n = np.concatenate([np.take_along_axis(samples, starts[..., None], axis=1), guess], axis=1)
    unit = np.abs(np.linalg.norm(n, axis=2, keepdims=True) - 1) < 1e-6  # an oracle may have no normal
    n = np.where(unit, n, samples[:, : n.shape[1]])
    value = bound(a, b, poses_a, poses_b, n)
    radius = np.full(value.shape, 0.15)
    while radius.max() > SMALLEST:
        ring = around(n, radius, RING)
        flat = ring.reshape(len(n), -1, 3)
        found = bound(a, b, poses_a, poses_b, flat).reshape(ring.shape[:-1])
        at = found.argmax(axis=2)
        higher = np.take_along_axis(found, at[..., None], axis=2)[..., 0]
        better = higher > value
        moved = np.take_along_axis(ring, at[..., None, None], axis=2)[:, :, 0]
        n = np.where(better[..., None], moved, n)
        n /= np.linalg.norm(n, axis=-1, keepdims=True)
        value = np.maximum(value, higher)
        radius = radius * np.where(better, 1.0, SHRINK)
        radius *= 0.97  # ends also where round-off keeps finding something better
    at = value.argmax(axis=1)[:, None]
    best: Array = np.take_along_axis(value, at, axis=1)[:, 0]
    direction: Array = np.take_along_axis(n, at[..., None], axis=1)[:, 0]
    return best, direction


@dataclass
class Exactness:
    """Errors relative to the scale; one number a pose."""

    below: Array  # the best lower bound known, minus the distance: positive if a better direction exists
    claim: Array  # |distance - s(normal)|
    points: Array  # worst of: off the surface, point_b - point_a - distance normal, and normal's length - 1
    normal: Array  # [rad] from the best direction; NaN where another direction is as good
    coal: Array  # Coal's distance minus the true one, absolute

    def worst(self) -> Array:
        return np.asarray(np.maximum.reduce([self.below, self.claim, self.points]))


def gap(x: Array, y: Array) -> Array:
    return np.asarray(2 * np.arcsin(np.clip(np.linalg.norm(x - y, axis=-1) / 2, 0, 1)))


def in_frame(poses_of: Array, x: Array) -> Array:
    return np.asarray(np.einsum("nji,nj->ni", poses_of[:, :3, :3], x - poses_of[:, :3, 3]))


def exactness(a: Shape, b: Shape, poses_a: Array, poses_b: Array, answer: tuple[Array, Array, Array, Array]) -> Exactness:
    distance, normal, point_a, point_b = answer
    scale = scale_of(a, b)
    own = bound(a, b, poses_a, poses_b, normal[:, None])[:, 0]
    if a.kind == "half_space":
        best, direction, coal_distance = own, poses_a[:, :3, 2], np.full(len(own), np.nan)
        best = bound(a, b, poses_a, poses_b, direction[:, None])[:, 0]
        sharp = np.ones(len(own), dtype=bool)
    else:
        coal_distance, coal_normal = coal_oracle.separation(a, b, poses_a, poses_b)
        apart = distance > 0
        guesses = np.stack([coal_normal, normal], axis=1)
        best, direction = search(a, b, poses_a, poses_b, guesses)
        sharp = _unambiguous(a, b, poses_a, poses_b, best, direction, scale)
        as_good = own > best - distance_tolerance((a.kind, b.kind)) * scale
        second = (gap(normal, direction) > 10 * NORMAL_TOLERANCE) & as_good  # another optimum
        sharp = np.logical_and(sharp, ~second)
        # Apart, the points prove an upper bound: nothing to search for.
        best = np.where(apart, np.maximum(own, best), best)
    points = np.maximum.reduce(
        [
            np.abs(a.excess(in_frame(poses_a, point_a))),
            np.abs(b.excess(in_frame(poses_b, point_b))),
            np.linalg.norm(point_b - point_a - distance[:, None] * normal, axis=1),
            scale * np.abs(np.linalg.norm(normal, axis=1) - 1),
        ]
    )
    return Exactness(
        (best - distance) / scale,
        np.abs(distance - own) / scale,
        points / scale,
        np.where(sharp, gap(normal, direction), np.nan),
        np.abs(coal_distance - np.maximum(best, own)) / scale,
    )


def _unambiguous(a: Shape, b: Shape, poses_a: Array, poses_b: Array, best: Array, direction: Array, scale: float) -> Mask:
    """Whether s is lower everywhere else: by 1e-8 of the scale on a ring of half the tolerance, by 1e-6 beyond."""
    ring = around(direction, NORMAL_TOLERANCE / 2, 16)
    near = bound(a, b, poses_a, poses_b, ring).max(axis=1)
    far = np.concatenate([around(direction, angle, 24) for angle in (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 2.0, 3.0)], axis=1)
    second = bound(a, b, poses_a, poses_b, far).max(axis=1)
    return np.asarray((near < best - 1e-8 * scale) & (second < best - 1e-6 * scale))
