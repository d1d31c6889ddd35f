"""Distances, depths and contact points of every pair of shapes: exact, symmetric, continuous, and safe where algorithms break.

A signed distance is proven rather than compared: by support functions in numpy, with Coal as a second opinion (see
oracles/collision_exactness.py). docs/collision.md, made by tools/collision_table.py, has the numbers of many more poses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from oracles import collision_degenerate as degenerate
from oracles import mujoco_contacts
from oracles.collision_cases import DEEPEST_TOLERANCE, Colliders, Pair, each_pair, in_a
from oracles.collision_contacts import ContactVerdict, contact_failure, contact_verdict
from oracles.collision_exactness import Exactness, exactness
from oracles.collision_manifolds import rest_failure
from oracles.collision_pairs import (
    CONVEX_PAIRS,
    HALF_SPACE,
    NORMAL_TOLERANCE,
    PAIRS,
    distance_tolerance,
    poses,
    random_poses,
    random_rotations,
    rotation,
    scale_of,
    shapes_of,
)
from oracles.collision_sweep import JUMP, sweep, worst_jump
from oracles.shapes import CONVEX_KINDS, SIDE_A, SIDE_B, Array, Shape, box, capsule, colliders_of, cylinder, ellipsoid, sphere
from stickslip import geometry

POSES = 300
STEPS = 200
every_pair = each_pair(PAIRS)


def separate(colliders: Colliders, a: Shape, b: Shape, poses_a: Array, poses_b: Array) -> tuple[Array, Array, Array, Array]:
    distance, normal, point_a, point_b = geometry.separation(colliders[a.name], colliders[b.name], poses_a, poses_b)
    return np.asarray(distance), np.asarray(normal), np.asarray(point_a), np.asarray(point_b)


@dataclass
class Asked:
    """A pair at random poses, and what came out: worked out once for the tests that look at it."""

    poses_a: Array
    poses_b: Array
    exact: Exactness
    contacts: ContactVerdict

    def blame(self, off: Array, tolerance: float) -> str:
        i = int(off.argmax())
        return f"{(off > tolerance).sum()} of {POSES} poses; {in_a(self.poses_a[i], self.poses_b[i])}"


@pytest.fixture(scope="module")
def ask(colliders: Colliders) -> Callable[[Pair], Asked]:
    @cache
    def asked(pair: Pair) -> Asked:
        a, b = shapes_of(pair)
        poses_a, poses_b = random_poses(pair, POSES)
        exact = exactness(a, b, poses_a, poses_b, separate(colliders, a, b, poses_a, poses_b))
        return Asked(poses_a, poses_b, exact, contact_verdict(pair, colliders[a.name], colliders[b.name], POSES))

    return asked


# ---- Exact ----


@every_pair
def test_the_distance_is_the_largest_of_all_lower_bounds(pair: Pair, ask: Callable[[Pair], Asked]) -> None:
    """No direction separates the shapes farther, and the answer's own direction separates them as far as it says."""
    asked, tolerance = ask(pair), distance_tolerance(pair)
    worst = np.maximum(asked.exact.below, asked.exact.claim)
    assert np.isfinite(worst).all()
    assert worst.max() < tolerance, asked.blame(worst, tolerance)


@every_pair
def test_the_points_are_on_the_surfaces_and_the_normal_joins_them(pair: Pair, ask: Callable[[Pair], Asked]) -> None:
    asked, tolerance = ask(pair), distance_tolerance(pair)
    assert asked.exact.points.max() < tolerance, asked.blame(asked.exact.points, tolerance)


@every_pair
def test_the_normal_is_the_best_direction_where_there_is_only_one(pair: Pair, ask: Callable[[Pair], Asked]) -> None:
    asked = ask(pair)
    off = np.nan_to_num(asked.exact.normal)
    assert off.max() < NORMAL_TOLERANCE, asked.blame(off, NORMAL_TOLERANCE)


@pytest.mark.parametrize("pair", CONVEX_PAIRS, ids="-".join)
def test_coal_mostly_agrees(pair: Pair, ask: Callable[[Pair], Asked]) -> None:
    """Where it does not, the lower bounds say who is right; if it never did, they would be measured wrongly."""
    assert (ask(pair).exact.coal < 1e-5).mean() > 0.75


