"""The command line and recordings: run --record, replay, convert; exit codes and sentences."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
import stickslip as ss

from command_line import PROGRAM, run
from recording_scenes import MIXED, bounded, boxes, journal, same_bits


def one_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Bad input: exit code 2, nothing on stdout, and a few words on stderr that name the thing."""
    assert done.returncode == 2 and done.stdout == "", done
    assert 0 < len(done.stderr.strip().splitlines()) <= 3 and "terminate called" not in done.stderr
    for word in words:
        assert word in done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scene.yaml").write_text(MIXED)
    return tmp_path


@pytest.fixture
def recording(folder: Path) -> Path:
    assert run("run", "scene.yaml", "--until", "0.3", "--record", "run.h5", "--quiet", cwd=folder).returncode == 0
    return folder / "run.h5"


# ------------------------------------------------------------------------------------------------------------------------------- run
def test_run_records_what_python_computes(folder: Path) -> None:
    done = run("run", "scene.yaml", "--until", "0.3", "--record", "run.h5", "--json", cwd=folder)
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["status"] == "ok"
    loaded = ss.load_recording(folder / "run.h5")
    plain = ss.simulate(ss.load(folder / "scene.yaml"), until=0.3)
    assert same_bits(loaded.t, plain.t) and same_bits(loaded.q, plain.q) and same_bits(loaded.v, plain.v)
    assert loaded.complete and len(loaded.steps) == report["steps"] and not journal(folder / "run.h5").exists()
    with h5py.File(folder / "run.h5") as file:
        assert json.loads(file["report"][()]) == report
    assert loaded.verify().ok


def test_recording_changes_no_report(folder: Path) -> None:
    with_file = json.loads(run("run", "scene.yaml", "--until", "0.3", "--json", "--record", "run.h5", cwd=folder).stdout)
    without = json.loads(run("run", "scene.yaml", "--until", "0.3", "--json", cwd=folder).stdout)
    for key in ("status", "method", "steps", "time", "h_median", "max_penetration", "energy"):
        assert with_file[key] == without[key]


def test_quiet_records_without_a_word(folder: Path) -> None:
    done = run("run", "scene.yaml", "--until", "0.1", "--record", "run.h5", "--quiet", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "run.h5").exists()


def test_a_rate_gives_so_many_samples_a_second(folder: Path) -> None:
    done = run("run", "scene.yaml", "--until", "0.5", "--record", "run.h5", "--rate", "100", "--quiet", cwd=folder)
    assert done.returncode == 0
    loaded = ss.load_recording(folder / "run.h5")
    assert loaded.sample_rate == 100 and np.abs(loaded.t - np.arange(51) / 100).max() <= 2**-53  # an ulp of times below 0.5 s
    assert same_bits(loaded.q, ss.simulate(ss.load(folder / "scene.yaml"), until=0.5, sample_rate=100).q)


def test_options_of_the_command_line_are_recorded(folder: Path) -> None:
    run("run", "scene.yaml", "--until", "0.1", "--method", "lagged", "--time-step", "0.005", "--record", "run.h5", "--quiet", cwd=folder)
    loaded = ss.load_recording(folder / "run.h5")
    assert loaded.options["method"] == "lagged" and len(loaded.steps) == 20
    assert run("replay", "--verify", "run.h5", cwd=folder).returncode == 0


def test_places_that_cannot_be_written_are_refused_before_the_run(folder: Path) -> None:
    began = time.monotonic()
    one_sentence(run("run", "scene.yaml", "--until", "1e6", "--record", "nowhere/run.h5", cwd=folder), "nowhere/run.h5")
    (folder / "taken.h5").mkdir()
    one_sentence(run("run", "scene.yaml", "--until", "1e6", "--record", "taken.h5", cwd=folder), "taken.h5")
    one_sentence(run("run", "scene.yaml", "--until", "1e6", "--record", "/proc/run.h5", cwd=folder), "/proc/run.h5")  # nobody may, not even root
    assert time.monotonic() - began < 10  # 1e6 s of simulated time would take longer


@pytest.mark.parametrize("rate", ["0", "-1", "nan", "inf", "fast"])
def test_rates_that_make_no_sense_are_refused(rate: str, folder: Path) -> None:
    done = run("run", "scene.yaml", "--record", "run.h5", "--rate", rate, cwd=folder)
    assert done.returncode == 2 and "rate" in done.stderr
    assert not (folder / "run.h5").exists() and not journal(folder / "run.h5").exists()


def test_a_scene_that_is_wrong_leaves_the_old_recording(recording: Path) -> None:
    old = recording.read_bytes()
    (recording.parent / "bad.yaml").write_text("bodies: [{name: rod, mass: -1}]\n")
    assert run("run", "bad.yaml", "--record", "run.h5", cwd=recording.parent).returncode == 2
    assert recording.read_bytes() == old


