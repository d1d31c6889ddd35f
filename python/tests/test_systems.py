"""External systems from Python: functions, ready-made ones, ticks, errors."""

from __future__ import annotations

import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import stickslip as ss

SLIDER = """
gravity: [0, 0, 0]
bodies: [{name: mass, mass: 2, inertia: {ixx: 1, iyy: 1, izz: 1}}]
joints: [{name: slide, type: prismatic, child: mass, axis: [1, 0, 0], position: 0.4, velocity: -1.5}]
"""
ARM = """
bodies:
  - {name: upper, mass: 2, center: [0.3, 0, 0], inertia: {ixx: 0.01, iyy: 0.1, izz: 0.1}}
  - {name: fore, mass: 1, center: [0.2, 0, 0], inertia: {ixx: 0.01, iyy: 0.05, izz: 0.05}}
  - {name: ball, density: 1000, pose: {position: [5, 0, 2]}, geometry: [{sphere: {radius: 0.05}}]}
joints:
  - {name: shoulder, type: revolute, child: upper, axis: [0, 1, 0], position: 0.3}
  - {name: elbow, type: revolute, parent: upper, child: fore, axis: [0, 1, 0], pose: {position: [0.6, 0, 0]}}
"""


@pytest.fixture
def slider() -> ss.Model:
    return ss.from_string(SLIDER)


@pytest.fixture
def arm() -> ss.Model:
    return ss.from_string(ARM)


@pytest.mark.parametrize("jacobians", [None, lambda t, q, v, z: {"g_q": [[-300]], "g_v": [[-20]], "g_z": [[5000]], "h_q": [[-1]]}])
def test_a_pid_of_functions_is_implicit_euler(slider: ss.Model, jacobians: object) -> None:
    h, m, kp, ki, kd, target = 0.01, 2.0, 300.0, 5000.0, 20.0, 1.0
    sim = ss.Simulator(slider, method="lagged", time_step=h, solver_tolerance=1e-12)
    sim.add(ss.System(1, lambda t, q, v, z: target - q, lambda t, q, v, z: kp * (target - q) + ki * z - kd * v, [0.2], jacobians=jacobians))
    assert sim.z == pytest.approx([0.2])
    sim.step()
    A = [[m + h * kd, h * kp, -h * ki], [-h, 1, 0], [0, h, 1]]
    expected = np.linalg.solve(A, [m * -1.5 + h * kp * target, 0.4, 0.2 + h * target])
    assert [sim.v[0], sim.q[0], sim.z[0]] == pytest.approx(expected, rel=1e-6)  # differences; exact with Jacobians
    if jacobians:
        assert [sim.v[0], sim.q[0], sim.z[0]] == pytest.approx(expected, rel=1e-11)


def test_ready_made_pid_equals_functions(slider: ss.Model) -> None:
    ready = ss.Simulator(slider, time_step=0.01)
    ready.add(ss.systems.JointPID(slider, ["slide"], kp=300, ki=50, kd=20, target=1))
    written = ss.Simulator(slider, time_step=0.01)
    written.add(ss.System(1, lambda t, q, v, z: 1 - q, lambda t, q, v, z: 300 * (1 - q) + 50 * z - 20 * v))
    ready.advance_to(1)
    written.advance_to(1)
    assert np.r_[ready.q, ready.v, ready.z] == pytest.approx(np.r_[written.q, written.v, written.z], abs=1e-7)


