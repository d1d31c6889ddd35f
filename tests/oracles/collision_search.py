"""The direction n in which two convex shapes are farthest apart: where s(n) of `bound` is largest.

Where the shapes are apart s has one maximum, where they overlap it can have many.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from .collision_pairs import bound
from .shapes import Array, Shape


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
SEARCH_RADIUS = 0.15  # rad: somewhat less than the distance of the samples
REFINE_RADIUS = 2e-4  # rad: somewhat more than what two answers that agree differ by
RING = 7  # odd: the ring of the next, smaller radius has other directions
SHRINK = 0.55
SMALLEST = 1e-9  # rad, end of the search


def _climb(a: Shape, b: Shape, poses_a: Array, poses_b: Array, n: Array, start: float) -> tuple[Array, Array]:
    """The largest s and its direction for each pose, uphill from each n (i, k, 3) by rings that shrink."""
    value = bound(a, b, poses_a, poses_b, n)
    radius = np.full(value.shape, start)
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


def search(a: Shape, b: Shape, poses_a: Array, poses_b: Array, guess: Array) -> tuple[Array, Array]:
    """The largest s and its direction for each pose: from the guesses (i, k, 3) and the best of many directions."""
    samples = np.broadcast_to(_sphere_points(SAMPLES), (len(poses_a), SAMPLES, 3))
    value = bound(a, b, poses_a, poses_b, samples)
    starts = np.argsort(-value, axis=1)[:, : 6 * STARTS : 6]  # every sixth: neighbours climb the same hill
    n = np.concatenate([np.take_along_axis(samples, starts[..., None], axis=1), guess], axis=1)
    unit = np.abs(np.linalg.norm(n, axis=2, keepdims=True) - 1) < 1e-6  # an oracle may have no normal
    return _climb(a, b, poses_a, poses_b, np.where(unit, n, samples[:, : n.shape[1]]), SEARCH_RADIUS)


def refine(a: Shape, b: Shape, poses_a: Array, poses_b: Array, guess: Array) -> tuple[Array, Array]:
    """As `search`, near the better of the guesses (i, k, 3)."""
    at = bound(a, b, poses_a, poses_b, guess).argmax(axis=1)[:, None, None]
    return _climb(a, b, poses_a, poses_b, np.take_along_axis(guess, at, axis=1), REFINE_RADIUS)


ARBITER_SIMPLEX = 1e-2  # rad


def _simplex(a: Shape, b: Shape, pose_a: Array, pose_b: Array, n: Array) -> tuple[float, Array]:
    t, s = _tangents(n)

    def towards(x: Array) -> Array:
        u = n + x[0] * t + x[1] * s
        return np.asarray(u / np.linalg.norm(u))

    def depth(x: Array) -> float:
        return -float(bound(a, b, pose_a[None], pose_b[None], towards(x)[None, None])[0, 0])

    corners = ARBITER_SIMPLEX * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    found = minimize(depth, corners[0], method="Nelder-Mead", options={"initial_simplex": corners, "xatol": SMALLEST, "fatol": 0.0, "maxfev": 150})
    return -float(found.fun), towards(found.x)


def arbitrate(a: Shape, b: Shape, poses_a: Array, poses_b: Array, guess: Array) -> tuple[Array, Array]:
    """The largest s and its direction near each guess (i, 3), by scipy's simplex method in the plane across the guess."""
    best, direction = np.empty(len(guess)), np.empty((len(guess), 3))
    for i, n in enumerate(guess):
        best[i], direction[i] = _simplex(a, b, poses_a[i], poses_b[i], n)
    return best, direction
