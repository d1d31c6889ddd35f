"""Numbers that nothing can be computed from are refused where they come in, and the error says what to write."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss

SCENE = """
bodies:
  - {name: ball, density: 1000, pose: {position: [0, 0, 1]}, geometry: [{sphere: {radius: 0.1}}]}
  - {name: bob, density: 1000, geometry: [{sphere: {radius: 0.1}}]}
  - {name: hand, mocap: true, pose: {position: [0, 5, 0]}}
joints: [{name: socket, type: ball, child: bob, pose: {position: [3, 0, 1]}}]
"""
MJCF = """
<mujoco><worldbody>
  <body name="ball"><freejoint name="free"/><geom size="0.1"/></body>
  <body name="hand" mocap="true"/>
</worldbody><keyframe><key name="home" {}/></keyframe></mujoco>
"""
METHODS = [{}, {"time_step": 1e-3}, {"method": "rk4", "time_step": 1e-3}, {"method": "semi-implicit-euler", "time_step": 1e-3}]


@pytest.fixture
def model() -> ss.Model:
    return ss.from_string(SCENE)


def nothing(state: ss.State | ss.Simulator, name: str, part: slice) -> None:
    getattr(state, name)[part] = 0


ZEROS = {
    "ball": ("q", slice(3, 7), "the quaternion of joint 'ball' has length 0"),
    "socket": ("q", slice(7, 11), "the quaternion of joint 'socket' has length 0"),
    "all": ("q", slice(None), "the quaternion of joint 'ball' has length 0"),
    "hand": ("mocap", slice(3, 7), "the quaternion of mocap body 'hand' has length 0"),
}


@pytest.mark.parametrize("options", METHODS, ids=["cenic", "anchored", "rk4", "euler"])
@pytest.mark.parametrize("which", ZEROS)
def test_no_step_begins_at_a_quaternion_of_zero(model: ss.Model, which: str, options: dict[str, object]) -> None:
    name, part, complaint = ZEROS[which]
    sim = ss.Simulator(model, **options)
    nothing(sim, name, part)
    for advance in (sim.step, lambda: sim.advance_to(0.1)):
        with pytest.raises(ss.SimulationStopped, match=f"{complaint} at t = 0 s; write w x y z with a direction; no rotation is 1 0 0 0") as stopped:
            advance()
        assert stopped.value.status == "not-finite" and stopped.value.body == {"socket": "bob", "hand": "hand"}.get(which, "ball")
    assert sim.report.steps == 0 and np.isfinite(sim.report.energy.start)
    sim.q = model.q0
    sim.reset()
    sim.advance_to(0.01)
    assert sim.report.status == "ok"


@pytest.mark.parametrize("which", ZEROS)
def test_questions_about_a_quaternion_of_zero_are_refused(model: ss.Model, which: str) -> None:
    name, part, complaint = ZEROS[which]
    sim = ss.Simulator(model)
    nothing(sim, name, part)
    asks: list[Callable[[], object]] = [
        lambda: sim.body("ball").pose,
        lambda: sim.body("ball").velocity,
        lambda: sim.kinetic_energy,
        lambda: sim.potential_energy,
        lambda: sim.distance("ball", "bob"),
        lambda: sim.raycast([0, 0, 5], [0, 0, -1]),
        sim.overlaps,
    ]
    for ask in asks:
        with pytest.raises(ValueError, match=complaint):
            ask()
    assert "cenic" in repr(sim.report)


@pytest.mark.parametrize("which", ZEROS)
def test_no_state_with_a_quaternion_of_zero_is_taken(model: ss.Model, which: str) -> None:
    name, part, complaint = ZEROS[which]
    sim = ss.Simulator(model)
    state = sim.state
    nothing(state, name, part)
    with pytest.raises(ValueError, match=complaint):
        sim.state = pickle.loads(pickle.dumps(state))
    assert sim.q[3] == 1


def test_functions_of_q_want_rotations(model: ss.Model) -> None:
    zero, v = np.zeros(model.nq), np.zeros(model.nv)
    asks: list[Callable[[np.ndarray], object]] = [
        lambda q: model.pose(q, "ball"),
        lambda q: model.jacobian(q, "ball"),
        lambda q: model.bias_acceleration(q, v, "ball"),
        model.mass_matrix,
        model.center_of_mass,
        lambda q: model.bias_force(q, v),
        lambda q: model.inverse_dynamics(q, v),
        lambda q: model.forward_dynamics(q, v, v),
        lambda q: model.integrate(q, v),
        lambda q: model.difference(q, model.q0),
        lambda q: model.difference(model.q0, q),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match="the quaternion of joint 'ball' has length 0; write w x y z with a direction; no rotation is 1 0 0 0"):
            ask(zero)
        with pytest.raises(ValueError, match="q of joint 'ball' is nan; it must be a finite number"):
            ask(np.full(model.nq, np.nan))
        with pytest.raises(ValueError, match=r"q of joint 'ball' is -1e\+200; it must be within 1e\+12"):
            ask(np.r_[-1e200, model.q0[1:]])


def test_quaternions_of_another_length_are_the_rotation_they_point_to(model: ss.Model) -> None:
    turned = model.q0.copy()
    turned[3:7] = [1, 0, 0, 1]
    for length in (1e-11, 0.5, 3.0, 1e11):
        sim = ss.Simulator(model)
        sim.q = turned
        sim.q[3:7] *= length
        assert sim.body("ball").pose[:3, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-12)
        sim.step()
        assert np.linalg.norm(sim.q[3:7]) == pytest.approx(1, rel=1e-12)


def test_the_time_is_a_time(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    for moment in (np.nan, np.inf, -np.inf, 1e300, -5e9):
        with pytest.raises(ValueError, match="the time is .*; it must be"):
            sim.time = moment
        state = sim.state
        state.time = moment
        with pytest.raises(ValueError, match="the time is"):
            sim.state = state
    sim.time = 4e9
    assert sim.time == 4e9
    sim.time = now = time.time()
    sim.advance_to(now + 0.5)
    assert sim.time == now + 0.5
    sim.time = -5
    sim.advance_to(-4.9)


@pytest.mark.parametrize("name", ["q", "v"])
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200, -1e13])
def test_numbers_of_the_state_have_bounds(model: ss.Model, name: str, value: float) -> None:
    sim = ss.Simulator(model)
    getattr(sim, name)[1] = value
    with pytest.raises(ss.SimulationStopped, match=f"{name} of joint 'ball' is .* at t = 0 s; it must be") as stopped:
        sim.step()
    assert stopped.value.body == "ball" and sim.report.steps == 0
    with pytest.raises(ValueError, match=f"{name} of joint 'ball' is"):
        sim.state = sim.state


def test_step_sizes_of_states_are_sizes(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    numbers = list(sim.state.__getstate__())
    for size in (np.nan, np.inf, -1.0):
        numbers[6] = size
        state = ss.State.__new__(ss.State)
        state.__setstate__(tuple(numbers))
        with pytest.raises(ValueError, match="the step size of the state is"):
            sim.state = state


@pytest.mark.parametrize("speed", [1e3, 1e6, 1e9, 1e12])
def test_what_may_be_simulated_can_be_recorded_and_read(model: ss.Model, tmp_path: Path, speed: float) -> None:
    for options in ({"time_step": 1e-3}, {"method": "rk4", "time_step": 1e-3}, {"accuracy": 1e-3 * speed}):
        sim = ss.Simulator(model, **options)
        sim.v[1] = speed
        with sim.record(tmp_path / "run.h5"):
            sim.step()
        run = ss.load_recording(tmp_path / "run.h5")
        assert run.v[-1, 1] == pytest.approx(speed) and np.isfinite(run.energy.total).all()


def test_a_run_that_grows_beyond_bounds_stops_before_and_can_be_read(tmp_path: Path) -> None:
    model = ss.from_string("""
