"""Mesh files of robots: the same vertices as Coal reads by Assimp, and robots that load whole."""

from __future__ import annotations

import time
from pathlib import Path

import coal
import numpy as np
import pytest

import stickslip as ss
from oracles.robot_files import example_robot_urdfs, label
from stickslip._stickslip import read_solid

URDFS = example_robot_urdfs()
COLLADA = sorted(p for p in URDFS[0].parents[2].rglob("*") if p.suffix.lower() == ".dae")
ROUNDING = 1e-6  # of the mesh's size: Assimp keeps 32-bit floats


def corners(points: np.ndarray) -> np.ndarray:
    return np.array([points.min(axis=0), points.max(axis=0)])


def test_there_are_files_to_compare() -> None:
    assert len(COLLADA) > 250


# Coal's triangles are not compared: in files of several meshes they refer to vertices of others.
@pytest.mark.parametrize("path", COLLADA, ids=label)
def test_vertices_are_those_of_assimp(path: Path) -> None:
    try:
        vertices, triangles = read_solid(str(path))
    except ss.ModelError as error:
        assert error.code == "flat-mesh"  # the reader of solids wants no sheets
        return
    expected = np.array(coal.MeshLoader().load(str(path), np.ones(3)).vertices())
    size = np.ptp(expected, axis=0).max()
    np.testing.assert_allclose(corners(np.asarray(vertices)), corners(expected), rtol=0, atol=ROUNDING * size)
    cells = {tuple(cell) for cell in np.round(np.asarray(vertices) / (1e-3 * size)).astype(int)}
    near = {tuple(cell) for cell in np.round(expected / (1e-3 * size)).astype(int)}
    assert len(near - cells) <= 0.02 * len(near)  # a vertex may fall on either side of a cell's border
    assert np.asarray(triangles).max() == len(vertices) - 1


def test_robots_load_with_their_meshes_and_quickly() -> None:
    left_out = []
    slowest = 0.0
    for path in URDFS:
        began = time.perf_counter()
        try:
            warnings = ss.load(str(path)).warnings
        except ss.ModelError:
            continue  # one of them is no robot; docs/robots.md lists it
        slowest = max(slowest, time.perf_counter() - began)
        left_out += [w.message for w in warnings if w.code in ("unsupported-mesh", "bad-mesh", "missing-mesh")]
    assert all(".mesh'" in message for message in left_out), left_out[:5]  # Ogre's format, of one robot
    assert slowest < 10  # seconds; about half of one on a laptop, but tests share theirs
