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


@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.name)
def test_case_is_complete(folder: Path) -> None:
    assert re.fullmatch(r"[A-Z]\d+_[a-z_]+", folder.name)
    readme = (folder / "README.md").read_text()
    assert readme.startswith(f"# {folder.name.split('_')[0]}: ")
    assert "](figure.png)" in readme and "| claim | measured | expected | holds |" in readme
    assert (folder / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "figure.png").stat().st_size < 200_000
    assert f"[{folder.name.split('_')[0]}](../cases/{folder.name}/README.md)" in (ROOT / "docs" / "cases.md").read_text()


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


def test_gallery_shows_claims_and_plots(quick: tuple[int, list[dict[str, Any]]]) -> None:
    page = (ROOT / "gallery" / "index.html").read_text()
    for id in QUICK:
        assert f'src="{id}.png"' in page and (ROOT / "gallery" / f"{id}.png").exists()
    assert "Lagged: no vertical motion" in page


def test_unknown_cases_are_errors_with_a_suggestion() -> None:
    done = reproduce("I33")
    assert done.returncode == 2 and done.stdout == ""
    assert "no case 'I33'" in done.stderr and "did you mean I3?" in done.stderr


def test_names_of_folders_and_small_letters_do_too() -> None:
    spec = importlib.util.spec_from_file_location("cases_run", ROOT / "cases" / "run.py")
    assert spec is not None and spec.loader is not None
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    select = runner.select
    assert list(select(["i3", "I1_conveyor"])) == ["I1", "I3"]
    everything = list(select([]))
    assert sorted(everything) == sorted(folder.name.split("_")[0] for folder in CASES)
    assert everything.index("C4") < everything.index("C11") < everything.index("I1")  # by number, not by letter


def test_a_check_that_raises_is_a_claim_that_does_not_hold(tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'cases')!r}); import run, json\n"
        "print(json.dumps(run.run_case('X1', 'no_such_folder')))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    [record] = json.loads(done.stdout)
    assert record["holds"] is False and "ModuleNotFoundError" in record["reason"]