def test_ctrl_c_keeps_the_recording_and_prints_the_report(folder: Path) -> None:
    (folder / "boxes.yaml").write_text(boxes())
    command = [PROGRAM, "run", "boxes.yaml", "--until", "1e6", "--time-step", "1e-3", "--record", "run.h5", "--rate", "50", "--json"]
    with bounded(subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)) as process:
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 1, err
    report = json.loads(out)
    assert report["status"] == "interrupted"
    loaded = ss.load_recording(folder / "run.h5")
    assert loaded.complete and report["time"] - 0.02 <= loaded.t[-1] <= report["time"] and loaded.t[-1] > 0 and not journal(folder / "run.h5").exists()
    assert loaded.report.status == "interrupted"


def test_a_run_that_cannot_go_on_is_recorded(folder: Path) -> None:
    (folder / "ghost.yaml").write_text(
        "bodies: [{name: ghost, mass: 0, inertia: {ixx: 0, iyy: 0, izz: 0}}]\njoints: [{name: hinge, type: revolute, child: ghost}]\n"
    )
    assert run("run", "ghost.yaml", "--record", "run.h5", "--quiet", cwd=folder).returncode == 1
    loaded = ss.load_recording(folder / "run.h5")
    assert len(loaded.t) == 1 and loaded.report.status == "singular-mass"
    assert run("replay", "--verify", "run.h5", cwd=folder).returncode == 0


# ---------------------------------------------------------------------------------------------------------------------------- replay
def test_replay_says_what_is_in_it(recording: Path) -> None:
    loaded = ss.load_recording(recording)
    done = run("replay", "run.h5", cwd=recording.parent)
    assert done.returncode == 0 and done.stderr == ""
    for word in ("scene", "cenic", str(len(loaded.t)), str(len(loaded.steps)), "0.3", "complete"):
        assert word in done.stdout
    done = run("replay", "run.h5", "--json", cwd=recording.parent)
    said = json.loads(done.stdout)
    assert said["samples"] == len(loaded.t) and said["steps"] == len(loaded.steps)
    assert said["method"] == "cenic" and said["complete"] is True


def test_verify_runs_it_again(recording: Path) -> None:
    done = run("replay", "--verify", "run.h5", cwd=recording.parent)
    assert done.returncode == 0, done.stderr
    (recording.parent / "scene.yaml").unlink()  # it is in the file
    assert run("replay", "--verify", "run.h5", cwd=recording.parent).returncode == 0


def test_verify_names_the_step_that_differs(recording: Path) -> None:
    with h5py.File(recording, "r+") as file:
        file["steps/hash"][7] ^= np.uint64(1 << 40)
    done = run("replay", "--verify", "run.h5", cwd=recording.parent)
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "step 7" in said and " s" in said
    assert run("replay", "run.h5", cwd=recording.parent).returncode == 0  # looking at it is no running
    done = run("replay", "--verify", "--json", "run.h5", cwd=recording.parent)
    assert done.returncode == 1
    json.loads(done.stdout)


@pytest.mark.parametrize("name", ["t", "q", "v", "steps/time", "steps/h", "steps/error"])
@pytest.mark.parametrize("every", [True, False], ids=["every step", "at a rate"])
def test_verify_reports_every_number_that_is_not_of_the_run(name: str, every: bool, folder: Path) -> None:
    rate = [] if every else ["--rate", "100"]
    assert run("run", "scene.yaml", "--until", "0.3", "--record", "run.h5", "--quiet", *rate, cwd=folder).returncode == 0
    assert run("replay", "--verify", "run.h5", cwd=folder).returncode == 0
    with h5py.File(folder / "run.h5", "r+") as file:
        values = file[name][()]
        values[5] = np.nextafter(values[5], -1)  # by the last of its bits
        file[name][...] = values
    done = run("replay", "--verify", "run.h5", cwd=folder)
    assert done.returncode == 1 and ("step 5" in done.stdout or "sample 5" in done.stdout), done


@pytest.mark.parametrize("kind", ["back", "float32"])
def test_times_that_go_back_and_numbers_of_half_the_size_are_refused(kind: str, recording: Path) -> None:
    with h5py.File(recording, "r+") as file:
        values = file["t"][()]
        if kind == "back":
            file["t"][...] = values[::-1]
        else:
            del file["t"]
            file["t"] = values.astype(np.float32)
    for words in (["replay", "run.h5"], ["replay", "--verify", "run.h5"]):
        one_sentence(run(*words, cwd=recording.parent), "'t'", "goes back" if kind == "back" else "32-bit")


