"""Measures scenes: all settings of all engines on each, in turns, from one start or from several; a row a setting."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import catalog
import engines
import motion
import numpy as np
import result_rows
import robot_scenes as robots
import scenes
import whole_runs
from catalog import DRAKE, MUJOCO, STICKSLIP, Entry, Variant
from drake_process import DrakeProcess, drake_version
from machine import mujoco_version

Say = Callable[[str], None]
REFERENCE = 1e-6  # accuracy of the runs that errors are taken from
# The friction of the reference: each engine is compared with the law that it solves.
LAWS = {STICKSLIP: "anchored", MUJOCO: "regularized", DRAKE: "regularized"}
LIMIT_STEP, LIMIT_ACCURACY = 3.125e-5, 1e-6  # s, and accuracy: an engine's own limit, with its own contacts
SHIFT, TURN = 1e-3, 1e-2  # m and rad, by which starts differ at most
# Of robots in short runs, m and rad: upright, Solo12 lands on straight legs and stands, whatever the step. Tilted feet need room.
LIFT, TILT = (0.0, 0.0, 0.05), (0.3, 0.2, 0.0)
LONG = 1.0  # s; a watched run that takes longer is also a timed one, since looking on is a small part of it
ENSEMBLE_REPEAT = 1  # timed runs a start, if there are several
REPEAT_SECONDS = 6.0  # s, after which a setting is not repeated
SHORT, MOST_AT_ONCE = 0.05, 9  # s: in its turn a shorter run is made several times, at most so often, and the middle one counts


@dataclass(frozen=True)
class Plan:
    repeat: int  # timed runs of each setting, if there is one start
    starts: int  # of scenes that are ensembles
    limit: float  # s, after which a run is cut short
    until: float | None = None  # s of simulated time; the scene's own if none


@dataclass
class Runs:
    """Of one setting from one start."""

    first: whole_runs.Answer
    timed: list[whole_runs.Answer] = field(default_factory=list)
    quality: motion.Quality | None = None
    error: float | None = None  # m
    own_error: float | None = None  # m, from where the engine itself gets with short steps

    @property
    def total(self) -> float:
        """s, of all."""
        return float(self.first["seconds"] + sum(run["seconds"] for run in self.timed if run is not self.first))


def installed(wanted: list[str]) -> dict[str, str]:
    """Versions of those engines that can be used."""
    import stickslip as ss

    versions = {STICKSLIP: ss.__version__, MUJOCO: mujoco_version(), DRAKE: drake_version()}
    return {name: versions[name] for name in wanted if versions[name]}


# ----------------------------------------------------------------------------------------------------------------- runs
class Runner:
    """Runs tasks of one scene. Models are built once, and Drake's process is kept from scene to scene."""

    def __init__(self) -> None:
        self.drake: DrakeProcess | None = None
        self.references: dict[tuple[str, int, str], Any] = {}  # scene, start and law or engine: places of the bodies at the horizon

    def use(self, scene: scenes.Scene) -> None:
        self.scene, self.model = scene, engines.our_model(scene)
        self.drakes_scene: scenes.Scene | None = None
        self.theirs: dict[tuple[str, float], Any] = {}

    def run(self, variant: Variant, **task: Any) -> whole_runs.Answer:
        task |= {"scene": self.scene, **variant.options}
        if variant.engine == STICKSLIP:
            return whole_runs.stickslip(task, self.model)
        if variant.engine == MUJOCO:
            key = (variant.method, variant.time_step)
            if key not in self.theirs:
                self.theirs[key] = engines.mujoco_model(self.scene, *key)
            return whole_runs.mujoco(task, self.theirs[key])
        if self.drake is None:
            self.drake = DrakeProcess(Path(whole_runs.__file__))
        if self.drakes_scene is None:
            self.drakes_scene = robots.for_drake(self.scene, self.model) if "mjcf" in self.scene else self.scene
        try:
            return self.drake.ask(task | {"scene": self.drakes_scene})
        except (RuntimeError, BrokenPipeError):
            self.close()
            return dict(seconds=0.0, cpu=0.0, simulated=0.0, steps=0, iterations=None, q=None, stopped="Drake's process ended", cut=False)

    def places(self, q: Any) -> Any:
        """Of all bodies that move [m], n x 3."""
        if "mjcf" not in self.scene:
            return np.reshape(q, (-1, 7))[:, :3]
        return np.array([self.model.pose(q, name)[:3, 3] for name in self.model.body_names[1:]])

    def place_of(self, entry: Entry) -> str:
        """What starts at the same place: robots do not, in short runs."""
        return entry.id if "mjcf" in self.scene else entry.scene

    def reference(self, entry: Entry, index: int, start: Any, law: str) -> Any:
        key = (self.place_of(entry), index, law)
        if key not in self.references:
            task = dict(scene=self.scene, start=start, until=entry.horizon, method="cenic", accuracy=REFERENCE, friction=law)
            self.references[key] = self.places(whole_runs.stickslip(task, self.model)["q"])
        return self.references[key]

    def own_limit(self, entry: Entry, index: int, start: Any, variant: Variant) -> Any:
        """Where an engine gets with its own contacts, as its steps become short; none where it would take too long."""
        if variant.engine == STICKSLIP:
            return self.reference(entry, index, start, LAWS[STICKSLIP])
        if variant.engine == DRAKE and (variant.accuracy is None or "mjcf" in self.scene):
            return None
        key = (self.place_of(entry), index, variant.engine)
        if key not in self.references:
            finest = replace(variant, time_step=LIMIT_STEP) if variant.accuracy is None else replace(variant, accuracy=LIMIT_ACCURACY)
            end = self.run(finest, start=start, until=entry.horizon)
            self.references[key] = None if end["stopped"] else self.places(end["q"])
        return self.references[key]

    def close(self) -> None:
        if self.drake is not None:
            self.drake.close()
            self.drake = None


