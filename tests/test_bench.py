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
import result_rows
import saved_results
import scenes
import whole_runs
from command_line import run

TINY = ("pile_5", "--until", "0.05", "--repeat", "1")


def bench(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench" / "compare.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=os.environ | environment)


def result(seconds: float | None, spread: float | None = 0.02, setting: str = "accuracy 0.001") -> dict[str, Any]:
    values = dict(scene="C5", engine="Stickslip", method="cenic", setting=setting, wall_seconds=seconds, spread=spread)
    return {key: values.get(key) for key in result_rows.KEYS}


def saved(folder: Path, name: str, *rows: dict[str, Any]) -> str:
    file = folder / name
    file.write_text(json.dumps({"machine": {"cpu": "made up"}, "results": rows}))
    return str(file)


# -------------------------------------------------------------------------------------------------------------- measured
def test_json_is_one_array_of_rows_with_the_keys_of_the_design(tmp_path: Path) -> None:
    done = bench(*TINY, "--json", "--engines", "stickslip,mujoco", "--results", str(tmp_path))
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert all(tuple(row) == result_rows.KEYS for row in rows)
    ours = [row for row in rows if row["engine"] == "Stickslip"]
    assert [(r["method"], r["setting"]) for r in ours] == [("cenic", "accuracy 0.01"), ("cenic", "accuracy 0.001"), ("anchored", "time_step 0.002")]
    assert all(r["wall_seconds"] > 0 and r["spread"] is None and r["steps"] > 0 and r["error"] is None for r in ours)
    assert all(r["real_time_rate"] == pytest.approx(0.05 / r["wall_seconds"]) and r["iterations"] >= 0 for r in ours)
    assert all(r["max_penetration"] >= 0 and r["energy_gained"] < 1e-9 and r["max_slip"] is None for r in ours)  # they only fall
    assert ours[2]["steps"] == 25  # 0.05 s of 2 ms
    machine, kept = saved_results.load(next(tmp_path.glob("*.json")))
    assert kept == rows and machine["cpu"] and machine["threads"] == "1"


