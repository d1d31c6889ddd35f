"""Known answers of contact and constraints under the convex methods."""

from __future__ import annotations

import numpy as np
import pytest
import stickslip as ss

CONVEX = ["lagged", "lagged-regularized", "similar", "sap"]
G = 9.81


def inertia(ixx: float, iyy: float, izz: float) -> str:
    return f"inertia: {{ixx: {ixx}, iyy: {iyy}, izz: {izz}}}"


def material(stiffness: float, friction: float, dissipation: float = 10) -> str:
    """Of both sides: the pair has half the stiffness."""
    return f"materials: {{m: {{stiffness: {2 * stiffness}, dissipation: {dissipation}, friction: {{static: {friction}, dynamic: {friction}}}}}}}"


FLOOR = "  - {name: floor, fixed: true, geometry: [{half_space: {}, material: m}]}"


def cube(name: str, height: float, mass: float = 1.0) -> str:
    moment = mass * 0.01 / 6
    pose = f"pose: {{position: [0, 0, {height}]}}"
    return f"  - {{name: {name}, mass: {mass}, {inertia(moment, moment, moment)}, {pose}, geometry: [{{box: {{size: [0.1, 0.1, 0.1]}}, material: m}}]}}"


def yaml(*lines: str) -> ss.Model:
    return ss.from_string("\n".join(lines), format="yaml")


def incline(angle: float, friction: float) -> ss.Model:
    """A cube on a slope: gravity is tilted, not the floor."""
    gravity = f"gravity: [{G * np.sin(angle)}, 0, {-G * np.cos(angle)}]"
    return yaml(gravity, material(1e6, friction), "bodies:", cube("box", 0.05), FLOOR)


@pytest.mark.parametrize("method", ["lagged", "lagged-regularized", "similar"])
def test_a_box_below_the_friction_angle_creeps_as_regularised_friction_does(method: str) -> None:
    angle, friction = np.radians(20), 0.5
    ratio = np.tan(angle) / friction
    sim = ss.Simulator(incline(angle, friction), method=method, time_step=2e-3)
    sim.advance_to(1)
    start = sim.q[0]
    sim.advance_to(2)
    assert sim.q[0] - start == pytest.approx(1e-4 * ratio / np.sqrt(1 - ratio**2), rel=0.02)
    assert set(sim.contacts["mode"][sim.contacts["force"][:, 2] != 0]) == {1}


@pytest.mark.parametrize("method", CONVEX)
def test_a_box_above_the_friction_angle_accelerates_by_the_difference(method: str) -> None:
    angle, friction = np.radians(35), 0.5
    sim = ss.Simulator(incline(angle, friction), method=method, time_step=2e-3)
    sim.advance_to(0.5)
    start = sim.v[0]
    sim.advance_to(1)
    assert 2 * (sim.v[0] - start) == pytest.approx(G * (np.sin(angle) - friction * np.cos(angle)), rel=1e-3)


# The stiff limit: at 1e7 N/m the sphere sinks in by half a micrometre, which takes 2.5e-6 of its speed.
def test_a_sliding_sphere_rolls_at_five_sevenths_of_its_speed() -> None:
    radius, mass, friction, speed = 0.05, 0.5, 0.3, 1.0
    moment = 0.4 * mass * radius**2
    ball = (
        f"  - {{name: ball, mass: {mass}, {inertia(moment, moment, moment)}, pose: {{position: [0, 0, {radius}]}}, "
        f"velocity: {{linear: [{speed}, 0, 0]}}, geometry: [{{sphere: {{radius: {radius}}}, material: m}}]}}"
    )
    sim = ss.Simulator(yaml(material(1e7, friction, 50), "bodies:", ball, FLOOR), method="lagged", time_step=1e-4)
    rolls_at = np.nan
    while sim.time < 0.2:
        sim.step()
        if np.isnan(rolls_at) and sim.v[0] - radius * sim.v[4] < 1e-3:
            rolls_at = sim.time
    assert sim.v[0] == pytest.approx(5 / 7 * speed, rel=1e-5)
    assert rolls_at == pytest.approx(2 * speed / (7 * friction * G), abs=2e-4)


@pytest.mark.parametrize(("count", "top"), [(10, 1.0), (5, 100.0)])
def test_stacks_stand(count: int, top: float) -> None:
    cubes = [cube(f"b{i}", 0.05 + 0.1 * i, top if i == count - 1 else 1.0) for i in range(count)]
    sim = ss.Simulator(yaml(material(1e6, 0.5), "bodies:", *cubes, FLOOR), method="lagged", time_step=2e-3)
    sim.advance_to(2)
    settled = sim.q.copy().reshape(-1, 7)
    sim.advance_to(60)
    drift = np.abs(sim.q.reshape(-1, 7) - settled)[:, :3].max()
    assert drift < 1e-4


