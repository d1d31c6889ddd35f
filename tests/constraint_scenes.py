"""Random scenes of joints, constraints, surfaces and drives, and what becomes of their energy: a fuzzer that judges by numbers.

Usage: cd tests && ../.venv/bin/python -m constraint_scenes [--scenes 300] [--first 0] [--jobs 2] [--settings cenic-1e-2,anchored-2ms] [--markdown] [--list]
       cd tests && ../.venv/bin/python -m constraint_scenes --show 12 --settings cenic-1e-2 [--write scene.yaml]

Prints a line for each way to step: how many of the scenes gain more than 1 % and more than 100 % of what their masses would have a metre up at 3.5 m/s,
and how many leave bodies deep in each other, constraints unheld, stop with a status, or take longer than they should. The same numbers each time.
--list names the scenes that gained, stopped or took too long, with the command that shows each. --show prints a scene's energy over time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from random_mechanisms import Scene, gap_of, is_fed, random_scene
from scene_energy import SpringMeter, feeds_unmeasured

import stickslip as ss

SECONDS = 2.0
MOST_STEPS = 20_000  # accepted: 100 us each; a scene that needs more stands still
WATCH = 25.0  # s of wall time
JERK = 2e-3  # s, in which what holds takes what it takes of a throw
# A gap may close as fast as this, and be closed some time later: what it gives on the way is no gain, what is left of it after is.
CLOSING_SPEED, CLOSED_AFTER = 1.0, 0.25  # m/s, s
CLOSED = 0.02  # of what was open

# Ways to step: method and its options.
SETTINGS: dict[str, dict[str, Any]] = {
    "cenic-1e-1": {"method": "cenic", "accuracy": 1e-1},
    "cenic-1e-2": {"method": "cenic", "accuracy": 1e-2},
    "cenic-1e-3": {"method": "cenic", "accuracy": 1e-3},
    "cenic-1e-4": {"method": "cenic", "accuracy": 1e-4},
    "cenic-paper-1e-2": {"method": "cenic-paper", "accuracy": 1e-2},
    "cenic-trapezoid-1e-2": {"method": "cenic-trapezoid", "accuracy": 1e-2},
    "anchored-10ms": {"method": "anchored", "time_step": 1e-2},
    "anchored-2ms": {"method": "anchored", "time_step": 2e-3},
    "lagged-2ms": {"method": "lagged", "time_step": 2e-3},
    "similar-2ms": {"method": "similar", "time_step": 2e-3},
    "sap-2ms": {"method": "sap", "time_step": 2e-3},
}


@dataclass
class Verdict:
    """Of one scene, or sums over many."""

    scenes: int = 1
    judged: int = 1  # nothing fed them that was not measured
    gained: int = 0  # more than 1 % of its scale
    exploded: int = 0  # more than 100 %
    overlapping: int = 0  # bodies were deep in each other, beyond the middle of the thinner
    unheld: int = 0  # constraints were far from held
    stopped: int = 0  # with a status
    endless: int = 0  # more than MOST_STEPS
    slow: int = 0  # more than WATCH

    def __add__(self, other: Verdict) -> Verdict:
        return Verdict(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def brick(size: tuple[float, ...], quaternion: tuple[float, ...], velocity: tuple[float, ...], spin: tuple[float, ...], rope: Scene) -> Scene:
    body = {
        "name": "brick",
        "density": 500,
        "geometry": [{"box": {"size": size}}],
        "pose": {"quaternion": quaternion},
        "velocity": {"linear": velocity, "angular": spin},
    }
    return {"bodies": [body], "constraints": [{"name": "rope", "type": "distance", "body_a": "brick", **rope}]}


# Bricks on a rope whose spin grows from nothing: named, since they were the first that were found to.
NAMED: dict[str, Scene] = {
    "brick 1": brick(
        (0.061, 0.042, 0.024),
        (-0.06075, -0.03838, -0.99349, -0.08841),
        (3.8105, -1.8032, -2.6633),
        (-2.5605, -5.7417, 2.6851),
        {"pose_a": {"position": (0.029984, 0.022596, 0.009514)}, "pose_b": {"position": (-0.694012, -0.043855, 0.965573)}, "length": 1.182773},
    ),
    "brick 2": brick(
        (0.0986, 0.0672, 0.0341),
        (0.16416, -0.44646, 0.48074, -0.73662),
        (-1.34, -0.5217, 1.4332),
        (-2.7453, 1.6916, 2.3796),
        {"pose_a": {"position": (-0.034055, -0.015367, 0.027503)}, "pose_b": {"position": (-0.303943, 0.157969, 0.08187)}, "length": 0.385007},
    ),
}


def named_gain(name: str, options: dict[str, Any], seconds: float = 5.0) -> tuple[float, float]:
    """Mechanical energy just after the start's impact, and the most of it later [J]."""
    sim = ss.Simulator(ss.from_string(json.dumps(NAMED[name])), **options)
    sim.step()
    start = most = sim.kinetic_energy + sim.potential_energy
    for _ in range(MOST_STEPS):
        if sim.time >= seconds:
            break
        sim.step()
        most = max(most, sim.kinetic_energy + sim.potential_energy)
    return start, most