def test_ratios_are_to_mujoco_on_the_same_scene(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    rows = json.loads(bench(*TINY, "--json", "--engines", "stickslip,mujoco", "--results", str(tmp_path)).stdout)
    basis = next(r for r in rows if r["engine"] == "MuJoCo")
    assert basis["ratio"] == 1
    assert all(r["ratio_to"] == "MuJoCo Newton" and r["ratio"] == pytest.approx(r["cpu_seconds"] / basis["cpu_seconds"]) for r in rows)


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
    plan = measurements.Plan(repeat=1, starts=1, limit=1e-9, until=0.05)
    rows = measurements.measure(catalog.Entry("pile_5"), {"Stickslip": "this"}, runner, plan, lambda _: None)
    assert len(rows) == 3 and all(r["wall_seconds"] is None and r["max_penetration"] is None and "given up" in r["stopped"] for r in rows)


def measured(id: str, **plan: Any) -> list[dict[str, Any]]:
    """By our engine alone."""
    whole = measurements.Plan(**(dict(repeat=1, starts=1, limit=60.0) | plan))
    return measurements.measure(catalog.Entry(id), {"Stickslip": "this"}, measurements.Runner(), whole, lambda _: None)


def test_errors_shrink_with_accuracy_and_with_the_step() -> None:
    """At a tenth of the accuracy, or a quarter of the step: at least twice as near."""
    rows = measured("C4_early")
    accuracies = [r["error"] for r in rows if r["method"] == "cenic"]
    steps = [r["error"] for r in rows if r["method"] == "anchored"][::2]
    assert all(0 < tight < 0.5 * loose < 5e-3 for errors in (accuracies, steps) for loose, tight in zip(errors, errors[1:], strict=False))  # m
    assert all(r["own_error"] == r["error"] for r in rows)  # ours tends to the reference


def test_an_ensemble_has_a_start_each_and_pairs_its_ratios(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "ENSEMBLES", ("pile_2",))
    monkeypatch.setattr(catalog, "BASIS", catalog.Variant("Stickslip", "anchored"))
    rows = measured("pile_2", starts=3, until=0.05)
    assert all(len(r["starts"]) == 3 and r["ratio_low"] <= r["ratio"] <= r["ratio_high"] for r in rows)
    basis, other = rows[2], rows[0]
    paired = [a["cpu_seconds"][0] / b["cpu_seconds"][0] for a, b in zip(other["starts"], basis["starts"], strict=True)]
    assert basis["ratio"] == 1 and other["ratio"] == pytest.approx(sorted(paired)[1])


def test_starts_differ_by_a_millimetre_and_the_first_is_the_scenes_own() -> None:
    scene = scenes.make("C5")
    model, entry = engines.our_model(scene), catalog.Entry("C5")
    first, second, again = (np.array(measurements.starting_point(entry, scene, model, index)[0]).reshape(-1, 7) for index in (0, 1, 1))
    assert (first.ravel() == model.q0).all() and (second == again).all()
    off = np.abs(second[:, :3] - first[:, :3])
    assert 0.9 * measurements.SHIFT < off.max() <= measurements.SHIFT


def test_a_watched_run_takes_the_steps_of_one_that_nobody_watches(tmp_path: Path) -> None:
    scene = scenes.make("pile_3")
    model, task = engines.our_model(scene), dict(scene=scene, until=0.3, method="cenic", accuracy=1e-3)
    alone, watched = whole_runs.stickslip(task, model), whole_runs.stickslip(task | dict(watched=str(tmp_path / "s.npz")), model)
    assert alone["q"] == watched["q"] and alone["steps"] == watched["steps"] and alone["iterations"] == watched["iterations"]


# ---------------------------------------------------------------------------------------------------------------- scenes
@pytest.mark.parametrize("arguments", [["C44"], ["--engines", "mujoko", "C5"]])
def test_what_does_not_exist_has_a_suggestion(arguments: list[str]) -> None:
    done = bench("--json", *arguments)
    assert done.returncode == 2 and done.stdout == "" and "did you mean" in done.stderr


def test_every_listed_scene_can_be_named() -> None:
    listed = [line.split()[0] for line in bench("--list").stdout.splitlines()[:-2]]
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


def test_exported_scenes_are_those_that_are_measured(tmp_path: Path) -> None:
    import stickslip as ss

    done = bench("pile_3_settled", "mixed_8", "C4_early", "--export", str(tmp_path / "scenes"))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "scenes").iterdir()) == ["C4.xml", "C4.yaml", "mixed_8.xml", "mixed_8.yaml", "pile_3.xml", "pile_3.yaml"]
    for name in ("C4", "mixed_8", "pile_3"):
        ours, theirs = ss.load(tmp_path / "scenes" / f"{name}.yaml"), ss.load(tmp_path / "scenes" / f"{name}.xml")
        made = scenes.make(name)
        assert ours.total_mass == pytest.approx(theirs.total_mass) == pytest.approx(sum(o["mass"] for o in made["objects"]))
        assert np.allclose(ours.mass_matrix(ours.q0), theirs.mass_matrix(theirs.q0), rtol=1e-6, atol=1e-9)  # six digits of C4's file


def test_the_command_line_passes_on_what_it_is_told(tmp_path: Path) -> None:
    done = run("bench", "pile_2", "--export", str(tmp_path))
    assert done.returncode == 0 and {path.name for path in tmp_path.iterdir()} == {"pile_2.yaml", "pile_2.xml"}
    assert "--starts" in run("bench", "--starts", "0").stderr and "cannot read" in run("bench", "--page", str(tmp_path / "none.json")).stderr


def test_a_mixed_pile_has_every_shape_as_often() -> None:
    shapes = [o["shape"] for o in scenes.make("mixed_20")["objects"]]
    assert all(shapes.count(shape) == 5 for shape in scenes.MIXTURE)


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


def test_two_runs_agree_in_their_ratios_as_one_line_tells(tmp_path: Path) -> None:
    settings = ("accuracy 0.1", "accuracy 0.01", "accuracy 0.001")
    a = saved(tmp_path, "a", *(result(1.0, setting=s) | {"ratio": 1.0} for s in settings))
    b = saved(tmp_path, "b", *(result(1.0, setting=s) | {"ratio": x} for s, x in zip(settings, (1.1, 0.5, 1.02), strict=True)))
    last = bench("--compare", a, b).stdout.splitlines()[-1]
    assert "10.0 % in the median and 100.0 % at worst (C5: Stickslip cenic, accuracy 0.01); 2 of 3 within 15 %" in last


def test_runs_that_were_cut_short_are_compared_by_the_simulated_second(tmp_path: Path) -> None:
    before, after = result(1.0) | {"simulated_seconds": 0.1}, result(1.0) | {"simulated_seconds": 0.2}
    assert [c["ratio"] for c in saved_results.compare([before], [after])] == [0.5]


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
