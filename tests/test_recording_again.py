"""Recordings run again: with all that the user wrote between steps, to the same bits; and what was tampered with is found."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import stickslip as ss

from recording_scenes import EXAMPLES, MOCAP, SLIDER, differences, mixed, put_text, recorded, same_bits, text


# -------------------------------------------------------------------------------------------------------------- running it again
def poke_q(sim: ss.Simulator) -> None:
    sim.q[2] += 0.01


def poke_v(sim: ss.Simulator) -> None:
    sim.joint("hinge").v = 0.25


def poke_ctrl(sim: ss.Simulator) -> None:
    sim.ctrl[0] += 0.5


def poke_time(sim: ss.Simulator) -> None:
    sim.time += 0.125


def poke_keyframe(sim: ss.Simulator) -> None:
    sim.state = sim.model.keyframe("high")


def reset(sim: ss.Simulator) -> None:
    sim.reset()


@pytest.mark.parametrize("options", [{}, {"method": "anchored", "time_step": 2e-3}], ids=["cenic", "anchored"])
@pytest.mark.parametrize("poke", [poke_q, poke_v, poke_ctrl, poke_time, poke_keyframe, reset])
def test_what_the_user_writes_between_steps_is_replayed(poke: Callable[[ss.Simulator], None], options: dict[str, Any], tmp_path: Path) -> None:
    sim = ss.Simulator(mixed(), **options)
    ends = []
    with sim.record(tmp_path / "run.h5"):
        for k in range(60):
            if k % 20 == 10:
                poke(sim)
            sim.step()
            ends.append(sim.state)
    run = ss.load_recording(tmp_path / "run.h5")
    assert same_bits(run.q[1:], [s.q for s in ends]) and same_bits(run.ctrl[1:], [s.ctrl for s in ends])
    assert same_bits(run.t[1:], [s.time for s in ends])
    with h5py.File(tmp_path / "run.h5") as file:
        assert list(file["writes/step"]) == [10, 30, 50]
    checked = run.verify()
    assert checked.ok and checked.steps == 60, checked.message


def test_a_state_that_is_put_back_is_replayed_with_what_friction_remembers(tmp_path: Path) -> None:
    sim = ss.Simulator(ss.load(EXAMPLES / "gripper.yaml"))
    with sim.record(tmp_path / "run.h5"):
        sim.advance_to(0.6)
        saved = sim.state
        sim.advance_to(0.8)
        sim.state = saved
        sim.advance_to(0.7)
    run = ss.load_recording(tmp_path / "run.h5")
    assert run.t[-1] == 0.7 and run.t.max() == 0.8
    assert run.verify().ok, run.verify().message


def test_writes_after_the_last_step_are_no_step(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    with sim.record(tmp_path / "run.h5"):
        sim.step()
        last = sim.state
        sim.q[0] = 7
    run = ss.load_recording(tmp_path / "run.h5")
    assert same_bits(run.q[-1], last.q) and run.verify().ok


def test_a_loop_that_controls_every_step_is_replayed(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed(), time_step=2e-3)
    told = [0.0]
    with sim.record(tmp_path / "run.h5"):
        for _ in range(200):
            sim.ctrl[0] = 20 * (0.1 - sim.joint("hinge").q[0]) - 2 * sim.joint("hinge").v[0]
            told.append(float(sim.ctrl[0]))
            sim.step()
    run = ss.load_recording(tmp_path / "run.h5")
    assert same_bits(run.ctrl[:, 0], told)
    assert run.verify().ok and run.verify().steps == 200


def test_mocap_bodies_are_recorded_and_replayed(tmp_path: Path) -> None:
    sim = ss.Simulator(ss.from_string(MOCAP), time_step=2e-3)
    poses = [np.array(sim.mocap)]
    with sim.record(tmp_path / "run.h5"):
        for k in range(100):
            sim.mocap[0] = -0.3 + 1e-3 * k
            poses.append(np.array(sim.mocap))
            sim.step()
    run = ss.load_recording(tmp_path / "run.h5")
    assert run.mocap.shape == (101, 7) and same_bits(run.mocap, poses)
    assert run.q[-1, 0] > -0.1  # pushed
    assert run.verify().ok


def spring(gain: float) -> ss.System:
    return ss.System(1, lambda t, q, v, z: 1 - q, lambda t, q, v, z: gain * (1 - q) + 50 * z - 20 * v, [0.2])


def test_external_systems_are_given_again_to_verify(tmp_path: Path) -> None:
    model = ss.from_string(SLIDER)
    plain = ss.simulate(model, until=0.5, time_step=0.01, systems=[spring(300)])
    ss.simulate(model, until=0.5, time_step=0.01, systems=[spring(300)], record=tmp_path / "run.h5")
    run = ss.load_recording(tmp_path / "run.h5")
    assert run.z.shape == (51, 1) and run.z[0, 0] == 0.2 and not differences(run, plain)
    assert run.verify(systems=[spring(300)]).ok
    without = run.verify()
    assert not without.ok and "system" in without.message
    other = run.verify(systems=[spring(301)])
    assert not other.ok and other.first_difference == 0 and other.message


def test_ready_made_and_ticking_controllers_run_again(tmp_path: Path) -> None:
    model = ss.from_string(SLIDER)

    def systems() -> list[ss.ExternalSystem]:
        return [ss.systems.JointPID(model, ["slide"], kp=300, ki=50, kd=20, target=1), ss.Sampled(70, lambda t, q, v: -3 * v)]

    ss.simulate(model, until=0.5, systems=systems(), record=tmp_path / "run.h5")
    run = ss.load_recording(tmp_path / "run.h5")
    checked = run.verify(systems=systems())
    assert checked.ok and checked.steps == len(run.steps), checked.message


def test_the_last_state_goes_on_where_the_run_ended(tmp_path: Path) -> None:
    sim = ss.Simulator(ss.load(EXAMPLES / "gripper.yaml"))
    loaded = recorded(tmp_path / "run.h5", sim, 0.6)
    assert loaded.state.time == 0.6 and same_bits(loaded.state.q, sim.q) and same_bits(loaded.state.v, sim.v)
    assert loaded.state == sim.state  # with what friction remembers, and the next step
    other = ss.Simulator(loaded.model)
    other.state = loaded.state
    other.advance_to(0.7)
    sim.advance_to(0.7)
    assert other.state == sim.state


def test_options_are_kept(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed(), method="lagged", time_step=5e-3, solver_tolerance=1e-9)
    options = recorded(tmp_path / "run.h5", sim, 0.1).options
    assert isinstance(options, dict)
    assert options["method"] == "lagged" and options["time_step"] == 5e-3 and options["solver_tolerance"] == 1e-9
    options = ss.simulate(mixed(), until=0.1, accuracy=1e-2).options
    assert options["method"] == "cenic" and options["accuracy"] == 1e-2


# -------------------------------------------------------------------------------------------------------------- tampering is found
def poked_run(path: Path) -> int:
    """A run of 60 steps, before the 30th of which the control becomes 0.777; it moves the arm at once."""
    sim = ss.Simulator(mixed(), time_step=2e-3)
    with sim.record(path):
        for k in range(60):
            if k == 30:
                sim.ctrl[0] = 0.777
            sim.step()
    assert ss.load_recording(path).verify().ok
    return 30


def replaced(data: Any, old: float, new: float) -> Any:
    """The same array with the first number whose bits are those of `old` changed; however a state is laid out."""
    array = np.asarray(data)
    raw = array.tobytes()
    assert struct.pack("<d", old) in raw
    changed = raw.replace(struct.pack("<d", old), struct.pack("<d", new), 1)
    return np.frombuffer(changed, dtype=array.dtype).reshape(array.shape)


def found_at(path: Path, step: int) -> None:
    run = ss.load_recording(path)
    checked = run.verify()
    assert not checked.ok and checked.first_difference == step
    assert str(step) in checked.message


def test_a_changed_hash_is_found(tmp_path: Path) -> None:
    poked_run(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        file["steps/hash"][17] ^= np.uint64(1)
    found_at(tmp_path / "run.h5", 17)


def test_a_changed_start_is_found(tmp_path: Path) -> None:
    poked_run(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        file["start"][...] = replaced(file["start"][()], 0.3, np.nextafter(0.3, 1))  # of the hinge
    found_at(tmp_path / "run.h5", 0)


def test_a_changed_write_is_found(tmp_path: Path) -> None:
    step = poked_run(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        row = list(file["writes/step"]).index(step)
        first, last = file["writes/start"][row : row + 2]
        file["writes/numbers"][first:last] = replaced(file["writes/numbers"][first:last], 0.777, 0.778)
    found_at(tmp_path / "run.h5", step)


def test_a_changed_mass_is_found(tmp_path: Path) -> None:
    poked_run(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        scene = text(file, "scene")
        assert "1.375" in scene  # of the arm
        put_text(file, "scene", scene.replace("1.375", "1.5", 1))
    assert ss.load_recording(tmp_path / "run.h5").model.body("arm").mass == 1.5
    found_at(tmp_path / "run.h5", 0)


def test_a_changed_option_is_found(tmp_path: Path) -> None:
    poked_run(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        options = json.loads(text(file, "options"))
        options["time_step"] = 1e-3
        put_text(file, "options", json.dumps(options))
    found_at(tmp_path / "run.h5", 0)


@pytest.mark.parametrize("rate", [None, 100.0], ids=["every step", "100 Hz"])
@pytest.mark.parametrize("name", ["contacts/force", "contacts/depth", "contacts/slip", "contacts/largest_force", "contacts/mode", "energy/kinetic", "energy/potential", "energy/elastic", "energy/friction"])
def test_a_changed_contact_or_energy_is_found(name: str, rate: float | None, tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    ss.simulate(ss.load(EXAMPLES / "bouncing_ball.yaml"), until=1.0, sample_rate=rate, record=path)
    assert ss.load_recording(path).verify().ok
    with h5py.File(path, "r+") as file:
        row = len(file[name]) - 1
        file[name][row] = 3 - file[name][row] if name == "contacts/mode" else file[name][row] * 2 + 1  # 1 sticks, 2 slips
    checked = ss.load_recording(path).verify()
    assert not checked.ok and checked.first_difference is None
    assert ("energies" if "energy" in name else "forces") in checked.message, checked.message


def test_recordings_without_contacts_verify(tmp_path: Path) -> None:
    run = ss.simulate(ss.load(EXAMPLES / "bouncing_ball.yaml"), until=1.0, contacts=False)
    run.save(tmp_path / "run.h5")
    assert run.verify().ok and ss.load_recording(tmp_path / "run.h5").verify().ok


@pytest.mark.parametrize("mass", ["1.0e+300", "1.0e+307"])
def test_energies_beyond_all_numbers_can_be_read(mass: str, tmp_path: Path) -> None:
    """Two seconds of falling: 1e307 kg get more than 1.8e308 J."""
    model = ss.from_string(f"bodies: [{{name: a, mass: {mass}, inertia: {{ixx: 1, iyy: 1, izz: 1}}}}]")
    ss.simulate(model, until=2.0, record=tmp_path / "run.h5")
    read = ss.load_recording(tmp_path / "run.h5")
    assert read.verify().ok
    assert np.isinf(read.energy.kinetic[-1]) == (mass == "1.0e+307")