@pytest.mark.parametrize("method", CONVEX)
def test_contact_carries_the_weight(method: str) -> None:
    sim = ss.Simulator(yaml(material(1e5, 0.5), "bodies:", cube("b", 0.05, 3.0), FLOOR), method=method, time_step=2e-3)
    sim.advance_to(2)
    contacts = sim.contacts
    assert len(contacts) == 4
    assert contacts["force"].sum(axis=0) == pytest.approx([0, 0, -3 * G], abs=1e-3)  # on the floor; the tolerance of the solver, 1e-5
    assert contacts["depth"] == pytest.approx(3 * G / 1e5, rel=1e-3)
    assert sim.body("b").contact_force == pytest.approx([0, 0, 3 * G, 0, 0, 0], abs=1e-3)
    assert [sim.model.body_names[i] for i in (contacts["body_a"][0], contacts["body_b"][0])] == ["b", "floor"]


FOUR_BAR = """
bodies:
  - {name: crank, mass: 1, center: [0.5, 0, 0], inertia: {ixx: 0.001, iyy: 0.0833, izz: 0.0833}}
  - {name: coupler, mass: 1, center: [0.5, 0, 0], inertia: {ixx: 0.001, iyy: 0.0833, izz: 0.0833}}
  - {name: rocker, mass: 1, center: [0.5, 0, 0], inertia: {ixx: 0.001, iyy: 0.0833, izz: 0.0833}}
joints:
  - {name: a, type: revolute, child: crank, axis: [0, -1, 0], position: 1.2}
  - {name: b, type: revolute, parent: crank, child: coupler, axis: [0, -1, 0], pose: {position: [1, 0, 0]}, position: -1.2}
  - {name: c, type: revolute, child: rocker, axis: [0, -1, 0], pose: {position: [1, 0, 0]}, position: 1.2}
constraints:
  - {type: ball, body_a: coupler, pose_a: {position: [1, 0, 0]}, body_b: rocker, pose_b: {position: [1, 0, 0]}}
"""
SLIDER_CRANK = """
gravity: [0, 0, 0]
bodies:
  - {name: crank, mass: 1, center: [0.1, 0, 0], inertia: {ixx: 0.0005, iyy: 0.00333, izz: 0.00333}}
  - {name: rod, mass: 1, center: [0.3, 0, 0], inertia: {ixx: 0.0005, iyy: 0.03, izz: 0.03}}
  - {name: slider, mass: 1, inertia: {ixx: 0.001, iyy: 0.001, izz: 0.001}}
joints:
  - {name: a, type: revolute, child: crank, axis: [0, -1, 0], velocity: 10}
  - {name: b, type: revolute, parent: crank, child: rod, axis: [0, -1, 0], pose: {position: [0.2, 0, 0]}, velocity: -13.333333333333334}
  - {name: c, type: prismatic, child: slider, axis: [1, 0, 0], position: 0.8}
constraints:
  - {type: ball, body_a: rod, pose_a: {position: [0.6, 0, 0]}, body_b: slider}
"""


# At the default step of 1 ms. The error of a straight prediction over a step, 1e-5 m in the slider-crank, is foreseen.
@pytest.mark.parametrize(
    ("text", "a", "point", "b", "other"),
    [(FOUR_BAR, "coupler", [1, 0, 0], "rocker", [1, 0, 0]), (SLIDER_CRANK, "rod", [0.6, 0, 0], "slider", [0, 0, 0])],
    ids=["four-bar", "slider-crank"],
)
@pytest.mark.parametrize(("options", "tolerance"), [({"time_step": 1e-3}, 1e-6), ({"accuracy": 1e-3}, 1e-4), ({"accuracy": 1e-5}, 1e-6)])
def test_loops_stay_closed(
    text: str, a: str, point: list[float], b: str, other: list[float], options: dict[str, float], tolerance: float
) -> None:
    sim = ss.Simulator(ss.from_string(text, format="yaml"), **options)  # type: ignore[arg-type]
    worst = 0.0
    while sim.time < 3:
        sim.step()
        gap = sim.body(a).pose @ [*point, 1] - sim.body(b).pose @ [*other, 1]
        worst = max(worst, float(np.linalg.norm(gap[:3])))
    assert worst < tolerance


LIMITED = """
gravity: [0, 0, 0]
bodies: [{name: arm, mass: 1, center: [0.5, 0, 0], inertia: {ixx: 0.0005, iyy: 0.08, izz: 0.08}}]
joints: [{name: hinge, type: revolute, child: arm, axis: [0, 0, 1], position: 1.1, limits: {lower: -1, upper: 1}}]
"""


# 0.1 rad at the return speed of 1 rad/s: back after 0.1 s, by any step.
@pytest.mark.parametrize("time_step", [1e-5, 1e-4, 1e-3, 1e-2, 0.05])
def test_a_joint_outside_its_limit_returns_calmly(time_step: float) -> None:
    sim = ss.Simulator(ss.from_string(LIMITED, format="yaml"), method="lagged", time_step=time_step)
    fastest = 0.0
    while sim.time < 0.15:
        sim.step()
        fastest = max(fastest, abs(sim.v[0]))
    assert 0.9 < fastest <= 1.0
    assert sim.q[0] == pytest.approx(1.1 - sim.time, abs=2e-3)


