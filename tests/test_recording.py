"""Recordings: what a run went through comes back from its file bit for bit, and runs again to the same bits.

docs/formats/recording.md says what is in the file; these tests read it with h5py, too, which nobody here wrote.
"""

from __future__ import annotations

import csv
import gc
import json
import os
import shutil
import signal
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import stickslip as ss
from numpy.typing import NDArray

from recording_scenes import (
    EXAMPLES,
    JOINTS,
    MESHES,
    MIXED,
    MOCAP,
    PENDULUM,
    SCENES,
    SLIDER,
    bounded,
    datasets,
    differences,
    finish,
    journal,
    mixed,
    put_text,
    python,
    same_bits,
    text,
)

FLOAT32 = 2.0**-23  # float32 has 24 bits: half an ulp of rounding, and as much again for the comparison
SHAPES = {  # N: samples, K: steps, M: contacts; docs/formats/recording.md
    "t": ("N",),
    "q": ("N", "nq"),
    "v": ("N", "nv"),
    "ctrl": ("N", "nu"),
    "z": ("N", "nz"),
    "mocap": ("N", "mocap"),
    "constraint_forces": ("N", "nv"),
    "energy/kinetic": ("N",),
    "energy/potential": ("N",),
    "energy/elastic": ("N",),
    "contacts/start": ("N+1",),
    "contacts/body_a": ("M",),
    "contacts/body_b": ("M",),
    "contacts/point": ("M", "3"),
    "contacts/normal": ("M", "3"),
    "contacts/force": ("M", "3"),
    "contacts/slip": ("M", "3"),
    "contacts/depth": ("M",),
    "contacts/mode": ("M",),
    "steps/time": ("K",),
    "steps/h": ("K",),
    "steps/error": ("K",),
    "steps/target": ("K",),
    "steps/hash": ("K",),
}
TYPES = {
    "contacts/start": "int64",
    "contacts/body_a": "int32",
    "contacts/body_b": "int32",
    "contacts/mode": "uint8",
    "steps/hash": "uint64",
} | {f"contacts/{name}": "float32" for name in ("point", "normal", "force", "slip", "depth")}


def recorded(path: Path, sim: ss.Simulator, until: float, **options: Any) -> ss.Trajectory:
    with sim.record(path, **options):
        sim.advance_to(until)
    return ss.load_recording(path)


# ----------------------------------------------------------------------------------------------------------------- the whole circle
@pytest.mark.parametrize("name", SCENES)
def test_a_run_comes_back_bit_for_bit_and_runs_again_to_the_same_bits(name: str, tmp_path: Path) -> None:
    build, options, until = SCENES[name]
    model = build()
    plain = ss.simulate(model, until=until, **options)
    run = ss.simulate(model, until=until, record=tmp_path / "run.h5", **options)
    assert run.state == plain.state and not differences(run, plain)  # recording changes nothing
    assert not journal(tmp_path / "run.h5").exists()
    loaded = ss.load_recording(tmp_path / "run.h5")
    assert isinstance(loaded, ss.Trajectory)
    assert not differences(loaded, plain)
    assert loaded.complete and loaded.sample_rate is None
    checked = loaded.verify()
    assert checked.ok and checked.first_difference is None, checked.message
    assert checked.steps == len(loaded.steps) == plain.report.steps
    again = plain.verify()
    assert again.ok and again.steps == plain.report.steps, again.message


