"""Error control against known answers: what an accuracy delivers, and what it never does, whatever the accuracy."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, radians, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import stickslip as ss

Array = NDArray[np.float64]

ROOT = Path(__file__).resolve().parent.parent
GRAVITY = 9.81
FLOOR = "{name: floor, fixed: true, geometry: [{half_space: {}, material: rigid}]}"


def run(model: ss.Model, until: float, accuracy: float, method: str = "cenic", weights: str | None = None, threads: int = 1, friction: str = "") -> ss.Simulator:
    sim = ss.Simulator(model, method=method, accuracy=accuracy, weights=weights, threads=threads, friction=friction)
    sim.advance_to(until)
    return sim


# ------------------------------------------------------------------------------------------------------------ free flight
SPIN = """
bodies:
  - {name: box, mass: 1, velocity: {linear: [1, 2, 10], angular: [0.05, 5, 0.05]}, geometry: [{box: {size: [1.0, 0.6, 0.3]}}]}
"""


@pytest.mark.parametrize("accuracy", [1e-1, 1e-3])
def test_spinning_box_keeps_energy_momentum_and_its_parabola(accuracy: float) -> None:
    model = ss.from_string(SPIN, format="yaml")
    inertia = np.diag(model.body("box").inertia)
    start = inertia * [0.05, 5, 0.05]
    sim = run(model, 10.0, accuracy)
    spin = np.array(sim.v[3:])  # body axes
    assert np.linalg.norm(sim.q[:3] - [10, 20, 100 - GRAVITY * 50]) < 1e-3
    assert np.linalg.norm(inertia * spin) == pytest.approx(np.linalg.norm(start), rel=1e-3)
    assert spin @ (inertia * spin) == pytest.approx(start @ [0.05, 5, 0.05], rel=1e-3)
    rotation = sim.body("box").pose[:3, :3]
    assert rotation @ (inertia * spin) == pytest.approx(start, abs=1e-3 * float(np.linalg.norm(start)))


# ---------------------------------------------------------------------------------------------------------------- bounce
BOUNCE = f"""
materials: {{soft: {{stiffness: 1.0e+3, dissipation: 0, friction: 0.5}}, rigid: {{stiffness: .inf, friction: 0.5}}}}
bodies:
  - {{name: ball, mass: 0.1, pose: {{position: [0, 0, 1.05]}}, geometry: [{{sphere: {{radius: 0.05}}, material: soft}}]}}
  - {FLOOR}
"""


@pytest.mark.parametrize(("accuracy", "least", "most"), [(1e-4, 0.94, 1.01), (1e-5, 0.995, 1.005)])
def test_bounce_without_dissipation_keeps_its_energy(accuracy: float, least: float, most: float) -> None:
    sim = run(ss.from_string(BOUNCE, format="yaml"), 10.0, accuracy)
    kept = (sim.kinetic_energy + sim.potential_energy - 0.1 * GRAVITY * 0.05) / (0.1 * GRAVITY * 1.0)
    assert least < kept < most


# ------------------------------------------------------------------------------------------------------------------ roll
ROLL = f"""
materials: {{steel: {{stiffness: 1.0e+7, dissipation: 500, friction: 0.5}}, rigid: {{stiffness: .inf, friction: 0.5}}}}
bodies:
  - {{name: ball, mass: 0.5, pose: {{position: [0, 0, 0.075]}}, velocity: {{linear: [2, 0, 0]}}, geometry: [{{sphere: {{radius: 0.025}}, material: steel}}]}}
  - {FLOOR}
