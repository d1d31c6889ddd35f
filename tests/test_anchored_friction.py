"""Friction with memory against closed forms: what sticks stays, what slips slips by Coulomb's law, and the memory is part of the state.

Each contact has a spring along the surface, as stiff as the normal one (k), with the damping k d times its overlap. Its force is kept to the cone. So a load F
moves a body by F/k and no further.
"""

from __future__ import annotations

import pickle
import sys
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stickslip as ss
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "friction"))
import friction_scenes as fs
import grasp as gr
from friction_scenes import G, Options, anchored

Array = NDArray[np.float64]
MICROMETRE = 1e-6
ACCURACIES = [anchored(accuracy=a) for a in (1e-1, 1e-2, 1e-3, 1e-4)]
TIME_STEPS = [anchored(time_step=h) for h in (1e-3, 5e-3, 2e-2)]
EVERY = [*ACCURACIES, *TIME_STEPS]
SOME = [ACCURACIES[0], ACCURACIES[2], TIME_STEPS[0], TIME_STEPS[1]]


def named(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return f"{value['accuracy']:g}" if "accuracy" in value else f"{1e3 * value['time_step']:g}ms"


def simulator(text: str, options: Options, **more: Any) -> ss.Simulator:
    return ss.Simulator(ss.from_string(text, format="yaml"), **options, **more)


def positions(sim: ss.Simulator) -> Array:
    """Of free bodies."""
    return np.array(sim.q).reshape(-1, 7)[:, :3]


# ------------------------------------------------------------------------------------------------------------------- slope
# The cone has 1.37 and 1.01 times what the slope asks for. The box tilts against the slope until m g sin(a) SIDE/2 is balanced, which presses the two lower
# corners with (1 + tan(a))/2 of the normal force and the two upper ones with (1 - tan(a))/2. The upper ones slip before the lower ones do: they stay at their
# cone, and the lower ones carry the rest. So there is a state of rest wherever mu > tan(a), and the swing about it dies with c/2m = d N/2m = 46/s. (A model of
# four such springs, in steps of 20 us, moves by 0.13 and 2.3 mm before, is within 0.001 um of rest after 0.75 and 1 s, and stands still from then on.)
@pytest.mark.parametrize("options", EVERY, ids=named)
@pytest.mark.parametrize("friction", [0.5, 1.01 * fs.STEEPNESS], ids=["0.5", "1%above"])
def test_a_box_that_friction_holds_stays_where_it_is(friction: float, options: Options) -> None:
    sim = simulator(fs.slope(friction), options)
    sim.advance_to(1)
    settled = positions(sim)
    sim.advance_to(20)
    assert np.abs(positions(sim) - settled).max() < MICROMETRE


# a = g (sin - mu cos) in the end; in the beginning the spring has to be stretched, which gives the box up to mu N/sqrt(k m) = 10 mm/s. The second difference
# of positions at 1, 2, 3 s does not see it: it is a times (1 s)^2.
@pytest.mark.parametrize("options", [anchored(accuracy=1e-3), anchored(accuracy=1e-4), anchored(time_step=1e-3)], ids=named)
def test_a_box_that_friction_does_not_hold_slides_as_coulomb_says(options: Options) -> None:
    friction = 0.99 * fs.STEEPNESS
    sim = simulator(fs.slope(friction), options)
    places = []
    for t in (1, 2, 3):
        sim.advance_to(t)
        places.append(sim.q[0])
    assert places[2] - 2 * places[1] + places[0] == pytest.approx(fs.slide(friction), rel=0.01)


# -------------------------------------------------------------------------------------------------------------- stick-slip
# `fs.Belt` derives period and amplitude. The contact's spring changes them by K/k_t, 0.1 %. The swing that sticking leaves dies with d N/2m = 50/s within the
# 0.8 s of the stick. Implicit steps take h w^2/2 = 1 % of amplitude a second at 0.2 ms, of which a slip lasts 0.36.
@pytest.mark.parametrize("options", [anchored(accuracy=1e-3), anchored(accuracy=1e-4), anchored(time_step=2e-4)], ids=named)
def test_a_block_on_a_running_belt_sticks_and_slips_with_the_period_of_the_closed_form(options: Options) -> None:
    belt = fs.Belt()
    run = ss.simulate(ss.from_string(belt.text(), format="yaml"), until=7.0, sample_rate=2000, **options)
    t, x, v = run.t, run.q[:, 0], run.v[:, 0]
    turns = np.flatnonzero((v[:-1] > 0) & (v[1:] <= 0))
    tops = t[turns] + (t[turns + 1] - t[turns]) * v[turns] / (v[turns] - v[turns + 1])
    tops = tops[np.insert(np.diff(tops) > belt.period / 2, 0, True)]  # not those of the swing after sticking
    assert np.mean(np.diff(tops[1:])) == pytest.approx(belt.period, rel=0.01)
    late = x[t > 2 * belt.period]
    assert (late.max() - late.min()) / 2 == pytest.approx(belt.amplitude, rel=0.01)
    assert (late.max() + late.min()) / 2 == pytest.approx(belt.dynamic * belt.normal_force / belt.spring, rel=0.01)


# ------------------------------------------------------------------------------------------------------- rolling, spinning
# Rolling at the depth of rest, the point of contact does not move against the floor: no spring is stretched, no force acts, and speed and energy stay. Where
# the ball lands on its place makes no difference either: a floor is level.
@pytest.mark.parametrize("dissipation", [0.0, 10.0])
@pytest.mark.parametrize("options", SOME, ids=named)
def test_a_rolling_ball_rolls_on(options: Options, dissipation: float) -> None:
    sim = simulator(fs.roll(dissipation), options)
    start = sim.kinetic_energy + sim.potential_energy
    sim.advance_to(10)
    assert sim.kinetic_energy + sim.potential_energy == pytest.approx(start, rel=1e-6)
    assert sim.q[0] == pytest.approx(10 * fs.ROLL_SPEED, rel=1e-6)


# Eight points on the rim (asserted) carry m g/8 each, all slip along the rim: `fs.disc_stops`. To stretch the springs takes mu N/k = 29 um of the rim's way, at
# 3 m/s; the swing after the stop is that far as well. Spin falls linearly: the stop is where a line through it at 1/4 and 3/4 of the time meets zero.
@pytest.mark.parametrize("options", [anchored(accuracy=1e-2), anchored(accuracy=1e-3), anchored(time_step=1e-3)], ids=named)
def test_a_spinning_disc_stops_when_the_friction_of_its_rim_says_so(options: Options) -> None:
    sim = simulator(fs.disc(), options)
    stop = fs.disc_stops()
    sim.advance_to(stop / 4)
    contacts = sim.contacts
    assert len(contacts) == 8
    assert np.hypot(*contacts["point"].T[:2]) == pytest.approx(fs.DISC_RADIUS, rel=1e-3)
    assert -contacts["force"][:, 2] == pytest.approx(G / 8, rel=1e-2)
    early = sim.v[5]
    sim.advance_to(3 * stop / 4)
    late = sim.v[5]
    assert stop / 4 + stop / 2 * early / (early - late) == pytest.approx(stop, rel=0.01)
    sim.advance_to(1.05 * stop)
    assert abs(sim.v[5]) < 0.01 * fs.DISC_SPIN
    sim.advance_to(stop + 1)
    angle = 2 * np.arctan2(sim.q[6], sim.q[3])
    sim.advance_to(stop + 5)
    assert abs(2 * np.arctan2(sim.q[6], sim.q[3]) - angle) * fs.DISC_RADIUS < MICROMETRE


# ------------------------------------------------------------------------------------------------------------------- stack
# Friction has 1/30 of its cone to bear, so nothing slips: what the stack does after its swings have died is nothing.
@pytest.mark.parametrize("options", SOME, ids=named)
def test_a_stack_of_ten_does_not_drift(options: Options) -> None:
    sim = simulator(fs.stack(), options)
    sim.advance_to(12)
    settled = positions(sim)
    sim.advance_to(16)
    assert np.abs(positions(sim) - settled).max() < MICROMETRE


# ------------------------------------------------------------------------------------------------------------------- loads
# The load acts in the plane of contact: each corner has a quarter of weight and load, none slips below mu m g, and the box is at F(t)/k_t. It lags by the
# damping, c/k_t times 2 pi F/turn, 0.03 um, and swings by nothing, since a turn of 8 s is slow for it (316 rad/s).
@pytest.mark.parametrize("options", SOME, ids=named)
def test_a_load_below_the_cone_that_turns_takes_the_box_nowhere(options: Options) -> None:
    size, turn = 0.8 * fs.LOADED_FRICTION * G, 8.0
    sim = simulator(fs.loaded(), options)
    sim.add(fs.rotating_load(size, turn))
    for t in np.arange(1.0, 2 * turn + 0.1, 0.5):
        sim.advance_to(float(t))
        base = (sim.body("box0").pose @ [0, 0, -fs.SIDE / 2, 1])[:2]
        exact = size / fs.LOADED_STIFFNESS * np.array([cos(2 * pi * t / turn), sin(2 * pi * t / turn)])
        assert np.abs(base - exact).max() < MICROMETRE


# Force and torque together load two corners more than the other two, which slip in part. No corner's normal force changes, so the law of the springs is that
# of an elastic and perfectly plastic frame: below its limit load (`fs.limit_load`, the kinematic theorem) it comes to rest, under a constant load as under one
# that falls by half and returns (Melan: the state at the peak is one from which unloading stays within the cones).
@pytest.mark.parametrize("depth", [0.0, 0.5], ids=["constant", "pulsating"])
@pytest.mark.parametrize("options", SOME, ids=named)
def test_force_and_torque_at_nine_tenths_of_the_limit_do_not_ratchet(options: Options, depth: float) -> None:
    scale = 0.9 * fs.limit_load(1.0, 0.05)
    sim = simulator(fs.loaded(), options)
    sim.add(fs.combined_load(scale, 0.05 * scale, depth))
    places = []
    for t in (6, 102):  # whole periods
        sim.advance_to(t)
        corners = [(sim.body("box0").pose @ [x, y, -fs.SIDE / 2, 1])[:3] for x in (-fs.SIDE / 2, fs.SIDE / 2) for y in (-fs.SIDE / 2, fs.SIDE / 2)]
        places.append(np.array(corners))
    # where the steps of error control fall in a period moves it by as much as the load changes in a step: 4 um of 65
    assert np.abs(places[1] - places[0]).max() < (5 if depth > 0 and "accuracy" in options else 1) * MICROMETRE


# The same load beyond the limit moves it: 10 % of the load is left to accelerate it.
def test_force_and_torque_beyond_the_limit_move_the_box() -> None:
    scale = 1.1 * fs.limit_load(1.0, 0.05)
    sim = simulator(fs.loaded(), anchored(accuracy=1e-3))
    sim.add(fs.combined_load(scale, 0.05 * scale))
    sim.advance_to(1.5)
    assert sim.q[0] > 1e-2


# --------------------------------------------------------------------------------------------------------- carried bodies
# Steps go along chords, by h w^2 r/2 a second off the circle: 0.45 mm/s at 3 rad/s and 1 ms. A spring that remembers a place on the table takes them back,
# one that sums up slip speeds does not. It is stretched by m w^2 r/k = 9 um throughout.
@pytest.mark.parametrize("options", SOME, ids=named)
@pytest.mark.parametrize(("spin", "turns"), [(1.0, 3), (3.0, 20)])
def test_a_turntable_keeps_what_stands_on_it(spin: float, turns: int, options: Options) -> None:
    sim = simulator(fs.turntable(spin), options)
    sim.advance_to(1)
    settled = fs.seen_from(sim, "table", "box0")
    assert np.abs(settled[:2] - [fs.TURNTABLE_RADIUS, 0]).max() < 50 * MICROMETRE
    sim.advance_to(1 + turns * 2 * pi / spin)
    # the last step is shorter than those before it, which swings the box on its springs
    assert np.abs(fs.seen_from(sim, "table", "box0") - settled).max() < 3 * MICROMETRE


# Each swing stretches the springs of both sides (2 k) by at most 4.1 N/2e5 N/m = 21 um one way, and back. At the same phase the box is at the same place.
@pytest.mark.parametrize("options", SOME, ids=named)
def test_a_swinging_hand_keeps_what_it_holds(options: Options) -> None:
    sim = simulator(fs.swing(), options)
    fs.put_in_hand(sim)
    sim.advance_to(2)
    settled = fs.seen_from(sim, "hand", "box0")
    for quarter in range(1, 41):
        sim.advance_to(2 + quarter / 4)
        moved = np.abs(fs.seen_from(sim, "hand", "box0") - settled).max()
        assert moved < (MICROMETRE if quarter % 4 == 0 else 50 * MICROMETRE)


# Pads on sliders, each pressed on by twice the force needed, on a carriage that is shaken by g/2: friction has 56 % of its cone to bear. Each of the 8 feet has
# its part of that, since weight and shaking act at the middle. The springs are stretched by m g/(2e6 N/m) = 1.5 um, and the same after whole periods.
@pytest.mark.parametrize("options", SOME, ids=named)
@pytest.mark.parametrize("frequency", [0, 1, 5])
def test_a_grasp_at_twice_the_force_needed_holds(frequency: int, options: Options) -> None:
    sim = simulator(gr.to_yaml(gr.grasp(2, frequency)), options)
    sim.advance_to(1)
    settled = fs.seen_from(sim, "carriage", "cylinder")
    sim.advance_to(6)
    assert np.abs(fs.seen_from(sim, "carriage", "cylinder") - settled).max() < MICROMETRE


# A fixed cylinder holds another down in a corner; they cross at a few milliradians. Nothing moves them: they rest, and error control takes its longest steps.
CORNER = """
bodies:
  - name: bin
    fixed: true
    geometry:
      - {half_space: {}}
      - {box: {size: [0.02, 0.3, 0.4]}, pose: {position: [0.15, 0, 0.2]}}
      - {box: {size: [0.3, 0.02, 0.4]}, pose: {position: [0, 0.15, 0.2]}}
  - name: below
    density: 800
    pose: {position: [0.1100019, 0.0992898, 0.0299904], quaternion: [0.662868941, 0.662892373, 0.246163918, -0.246133692]}
    geometry: [{cylinder: {radius: 0.03, length: 0.08}}]
  - name: above
    fixed: true
    pose: {position: [0.1086201, 0.0773257, 0.0899673], quaternion: [-0.518923757, -0.520021471, 0.479148985, -0.480324946]}
    geometry: [{cylinder: {radius: 0.03, length: 0.08}}]
"""


@pytest.mark.parametrize("options", [anchored(time_step=1e-3), anchored(time_step=2e-3), anchored(accuracy=1e-3)], ids=named)
def test_a_cylinder_below_a_nearly_parallel_one_comes_to_rest(options: Options) -> None:
    sim = simulator(CORNER, options)
    sim.advance_to(1)
    steps = sim.report.steps
    sim.advance_to(2)
    assert sim.kinetic_energy < 1e-12
    if "accuracy" in options:
        assert sim.report.steps - steps <= 20


# --------------------------------------------------------------------------------------------------------------- smoothness
# Friction stays below the cone, so block and springs are the damped oscillator of `fs.Oscillator`. Implicit Euler is of first order: errors halve.
def test_sticking_converges_to_the_closed_form_in_first_order() -> None:
    scene = fs.Oscillator()
    assert scene.largest_force < 0.7
    model = ss.from_string(scene.text(), format="yaml")
    errors = []
    for time_step in (1e-3, 5e-4, 2.5e-4, 1.25e-4):
        run = ss.simulate(model, until=0.4, **anchored(time_step=time_step), solver_tolerance=1e-9)
        errors.append(float(np.sqrt(np.mean((run.q[:, 0] - scene.position(run.t)) ** 2))))
    assert errors[0] < 0.1 * scene.start
    for coarse, fine in zip(errors, errors[1:], strict=False):
        assert 1.8 < coarse / fine < 2.2


# Three solves a step, extrapolated with the memory: second order, errors fall to a quarter.
def test_sticking_converges_in_second_order_where_it_is_smooth() -> None:
    scene = fs.Oscillator()
    model = ss.from_string(scene.text(), format="yaml")
    errors = []
    for time_step in (2e-3, 1e-3, 5e-4, 2.5e-4):
        run = ss.simulate(model, until=0.4, method="cenic", friction="anchored", time_step=time_step, solver_tolerance=1e-10)
        errors.append(float(np.sqrt(np.mean((run.q[:, 0] - scene.position(run.t)) ** 2))))
    for coarse, fine in zip(errors, errors[1:], strict=False):
        assert 3.5 < coarse / fine < 4.6


# Error control sees the spring's swing as it sees any: the bound of other smooth motions.
@pytest.mark.parametrize("accuracy", [1e-3, 1e-4, 1e-5, 1e-6])
def test_sticking_is_as_exact_as_asked_for(accuracy: float) -> None:
    scene = fs.Oscillator()
    sim = simulator(scene.text(), anchored(accuracy=accuracy), weights="identity")
    sim.advance_to(0.4)
    assert abs(sim.q[0] - scene.position(0.4)) < 10 * accuracy


# ------------------------------------------------------------------------------------------------------------------ energy
def slider(speed: float) -> str:
    """A cube that slides to rest, at its depth of rest."""
    box = fs.cube("box0", (0, 0, fs.SIDE / 2 - G / 1e5), f"velocity: {{linear: [{speed}, 0, 0]}}, ")
    return fs.scene(fs.LEVEL, fs.materials(1e5, 10.0, 0.5), "bodies:", box, fs.FLOOR)


# Kinetic, gravity's, and what springs of contacts store, those along the surface among them: implicit steps take energy and never give any. Cubes have no
# gyroscopic torque, which is explicit. What may rise: round-off, and the solver's tolerance.
@pytest.mark.parametrize("options", TIME_STEPS, ids=named)
@pytest.mark.parametrize("text", [slider(1.0), fs.Oscillator().text()], ids=["slide", "oscillator"])
def test_steps_never_add_energy(text: str, options: Options) -> None:
    sim = simulator(text, options, solver_tolerance=1e-10)
    start = energy = sim.kinetic_energy + sim.potential_energy
    while sim.time < 1:
        sim.step()
        now = sim.kinetic_energy + sim.potential_energy
        assert now <= energy + 1e-9 * max(1.0, abs(start))
        energy = now
    assert energy < start


# Error control may err either way, by its accuracy.
@pytest.mark.parametrize("text", [slider(1.0), fs.Oscillator().text()], ids=["slide", "oscillator"])
def test_error_control_adds_no_more_energy_than_its_accuracy(text: str) -> None:
    sim = simulator(text, anchored(accuracy=1e-3))
    floor = sim.potential_energy
    start = highest = sim.kinetic_energy + sim.potential_energy
    while sim.time < 1:
        sim.step()
        highest = max(highest, sim.kinetic_energy + sim.potential_energy)
    assert highest - start < 1e-3 * max(start - floor, abs(floor))


# Sliding to rest takes mu m g s = m v^2/2 by work of contact. Of numerical loss there is hardly any: gravity's part is constant and nothing swings for long.
def test_the_audit_says_that_friction_took_the_energy() -> None:
    sim = simulator(slider(1.0), anchored(time_step=1e-3), solver_tolerance=1e-9)
    sim.advance_to(1)
    energy = sim.report.energy
    assert energy.numerical_loss is not None
    assert energy.end == pytest.approx(sim.kinetic_energy + sim.potential_energy, abs=1e-12)
    assert energy.contact == pytest.approx(-0.5, rel=0.02)
    assert energy.actuators == 0 and energy.damping == 0
    assert energy.numerical_loss == pytest.approx(0, abs=1e-3)
    assert energy.end == pytest.approx(energy.start + energy.contact - energy.numerical_loss, abs=1e-9)
    assert sim.q[0] == pytest.approx(1 / (2 * 0.5 * G), rel=0.01)  # v^2/(2 mu g)


def test_the_audit_closes_for_a_heap_that_falls() -> None:
    heap = [fs.cube(f"box{i}", (0.01 * i, 0, 0.06 + 0.12 * i)) for i in range(4)]
    text = fs.scene(fs.LEVEL, fs.materials(2e5, 10.0, 0.5), "bodies:", *heap, fs.FLOOR)
    sim = simulator(text, anchored(time_step=1e-3), solver_tolerance=1e-9)
    sim.advance_to(0.7)
    energy = sim.report.energy
    assert energy.contact < -0.1 and energy.end < energy.start and energy.numerical_loss is not None
    assert energy.end == pytest.approx(energy.start + energy.actuators + energy.damping + energy.contact - energy.numerical_loss, abs=1e-6)


# ------------------------------------------------------------------------------------------------------------------ memory
MEMORY = [anchored(accuracy=1e-3), anchored(time_step=5e-3)]
CLUTTER = ROOT / "cases" / "C5_hard_clutter" / "scene.yaml"


@pytest.mark.parametrize("options", MEMORY, ids=named)
@pytest.mark.parametrize("friction", [0.5, 0.99 * fs.STEEPNESS], ids=["sticks", "slips"])
def test_saved_runs_go_on_the_same_bit_for_bit(friction: float, options: Options) -> None:
    text = fs.slope(friction, count=2)
    sim = simulator(text, options)
    for _ in range(12):
        sim.step()
    saved, twin = sim.state, sim.copy()
    sim.advance_to(2)
    end = sim.state
    twin.advance_to(2)
    assert twin.state == end
    sim.state = saved
    sim.advance_to(2)
    assert sim.state == end
    fresh = simulator(text, options)
    fresh.state = pickle.loads(pickle.dumps(saved))
    assert fresh.state == saved
    fresh.advance_to(2)
    assert fresh.state == end


# At rest on the slope the springs carry 3.4 N. A state with the same time, q and v that never touched anything has springs at rest: the box sags once more.
def test_memory_is_part_of_the_state() -> None:
    options = anchored(time_step=5e-3)
    sim = simulator(fs.slope(0.5), options)
    sim.advance_to(2)
    settled = sim.state
    forgetful = simulator(fs.slope(0.5), options).state
    forgetful.time, forgetful.q, forgetful.v = settled.time, settled.q, settled.v
    assert forgetful != settled and forgetful.hash != settled.hash
    sim.advance_to(2.5)
    assert abs(sim.q[0] - settled.q[0]) < MICROMETRE
    sim.state = forgetful
    sim.advance_to(2.5)
    assert sim.q[0] - settled.q[0] > 20 * MICROMETRE


# A contact that opens forgets: the box set down again on its place sags from there.
def test_a_box_that_is_lifted_forgets() -> None:
    options = anchored(time_step=1e-3)
    sim = simulator(fs.slope(0.5), options)
    sim.advance_to(1)
    sim.q[2] += 1e-2
    sim.v[:] = 0
    sim.step()
    assert np.abs(sim.contacts["force"]).max(initial=0.0) == 0
    lifted = sim.state
    untouched = simulator(fs.slope(0.5), options).state
    untouched.time, untouched.q, untouched.v = lifted.time, lifted.q, lifted.v
    assert lifted == untouched


@pytest.mark.parametrize("options", [anchored(accuracy=1e-2), anchored(time_step=2e-3)], ids=named)
def test_runs_are_the_same_bit_for_bit_for_any_number_of_threads(options: Options) -> None:
    model = ss.load(CLUTTER)
    ends = []
    for threads in (1, 1, 2):
        sim = ss.Simulator(model, **options, threads=threads)
        sim.advance_to(0.5)
        ends.append(sim.state)
    assert ends[1] == ends[0] and ends[2] == ends[0]
