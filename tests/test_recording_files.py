"""Recordings as files: they need no others, are the same for the same run, and become CSV and tables of pandas."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import stickslip as ss

from recording_scenes import EXAMPLES, JOINTS, MESHES, MIXED, datasets, differences, mixed, recorded, same_bits


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