"""


def test_ball_that_lands_and_rolls_is_as_exact_as_asked_for() -> None:
    model = ss.from_string(ROLL, format="yaml")
    reference = run(model, 2.0, 1e-8, weights="identity")
    assert reference.v[0] == pytest.approx(5 / 7 * 2, rel=1e-3)  # but for the overlap, friction leaves the spin about the floor alone
    errors = []
    for accuracy in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
        sim = run(model, 2.0, accuracy, weights="identity")
        error = max(abs(sim.q[0] - reference.q[0]), abs(sim.v[0] - reference.v[0]))
        assert error < 10 * accuracy
        errors.append(error)
    for looser, tighter in zip(errors, errors[1:], strict=False):
        assert tighter < 2 * looser or tighter < 1e-5


# ----------------------------------------------------------------------------------------------------------------- slope
ANGLE = radians(20)


def slope(friction: float, depth: float) -> ss.Model:
    """A cube of 10 cm on four feet, seen from the slope's own axes."""
    feet = [
        f"{{sphere: {{radius: 0.005}}, pose: {{position: [{x}, {y}, -0.045]}}, material: foot}}" for x in (-0.045, 0.045) for y in (-0.045, 0.045)
    ]
    moment = 0.1**2 / 6
    return ss.from_string(
        f"""
gravity: [{GRAVITY * sin(ANGLE)}, 0, {-GRAVITY * cos(ANGLE)}]
materials: {{foot: {{stiffness: 1.0e+5, dissipation: 10, friction: {friction}}}, rigid: {{stiffness: .inf, friction: {friction}}}}}
bodies:
  - name: box
    mass: 1
    center: [0, 0, 0]
    inertia: {{ixx: {moment}, iyy: {moment}, izz: {moment}}}
    pose: {{position: [0, 0, {0.05 - depth}]}}
    geometry: [{", ".join(feet)}]
  - {FLOOR}
""",
        format="yaml",
    )


REST_DEPTH = GRAVITY * cos(ANGLE) / 4e5


def slide(friction: float, until: float) -> float:
    """How far the box gets from rest, by the equations of a box that slides, bounces and pitches on two pairs of feet."""
    from scipy.integrate import solve_ivp

    def rate(_: float, y: Array) -> list[float]:
        _, z, pitch, vx, vz, w = y
        force_x, force_z, torque = GRAVITY * sin(ANGLE), -GRAVITY * cos(ANGLE), 0.0
        for foot in (-0.045, 0.045):
            arm_x = cos(pitch) * foot - sin(pitch) * 0.045
            arm_z = -sin(pitch) * foot - cos(pitch) * 0.045 - 0.005
            slip, rise, depth = vx + w * arm_z, vz - w * arm_x, -(z + arm_z)
            normal = 2e5 * max(0.0, depth) * max(0.0, 1 - 10 * rise)
            tangential = -friction * normal * slip / sqrt(slip**2 + 1e-8)
            force_x, force_z, torque = force_x + tangential, force_z + normal, torque + arm_z * tangential - arm_x * normal
        return [vx, vz, w, force_x, force_z, torque / (0.1**2 / 6)]

    done = solve_ivp(rate, (0, until), [0, 0.05 - REST_DEPTH, 0, 0, 0, 0], method="Radau", rtol=1e-7, atol=1e-10)
    return float(done.y[0, -1])


def test_box_slides_down_a_slope_as_far_as_friction_lets_it() -> None:
    model = slope(0.36, REST_DEPTH)
    coulomb = 0.5 * GRAVITY * (sin(ANGLE) - 0.36 * cos(ANGLE)) * 10**2  # 1.83 m
    regularised = slide(0.36, 10.0)  # which is weaker while the box is slow: 1.87 m
    assert coulomb < regularised < 1.03 * coulomb
    for accuracy, tolerance in ((1e-1, 0.02), (1e-3, 0.02), (1e-4, 0.005), (1e-5, 0.001)):
        assert run(model, 10.0, accuracy, friction="regularized").q[0] == pytest.approx(regularised, rel=tolerance)


@pytest.mark.parametrize("accuracy", [1e-1, 1e-2, 1e-3, 1e-4, 1e-5])
def test_box_on_a_slope_creeps_only_as_regularised_friction_does(accuracy: float) -> None:
    load = np.tan(ANGLE) / 0.5
    creep = 1e-4 * load / sqrt(1 - load**2) * 10  # at rest: vs r/sqrt(1 - r^2), 106 um/s
    sim = run(slope(0.5, REST_DEPTH), 10.0, accuracy, friction="regularized")
    assert sim.q[0] == pytest.approx(creep, rel=0.05)


# ---------------------------------------------------------------------------------------------------------- smooth motion
PENDULUM = """
bodies:
  - {name: upper, mass: 1, center: [0, 0, -0.5], inertia: {ixx: 0.0833, iyy: 0.0833, izz: 0.001}}
  - {name: lower, mass: 1, center: [0, 0, -0.5], inertia: {ixx: 0.0833, iyy: 0.0833, izz: 0.001}}
joints:
  - {name: shoulder, type: revolute, child: upper, axis: [0, 1, 0], position: 0.1}
  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {position: [0, 0, -1]}, position: -0.05}
"""


