"""Measures scenes: all settings of all engines on each, in turns; a row a setting."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import catalog
import engines
import numpy as np
import scenes
import whole_runs
from catalog import DRAKE, MUJOCO, STICKSLIP, Entry, Variant
from drake_process import DrakeProcess, drake_version
from machine import mujoco_version

Row = dict[str, Any]
KEYS = ("scene", "engine", "version", "method", "setting", "wall_seconds", "spread", "steps", "max_penetration", "error", "ratio", "ratio_to")
EARLY_SAMPLES = 10  # as in the cases
# The friction of the reference: each engine is compared with the law that it solves.
LAWS = {STICKSLIP: "anchored", MUJOCO: "regularized", DRAKE: "regularized"}


def installed(wanted: list[str]) -> dict[str, str]:
    """Versions of those engines that can be used."""
    import stickslip as ss

    versions = {STICKSLIP: ss.__version__, MUJOCO: mujoco_version(), DRAKE: drake_version()}
    return {name: versions[name] for name in wanted if versions[name]}


class Runner:
    """Runs tasks of one scene. Models are built once, and Drake's process is kept from scene to scene."""

    def __init__(self) -> None:
        self.drake: DrakeProcess | None = None
        self.models: dict[str, Any] = {}

    def use(self, scene: scenes.Scene) -> None:
        self.scene, self.models = scene, {"": engines.our_model(scene)}

    def run(self, variant: Variant, **task: Any) -> whole_runs.Answer:
        task |= {"scene": self.scene, **variant.options}
        if variant.engine == STICKSLIP:
            return whole_runs.stickslip(task, self.models[""])
        if variant.engine == MUJOCO:
            if variant.method not in self.models:
                self.models[variant.method] = engines.mujoco_model(self.scene, variant.method)
            return whole_runs.mujoco(task, self.models[variant.method])
        if self.drake is None:
            self.drake = DrakeProcess(Path(whole_runs.__file__))
        try:
            return self.drake.ask(task)
        except (RuntimeError, BrokenPipeError):
            self.close()
            return dict(seconds=0.0, steps=0, penetration=None, places=None, stopped="Drake's process ended")

    def close(self) -> None:
        if self.drake is not None:
            self.drake.close()
            self.drake = None


def starting_point(entry: Entry, scene: scenes.Scene, model: Any) -> list[list[float]] | None:
    """q and v, the same for all engines to the last digit; none for robots, whose MJCF all read."""
    if "mjcf" in scene:
        return None
    q, v = engines.settle(scene, engines.SETTLE)[0] if entry.settled else (model.q0, np.zeros(model.nv))
    return [np.asarray(q).tolist(), np.asarray(v).tolist()]


def measure(entry: Entry, versions: dict[str, str], runner: Runner, repeat: int, until: float | None, limit: float, say: Callable[[str], None]) -> list[Row]:
    """A first run of each setting is watched and not timed. Those that take long are repeated less often than `repeat`, so that no setting takes much
    longer than twice the `limit` [s]."""
    scene = scenes.make(entry.scene)
    runner.use(scene)
    say(f"{entry.id}: start")
    start = starting_point(entry, scene, runner.models[""])
    length = min(catalog.duration(entry, scene), until or float("inf"))
    task: dict[str, Any] = dict(start=start, until=length, warm_up=catalog.warm_up(entry))
    chosen = [v for v in catalog.variants(scene) if v.engine in versions]
    runs: dict[Variant, list[whole_runs.Answer]] = {}
    for variant in chosen:
        say(f"{entry.id}: {variant.name}, {variant.setting}, warm-up")
        first = runner.run(variant, **task, watched=True, limit=limit)
        if first["stopped"]:
            say(f"{entry.id}: {variant.name}, {variant.setting}: {first['stopped']}\n")
        runs[variant] = [first]
    for repetition in range(repeat):
        for variant in chosen if repetition % 2 == 0 else chosen[::-1]:
            first = runs[variant][0]
            if not first["stopped"] and (repetition == 0 or (repetition + 1) * first["seconds"] < limit):
                say(f"{entry.id}: {variant.name}, {variant.setting}, {repetition + 1} of {repeat}")
                runs[variant].append(runner.run(variant, **task))
    say(f"{entry.id}: errors")
    finished = [v for v in chosen if not runs[v][0]["stopped"]]
    errors = early_errors(entry, runner, finished, start) if length >= catalog.duration(entry, scene) else {}
    rows = [row(entry, variant, versions[variant.engine], runs[variant], errors.get(variant)) for variant in chosen]
    add_ratios(rows)
    return rows


def row(entry: Entry, variant: Variant, version: str, runs: list[whole_runs.Answer], error: float | None) -> Row:
    """`runs`: the watched one, then the timed ones."""
    seconds = [run["seconds"] for run in runs[1:] if not run["stopped"]]
    median = statistics.median(seconds) if seconds else None
    depths = [run["penetration"] for run in runs if run["penetration"] is not None] if seconds else []
    values = dict(
        scene=entry.id, engine=variant.engine, version=version, method=variant.method, setting=variant.setting, wall_seconds=median,
        spread=(max(seconds) - min(seconds)) / median if median and len(seconds) > 1 else None, steps=runs[-1]["steps"] if seconds else None,
        max_penetration=max(depths, default=None), error=error, ratio=None, ratio_to=None,
    )  # fmt: skip
    return {key: values[key] for key in KEYS}


def add_ratios(rows: list[Row]) -> None:
    basis = next((r for r in rows if (r["engine"], r["method"]) == (MUJOCO, catalog.BASIS.method)), None)
    if basis is None or not basis["wall_seconds"]:
        return
    for r in rows:
        r["ratio_to"] = catalog.BASIS.name
        r["ratio"] = r["wall_seconds"] / basis["wall_seconds"] if r["wall_seconds"] else None


def early_errors(entry: Entry, runner: Runner, chosen: list[Variant], start: Any) -> dict[Variant, float]:
    """The farthest that an object is off [m] while runs can be compared, from ours at a far higher accuracy; only for those cases that make such a
    reference. For MuJoCo it contains that its contacts are not those of the scene."""
    if entry.id not in ("C4", "C5"):
        return {}
    sys.path.insert(0, str(engines.ROOT))
    from cases.C4_soft_clutter import check as soft
    from cases.C5_hard_clutter import check as hard
    from cases.C5_hard_clutter.runs import early_error, early_positions

    case = soft if entry.id == "C4" else hard
    times = [case.EARLY * (i + 1) / EARLY_SAMPLES for i in range(EARLY_SAMPLES)]
    laws = {LAWS[variant.engine] for variant in chosen}
    references = {law: early_positions(scenes.CASES[entry.id], "cenic", case.REFERENCE, case.EARLY, law)[1:] for law in laws}
    answers = {variant: runner.run(variant, start=start, times=times) for variant in chosen}
    arrived = {variant: np.array(answer["places"]) for variant, answer in answers.items() if not answer["stopped"]}
    return {variant: early_error(places, references[LAWS[variant.engine]]) for variant, places in arrived.items()}
