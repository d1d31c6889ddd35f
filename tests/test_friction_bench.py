"""The experiments of bench/friction: scenes are what they say, engines see the same one, and regularised friction creeps as its law says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import stickslip as ss

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench" / "friction"))
import friction_engines as fe
import friction_scenes as fs
import grasp as gr

REGULARIZED = fe.Engine("ours", fe.REGULARIZED)


@pytest.mark.parametrize("setting", fe.REGULARIZED)
@pytest.mark.parametrize("friction", [0.5, 1.01 * fs.STEEPNESS])
def test_regularised_friction_creeps_down_the_slope_as_its_law_says(setting: str, friction: float) -> None:
    places = REGULARIZED.slope(setting, friction, [2.0, 6.0])["places"]
    assert (places[1][0] - places[0][0]) / 4 == pytest.approx(fs.regularized_creep(fs.STEEPNESS / friction), rel=0.02)


@pytest.mark.parametrize("setting", fe.REGULARIZED)
@pytest.mark.parametrize("squeeze", gr.SQUEEZES)
def test_regularised_friction_lets_the_cylinder_sink_as_its_law_says(setting: str, squeeze: int) -> None:
    run = REGULARIZED.hold(setting, gr.grasp(squeeze, 0), [1.0, 5.0])
    sunk = run["places"][0][2] - run["places"][1][2]
    assert sunk == pytest.approx(4 * fs.regularized_creep(gr.load(squeeze)), rel=0.02)
    assert run["depth"] == pytest.approx(gr.grasp(squeeze, 0)["overlap"], rel=1e-3)


# In the carriage's frame: from rest, by the force of gravity and of the shaking; friction has 56 % of its cone to bear at most.
def test_the_shaken_cylinder_stays_in_the_hand_that_holds_it() -> None:
    assert gr.largest_load(2) < 0.6
    for frequency in (1, 5):
        places = REGULARIZED.hold("lagged, 2 ms", gr.grasp(2, frequency), [1.0, 3.0])["places"]
        assert abs(places[1][0] - places[0][0]) < 5e-6  # after whole periods
        assert places[0][2] - places[1][2] == pytest.approx(2 * fs.regularized_creep(0.5), rel=0.1)


def test_mujoco_sees_the_same_masses() -> None:
    mujoco = pytest.importorskip("mujoco")
    import friction_mujoco as fm

    g = gr.grasp(20, 1)
    theirs = fm.hold_model(next(iter(fm.SETTINGS)), g)
    assert isinstance(theirs, mujoco.MjModel)
    assert theirs.body_mass.sum() == pytest.approx(gr.carried_mass(g))
    ours = ss.from_string(gr.to_yaml(g), format="yaml")
    assert ours.total_mass == pytest.approx(gr.carried_mass(g))


# Along x alone the four corners bear mu m g. About z alone: mu m g times the corners' distance, SIDE/sqrt(2).
def test_limit_loads_are_those_of_force_and_of_torque_alone() -> None:
    whole = fs.LOADED_FRICTION * fs.G
    assert fs.limit_load(1.0, 0.0) == pytest.approx(whole, rel=1e-6)
    assert fs.limit_load(0.0, 1.0) == pytest.approx(whole * fs.SIDE / 2**0.5, rel=1e-6)
    assert fs.limit_load(1.0, 0.05) < min(whole, whole * fs.SIDE / 2**0.5 / 0.05)