@pytest.mark.parametrize("search_all", [True, False], ids=["searched", "beside_coal"])
def test_the_proof_can_fail(search_all: bool) -> None:
    """A depth along the wrong direction, a wrong distance and a wrong point are found out."""
    a, b = shapes_of(("box", "box"))
    poses_a, poses_b = np.eye(4)[None], poses(np.eye(3)[None], np.array([[0.1, 0.05, 0.4]]))
    right = (np.array([-0.05]), np.array([[0.0, 0, 1]]), np.array([[0.1, 0.05, 0.25]]), np.array([[0.1, 0.05, 0.2]]))
    assert exactness(a, b, poses_a, poses_b, right, search_all).worst()[0] < 1e-12
    sideways = (np.array([-0.7]), np.array([[1.0, 0, 0]]), np.array([[0.5, 0, 0]]), np.array([[-0.2, 0, 0]]))
    assert exactness(a, b, poses_a, poses_b, sideways, search_all).below[0] > 0.1
    shallow = (np.array([-0.04]), right[1], right[2], np.array([[0.1, 0.05, 0.21]]))
    assert exactness(a, b, poses_a, poses_b, shallow, search_all).claim[0] > 0.01
    beside = (right[0], right[1], np.array([[0.6, 0.05, 0.25]]), np.array([[0.6, 0.05, 0.2]]))
    assert exactness(a, b, poses_a, poses_b, beside, search_all).points[0] > 0.05


RARE_POSES = [  # deep and aligned to round-off, found among 1e5: (pair, seed and number of random_poses)
    *((("box", "ellipsoid"), seed, i) for seed, i in ((5, 1656), (13, 1481), (28, 1722))),
    *((("cylinder", "cylinder"), seed, i) for seed, i in ((9, 1004), (39, 1420))),
]


@pytest.mark.parametrize(("pair", "seed", "i"), RARE_POSES)
def test_the_points_of_deep_aligned_shapes_are_on_both(pair: Pair, seed: int, i: int, colliders: Colliders) -> None:
    a, b = shapes_of(pair)
    poses_a, poses_b = (X[i : i + 1] for X in random_poses(pair, 2000, seed))
    exact = exactness(a, b, poses_a, poses_b, separate(colliders, a, b, poses_a, poses_b))
    assert exact.worst()[0] < distance_tolerance(pair)


# ---- Symmetries ----


@pytest.mark.parametrize("pair", CONVEX_PAIRS, ids="-".join)
def test_swapping_a_and_b_turns_the_answer_round(pair: Pair, colliders: Colliders) -> None:
    a, b = shapes_of(pair)
    poses_a, poses_b = random_poses(pair, POSES, seed=2)
    distance, normal, _, _ = separate(colliders, a, b, poses_a, poses_b)
    swapped, turned, _, _ = separate(colliders, b, a, poses_b, poses_a)
    tolerance = distance_tolerance(pair) * scale_of(a, b)
    assert np.abs(distance - swapped).max() < tolerance
    outside = distance > 0.01 * scale_of(a, b)  # overlapping shapes may have two directions
    assert np.abs(normal + turned)[outside].max(initial=0) < NORMAL_TOLERANCE


@every_pair
@pytest.mark.parametrize("far", [1.0, 1e3], ids=["near", "far"])
def test_a_common_motion_changes_nothing(pair: Pair, far: float, colliders: Colliders) -> None:
    """A kilometre away a coordinate has 1e-13 m."""
    a, b = shapes_of(pair)
    poses_a, poses_b = random_poses(pair, POSES, seed=3)
    random = np.random.default_rng(3)
    moved = poses(random_rotations(random, POSES), far * random.uniform(-1, 1, size=(POSES, 3)))
    distance, normal, _, _ = separate(colliders, a, b, poses_a, poses_b)
    again, turned, _, _ = separate(colliders, a, b, moved @ poses_a, moved @ poses_b)
    assert np.abs(distance - again).max() < distance_tolerance(pair) * scale_of(a, b)
    outside = distance > 0.01 * scale_of(a, b)
    assert np.abs(np.einsum("nij,nj->ni", moved[:, :3, :3], normal) - turned)[outside].max(initial=0) < NORMAL_TOLERANCE


