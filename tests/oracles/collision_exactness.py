"""How well a separation of two convex shapes is proven.

An answer (d, n) is a lower bound of the distance if s(n) = d (see `collision_pairs.bound`); points on both surfaces, d
apart, make it an upper bound too. Where the shapes overlap every other direction must have a smaller s: Coal's normal is
tried, and a search from many directions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import coal_oracle
from .collision_pairs import NORMAL_TOLERANCE, Mask, bound, distance_tolerance, gap, in_frame, scale_of
from .collision_search import arbitrate, around, refine, search
from .shapes import Array, Shape

# Where Coal and the answer agree to this, nothing but their own neighbourhood is searched unless all poses are.
AGREED_DISTANCE = 1e-7  # of the scale
AGREED_NORMAL = 1e-4  # rad

SHARP = 1e-8  # of the scale: how much lower s must be half the tolerance of the normal away from its maximum


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


def exactness(
    a: Shape, b: Shape, poses_a: Array, poses_b: Array, answer: tuple[Array, Array, Array, Array], search_all: bool = True
) -> Exactness:
    """With `search_all` false, the whole sphere is searched only where Coal contradicts the answer."""
    distance, normal, point_a, point_b = answer
    scale = scale_of(a, b)
    own = bound(a, b, poses_a, poses_b, normal[:, None])[:, 0]
    if a.kind == "half_space":
        best, direction, coal_distance = own, poses_a[:, :3, 2], np.full(len(own), np.nan)
        best = bound(a, b, poses_a, poses_b, direction[:, None])[:, 0]
        sharp = np.ones(len(own), dtype=bool)
    else:
        coal_distance, coal_normal = coal_oracle.separation(a, b, poses_a, poses_b)
        disagree = ~(np.abs(coal_distance - distance) < AGREED_DISTANCE * scale) | ~(gap(coal_normal, normal) < AGREED_NORMAL)
        guesses = np.stack([coal_normal, normal], axis=1)
        best, direction = _best(a, b, poses_a, poses_b, guesses, disagree | search_all)
        disputed = np.flatnonzero(~(np.abs(coal_distance - distance) < distance_tolerance((a.kind, b.kind)) * scale))
        _settle(a, b, poses_a, poses_b, best, direction, disputed)
        sharp = _unambiguous(a, b, poses_a, poses_b, best, direction, scale)
        as_good = own > best - distance_tolerance((a.kind, b.kind)) * scale
        off = gap(normal, direction)
        ridge = (off > NORMAL_TOLERANCE / 2) & (own > best - SHARP * scale)  # too narrow for the rings of directions
        second = (off > 10 * NORMAL_TOLERANCE) & as_good  # another optimum
        sharp = sharp & ~second & ~ridge
        best = np.where(distance > 0, np.maximum(own, best), best)  # apart, the points prove an upper bound
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


def _best(a: Shape, b: Shape, poses_a: Array, poses_b: Array, guesses: Array, searched: Mask) -> tuple[Array, Array]:
    """The largest s known and its direction: over the whole sphere where `searched`, else near the guesses."""
    best, direction = np.empty(len(poses_a)), np.empty((len(poses_a), 3))
    for chosen, find in ((searched, search), (~searched, refine)):
        if chosen.any():
            best[chosen], direction[chosen] = find(a, b, poses_a[chosen], poses_b[chosen], guesses[chosen])
    return best, direction


def _settle(a: Shape, b: Shape, poses_a: Array, poses_b: Array, best: Array, direction: Array, disputed: Array) -> None:
    """Where the answers contradict each other, scipy may yet find a better direction."""
    value, found = arbitrate(a, b, poses_a[disputed], poses_b[disputed], direction[disputed])
    better = value > best[disputed]
    best[disputed[better]], direction[disputed[better]] = value[better], found[better]


def _unambiguous(a: Shape, b: Shape, poses_a: Array, poses_b: Array, best: Array, direction: Array, scale: float) -> Mask:
    """Whether s is lower everywhere else: by 1e-8 of the scale on a ring of half the tolerance, by 1e-6 beyond."""
    ring = around(direction, NORMAL_TOLERANCE / 2, 16)
    near = bound(a, b, poses_a, poses_b, ring).max(axis=1)
    far = np.concatenate([around(direction, angle, 24) for angle in (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 2.0, 3.0)], axis=1)
    second = bound(a, b, poses_a, poses_b, far).max(axis=1)
    return np.asarray((near < best - SHARP * scale) & (second < best - 1e-6 * scale))