def scale(model: ss.Model) -> float:
    return float(model.total_mass * (9.81 + 6))


class Judge:
    """Steps a scene and counts what it gains over the energy just after the start's jerk, less what was fed.

    While gaps close they may lift and stretch what they like, and give speed for m v^2/2, twice over. What counts then is kinetic energy that neither
    the start nor a fall gave. Energy as a whole counts from when they are closed.
    """

    def __init__(self, scene: Scene, options: dict[str, Any], gap: float = 0.0) -> None:
        self.sim = ss.Simulator(ss.from_string(json.dumps(scene)), **options)
        self.springs = SpringMeter(self.sim, scene)
        self.judged = not feeds_unmeasured(scene)
        self.driven = bool(scene.get("actuators"))
        self.scale = scale(self.sim.model)
        self.gap = gap
        self.settled = gap / CLOSING_SPEED + CLOSED_AFTER if gap else JERK
        self.allowed = self.sim.model.total_mass * CLOSING_SPEED**2
        self.fed = self.most_fed = self.gain = 0.0
        self.is_settled, self.steps = False, 0
        self.base = self.energy()
        self.potential = self.base - self.sim.kinetic_energy

    def energy(self) -> float:
        """Less what was fed [J]."""
        if self.driven:
            self.fed = self.sim.report.energy.actuators
            self.most_fed = max(self.most_fed, abs(self.fed))
        return float(self.sim.kinetic_energy + self.sim.potential_energy + self.springs.energy() - self.fed)

    def step(self) -> float:
        """The energy after it."""
        self.sim.step()
        self.steps += 1
        energy = self.energy()
        if not self.is_settled and self.sim.time >= self.settled and (not self.gap or self.springs.widest() < CLOSED * self.gap):
            self.is_settled, self.base = True, energy if self.gap else min(energy, self.base)
        if self.is_settled:
            self.see(energy - self.base)
        elif self.gap:
            lifted = max(0.0, energy - float(self.sim.kinetic_energy) - self.potential)
            self.see(energy - lifted - self.base - self.allowed)
        return energy

    def see(self, gained: float) -> None:
        self.gain = max(self.gain, gained / (self.scale + self.most_fed))


def largest_gain(judge: Judge, until: float, most_steps: int = MOST_STEPS) -> tuple[float, Verdict]:
    """In parts of the scale and what was fed; and what else came of it."""
    verdict, began = Verdict(judged=int(judge.judged)), time.perf_counter()
    try:
        while judge.sim.time < until and judge.steps < most_steps and not verdict.slow and judge.gain < 100:
            judge.step()
            verdict.slow = int(time.perf_counter() - began > WATCH)
    except ss.SimulationStopped:
        verdict.stopped = 1
    codes = {warning.code for warning in judge.sim.report.warnings}
    if judge.judged:
        verdict.gained, verdict.exploded = int(judge.gain > 0.01), int(judge.gain > 1)
    verdict.overlapping, verdict.unheld = int("deep-overlap" in codes), int("stretched-constraint" in codes)
    verdict.endless = int(judge.steps >= most_steps)
    return judge.gain, verdict