def test_a_clock_that_the_user_turned_back_is_read_and_verified(folder: Path) -> None:
    for rate in (None, 100.0):
        sim = ss.Simulator(ss.load(folder / "scene.yaml"))
        with sim.record(folder / "run.h5", rate=rate):
            sim.advance_to(0.2)
            sim.time = 0.05
            sim.advance_to(0.1)
            sim.reset()
            sim.advance_to(0.1)
        assert np.any(np.diff(ss.load_recording(folder / "run.h5").t) < 0)
        done = run("replay", "--verify", "run.h5", cwd=folder)
        assert done.returncode == 0, done


def test_a_recovered_recording_says_so(folder: Path) -> None:
    process = subprocess.Popen([PROGRAM, "run", "scene.yaml", "--until", "1e6", "--time-step", "1e-3", "--record", "run.h5", "--rate", "50", "--quiet"], cwd=folder)
    time.sleep(0.5)
    process.kill()
    process.wait(timeout=20)
    done = run("replay", "run.h5", cwd=folder)
    assert done.returncode == 0 and "recovered" in done.stdout
    assert not journal(folder / "run.h5").exists()
    assert json.loads(run("replay", "run.h5", "--json", cwd=folder).stdout)["complete"] is False


# --------------------------------------------------------------------------------------------------------------------------- convert
def test_csv_has_every_number_exactly(recording: Path) -> None:
    assert run("convert", "run.h5", "run.csv", cwd=recording.parent).returncode == 0
    loaded = ss.load_recording(recording)
    with (recording.parent / "run.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "t" and len(rows) == len(loaded.t) and len(header) >= 1 + loaded.model.nq + loaded.model.nv
    table = np.array(rows, dtype=float)
    # The shortest decimals that read back as the same doubles.
    assert same_bits(table[:, 0], loaded.t)
    columns = {np.ascontiguousarray(c).tobytes() for c in table.T}
    assert all(np.ascontiguousarray(c).tobytes() in columns for c in [*loaded.q.T, *loaded.v.T])
    assert "hinge.q" in header and "ball.x" in header
    loaded.save(recording.parent / "other.csv")
    assert (recording.parent / "other.csv").read_bytes() == (recording.parent / "run.csv").read_bytes()


def test_convert_refuses_what_it_does_not_know(recording: Path) -> None:
    one_sentence(run("convert", "run.h5", "run.xyz", cwd=recording.parent), ".csv")
    one_sentence(run("convert", "nowhere.h5", "run.csv", cwd=recording.parent), "nowhere.h5")
    one_sentence(run("convert", "run.h5", "nowhere/run.csv", cwd=recording.parent), "nowhere/run.csv")
    assert not (recording.parent / "run.xyz").exists() and not (recording.parent / "run.csv").exists()


# ---------------------------------------------------------------------------------------------------------------------------- damage
@pytest.mark.parametrize("command", [("replay", "bad.h5"), ("replay", "--verify", "bad.h5"), ("convert", "bad.h5", "out.csv")], ids=" ".join)
def test_files_that_are_no_recordings_get_a_sentence(command: tuple[str, ...], recording: Path) -> None:
    folder, bad = recording.parent, recording.parent / "bad.h5"
    one_sentence(run(*command, cwd=folder), "bad.h5")
    for content in (b"", b"nonsense", recording.read_bytes()[:3000], recording.read_bytes()[:-100]):
        bad.write_bytes(content)
        one_sentence(run(*command, cwd=folder), "bad.h5")
    with h5py.File(bad, "w") as file:
        file["t"] = [1.0]
    one_sentence(run(*command, cwd=folder), "bad.h5")
    bad.write_bytes(recording.read_bytes())
    with h5py.File(bad, "r+") as file:
        file.attrs["version"] = 99
    one_sentence(run(*command, cwd=folder), "bad.h5", "99")
    bad.unlink()
    bad.mkdir()
    one_sentence(run(*command, cwd=folder), "bad.h5")
    assert not (folder / "out.csv").exists()


# A limit on the size of files is a full disk that needs no disk; without the signal that it also sends.
def test_a_full_disk_ends_the_run_with_its_status(folder: Path) -> None:
    command = f"trap '' XFSZ; ulimit -f 400; exec {PROGRAM} run scene.yaml --until 1e6 --time-step 1e-3 --record run.h5 --json"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["status"] == "not-recorded" and report["time"] > 0
    loaded = ss.load_recording(folder / "run.h5")
    assert 0 < loaded.t[-1] <= report["time"]


def test_help_names_the_options(folder: Path) -> None:
    said = run("run", "--help", cwd=folder).stdout
    assert "--record" in said and "--rate" in said
    assert "--verify" in run("replay", "--help", cwd=folder).stdout
    assert ".csv" in run("convert", "--help", cwd=folder).stdout
