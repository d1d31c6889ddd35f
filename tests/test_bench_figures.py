"""The figures of `stickslip bench`: what is read off states and settings, and the page that is made of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "contact"))

import drake_plant
import motion
import precision
import result_figures as figures
import result_rows
import result_tables as tables
import results_page as page
import saved_results

import stickslip as ss

DEPTH = 1e-4  # m
BALL = f"""
bodies:
  - {{name: ball, mass: 2, pose: {{position: [0, 0, {0.05 - DEPTH}]}}, geometry: [{{sphere: {{radius: 0.05}}}}]}}
  - {{name: floor, fixed: true, geometry: [{{half_space: {{}}}}]}}
"""


def examined(folder: Path, t: Any, q: Any, v: Any) -> motion.Quality:
    np.savez(folder / "states.npz", t=t, q=q, v=v)
    return motion.examine(ss.from_string(BALL), folder / "states.npz")


# --------------------------------------------------------------------------------------------------------------- states
def test_a_ball_that_creeps_slips_as_fast_as_it_moves(tmp_path: Path) -> None:
    t, speed = np.linspace(0, 1, 101), 2e-3
    q = np.array([[speed * x, 0, 0.05 - DEPTH, 1, 0, 0, 0] for x in t])
    found = examined(tmp_path, t, q, np.tile([speed, 0, 0, 0, 0, 0], (len(t), 1)))
    assert found.slip == pytest.approx(speed) and found.penetration == pytest.approx(DEPTH) and found.energy_gained == 0


def test_a_ball_that_rolls_or_slides_does_not_count_as_creeping(tmp_path: Path) -> None:
    t = np.linspace(0, 1, 101)
    q = np.array([[x, 0, 0.05 - DEPTH, 1, 0, 0, 0] for x in t])
    assert examined(tmp_path, t, q, np.tile([1.0, 0, 0, 0, 20, 0], (len(t), 1))).slip is None


def test_energy_gained_is_a_fraction_of_weight_times_height(tmp_path: Path) -> None:
    """It rises by as much as it was high, and falls back."""
    t = np.linspace(0, 1, 101)
    q = np.array([[0, 0, 1 + 4 * x * (1 - x), 1, 0, 0, 0] for x in t])
    assert examined(tmp_path, t, q, np.zeros((len(t), 6))).energy_gained == pytest.approx(1)


def test_what_contacts_store_for_a_moment_is_no_gain() -> None:
    t = np.linspace(0, 2, 2001)
    bounce = np.where((t > 0.5) & (t < 0.6), 0.2, np.where(t >= 0.6, 0.8, 1.0))
    assert motion.energy_rise(t, bounce) == 0
    assert motion.energy_rise(t, np.where(t > 1.5, 0.9, bounce)) == pytest.approx(0.1)


def test_drakes_velocities_turn_into_the_axes_of_bodies() -> None:
    """A quarter turn about z: the world's x is the body's -y."""
    turn = np.array([[np.sqrt(0.5), 0, 0, np.sqrt(0.5)]])
    assert np.allclose(drake_plant.turned_back(turn, np.array([[1.0, 0, 0]])), [[0, -1, 0]])


# ------------------------------------------------------------------------------------------------------------ precision
def test_time_at_an_error_is_interpolated_on_the_front() -> None:
    curve = [(1.0, 1e-2), (3.0, 5e-2), (100.0, 1e-4)]  # the second is slower and worse than the first
    assert precision.front(curve) == [(1.0, 1e-2), (100.0, 1e-4)]
    assert precision.time_at(curve, 1e-3) == pytest.approx(10)  # halfway, in logarithms
    assert precision.time_at(curve, 1.0) == 1 and precision.time_at(curve, 1e-5) is None


def swept(engine: str, method: str, setting: str, seconds: float, errors: list[float]) -> dict[str, Any]:
    """A row of two starts, the second of which takes twice as long."""
    starts = [dict(cpu_seconds=[seconds * (i + 1)], error=e, own_error=None) for i, e in enumerate(errors)]
    values = dict(scene="C5_early", engine=engine, version="1", method=method, setting=setting, cpu_seconds=seconds, error=errors[0], starts=starts, stopped="")
    return dict.fromkeys(result_rows.KEYS) | values


SWEPT = [
    swept("Stickslip", "cenic", "accuracy 0.01", 0.01, [1e-2, 1e-2]),
    swept("Stickslip", "cenic", "accuracy 0.001", 0.1, [1e-4, 1e-4]),
    swept("MuJoCo", "Newton", "time_step 0.002", 0.2, [1e-2, 1e-2]),
]


def test_times_at_equal_error_are_compared_within_a_start() -> None:
    assert precision.beside(SWEPT, ("MuJoCo", "Newton"), 1e-2) == (pytest.approx(0.3), pytest.approx(20))
    assert precision.beside(SWEPT, ("MuJoCo", "Newton"), 1e-3) is None
    head, lines = tables.equal_error_table(SWEPT)
    assert head[3] == "10 mm" and lines[0][3] == "15 ms" and lines[1][3] == "300 ms (20x)" and lines[1][-1] == "-"


def test_the_summary_compares_equal_settings_within_a_start() -> None:
    def row(engine: str, method: str, setting: str, *seconds: float) -> dict[str, Any]:
        starts = [dict(cpu_seconds=[x], simulated_seconds=2.0) for x in seconds]
        return dict.fromkeys(result_rows.KEYS) | dict(scene="C5", engine=engine, method=method, setting=setting, starts=starts)

    rows = [row("Stickslip", "cenic", "accuracy 0.01", 1, 2, 3), row("Drake", "cenic", "accuracy 0.01, cubes as spheres", 2, 8, 30)]
    _, lines = tables.summary_table(rows)
    assert lines == [["C5", "-", "-", "-", "0.25 (0.1 to 0.5)", "-"]]


def test_figures_are_drawn_of_what_there_is(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert figures.work_precision(SWEPT, tmp_path / "work.png") and (tmp_path / "work.png").stat().st_size > 1000
    assert not figures.growth(SWEPT, tmp_path / "growth.png") and not (tmp_path / "growth.png").exists()


# ----------------------------------------------------------------------------------------------------------------- page
def test_the_page_is_made_of_the_results_that_it_names() -> None:
    """`stickslip bench --page FILE` makes it anew."""
    text = page.PAGE.read_text()
    files = page.sources(text)
    assert files and text == page.text([file.name for file in files], *(saved_results.load(file) for file in files))


def test_the_page_tells_machine_versions_and_threads_of_its_results() -> None:
    machine, rows = saved_results.load(page.sources(page.PAGE.read_text())[0])
    text = page.PAGE.read_text()
    assert all(machine[key] in text for key in ("date", "cpu", "commit", "mujoco", "drake", "stickslip")) and "1 thread" in text
    assert {row["scene"] for row in rows} == {line.split()[1].rstrip(":") for line in text.splitlines() if line.startswith("### ") and ":" in line}