@every_pair
def test_contacts_a_kilometre_away_are_the_same(pair: Pair, colliders: Colliders) -> None:
    a, b = shapes_of(pair)
    poses_a, poses_b = random_poses(pair, 60, seed=4)
    away = np.array([1e3, -1e3, 500.0])
    far_a, far_b = poses_a.copy(), poses_b.copy()
    far_a[:, :3, 3] += away
    far_b[:, :3, 3] += away
    distance, _, _, _ = separate(colliders, a, b, poses_a, poses_b)
    for i in np.flatnonzero(distance < -1e-9):
        near = geometry.contacts(colliders[a.name], colliders[b.name], poses_a[i], poses_b[i])
        far = geometry.contacts(colliders[a.name], colliders[b.name], far_a[i], far_b[i])
        depth_near, depth_far = (float(np.asarray(x[2]).min(initial=0)) for x in (near, far))
        assert abs(depth_near - depth_far) < distance_tolerance(pair) * scale_of(a, b)


# ---- Contact points ----


@every_pair
def test_contacts_exist_where_shapes_overlap_and_their_weights_sum_to_one(pair: Pair, ask: Callable[[Pair], Asked]) -> None:
    assert not contact_failure(ask(pair).contacts)


@every_pair
def test_the_deepest_contact_is_as_deep_as_the_separation(pair: Pair, ask: Callable[[Pair], Asked]) -> None:
    verdict = ask(pair).contacts
    poses_a, poses_b = random_poses(pair, POSES, seed=1)
    assert verdict.deepest < DEEPEST_TOLERANCE, in_a(poses_a[verdict.worst_pose], poses_b[verdict.worst_pose])


@every_pair
def test_features_keep_their_names(pair: Pair, ask: Callable[[Pair], Asked]) -> None:
    """Under a motion of 1e-6. A few of the random poses are as near as that to a change of features."""
    assert ask(pair).contacts.renamed < 0.02


@every_pair
def test_a_resting_foot_has_its_whole_polygon(pair: Pair, colliders: Colliders) -> None:
    a, b = shapes_of(pair)
    _, _, wrong = rest_failure(pair, colliders[a.name], colliders[b.name])
    assert not wrong


def test_all_points_of_a_level_cylinder_on_a_plane_are_on_its_rim(colliders: Colliders) -> None:
    """Level to round-off, in which no direction lies lowest."""
    cylinder = SIDE_B["cylinder"]
    radius, length = cylinder.size
    turns = random_rotations(np.random.default_rng(8), 500)
    for turn in turns:
        pose_a, pose_b = np.eye(4), np.eye(4)
        pose_a[:3, :3] = turn
        pose_b[:3, :3] = turn @ np.diag([1.0, -1.0, -1.0])
        pose_b[:3, 3] = turn @ [0.2, 0.3, length / 2 - 1e-3]
        points = np.asarray(geometry.contacts(colliders["half_space"], colliders[cylinder.name], pose_a, pose_b)[0])
        local = (points - pose_b[:3, 3]) @ pose_b[:3, :3]
        assert len(local) == 8
        assert np.abs(np.hypot(local[:, 0], local[:, 1]) - radius).max() < 1e-12


@every_pair
def test_at_most_four_points_carry_all_the_weight(pair: Pair, colliders: Colliders) -> None:
    a, b = shapes_of(pair)
    poses_a, poses_b = random_poses(pair, 40, seed=6)
    for pose_a, pose_b in zip(poses_a, poses_b, strict=True):
        _, _, every, weights, _ = (np.asarray(x) for x in geometry.contacts(colliders[a.name], colliders[b.name], pose_a, pose_b))
        points, _, few, shares, _ = (
            np.asarray(x) for x in geometry.contacts(colliders[a.name], colliders[b.name], pose_a, pose_b, max_points=4)
        )
        assert len(points) == min(len(every), 4)
        assert shares.sum() == pytest.approx(weights.sum(), abs=1e-12)
        assert few.min(initial=0) == every.min(initial=0)


BOX_TURNS = {
    "face": (np.zeros(3), [0.25] * 4),
    "edge": (np.array([0.6, 0, 0]), [0.5]),
    "corner": (np.array([0.6, -0.5, 0.2]), [0.25]),
}