@pytest.mark.parametrize("method", ["lagged", "rk4", "semi-implicit-euler"])
def test_exceptions_come_through_as_themselves(slider: ss.Model, method: str) -> None:
    class NoSignal(Exception):
        pass

    def output(t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
        if t > 0.045:
            raise NoSignal(f"at {t:.2f}")
        return np.zeros(1)

    sim = ss.Simulator(slider, method=method, time_step=0.01)
    sim.add(ss.System(output=output))
    with pytest.raises(NoSignal, match=r"at 0\.0"):
        sim.advance_to(1)
    assert sim.time < 0.06
    with pytest.raises(NoSignal):
        ss.simulate(slider, until=1, method=method, time_step=0.01, systems=[ss.System(output=output)])


def test_wrong_results_say_whose_they_are(slider: ss.Model) -> None:
    def run(**functions: object) -> None:
        sim = ss.Simulator(slider)
        sim.add(ss.System(1, functions.pop("derivative", lambda *x: [0]), functions.pop("output", None), name="mine", **functions))
        sim.step()

    with pytest.raises(ValueError, match="the output of system 'mine' has 2 numbers, expected 1"):
        run(output=lambda t, q, v, z: [0, 0])
    with pytest.raises(TypeError, match="the derivative of system 'mine' is not an array of numbers"):
        run(derivative=lambda t, q, v, z: "zero")
    with pytest.raises(ValueError, match="no Jacobian 'g_x'"):
        run(jacobians=lambda t, q, v, z: {"g_x": 0})
    with pytest.raises(ValueError, match="g_q of system 'mine' is not a 1 x 1 array"):
        run(jacobians=lambda t, q, v, z: {"g_q": [[1, 2]]})
    with pytest.raises(ss.SimulationStopped, match="the output of system 'mine'") as stopped:
        run(output=lambda t, q, v, z: [np.nan])
    assert stopped.value.status == "not-finite"
    with pytest.raises(ValueError, match="needs a derivative"):
        ss.System(1)
    with pytest.raises(ValueError, match="system 'far': degree of freedom 7 of 1"):
        ss.Simulator(slider).add(ss.System(output=lambda *x: [0], dofs=[7], name="far"))


def test_stiff_controller_implicit_and_explicit(arm: ss.Model) -> None:
    target = np.array([0.5, -0.4])

    def end(gain: float, implicit: bool) -> float:
        sim = ss.Simulator(arm, method="lagged", time_step=0.01)
        sim.add(ss.systems.InverseDynamicsControl(arm, ["shoulder", "elbow"], kp=gain, kd=gain, target=target, implicit=implicit))
        try:
            sim.advance_to(10)
        except ss.SimulationStopped:
            return np.inf
        return float(np.abs(sim.q[:2] - target).max())

    for gain in (1e2, 1e5, 1e8):
        assert end(gain, True) < 1e-3
    assert end(1e5, False) > 1


def test_effort_limits_bind(slider: ss.Model) -> None:
    sim = ss.Simulator(slider, method="lagged", time_step=0.01)
    sim.add(ss.systems.JointPD(slider, kp=1e6, kd=1e3, target=5, effort_limit=8))
    sim.step()
    assert sim.v[0] == pytest.approx(-1.5 + 0.01 * 8 / 2, abs=1e-9)


def test_targets_move_between_steps(slider: ss.Model) -> None:
    sim = ss.Simulator(slider, time_step=0.01)
    pd = ss.systems.JointPD(slider, kp=1e4, kd=1e3, target=0)
    sim.add(pd)
    sim.advance_to(2)
    assert sim.q[0] == pytest.approx(0, abs=1e-6)
    pd.target = 0.7
    assert pd.target == pytest.approx([0.7])
    sim.advance_to(4)
    assert sim.q[0] == pytest.approx(0.7, abs=1e-6)


def test_replay_follows_its_table(arm: ss.Model) -> None:
    times = np.linspace(0, 2, 41)
    table = np.c_[0.3 + 0.2 * np.sin(times), -0.3 * times]
    sim = ss.Simulator(arm, time_step=1e-3)
    sim.add(ss.systems.TrajectoryReplay(arm, times, table, kp=1e5, kd=1e3))
    sim.advance_to(1.5)
    assert sim.q[:2] == pytest.approx([0.3 + 0.2 * np.sin(1.5), -0.45], abs=2e-3)


def test_gravity_compensation_holds(arm: ss.Model) -> None:
    sim = ss.Simulator(arm, time_step=0.01)
    sim.add(ss.systems.GravityCompensation(arm))
    sim.advance_to(1)
    assert sim.q[:2] == pytest.approx([0.3, 0], abs=1e-9)


def test_suction_lifts() -> None:
    model = ss.from_string("""
bodies:
  - {name: cup, fixed: true, pose: {position: [0, 0, 0.5]}}
  - {name: box, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}, pose: {position: [0, 0, 0.39]}, geometry: [{box: {size: [0.2, 0.2, 0.2]}}]}
""")
    sim = ss.Simulator(model, time_step=1e-3)
    sim.add(ss.systems.Suction(model, "cup", "box", force=100, distance=2e-3, range=0.05))
    sim.advance_to(0.02)
    assert sim.v[2] > 0
    weak = ss.Simulator(model, time_step=1e-3)
    weak.add(ss.systems.Suction(model, "cup", "box", force=10, distance=2e-3, range=0.05))
    weak.advance_to(0.02)
    assert weak.v[2] < 0


def test_sampled_controllers_run_at_their_rate(slider: ss.Model) -> None:
    ticks: list[float] = []

    def control(t: float, q: np.ndarray, v: np.ndarray) -> list[float]:
        ticks.append(t)
        return [4.0 * len(ticks)]

    sim = ss.Simulator(slider, method="lagged", time_step=0.007)
    sim.v[:] = 0
    sim.add(ss.Sampled(100, control))
    sim.advance_to(0.035)
    assert ticks == pytest.approx([0, 0.01, 0.02, 0.03])
    assert sim.v[0] == pytest.approx(0.01 * (2 + 4 + 6) + 0.005 * 8, abs=1e-9)
    assert sim.z == pytest.approx([16])


def test_states_are_saved_with_the_rest(arm: ss.Model) -> None:
    def new() -> ss.Simulator:
        sim = ss.Simulator(arm, time_step=2e-3)
        sim.add(ss.systems.JointPID(arm, ["shoulder"], kp=50, ki=20, kd=5, target=0.1))
        sim.add(ss.System(2, lambda t, q, v, z: -z, z0=[1, 2]))
        return sim

    sim = new()
    sim.advance_to(0.1)
    saved = pickle.loads(pickle.dumps(sim.state))
    assert saved.z == pytest.approx(sim.z)
    sim.advance_to(0.3)
    other = new()
    other.state = saved
    twin = other.copy()
    other.advance_to(0.3)
    twin.advance_to(0.3)
    assert other.state.hash == sim.state.hash == twin.state.hash
    sim.reset()
    assert sim.z == pytest.approx([0, 1, 2])


def test_views_of_z_outlive_what_is_added(slider: ss.Model) -> None:
    sim = ss.Simulator(slider)
    sim.add(ss.System(1, lambda *x: [0], z0=[3]))
    old = sim.z
    sim.add(ss.System(1, lambda *x: [0], z0=[4]))
    assert old == pytest.approx([3])
    assert sim.z == pytest.approx([3, 4])
    z = sim.z
    sim.reset()
    sim.z[:] = [7, 8]
    assert z == pytest.approx([7, 8])


def test_controllers_run_in_threads(slider: ss.Model) -> None:
    ends: list[float] = []

    def work() -> None:
        sim = ss.Simulator(slider, time_step=0.01)
        sim.add(ss.System(output=lambda t, q, v, z: -100 * q - 20 * v))
        sim.advance_to(3)
        ends.append(float(sim.q[0]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 4 and len(set(ends)) == 1


def test_systems_live_as_long_as_they_are_used(slider: ss.Model) -> None:
    sim = ss.Simulator(slider, time_step=0.01)
    sim.add(ss.System(output=lambda t, q, v, z: -100 * q))
    gc.collect()
    sim.advance_to(0.1)
    assert sim.q[0] != 0.4


@pytest.mark.parametrize("sampled", [False, True])
def test_circles_of_simulator_and_controller_are_collected(slider: ss.Model, sampled: bool) -> None:
    class Robot:
        def __init__(self) -> None:
            self.sim = ss.Simulator(slider, time_step=0.01)
            self.sim.add(ss.Sampled(100, self.control) if sampled else ss.System(output=self.control))

        def control(self, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray | None = None) -> np.ndarray:
            return -100 * self.sim.q - 10 * v

    robot = Robot()
    robot.sim.advance_to(0.1)
    gone = weakref.ref(robot)
    twin = robot.sim.copy()
    gc.collect()
    assert gone() is robot
    del twin
    del robot
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("start", [0.33, 0.5621, 0.717, 0.7999])
@pytest.mark.parametrize("method", ["cenic", "cenic-paper", "cenic-trapezoid"])
def test_a_pulse_on_a_body_at_rest_is_seen(method: str, start: float) -> None:
    box = ss.from_string("gravity: [0, 0, 0]\nbodies: [{name: box, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]")
    sim = ss.Simulator(box, method=method)
    sim.add(ss.System(output=lambda t, q, v, z: [2000.0 * (start <= t < start + 0.01), 0, 0, 0, 0, 0]))
    sim.advance_to(1.5)
    # Either end may be missed by 1e-3 of the box's size, 1.2 m, in 10 ms.
    assert sim.v[0] == pytest.approx(20, abs=0.25)


def test_a_resolution_beyond_the_finest_is_refused(slider: ss.Model) -> None:
    with pytest.raises(ValueError, match="resolution is 1e-09 s, expected at least 1e-06 s"):
        ss.Simulator(slider).add(ss.System(resolution=1e-9))
    ss.Simulator(slider).add(ss.System(resolution=float("inf")))


def test_what_is_raised_between_two_looks_of_a_step_comes_out_as_itself(slider: ss.Model) -> None:
    def fails(t: float, *_: object) -> list[float]:
        if 0.7404 < t < 0.7454:
            raise RuntimeError("only now")
        return [0.0]

    sim = ss.Simulator(slider)
    sim.add(ss.System(output=fails))
    with pytest.raises(RuntimeError, match="only now"):
        sim.advance_to(2.0)
    assert sim.time < 0.7454