def arm() -> str:
    """Seven links of 0.2 m that turn about x, y and z in turn."""
    axes = ("[0, 0, 1]", "[0, 1, 0]", "[0, 0, 1]", "[0, 1, 0]", "[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]")
    lines = ["bodies:"]
    lines += [f"  - {{name: link{i}, mass: {3 - 0.35 * i}, center: [0.01, 0, 0.1], inertia: {{ixx: 0.02, iyy: 0.02, izz: 0.01}}}}" for i in range(7)]
    lines += ["joints:"]
    for i, axis in enumerate(axes):
        parent = f"parent: link{i - 1}, pose: {{position: [0, 0, 0.2]}}, " if i else ""
        lines.append(f"  - {{name: joint{i}, type: revolute, {parent}child: link{i}, axis: {axis}, position: {0.3 * (-1) ** i}}}")
    lines += ["actuators:"]
    lines += [f"  - {{name: servo{i}, joint: joint{i}, type: position, kp: 100, kd: 10, control: {0.5 - 0.15 * i}}}" for i in range(7)]
    return "\n".join(lines)


def solution(model: ss.Model, until: float, torque: Callable[[Array, Array], Array]) -> Array:
    from scipy.integrate import solve_ivp

    def rate(_: float, y: Array) -> Array:
        q, v = y[: model.nv], y[model.nv :]
        return np.concatenate([v, model.forward_dynamics(q, v, torque(q, v))])

    done = solve_ivp(rate, (0, until), np.concatenate([model.q0, model.v0]), method="DOP853", rtol=1e-13, atol=1e-13)
    return np.array(done.y[: model.nv, -1])


@pytest.mark.parametrize("accuracy", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8])
def test_double_pendulum_is_as_exact_as_asked_for(accuracy: float) -> None:
    model = ss.from_string(PENDULUM, format="yaml")
    exact = solution(model, 2.0, lambda q, v: np.zeros(2))
    sim = run(model, 2.0, accuracy, weights="identity")
    assert np.max(np.abs(sim.q - exact)) < 10 * accuracy


@pytest.mark.parametrize("accuracy", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8])
def test_arm_under_servos_is_as_exact_as_asked_for(accuracy: float) -> None:
    model = ss.from_string(arm(), format="yaml")
    target = np.array([0.5 - 0.15 * i for i in range(7)])
    exact = solution(model, 2.0, lambda q, v: 100 * (target - q) - 10 * v)
    sim = run(model, 2.0, accuracy, weights="identity")
    assert np.max(np.abs(sim.q - exact)) < 10 * accuracy


# ---------------------------------------------------------------------------------------------------------------- tumble
# Turned by 0.4 rad about y, then by 0.3 rad about x, both axes of the world; velocities in world axes, too.
TUMBLE = f"""
materials: {{hard: {{stiffness: 1.0e+5, dissipation: 10, friction: 0.5}}, rigid: {{stiffness: .inf, friction: 0.5}}}}
bodies:
  - name: box
    mass: 1
    pose: {{position: [0, 0, 0.3], quaternion: [{cos(0.15) * cos(0.2)}, {sin(0.15) * cos(0.2)}, {cos(0.15) * sin(0.2)}, {sin(0.15) * sin(0.2)}]}}
    velocity: {{linear: [1.5, 0.2, 0], angular: [0.5, 3, 0.2]}}
    geometry: [{{box: {{size: [0.1, 0.1, 0.1]}}, material: hard}}]
  - {FLOOR}
"""


@pytest.mark.parametrize("friction", ["regularized", "anchored"])
def test_tumbling_box_converges(friction: str) -> None:
    """Three impacts on corners and edges, each of which multiplies what went wrong before."""
    model = ss.from_string(TUMBLE, format="yaml")
    reference = run(model, 0.6, 1e-7, friction=friction)
    errors = []
    for accuracy in (1e-2, 1e-3, 1e-4, 1e-5):
        sim = run(model, 0.6, accuracy, friction=friction)
        error = float(np.max(np.abs(model.difference(np.array(sim.q), np.array(reference.q)))))
        assert error < 30 * accuracy
        errors.append(error)
    # anchored friction errs by 5e-3 already at 1e-2, so that a hundredth of it is less than 30 accuracies at 1e-5
    assert errors[-1] < (1e-2 * errors[0] if friction == "regularized" else 3e-4)


