"""Disks that are full, and files that may not grow: every command ends with 1 and a sentence, and what was recorded survives."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import stickslip as ss

import full_disk
from command_line import PROGRAM, run
from recording_scenes import MIXED, finish, journal, python

UNTIL = 0.3
SHARES = (0.0, 0.02, 0.2, 0.45, 0.55, 0.7, 0.85, 0.95)  # of what a whole recording writes; the first ends before the first step


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scene, its recording, and the journal that it left when it was killed."""
    folder = tmp_path_factory.mktemp("full")
    (folder / "scene.yaml").write_text(MIXED)
    script = f"""
import os, signal, sys, time
import stickslip as ss
sim = ss.Simulator(ss.from_string(open(sys.argv[1]).read()))
recorder = sim.record(sys.argv[2])
sim.advance_to({UNTIL})
time.sleep(0.4)
os.kill(os.getpid(), signal.SIGKILL)
"""
    python(script, folder / "scene.yaml", folder / "killed.h5").communicate(timeout=60)
    assert run("run", "scene.yaml", "--until", str(UNTIL), "--record", "whole.h5", "--quiet", cwd=folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def library(folder: Path) -> Path:
    return full_disk.shim(folder)


def bytes_written(folder: Path) -> int:
    return (folder / "whole.h5").stat().st_size + journal(folder / "killed.h5").stat().st_size


def with_room(room: int, library: Path, cwd: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """On a disk that has room for so many bytes."""
    environment = {**os.environ, **full_disk.settings(library, room)}
    return subprocess.run([PROGRAM, *map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False)


def limited(command: list[object], cwd: Path, kilobytes: int) -> subprocess.CompletedProcess[str]:
    """No file may grow beyond the limit; the signal that comes with it is as the system sends it."""
    words = " ".join(f"'{word}'" for word in command)
    return subprocess.run(["bash", "-c", f"ulimit -c 0; ulimit -f {kilobytes}; exec {words}"], cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


def says_so(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "cannot be written" in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


def kept(path: Path, any_step: bool) -> None:
    """What was written before the disk was full is there, and nothing else is."""
    assert not path.exists() and not path.with_name(path.name + ".part").exists()
    if journal(path).exists():
        loaded = ss.load_recording(path)
        assert loaded.verify().ok and (len(loaded.t) > 1 or not any_step)
    else:
        assert not any_step


# --------------------------------------------------------------------------------------------------------------------------------- run
@pytest.mark.parametrize("share", SHARES)
def test_a_run_whose_disk_is_full_ends_with_a_sentence_and_keeps_its_journal(share: float, folder: Path, library: Path, tmp_path: Path) -> None:
    room = int(share * bytes_written(folder))
    done = with_room(room, library, tmp_path, "run", folder / "scene.yaml", "--until", UNTIL, "--record", "run.h5", "--quiet")
    says_so(done)
    kept(tmp_path / "run.h5", any_step=share > 0.5)


@pytest.mark.parametrize("kind", ["before the first step", "at the end", "of the file alone"])
def test_a_run_whose_files_may_not_grow_ends_with_a_sentence(kind: str, folder: Path, tmp_path: Path) -> None:
    sizes = {
        "before the first step": 1,
        "at the end": journal(folder / "killed.h5").stat().st_size // 1024 - 2,
        "of the file alone": (folder / "whole.h5").stat().st_size // 1024 - 2,
    }
    assert (folder / "whole.h5").stat().st_size > journal(folder / "killed.h5").stat().st_size + 8192  # so that the file is refused, and the journal is not
    done = limited([PROGRAM, "run", folder / "scene.yaml", "--until", UNTIL, "--record", "run.h5", "--quiet"], tmp_path, sizes[kind])
    says_so(done)
    kept(tmp_path / "run.h5", any_step=kind == "of the file alone")


def test_after_there_is_room_again_a_run_of_that_name_recovers_and_records(folder: Path, tmp_path: Path) -> None:
    limit = (folder / "whole.h5").stat().st_size // 1024 - 2
    command = [PROGRAM, "run", folder / "scene.yaml", "--until", UNTIL, "--record", "run.h5", "--quiet"]
    says_so(limited(command, tmp_path, limit))
    left = journal(tmp_path / "run.h5").read_bytes()
    says_so(limited(command, tmp_path, limit))  # there is still no room to make a file of it, and it is not written over
    assert journal(tmp_path / "run.h5").read_bytes() == left
    assert subprocess.run([str(word) for word in command], cwd=tmp_path, check=False).returncode == 0
    assert ss.load_recording(tmp_path / "run.h5").complete and not journal(tmp_path / "run.h5").exists()


# ----------------------------------------------------------------------------------------------------------------- replay and convert
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_replay_on_a_full_disk_keeps_the_journal(share: float, folder: Path, library: Path, tmp_path: Path) -> None:
    left = journal(folder / "killed.h5").read_bytes()
    journal(tmp_path / "run.h5").write_bytes(left)
    room = int(share * (folder / "whole.h5").stat().st_size)
    says_so(with_room(room, library, tmp_path, "replay", "run.h5"))
    assert journal(tmp_path / "run.h5").read_bytes() == left
    assert [path.name for path in tmp_path.iterdir()] == ["run.h5.journal"]
    assert ss.load_recording(tmp_path / "run.h5").t[-1] == UNTIL


def test_replay_of_a_journal_whose_file_may_not_grow_ends_with_a_sentence(folder: Path, tmp_path: Path) -> None:
    journal(tmp_path / "run.h5").write_bytes(journal(folder / "killed.h5").read_bytes())
    done = limited([PROGRAM, "replay", "run.h5"], tmp_path, 40)
    says_so(done)
    assert ss.load_recording(tmp_path / "run.h5").t[-1] == UNTIL


@pytest.mark.parametrize(("ending", "share"), [*((ending, share) for ending in (".h5", ".csv", ".html", ".xml", ".yaml") for share in (0.0, 0.5)), (".mcap", 0.5)])
def test_convert_of_what_may_not_grow_leaves_what_was_there(share: float, ending: str, folder: Path, tmp_path: Path) -> None:
    if ending == ".mcap":
        pytest.importorskip("mcap")
    words = ["convert", folder / "whole.h5", f"out{ending}", "--force"]
    assert run(*words, cwd=tmp_path).returncode == 0
    size = (tmp_path / f"out{ending}").stat().st_size
    for path in tmp_path.iterdir():
        path.unlink()
    for before in (None, "mine\n"):
        if before:
            (tmp_path / f"out{ending}").write_text(before)
        done = limited([PROGRAM, *words], tmp_path, int(share * size) // 1024)
        assert done.returncode == 1 and done.stdout == "" and 0 < len(done.stderr.splitlines()) <= 2, done
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == ({f"out{ending}": before} if before else {})


@pytest.mark.parametrize("ending", [".csv", ".html"])
def test_a_table_or_page_that_has_no_room_at_the_end_leaves_its_recording(ending: str, folder: Path, tmp_path: Path) -> None:
    sim = ss.Simulator(ss.load(folder / "scene.yaml"))
    recorder = sim.record(tmp_path / f"run{ending}")
    sim.advance_to(UNTIL)
    (tmp_path / f"run{ending}.part").mkdir()  # nothing can be written there
    with pytest.raises(ss.RecordingError, match="stays in"):
        recorder.close()
    assert ss.load_recording(tmp_path / f"run{ending}.part.h5").t[-1] == UNTIL


def test_a_report_that_cannot_be_printed_is_told(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        for words in (["replay", "whole.h5"], ["run", "scene.yaml", "--until", "0.01", "--json"], ["check", "scene.yaml"]):
            done = subprocess.run([PROGRAM, *words], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            assert done.returncode == 1 and "cannot be written" in done.stderr, done


# ------------------------------------------------------------------------------------------------------------------------------ Python
SCRIPT = """
import sys
import stickslip as ss
model = ss.load(sys.argv[1])
for attempt in range(2):  # a program goes on after the first, and may fail again
    try:
        if sys.argv[3] == "save":
            ss.load_recording(sys.argv[4]).save(sys.argv[2])
        else:
            ss.simulate(model, until=0.3, record=sys.argv[2])
    except (ss.RecordingError, ss.SimulationStopped) as error:
        assert "cannot be written" in str(error), error
        print("told")
ss.load_recording(sys.argv[4])
"""


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("way", ["record", "save"])
def test_python_is_told_and_ends_as_it_would(way: str, share: float, folder: Path, library: Path, tmp_path: Path) -> None:
    whole = bytes_written(folder) if way == "record" else (folder / "whole.h5").stat().st_size
    process = python(SCRIPT, folder / "scene.yaml", tmp_path / "run.h5", way, folder / "whole.h5", settings=full_disk.settings(library, int(share * whole)))
    assert finish(process) == (0, "told\ntold\n", "")
    assert not (tmp_path / "run.h5.part").exists()


def test_python_that_lets_the_recorder_end_with_the_program_is_told(folder: Path, tmp_path: Path) -> None:
    script = """
import resource, sys
import stickslip as ss
sim = ss.Simulator(ss.load(sys.argv[1]))
sim.record(sys.argv[2])
sim.advance_to(0.3)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), -1))
"""
    limit = (folder / "whole.h5").stat().st_size - 2048
    code, out, err = finish(python(script, folder / "scene.yaml", tmp_path / "run.h5", limit))
    assert (code, out) == (0, "") and "cannot be written" in err and len(err.splitlines()) == 1, err
    assert ss.load_recording(tmp_path / "run.h5").t[-1] == 0.3

