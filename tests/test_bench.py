"""`stickslip bench`: what it prints, what it leaves out, and how two results are compared. Nothing is timed here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "contact"))

import catalog
import engines
import measurements
import numpy as np
import saved_results
import scenes

TINY = ("pile_5", "--until", "0.05", "--repeat", "1")


def bench(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench" / "compare.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=os.environ | environment)


def result(seconds: float | None, spread: float | None = 0.02, setting: str = "accuracy 0.001") -> dict[str, Any]:
    values = dict(scene="C5", engine="Stickslip", method="cenic", setting=setting, wall_seconds=seconds, spread=spread)
    return {key: values.get(key) for key in measurements.KEYS}


def saved(folder: Path, name: str, *rows: dict[str, Any]) -> str:
    file = folder / name
    file.write_text(json.dumps({"machine": {"cpu": "made up"}, "results": rows}))
    return str(file)


# -------------------------------------------------------------------------------------------------------------- measured
def test_json_is_one_array_of_rows_with_the_keys_of_the_design(tmp_path: Path) -> None:
    done = bench(*TINY, "--json", "--engines", "stickslip,mujoco", "--results", str(tmp_path))
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert all(tuple(row) == measurements.KEYS for row in rows)
    ours = [row for row in rows if row["engine"] == "Stickslip"]
    assert [(r["method"], r["setting"]) for r in ours] == [("cenic", "accuracy 0.01"), ("cenic", "accuracy 0.001"), ("anchored", "time_step 0.002")]
    assert all(r["wall_seconds"] > 0 and r["spread"] is None and r["steps"] > 0 and r["error"] is None for r in ours)
    assert ours[2]["steps"] == 25  # 0.05 s of 2 ms
    machine, kept = saved_results.load(next(tmp_path.glob("*.json")))
    assert kept == rows and machine["cpu"] and machine["threads"] == "1"


def test_ratios_are_to_mujoco_on_the_same_scene(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    rows = json.loads(bench(*TINY, "--json", "--engines", "stickslip,mujoco", "--results", str(tmp_path)).stdout)
    basis = next(r for r in rows if r["engine"] == "MuJoCo")
    assert basis["ratio"] == 1
    assert all(r["ratio_to"] == "MuJoCo Newton" and r["ratio"] == pytest.approx(r["wall_seconds"] / basis["wall_seconds"]) for r in rows)


def test_the_table_has_a_block_a_scene(tmp_path: Path) -> None:
    done = bench("pile_5", "pile_6", *TINY[1:], "--engines", "stickslip", "--results", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "pile_5: 5 balls" in done.stdout and "pile_6: 6 balls" in done.stdout and done.stdout.count("anchored") == 2


def test_an_engine_that_is_missing_is_named_with_its_remedy(tmp_path: Path) -> None:
    done = bench(*TINY, "--json", "--engines", "stickslip,drake", "--results", str(tmp_path), STICKSLIP_DRAKE_PYTHON=str(tmp_path / "no_python"))
    assert done.returncode == 0, done.stderr
    assert "Drake is not installed" in done.stderr and "stickslip bench --setup" in done.stderr
    rows = json.loads(done.stdout)
    assert {r["engine"] for r in rows} == {"Stickslip"} and all(r["ratio"] is None and r["ratio_to"] is None for r in rows)


def test_a_run_that_takes_too_long_is_given_up_and_has_no_time() -> None:
    runner = measurements.Runner()
    rows = measurements.measure(catalog.Entry("pile_5"), {"Stickslip": "this"}, runner, 1, 0.05, 1e-9, lambda _: None)
    assert len(rows) == 3 and all(r["wall_seconds"] is None and r["max_penetration"] is None for r in rows)


def test_errors_shrink_with_accuracy() -> None:
    """Of C4, where the case has a reference: a tenth of the accuracy is at least twice as near."""
    scene, runner = scenes.make("C4"), measurements.Runner()
    runner.use(scene)
    entry = catalog.Entry("C4")
    chosen = [v for v in catalog.variants(scene) if v.name == "Stickslip cenic"]
    loose, tight = measurements.early_errors(entry, runner, chosen, measurements.starting_point(entry, scene, runner.models[""])).values()
    assert 0 < tight < 0.5 * loose < 1e-3  # m


# ---------------------------------------------------------------------------------------------------------------- scenes
@pytest.mark.parametrize("arguments", [["C44"], ["--engines", "mujoko", "C5"]])
def test_what_does_not_exist_has_a_suggestion(arguments: list[str]) -> None:
    done = bench("--json", *arguments)
    assert done.returncode == 2 and done.stdout == "" and "did you mean" in done.stderr


def test_every_listed_scene_can_be_named() -> None:
    listed = [line.split()[0] for line in bench("--list").stdout.splitlines()[:-1]]
    assert set(catalog.DEFAULT) | set(catalog.QUICK) <= set(listed)
    assert [entry.id for entry in catalog.find([id.upper() for id in listed])] == listed


@pytest.mark.parametrize("name", scenes.CASES)
def test_scenes_of_cases_are_those_of_their_files(name: str) -> None:
    """The other engines get the scene's numbers from us: masses, places and surfaces are those of the file, which has six digits."""
    made = scenes.make(name)
    model = engines.our_model(made)
    assert model.total_mass == pytest.approx(sum(o["mass"] for o in made["objects"]))
    q = np.reshape(model.q0, (-1, 7))
    assert np.allclose(q[:, :3], [o["p"] for o in made["objects"]])
    turns = np.array([o["q"] for o in made["objects"]])
    assert np.allclose(np.abs(np.sum(q[:, 3:] * turns, axis=1)), 1)  # q and -q are the same rotation
    text = (ROOT / "cases" / scenes.CASES[name] / "scene.yaml").read_text()
    surface = re.search(r"stiffness: ([\d.e+]+), dissipation: ([\d.]+), friction: ([\d.]+)", text)
    assert surface and [float(x) for x in surface.groups()] == [made["k"], made["d"], made["mu"]]