def judge_of(seed: int, setting: str) -> Judge:
    return Judge(random_scene(seed), SETTINGS[setting], gap_of(seed))


def judge(seed: int, setting: str) -> tuple[float, Verdict]:
    return largest_gain(judge_of(seed, setting), SECONDS)


def tally(setting: str, seeds: range, jobs: int = 1, flag: Any = None) -> Verdict:
    """flag(seed, gain, verdict) is called for each."""
    total = Verdict(0, 0)
    for seed, (gain, verdict) in zip(seeds, judged(setting, seeds, jobs), strict=True):
        total = total + verdict
        if flag:
            flag(seed, gain, verdict)
    return total


def judged(setting: str, seeds: range, jobs: int) -> Iterator[tuple[float, Verdict]]:
    if jobs == 1:
        yield from (judge(seed, setting) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(judge, seeds, [setting] * len(seeds), chunksize=4)


def say_what_failed(setting: str) -> Any:
    def flag(seed: int, gain: float, verdict: Verdict) -> None:
        what = [name for name in ("gained", "exploded", "stopped", "endless", "slow") if getattr(verdict, name)]
        if what:
            print(f"  --show {seed} --settings {setting}   # {', '.join(what)}: {100 * gain:.3g} %", flush=True)

    return flag


def show(seed: int, setting: str, rows: int = 60) -> None:
    """A table of time, energy, kinetic energy and gain, of every so many steps and of those at which the gain grew by a tenth."""
    judge = judge_of(seed, setting)
    fed = "nothing feeds it" if not is_fed(seed) else "judged less what its motors do" if judge.judged else "not judged: what moves it is not measured"
    print(f"scene {seed}, {setting}: gap {100 * gap_of(seed):.1f} cm, scale {judge.scale:.3g} J; {fed}")
    print(f"{'time [s]':>12} {'energy [J]':>12} {'kinetic [J]':>12} {'fed [J]':>10} {'gain [%]':>10}  {'step [s]':>9}")
    last, shown = -1.0, 0.0
    try:
        while judge.sim.time < SECONDS and judge.steps < MOST_STEPS and judge.gain < 100:
            before = judge.sim.time
            energy = judge.step()
            if judge.sim.time - last >= SECONDS / rows or judge.gain > 1.1 * shown + 0.002:
                last, shown = judge.sim.time, judge.gain
                numbers = (judge.sim.time, energy, judge.sim.kinetic_energy, judge.fed)
                print("{:12.6f} {:12.5g} {:12.5g} {:10.3g}".format(*numbers), f"{100 * judge.gain:10.3g}  {judge.sim.time - before:9.2g}")
    except ss.SimulationStopped:
        print(f"{judge.sim.report.status}: {judge.sim.report.message}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--settings", default=",".join(SETTINGS))
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--list", action="store_true", help="name the scenes that gained, stopped or took too long")
    parser.add_argument("--show", type=int, metavar="SCENE", help="print its energy over time instead")
    parser.add_argument("--write", type=Path, metavar="FILE", help="of --show: write the scene, for `stickslip run`")
    arguments = parser.parse_args()
    if arguments.show is not None:
        if arguments.write:
            arguments.write.write_text(json.dumps(random_scene(arguments.show), indent=1) + "\n")
        for setting in arguments.settings.split(","):
            show(arguments.show, setting)
        return
    names = [f.name for f in fields(Verdict)]
    separator = " | " if arguments.markdown else "  "
    print(separator.join([f"{'':<22}", *(f"{name:>11}" for name in names)]))
    for setting in arguments.settings.split(","):
        seeds = range(arguments.first, arguments.first + arguments.scenes)
        verdict = tally(setting, seeds, arguments.jobs, say_what_failed(setting) if arguments.list else None)
        print(separator.join([f"{setting:<22}", *(f"{getattr(verdict, name):>11}" for name in names)]), flush=True)


if __name__ == "__main__":
    main()
