"""Pairs of shapes at random poses, and the lower bound of their distance that a direction gives.

With s(n) = -h_A(n) - h_B(-n), the distance is the maximum of s over all unit n.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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


def gap(x: Array, y: Array) -> Array:
    return np.asarray(2 * np.arcsin(np.clip(np.linalg.norm(x - y, axis=-1) / 2, 0, 1)))


def in_frame(poses_of: Array, x: Array) -> Array:
    return np.asarray(np.einsum("nji,nj->ni", poses_of[:, :3, :3], x - poses_of[:, :3, 3]))
