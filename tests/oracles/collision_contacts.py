"""Contact points at random poses: what every manifold has to satisfy, whatever the shapes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stickslip import geometry

from .collision_manifolds import MOST_POINTS
from .collision_pairs import poses, random_poses, rotation, scale_of, shapes_of
from .shapes import Array

NUDGE = 1e-6  # of the scale and in rad: a motion that does not change what touches what


@dataclass
class ContactVerdict:
    """Over many poses; the worst of each, in the units of the scale."""

    most: int = 0
    missing: int = 0  # separation says they overlap, and there is no contact; or the other way round
    weight_sum: float = 0.0
    least_weight: float = 0.0
    deepest: float = 0.0  # |smallest distance - separation|
    normal: float = 0.0  # of the manifold against that of the separation, where they overlap
    renamed: float = 0.0  # share of the poses, away from aligned ones, whose features change under a nudge
    worst_pose: int = -1  # of `deepest`


def merged(verdicts: list[ContactVerdict]) -> ContactVerdict:
    """Of as many poses each."""
    worst = max(verdicts, key=lambda v: v.deepest)
    return ContactVerdict(
        max(v.most for v in verdicts),
        sum(v.missing for v in verdicts),
        max(v.weight_sum for v in verdicts),
        min(v.least_weight for v in verdicts),
        worst.deepest,
        max(v.normal for v in verdicts),
        sum(v.renamed for v in verdicts) / len(verdicts),
        worst.worst_pose,
    )


def contact_verdict(pair: tuple[str, str], a: geometry.Collider, b: geometry.Collider, count: int, seed: int = 1) -> ContactVerdict:
    shape_a, shape_b = shapes_of(pair)
    scale = scale_of(shape_a, shape_b)
    poses_a, poses_b = random_poses(pair, count, seed)
    distance, normal, _, _ = (np.asarray(x) for x in geometry.separation(a, b, poses_a, poses_b))
    moved = nudged(poses_b, scale, seed)
    verdict, renamed, compared = ContactVerdict(), 0, 0
    for i in range(count):
        points, normals, distances, weights, features = geometry.contacts(a, b, poses_a[i], poses_b[i])
        distances, weights = np.asarray(distances), np.asarray(weights)
        verdict.most = max(verdict.most, len(points))
        if (len(points) > 0) != (distance[i] <= 0) and abs(distance[i]) > 1e-9 * scale:
            verdict.missing += 1
        if not len(points):
            continue
        verdict.weight_sum = max(verdict.weight_sum, abs(float(weights.sum()) - 1))
        verdict.least_weight = min(verdict.least_weight, float(weights.min()))
        verdict.normal = max(verdict.normal, float(np.abs(np.asarray(normals) - normal[i]).max()))
        off = abs(float(distances.min()) - float(distance[i])) / scale
        if off > verdict.deepest:
            verdict.deepest, verdict.worst_pose = off, i
        if i >= count - count // 2:
            continue  # the aligned ones are at a change of features
        compared += 1
        again = geometry.contacts(a, b, poses_a[i], moved[i])[4]
        renamed += sorted(again) != sorted(features)
    verdict.renamed = renamed / max(compared, 1)
    return verdict


def nudged(poses_of: Array, scale: float, seed: int) -> Array:
    random = np.random.default_rng(seed)
    turns = rotation(NUDGE * random.normal(size=(len(poses_of), 3)))
    return poses(turns @ poses_of[:, :3, :3], poses_of[:, :3, 3] + NUDGE * scale * random.normal(size=(len(poses_of), 3)))


def contact_failure(verdict: ContactVerdict) -> str:
    if verdict.most > MOST_POINTS:
        return f"{verdict.most} points"
    if verdict.missing:
        return f"{verdict.missing} poses where contacts and separation disagree on whether the shapes touch"
    if verdict.weight_sum > 1e-12 or verdict.least_weight < 0:
        return f"weights sum to 1 +- {verdict.weight_sum:.1e}, the least is {verdict.least_weight:.1e}"
    return ""