@pytest.mark.parametrize("name", SCENES)
def test_the_model_of_a_recording_is_the_one_that_ran(name: str, tmp_path: Path) -> None:
    build, options, _ = SCENES[name]
    model = build()
    ss.Simulator(model, **options).record(tmp_path / "run.h5").close()
    back = ss.load_recording(tmp_path / "run.h5").model
    assert (back.name, back.nq, back.nv, back.nu) == (model.name, model.nq, model.nv, model.nu)
    for names in ("body_names", "joint_names", "frame_names", "actuator_names", "keyframe_names"):
        assert getattr(back, names) == getattr(model, names)
    for body in model.body_names:
        a, b = back.body(body), model.body(body)
        assert (a.mass, a.parent) == (b.mass, b.parent)
        assert same_bits(a.inertia, b.inertia) and same_bits(a.center_of_mass, b.center_of_mass)
    for joint in model.joint_names:
        a, b = back.joint(joint), model.joint(joint)
        for field in ("type", "parent", "child", "q_start", "nq", "v_start", "nv", "lower", "upper", "velocity_limit", "effort_limit", "dry_friction"):
            assert getattr(a, field) == getattr(b, field)
    for key in model.keyframe_names:
        assert back.keyframe(key) == model.keyframe(key)
    assert same_bits(back.q0, model.q0) and same_bits(back.v0, model.v0) and same_bits(back.gravity, model.gravity)
    if model.nv:
        q, v = np.asarray(model.q0), np.linspace(-1, 1, model.nv)
        assert same_bits(back.mass_matrix(q), model.mass_matrix(q)) and same_bits(back.bias_force(q, v), model.bias_force(q, v))


