"""The experiments of bench/accuracy: their scenes are what they say, and errors are measured right."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench" / "accuracy"))
import experiments as ex


@pytest.mark.parametrize("name", [*ex.SCENES, "C4", "C5"])
def test_scenes_load_with_the_masses_they_name(name: str) -> None:
    assert ex.model(name).total_mass == pytest.approx(sum(o["mass"] for o in ex.find(name)["objects"]))


def test_half_steps_err_as_a_first_order_method_does_and_free_flight_does_not() -> None:
    paper = ex.ours("spin", 1e-3, method="cenic-paper", weights="identity")
    exact = ex.ours("spin", 1e-3, method="cenic")
    assert 0.2 < ex.spin_error(paper) < 1.0 and 0.05 < ex.spin_energy(paper) < 0.2
    assert ex.spin_error(exact) < 1e-9 and abs(ex.spin_energy(exact)) < 1e-6


def test_energy_of_the_bounce_is_that_of_the_start_at_the_start() -> None:
    ball = ex.SCENES["bounce"]["objects"][0]
    start = ex.End(np.array(ball["p"]), np.eye(3), np.zeros(3), np.zeros(3), 0.0, 0)
    assert ex.bounce_energy(start) == pytest.approx(0, abs=1e-12)


def test_pose_errors_see_ways_and_angles() -> None:
    r, error = ex.reference("roll"), ex.pose_error("roll")
    moved = ex.End(r.p + [0, 0.02, 0], r.R, r.v, r.w, 0.0, 0)
    turned = ex.End(r.p, r.R @ np.array([[1, 0, 0], [0, np.cos(0.3), -np.sin(0.3)], [0, np.sin(0.3), np.cos(0.3)]]), r.v, r.w, 0.0, 0)
    assert error(moved) == pytest.approx(0.02) and error(turned) == pytest.approx(0.3)
