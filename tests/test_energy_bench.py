"""The scenes of bench/energy are what they say, and gains are counted right."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import stickslip as ss
from command_line import ROOT, run

RUN = ROOT / "bench" / "energy" / "run.py"


def module(name: str) -> ModuleType:
    folder = str(ROOT / "bench" / "energy")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


def groups() -> list[str]:
    return [group.name for group in module("energy_groups").GROUPS]


@pytest.mark.parametrize("name", groups())
def test_scenes_load_and_begin_held(name: str) -> None:
    """No gaps, and as the jerk leaves it no point of a rope or pin moves along what holds it: a step of 1e-6 s opens none by more than its square."""
    [group] = [g for g in module("energy_groups").GROUPS if g.name == name]
    for seed in range(3):
        made = group.make(seed)
        sim = ss.Simulator(ss.from_string(json.dumps(made.consistent)), method="lagged", time_step=1e-6)
        before = sim.kinetic_energy + sim.potential_energy
        sim.step()
        after = sim.kinetic_energy + sim.potential_energy
        assert after == pytest.approx(before, abs=1e-5 * sim.model.total_mass), seed


@pytest.mark.parametrize("name", ["rope", "pin", "ropes", "pins", "rods", "ring"])
def test_energy_after_the_jerk_is_that_of_a_step_that_resolves_it(name: str) -> None:
    """A throw against a rope loses what an impact without bounce takes. 1e-3 s of gravity and turning change what is left of 5 rad/s by 1 % of the scale."""
    [group] = [g for g in module("energy_groups").GROUPS if g.name == name]
    for seed in range(3):
        made, jerked = group.make(seed), []
        for scene in (made.scene, made.consistent):
            sim = ss.Simulator(ss.from_string(json.dumps(scene)), accuracy=1e-5)
            sim.advance_to(2e-3)
            jerked.append(sim.kinetic_energy + sim.potential_energy)
        assert jerked[0] == pytest.approx(jerked[1], abs=0.01 * module("energy_runs").scale_of(sim.model)), seed


def test_jointed_boxes_are_those_of_the_pins() -> None:
    es = module("energy_scenes")
    pinned, jointed = (ss.Simulator(ss.from_string(json.dumps(s))) for s in (es.held_box("ball", 5).scene(consistent=True), es.jointed(es.held_box("ball", 5))))
    assert jointed.kinetic_energy == pytest.approx(pinned.kinetic_energy, rel=1e-9)
    assert jointed.potential_energy == pytest.approx(pinned.potential_energy, abs=1e-9)


def test_gains_are_counted_over_what_the_jerk_leaves() -> None:
    run = module("energy_runs").Run(5.0, 5.0, 5.0)
    for time, energy in ((1e-3, 4.0), (2e-3, 1.0), (1.0, 0.5), (2.0, 2.5), (3.0, 2.0)):
        run.see(energy, time, jerk=2e-3)
    assert (run.start, run.most, run.end, run.gain(1.5)) == (1.0, 2.5, 2.0, 1.0)
    assert module("energy_runs").Run(1.0, np.nan, 1.0).gain(1.0) == np.inf


def test_a_table_is_printed_and_unknown_names_are_told(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, RUN, "joint", "gaps", "--quick", "--engines", "stickslip"], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "### 6 boxes" in done.stdout and "| cenic 1e-3 | 0 / 0 / 0 |" in done.stdout and "MuJoCo 2 ms" not in done.stdout
    wrong = subprocess.run([sys.executable, RUN, "joints"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert wrong.returncode == 2 and "no group 'joints'; there are bricks, gaps" in wrong.stderr


def test_the_command_line_passes_on_what_it_is_told() -> None:
    done = run("bench", "energy", "joint", "--quick", "--engines", "stickslip")
    assert done.returncode == 0 and "### 6 boxes" in done.stdout
    assert run("bench", "energy", "joints").returncode == 2 and "energy [GROUP...]" in run("bench", "--list").stdout


def test_mujoco_sees_the_same_energy() -> None:
    pytest.importorskip("mujoco")
    es, em, er = module("energy_scenes"), module("energy_mujoco"), module("energy_runs")
    for scene in (es.held_box("ball", 3).scene(consistent=True), es.jointed(es.held_box("ball", 3)), es.four_bar(3), es.pendulum(2)):
        ours = ss.Simulator(ss.from_string(json.dumps(scene)))
        theirs = em.run(em.model_of(scene), 1e-3, until=0.01)
        assert theirs.start == pytest.approx(er.energy_of(ours), rel=1e-9) and theirs.steps == 10 and not theirs.stopped


@pytest.mark.parametrize(
    "options", [{"accuracy": 1e-1}, {"accuracy": 1e-2}, {"accuracy": 1e-3}, {"time_step": 2e-3}, {"method": "cenic-trapezoid", "accuracy": 1e-2}], ids=str
)
def test_capsules_that_roll_on_a_floor_gain_nothing(options: dict[str, Any]) -> None:
    """The largest gains were 392, 4, 2, 883 and 67 times the scale, by gyroscopic torques of steps' starts, from steps extrapolated through an impact, and from flights on through the floor of what only the friction of the start had pushed out of it; by the trapezoid
    rule from the mean velocity of impacts."""
    es, er = module("energy_scenes"), module("energy_runs")
    for seed in range(20):
        scene = es.thin_capsule(seed)
        scale = er.scale_of(er.model_of(scene))
        run = er.stickslip(scene, options, until=3.0, scale=scale)
        assert run.gain(scale) < 1e-3 and not run.stopped, seed


@pytest.mark.parametrize("options", [{"accuracy": 1e-2}, {"accuracy": 1e-3}, {"time_step": 2e-3}, {"method": "cenic-trapezoid", "accuracy": 1e-3}], ids=str)
@pytest.mark.parametrize("name", ["rope", "pin", "ropes", "ring"])
def test_boxes_that_ropes_and_pins_hold_gain_less_than_a_percent(name: str, options: dict[str, Any]) -> None:
    """A third to a half of them gained more, and some exploded, by gyroscopic torques of steps' starts and gaps of the wrong place."""
    [group], er = [g for g in module("energy_groups").GROUPS if g.name == name], module("energy_runs")
    for seed in range(10):
        scene = group.make(seed).scene
        scale = er.scale_of(er.model_of(scene))
        run = er.stickslip(scene, options, scale=scale, jerk=er.JERK)
        assert run.gain(scale) < 0.01 and not run.stopped, seed


@pytest.mark.parametrize("seed", [3, 10, 12, 13])
def test_boxes_of_chains_that_turn_a_radian_a_step_do_not_explode(seed: int) -> None:
    """Boxes that spin about a line through their pins: two half steps of a radian and a whole one agreed to 0.1 and gained 10 % a step, up to 10 000 times the scale."""
    es, er = module("energy_scenes"), module("energy_runs")
    boxes = es.chain("ball", seed)
    run = er.stickslip(boxes.scene(), {"accuracy": 1e-1}, scale=boxes.scale, jerk=er.JERK)
    assert run.gain(boxes.scale) < 0.05 and not run.stopped
