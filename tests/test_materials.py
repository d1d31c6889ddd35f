"""What materials with a Young's modulus or a grain do, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import stickslip as ss

G = 9.81
MODULUS, POISSON, RADIUS, MASS = 1e7, 0.4, 0.05, 0.5
HERTZ = 4 / 3 * MODULUS / (1 - POISSON**2) * np.sqrt(RADIUS)  # of the ball on something flat and rigid, N/m^1.5
METHODS = ["lagged", "anchored", "similar", "sap"]


def ball(*, dissipation: float, height: float, speed: float = 0, gravity: float = G, other: str = "{}", floor: str = "half_space: {}") -> ss.Model:
    return ss.from_string(f"""
gravity: [0, 0, {-gravity}]
materials:
  rubber: {{youngs_modulus: {MODULUS}, poisson_ratio: {POISSON}, dissipation: {dissipation}, friction: 0}}
  other: {other}
bodies:
  - {{name: ball, mass: {MASS}, pose: {{position: [0, 0, {height}]}}, velocity: {{linear: [0, 0, {-speed}]}}, geometry: [{{sphere: {{radius: {RADIUS}}}, material: rubber}}]}}
  - {{name: floor, fixed: true, geometry: [{{{floor}, material: other}}]}}
""")


# The rest depth of a Hertz contact is (m g/K)^(2/3); 1e-3: what is left of the motion after 2 s, and error control.
@pytest.mark.parametrize("method", METHODS)
def test_a_ball_of_rubber_rests_at_the_depth_of_hertz(method: str) -> None:
    sim = ss.Simulator(ball(dissipation=5, height=RADIUS), method=method, time_step=1e-3)
    sim.advance_to(2)
    assert RADIUS - sim.q[2] == pytest.approx((MASS * G / HERTZ) ** (2 / 3), rel=1e-3)


def test_under_error_control_it_rests_there_too() -> None:
    sim = ss.Simulator(ball(dissipation=5, height=RADIUS), accuracy=1e-4)
    sim.advance_to(2)
    assert RADIUS - sim.q[2] == pytest.approx((MASS * G / HERTZ) ** (2 / 3), rel=1e-3)


# Two equal balls: R and E* are halved, so K is 2^-1.5 of that of a ball on something rigid and flat.
def test_two_balls_are_softer_than_a_ball_on_a_rigid_plane() -> None:
    same = f"{{youngs_modulus: {MODULUS}, poisson_ratio: {POISSON}, dissipation: 5, friction: 0}}"
    pair = ball(dissipation=5, height=2 * RADIUS, other=same, floor=f"sphere: {{radius: {RADIUS}}}")
    sim = ss.Simulator(pair, method="lagged", time_step=1e-3)
    sim.advance_to(2)
    assert 2 * RADIUS - sim.q[2] == pytest.approx(2 * (MASS * G / HERTZ) ** (2 / 3), rel=1e-3)


# An elastic impact lasts 2.9432 delta/v and reaches delta = (5 m v^2/(4 K))^(2/5) (Hertz 1882), for any v.
@pytest.mark.parametrize("speed", [0.1, 1.0])
def test_an_impact_lasts_as_long_and_goes_as_deep_as_hertz_says(speed: float) -> None:
    sim = ss.Simulator(ball(dissipation=0, height=RADIUS, speed=speed, gravity=0), accuracy=1e-6)
    depth = (5 * MASS * speed**2 / (4 * HERTZ)) ** 0.4
    duration = 2.9432 * depth / speed
    sim.advance_to(duration / 2)
    assert RADIUS - sim.q[2] == pytest.approx(depth, rel=2e-3)  # error control, summed over the impact
    assert abs(sim.v[2]) < 0.01 * speed
    sim.advance_to(0.99 * duration)
    assert sim.q[2] < RADIUS
    sim.advance_to(1.01 * duration)
    assert sim.q[2] > RADIUS
    assert sim.v[2] == pytest.approx(speed, rel=5e-3)


# Energy of the spring is 2/5 K delta^2.5, and nothing is lost but numerically.
def test_the_elastic_energy_of_a_hertz_contact_is_that_of_the_motion() -> None:
    speed = 1.0
    depth = (5 * MASS * speed**2 / (4 * HERTZ)) ** 0.4
    sim = ss.Simulator(ball(dissipation=0, height=RADIUS, speed=speed, gravity=0), accuracy=1e-6)
    sim.advance_to(2.9432 / 2 * depth / speed)
    assert sim.report.energy.elastic_normal == pytest.approx(0.5 * MASS * speed**2, rel=5e-3)


# Flat on flat there is no radius: the pair is linear, with its stiffness.
def test_a_box_of_rubber_has_its_stiffness() -> None:
    model = ss.from_string(f"""
