"""Files with one defect each are refused by code and line, with exit 2 and little memory: tests/corpus has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run
from corpus import ALL, FORMATS, dae, gltf, mjcf, obj, stl, urdf, yaml_elements
from corpus.case import Case, as_mesh
from corpus.run import Result, complaint, run_corpus

MOST_MEGABYTES = 256
WHOLE = [
    Case("whole.yaml", yaml_elements.BASE.encode(), ""),
    Case("whole.xml", mjcf.BASE.encode(), ""),
    Case("whole.urdf", urdf.BASE.encode(), ""),
    as_mesh(Case("whole.obj", obj.BASE.encode(), "")),
    as_mesh(Case("whole_text.stl", stl.BASE.encode(), "")),
    as_mesh(Case("whole_binary.stl", stl.binary(4), "")),
    as_mesh(Case("whole.dae", dae.BASE.encode(), "")),
    as_mesh(Case("whole.gltf", json.dumps(gltf.BASE).encode(), "")),
    as_mesh(Case("whole.glb", gltf.glb(), "")),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    return run_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.mark.parametrize("whole", WHOLE, ids=lambda case: case.name)
def test_what_the_defects_are_made_in_loads(whole: Case, tmp_path: Path) -> None:
    """So that the files below are refused for their defect, and for nothing else."""
    done = run("check", whole.write(tmp_path / "whole"))
    assert done.returncode == 0, done.stderr


def test_the_corpus_has_more_than_300_files_and_no_two_alike() -> None:
    contents = [(case.name, case.content, tuple(sorted(case.others.items()))) for case in ALL]
    assert len(ALL) >= 300 and len(set(contents)) == len(ALL)


@pytest.mark.parametrize("name", FORMATS)
def test_every_file_is_refused_by_its_code_and_line(name: str, results: list[Result]) -> None:
    faults = [f"{r.case.name}: {complaint(r)}\n{r.said}" for r in results if r.format == name and complaint(r)]
    assert not faults, "\n".join(faults)


def test_no_file_takes_much_memory(results: list[Result]) -> None:
    worst = max(results, key=lambda r: r.megabytes)
    slowest = max(results, key=lambda r: r.cpu)
    print(f"most memory: {worst.case.name}, {worst.megabytes:.0f} MB; most time: {slowest.case.name}, {slowest.cpu:.2f} s of CPU")
    assert worst.megabytes < MOST_MEGABYTES, worst.case.name


def test_errors_say_how_to_mend_them_or_what_was_written(results: list[Result]) -> None:
    """A code and a place alone help nobody: four of five have a remedy, and none is longer than a screen."""
    coded = [r for r in results if r.code]
    assert sum("\n  fix: " in r.said for r in coded) > 0.8 * sum(r.code != "bad-mesh" for r in coded)
    assert max(len(r.said.splitlines()) for r in coded) < 25


def test_json_has_the_error_and_nothing_else(tmp_path: Path) -> None:
    case = next(case for case in urdf.CASES if case.name == "number-mass-garbage.urdf")
    done = run("check", case.write(tmp_path / "case"), "--json")
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, done.stderr) == (2, "")
    assert (error["code"], error["line"], error["text"]) == ("bad-number", case.line, "1.0abc")
    assert error["fix"] and error["message"] and error["file"].endswith(case.name)
