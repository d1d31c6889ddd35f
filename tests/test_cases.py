"""The papers' experiments: every case is complete, the quick ones run, and `stickslip reproduce` says what came of them."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import ROOT, run

CASES = sorted(p.parent for p in (ROOT / "cases").glob("*/check.py"))
WAITING = sorted(p.parent for p in (ROOT / "cases").glob("*/README.md") if not (p.parent / "check.py").exists())
# Every experiment of the papers: TAMSI, ICF, Expo, CENIC.
EXPERIMENTS = {f"{paper}{i}" for paper, count in {"T": 6, "I": 13, "E": 8, "C": 16}.items() for i in range(1, count + 1)}
# A few seconds each, and no claim about time.
QUICK = ["C3", "C10", "C11", "C15", "I1", "I2", "I3", "I4"]

# Claims that are known not to hold; their reasons are in the cases' READMEs.
OPEN = {
    ("I2", "Lagged is more accurate than Similar"),
    ("I2", "SAP's error does not fall with the smallest step"),
}


def reproduce(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("reproduce", *arguments, timeout=300)


@pytest.fixture(scope="module")
def quick() -> tuple[int, list[dict[str, Any]]]:
    """Exit code and records of the quick cases."""
    done = reproduce(*QUICK, "--json")
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("folder", CASES + WAITING, ids=lambda p: p.name)
def test_case_is_named_and_listed(folder: Path) -> None:
    assert re.fullmatch(r"[A-Z]\d+_[a-z_]+", folder.name)
    assert (folder / "README.md").read_text().startswith(f"# {folder.name.split('_')[0]}: ")
    assert f"[{folder.name.split('_')[0]}](../cases/{folder.name}/README.md)" in (ROOT / "docs" / "cases.md").read_text()


@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.name)
def test_case_is_complete(folder: Path) -> None:
    readme = (folder / "README.md").read_text()
    assert "](figure.png)" in readme and "| claim | measured | expected | holds |" in readme
    assert (folder / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "figure.png").stat().st_size < 200_000


def test_every_experiment_of_the_papers_is_a_case() -> None:
    assert {folder.name.split("_")[0] for folder in CASES + WAITING} == EXPERIMENTS
    assert len(CASES) + len(WAITING) == len(EXPERIMENTS)


def test_waiting_cases_say_what_for() -> None:
    done = reproduce(*(folder.name for folder in WAITING), "--json")
    records = json.loads(done.stdout)
    assert done.returncode == 0
    assert {r["id"] for r in records} == {folder.name.split("_")[0] for folder in WAITING}
    assert all(r["holds"] is None and r["claim"] and r["reason"].startswith("waits for ") for r in records)


def test_records_are_as_documented(quick: tuple[int, list[dict[str, Any]]]) -> None:
    code, records = quick
    assert list(dict.fromkeys(r["id"] for r in records)) == QUICK
    for record in records:
        assert list(record) == ["id", "claim", "measured", "expected", "holds", "reason", "seconds"]
        assert record["holds"] in (True, False, None) and record["claim"] and record["reason"] and record["seconds"] > 0
    assert code == (1 if any(r["holds"] is False for r in records) else 0)


def test_claims_hold_but_for_the_open_ones(quick: tuple[int, list[dict[str, Any]]]) -> None:
    false = {(r["id"], r["claim"]) for r in quick[1] if r["holds"] is False}
    assert not false - OPEN


def test_open_claims_are_claims_of_the_quick_cases(quick: tuple[int, list[dict[str, Any]]]) -> None:
    assert {(r["id"], r["claim"]) for r in quick[1]} >= OPEN


def test_gallery_shows_claims_plots_and_replays(quick: tuple[int, list[dict[str, Any]]]) -> None:
    page = (ROOT / "gallery" / "index.html").read_text()
    for id in QUICK:
        assert f'src="{id}.png"' in page and (ROOT / "gallery" / f"{id}.png").exists()
    assert "Lagged: no vertical motion" in page
    for id in ("C3", "C10", "C11", "I1", "I3"):
        assert f'data-replay="{id}_replay.html"' in page
        assert "<script" in (ROOT / "gallery" / f"{id}_replay.html").read_text()


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """The second time only what is missing runs; the third time all of it again."""
    script = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from cases import runner
from cases.catalog import select
ran, gallery = [], Path({str(tmp_path)!r})
def finish(todo, jobs, gallery):
    for case in todo:
        if case.id == "I3" and not (gallery / "second").exists():
            raise KeyboardInterrupt
        ran.append(case.id)
        yield case.id, [{{"id": case.id, "holds": True}}]
runner.finish = finish
try:
    records = runner.run_cases(select(["I1", "I2", "I3"]), 1, gallery)
except KeyboardInterrupt:
    records = []
print([r["id"] for r in records], ran)
"""

    def again() -> str:
        return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()

    assert again() == "[] ['I1', 'I2']"
    (tmp_path / "second").touch()
    assert again() == "['I1', 'I2', 'I3'] ['I3']"
    assert again() == "['I1', 'I2', 'I3'] ['I1', 'I2', 'I3']"


def test_unknown_cases_are_errors_with_a_suggestion() -> None:
    done = reproduce("I33")
    assert done.returncode == 2 and done.stdout == ""
    assert "no case 'I33'" in done.stderr and "did you mean I3?" in done.stderr


def test_names_of_folders_and_small_letters_do_too() -> None:
    spec = importlib.util.spec_from_file_location("cases_catalog", ROOT / "cases" / "catalog.py")
    assert spec is not None and spec.loader is not None
    catalog = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = catalog  # dataclasses look their module up
    spec.loader.exec_module(catalog)
    assert [case.id for case in catalog.select(["i3", "I1_conveyor"])] == ["I1", "I3"]
    everything = [case.id for case in catalog.select([])]
    assert set(everything) == EXPERIMENTS
    assert everything.index("C4") < everything.index("C11") < everything.index("I1")  # by number, not by letter


def test_a_check_that_raises_is_a_claim_that_does_not_hold(tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import json; from pathlib import Path; from cases import catalog, runner\n"
        "print(json.dumps(runner.run_case(catalog.Case('X1', 'no_such_folder'), Path('.'))))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    [record] = json.loads(done.stdout)
    assert record["holds"] is False and "ModuleNotFoundError" in record["reason"]


@pytest.mark.parametrize("method", ["lagged", "similar", "sap"])
def test_a_box_that_cannot_turn_is_a_point_on_a_belt(method: str) -> None:
    """Two paths to the same steps: ours, and formulas of the papers solved by bisection, whose tolerance is far below the limit; ours is
    1e-9 of the impulse, or 1e-9 * 7 m/s^2 * (2 s)^2/2."""
    script = f"""
import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "cases/I2_conveyor_convergence")!r}]
import independent, numpy as np, stickslip as ss
from cases.harness import record
from cases.I1_conveyor.check import RELAXATION_TIME
text = open({str(ROOT / "cases/I1_conveyor/scene.yaml")!r}).read()
text = text.replace("mass: 1", "mass: 1\\n    inertia: {{ixx: 1.0e+4, iyy: 1.0e+4, izz: 1.0e+4}}")
if {method!r} == "sap":
    text = text.replace("dissipation: 500", f"relaxation_time: {{RELAXATION_TIME}}")
ours = record(ss.from_string(text), "box", {method!r}, 2e-3, 2.0, solver_tolerance=1e-9)
path = independent.trajectory(getattr(independent, {method!r}), 2e-3, "mean")
print(np.abs(ours.position[:, [0, 2]] - [0, 0.025] - path[:, 1:]).max())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 5e-8
