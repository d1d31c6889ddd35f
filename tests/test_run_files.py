"""Files that runs are written as: their endings say what they are, nothing is lost in silence, and nothing but what runs have written is written over."""

from __future__ import annotations

import csv
import json
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import stickslip as ss

from command_line import run
from recording_scenes import MIXED, differences, finish, journal, mixed, python, same_bits

ENDINGS = (".h5", ".hdf5", ".csv", ".html", ".mcap")
UNTIL = 0.2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scene.yaml").write_text(MIXED)
    return tmp_path


@pytest.fixture
def recording(folder: Path) -> Path:
    ss.simulate(mixed(), until=UNTIL, record=folder / "run.h5")
    return folder / "run.h5"


def looks_like(path: Path) -> str:
    start = path.read_bytes()
    if start.startswith(b"\x89HDF"):
        return ".h5"
    if start.startswith(b"\x89MCAP"):
        return ".mcap"
    if b'id="stickslip-scene"' in start:
        return ".html"
    return ".csv" if start.startswith(b"t,") else "?"


# ------------------------------------------------------------------------------------------------------------ endings say what they are
WAYS: dict[str, Callable[[Path, str], None]] = {}


def way(function: Callable[[Path, str], None]) -> Callable[[Path, str], None]:
    WAYS[function.__name__] = function
    return function


