"""Energy that comes from nothing is told, and ends a run; energy that was there or was fed does not.

What each rule says exactly is tested in C++ (energy_guard_test, energy_watch_test); here are whole runs.
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stickslip as ss

EXAMPLES = Path(__file__).parents[1] / "examples"
Scene = dict[str, Any]


def turning_chain(links: int = 10, speed: float = 20.0) -> Scene:
    """In a plane, each link turning against the next: at 20 ms its fictitious forces feed it."""
    inertia = {"ixx": 0.01, "iyy": 0.01, "izz": 0.01}
    joints: list[Scene] = []
    for i in range(links):
        joint: Scene = {"name": f"joint{i}", "type": "revolute", "child": f"link{i}", "axis": [0, 1, 0], "velocity": speed * (-1) ** i}
        joint["child_pose"] = {"position": [-0.15, 0, 0]}
        if i > 0:
            joint |= {"parent": f"link{i - 1}", "pose": {"position": [0.15, 0, 0]}}
        joints.append(joint)
    return {"bodies": [{"name": f"link{i}", "mass": 1, "inertia": inertia} for i in range(links)], "joints": joints}


def model_of(scene: Scene) -> ss.Model:
    return ss.from_string(json.dumps(scene))


def gained_warnings(report: ss.Report) -> list[str]:
    return [warning.message for warning in report.warnings if warning.code == "gained-energy"]


@pytest.mark.parametrize("options", [{"method": "anchored", "time_step": 0.02}, {"method": "semi-implicit-euler", "time_step": 0.05}, {"time_step": 0.02}])
def test_a_run_that_doubles_its_energy_from_nothing_stops_and_says_so(options: dict[str, Any]) -> None:
    sim = ss.Simulator(model_of(turning_chain()), **options)
    start = sim.kinetic_energy
    with pytest.raises(ss.SimulationStopped, match="came from nothing by t = .* fastest is the tree of body 'link0'") as stop:
        sim.advance_to(10.0)
    assert stop.value.status == "gained-energy"
    assert np.isfinite(sim.q).all() and sim.kinetic_energy < 3 * start
    assert sim.report.energy.gained > start
    assert len(gained_warnings(sim.report)) == 1


def test_a_pickled_state_stops_where_the_run_does() -> None:
    model = model_of(turning_chain())
    options: dict[str, Any] = {"method": "lagged", "time_step": 0.008}
    whole = ss.Simulator(model, **options)
    with pytest.raises(ss.SimulationStopped) as first:
        whole.advance_to(20.0)
    half = ss.Simulator(model, **options)
    while half.report.steps < whole.report.steps - 1:
        half.step()
    again = ss.Simulator(model, **options)
    again.state = pickle.loads(pickle.dumps(half.state))
    with pytest.raises(ss.SimulationStopped) as second:
        again.advance_to(20.0)
    assert (second.value.status, second.value.time, str(second.value)) == (first.value.status, first.value.time, str(first.value))


def test_the_published_method_is_left_alone() -> None:
    """It gains on a pendulum, and says so, but goes on."""
    pendulum = {
        "bodies": [{"name": "bob", "mass": 1, "center": [0.5, 0, 0], "inertia": {"ixx": 0.001, "iyy": 0.083, "izz": 0.083}}],
        "joints": [{"name": "hinge", "type": "revolute", "child": "bob", "axis": [0, 1, 0], "velocity": 20}],
    }
    run = ss.simulate(model_of(pendulum), until=5, method="cenic-paper", accuracy=0.1)
    assert run.report.status == "ok"


@pytest.mark.parametrize("options", [{"accuracy": 1e-2}, {"accuracy": 1e-3}, {"method": "anchored", "time_step": 1e-3}], ids=str)
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_examples_run_without_a_word(path: Path, options: dict[str, Any]) -> None:
    """A double pendulum at 1 ms exchanges some of its energy with the error of a first-order method: 1.5 %."""
    run = ss.simulate(ss.load(path), until=1.0, **options)
    assert run.report.status == "ok"
    assert not gained_warnings(run.report) or (path.stem == "double_pendulum" and "time_step" in options)


def pile(seed: int) -> Scene:
    """Boxes, balls and capsules of any size and softness, some in each other at the start, thrown at each other."""
    rng = np.random.default_rng(seed)
    bodies: list[Scene] = [{"name": "floor", "fixed": True, "geometry": [{"half_space": {}, "material": "m"}]}]
    size = 10 ** rng.uniform(-3, 0)
    for i in range(int(rng.integers(2, 7))):
        a, b, c = size * rng.uniform(0.3, 1, 3)
        shape: Scene = [{"box": {"size": [a, b, c]}}, {"sphere": {"radius": a / 2}}, {"capsule": {"radius": a / 4, "length": b}}][int(rng.integers(3))]
        turn = rng.normal(size=4)
        body: Scene = {"name": f"b{i}", "density": 10 ** rng.uniform(2, 4), "geometry": [shape | {"material": "m"}]}
        body["pose"] = {"position": list(size * rng.uniform(-0.8, 0.8, 2)) + [size * rng.uniform(0.2, 2)], "quaternion": list(turn / np.linalg.norm(turn))}
        body["velocity"] = {"linear": list(rng.normal(size=3) * size**0.5), "angular": list(5 * rng.normal(size=3))}
        bodies.append(body)
    materials = {"m": {"stiffness": 10 ** rng.uniform(3, 7), "dissipation": float(rng.choice([0, 1, 10])), "friction": float(rng.uniform(0, 1))}}
    return {"gravity": [0, 0, float(rng.choice([0, -9.81, -9.81]))], "materials": materials, "bodies": bodies}


@pytest.mark.parametrize("options", [{"accuracy": 1e-2}, {"method": "anchored", "time_step": 1e-3}], ids=str)
def test_impacts_overlaps_and_rests_are_no_gain(options: dict[str, Any]) -> None:
    stopped = {seed: run.report.message for seed in range(30) if (run := ss.simulate(model_of(pile(seed)), until=0.3, **options)).report.status != "ok"}
    assert not stopped