materials: {{rubber: {{youngs_modulus: {MODULUS}, stiffness: 1.0e+4}}, rigid: {{stiffness: .inf}}}}
bodies:
  - {{name: box, mass: {MASS}, pose: {{position: [0, 0, 0.05]}}, geometry: [{{box: {{size: [0.1, 0.1, 0.1]}}, material: rubber}}]}}
  - {{name: floor, fixed: true, geometry: [{{half_space: {{}}, material: rigid}}]}}
""")
    sim = ss.Simulator(model, method="lagged", time_step=1e-3)
    sim.advance_to(3)
    assert 0.05 - sim.q[2] == pytest.approx(MASS * G / 1e4, rel=1e-3)


# ---------------------------------------------------------------------------------------------------------------- grain
FRICTION, RATIO = 0.6, 0.25


def puck(gravity: list[float], velocity: list[float], direction: str = "[1, 0, 0]", turn: float = 0.0, floor: str = "", own: str = "puck") -> ss.Model:
    """A flat box on a floor; the grain is the puck's unless the floor has one."""
    return ss.from_string(f"""
gravity: {[float(g) for g in gravity]}
materials:
  puck: {{stiffness: 1.0e+6, friction: {FRICTION}, grain: {{direction: {direction}, friction_ratio: {RATIO}}}}}
  plain: {{stiffness: 1.0e+6, friction: {FRICTION}}}
  floor: {{stiffness: .inf, friction: {FRICTION}{floor}}}
bodies:
  - name: puck
    mass: 1
    pose: {{position: [0, 0, 0.00999], rpy: [0, 0, {turn}]}}
    velocity: {{linear: {velocity}}}
    geometry: [{{box: {{size: [0.2, 0.2, 0.02]}}, material: {own}}}]
  - {{name: floor, fixed: true, geometry: [{{half_space: {{}}, material: floor}}]}}
""")


ALONG = 2 * (RATIO * FRICTION) * FRICTION / (RATIO * FRICTION + FRICTION)  # harmonic mean with the floor's


# Accelerations are exact but for the regularised law's stiction tolerance and sap's artefacts: 1 %.
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("axis", "friction"), [(0, ALONG), (1, FRICTION)])
def test_on_a_slope_friction_is_that_of_the_direction(method: str, axis: int, friction: float) -> None:
    angle = np.radians(40)
    gravity = [0.0, 0.0, -G * np.cos(angle)]
    gravity[axis] = G * np.sin(angle)
    sim = ss.Simulator(puck(gravity, [0, 0, 0]), method=method, time_step=1e-3)
    sim.advance_to(0.2)
    before = sim.v[axis]
    sim.advance_to(0.7)
    assert (sim.v[axis] - before) / 0.5 == pytest.approx(G * (np.sin(angle) - friction * np.cos(angle)), rel=1e-2)
    assert abs(sim.v[1 - axis]) < 1e-6


# 20 degrees lie between the friction angles along (13.5) and across the grain (31).
@pytest.mark.parametrize("method", ["anchored", "lagged"])
def test_a_slope_holds_a_puck_across_its_grain_and_lets_it_go_along_it(method: str) -> None:
    s, c = G * np.sin(np.radians(20)), G * np.cos(np.radians(20))
    held = ss.Simulator(puck([0, s, -c], [0, 0, 0]), method=method, time_step=1e-3)
    held.advance_to(1)
    assert abs(held.q[1]) < 1e-3
    sliding = ss.Simulator(puck([s, 0, -c], [0, 0, 0]), method=method, time_step=1e-3)
    sliding.advance_to(1)
    assert sliding.q[0] > 0.1