@way
def command_line(folder: Path, name: str) -> None:
    done = run("run", "scene.yaml", "--until", UNTIL, "--record", name, "--quiet", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done


@way
def sim_record(folder: Path, name: str) -> None:
    sim = ss.Simulator(mixed())
    with sim.record(folder / name) as recorder:
        sim.advance_to(UNTIL)
    assert recorder.path == str(folder / name) and recorder.closed


@way
def end_of_the_simulator(folder: Path, name: str) -> None:
    sim = ss.Simulator(mixed())
    sim.record(folder / name)
    sim.advance_to(UNTIL)
    del sim


@way
def simulate(folder: Path, name: str) -> None:
    ss.simulate(mixed(), until=UNTIL, record=folder / name)


@way
def save(folder: Path, name: str) -> None:
    ss.simulate(mixed(), until=UNTIL).save(folder / name)


@way
def end_of_the_program(folder: Path, name: str) -> None:
    script = f"import sys, stickslip as ss\nsim = ss.Simulator(ss.load(sys.argv[1]))\nsim.record(sys.argv[2])\nsim.advance_to({UNTIL})\n"
    assert finish(python(script, folder / "scene.yaml", folder / name)) == (0, "", "")


@pytest.mark.parametrize("ending", (*ENDINGS, ".CSV"))
@pytest.mark.parametrize("name", WAYS)
def test_a_run_becomes_what_the_ending_says(name: str, ending: str, folder: Path) -> None:
    if ending == ".mcap":
        pytest.importorskip("mcap")
    WAYS[name](folder, f"run{ending}")
    WAYS[name](folder, f"run{ending}")  # and again, over it
    assert looks_like(folder / f"run{ending}") == {".hdf5": ".h5"}.get(ending, ending.lower())
    beside = {"run_contacts" + ending} if ending.lower() == ".csv" else set()
    assert {path.name for path in folder.iterdir()} == {"scene.yaml", f"run{ending}"} | beside


@pytest.mark.parametrize("name", ["", "run", "run.txt", "run.h5x", "run.yaml", "run.h5.gz", ".h5", "/dev/stdout"])
def test_unknown_endings_list_those_that_are_known(name: str, folder: Path) -> None:
    done = run("run", "scene.yaml", "--until", "1e6", "--record", name, cwd=folder)
    assert done.returncode == 2 and done.stdout == "" and len(done.stderr.splitlines()) == 1
    assert all(ending in done.stderr for ending in ENDINGS)
    for write in (ss.Simulator(mixed()).record, ss.simulate(mixed(), until=0.01).save, lambda path: ss.simulate(mixed(), until=1e6, record=path)):
        with pytest.raises(ValueError, match=r"\.h5.*\.csv.*\.html.*\.mcap"):
            write(folder / name)
    assert {path.name for path in folder.iterdir()} == {"scene.yaml"}


def test_what_a_format_needs_is_missed_before_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mcap.writer", None)
    with pytest.raises(ImportError, match="mcap"):
        ss.simulate(mixed(), until=1e6, record=folder / "run.mcap")
    monkeypatch.setattr(ss.saving, "PAGE", folder / "none.html")
    with pytest.raises(FileNotFoundError, match="page"):
        ss.Simulator(mixed()).record(folder / "run.html")
    assert {path.name for path in folder.iterdir()} == {"scene.yaml"}


def test_a_run_that_is_killed_leaves_a_recording_of_its_table(folder: Path) -> None:
    script = "import os, signal, sys, time, stickslip as ss\nsim = ss.Simulator(ss.load(sys.argv[1]))\nr = sim.record(sys.argv[2])\nsim.advance_to(0.2)\ntime.sleep(0.4)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    python(script, folder / "scene.yaml", folder / "run.csv").communicate(timeout=60)
    assert not (folder / "run.csv").exists()
    assert ss.load_recording(folder / "run.csv").t[-1] == 0.2  # finds it
    assert run("convert", "run.csv.part.h5", "run.csv", cwd=folder).returncode == 0
    with (folder / "run.csv").open() as file:
        assert float(list(csv.reader(file))[-1][0]) == 0.2


@pytest.mark.parametrize("ending", [".html", ".csv", ".mcap"])
def test_the_name_of_a_killed_run_finds_what_it_recorded(ending: str, folder: Path) -> None:
    """Also where an earlier run of that name left its page."""
    name = f"run{ending}"
    sim = ss.Simulator(mixed())
    recorder = sim.record(folder / f"{name}.part.h5")
    sim.advance_to(UNTIL)
    recorder.close()
    for earlier in ("", "page"):
        if earlier:
            (folder / name).write_text(earlier)
        assert ss.load_recording(folder / name).t[-1] == UNTIL
        assert run("convert", name, "out.csv", "--force", cwd=folder).returncode == 0
        assert run("replay", "--verify", name, cwd=folder).returncode == 0


@pytest.mark.parametrize("ending", [".html", ".csv", ".mcap"])
def test_what_is_made_of_a_run_is_not_read_back(ending: str, folder: Path) -> None:
    (folder / f"run{ending}").write_text("made of a run")
    for command in (("convert", f"run{ending}", "out.csv"), ("convert", f"run{ending}", "out.yaml"), ("view", f"run{ending}"), ("replay", f"run{ending}"), ("check", f"run{ending}")):
        done = run(*command, cwd=folder)
        assert done.returncode != 0 and "cannot be read back" in done.stderr and "--record run.h5" in done.stderr, done
        assert f"run run{ending}" not in done.stderr  # is no scene to run
    with pytest.raises(ss.RecordingError, match="cannot be read back"):
        ss.load_recording(folder / f"run{ending}")


def test_what_cannot_be_made_at_the_end_leaves_the_recording(folder: Path) -> None:
    sim = ss.Simulator(mixed())
    recorder = sim.record(folder / "run.csv")
    sim.advance_to(UNTIL)
    (folder / "run.csv").mkdir()
    with pytest.raises(ss.RecordingError, match=r"run\.csv.*stays in .*run\.csv\.part\.h5"):
        recorder.close()
    assert ss.load_recording(folder / "run.csv.part.h5").t[-1] == UNTIL


# ------------------------------------------------------------------------------------------------------------------ known by their content
@pytest.mark.parametrize("name", ["run.bin", "run", "run.yaml", "run.csv"])
def test_recordings_are_known_by_what_stands_in_them(name: str, recording: Path) -> None:
    folder = recording.parent
    recording.rename(folder / name)
    assert run("replay", "--verify", name, cwd=folder).returncode == 0
    assert run("convert", name, "out.csv", cwd=folder).returncode == 0 and looks_like(folder / "out.csv") == ".csv"
    assert run("convert", name, "out.xml", cwd=folder).returncode == 0  # its scene
    assert run("view", name, "--html", "out.html", cwd=folder).returncode == 0 and looks_like(folder / "out.html") == ".html"
    for command in ("run", "check"):
        done = run(command, name, cwd=folder)
        assert done.returncode == 2 and "is a recording" in done.stderr and "stickslip view" in done.stderr


def test_a_pipe_is_not_asked_what_it_is(folder: Path) -> None:
    os.mkfifo(folder / "pipe.h5")
    for words in (["run", "scene.yaml", "--record", "pipe.h5"], ["convert", "scene.yaml", "pipe.h5"]):
        assert run(*words, cwd=folder, timeout=10).returncode == 2


# ---------------------------------------------------------------------------------------------------------------------------- no losses
def test_tables_of_a_recording_have_its_contacts(recording: Path) -> None:
    folder = recording.parent
    done = run("convert", "run.h5", "table.csv", cwd=folder)
    assert done.returncode == 0 and "everything carried over" not in done.stdout and "steps" in done.stdout
    assert "wrote table.csv and table_contacts.csv" in done.stdout
    contacts = ss.load_recording(recording).contacts
    t = ss.load_recording(recording).t
    with (folder / "table_contacts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(contacts) > 10
    names = ss.load_recording(recording).model.body_names
    for row, contact in zip(rows, contacts, strict=True):
        assert int(row["sample"]) == contact["sample"] and float(row["t"]) == t[contact["sample"]]
        assert (row["body_a"], row["body_b"]) == (names[contact["body_a"]], names[contact["body_b"]])
        for field in ("point", "normal", "force", "slip"):
            assert same_bits(np.float32([row[f"{field}.{axis}"] for axis in "xyz"]), contact[field])
        for field in ("depth", "mode", "largest_force", "largest_pair_force"):
            assert float(row[field]) == contact[field] or np.float32(row[field]) == contact[field]


def test_a_table_without_contacts_leaves_none_of_an_earlier_one(folder: Path) -> None:
    run_with, run_without = ss.simulate(mixed(), until=UNTIL), ss.simulate(mixed(), until=UNTIL, contacts=False)
    run_with.save(folder / "run.csv")
    assert (folder / "run_contacts.csv").exists()
    run_without.save(folder / "run.csv")
    assert not (folder / "run_contacts.csv").exists()


@pytest.mark.parametrize("ending", ENDINGS)
def test_convert_says_what_is_left_in_the_recording(ending: str, recording: Path) -> None:
    if ending == ".mcap":
        pytest.importorskip("mcap")
    folder = recording.parent
    done = run("convert", "run.h5", f"out{ending}", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["output"] == f"out{ending}"
    whole = ending in (".h5", ".hdf5")
    assert [note["code"] for note in said["notes"]] == ([] if whole else ["left-in-recording"])
    if whole:
        assert not differences(ss.load_recording(folder / f"out{ending}"), ss.load_recording(recording))
        assert "everything carried over" in run("convert", "run.h5", f"again{ending}", cwd=folder).stdout


# --------------------------------------------------------------------------------------------------- what may be written over, and what not
FOREIGN = {
    "a scene": MIXED.encode(),
    "a table of somebody": b"t,x,y\n0,1,2\n",
    "a page of somebody": b"<html><body>mine</body></html>\n",
    "bytes": bytes(range(256)),
    "a log of somebody": b"\x89MCAP0\r\n" + bytes(200),
}


def foreign(kind: str, path: Path) -> None:
    if kind == "HDF5 of somebody":
        with h5py.File(path, "w") as file:
            file["measured"] = [1.0, 2.0]
    else:
        path.write_bytes(FOREIGN[kind])


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", [*FOREIGN, "HDF5 of somebody"])
def test_nothing_but_what_runs_have_written_is_written_over(kind: str, ending: str, folder: Path) -> None:
    target = folder / f"mine{ending}"
    foreign(kind, target)
    before = target.read_bytes()
    done = run("run", "scene.yaml", "--until", "1e6", "--record", target.name, cwd=folder)
    assert done.returncode == 2 and target.name in done.stderr, done
    run_of = ss.simulate(mixed(), until=0.01)
    for write in (ss.Simulator(mixed()).record, run_of.save, lambda path: ss.simulate(mixed(), until=1e6, record=path)):
        with pytest.raises(ss.RecordingError, match="is no recording"):
            write(target)
    assert target.read_bytes() == before and {path.name for path in folder.iterdir()} == {"scene.yaml", target.name}
    if ending in (".h5", ".csv"):
        run_of.save(target, force=True)
        assert looks_like(target) == ending


@pytest.mark.parametrize("ending", [".h5", ".csv"])
def test_one_format_may_be_written_over_another_and_over_nothing(ending: str, folder: Path) -> None:
    target = folder / f"run{ending}"
    run_of = ss.simulate(mixed(), until=0.05)
    target.touch()  # as programs make it that want a name of their own
    run_of.save(target)
    assert looks_like(target) == ending
    run_of.save(folder / "other.csv")
    (folder / "other.csv").rename(target)
    run_of.save(target)
    assert looks_like(target) == ending


def test_a_table_of_contacts_is_not_written_over_somebodys(folder: Path) -> None:
    (folder / "run_contacts.csv").write_text("mine\n")
    with pytest.raises(ss.RecordingError, match="run_contacts.csv"):
        ss.simulate(mixed(), until=UNTIL).save(folder / "run.csv")
    assert (folder / "run_contacts.csv").read_text() == "mine\n"


def test_devices_links_to_them_and_sockets_are_no_files_for_runs(folder: Path) -> None:
    """Also where root could replace them."""
    (folder / "null.h5").symlink_to("/dev/null")
    os.mkfifo(folder / "pipe.h5")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(folder)
        try:
            listening.bind("socket.h5")
        finally:
            os.chdir(here)
        for name in ("null.h5", "pipe.h5", "socket.h5"):
            done = run("run", "scene.yaml", "--until", "1e6", "--record", name, cwd=folder)
            assert done.returncode == 2 and "is a device or a pipe" in done.stderr, done
            with pytest.raises(ss.RecordingError, match="device or a pipe"):
                ss.simulate(mixed(), until=0.01).save(folder / name)
    assert (folder / "null.h5").is_symlink() and (folder / "pipe.h5").is_fifo()


def test_a_link_in_the_place_of_the_unfinished_file_is_not_followed(folder: Path) -> None:
    (folder / "precious.txt").write_text("mine\n")
    (folder / "run.h5.part").symlink_to("precious.txt")
    with pytest.raises(ss.RecordingError, match=r"run\.h5\.part"):
        ss.simulate(mixed(), until=0.01, record=folder / "run.h5")
    assert (folder / "precious.txt").read_text() == "mine\n"


def test_an_old_recording_is_not_kept_in_the_place_of_somebodys_file(folder: Path) -> None:
    path = folder / "run.h5"
    ss.simulate(mixed(), until=0.1, record=path)
    script = "import os, signal, sys, time, stickslip as ss\nsim = ss.Simulator(ss.load(sys.argv[1]))\nr = sim.record(sys.argv[2])\nsim.advance_to(0.2)\ntime.sleep(0.4)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    python(script, folder / "scene.yaml", path).communicate(timeout=60)
    (folder / "run.h5.old").write_text("mine\n")
    assert ss.load_recording(path).t[-1] == 0.2  # of the journal, which stays
    with pytest.raises(ss.RecordingError, match=r"run\.h5\.old"):
        ss.Simulator(mixed()).record(path)
    assert (folder / "run.h5.old").read_text() == "mine\n" and journal(path).exists()
    (folder / "run.h5.old").unlink()
    assert ss.load_recording(path).t[-1] == 0.2


def test_convert_writes_over_files_with_force_alone_and_over_devices_never(recording: Path) -> None:
    folder = recording.parent
    (folder / "out.csv").write_text("mine\n")
    assert run("convert", "run.h5", "out.csv", cwd=folder).returncode == 2
    assert (folder / "out.csv").read_text() == "mine\n"
    assert run("convert", "run.h5", "out.csv", "--force", cwd=folder).returncode == 0
    assert looks_like(folder / "out.csv") == ".csv"
    (folder / "new_contacts.csv").write_text("mine\n")
    assert run("convert", "run.h5", "new.csv", cwd=folder).returncode == 2
    assert (folder / "new_contacts.csv").read_text() == "mine\n" and not (folder / "new.csv").exists()
    (folder / "null.xml").symlink_to("/dev/null")
    assert run("convert", "run.h5", "null.xml", "--force", cwd=folder).returncode == 2
    assert run("convert", "run.h5", "run.h5", "--force", cwd=folder).returncode == 2  # over itself


def test_a_page_of_a_view_is_not_written_over_a_scene(folder: Path) -> None:
    before = (folder / "scene.yaml").read_bytes()
    assert run("view", "scene.yaml", "--html", "scene.yaml", cwd=folder).returncode == 2
    assert (folder / "scene.yaml").read_bytes() == before


# ---------------------------------------------------------------------------------------------------------------------- systems, added twice
def test_a_system_that_is_added_twice_is_an_error_that_names_the_rule() -> None:
    model = mixed()
    push = ss.Sampled(100, lambda t, q, v: np.ones(len(v)))
    sim = ss.Simulator(model)
    sim.add(push)
    with pytest.raises(ValueError, match="add each system once"):
        sim.add(push)
    with pytest.raises(ValueError, match="add each system once"):
        ss.simulate(model, until=0.1, systems=[push, push])
    sim.add(ss.Sampled(100, lambda t, q, v: np.zeros(len(v))))  # another of the kind
    ss.Simulator(model).add(push)  # the same for another simulator
    sim.advance_to(0.01)


def test_threads_may_record_to_names_of_their_own(folder: Path) -> None:
    names = [f"run{i}.csv" for i in range(4)]
    threads = [threading.Thread(target=simulate, args=(folder, name)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({(folder / name).read_bytes() for name in names}) == 1


def test_a_table_beside_a_table_is_kept_unless_a_run_wrote_it(tmp_path: Path) -> None:
    """Of a run without contacts nothing is written there, so nothing may go."""
    recorded, beside = tmp_path / "run.h5", tmp_path / "run_contacts.csv"
    assert run("run", "examples/double_pendulum.yaml", "--until", 0.1, "--record", recorded, "--quiet").returncode == 0
    beside.write_text("precious\n")
    assert run("convert", recorded, tmp_path / "run.csv", "--force").returncode == 2
    assert beside.read_text() == "precious\n"


def test_what_stands_in_the_way_of_a_table_of_contacts_is_said_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "run_contacts.csv").write_text("precious\n")
    done = run("run", "examples/bouncing_ball.yaml", "--until", 0.1, "--record", tmp_path / "run.csv", "--quiet")
    assert done.returncode == 2 and "run_contacts.csv" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["run_contacts.csv"]