# --------------------------------------------------------------------------------------------------------------- compare
def test_two_equal_results_have_no_change(tmp_path: Path) -> None:
    done = bench("--compare", saved(tmp_path, "a", result(1.0)), saved(tmp_path, "b", result(1.01)))
    assert done.returncode == 0 and "slower" not in done.stdout and "1.01" in done.stdout


def test_slower_counts_beyond_the_spread_and_15_percent(tmp_path: Path) -> None:
    a = saved(tmp_path, "a", result(1.0), result(1.0, 0.5, "accuracy 0.01"), result(1.0, None, "time_step 0.002"))
    b = saved(tmp_path, "b", result(1.1), result(1.4, 0.1, "accuracy 0.01"), result(0.5, None, "time_step 0.002"))
    done = bench("--json", "--compare", a, b)
    assert done.returncode == 0
    assert [row["change"] for row in json.loads(done.stdout)] == ["slower", "same", "faster"]
    worse = bench("--compare", a, saved(tmp_path, "c", result(1.2)))
    assert worse.returncode == 1 and "much slower" in worse.stdout


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no JSON")
    for other in (str(tmp_path / "text"), str(tmp_path / "missing"), saved(tmp_path, "other", {"scene": "C5"})):
        done = bench("--compare", saved(tmp_path, "a", result(1.0)), other)
        assert done.returncode == 2 and Path(other).name in done.stderr and "Traceback" not in done.stderr


def test_results_with_nothing_in_common_are_no_success(tmp_path: Path) -> None:
    done = bench("--json", "--compare", saved(tmp_path, "a", result(1.0)), saved(tmp_path, "b", result(1.0, setting="accuracy 0.01")))
    assert done.returncode == 2 and done.stdout == "" and "nothing in common" in done.stderr


def test_rows_without_a_time_are_not_compared() -> None:
    assert saved_results.compare([result(None)], [result(1.0)]) == saved_results.compare([result(1.0)], [result(None)]) == []


def test_results_of_a_day_do_not_replace_each_other(tmp_path: Path) -> None:
    machine = {"date": "2026-01-02", "cpu": "Maker(R) Fast(TM) CPU @ 3.0 GHz"}
    names = [saved_results.save(tmp_path, machine, [result(1.0)]).name for _ in range(2)]
    assert names == ["2026-01-02-maker-fast-cpu-3-0-ghz.json", "2026-01-02-maker-fast-cpu-3-0-ghz-2.json"]
