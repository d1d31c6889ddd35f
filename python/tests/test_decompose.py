"""Convex parts of a mesh: they fill it, leave its hollows empty, are kept, and do not change its mass."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import stickslip as ss

# A U, 3 wide, 1 deep and 3 high, walls and floor 1 thick; the notch is open at the top.
OUTLINE = np.array([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)], float)
CAP = [(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4), (0, 5, 6), (0, 6, 7)]
SIZE = 3.0
VOLUME = 7.0


def u_mesh() -> tuple[np.ndarray, np.ndarray]:
    n = len(OUTLINE)
    front, back = np.insert(OUTLINE, 1, 0, axis=1), np.insert(OUTLINE, 1, 1, axis=1)
    sides = [side for i in range(n) for side in ((i, i + n, (i + 1) % n + n), (i, (i + 1) % n + n, (i + 1) % n))]
    caps = CAP + [(a + n, c + n, b + n) for a, b, c in CAP]
    return np.vstack([front, back]), np.array(caps + sides)


@pytest.fixture
def mesh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STICKSLIP_CACHE", str(tmp_path / "cache"))
    vertices, triangles = u_mesh()
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a} {b} {c}" for a, b, c in triangles + 1]
    file = tmp_path / "u.obj"
    file.write_text("\n".join(lines))
    return file


@pytest.fixture
def no_coacd(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it were not installed."""
    monkeypatch.setitem(sys.modules, "coacd", None)


def scene(ball: tuple[float, float, float] = (1.5, 0.5, 9.0), how: str = "true") -> str:
    return f"""
bodies:
  - {{name: u, density: 2, geometry: [{{name: u, mesh: {{file: u.obj, decompose: {how}}}}}]}}
  - {{name: ball, mass: 1, pose: {{position: {list(ball)}}}, geometry: [{{sphere: {{radius: 0.4}}}}]}}
"""


def load(mesh: Path, **arguments: object) -> ss.Model:
    file = mesh.parent / "scene.yaml"
    file.write_text(scene(**arguments))  # type: ignore[arg-type]
    return ss.load(file)


def read_parts(file: Path) -> list[np.ndarray]:
    objects = file.read_text().split("\no ")[1:]
    return [np.array([line.split()[1:] for line in o.splitlines() if line.startswith("v ")], float) for o in objects]


def outside(parts: list[np.ndarray], points: np.ndarray) -> np.ndarray:
    """How far each point is outside the nearest part, at least; negative inside."""
    planes = [ConvexHull(part).equations for part in parts]
    return np.min([np.max(points @ p[:, :3].T + p[:, 3], axis=1) for p in planes], axis=0)