# At the end of the first impact the load goes to nothing while the contact still holds: its spring is strained beyond what its cone would hold, and gives up the
# excess as the load falls. Errors of smooth motion fall to a quarter here too. (The excess was given up after each step, by the load before it, in long steps as in
# short ones: errors halved, and no estimate saw them.)
def test_friction_that_loses_its_load_is_of_second_order() -> None:
    model = ss.from_string(TUMBLE, format="yaml")
    sim = run(model, 0.2165, 1e-9)
    start, end = sim.state, 0.21676
    sim.advance_to(end)
    assert [int(contact["mode"]) for contact in sim.contacts if contact["depth"] > 0] == [1]
    exact = np.array(sim.v)
    errors = []
    for steps in (16, 32, 64, 128):
        fixed = ss.Simulator(model, method="cenic", time_step=(end - start.time) / steps, solver_tolerance=1e-9)
        fixed.state = start
        fixed.advance_to(end)
        errors.append(float(np.max(np.abs(np.array(fixed.v) - exact))))
    for coarse, fine in zip(errors, errors[1:], strict=False):
        assert coarse / fine > 2.8, errors  # the kink where the excess begins lies anywhere in a step


# ---------------------------------------------------------------------------------------------------------------- forces
@pytest.mark.parametrize("accuracy", [1e-2, 1e-3, 1e-4, 1e-5])
def test_friction_lifts_a_carton_with_mass_times_acceleration(accuracy: float) -> None:
    """The hand rises by 0.3 (3 x^2 - 2 x^3) m with x = t - 0.5 s: its mean acceleration over a step is that of the step's middle."""
    sim = ss.Simulator(ss.load(ROOT / "examples" / "gripper.yaml"), accuracy=accuracy)
    sim.advance_to(0.6)  # past the swing that the jump of the acceleration leaves
    errors = []
    while sim.time < 1.4:
        began = sim.time
        sim.step()
        wanted = 0.35 * (GRAVITY + 0.3 * (6 - 12 * (0.5 * (began + sim.time) - 0.5)))
        lifting = -sum(float(sim.body(finger).contact_force[2]) for finger in ("left", "right"))
        errors.append(lifting / wanted - 1)
    assert np.max(np.abs(errors)) < 1e-2  # where the step's size changes, the springs of friction swing
    assert abs(np.mean(errors)) < 1e-3


# ----------------------------------------------------------------------------------------------------------------- walls
RADIUS = 0.005


def shot(speed: float, side: float, target: str) -> ss.Model:
    """A ball of 1 cm flies at a wall 1 mm thick and 20 cm wide, `side` off its middle. At 100 m/s it dents by 0.7 mm."""
    wall = {
        "box": "box: {size: [0.001, 0.2, 0.2]}",
        "cylinder": "cylinder: {radius: 0.1, length: 0.001}, pose: {rpy: [0, 1.5707963267948966, 0]}",
    }[target]
    return ss.from_string(
        f"""
gravity: [0, 0, 0]
materials: {{steel: {{stiffness: 1.0e+7, dissipation: 0, friction: 0.3}}, rigid: {{stiffness: .inf, friction: 0.3}}}}
bodies:
  - name: ball
    density: 1000
    pose: {{position: [-0.3, {side}, 0]}}
    velocity: {{linear: [{speed}, 0, 0]}}
    geometry: [{{sphere: {{radius: {RADIUS}}}, material: steel}}]
  - {{name: wall, fixed: true, geometry: [{{{wall}, material: rigid}}]}}
""",
        format="yaml",
    )