@pytest.mark.parametrize("rests_on", BOX_TURNS)
def test_a_box_on_a_plane_shares_its_load(rests_on: str, colliders: Colliders) -> None:
    """On a face four quarters; on an edge the two low corners have half of it; on a corner a quarter."""
    turn, expected = BOX_TURNS[rests_on]
    a, b = shapes_of(("half_space", "box"))
    pose_a, pose_b = degenerate.touching(a, b, turn, np.array([0, 0, 1.0]), -1e-6)
    _, _, distances, weights, _ = (np.asarray(x) for x in geometry.contacts(colliders[a.name], colliders[b.name], pose_a, pose_b))
    low = distances < 0
    if rests_on == "face":
        assert weights == pytest.approx(expected, abs=0.05)  # by perimeter, the box is not square
    assert weights[low].sum() == pytest.approx(sum(expected), abs=0.05)


# ---- Continuous ----


@every_pair
def test_the_force_has_no_jump_along_a_path(pair: Pair, colliders: Colliders) -> None:
    a, b = shapes_of(pair)
    jump = worst_jump(sweep(a, b, colliders[a.name], colliders[b.name], STEPS))
    assert jump.size < JUMP, f"{jump.path}: {jump.before} -> {jump.after}; normal turns {jump.turn:.2g}; {in_a(jump.pose_a, jump.pose_b)}"


# ---- Degenerate ----


@pytest.mark.parametrize(
    ("pair", "group"), [pytest.param(pair, group, id=f"{group}-{'-'.join(pair)}") for pair in PAIRS for group in degenerate.groups_of(pair)]
)
def test_degenerate_poses(pair: Pair, group: str, colliders: Colliders) -> None:
    cases = [case for case in degenerate.cases_of(pair) if case.group == group]
    wrong = {c.name: f for c in cases if (f := degenerate.failure(c, colliders[c.a.name], colliders[c.b.name]))}
    assert not wrong


@pytest.mark.parametrize("kind", ["half_space", *CONVEX_KINDS])
@pytest.mark.parametrize("odd", degenerate.ODD_HULLS)
def test_degenerate_hulls(kind: str, odd: str, colliders: Colliders) -> None:
    cases = list(degenerate.odd_hull_cases(kind, odd))
    wrong = {c.name: f for c in cases if (f := degenerate.failure(c, colliders[c.a.name], colliders[c.b.name]))}
    assert not wrong


# ---- MuJoCo ----

CLOUD = [
    sphere("cloud_sphere", 0.2), sphere("cloud_sphere_2", 0.3), box("cloud_box", 0.4, 0.5, 0.3), box("cloud_box_2", 0.6, 0.2, 0.3),
    capsule("cloud_capsule", 0.15, 0.4), capsule("cloud_capsule_2", 0.1, 0.6), cylinder("cloud_cylinder", 0.2, 0.5),
    cylinder("cloud_cylinder_2", 0.3, 0.2), ellipsoid("cloud_ellipsoid", 0.2, 0.3, 0.15), ellipsoid("cloud_ellipsoid_2", 0.1, 0.2, 0.4),
]  # fmt: skip


def test_the_same_pairs_of_a_cloud_touch_as_in_mujoco(tmp_path: Path) -> None:
    ours = colliders_of(CLOUD, tmp_path)
    scene = mujoco_contacts.Scene(CLOUD)
    random = np.random.default_rng(5)
    for _ in range(60):
        placed = poses(random_rotations(random, len(CLOUD)), random.uniform(-0.7, 0.7, size=(len(CLOUD), 3)))
        scene.place(placed)
        theirs = scene.touching()
        for i in range(len(CLOUD)):
            for j in range(i + 1, len(CLOUD)):
                distance = separate(ours, CLOUD[i], CLOUD[j], placed[i], placed[j])[0][0]
                if abs(distance) < 1e-4:
                    continue  # MuJoCo's general collider ends there
                touches = len(geometry.contacts(ours[CLOUD[i].name], ours[CLOUD[j].name], placed[i], placed[j])[0]) > 0
                assert touches == (distance < 0)
                assert touches == ((i, j) in theirs), f"{CLOUD[i].name}, {CLOUD[j].name}: {in_a(placed[i], placed[j])}"


