"""The life of a recorder: it begins, records and ends with its simulator, whatever happens to that, and keeps what was computed."""

from __future__ import annotations

import gc
import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stickslip as ss
from numpy.typing import NDArray

from recording_scenes import MIXED, PENDULUM, SLIDER, bounded, finish, journal, mixed, python, same_bits


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
