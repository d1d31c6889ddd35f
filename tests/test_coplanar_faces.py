"""Hulls whose faces are nearly coplanar: their contacts change no faster than they move, whichever face fits best.

See oracles/coplanar.py for the shapes and for how the steepest places are found.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from oracles import coplanar
from oracles.collision_cases import in_a
from oracles.collision_pairs import HALF_SPACE, rotation
from oracles.collision_sweep import JUMP
from oracles.robot_files import SITE
from oracles.shapes import SIDE_A, Array, Shape, colliders_of
from stickslip import geometry

FOOT = SITE / "cmeel.prefix/share/example-robot-data/robots/solo_description/meshes/stl/with_foot/solo_lower_leg_left_side.stl"
FOOT_DOWN = rotation(np.array([-1.31163024, 1.16745416, -1.09349642]))  # as the robot lies at the end of case C9
SHAPES = [
    *[make(angle) for angle in coplanar.ANGLES for make in (coplanar.dented_box, coplanar.bulging_box)],
    *[coplanar.prism(sides, angle) for sides in (5, 40, 100) for angle in (0.0, 1e-7, 1e-5, 1e-3)],
]
# The plane of a face that is flat to 1e-6 of its size only can be off by that, in an overlap of 1e-3.
NOT_FLAT = JUMP

every_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


def steepest(ground: Shape, shape: Shape, sides: list[Array], rounds: int, folder: Path) -> coplanar.Step:
    colliders = colliders_of([ground, shape], folder)
    return coplanar.rocking(ground, shape, colliders[ground.name], colliders[shape.name], sides, rounds)


def blame(step: coplanar.Step) -> str:
    return f"{step.change:.2g} within {step.moved:.2g}; {in_a(np.eye(4), step.pose)}"


@every_shape
def test_the_force_on_a_half_space_changes_no_faster_than_the_hull_moves(shape: Shape, tmp_path: Path) -> None:
    step = steepest(HALF_SPACE, shape, coplanar.SIDES, 1, tmp_path)
    assert step.excess < 0, blame(step)


@every_shape
def test_the_force_on_a_box_changes_no_faster_than_the_hull_moves(shape: Shape, tmp_path: Path) -> None:
    step = steepest(SIDE_A["box"], shape, coplanar.SIDES, 1, tmp_path)
    assert step.excess < 0, blame(step)


@pytest.mark.parametrize("angle", [1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize("make", [coplanar.dented_box, coplanar.bulging_box])
def test_the_force_on_a_hull_has_no_jump_as_the_other_rocks(make: Callable[[float], Shape], angle: float, tmp_path: Path) -> None:
    step = steepest(coplanar.dented_box(1e-5, seed=5, size=1.5), make(angle), coplanar.SIDES, 1, tmp_path)
    assert step.excess < NOT_FLAT, blame(step)


def test_the_force_on_a_robots_foot_changes_no_faster_than_it_moves(tmp_path: Path) -> None:
    foot = coplanar.stl_hull("foot", FOOT)
    step = steepest(HALF_SPACE, foot, [FOOT_DOWN], 8, tmp_path)
    assert step.excess < 0, blame(step)


def test_a_box_as_a_hull_has_a_quarter_at_each_corner(tmp_path: Path) -> None:
    """Also where mesh noise divides its faces."""
    for angle in (0.0, 1e-9, 1e-7):
        shape = coplanar.dented_box(angle)
        colliders = colliders_of([HALF_SPACE, shape], tmp_path)
        pose = coplanar.pressed(HALF_SPACE, shape, np.eye(3), np.zeros(3))
        _, _, _, weights, _ = geometry.contacts(colliders["half_space"], colliders[shape.name], np.eye(4), pose)
        assert np.asarray(weights) == pytest.approx(0.25, abs=1e-6)