def resting(a: Shape, b: Shape, turn: Array, x: float, y: float) -> tuple[Array, Array]:
    pose_a, pose_b = degenerate.touching(a, b, turn, np.array([0, 0, 1.0]), -1e-4)
    pose_b[:2, 3] = x, y
    return pose_a, pose_b


def both_points(colliders: Colliders, a: Shape, b: Shape, pose_a: Array, pose_b: Array) -> tuple[Array, Array]:
    scene = mujoco_contacts.Scene([a, b])
    scene.place(np.stack([pose_a, pose_b]))
    points, _, distances, _, _ = (np.asarray(x) for x in geometry.contacts(colliders[a.name], colliders[b.name], pose_a, pose_b))
    return points[distances < 0], scene.points()


@pytest.mark.parametrize("yaw", [0.0, 0.2, np.pi / 4, 1.0])
@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.2, 0.1), (-0.4, 0.3), (0.7, 0.0)])
def test_box_on_box_has_mujocos_polygon(yaw: float, offset: tuple[float, float], colliders: Colliders) -> None:
    a, b = SIDE_A["box"], SIDE_B["box"]
    points, theirs = both_points(colliders, a, b, *resting(a, b, np.array([0, 0, yaw]), *offset))
    assert mujoco_contacts.farthest(points, theirs) < 1e-6
    assert mujoco_contacts.area(points) == pytest.approx(mujoco_contacts.area(theirs), rel=1e-5)


@pytest.mark.parametrize("yaw", [0.0, 0.7])
def test_box_on_plane_has_mujocos_polygon(yaw: float, colliders: Colliders) -> None:
    a, b = HALF_SPACE, SIDE_B["box"]
    points, theirs = both_points(colliders, a, b, *resting(a, b, np.array([0, 0, yaw]), 0.2, 0.3))
    assert len(points) == len(theirs) == 4
    assert mujoco_contacts.farthest(points, theirs) < 1e-6


def test_cylinder_on_its_side_has_mujocos_segment(colliders: Colliders) -> None:
    a, b = HALF_SPACE, SIDE_B["cylinder"]
    points, theirs = both_points(colliders, a, b, *resting(a, b, np.array([np.pi / 2, 0, 0]), 0.2, 0.3))
    assert len(points) == 2
    assert mujoco_contacts.farthest(points, theirs[np.argsort(theirs[:, 1])]) < 1e-6


def test_cylinder_on_its_cap_has_points_on_the_rim_around_the_centre(colliders: Colliders) -> None:
    """MuJoCo's triangle too: the rim is the same, the polygon in it is not."""
    a, b = HALF_SPACE, SIDE_B["cylinder"]
    for yaw in (0.0, 0.3):
        for points in both_points(colliders, a, b, *resting(a, b, np.array([0, 0, yaw]), 0.2, 0.3)):
            rim = np.hypot(points[:, 0] - 0.2, points[:, 1] - 0.3)
            inner = points[rim < 0.3 - 1e-6]
            assert rim.max() == pytest.approx(0.3, abs=1e-6)
            angles = np.sort(np.arctan2(points[:, 1] - 0.3, points[:, 0] - 0.2)[rim > 0.3 - 1e-6])
            assert np.diff(angles, append=angles[0] + 2 * np.pi).max() < np.pi
            assert len(inner) <= 1  # MuJoCo may add the middle


@pytest.mark.parametrize("yaw", [0.0, 0.4, 1.3])
@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.35, 0.1)])
def test_capsule_on_box_has_mujocos_segment(yaw: float, offset: tuple[float, float], colliders: Colliders) -> None:
    a, b = SIDE_A["box"], SIDE_B["capsule"]
    turn = rotation(np.array([0, 0, yaw])) @ rotation(np.array([np.pi / 2, 0, 0]))
    pose_a, pose_b = resting(a, b, np.array([np.pi / 2, 0, 0]), *offset)
    pose_b[:3, :3] = turn
    points, theirs = both_points(colliders, a, b, pose_a, pose_b)
    assert len(points) == 2
    assert mujoco_contacts.farthest(points, theirs) < 1e-3
