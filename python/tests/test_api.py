"""The Python interface: views, names, errors, values."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss
from stickslip import progress

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SCENE = """
gravity: [0, 0, -9.81]
bodies:
  - {name: arm, mass: 1, center: [0, 0, -0.5], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.01}}
  - {name: ball, density: 1000, pose: {position: [1, 0, 2]}, velocity: {linear: [2, 0, 0]}, geometry: [{sphere: {radius: 0.05}}]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: arm, axis: [0, 1, 0], position: 0.3, damping: 0.1}
actuators:
  - {name: motor, joint: shoulder, type: motor}
"""


@pytest.fixture
def model() -> ss.Model:
    return ss.from_string(SCENE)


def test_sizes_and_names_follow_the_file(model: ss.Model) -> None:
    assert (model.nq, model.nv, model.nu) == (8, 7, 1)
    assert model.body_names == ["world", "arm", "ball"]
    assert model.joint_names == ["shoulder", "ball"]
    assert model.joint("ball").q_start == 1 and model.joint("ball").v_start == 1
    assert model.body("ball").mass == pytest.approx(1000 * 4 / 3 * np.pi * 0.05**3)


def test_views_write_through_and_the_next_step_sees_it(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    q = sim.q
    q[0] = 1.0
    assert sim.joint("shoulder").q[0] == 1.0
    assert sim.body("arm").pose[0, 0] == pytest.approx(np.cos(1.0))
    sim.step()
    assert q[0] == sim.q[0] != 1.0  # the old view still looks at the simulator


def test_views_keep_their_owner_alive(model: ss.Model) -> None:
    q = ss.Simulator(model).q
    joint = ss.Simulator(model).joint("shoulder")
    body = ss.Simulator(model).body("ball")
    t = ss.simulate(model, until=0.01).t
    gc.collect()
    assert q[0] == 0.3 and joint.q[0] == 0.3
    assert body.position == pytest.approx([1, 0, 2])
    assert t[-1] == 0.01


def test_whole_arrays_and_joints_can_be_assigned(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    sim.v = np.arange(7.0)
    sim.joint("shoulder").q = 0.7
    sim.joint("ball").v = [1, 1, 1, 1, 1, 1]  # lists and integers will do
    assert sim.q[0] == 0.7 and list(sim.v) == [0, 1, 1, 1, 1, 1, 1]
    with pytest.raises(ValueError, match="v has 3 numbers, the model needs 7"):
        sim.v = np.zeros(3)
    with pytest.raises(TypeError):
        sim.v = "nonsense"


def test_unknown_names_suggest_the_closest(model: ss.Model) -> None:
    with pytest.raises(KeyError) as caught:
        ss.Simulator(model).joint("sholder")
    assert str(caught.value) == "there is no joint named 'sholder'; did you mean 'shoulder'?"
    with pytest.raises(KeyError, match="no body number 9"):
        model.body(9)


def test_model_errors_say_where_what_and_how_to_mend() -> None:
    with pytest.raises(ss.ModelError) as caught:
        ss.from_string("bodies:\n  - {name: rod, mass: -1}\n")
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.line == 2 and error.column > 0 and error.code and error.fix
    assert "-1" in error.text


def test_a_saved_state_continues_bit_for_bit(model: ss.Model) -> None:
    sim = ss.Simulator(model, method="rk4", time_step=1e-3)
    sim.ctrl[0] = 0.2
    sim.advance_to(0.5)
    saved = pickle.loads(pickle.dumps(sim.state))
    sim.advance_to(1.0)
    end = sim.state
    other = ss.Simulator(model, method="rk4", time_step=1e-3)
    other.state = saved
    other.advance_to(1.0)
    assert other.state == end and other.state.hash == end.hash
    assert copy.deepcopy(saved) == saved != end


def test_a_copied_simulator_is_independent(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    twin = copy.copy(sim)
    sim.advance_to(0.1)
    assert twin.time == 0
    twin.advance_to(0.1)
    assert twin.state == sim.state


def test_free_fall_of_a_free_body_is_exact(model: ss.Model) -> None:
    sim = ss.Simulator(model, method="rk4", time_step=0.01)
    sim.advance_to(0.5)
    # A parabola: the method is of higher order, so only round-off is left.
    assert sim.body("ball").position == pytest.approx([2, 0, 2 - 0.5 * 9.81 * 0.25], abs=1e-13)
    assert sim.body("ball").velocity == pytest.approx([2, 0, -9.81 * 0.5, 0, 0, 0], abs=1e-13)


def test_forward_dynamics_inverts_inverse_dynamics(model: ss.Model) -> None:
    random = np.random.default_rng(0)
    q, v, a = random.normal(size=8), random.normal(size=7), random.normal(size=7)
    tau = model.inverse_dynamics(q, v, a)
    assert model.forward_dynamics(q, v, tau) == pytest.approx(a, rel=1e-12, abs=1e-12)
    assert model.mass_matrix(q) @ a + model.bias_force(q, v) == pytest.approx(tau, rel=1e-12, abs=1e-12)


def test_sampling_does_not_change_the_run(model: ss.Model) -> None:
    every = ss.simulate(model, until=0.2)
    sampled = ss.simulate(model, until=0.2, sample_rate=30)
    assert sampled.state == every.state
    assert len(every.t) == every.report.steps + 1 and len(sampled.t) == 7
    assert sampled.q.shape == (7, 8) and sampled.v.shape == (7, 7)


def test_options_that_make_no_sense_are_refused(model: ss.Model) -> None:
    with pytest.raises(ValueError, match="did you mean 'rk4'"):
        ss.Simulator(model, method="rk5")
    with pytest.raises(ValueError, match="not both"):
        ss.Simulator(model, accuracy=1e-3, time_step=1e-3)
    with pytest.raises(ValueError, match="no error control"):
        ss.Simulator(model, method="rk4", accuracy=1e-3)
    for bad in (0, -1, float("nan"), float("inf")):
        for name in ("time_step", "accuracy", "max_step", "min_step"):
            with pytest.raises(ValueError, match=name):
                ss.Simulator(model, **{name: bad})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="longer than max_step"):
        ss.Simulator(model, min_step=0.1, max_step=0.01)
    with pytest.raises(ValueError, match="'size', 'identity' or 7 numbers"):
        ss.Simulator(model, weights="sise")
    with pytest.raises(ValueError, match="weights"):
        ss.Simulator(model, weights=[1, 2])
    with pytest.raises(ValueError, match="not negative"):
        ss.Simulator(model, weights=-np.ones(7))
    with pytest.raises(ValueError, match="'position' or 'state'"):
        ss.Simulator(model, norm="speed")
    with pytest.raises(ValueError, match="did you mean 'islands'"):
        ss.Simulator(model, solver={"island": True})
    with pytest.raises(ValueError, match="did you mean 'cubic'"):
        ss.Simulator(model, solver={"line_search": "cubi"})


def test_time_does_not_run_backward(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    sim.advance_to(0.1)
    sim.advance_to(0.1)  # being there is fine
    with pytest.raises(ValueError, match="at 0.1 s already"):
        sim.advance_to(0.05)
    with pytest.raises(ValueError):
        ss.simulate(model, until=-1)


def test_a_scene_that_asks_for_an_accuracy_nobody_keeps_is_refused() -> None:
    model = ss.from_string(SCENE + "simulation: {method: rk4, accuracy: 1.0e-3}\n")
    with pytest.raises(ValueError, match="no error control"):
        ss.Simulator(model)
    ss.Simulator(model, time_step=1e-3).step()


def test_a_simulation_that_cannot_go_on_says_why_and_keeps_the_state() -> None:
    model = ss.from_string(
        "bodies: [{name: ghost, mass: 0, inertia: {ixx: 0, iyy: 0, izz: 0}}]\n"
        "joints: [{name: hinge, type: revolute, child: ghost}]\n"
    )
    assert [w.code for w in model.warnings] == ["massless-subtree"]
    sim = ss.Simulator(model)
    with pytest.raises(ss.SimulationStopped, match="moves no inertia") as caught:
        sim.advance_to(1)
    assert caught.value.status == "singular-mass" and caught.value.body == "ghost"
    assert caught.value.state == sim.state and sim.time == 0
    assert sim.report.status == "singular-mass"


def test_ctrl_c_returns_with_the_state_intact(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.advance_to(1e9)
    timer.join()
    stopped = sim.time
    assert 0 < stopped < 1e9
    sim.advance_to(stopped + 0.01)
    assert sim.time == stopped + 0.01


SPRING = """
gravity: [0, 0, 0]
bodies: [{name: bob, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]
joints: [{name: spring, type: prismatic, child: bob, axis: [1, 0, 0], stiffness: 1.0e+12, position: 0.05}]
"""


def test_ctrl_c_says_what_held_a_run_that_stood_still() -> None:
    sim = ss.Simulator(ss.from_string(SPRING))
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt, match="held to steps of .* by joint 'spring' of body 'bob'"):
        sim.advance_to(10)
    timer.join()
    assert "joint 'spring'" in sim.report.held_by


def test_ctrl_c_while_the_bar_is_drawn_says_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python looks at signals while it draws, and raises there."""
    drawn = []

    def show(self: progress.Bar, now: float, held: str = "") -> None:
        drawn.append(now)
        if len(drawn) == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(progress.Bar, "show", show)
    for run in (lambda sim: sim.advance_to(10, progress=True), lambda sim: ss.simulate(sim.model, until=10, progress=True)):
        drawn.clear()
        sim = ss.Simulator(ss.from_string(SPRING))
        with pytest.raises(KeyboardInterrupt, match="held to steps of .* by joint 'spring' of body 'bob'"):
            run(sim)


def test_a_progress_bar_tells_once_what_holds_a_run_that_stands_still(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    bar = progress.Bar(10.0)
    for _ in range(10):
        clock[0] += 1.0
        bar.show(1e-3 * clock[0], "held to steps of 3 ns by joint 'spring'")
    assert capsys.readouterr().err.count("held to steps of 3 ns") == 1
    quick = progress.Bar(10.0)
    for _ in range(9):
        clock[0] += 1.0
        quick.show(clock[0] - 10, "held to steps of 1 ms by joint 'spring'")
    assert "held" not in capsys.readouterr().err


def test_the_gil_is_released_while_stepping(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    worker = threading.Thread(target=lambda: sim.advance_to(200))
    worker.start()
    ticks = 0
    while worker.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 3  # this thread ran while the other was inside one call


def test_what_a_method_ignores_is_said(model: ss.Model) -> None:
    assert not ss.Simulator(model, method="lagged").report.warnings
    warnings = ss.Simulator(model, method="rk4").report.warnings
    assert [w.code for w in warnings] == ["ignored-by-method"]
    assert "1 colliding geometry" in warnings[0].message


def test_a_progress_bar_reaches_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    model = ss.load(EXAMPLES / "double_pendulum.yaml")
    ss.simulate(model, until=0.5, progress=True)
    assert "0.500/0.500 s" in capsys.readouterr().err
    sim = ss.Simulator(model)
    sim.advance_to(0.25)
    sim.advance_to(1.0, progress=True)
    assert "0.750/0.750 s" in capsys.readouterr().err


def test_names_of_numbers(tmp_path: Path) -> None:
    model = ss.load(EXAMPLES / "bouncing_ball.yaml")
    assert model.q_names == [f"ball.{x}" for x in ("x", "y", "z", "qw", "qx", "qy", "qz")]
    assert model.v_names == [f"ball.{x}" for x in ("vx", "vy", "vz", "wx", "wy", "wz")]
    assert ss.load(EXAMPLES / "double_pendulum.yaml").q_names == ["shoulder.q", "elbow.q"]


def test_mcap_logs_read_back(tmp_path: Path) -> None:
    from mcap.reader import make_reader

    run = ss.simulate(ss.load(EXAMPLES / "bouncing_ball.yaml"), until=0.5, sample_rate=500)
    run.save(tmp_path / "run.mcap")
    with open(tmp_path / "run.mcap", "rb") as file:
        messages = [(channel.topic, message.log_time, json.loads(message.data)) for _, channel, message in make_reader(file).iter_messages()]
    assert {topic for topic, _, _ in messages} == {"/tf", "/state", "/energy", "/contacts", "/step"}
    states = [message for topic, _, message in messages if topic == "/state"]
    assert [state["q"]["ball.z"] for state in states] == run.q[:, 2].tolist()
    poses = [message["transforms"][0] for topic, _, message in messages if topic == "/tf"]
    assert [pose["translation"]["x"] for pose in poses] == run.q[:, 0].tolist() and poses[0]["child_frame_id"] == "ball"
    assert [time for topic, time, _ in messages if topic == "/tf"] == [round(1e9 * t) for t in run.t]
    assert sum(len(message["contacts"]) for topic, _, message in messages if topic == "/contacts") == len(run.contacts) > 0
    assert len([1 for topic, _, _ in messages if topic == "/step"]) == len(run.steps)


def test_the_step_of_a_file_counts_on_request_only() -> None:
    text = '<mujoco model="m"><option timestep="0.004"/><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
    model = ss.from_string(text, format="mjcf")
    assert "accuracy 0.001" in repr(model) and "time step of 0.004 s is not used" in repr(model)
    for sim in (ss.Simulator(model), ss.Simulator(model, method="cenic")):
        assert sim.report.accuracy == 1e-3 and sim.report.time_step is None
        assert sim.report.unused_file_time_step == 0.004
        assert "cenic, accuracy 0.001" in repr(sim) and "is not used" in repr(sim) and "is not used" in repr(sim.report)
    asked = ss.Simulator(model, time_step="file")
    assert asked.method == "anchored" and asked.time_step == 0.004 and asked.report.time_step == 0.004
    assert "anchored, time step 0.004 s" in repr(asked) and "is not used" not in repr(asked)
    assert ss.simulate(model, until=0.02, method="cenic", time_step="file").report.steps == 5
    with pytest.raises(ValueError, match="expected a number of seconds or 'file'"):
        ss.Simulator(model, time_step="fil")
    with pytest.raises(ValueError, match="not both"):
        ss.Simulator(model, accuracy=1e-3, time_step="file")
    with pytest.raises(ValueError, match="names no time step"):
        ss.Simulator(ss.from_string(text.replace('timestep="0.004"', ""), format="mjcf"), time_step="file")
