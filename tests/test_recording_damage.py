"""Files that are no recordings, or are no longer: a sentence that names the file and what is wrong, at once; never a crash."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import stickslip as ss

from recording_scenes import finish, mixed, put_text, python, text

# A second or so, on a machine that is busy with other tests.
AT_ONCE = 5.0


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "run.h5"
    sim = ss.Simulator(mixed())
    with sim.record(path):
        sim.advance_to(0.15)
        sim.ctrl[0] = 1
        sim.advance_to(0.25)
    return path


@pytest.fixture
def copy(good: Path, tmp_path: Path) -> Path:
    path = tmp_path / "damaged.h5"
    path.write_bytes(good.read_bytes())
    return path


def refused(path: Path) -> str:
    began = time.monotonic()
    with pytest.raises(ss.RecordingError) as caught:
        ss.load_recording(path)
    assert time.monotonic() - began < AT_ONCE
    assert isinstance(caught.value, ValueError)
    message = str(caught.value)
    assert path.name in message and len(message) > len(str(path)) + 10
    return message


def test_the_undamaged_file_is_accepted(copy: Path) -> None:
    run = ss.load_recording(copy)
    assert run.verify().ok and len(run.contacts) > 10


def test_words_that_are_written_again_are_accepted(copy: Path) -> None:
    """So that the tests below refuse what was changed, and not that something was."""
    with h5py.File(copy, "r+") as file:
        for name in ("scene", "options", "report"):
            put_text(file, name, json.dumps(json.loads(text(file, name))))
    assert ss.load_recording(copy).verify().ok


# ------------------------------------------------------------------------------------------------------------------ no recording at all
@pytest.mark.parametrize("content", [b"", b"\0", b"bodies: []\n", b"\x89HDF\r\n\x1a\n", bytes(range(256)) * 100], ids=["empty", "zero", "yaml", "magic", "bytes"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other.h5").write_bytes(content)
    refused(tmp_path / "other.h5")
    assert (tmp_path / "other.h5").read_bytes() == content  # and left alone


def test_no_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere.h5")
    (tmp_path / "folder.h5").mkdir()
    refused(tmp_path / "folder.h5")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.h5"]


def test_hdf5_of_somebody_else_is_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["t"] = np.arange(5.0)
    assert "format" in refused(tmp_path / "other.h5") or "recording" in refused(tmp_path / "other.h5")


def test_a_format_that_is_not_ours_is_refused(copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        file.attrs["format"] = "somebody-elses"
    refused(copy)


def test_a_later_version_is_refused_by_its_number(copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        file.attrs["version"] = 1234
    assert "1234" in refused(copy)


# ------------------------------------------------------------------------------------------------------------------- parts are missing
NEEDED = (
    "t q v ctrl z mocap constraint_forces energy/kinetic energy/potential energy/elastic energy/friction contacts/start contacts/body_a contacts/body_b contacts/point "
    "contacts/normal contacts/force contacts/slip contacts/depth contacts/mode steps/time steps/h steps/error steps/target steps/hash writes/step writes/start writes/numbers "
    "start model/body_names model/joint_names model/actuator_names model/joint_type model/q_start model/nq model/v_start model/nv scene options report end"
).split()
Edit = Callable[[h5py.File], Any]


def put(name: str, value: Any) -> Edit:
    def edit(file: h5py.File) -> None:
        del file[name]
        file[name] = value

    return edit


def write(name: str, value: str | bytes) -> Edit:
    return lambda file: put_text(file, name, value)


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_dataset_is_named(name: str, copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        del file[name]
    assert name in refused(copy)


@pytest.mark.parametrize("name", ["t", "steps/hash", "contacts/start", "scene"])
def test_a_group_or_a_link_to_nowhere_is_no_dataset(name: str, copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        del file[name]
        file.create_group(name)
    assert name in refused(copy)
    with h5py.File(copy, "r+") as file:
        del file[name]
        file[name] = h5py.SoftLink("/nowhere")
    assert name in refused(copy)
    with h5py.File(copy, "r+") as file:
        del file[name]
        file[name] = h5py.SoftLink(f"/{name}")  # to itself
    assert name in refused(copy)


@pytest.mark.parametrize("name", ["version", "format", "complete", "sample_rate", "systems", "acts_on_contact"])
def test_a_missing_attribute_is_refused(name: str, copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        del file.attrs[name]
    refused(copy)


# -------------------------------------------------------------------------------------------------------------------- wrong contents
def change(name: str, index: Any, value: Any) -> Edit:
    def edit(file: h5py.File) -> None:
        file[name][index] = value

    return edit


def cut(name: str, axis: int = 0) -> Edit:
    """Without its last row or column."""

    def edit(file: h5py.File) -> None:
        put(name, np.delete(file[name][()], -1, axis=axis))(file)

    return edit


def swap_starts(file: h5py.File) -> None:
    start = file["contacts/start"][()]
    at = int(np.flatnonzero(np.diff(start))[-1])
    file["contacts/start"][at], file["contacts/start"][at + 1] = start[at + 1], start[at]


DAMAGES: dict[str, Edit] = {
    **{f"short {name}": cut(name) for name in ("t", "q", "v", "ctrl", "constraint_forces", "energy/elastic", "contacts/start", "contacts/depth", "steps/hash", "start", "writes/step", "model/nq", "model/body_names")},
    **{f"narrow {name}": cut(name, 1) for name in ("q", "v", "ctrl", "contacts/force", "constraint_forces")},
    **{f"words in {name}": put(name, np.array([b"one", b"two"])) for name in ("t", "q", "steps/h", "contacts/mode", "start", "model/nq")},
    **{f"a number in {name}": put(name, 3.5) for name in ("t", "scene", "options", "model/body_names", "contacts/start")},
    **{f"complex {name}": put(name, np.zeros(4, complex)) for name in ("t", "energy/kinetic")},
    **{f"nan in {name}": change(name, 1, np.nan) for name in ("t", "energy/kinetic", "steps/h", "steps/time", "steps/target", "contacts/depth")},
    **{f"nan in {name}": change(name, (2, 0), np.nan) for name in ("q", "v", "ctrl", "constraint_forces", "contacts/force")},
    "infinite q": change("q", (2, 0), np.inf),
    "negative step": change("steps/h", 1, -1e-3),
    "contacts out of order": swap_starts,
    "contacts below 0": change("contacts/start", 1, -1),
    "contacts do not begin at 0": change("contacts/start", 0, 1),
    "contacts beyond the last": change("contacts/start", -1, 2**40),
    "contacts beyond all numbers": change("contacts/start", -1, 2**63 - 1),
    "contact of no body": change("contacts/body_b", 0, 99),
    "contact of a body below 0": change("contacts/body_a", 0, -1),
    "contact of no mode": change("contacts/mode", 0, 7),
    "write before no step": change("writes/step", 0, 2**40),
    "write before step -1": change("writes/step", 0, -1),
    "q_start that does not fit": change("model/q_start", 0, 5),
    "q_start below 0": change("model/q_start", 0, -2),
    "nq that does not fit": change("model/nq", 0, 2**31 - 1),
    "joint that does not fit": change("model/joint_type", 0, b"revolute"),
    "body that does not fit": change("model/body_names", 1, b"nobody"),
    "systems below 0": lambda file: file.attrs.modify("systems", -1),
    "options that are no JSON": write("options", "{method"),
    "options that are no object": write("options", "[1, 2]"),
    "no such method": write("options", '{"method": "rk5"}'),
    "options of wrong types": write("options", '{"method": 5, "time_step": "long"}'),
    "report that is no JSON": write("report", "{status"),
    "report of wrong types": write("report", '{"status": 5, "steps": "many"}'),
}


FLOATS = (
    "t q v ctrl constraint_forces energy/kinetic energy/potential energy/elastic energy/friction steps/time steps/h steps/error steps/target start end writes/numbers"
).split()


def single(name: str) -> Edit:
    """As a program leaves it that saves space: half of the digits are gone."""
    return lambda file: put(name, file[name][()].astype(np.float32))(file)


def other_integers(name: str, kind: type) -> Edit:
    return lambda file: put(name, file[name][()].astype(kind))(file)


def goes_back(name: str) -> Edit:
    def edit(file: h5py.File) -> None:
        times = file[name][()]
        middle = len(times) // 2
        times[middle], times[middle + 1] = times[middle + 1], times[middle]
        file[name][...] = times

    return edit


DAMAGES |= {
    **{f"float32 {name}": single(name) for name in FLOATS},
    **{f"float64 contacts/{name}": other_integers(f"contacts/{name}", np.float64) for name in ("force", "depth", "largest_force")},
    "integers of times": other_integers("t", np.int64),
    "floats of counts": other_integers("contacts/start", np.float64),
    "signed hashes": other_integers("steps/hash", np.int64),
    "short indices": other_integers("contacts/body_a", np.int16),
    "times of samples that go back": goes_back("t"),
    "times of steps that go back": goes_back("steps/time"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_contents_that_do_not_fit_are_refused(damage: str, copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        DAMAGES[damage](file)
    refused(copy)


def test_sizes_that_nobody_has_memory_for_are_refused(copy: Path) -> None:
    """HDF5 stores what was never written in no space at all."""
    n = 10**11
    with h5py.File(copy, "r+") as file:
        for name in ("t", "q", "v", "energy/kinetic", "energy/potential", "energy/elastic"):
            columns = file[name].shape[1:]
            del file[name]
            file.create_dataset(name, (n, *columns), "f8", chunks=(1000, *columns))
    refused(copy)


@pytest.mark.parametrize(
    "scene",
    ["", "{", "null", "[]", "{}", '"scene"', "5", "[" * 200_000, '{"a":' * 200_000, '{"bodies": 5}', '{"bodies": [5]}', '{"bodies": [{"name": 5}]}', "\udcff"],
    ids=lambda s: repr(s[:12]),
)
def test_a_scene_that_is_none_is_refused(scene: str, copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        put_text(file, "scene", scene.encode(errors="surrogateescape"))
    refused(copy)


def numbers(node: Any, where: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to every value of a JSON tree."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [where] if where and not items else [p for key, value in items for p in numbers(value, (*where, key))]


def with_value(tree: Any, where: tuple[Any, ...], value: Any) -> str:
    tree = json.loads(json.dumps(tree))
    node = tree
    for key in where[:-1]:
        node = node[key]
    node[where[-1]] = value
    return json.dumps(tree)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, "heavy", None, [1.0] * 200_000, {}], ids=["nan", "inf", "negative", "word", "null", "long", "object"])
def test_a_mass_that_is_none_is_refused(value: Any, copy: Path) -> None:
    with h5py.File(copy, "r+") as file:
        tree = json.loads(text(file, "scene"))

        def at(where: tuple[Any, ...]) -> Any:
            node = tree
            for key in where:
                node = node[key]
            return node

        where = next(w for w in numbers(tree) if at(w) == 1.375)  # the arm's
        put_text(file, "scene", with_value(tree, where, value))
    refused(copy)


# ------------------------------------------------------------------------------------------------------------------ anything at all
# Loads every file it is told, in a process of its own, so that a crash is an exit code, and with bounded memory.
LOADER = """
import random, resource, sys, time
from pathlib import Path
import stickslip as ss
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
source, work, kind, seed, count = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
suffix = sys.argv[6]
dice = random.Random(seed)
slowest, loaded, refused = 0.0, 0, 0
for i in range(count):
    data = bytearray(source)
    if kind == "flip":
        for _ in range(dice.choice([1, 1, 3, 20])):
            data[dice.randrange(len(data))] = dice.randrange(256)
    else:
        data = data[: dice.randrange(len(data))]
    path = work / f"{kind}{i}.h5"
    (work / (path.name + suffix)).write_bytes(data)
    began = time.monotonic()
    try:
        run = ss.load_recording(path)
        loaded += 1
        for what in (run.t, run.q, run.v, run.contacts, run.steps, run.energy.total, run.model.nq, run.state.q, run.options, run.report):
            str(what)
        for k in range(len(run.t)):
            run.contacts_at(k)
    except ss.RecordingError as error:
        refused += 1
        assert path.name in str(error), error
    slowest = max(slowest, time.monotonic() - began)
    for leftover in work.iterdir():
        leftover.unlink()
print(loaded, refused, slowest)
"""


def survive(source: Path, work: Path, kind: str, count: int, suffix: str = "") -> tuple[int, int]:
    code, out, err = finish(python(LOADER, source, work, kind, 5, count, suffix))
    assert code == 0, err[-2000:]
    assert err == ""  # the library never prints, nor do the libraries it uses
    loaded, refused, slowest = out.split()
    assert float(slowest) < AT_ONCE
    return int(loaded), int(refused)


def test_a_recording_cut_anywhere_is_refused(good: Path, tmp_path: Path) -> None:
    loaded, refused = survive(good, tmp_path, "cut", 100)
    assert loaded == 0 and refused == 100


def test_a_recording_with_other_bytes_is_refused_or_read(good: Path, tmp_path: Path) -> None:
    loaded, refused = survive(good, tmp_path, "flip", 250)
    assert loaded + refused == 250


def test_random_bytes_after_the_magic_number_are_refused(good: Path, tmp_path: Path) -> None:
    data = np.random.default_rng(1).integers(0, 256, 4000, dtype=np.uint8).tobytes()
    (tmp_path / "random.h5").write_bytes(good.read_bytes()[:8] + data)
    refused(tmp_path / "random.h5")