# --------------------------------------------------------------------------------------------------------------------- what is in it
def test_the_file_has_the_datasets_shapes_and_types_of_its_page(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    sim.add(ss.System(2, lambda t, q, v, z: -z, z0=[1, 2]))
    run = recorded(tmp_path / "run.h5", sim, 0.4)
    with h5py.File(tmp_path / "run.h5") as file:
        n, k, m = len(file["t"]), len(file["steps/time"]), len(file["contacts/depth"])
        assert k == n - 1 == sim.report.steps and m > 10
        sizes = {"N": n, "N+1": n + 1, "K": k, "M": m, "3": 3, "nq": 15, "nv": 13, "nu": 1, "nz": 2, "mocap": 0}
        for name, shape in SHAPES.items():
            assert file[name].shape == tuple(sizes[s] for s in shape), name
            assert file[name].dtype == np.dtype(TYPES.get(name, "float64")), name
        assert file.attrs["format"] in ("stickslip-recording", b"stickslip-recording")
        assert file.attrs["version"] == 1 and file.attrs["complete"] == 1 and file.attrs["sample_rate"] == 0
        assert file.attrs["stickslip_version"] in (ss.__version__, ss.__version__.encode())
        assert [x.decode() for x in file["model/body_names"]] == sim.model.body_names
        assert [x.decode() for x in file["model/joint_names"]] == sim.model.joint_names == ["crate", "ball", "hinge"]
        assert [x.decode() for x in file["model/actuator_names"]] == ["motor"]
        assert [x.decode() for x in file["model/joint_type"]] == ["free", "free", "revolute"]
        for name, column in {"q_start": [0, 7, 14], "nq": [7, 7, 1], "v_start": [0, 6, 12], "nv": [6, 6, 1]}.items():
            assert list(file[f"model/{name}"]) == column and file[f"model/{name}"].dtype == np.int32
        assert file.attrs["systems"] == 1
        assert json.loads(text(file, "options"))["method"] == "cenic"
        assert json.loads(text(file, "report"))["status"] == "ok" and json.loads(text(file, "report"))["steps"] == k
        json.loads(text(file, "scene"))
        assert file["contacts/start"][0] == file["contacts/start"][1] == 0 and file["contacts/start"][-1] == m
        assert same_bits(file["t"][()], run.t) and same_bits(file["q"][()], run.q)
        assert set(np.unique(file["contacts/mode"])) <= {1, 2}


def test_every_step_is_a_sample_at_its_end(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    twin = sim.copy()
    states = [twin.state]
    while twin.time < 0.3:
        twin.step()
        states.append(twin.state)
    with sim.record(tmp_path / "run.h5") as recorder:
        for _ in states[1:]:
            sim.step()
        assert recorder.samples == len(states)
    run = ss.load_recording(tmp_path / "run.h5")
    assert same_bits(run.t, [s.time for s in states])
    assert same_bits(run.q, [s.q for s in states]) and same_bits(run.v, [s.v for s in states])
    assert len(run.steps) == len(states) - 1
    assert same_bits(run.steps["time"], run.t[:-1])
    # Times are sums of steps, rounded once: half an ulp of 0.3 s; a step that is a difference of times is rounded, too.
    assert np.abs(run.steps["time"] + run.steps["h"] - run.t[1:]).max() <= 2**-53
    assert np.all(run.steps["target"] == np.inf)
    assert len(set(run.steps["hash"].tolist())) == len(run.steps)


def test_steps_know_where_they_had_to_end_and_how_wrong_they_were(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed(), accuracy=1e-3)
    with sim.record(tmp_path / "run.h5"):
        sim.advance_to(0.1)
        sim.advance_to(0.25)
        sim.step()
    steps = ss.load_recording(tmp_path / "run.h5").steps
    assert list(steps["target"][steps["time"] < 0.1]) == [0.1] * int(np.sum(steps["time"] < 0.1))
    between = (steps["time"] >= 0.1) & (steps["time"] < 0.25)
    assert between.sum() > 0 and np.all(steps["target"][between] == 0.25)
    assert steps["target"][-1] == np.inf
    assert same_bits(sim.report.history[:, 2], steps["error"]) and steps["error"].max() > 0
    fixed = ss.simulate(mixed(), until=0.1, method="lagged", time_step=1e-3)
    assert np.all(fixed.steps["error"] == 0)


def test_contacts_energies_and_constraint_forces_are_those_of_the_simulator(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    sim.ctrl[0] = 8.0  # the arm leans against its limit
    contacts, energies, forces = [sim.contacts], [(sim.kinetic_energy, sim.potential_energy)], [np.zeros(13)]
    with sim.record(tmp_path / "run.h5"):
        while sim.time < 0.4:
            sim.step()
            contacts.append(sim.contacts)
            energies.append((sim.kinetic_energy, sim.potential_energy))
            forces.append(np.concatenate([sim.joint(j).constraint_force for j in range(3)]))
    run = ss.load_recording(tmp_path / "run.h5")
    assert np.array_equal(run.constraint_forces, forces) and np.abs(run.constraint_forces[:, 12]).max() > 0.1
    kinetic, potential = np.array(energies).T
    # Sums in another order: round-off of energies of some tens of joules.
    assert run.energy.kinetic == pytest.approx(kinetic, rel=1e-12, abs=1e-12)
    # What friction holds is known from the step that ended there, not measured again: to first order in the step.
    with h5py.File(tmp_path / "run.h5") as file:
        friction = file["energy/friction"][:]
    assert friction.min() >= 0 and friction.max() > 1e-3
    assert run.energy.potential + run.energy.elastic == pytest.approx(potential, rel=1e-12, abs=0.2 * friction.max())
    touching = friction > 0
    assert (run.energy.potential + run.energy.elastic)[~touching] == pytest.approx(potential[~touching], rel=1e-12)
    assert run.energy.total == pytest.approx(kinetic + run.energy.potential + run.energy.elastic, rel=1e-12, abs=1e-12)
    assert run.energy.elastic.min() >= 0 and run.energy.elastic.max() > 1e-4
    assert run.energy.elastic[0] == 0  # nothing touches yet
    assert len(run.contacts_at(0)) == 0
    seen = 0
    for i, expected in enumerate(contacts[1:], start=1):
        expected = expected[expected["mode"] != 0]  # open ones carry no force and are not recorded
        got = run.contacts_at(i)
        assert len(got) == len(expected), i
        seen += len(got)
        for field in expected.dtype.names:
            # Every number was rounded to float32 once.
            np.testing.assert_allclose(got[field], expected[field], rtol=FLOAT32, atol=1e-38)
    assert seen == len(run.contacts) > 10
    assert same_bits(run.contacts["sample"], np.repeat(np.arange(len(run.t)), [len(run.contacts_at(i)) for i in range(len(run.t))]))
    assert set(contacts[-1].dtype.names) | {"sample"} == set(run.contacts.dtype.names)


def test_contacts_can_be_left_out(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.3, contacts=False)
    assert len(run.contacts) == 0 and len(run.contacts_at(len(run.t) - 1)) == 0
    assert same_bits(run.q, ss.simulate(mixed(), until=0.3).q)
    assert run.verify().ok


def test_indices_of_samples_count_as_in_lists(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.3)
    with pytest.raises(IndexError):
        run.contacts_at(len(run.t))


# ----------------------------------------------------------------------------------------------------------------------- rates
@pytest.mark.parametrize("options", [{}, {"method": "lagged", "time_step": 7e-3}], ids=["cenic", "lagged"])
def test_samples_at_a_rate_are_those_of_simulate_and_the_steps_stay_the_same(options: dict[str, Any], tmp_path: Path) -> None:
    rate = 130
    run = recorded(tmp_path / "run.h5", ss.Simulator(mixed(), **options), 0.5, rate=rate)
    assert run.sample_rate == rate
    assert np.abs(run.t - np.arange(66) / rate).max() <= 2**-53  # k/rate or k (1/rate): an ulp below 0.5
    sampled = ss.simulate(mixed(), until=0.5, sample_rate=rate, **options)
    assert same_bits(run.t, sampled.t) and same_bits(run.q, sampled.q) and same_bits(run.v, sampled.v)
    saved = ss.simulate(mixed(), until=0.5, sample_rate=rate, record=tmp_path / "other.h5", **options)
    assert not differences(saved, sampled) and not differences(ss.load_recording(tmp_path / "other.h5"), sampled)
    every = ss.simulate(mixed(), until=0.5, **options)
    for field in every.steps.dtype.names:
        assert same_bits(run.steps[field], every.steps[field])  # whatever the rate
    assert run.verify().ok and run.verify().steps == len(every.steps)


def test_a_sample_between_steps_has_its_own_energy_and_the_contacts_of_its_step(tmp_path: Path) -> None:
    every = ss.simulate(mixed(), until=0.4)
    run = recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.4, rate=200)
    for i in (3, 40, 79):
        # Round-off of 13 products.
        assert run.energy.kinetic[i] == pytest.approx(0.5 * run.v[i] @ run.model.mass_matrix(run.q[i]) @ run.v[i], rel=1e-12)
        step = int(np.searchsorted(every.t, run.t[i]))  # the first that ends there or later
        assert same_bits(run.constraint_forces[i], every.constraint_forces[step])
        own, steps_own = run.contacts_at(i), every.contacts_at(step)
        assert all(same_bits(own[f], steps_own[f]) for f in own.dtype.names if f != "sample")


@pytest.mark.parametrize("rate", [0, -5, float("nan"), float("inf")])
def test_rates_that_make_no_sense_are_refused(rate: float, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="rate"):
        ss.Simulator(mixed()).record(tmp_path / "run.h5", rate=rate)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------------------------ the life of a recorder
def test_a_recorder_records_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    sim = ss.Simulator(mixed())
    recorder = sim.record(path)
    assert (recorder.samples, recorder.closed, Path(recorder.path)) == (1, False, path)
    assert journal(path).exists() and not path.exists()
    sim.step()
    sim.step()
    assert recorder.samples == 3
    recorder.close()
    recorder.close()
    assert recorder.closed and recorder.samples == 3 and path.exists() and not journal(path).exists()
    sim.step()
    assert recorder.samples == 3 and len(ss.load_recording(path).t) == 3
    with sim.record(path) as second:  # again, to the same name
        sim.step()
    assert second.closed and len(ss.load_recording(path).t) == 2
    assert ss.load_recording(path).t[0] > 0  # it began in the middle of the run
    assert ss.load_recording(path).verify().ok


def test_a_recorder_nobody_keeps_goes_on(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    sim.record(tmp_path / "run.h5")
    gc.collect()
    for _ in range(10):
        sim.step()
    del sim
    gc.collect()
    assert len(ss.load_recording(tmp_path / "run.h5").t) == 11


@pytest.mark.parametrize("first", ["sim", "recorder"])
def test_deleting_simulator_and_recorder_ends_the_recording(first: str, tmp_path: Path) -> None:
    things: dict[str, Any] = {"sim": ss.Simulator(mixed())}
    things["recorder"] = things["sim"].record(tmp_path / "run.h5")
    things["sim"].advance_to(0.05)
    del things[first]
    gc.collect()
    things.clear()
    gc.collect()
    assert not journal(tmp_path / "run.h5").exists()
    run = ss.load_recording(tmp_path / "run.h5")
    assert run.complete and run.t[-1] == 0.05


def test_two_recorders_of_one_run_do_not_disturb_each_other(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    with sim.record(tmp_path / "a.h5"):
        sim.advance_to(0.1)
        with sim.record(tmp_path / "b.h5", rate=100):
            sim.advance_to(0.2)
        sim.advance_to(0.3)
    a, b = ss.load_recording(tmp_path / "a.h5"), ss.load_recording(tmp_path / "b.h5")
    assert (a.t[0], a.t[-1]) == (0, 0.3) and b.t[0] == 0.1 and b.t[-1] <= 0.2
    assert a.verify().ok and b.verify().ok
    inside = (a.steps["time"] >= 0.1) & (a.steps["time"] < 0.2)
    assert same_bits(a.steps["hash"][inside], b.steps["hash"])


def test_a_copied_simulator_is_not_recorded(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    with sim.record(tmp_path / "run.h5") as recorder:
        sim.step()
        twin = sim.copy()
        for _ in range(5):
            twin.step()
        assert recorder.samples == 2
        del twin
        gc.collect()
        assert not recorder.closed
        sim.step()
    assert len(ss.load_recording(tmp_path / "run.h5").t) == 3


def test_a_recording_without_steps_has_the_start_alone(tmp_path: Path) -> None:
    ss.Simulator(mixed()).record(tmp_path / "run.h5").close()
    run = ss.load_recording(tmp_path / "run.h5")
    assert len(run.t) == 1 and len(run.steps) == 0 and len(run.contacts) == 0
    assert run.verify().ok and run.verify().steps == 0


def test_a_recording_stays_in_the_folder_where_it_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    sim = ss.Simulator(mixed())
    recorder = sim.record("run.h5")
    monkeypatch.chdir(tmp_path / "elsewhere")
    sim.step()
    recorder.close()
    assert os.listdir(tmp_path / "elsewhere") == []
    assert len(ss.load_recording(str(tmp_path / "run.h5")).t) == 2


def test_places_that_cannot_be_written_are_refused_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "folder.h5").mkdir()
    for path in (tmp_path / "nowhere" / "run.h5", tmp_path / "folder.h5"):
        with pytest.raises((ss.RecordingError, OSError), match=path.name):
            ss.Simulator(mixed()).record(path)
        with pytest.raises((ss.RecordingError, OSError), match=path.name):
            ss.simulate(mixed(), until=1e9, record=path)  # it would not end


def test_an_exception_in_the_with_block_keeps_what_was_computed(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    with pytest.raises(RuntimeError, match="enough"), sim.record(tmp_path / "run.h5"):
        sim.advance_to(0.1)
        raise RuntimeError("enough")
    assert ss.load_recording(tmp_path / "run.h5").t[-1] == 0.1


def test_a_controller_that_raises_keeps_what_was_computed(tmp_path: Path) -> None:
    def output(t: float, q: NDArray[np.float64], v: NDArray[np.float64], z: NDArray[np.float64]) -> NDArray[np.float64]:
        if t > 0.045:
            raise ArithmeticError("no signal")
        return np.zeros(1)

    path = tmp_path / "run.h5"
    with pytest.raises(ArithmeticError, match="no signal"):
        ss.simulate(ss.from_string(SLIDER), until=1, method="lagged", time_step=0.01, systems=[ss.System(output=output)], record=path)
    run = ss.load_recording(path)
    # The step to 0.05 s may ask for forces at either of its ends.
    assert len(run.t) in (5, 6) and run.t[-1] == pytest.approx(0.01 * (len(run.t) - 1), abs=1e-15)
    assert not journal(path).exists()


def test_a_run_that_cannot_go_on_is_recorded_with_its_status(tmp_path: Path) -> None:
    sim = ss.Simulator(ss.from_string(SLIDER), time_step=0.01)
    sim.add(ss.System(output=lambda t, q, v, z: [np.nan if t > 0.045 else 0.0]))
    with pytest.raises(ss.SimulationStopped), sim.record(tmp_path / "run.h5"):
        sim.advance_to(1)
    run = ss.load_recording(tmp_path / "run.h5")
    assert run.report.status == "not-finite" and run.complete and run.t[-1] == sim.time


ENDLESS = """
import sys
import stickslip as ss
model = ss.from_string(open(sys.argv[1]).read())
sim = ss.Simulator(model, time_step=1e-3)
try:
    print("begins", flush=True)
    if sys.argv[3] == "simulate":
        ss.simulate(model, until=1e9, time_step=1e-3, record=sys.argv[2])
    with sim.record(sys.argv[2]):
        sim.advance_to(1e9)
except KeyboardInterrupt:
    print(repr(sim.time))
"""


@pytest.mark.parametrize("call", ["advance_to", "simulate"])
def test_ctrl_c_keeps_the_recording(call: str, tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    (tmp_path / "scene.yaml").write_text(MIXED)
    with bounded(python(ENDLESS, tmp_path / "scene.yaml", path, call)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        latest = time.monotonic() + 20
        while not journal(path).exists() and time.monotonic() < latest:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    run = ss.load_recording(path)
    assert run.complete and 0 < run.t[-1] < 1e9 and not journal(path).exists()
    if call == "advance_to":
        assert run.t[-1] == float(out)
    assert run.verify().ok


def test_the_end_of_the_interpreter_ends_the_recording(tmp_path: Path) -> None:
    script = "import sys, stickslip as ss; sim = ss.Simulator(ss.load(sys.argv[1])); r = sim.record(sys.argv[2]); sim.advance_to(0.1)"
    for ending in ("", "; sys.exit(3)", "; raise RuntimeError('ended')"):
        path = tmp_path / f"run{len(ending)}.h5"
        finish(python(script + ending, PENDULUM, path))
        run = ss.load_recording(path)
        assert run.complete and run.t[-1] == 0.1 and not journal(path).exists()


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


# ------------------------------------------------------------------------------------------------------------------ by itself, anywhere
def test_a_recording_needs_none_of_the_files_it_was_made_of(tmp_path: Path) -> None:
    (tmp_path / "scene").mkdir()
    (tmp_path / "away").mkdir()
    for mesh in ("channel.obj", "wedge.obj"):
        shutil.copy(EXAMPLES / mesh, tmp_path / "scene")
    rows = "time,position\n0,0\n0.2,0.1\n"
    (tmp_path / "scene" / "lift.csv").write_text(rows)
    (tmp_path / "scene" / "scene.yaml").write_text(MESHES + "  - {name: lift, motion: {axis: [0, 0, 1], table: lift.csv}}\n")
    model = ss.load(tmp_path / "scene" / "scene.yaml")
    run = ss.simulate(model, until=0.3, record=tmp_path / "scene" / "run.h5")
    shutil.move(tmp_path / "scene" / "run.h5", tmp_path / "away" / "moved.h5")
    shutil.rmtree(tmp_path / "scene")
    loaded = ss.load_recording(tmp_path / "away" / "moved.h5")
    assert loaded.verify().ok and not differences(loaded, run)
    sim = ss.Simulator(loaded.model)
    sim.advance_to(0.3)
    assert sim.state == run.state


def test_two_runs_give_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        ss.simulate(mixed(), until=0.2, record=tmp_path / f"{name}.h5")
    a, b = datasets(tmp_path / "a.h5"), datasets(tmp_path / "b.h5")
    for found in (a, b):
        found.pop("report")  # it has wall times
    assert a == b


def test_saving_what_was_loaded_gives_the_same_file(tmp_path: Path) -> None:
    sim = ss.Simulator(mixed())
    with sim.record(tmp_path / "a.h5", rate=300):
        sim.advance_to(0.1)
        sim.q[2] += 0.1
        sim.advance_to(0.2)
    ss.load_recording(tmp_path / "a.h5").save(tmp_path / "b.h5")
    assert datasets(tmp_path / "a.h5") == datasets(tmp_path / "b.h5")
    assert ss.load_recording(tmp_path / "b.h5").verify().ok
    again = ss.load_recording(tmp_path / "b.h5")
    again.save(tmp_path / "b.h5")  # over itself
    assert datasets(tmp_path / "a.h5") == datasets(tmp_path / "b.h5")


def test_what_simulate_returns_can_be_saved_later(tmp_path: Path) -> None:
    run = ss.simulate(mixed(), until=0.2, record=tmp_path / "a.h5")
    assert run.complete
    run.save(tmp_path / "b.h5")
    assert datasets(tmp_path / "a.h5") == datasets(tmp_path / "b.h5")
    loaded = ss.load_recording(tmp_path / "b.h5")
    for field in ("status", "method", "steps", "rejected", "time", "h_min", "h_max", "max_penetration"):
        assert getattr(loaded.report, field) == getattr(run.report, field)


def test_an_unknown_suffix_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    run = ss.simulate(mixed(), until=0.01)
    for name in ("run.txt", "run", "run.h5x"):
        with pytest.raises(ValueError, match=r"\.h5.*\.csv"):
            run.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("scene", [MIXED, JOINTS], ids=["mixed", "joints"])
def test_csv_has_every_number_exactly(scene: str, tmp_path: Path) -> None:
    run = ss.simulate(ss.from_string(scene), until=0.2)
    run.save(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "t" and len(set(header)) == len(header) >= 1 + run.model.nq + run.model.nv
    assert len(rows) == len(run.t) and all(len(row) == len(header) for row in rows)
    numbers = np.array(rows, dtype=float)
    # Shortest decimals that read back as the same double.
    assert same_bits(numbers[:, 0], run.t)
    columns = {np.ascontiguousarray(c).tobytes() for c in numbers.T}
    assert all(np.ascontiguousarray(c).tobytes() in columns for c in [*run.q.T, *run.v.T])
    assert "hinge.q" in header and same_bits(numbers[:, header.index("hinge.q")], run.q[:, run.model.joint("hinge").q_start])


def test_names_of_any_letters_come_through(tmp_path: Path) -> None:
    name = 'Kügel, "a/b" 球'
    model = ss.from_string(f"bodies: [{{name: {json.dumps(name, ensure_ascii=False)}, mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}}}]")
    run = ss.simulate(model, until=0.1, record=tmp_path / "läuft 1.h5")
    assert ss.load_recording(tmp_path / "läuft 1.h5").model.body_names == ["world", name]
    run.save(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert f"{name}.x" in header and all(len(row) == len(header) for row in rows)


# ---------------------------------------------------------------------------------------------------------------------------- pandas
def test_tables_have_a_row_a_sample_a_contact_or_a_step(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    run = recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.3)
    lengths = {"states": len(run.t), "contacts": len(run.contacts), "steps": len(run.steps), "energy": len(run.t)}
    for what, length in lengths.items():
        frame = run.to_pandas(what)
        assert isinstance(frame, pandas.DataFrame) and len(frame) == length
    with pytest.raises(ValueError, match="states"):
        run.to_pandas("stats")


def test_tables_without_pandas_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pandas"):
        ss.simulate(mixed(), until=0.01).to_pandas("states")