def starting_point(entry: Entry, scene: scenes.Scene, model: Any, index: int = 0) -> list[list[float]]:
    """q and v, the same for all engines to the last digit. The first start is the scene's own; in others every position of a free body is off by up to
    SHIFT and every rotation by up to TURN. Robots are tilted in short runs."""
    q, v = engines.settle(scene, engines.SETTLE)[0] if entry.settled else (model.q0, np.zeros(model.nv))
    if "mjcf" in scene and entry.early:
        q = model.integrate(q, np.concatenate([LIFT, TILT, np.zeros(model.nv - 6)]))
    if index > 0:
        q = engines.beside(scene, model, q, index, SHIFT, TURN)
    return [np.asarray(q).tolist(), np.asarray(v).tolist()]


# -------------------------------------------------------------------------------------------------------------- measure
def measure(entry: Entry, versions: dict[str, str], runner: Runner, plan: Plan, say: Say) -> list[result_rows.Row]:
    """Of each start: first every setting is watched, then they are timed in turns. What takes long is repeated less often."""
    scene = scenes.make(entry.scene)
    runner.use(scene)
    length = min(catalog.duration(entry, scene), plan.until or float("inf"))
    chosen = [v for v in catalog.variants(entry, scene) if v.engine in versions]
    by_start: list[dict[Variant, Runs]] = []
    given_up: dict[Variant, str] = {}
    for index in range(plan.starts if entry.ensemble else 1):
        say(f"{entry.id}: start {index + 1}")
        start = starting_point(entry, scene, runner.model, index)
        task: dict[str, Any] = dict(start=start, until=length, warm_up=catalog.warm_up(entry))
        runs = watch(entry, runner, [v for v in chosen if v not in given_up], task, plan.limit, say)
        given_up |= {v: r.first["stopped"] for v, r in runs.items() if r.first["stopped"] and not usable(entry, r.first)}
        fine = {v: r for v, r in runs.items() if v not in given_up}
        time_in_turns(entry, runner, fine, task, plan, index, say)
        if entry.horizon and length >= catalog.duration(entry, scene):
            say(f"{entry.id}: errors")
            add_errors(entry, runner, fine, start, index)
        by_start.append(fine)
    return result_rows.make(entry, chosen, versions, by_start, given_up)


def usable(entry: Entry, run: whole_runs.Answer) -> bool:
    """Whether its time counts: a settled pile costs the same at any time, so that a part will do."""
    return not run["stopped"] or (entry.settled and run["cut"] and run["steps"] > 0)


def watch(entry: Entry, runner: Runner, chosen: list[Variant], task: dict[str, Any], limit: float, say: Say) -> dict[Variant, Runs]:
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "states.npz"
        for variant in chosen:
            say(f"{entry.id}: {variant.name}, {variant.setting}, warm-up")
            runs = Runs(runner.run(variant, **task, watched=str(file), limit=limit))
            if runs.first["stopped"]:
                say(f"{entry.id}: {variant.name}, {variant.setting}: {runs.first['stopped']}\n")
            if usable(entry, runs.first):
                runs.quality = motion.examine(runner.model, file)
                if runs.first["seconds"] > LONG:
                    runs.timed.append(runs.first)
            out[variant] = runs
    return out


def time_in_turns(entry: Entry, runner: Runner, runs: dict[Variant, Runs], task: dict[str, Any], plan: Plan, index: int, say: Say) -> None:
    repeat = min(plan.repeat, ENSEMBLE_REPEAT) if plan.starts > 1 and entry.ensemble else plan.repeat
    for repetition in range(repeat):
        order = list(runs) if (repetition + index) % 2 == 0 else list(runs)[::-1]
        for variant in order:
            own = runs[variant]
            if len(own.timed) <= repetition and (not own.timed or own.total < REPEAT_SECONDS):
                say(f"{entry.id}: {variant.name}, {variant.setting}, {repetition + 1} of {repeat}")
                own.timed.append(one_turn(runner, variant, own.first["seconds"], task))


def one_turn(runner: Runner, variant: Variant, seconds: float, task: dict[str, Any]) -> whole_runs.Answer:
    """A run that takes about so long; of several the one in the middle."""
    count = max(1, min(MOST_AT_ONCE, round(SHORT / max(seconds, 1e-6))))
    runs = sorted((runner.run(variant, **task) for _ in range(count)), key=lambda run: float(run["cpu"]))
    return runs[count // 2]


def add_errors(entry: Entry, runner: Runner, runs: dict[Variant, Runs], start: Any, index: int) -> None:
    """How far a body is off at most [m] at the horizon, from ours at a far higher accuracy; and from what the engine itself tends to."""
    for variant, own in runs.items():
        end = own.timed[-1] if entry.early else runner.run(variant, start=start, until=entry.horizon)
        if end["stopped"]:
            continue
        places = runner.places(end["q"])
        own.error = farthest(places, runner.reference(entry, index, start, LAWS[variant.engine]))
        limit = runner.own_limit(entry, index, start, variant) if entry.early else None
        own.own_error = None if limit is None else farthest(places, limit)


def farthest(places: Any, others: Any) -> float:
    return float(np.linalg.norm(places - others, axis=1).max())