def surface_points(count: int) -> np.ndarray:
    random = np.random.default_rng(1)
    vertices, triangles = u_mesh()
    corners = vertices[triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    chosen = corners[random.choice(len(corners), count, p=areas / areas.sum())]
    weights = random.dirichlet([1, 1, 1], count)
    return np.einsum("nk,nkd->nd", weights, chosen)


def test_parts_cover_the_mesh_and_leave_the_notch_empty(mesh: Path) -> None:
    parts = read_parts(ss.decompose(mesh))
    assert 3 <= len(parts) <= 32
    tolerance = 0.02 * SIZE  # half of what the threshold of 0.05 allows, for a mesh from -1 to 1
    assert outside(parts, surface_points(2000)).max() < tolerance
    notch = np.random.default_rng(2).uniform([1, 0, 1], [2, 1, 3], (2000, 3))
    inner = np.all((notch > np.array([1, -1, 1]) + tolerance) & (notch < np.array([2, 2, 4]) - tolerance), axis=1)
    assert outside(parts, notch[inner]).min() > 0


def test_a_ball_in_the_notch_touches_nothing(mesh: Path) -> None:
    sim = ss.Simulator(load(mesh, ball=(1.5, 0.5, 2.0)))
    distance, _, _ = sim.distance("u", "ball")
    assert distance == pytest.approx(0.1, abs=0.02 * SIZE)  # half the notch less the radius
    assert sim.overlaps() == []
    assert [w.code for w in sim.model.warnings] == []


def test_a_ball_in_the_wall_overlaps(mesh: Path) -> None:
    sim = ss.Simulator(load(mesh, ball=(0.5, 0.5, 2.0)))
    assert [pair[:2] for pair in sim.overlaps()] == [("u", "ball")]


def test_parts_have_names_of_their_own(mesh: Path) -> None:
    names = [c.name for c in ss.geometry.colliders(load(mesh))]
    assert names[:-1] == [f"u_{i}" for i in range(len(names) - 1)]


def test_mass_is_that_of_the_mesh(mesh: Path) -> None:
    body = load(mesh).body("u")
    assert body.mass == pytest.approx(2 * VOLUME, rel=1e-12)
    assert body.center_of_mass == pytest.approx([1.5, 0.5, 19 / 14], rel=1e-12)


def test_the_second_time_nothing_is_decomposed(mesh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ss.decompose(mesh)
    written = first.read_bytes()
    monkeypatch.setitem(sys.modules, "coacd", None)
    assert ss.decompose(mesh) == first
    assert load(mesh).nq == 14
    assert first.read_bytes() == written


def test_the_same_mesh_has_the_same_parts(mesh: Path) -> None:
    file = ss.decompose(mesh)
    once = file.read_bytes()
    file.unlink()
    assert ss.decompose(mesh).read_bytes() == once


def test_damaged_parts_are_made_again(mesh: Path) -> None:
    file = ss.decompose(mesh)
    good = file.read_bytes()
    file.write_bytes(good[: len(good) // 2])
    load(mesh)
    assert file.read_bytes() == good
    assert list(file.parent.iterdir()) == [file]


def test_max_hulls_bounds_the_parts(mesh: Path) -> None:
    assert len(read_parts(ss.decompose(mesh, max_hulls=2))) <= 2
    colliders = ss.geometry.colliders(load(mesh, how="{max_hulls: 1}"))
    assert [c.kind for c in colliders] == ["convex_mesh", "sphere"]


@pytest.mark.usefixtures("no_coacd")
def test_without_coacd_the_error_says_what_to_install_and_run(mesh: Path) -> None:
    with pytest.raises(ImportError, match=re.escape("stickslip[decompose]")):
        ss.decompose(mesh)
    with pytest.raises(ss.ModelError) as caught:
        load(mesh)
    error = caught.value
    assert (error.code, Path(error.file).name, error.line) == ("needs-decomposition", "scene.yaml", 3)
    assert f"python -m stickslip.decompose {mesh} --threshold 0.05 --max-hulls 32" in error.fix
    assert "stickslip[decompose]" in error.fix


def test_command_fills_the_cache(mesh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "stickslip.decompose", str(mesh), "--threshold", "0.1", "--max-hulls", "8"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert re.fullmatch(r"\d+ convex parts in .*\.obj\n", done.stdout)
    monkeypatch.setitem(sys.modules, "coacd", None)
    load(mesh, how="{threshold: 0.1, max_hulls: 8}")
    missing = subprocess.run([*command[:3], "none.obj"], capture_output=True, text=True, check=False)
    assert missing.returncode == 1 and "no-such-file" in missing.stderr


@pytest.mark.parametrize(
    ("text", "code"),
    [("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n", "flat-mesh"), ("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", "bad-mesh")],
)
def test_meshes_without_an_inside_are_refused(mesh: Path, text: str, code: str) -> None:
    mesh.write_text(text)
    with pytest.raises(ss.ModelError) as caught:
        ss.decompose(mesh)
    assert caught.value.code == code
    with pytest.raises(ss.ModelError):
        load(mesh)


def test_bad_arguments_are_refused(mesh: Path) -> None:
    with pytest.raises(ValueError, match="threshold"):
        ss.decompose(mesh, threshold=0)
    with pytest.raises(ValueError, match="max_hulls"):
        ss.decompose(mesh, max_hulls=0)
