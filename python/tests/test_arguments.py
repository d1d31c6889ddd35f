"""Wrong arguments get one sentence that says what is wrong with which."""

from __future__ import annotations

import datetime
import inspect
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

import stickslip as ss
from stickslip import _stickslip

SCENE = "bodies: [{name: ball, density: 1000, geometry: [{sphere: {radius: 0.1}}]}]"
SEVEN = [0, 0, 1, 1, 0, 0, 0]


@pytest.fixture
def model() -> ss.Model:
    return ss.from_string(SCENE)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(TypeError) as refused:
        act()
    message = str(refused.value)
    assert "\n" not in message and len(message) < 250, message
    return message


@pytest.mark.parametrize(
    "act, message",
    [
        (lambda m: ss.Simulator(m, acuracy=1e-3), "Simulator() has no argument 'acuracy'; did you mean 'accuracy'?"),
        (lambda m: ss.Simulator(m, timestep=1e-3), "Simulator() has no argument 'timestep'; did you mean 'time_step'?"),
        (lambda m: ss.Simulator(m).advance_to(1, progres=True), "Simulator.advance_to() has no argument 'progres'; did you mean 'progress'?"),
        (lambda m: ss.Simulator(m).record("run.h5", rat=3), "Simulator.record() has no argument 'rat'; did you mean 'rate'?"),
        (lambda m: ss.Simulator(m).add(sistem=3), "Simulator.add() has no argument 'sistem'; did you mean 'system'?"),
        (lambda m: ss.Simulator(m).step(size=3), "Simulator.step() has no argument 'size'; it takes none"),
        (lambda m: ss.Simulator(m).raycast([0, 0, 0], [0, 0, 1], max_dist=3), "Simulator.raycast() has no argument 'max_dist'; did you mean 'max_distance'?"),
        (lambda m: ss.simulate(m, untill=1), "simulate() has no argument 'untill'; did you mean 'until'?"),
        (lambda m: ss.load("scene.yaml", bas="fixed"), "load() has no argument 'bas'; did you mean 'base'?"),
        (lambda m: ss.from_string(SCENE, fromat="yaml"), "from_string() has no argument 'fromat'; did you mean 'format'?"),
        (lambda m: ss.load_recording(file="run.h5"), "load_recording() has no argument 'file'; it takes path"),
        (lambda m: ss.Sampled(10, fonction=abs), "Sampled() has no argument 'fonction'; did you mean 'function'?"),
        (lambda m: ss.System(ouput=abs), "System() has no argument 'ouput'; did you mean 'output'?"),
        (lambda m: ss.systems.JointPD(m, kpp=1, kd=1), "JointPD() has no argument 'kpp'; did you mean 'kp'?"),
        (lambda m: ss.systems.Suction(m, "a", "b", forse=1), "Suction() has no argument 'forse'; did you mean 'force'?"),
        (lambda m: m.pose(SEVEN, nam="ball"), "Model.pose() has no argument 'nam'; did you mean 'name'?"),
        (lambda m: m.pose(SEVEN, "ball", tim=1), "Model.pose() has no argument 'tim'; did you mean 'time'?"),
        (lambda m: ss.State(q=1), "State() has no argument 'q'; it takes none"),
        (lambda m: ss.systems.JointPD(m, kp=1), "JointPD() needs 'kd'"),
        (lambda m: ss.Simulator(), "Simulator() needs 'model'"),
        (lambda m: ss.Simulator(m, 1e-3), "Simulator() takes 1 arguments by place, given 2; by name: method, accuracy, time_step, max_step, min_step, weights, norm, extrapolate, ..."),
        (lambda m: ss.Simulator(m, model=m), "Simulator() is given 'model' twice"),
        (lambda m: ss.Simulator("scene.yaml"), "Simulator(): model must be Model, given str"),
        (lambda m: ss.Simulator(m, accuracy="high"), "Simulator(): accuracy must be float | None, given str"),
        (lambda m: ss.Simulator(m).advance_to("1"), "Simulator.advance_to(): time must be float, given str"),
        (lambda m: ss.Simulator(m).advance_to(None), "Simulator.advance_to(): time must be float, given NoneType"),
        (lambda m: setattr(ss.Simulator(m), "time", "1"), "Simulator.time must be float, given str"),
        (lambda m: setattr(ss.Simulator(m), "state", 3), "Simulator.state must be State, given int"),
        (lambda m: ss.load(3), "load(): file must be str | os.PathLike, given int"),
        (lambda m: ss.Sampled(10, None), "Sampled(): function must be Callable, given NoneType"),
    ],
)  # fmt: skip
def test_calls_that_fit_no_argument_list_get_a_sentence(model: ss.Model, act: Callable[[ss.Model], object], message: str) -> None:
    assert refusal(lambda: act(model)) == message


@pytest.mark.parametrize(
    "act, message",
    [
        (lambda run: run.plot(pannels="q"), "Trajectory.plot() has no argument 'pannels'; did you mean 'panels'?"),
        (lambda run: run.save(pth="run.h5"), "Trajectory.save() has no argument 'pth'; did you mean 'path'?"),
        (lambda run: run.to_pandas(tables="q"), "Trajectory.to_pandas() has no argument 'tables'; did you mean 'table'?"),
        (lambda run: run.play(prt=3), "Trajectory.play() has no argument 'prt'; did you mean 'port'?"),
        (lambda run: run.video("run.mp4", sped=3), "Trajectory.video() has no argument 'sped'; did you mean 'speed'?"),
        (lambda run: ss.Simulator(run.model).view(life=True), "Simulator.view() has no argument 'life'; did you mean 'live'?"),
        (lambda run: ss.Scene().compile(package_pth=[]), "Scene.compile() has no argument 'package_pth'; did you mean 'package_path'?"),
        (lambda run: ss.decompose("a.obj", treshold=1), "decompose() has no argument 'treshold'; did you mean 'threshold'?"),
    ],
)  # fmt: skip
def test_functions_of_python_do_so_too(model: ss.Model, act: Callable[[ss.Trajectory], object], message: str) -> None:
    run = ss.simulate(model, until=0.001)
    assert refusal(lambda: act(run)) == message


