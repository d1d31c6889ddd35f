"""Hulls with faces that are nearly coplanar, and how fast the force of their contacts changes as they rock.

The support of such a hull changes from face to face within a turn as small as the angle between them. The force must not
follow at that pace: an integrator with error control would follow it in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stickslip import geometry

from .collision_pairs import bound, poses, rotation, scale_of
from .collision_sweep import OVERLAP, motion, wrench
from .shapes import Array, Shape, hull

ANGLES = (0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)  # between faces, about
SIDES = [rotation(np.array(turn) * np.pi / 2) for turn in ([0.0, 0, 0], [1.0, 0, 0], [0, 1.0, 0])]
FINEST = 1e-9  # rad: where dividing a step ends
WIDEST = 0.03  # rad: to either side
TILTS, PLACES = 50, 3  # of a path, to either side; looked at closely
ROUND_OFF = 1e-13
# Largest change of the wrench, over OVERLAP, per motion over the size. That of the depths alone is 1 / OVERLAP; the rest
# is room for weights that change from one face to the next within a tenth of OVERLAP.
STEEPEST = 1e4


def _grid_box(half: Array, divisions: int) -> Array:
    """Points on a box, its faces divided into divisions x divisions."""
    line = np.linspace(-1, 1, divisions + 1)
    points = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(points[np.abs(points).max(axis=1) == 1] * half)


def dented_box(angle: float, seed: int = 0, size: float = 1) -> Shape:
    """A box whose corners are off."""
    half = size * np.array([0.4, 0.3, 0.2])
    return hull(f"dented_{angle:.0e}_{size:g}", _grid_box(half, 1) + 0.3 * angle * np.random.default_rng(seed).uniform(-1, 1, size=(8, 3)))


def bulging_box(angle: float, seed: int = 1) -> Shape:
    """A box with faces of many facets, each turned against the next."""
    half = np.array([0.4, 0.3, 0.2])
    points = _grid_box(half, 4)
    inward = (1 - 0.5 * ((points / half) ** 2).sum(axis=1) / 3)[:, None]
    noise = 0.02 * np.random.default_rng(seed).uniform(-1, 1, size=points.shape)
    return hull(f"bulging_{angle:.0e}", points * (1 + angle * (inward + noise)))


def prism(sides: int, angle: float, seed: int = 2) -> Shape:
    """Ends with many corners, off by a little; sides that are nearly level with each other."""
    turn = 2 * np.pi * np.arange(sides) / sides
    end = np.column_stack([0.4 * np.cos(turn), 0.4 * np.sin(turn), np.full(sides, 0.25)])
    points = np.vstack([end, end * [1, 1, -1]])
    return hull(f"prism_{sides}_{angle:.0e}", points + 0.3 * angle * np.random.default_rng(seed).uniform(-1, 1, size=points.shape))


def stl_hull(name: str, file: Path) -> Shape:
    """The hull of a binary STL file."""
    triangle = np.dtype([("normal", "<f4", 3), ("vertices", "<f4", (3, 3)), ("attribute", "<u2")])
    return hull(name, np.unique(np.frombuffer(file.read_bytes()[84:], dtype=triangle)["vertices"].reshape(-1, 3), axis=0).astype(float))


@dataclass
class Step:
    """Two poses close to each other, and how much the wrench differs, over OVERLAP."""

    first: float  # [rad] along the path
    last: float
    moved: float  # over the scale
    change: float
    pose: Array

    @property
    def rate(self) -> float:
        return self.change / self.moved

    @property
    def excess(self) -> float:
        return self.change - STEEPEST * self.moved


def _tilts(count: int) -> Array:
    """From -WIDEST to WIDEST, ever finer towards zero."""
    one_side = np.geomspace(FINEST, WIDEST, count)
    return np.concatenate([-one_side[::-1], [0.0], one_side])


def pressed(a: Shape, b: Shape, R: Array, foot: Array) -> Array:
    """B on top of A, OVERLAP deep along z."""
    pose = np.asarray(poses(R[None], foot[None])[0])
    pose[2, 3] -= OVERLAP * scale_of(a, b) + float(bound(a, b, np.eye(4)[None], pose[None], np.array([[[0.0, 0, 1]]]))[0, 0])
    return pose


def rock(a: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, start: Array, axis: Array, foot: Array) -> Step:
    """B rocks about `axis` through `start`; the steepest places and those with the largest change are divided ever finer."""
    scale = scale_of(a, b)

    def steps(angles: Array) -> list[Step]:
        """Steepest first. Where two axes have the same depth the normal jumps, and with it the force: left out."""
        posed = [pressed(a, b, rotation(t * axis) @ start, foot) for t in angles]
        found = [wrench(ca, cb, np.eye(4), pose) for pose in posed]
        out = []
        for i in range(len(angles) - 1):
            moved = motion(posed[i], posed[i + 1], b.radius) / scale
            if moved > 0 and np.linalg.norm(found[i + 1][1] - found[i][1]) < 2 * moved + ROUND_OFF:
                change = float(np.linalg.norm(found[i + 1][0] - found[i][0])) / (OVERLAP * scale)
                out.append(Step(angles[i], angles[i + 1], moved, change, posed[i]))
        return sorted(out, key=lambda step: -step.rate)

    seen = steps(_tilts(TILTS))
    for step in seen[:PLACES] + sorted(seen, key=lambda step: -step.change)[:PLACES]:
        finer = [step]
        while finer and finer[0].last - finer[0].first > FINEST:
            finer = steps(np.linspace(finer[0].first, finer[0].last, 9))
            seen += finer[:1]
    return max(seen, key=lambda step: step.excess)


def rocking(a: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, sides: Sequence[Array], rounds: int) -> Step:
    """About several axes, on each of its sides, level and leaning a little to begin with."""
    random = np.random.default_rng(0)
    found = []
    for i in range(rounds * len(sides)):
        spin = rotation(np.array([0, 0, random.uniform(0, 2 * np.pi)]))
        lean = rotation(random.normal(size=3) * 10.0 ** random.uniform(-8, -2) * (i % 2))
        turn = random.uniform(0, 2 * np.pi)
        foot = np.append(random.uniform(-0.3, 0.3, size=2) * a.radius, 0)
        found.append(rock(a, b, ca, cb, spin @ lean @ sides[i % len(sides)], np.array([np.cos(turn), np.sin(turn), 0]), foot))
    return max(found, key=lambda step: step.excess)
