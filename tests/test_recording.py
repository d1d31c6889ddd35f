"""Recordings: what a run went through comes back from its file bit for bit, and runs again to the same bits.

docs/formats/recording.md says what is in the file; these tests read it with h5py, too, which nobody here wrote.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import stickslip as ss

from recording_scenes import SCENES, differences, journal, mixed, recorded, same_bits, text

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
    "contacts/largest_force": ("M",),
    "contacts/largest_pair_force": ("M",),
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
} | {f"contacts/{name}": "float32" for name in ("point", "normal", "force", "slip", "depth", "largest_force", "largest_pair_force")}


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
    assert set(contacts[-1].dtype.names) | {"sample", "largest_force", "largest_pair_force"} == set(run.contacts.dtype.names)


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
    """But for forces, which are means since the sample before: tests/test_contact_forces.py."""
    every = ss.simulate(mixed(), until=0.4)
    run = recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.4, rate=200)
    for i in (3, 40, 79):
        # Round-off of 13 products.
        assert run.energy.kinetic[i] == pytest.approx(0.5 * run.v[i] @ run.model.mass_matrix(run.q[i]) @ run.v[i], rel=1e-12)
        step = int(np.searchsorted(every.t, run.t[i]))  # the first that ends there or later
        own = run.contacts_at(i)
        for steps_own in every.contacts_at(step):
            assert any(all(same_bits(c[f], steps_own[f]) for f in ("body_a", "body_b", "point", "normal", "depth", "slip", "mode")) for c in own)


@pytest.mark.parametrize("rate", [0, -5, float("nan"), float("inf")])
def test_rates_that_make_no_sense_are_refused(rate: float, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="rate"):
        ss.Simulator(mixed()).record(tmp_path / "run.h5", rate=rate)
    assert list(tmp_path.iterdir()) == []