@pytest.mark.parametrize("accuracy", [1e-1, 1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("speed", [1.0, 10.0, 100.0])
@pytest.mark.parametrize("target", ["box", "cylinder"])
def test_ball_never_passes_a_thin_wall(target: str, speed: float, accuracy: float) -> None:
    sim = run(shot(speed, 0.03, target), 1.0, accuracy)
    assert sim.q[0] < -RADIUS and sim.v[0] < 0


@pytest.mark.parametrize("accuracy", [1e-1, 1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("speed", [1.0, 10.0, 100.0])
@pytest.mark.parametrize("target", ["box", "cylinder"])
def test_ball_that_misses_a_wall_by_a_millimetre_flies_on(target: str, speed: float, accuracy: float) -> None:
    sim = run(shot(speed, 0.1 + RADIUS + 0.001, target), 1.0, accuracy)
    assert sim.v[:3] == pytest.approx([speed, 0, 0], abs=1e-9 * speed)
    assert sim.q[0] == pytest.approx(-0.3 + speed, rel=1e-9)


# ------------------------------------------------------------------------------------------------------------ determinism
CLUTTER = ROOT / "cases" / "C5_hard_clutter" / "scene.yaml"


@pytest.mark.parametrize("method", ["cenic", "cenic-paper"])
def test_runs_are_the_same_bit_for_bit(method: str) -> None:
    model = ss.load(CLUTTER)
    once = run(model, 0.5, 1e-2, method)
    assert run(model, 0.5, 1e-2, method).state == once.state
    assert run(model, 0.5, 1e-2, method, threads=2).state == once.state


def test_restored_runs_go_on_the_same_bit_for_bit() -> None:
    model = ss.load(CLUTTER)
    sim = ss.Simulator(model, method="cenic", accuracy=1e-2)
    for _ in range(40):
        sim.step()
    saved = sim.state
    sim.advance_to(0.5)
    end = sim.state
    sim.state = saved
    sim.advance_to(0.5)
    assert sim.state == end
    fresh = ss.Simulator(model, method="cenic", accuracy=1e-2)
    fresh.state = saved
    fresh.advance_to(0.5)
    assert fresh.state == end


@pytest.mark.parametrize("sample_rate", [None, 7.0, 30.0, 1000.0])
def test_recording_changes_nothing(sample_rate: float | None) -> None:
    model = ss.load(CLUTTER)
    recorded = ss.simulate(model, until=0.5, method="cenic", accuracy=1e-2, sample_rate=sample_rate)
    assert recorded.state == run(model, 0.5, 1e-2).state
    if sample_rate is not None:
        assert np.allclose(np.diff(recorded.t)[:-1], 1 / sample_rate)


# ----------------------------------------------------------------------------------------------------------------- pieces
@pytest.mark.parametrize("piece", [1 / 60, 0.0123, pi / 1000])
def test_pieces_give_nearly_the_same_answer_and_leave_no_slivers(piece: float) -> None:
    model = ss.from_string(ROLL, format="yaml")
    whole = run(model, 1.0, 1e-4, weights="identity")
    pieces = ss.Simulator(model, method="cenic", accuracy=1e-4, weights="identity")
    for time in np.arange(piece, 1.0, piece):
        pieces.advance_to(float(time))
    pieces.advance_to(1.0)
    assert pieces.q[0] == pytest.approx(whole.q[0], abs=1e-3)
    assert pieces.report.h_min > 0.3 * min(whole.report.h_min, 1.0 % piece)  # the last piece is shorter
    assert pieces.report.steps < whole.report.steps + 3 * 1.0 / piece


# -------------------------------------------------------------------------------------------------------------- bad input
def test_state_that_is_no_number_stops_the_run_and_names_the_body() -> None:
    sim = ss.Simulator(ss.from_string(ROLL, format="yaml"), method="cenic", accuracy=1e-3)
    sim.advance_to(0.25)
    sim.v[0] = np.nan
    with pytest.raises(ss.SimulationStopped, match="'ball'") as stopped:
        sim.advance_to(1.0)
    assert (stopped.value.status, stopped.value.body, stopped.value.time) == ("not-finite", "ball", 0.25)


def test_control_that_is_no_number_stops_the_run_and_names_the_body() -> None:
    sim = ss.Simulator(ss.from_string(arm(), format="yaml"), method="cenic", accuracy=1e-3)
    sim.advance_to(0.25)
    sim.ctrl[3] = np.nan
    with pytest.raises(ss.SimulationStopped, match="the control of actuator 'servo3' is nan") as stopped:
        sim.advance_to(1.0)
    assert (stopped.value.status, stopped.value.body, stopped.value.time) == ("not-finite", "link3", 0.25)