# Springs along a strong grain feel a small part of their strain (0.14 here, with one on either side), and hold all that the cone does: 0.9 of it, without creep.
@pytest.mark.parametrize("options", [{"time_step": 1e-3}, {"accuracy": 1e-3}], ids=["fixed", "controlled"])
def test_a_puck_is_held_along_a_strong_grain(options: dict[str, float]) -> None:
    ratio = 0.1
    along = 2 * RATIO * ratio / (RATIO + ratio) * FRICTION
    angle = np.arctan(0.9 * along)
    sim = ss.Simulator(puck([G * np.sin(angle), 0, -G * np.cos(angle)], [0, 0, 0], floor=f", grain: {{friction_ratio: {ratio}}}"), **options)
    sim.advance_to(1)
    settled = float(sim.q[0])
    sim.advance_to(3)
    assert abs(sim.q[0] - settled) < 1e-6


# dv/dt = -mu g S^2 v/|S v| gives d ln v_x / d ln v_y = ratio^2, whatever the speed: slip turns towards the grain.
# 1e-2: steps of first order. The same with the grain on the floor, or turned with the body.
@pytest.mark.parametrize("where", ["puck", "floor", "turned"])
@pytest.mark.parametrize("method", ["anchored", "lagged"])
def test_a_puck_that_slides_askew_turns_towards_the_grain(method: str, where: str) -> None:
    ratio = ALONG / FRICTION
    if where == "puck":
        model = puck([0, 0, -G], [1, 1, 0])
    elif where == "floor":
        model = puck([0, 0, -G], [1, 1, 0], floor=f", grain: {{friction_ratio: {RATIO}}}", own="plain")
    else:
        model = puck([0, 0, -G], [1, 1, 0], direction="[0, 1, 0]", turn=-np.pi / 2)
    sim = ss.Simulator(model, method=method, time_step=1e-4)
    sim.advance_to(0.05)
    x0, y0 = sim.v[0], sim.v[1]
    sim.advance_to(0.15)
    assert sim.v[0] > sim.v[1] > 0
    assert np.log(sim.v[0] / x0) / np.log(sim.v[1] / y0) == pytest.approx(ratio**2, rel=1e-2)


# A grain that stands on the plane of contact has no direction in it.
def test_end_grain_has_the_friction_across_it() -> None:
    angle = np.radians(40)
    sim = ss.Simulator(puck([G * np.sin(angle), 0, -G * np.cos(angle)], [0, 0, 0], direction="[0, 0, 1]"), method="lagged", time_step=1e-3)
    sim.advance_to(0.2)
    before = sim.v[0]
    sim.advance_to(0.7)
    assert (sim.v[0] - before) / 0.5 == pytest.approx(G * (np.sin(angle) - FRICTION * np.cos(angle)), rel=1e-2)


def test_forces_and_slip_are_reported_in_the_world() -> None:
    sim = ss.Simulator(puck([0, 0, -G], [1, 0, 0]), method="lagged", time_step=1e-3)
    sim.advance_to(0.1)
    contacts = sim.contacts  # of the floor, the second body, against the puck
    assert np.sum(contacts["force"], axis=0)[:2] == pytest.approx([ALONG * G, 0], rel=1e-2, abs=1e-6)
    assert contacts["slip"][:, 0] == pytest.approx(-sim.v[0], rel=1e-2)


@pytest.mark.parametrize(
    ("material", "code"),
    [
        ("{youngs_modulus: 1.0e+7, relaxation_time: 0.01}", "hertz-relaxation"),
        ("{poisson_ratio: 0.3}", "no-youngs-modulus"),
        ("{youngs_modulus: 1.0e+7, poisson_ratio: 0.6}", "bad-poisson-ratio"),
        ("{grain: {friction_ratio: 1.5}}", "bad-grain"),
    ],
)
def test_materials_that_make_no_sense_are_refused(material: str, code: str) -> None:
    with pytest.raises(ss.ModelError) as error:
        ss.from_string(f"materials: {{odd: {material}}}\nbodies: []")
    assert error.value.code == code