gravity: [0, 0, 0]
bodies: [{name: mass, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]
joints: [{name: slide, type: prismatic, child: mass, axis: [1, 0, 0]}]
""")
    sim = ss.Simulator(model, time_step=1e-2)
    sim.add(ss.System(output=lambda t, q, v, z: [1e3 * (1 + abs(v[0]))], implicit=False))
    with sim.record(tmp_path / "run.h5"), pytest.raises(ss.SimulationStopped, match="v of joint 'slide' is .* after a step from t = .* s; it must be within") as stopped:
        sim.advance_to(10)
    assert stopped.value.status == "not-finite" and stopped.value.body == "mass"
    run = ss.load_recording(tmp_path / "run.h5")
    assert run.complete and 1e10 < run.v[-1, 0] <= 1e12


@pytest.mark.parametrize("speed", ["1.0e200", "-1.0e13"])
def test_scenes_have_bounds(speed: str) -> None:
    scenes = {
        f"bodies: [{{name: a, density: 1, geometry: [{{sphere: {{radius: 0.1}}}}], velocity: {{linear: [{speed}, 0, 0]}}}}]": "bad-value",
        f"bodies: [{{name: a, density: 1, geometry: [{{sphere: {{radius: 0.1}}}}], pose: {{position: [{speed}, 0, 0]}}}}]": "bad-value",
        f"bodies: [{{name: a, mocap: true, pose: {{position: [{speed}, 0, 0]}}}}]": "bad-value",
        f"bodies: [{{name: a, motion: {{velocity: {speed}}}}}]": "bad-motion",
        f"bodies: [{{name: a, motion: {{amplitude: {speed}, frequency: 1}}}}]": "bad-motion",
        "bodies: [{name: a, motion: {amplitude: 0, frequency: 1.0e300}}]": "bad-motion",
        "bodies: [{name: a, motion: {amplitude: 1.0e10, frequency: 1000}}]": "bad-motion",
        f"bodies: [{{name: a, motion: {{table: [[0, 0], [1, {speed}], [2, 0]]}}}}]": "bad-motion",
        "bodies: [{name: a, motion: {table: [[0, -1.0e308], [1, 1.0e308], [2, 0]]}}]": "bad-motion",
        "bodies: [{name: a, motion: {table: [[0, 0], [1.0e-5, 1.0e9], [2, 0]]}}]": "bad-motion",
        "bodies: [{name: a, motion: {table: [[0, 0], [1.0e-300, 1.0e-290], [2, 0]]}}]": "bad-motion",
        "bodies: [{name: a, motion: {table: [[0, 0], [1.0e300, 1]]}}]": "bad-motion",
    }
    for text, code in scenes.items():
        with pytest.raises(ss.ModelError) as refused:
            ss.from_string("# a comment\n" + text)
        assert (refused.value.code, refused.value.line) == (code, 2) and refused.value.fix, text


@pytest.mark.parametrize(
    "key, code, complaint",
    [
        ('qpos="0 0 0 0 0 0 0"', "bad-quaternion", "in keyframe 'home' the quaternion of joint 'free' has length 0"),
        ('mquat="0 0 0 0"', "bad-quaternion", "in keyframe 'home' the quaternion of mocap body 'hand' has length 0"),
        ('qpos="1e200 0 0 1 0 0 0"', "bad-value", "in keyframe 'home' q of joint 'free' is 1e+200"),
        ('qvel="0 0 0 0 0 1e200"', "bad-value", "in keyframe 'home' v of joint 'free' is 1e+200"),
        ('mpos="0 1e200 0"', "bad-value", "in keyframe 'home' the pose of mocap body 'hand' is 1e+200"),
        ('time="1e200"', "bad-value", "in keyframe 'home' the time is 1e+200"),
    ],
)
def test_keyframes_have_bounds(key: str, code: str, complaint: str) -> None:
    with pytest.raises(ss.ModelError) as refused:
        ss.from_string(MJCF.format(key), format="mjcf")
    assert refused.value.code == code and complaint in str(refused.value) and refused.value.line == 5 and refused.value.fix


def test_keyframes_of_scene_files_have_bounds() -> None:
    with pytest.raises(ss.ModelError, match="in keyframe 'home' the quaternion of joint 'ball' has length 0") as refused:
        ss.from_string(SCENE + "keyframes:\n  - {name: home, q: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]}\n")
    assert (refused.value.code, refused.value.line) == ("bad-quaternion", 8)


def test_tables_of_controllers_have_bounds() -> None:
    model = ss.from_string("""
bodies: [{name: mass, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]
joints: [{name: slide, type: prismatic, child: mass, axis: [1, 0, 0]}]
""")
    for times, positions in (([0, 1], [[-1e308], [1e308]]), ([0, 1e-320], [[0], [1]]), ([0, 1e300], [[0], [1]]), ([0, 1], [[0], [np.nan]])):
        with pytest.raises(ValueError, match="of the trajectory"):
            ss.systems.TrajectoryReplay(model, times, np.array(positions, dtype=float), kp=1, kd=1)


@pytest.mark.parametrize("rate", [1e12, 1e300, 2e6, 0.0, -1.0, np.nan, np.inf])
def test_ticks_have_a_least_length(rate: float) -> None:
    with pytest.raises(ValueError, match=r"the rate of system 'mine' is .*, expected a positive number of ticks a second, at most 1e\+06"):
        ss.Sampled(rate, lambda t, q, v: [0], name="mine")


def test_the_fastest_ticks_are_all_taken(model: ss.Model) -> None:
    """Also where the clock's round-off is a part of them."""
    for start in (0.0, 1e3, 1e6):
        ticks: list[float] = []

        def control(t: float, q: np.ndarray, v: np.ndarray, ticks: list[float] = ticks) -> np.ndarray:
            ticks.append(t)
            return np.zeros(len(v))

        sim = ss.Simulator(model, time_step=1e-3)
        sim.add(ss.Sampled(1e6, control))
        sim.time = start
        sim.advance_to(start + 2e-5)
        assert len(ticks) in (20, 21), start  # the end may be one
        assert np.diff(ticks) == pytest.approx(1e-6, abs=2e-16 * max(1.0, start))


def test_slow_ticks_do_not_hold_anything_up(model: ss.Model) -> None:
    sim = ss.Simulator(model, time_step=1e-2)
    sim.add(ss.Sampled(1e-300, lambda t, q, v: np.zeros(len(v))))
    sim.advance_to(0.1)
    assert sim.report.steps == 10
