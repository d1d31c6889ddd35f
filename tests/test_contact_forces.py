"""Contact forces of samples: means over the interval since the sample before, so that no hit is lost between two of them, and the largest beside them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import stickslip as ss

from recording_scenes import EXAMPLES, boxes, mixed, recorded, same_bits

BALL = EXAMPLES / "bouncing_ball.yaml"
# Forces are in single precision, and sums of some hundred of them.
SINGLE = 1e-5


def impulses(run: ss.Trajectory, until: float) -> dict[tuple[int, int], np.ndarray]:
    """Of each pair of bodies: force times interval, summed over the samples until then."""
    found: dict[tuple[int, int], np.ndarray] = {}
    for i in range(1, len(run.t)):
        if run.t[i] > until + 1e-12:
            break
        for contact in run.contacts_at(i):
            pair = (int(contact["body_a"]), int(contact["body_b"]))
            found[pair] = found.get(pair, np.zeros(3)) + contact["force"].astype(float) * (run.t[i] - run.t[i - 1])
    return found


def impulses_of_steps(every: ss.Trajectory, until: float) -> dict[tuple[int, int], np.ndarray]:
    """The same of a run whose every step is a sample; of the step that `until` lies in, its part."""
    found: dict[tuple[int, int], np.ndarray] = {}
    for i, step in enumerate(every.steps, start=1):
        held = min(step["h"], until - step["time"])
        if held <= 0:
            break
        for contact in every.contacts_at(i):
            pair = (int(contact["body_a"]), int(contact["body_b"]))
            found[pair] = found.get(pair, np.zeros(3)) + contact["force"].astype(float) * held
    return found


def assert_same_impulses(got: dict[tuple[int, int], np.ndarray], expected: dict[tuple[int, int], np.ndarray]) -> None:
    scale = sum(np.linalg.norm(x) for x in expected.values())
    assert got.keys() == expected.keys() and scale > 0
    for pair, impulse in expected.items():
        assert np.linalg.norm(got[pair] - impulse) < SINGLE * scale, pair


# ------------------------------------------------------------------------------------------------------------------------ the first act
def test_the_first_bounces_of_the_ball_are_in_sixty_samples_a_second() -> None:
    every = ss.simulate(ss.load(BALL), until=2.0)
    hit = every.t[1:][[len(every.contacts_at(i)) > 0 for i in range(1, len(every.t))]]
    starts = [hit[0], *(hit[1:][np.diff(hit) > 0.05])][:3]  # bounces are more than 0.05 s apart, and last 5 ms
    run = ss.simulate(ss.load(BALL), until=2.0, sample_rate=60)
    for start in starts:
        sample = int(np.searchsorted(run.t, start))
        found = run.contacts_at(sample)
        down = -found["force"][0, 2]  # on the floor
        assert len(found) == 1 and down > 0 and found["largest_force"][0] > 2 * down
    mass = run.model.mass_matrix(run.q[0])[0, 0]
    last = int(np.searchsorted(run.t, starts[2])) - 2  # between two bounces: no step with contact reaches over it
    up = -sum(contact[2] for contact in impulses(run, run.t[last]).values())
    # The impulse of all contact is the momentum gained but for weight; steps are accurate to 1e-3.
    assert up == pytest.approx(mass * (run.v[last, 2] - run.v[0, 2] + 9.81 * run.t[last]), rel=1e-3)


SCENES: dict[str, tuple[Any, dict[str, Any], float]] = {
    "ball": (lambda: ss.load(BALL), {}, 1.5),
    "mixed": (mixed, {}, 0.5),
    "fixed steps": (mixed, {"time_step": 3e-3}, 0.5),
    "gripper": (lambda: ss.load(EXAMPLES / "gripper.yaml"), {}, 1.0),
    "falling boxes": (lambda: ss.from_string(boxes(6)), {"accuracy": 1e-2}, 0.6),
}


# Samples far between, and many within a step.
@pytest.mark.parametrize(("name", "rate"), [*((name, rate) for name in SCENES for rate in (7.0, 60.0, 997.0)), ("mixed", 20_000.0)])
def test_at_any_rate_forces_times_intervals_are_the_impulses(name: str, rate: float) -> None:
    make, options, until = SCENES[name]
    model = make()
    every = ss.simulate(model, until=until, **options)
    run = ss.simulate(model, until=until, sample_rate=rate, **options)
    end = float(run.t[-1])
    assert_same_impulses(impulses(run, end), impulses_of_steps(every, end))
    # The largest of the intervals together is the largest of the steps they cover.
    covered = every.contacts[every.t[every.contacts["sample"] - 1] < end - 1e-9]
    for field in ("largest_force", "largest_pair_force"):
        assert run.contacts[field].max() == covered[field].max()


def test_every_step_as_a_sample_has_the_forces_of_the_step() -> None:
    run = ss.simulate(mixed(), until=0.4)
    size = np.linalg.norm(run.contacts["force"].astype(float), axis=1)
    np.testing.assert_allclose(run.contacts["largest_force"], size, rtol=1e-6)
    for i in range(1, len(run.t)):
        contacts = run.contacts_at(i)
        for pair in {(int(c["body_a"]), int(c["body_b"])) for c in contacts}:
            own = contacts[(contacts["body_a"] == pair[0]) & (contacts["body_b"] == pair[1])]
            np.testing.assert_allclose(own["largest_pair_force"], np.linalg.norm(own["force"].astype(float).sum(axis=0)), rtol=1e-5)


def test_what_rests_presses_with_its_weight_at_any_rate() -> None:
    model = ss.from_string("bodies:\n  - {name: box, mass: 3, geometry: [{box: {size: [1, 1, 1]}}], pose: {position: [0, 0, 0.5]}}\n  - {name: floor, fixed: true, geometry: [{half_space: {}}]}\n")
    run = ss.simulate(model, until=3.0, sample_rate=13)
    force = sum(contact["force"].astype(float) for contact in run.contacts_at(-1))
    assert -force[2] == pytest.approx(3 * 9.81, rel=1e-3)  # on the floor; the accuracy of the run
    assert run.contacts_at(-1)["largest_pair_force"][0] == pytest.approx(3 * 9.81, rel=1e-2)


def test_constraint_forces_are_means_too() -> None:
    """An arm that strikes its limit within a millisecond."""
    every = ss.simulate(mixed(), until=0.5)
    run = ss.simulate(mixed(), until=0.5, sample_rate=50)
    mean = (run.constraint_forces[1:] * np.diff(run.t)[:, None]).sum(axis=0)
    held = np.minimum(every.steps["h"], run.t[-1] - every.steps["time"]).clip(0)
    expected = (every.constraint_forces[1:] * held[:, None]).sum(axis=0)
    np.testing.assert_allclose(mean, expected, atol=1e-9 * np.abs(expected).max())



def test_recorded_saved_and_in_memory_they_are_the_same(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.4, rate=60)
    memory = ss.simulate(mixed(), until=0.4, sample_rate=60)
    assert same_bits(run.contacts, memory.contacts) and run.verify().ok
    with h5py.File(tmp_path / "run.h5") as file:
        assert file.attrs["version"] == 1  # older programs read it, but for the largest
        assert same_bits(file["contacts/largest_force"][:], run.contacts["largest_force"])


def test_recordings_of_earlier_versions_load(tmp_path: Path) -> None:
    recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.4)
    new = ss.load_recording(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        del file["contacts/largest_force"], file["contacts/largest_pair_force"]
    old = ss.load_recording(tmp_path / "run.h5")
    assert all(same_bits(old.contacts[name], new.contacts[name]) for name in new.contacts.dtype.names) and old.verify().ok
    old.save(tmp_path / "again.h5")
    assert same_bits(ss.load_recording(tmp_path / "again.h5").contacts, new.contacts)


@pytest.mark.parametrize("damage", ["one of them is missing", "too short", "not a number"])
def test_largest_forces_that_do_not_fit_are_refused(damage: str, tmp_path: Path) -> None:
    recorded(tmp_path / "run.h5", ss.Simulator(mixed()), 0.2)
    with h5py.File(tmp_path / "run.h5", "r+") as file:
        if damage == "not a number":
            file["contacts/largest_force"][0] = np.nan
        else:
            values = file["contacts/largest_pair_force"][:-1]
            del file["contacts/largest_pair_force"]
            if damage == "too short":
                file["contacts/largest_pair_force"] = values
    with pytest.raises(ss.RecordingError, match=r"largest_pair_force|not finite"):
        ss.load_recording(tmp_path / "run.h5")


# --------------------------------------------------------------------------------------------------------------------- what is made of it
def test_plots_show_the_largest_where_it_is_more_than_the_mean() -> None:
    pytest.importorskip("matplotlib").use("agg")
    (axes,) = ss.simulate(ss.load(BALL), until=1.0, sample_rate=60).plot("forces").axes
    mean, largest = axes.patches
    assert mean.get_label() == "ball – floor" and largest.get_linestyle() == ":"
    assert np.nanmax(largest.get_data()[0]) > 2 * np.nanmax(mean.get_data()[0]) > 0  # type: ignore[attr-defined]


def test_tables_have_the_largest_too() -> None:
    pytest.importorskip("pandas")
    run = ss.simulate(ss.load(BALL), until=1.0, sample_rate=60)
    table = run.to_pandas("contacts")
    for field in ("largest_force", "largest_pair_force"):
        assert np.array_equal(table[field], run.contacts[field])
