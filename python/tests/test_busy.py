"""A simulator belongs to one thread and one call at a time: all else is refused by a sentence that says what to do."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss

SCENE = """
bodies:
  - {name: arm, mass: 1, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}
  - {name: ball, density: 1000, pose: {position: [1, 0, 0.1]}, geometry: [{sphere: {radius: 0.1}}]}
  - {name: hand, mocap: true, pose: {position: [0, 5, 0]}}
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
joints: [{name: hinge, type: revolute, child: arm, axis: [0, 1, 0]}]
actuators: [{name: motor, joint: hinge, type: motor}]
"""
METHODS = [{}, {"time_step": 1e-3}, {"method": "rk4", "time_step": 1e-3}]
WITHIN = "within a step of the same simulator"


@pytest.fixture
def model() -> ss.Model:
    return ss.from_string(SCENE)


def calls_from_within(model: ss.Model, act: Callable[[ss.Simulator], object], sampled: bool, **options: object) -> ss.Simulator:
    """A simulator whose controller does `act` each time it is asked."""
    sim = ss.Simulator(model, **options)

    def control(t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray | None = None) -> np.ndarray:
        act(sim)
        return np.zeros(model.nv)

    sim.add(ss.Sampled(1000, control) if sampled else ss.System(output=control))
    return sim


def assign(name: str, value: object) -> Callable[[ss.Simulator], object]:
    return lambda sim: setattr(sim, name, value)


CHANGES: dict[str, Callable[[ss.Simulator], object]] = {
    "add": lambda sim: sim.add(ss.Sampled(10, lambda t, q, v: np.zeros(len(v)))),
    "step": lambda sim: sim.step(),
    "advance": lambda sim: sim.advance_to(2.0),
    "reset": lambda sim: sim.reset(),
    "state": lambda sim: setattr(sim, "state", sim.state),
    "q": lambda sim: setattr(sim, "q", sim.q.copy()),
    "joint q": lambda sim: setattr(sim.joint("hinge"), "q", 0.1),
    "v": lambda sim: setattr(sim, "v", sim.v.copy()),
    "z": lambda sim: setattr(sim, "z", sim.z.copy()),
    "time": assign("time", 0.0),
    "record": lambda sim: sim.record("/nonexistent/run.h5"),
}


@pytest.mark.parametrize("options", METHODS, ids=["cenic", "anchored", "rk4"])
@pytest.mark.parametrize("sampled", [False, True], ids=["system", "sampled"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_a_controller_calls_cannot_change_its_simulator(model: ss.Model, change: str, sampled: bool, options: dict[str, object]) -> None:
    sim = calls_from_within(model, CHANGES[change], sampled, **options)
    for _ in range(2):  # the simulator is not left busy
        with pytest.raises(RuntimeError, match=WITHIN):
            sim.advance_to(0.01)
        assert sim.time == 0


@pytest.mark.parametrize("options", METHODS, ids=["cenic", "anchored", "rk4"])
@pytest.mark.parametrize("sampled", [False, True], ids=["system", "sampled"])
@pytest.mark.parametrize("name", ["q", "v", "z"])
def test_a_step_during_which_the_state_is_written_is_not_taken(model: ss.Model, name: str, sampled: bool, options: dict[str, object]) -> None:
    views: dict[str, np.ndarray] = {}

    def write(sim: ss.Simulator) -> None:
        views["held"][0] += 0.1

    sim = calls_from_within(model, write, sampled, **options)
    sim.add(ss.System(1, lambda t, q, v, z: [0.0], z0=[0.5]))
    views["held"] = getattr(sim, name)  # taken between steps, as a numpy view: nobody sees who writes
    before = sim.state.hash
    with pytest.raises(RuntimeError, match=f"{name} of the state was written during a step, which was not taken; write it between steps"):
        sim.step()
    assert sim.state.hash == before


def test_controllers_may_read_everything(model: ss.Model) -> None:
    seen: list[object] = []

    def look(sim: ss.Simulator) -> None:
        seen.append((sim.time, sim.q[0], sim.v.sum(), sim.z.sum(), sim.state.hash, sim.report.steps, sim.report.energy.numerical_loss))
        seen.append((sim.kinetic_energy, sim.potential_energy, sim.body("ball").pose[2, 3], sim.joint("hinge").q[0]))
        seen.append((sim.joint("hinge").constraint_force[0], len(sim.overlaps()), sim.raycast([0, 0, 5], [0, 0, -1]).body))
        forces.append(sim.body("ball").contact_force[2])
        assert sim.contacts["force"][:, 2].sum() == pytest.approx(-forces[-1])

    forces: list[float] = []
    for options in METHODS[:2]:
        forces.clear()
        sim = calls_from_within(model, look, True, **options)
        sim.advance_to(0.3)
        # At rest: of the step before, whatever the step under way has computed. 0.1 % is the accuracy of cenic.
        weight = model.body("ball").mass * 9.81
        assert forces[0] == 0 and forces[-1] == pytest.approx(weight, rel=2e-3)
        assert sim.report.energy.start == pytest.approx(ss.Simulator(model, **options).report.energy.start)
    assert seen


def test_a_copy_made_by_a_controller_looks_ahead(model: ss.Model) -> None:
    ahead: list[float] = []

    def predict(sim: ss.Simulator) -> None:
        if sim.time == 0.01 and not ahead:
            ahead.append(0.0)  # the copy's controller is this one
            twin = sim.copy()
            twin.advance_to(0.05)
            ahead.append(twin.q[0])
            assert np.isfinite(twin.report.energy.end)

    sim = calls_from_within(model, predict, True)
    sim.ctrl[0] = 0.5
    sim.advance_to(0.05)
    assert ahead[1] == sim.q[0] != 0


def test_controls_written_at_a_tick_act_in_the_step_that_begins_there(model: ss.Model) -> None:
    def control(sim: ss.Simulator) -> None:
        sim.ctrl[0] = 2.0 if sim.time < 0.0095 else -1.0

    sim = calls_from_within(model, control, True, time_step=1e-2)
    sim.advance_to(0.02)
    # 2 N m for 10 steps, then -1 N m for 10: about an inertia of 0.1 kg m^2, the arm being balanced. Exact but for round-off.
    assert sim.joint("hinge").v[0] == pytest.approx((2.0 - 1.0) * 0.01 / 0.1, rel=1e-6)
    assert sim.ctrl[0] == -1


@pytest.mark.parametrize("name, value", [("ctrl", 3.0), ("mocap", 4.0)])
def test_inputs_written_within_a_step_count_from_the_next_and_are_never_lost(model: ss.Model, name: str, value: float) -> None:
    def write(sim: ss.Simulator) -> None:
        getattr(sim, name)[0] = value

    sim = calls_from_within(model, write, False, time_step=1e-3)
    sim.step()
    assert getattr(sim, name)[0] == value
    assert sim.joint("hinge").v[0] == 0  # of the first step
    sim.step()
    assert (sim.joint("hinge").v[0] != 0) == (name == "ctrl")


def test_a_control_that_is_no_number_at_a_tick_stops_there(model: ss.Model) -> None:
    sim = calls_from_within(model, lambda sim: sim.ctrl.fill(np.nan), True)
    with pytest.raises(ss.SimulationStopped, match="the control of actuator 'motor' is nan at t = 0 s"):
        sim.advance_to(0.1)


def test_handlers_of_signals_cannot_step_either(model: ss.Model) -> None:
    sim = ss.Simulator(model, time_step=1e-4)
    before = signal.signal(signal.SIGALRM, lambda *_: sim.step())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(RuntimeError, match=WITHIN):
            sim.advance_to(1e6)
    finally:
        signal.signal(signal.SIGALRM, before)
    sim.step()


def test_other_threads_are_refused_while_one_steps(model: ss.Model, tmp_path: Path) -> None:
    started, go_on = threading.Event(), threading.Event()

    def wait(sim: ss.Simulator) -> None:
        started.set()
        go_on.wait(20)

    sim = calls_from_within(model, wait, True)
    hand, hinge, view = sim.body("hand"), sim.joint("hinge"), sim.q
    thread = threading.Thread(target=sim.advance_to, args=(0.002,))
    thread.start()
    assert started.wait(20)
    asks: dict[str, Callable[[], object]] = {
        "report": lambda: sim.report,
        "contacts": lambda: sim.contacts,
        "copy": sim.copy,
        "state ": lambda: sim.state,
        "pose": lambda: hand.pose,
        "force": lambda: hinge.constraint_force,
        "energy": lambda: sim.potential_energy,
        "overlaps": sim.overlaps,
        "view": lambda: sim.view(browser=False),
    }
    try:
        for name, act in {**CHANGES, **{key: lambda _, ask=ask: ask() for key, ask in asks.items()}}.items():
            with pytest.raises(RuntimeError, match="while another thread uses this simulator"):
                act(sim)
                raise AssertionError(name)
        assert sim.time == 0 and view[0] == 0 and sim.q[0] == 0  # what monitors look at
        sim.ctrl[0] = 0.5  # and what joysticks write
    finally:
        go_on.set()
        thread.join()
    assert sim.time == 0.002 and sim.ctrl[0] == 0.5
    sim.step()


def test_a_write_by_another_thread_during_a_step_is_told_to_the_one_that_steps(model: ss.Model) -> None:
    views: list[np.ndarray] = []

    def wait_for_another(sim: ss.Simulator) -> None:
        thread = threading.Thread(target=lambda: views[0].fill(0.3))
        thread.start()
        thread.join()

    sim = calls_from_within(model, wait_for_another, False)
    views.append(sim.v)
    with pytest.raises(RuntimeError, match="v of the state was written during a step"):
        sim.step()
    assert not sim.v.any()


def test_two_threads_that_both_want_to_step_do_no_harm(model: ss.Model) -> None:
    """Each call is done whole or refused, and the run is the same as of one thread."""
    sim = ss.Simulator(model, time_step=1e-3)
    refused: list[str] = []
    steps: list[int] = []
    end = time.monotonic() + 1.0

    def work() -> None:
        count = 0
        step = sim.step
        while time.monotonic() < end:
            for act in (step, lambda: sim.report, lambda: sim.contacts, sim.copy, lambda: sim.state, lambda: sim.body("ball").pose):
                try:
                    act()
                    count += act is step
                except RuntimeError as error:
                    refused.append(str(error))
        steps.append(count)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("another thread uses this simulator" in reason for reason in refused)
    alone = ss.Simulator(model, time_step=1e-3)
    for _ in range(sum(steps)):
        alone.step()
    assert alone.state.hash == sim.state.hash


def test_a_recorder_closed_by_a_controller_keeps_what_there_was(model: ss.Model, tmp_path: Path) -> None:
    recorders: list[ss.Recorder] = []
    sim = calls_from_within(model, lambda sim: recorders[0].close() if sim.time > 0.005 else None, True)
    recorders.append(sim.record(tmp_path / "run.h5"))
    sim.advance_to(0.01)
    run = ss.load_recording(tmp_path / "run.h5")
    assert run.complete and 0.005 < run.t[-1] < 0.01


def test_assigning_whole_arrays_keeps_older_views(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    for name in ("q", "v", "ctrl", "mocap"):
        old = getattr(sim, name)
        setattr(sim, name, np.where(np.isnan(old), 0, old) + 0.25)
        assert np.array_equal(old, getattr(sim, name))
        old[0] = 0.75
        assert getattr(sim, name)[0] == 0.75
    saved = sim.state
    old = saved.q
    saved.q = old + 1
    old[0] = 5
    assert saved.q[0] == 5
