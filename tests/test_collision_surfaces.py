"""Convex bodies on triangle meshes and height fields: like a half-space where they are flat, exact beside uneven ground.

See oracles/collision_surfaces.py for how distances are proven; docs/collision.md has the numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from oracles import collision_surfaces as surfaces
from oracles.collision_cases import DEEPEST_TOLERANCE, Colliders, Pair, each_pair, in_a
from oracles.collision_contacts import ContactVerdict, contact_failure
from oracles.collision_manifolds import rest_failure
from oracles.collision_pairs import SURFACE_PAIRS, distance_tolerance, poses, random_rotations
from oracles.collision_sweep import JUMP
from oracles.shapes import SIDE_B, Array
from stickslip import geometry

POSES = 300
STEPS, PLACES = 30, 2
Apart = tuple[surfaces.SurfaceExactness, Array, Array]
Ground = tuple[dict[str, Apart], ContactVerdict]


@pytest.fixture(scope="module")
def on_ground(colliders: Colliders) -> Callable[[Pair], Ground]:
    """Of a pair, bodies apart from each uneven surface, and contacts with all of them."""

    @cache
    def asked(pair: Pair) -> Ground:
        b = SIDE_B[pair[1]]
        beside = {surface.name: surfaces.apart(surface, b, colliders, POSES) for surface in surfaces.uneven(pair[0])}
        return beside, surfaces.surface_contact_verdict(pair, colliders, POSES)

    return asked


def off_ground(name: str, off: Array, poses_a: Array, poses_b: Array, pair: Pair) -> str:
    """Empty, or where the worst one is."""
    off = np.abs(np.nan_to_num(off))
    i, wrong = int(off.argmax()), int((off > distance_tolerance(pair)).sum())
    return f"{name}: {off[i]:.2g}, {wrong} poses; {in_a(poses_a[i], poses_b[i])}" if wrong else ""


def every_surface_pair(reason: str = "", *known: Pair) -> pytest.MarkDecorator:
    return each_pair(SURFACE_PAIRS, reason, known)


@every_surface_pair()
def test_a_flat_floor_of_triangles_pushes_like_a_half_space(pair: Pair, colliders: Colliders) -> None:
    """Over inner edges and vertices: the same force, moment and normal, and weights that sum to one."""
    b = SIDE_B[pair[1]]
    verdict = surfaces.floor_verdict(surfaces.FLOOR[pair[0]], b, colliders, POSES)
    assert not surfaces.floor_failure(b, verdict), verdict.worst


@every_surface_pair()
def test_odd_triangles_of_a_flat_floor_push_like_a_half_space(pair: Pair, colliders: Colliders) -> None:
    """Copies of triangles, needles, slivers, none with a common vertex; a single cell; a thin base."""
    b = SIDE_B[pair[1]]
    for floor in surfaces.ODD_FLOORS[pair[0]]:
        verdict = surfaces.floor_verdict(floor, b, colliders, POSES // 3)
        assert not surfaces.floor_failure(b, verdict), f"{floor.name}: {verdict.worst}"


@every_surface_pair()
def test_a_foot_on_a_floor_of_triangles_has_its_whole_polygon(pair: Pair, colliders: Colliders) -> None:
    _, _, wrong = rest_failure(("half_space", pair[1]), colliders[surfaces.FLOOR[pair[0]].name], colliders[SIDE_B[pair[1]].name])
    assert not wrong


def test_a_cylinder_that_touches_with_a_part_of_its_rim_pushes_like_on_a_half_space(colliders: Colliders) -> None:
    """Among as many poses there are some tilted by 1e-6 to 1e-5 rad that overlap by less than the tilt lifts the rim."""
    floor, b = surfaces.FLOOR["triangle_mesh"], SIDE_B["cylinder"]
    assert not surfaces.floor_failure(b, surfaces.floor_verdict(floor, b, colliders, 2000))


def test_a_capsule_beside_a_sharp_corner_of_a_rock_is_not_behind_it(colliders: Colliders) -> None:
    """It is behind the planes of two of the triangles that meet in the corner, which is the nearest point of all six."""
    pose = np.eye(4)
    pose[:3] = [
        [0.8098152009161238, 0.5552233985171484, 0.18954239131193257, 0.8506430313675091],
        [-0.2799846384394019, 0.6496542874640633, -0.7067941065243241, 0.48612800021220004],
        [-0.5155656530483149, 0.5193036534809166, 0.6815539398156515, 0.6069378093534877],
    ]
    capsule = colliders[SIDE_B["capsule"].name]
    distances = [geometry.separation(colliders[sheet.name], capsule, np.eye(4), pose)[0][0] for sheet in surfaces.sheets(surfaces.ROCK)]
    assert min(distances) > 6e-5
    everywhere = poses(random_rotations(np.random.default_rng(0), 50), np.zeros((50, 3)))  # round-off chooses among the six
    found = np.asarray(geometry.separation(colliders[surfaces.ROCK.name], capsule, everywhere, everywhere @ pose)[0])
    assert np.abs(found - min(distances)).max() < 1e-12


@every_surface_pair()
def test_the_depth_in_a_flat_floor_of_triangles_is_exact(pair: Pair, colliders: Colliders) -> None:
    assert surfaces.floor_depth(pair[0], SIDE_B[pair[1]], colliders, POSES).max() < distance_tolerance(pair)


@every_surface_pair()
def test_the_distance_from_uneven_ground_is_that_of_the_nearest_triangle(pair: Pair, on_ground: Callable[[Pair], Ground]) -> None:
    for name, (found, poses_a, poses_b) in on_ground(pair)[0].items():
        assert np.isnan(found.distance).mean() < 0.05
        assert not off_ground(name, found.distance, poses_a, poses_b, pair)


@every_surface_pair()
def test_the_points_are_on_uneven_ground_and_the_body(pair: Pair, on_ground: Callable[[Pair], Ground]) -> None:
    for name, (found, poses_a, poses_b) in on_ground(pair)[0].items():
        assert not off_ground(name, found.points, poses_a, poses_b, pair)


@every_surface_pair()
def test_bodies_above_uneven_ground_do_not_touch_it(pair: Pair, on_ground: Callable[[Pair], Ground]) -> None:
    for name, (found, poses_a, poses_b) in on_ground(pair)[0].items():
        assert not off_ground(name, found.touching, poses_a, poses_b, pair)


@every_surface_pair()
def test_contacts_with_uneven_ground_agree_with_the_separation(pair: Pair, on_ground: Callable[[Pair], Ground]) -> None:
    """And the weights of one normal sum to one at most."""
    verdict = on_ground(pair)[1]
    assert not contact_failure(verdict)
    assert verdict.deepest < DEEPEST_TOLERANCE, verdict.worst_pose


@every_surface_pair()
def test_features_of_uneven_ground_keep_their_names(pair: Pair, on_ground: Callable[[Pair], Ground]) -> None:
    assert on_ground(pair)[1].renamed < 0.02


@every_surface_pair()
def test_the_force_of_a_flat_floor_has_no_jump_along_a_path(pair: Pair, colliders: Colliders) -> None:
    jump = surfaces.floor_jump(pair, colliders, STEPS, PLACES)
    assert jump.size < JUMP, f"{jump.path}: {jump.before} -> {jump.after}; {in_a(jump.pose_a, jump.pose_b)}"


@every_surface_pair()
def test_the_force_of_bumps_has_no_jump_along_a_path(pair: Pair, colliders: Colliders) -> None:
    """Lines and faces that cross edges, or tilt off peaks, too."""
    jump = surfaces.bumps_jump(pair, colliders, STEPS, PLACES)
    assert jump.size < JUMP, f"{jump.size:.2g}, {jump.path}: {jump.before} -> {jump.after}; {in_a(jump.pose_a, jump.pose_b)}"


@pytest.mark.parametrize("pair", [("triangle_mesh", "cylinder"), ("height_field", "box")], ids="/".join)
def test_a_finer_look_at_bumps_finds_no_jump(pair: Pair, colliders: Colliders) -> None:
    """A disc's end on a peak, and an edge along a ridge: what they jumped by hid between coarser steps."""
    jump = surfaces.bumps_jump(pair, colliders, 2 * STEPS)
    assert jump.size < JUMP, f"{jump.size:.2g}, {jump.path}: {jump.before} -> {jump.after}; {in_a(jump.pose_a, jump.pose_b)}"


@every_surface_pair()
def test_degenerate_poses_on_triangles(pair: Pair, colliders: Colliders) -> None:
    _, wrong = surfaces.surface_failures(pair, colliders)
    assert not wrong