def bound_functions() -> list[tuple[str, Callable[..., object]]]:
    out: list[tuple[str, Callable[..., object]]] = []
    for name, value in vars(_stickslip).items():
        if inspect.isclass(value):
            out.append((name, value))
            out += [(f"{name}.{word}", getattr(value, word)) for word in vars(value) if not word.startswith("__") and callable(getattr(value, word))]
        elif callable(value):
            out.append((name, value))
    return out


def test_every_function_and_class_refuses_unknown_names_in_a_sentence() -> None:
    functions = bound_functions()
    assert len(functions) > 60
    for name, function in functions:
        with pytest.raises(TypeError) as refused:
            function(no_such_argument=1)
        assert "\n" not in str(refused.value) and "incompatible" not in str(refused.value), (name, str(refused.value))


def test_type_errors_of_a_controller_come_through_as_they_are(model: ss.Model) -> None:
    def control(t: float, q: np.ndarray, v: np.ndarray) -> list[float]:
        raise TypeError("f(): incompatible function arguments, says the controller")

    sim = ss.Simulator(model)
    sim.add(ss.Sampled(10, control))
    with pytest.raises(TypeError, match="says the controller"):
        sim.step()


@pytest.mark.parametrize(
    "given, complaint",
    [
        (list("0011000"), "q must be real numbers, given text"),
        ("0 0 1 1 0 0 0", "q must be real numbers, given text"),
        (b"0011000", "q must be real numbers, given bytes"),
        (np.array(SEVEN, dtype=complex), "q must be real numbers, given complex numbers"),
        ([1j, *SEVEN[1:]], "q must be real numbers, given complex numbers"),
        (np.array(["2026-01-01"] * 7, dtype="datetime64[D]"), "q must be real numbers, given dates"),
        (np.zeros(7, dtype="timedelta64[s]"), "q must be real numbers, given times"),
        ([datetime.date(2026, 1, 1)] * 7, "q must be numbers, given list with date"),
        ([1, "2", None, 4, 5, 6, 7.0], "q must be "),
        ([None] * 7, "q must be numbers, given list with NoneType"),
        (None, "q must be numbers, given NoneType"),
        ({}, "q must be numbers, given dict"),
        ({1, 2}, "q must be numbers, given set"),
        (iter(SEVEN), "q must be numbers, given list_iterator"),
        (np.zeros((7, 1)), "q must be one row of numbers, given an array of shape (7, 1)"),
        ([[0], [1, 2]], "q must be numbers, given list"),
        (np.zeros(1, dtype=[("x", "f8")]), "q must be real numbers, given records"),
    ],
)  # fmt: skip
def test_only_numbers_are_numbers(model: ss.Model, given: object, complaint: str) -> None:
    sim = ss.Simulator(model)
    acts: list[Callable[[], object]] = [
        lambda: setattr(sim, "q", given),
        lambda: setattr(sim.joint("ball"), "q", given),
        lambda: setattr(sim.state, "q", given),
        lambda: model.pose(given, "ball"),
    ]
    for act in acts:
        assert complaint in refusal(act)


def test_what_is_numbers_is_taken(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    for given in (SEVEN, tuple(SEVEN), np.array(SEVEN, dtype=np.int8), np.array(SEVEN, dtype=np.float32), np.array(SEVEN) > 0,
                  [Fraction(x) for x in SEVEN], [np.float64(x) for x in SEVEN], np.array([SEVEN, SEVEN]).T[:, 0],
                  np.array(SEVEN, dtype=float)[::-1][::-1], range(7)):  # fmt: skip
        sim.q = given
        assert np.array_equal(sim.q, np.array(list(given), dtype=float))


def test_arguments_that_take_numbers_name_themselves(model: ss.Model) -> None:
    arm = ss.from_string("bodies: [{name: a, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]\njoints: [{name: j, type: revolute, child: a}]")
    pd = ss.systems.JointPD(arm, kp=1, kd=1)
    sim = ss.Simulator(model)
    for act, name in (
        (lambda: ss.systems.JointPD(arm, kp="1", kd=1), "kp"),
        (lambda: ss.systems.JointPD(arm, kp=1, kd=1, target="1"), "target"),
        (lambda: ss.systems.JointPID(arm, kp=1, ki="1", kd=1), "ki"),
        (lambda: setattr(pd, "target", "1"), "target"),
        (lambda: ss.System(effort_limit="1"), "effort_limit"),
        (lambda: ss.System(1, abs, z0="1"), "z0"),
        (lambda: sim.raycast("abc", [0, 0, 1]), "origin"),
        (lambda: ss.Simulator(arm, weights=[1j]), "weights"),
    ):
        assert refusal(act).startswith(f"{name} must be real numbers"), name


def test_states_are_compared_with_anything(model: ss.Model) -> None:
    state = ss.Simulator(model).state
    assert state == state.copy() and not state != state.copy()
    for other in (3, None, "state", [], object()):
        assert not state == other and not other == state
        assert state != other and other != state
    assert state in [3, state] and state not in [3, None]