@pytest.mark.parametrize("time_step", [1e-9, 1e-7])
def test_the_shortest_steps_do_not_throw_it(time_step: float) -> None:
    sim = ss.Simulator(ss.from_string(LIMITED, format="yaml"), method="lagged", time_step=time_step)
    for _ in range(2000):
        sim.step()
    assert -1.0 <= sim.v[0] < 0


def test_gravity_acts_at_the_shortest_steps_too() -> None:
    body = f"bodies: [{{name: b, mass: 1, {inertia(1, 1, 1)}, velocity: {{linear: [10, 0, 0]}}}}]"
    sim = ss.Simulator(ss.from_string(body, format="yaml"), method="lagged", time_step=1e-6)
    for _ in range(1000):
        sim.step()
    assert sim.v[2] == pytest.approx(-G * 1e-3, rel=1e-9)


MIMIC = """
bodies:
  - {name: a, mass: 1, center: [0.2, 0, 0], inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
  - {name: b, mass: 1, center: [0.2, 0, 0], inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
joints:
  - {name: one, type: revolute, child: a, axis: [0, 1, 0]}
  - {name: two, type: revolute, child: b, axis: [0, 1, 0], position: 0.1}
constraints: [{type: coupler, joint_a: two, joint_b: one, coefficients: [0.1, -2]}]
"""


def test_couplers_hold_across_trees() -> None:
    sim = ss.Simulator(ss.from_string(MIMIC, format="yaml"), time_step=1e-3)
    while sim.time < 1:
        sim.step()
        assert abs(sim.q[1] - (0.1 - 2 * sim.q[0])) < 1e-6
    assert abs(sim.q[0]) > 0.1


MOTOR = """
gravity: [0, 0, 0]
bodies: [{name: arm, mass: 1, center: [0.5, 0, 0], inertia: {ixx: 0.01, iyy: 0.1, izz: 0.1}}]
joints: [{name: hinge, type: revolute, child: arm, axis: [0, 0, 1]}]
actuators: [{name: servo, joint: hinge, type: position, kp: 1.0e6, kd: 5.0e5, effort_limit: 5, control: 1}]
"""


def test_a_stiff_servo_is_stable_and_keeps_to_its_effort_limit() -> None:
    sim = ss.Simulator(ss.from_string(MOTOR, format="yaml"), time_step=0.01)
    inertia_about_axis = 0.1 + 0.25
    sim.step()
    assert sim.v[0] == pytest.approx(5 / inertia_about_axis * 0.01, rel=1e-4)
    sim.advance_to(6)  # with the time constant kd/kp of 0.5 s
    assert sim.q[0] == pytest.approx(1, abs=1e-3)
    assert sim.report.energy.actuators == pytest.approx(sim.report.energy.end - sim.report.energy.start + sim.report.energy.numerical_loss, abs=1e-6)


DRY = """
bodies: [{name: arm, mass: 1, center: [0.5, 0, 0], inertia: {ixx: 0.01, iyy: 0.1, izz: 0.1}}]
joints: [{name: hinge, type: revolute, child: arm, axis: [0, 1, 0], dry_friction: %g}]
"""


def test_dry_friction_holds_up_to_its_limit() -> None:
    weight = 0.5 * G
    held = ss.Simulator(ss.from_string(DRY % (1.1 * weight), format="yaml"))
    held.advance_to(1)
    assert abs(held.v[0]) == pytest.approx(1e-4 / 1.1, rel=1e-2)  # the creep of viscous friction below 1e-4 rad/s
    assert held.joint("hinge").constraint_force == pytest.approx([-weight], rel=1e-4)
    slipping = ss.Simulator(ss.from_string(DRY % (0.5 * weight), format="yaml"))
    slipping.advance_to(0.01)
    assert slipping.v[0] == pytest.approx(0.5 * weight / (0.1 + 0.25) * 0.01, rel=1e-2)


def test_a_belt_carries_a_box_by_its_surface_velocity() -> None:
    belt = "  - {name: belt, fixed: true, geometry: [{box: {size: [4, 1, 0.1]}, pose: {position: [0, 0, -0.05]}, surface_velocity: [0.5, 0, 0], material: m}]}"
    sim = ss.Simulator(yaml(material(1e6, 0.5), "bodies:", cube("b", 0.05), belt), time_step=1e-3)
    sim.advance_to(1)
    assert sim.v[0] == pytest.approx(0.5, abs=1e-4)
    assert sim.q[0] == pytest.approx(0.5 - 0.5**2 / (2 * 0.5 * G), rel=1e-2)  # slides for v/(mu g) first


def test_the_audit_closes_with_every_kind_of_work() -> None:
    heap = [cube(f"b{i}", 0.06 + 0.12 * i) for i in range(4)]
    sim = ss.Simulator(yaml(material(1e5, 0.5), "bodies:", *heap, FLOOR), method="lagged", time_step=1e-3, solver_tolerance=1e-9)
    sim.advance_to(0.7)
    energy = sim.report.energy
    assert energy.contact < -0.1
    assert energy.end == pytest.approx(energy.start + energy.actuators + energy.damping + energy.contact - energy.numerical_loss, abs=1e-6)
