"""Runs of the two clutters with error control: what they cost, how deep objects overlap at impacts, how far off they are early on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import stickslip as ss

from cases.harness import COLORS, Array, Result, fitted_order, mark_accuracies, save, scene, subplots, verdict

ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)
UNTIL = 10.0
IMPACTS_END = 2.0  # s; later the objects lie or roll
METHODS = ("cenic", "cenic-paper")
FRICTION = {"cenic": "anchored", "cenic-paper": "regularized"}
HALF_BIN = 0.4  # m


@dataclass(frozen=True)
class Run:
    report: ss.Report
    seconds: float  # CPU time of the steps
    deepest: float  # m, overlap at the ends of the steps until IMPACTS_END
    lost: int  # objects outside the bin or below its floor at the end
    stopped: str  # why the run ended early; empty if it did not


def simulate(case: str, method: str, accuracy: float, *, overlaps: bool = True, **options: Any) -> Run:
    sim = ss.Simulator(scene(case), method=method, accuracy=accuracy, **options)
    seconds, deepest, stopped = 0.0, 0.0, ""
    while sim.time < UNTIL and not stopped:
        began = time.process_time()
        try:
            if overlaps and sim.time < IMPACTS_END:
                sim.step()
            else:
                sim.advance_to(UNTIL)
        except ss.SimulationStopped as stop:
            stopped = str(stop)
        seconds += time.process_time() - began
        if overlaps and sim.time <= IMPACTS_END:
            deepest = max(deepest, max((depth for _, _, depth in sim.overlaps()), default=0.0))
    place = sim.q.reshape(-1, 7)[:, :3]
    lost = (np.abs(place[:, :2]) > HALF_BIN).any(axis=1) | (place[:, 2] < 0)
    return Run(sim.report, seconds, deepest, int(lost.sum()), stopped)


def early_positions(case: str, method: str, accuracy: float, until: float, friction: str = "") -> Array:
    """Of all objects, at ten times until `until`; the steps are those of any other run."""
    run = ss.simulate(scene(case), until=until, method=method, accuracy=accuracy, friction=friction, sample_rate=10 / until)
    return run.q.reshape(len(run.t), -1, 7)[:, :, :3]


def early_error(positions: Array, reference: Array) -> float:
    """The farthest that an object is off, in metres."""
    return float(np.linalg.norm(positions - reference, axis=2).max())


# ---------------------------------------------------------------------------------------------------------------- checks
@dataclass(frozen=True)
class Sweep:
    """Runs and early errors by method, one an accuracy."""

    runs: dict[str, list[Run]]
    errors: dict[str, list[float]]  # m
    early: float  # s, until when errors are taken


def sweep(case: str, early: float, reference_accuracy: float) -> Sweep:
    references = {law: early_positions(case, "cenic", reference_accuracy, early, law) for law in set(FRICTION.values())}
    runs = {method: [simulate(case, method, a) for a in ACCURACIES] for method in METHODS}
    errors = {method: [early_error(early_positions(case, method, a, early), references[FRICTION[method]]) for a in ACCURACIES] for method in METHODS}
    return Sweep(runs, errors, early)


def listed(values: list[float], form: str) -> str:
    return ", ".join(format(v, form) for v in values)


def check_sweep(s: Sweep) -> list[Result]:
    """What holds for both clutters."""
    results = []
    every = [r for runs in s.runs.values() for r in runs]
    stopped, lost = [r.stopped for r in every if r.stopped], sum(r.lost for r in every)
    results.append(
        verdict(
            "every run finishes, at every accuracy",
            f"{len(every) - len(stopped)} of {len(every)} runs",
            "all",
            not stopped,
            "a convex step always has a solution, and shorter steps are always allowed",
            "; ".join(stopped[:1]),
        )
    )
    results.append(
        verdict("nothing is lost, at any accuracy", f"{lost} objects outside the box", "0", lost == 0, "walls are 4 cm thick, objects 10 cm wide")
    )
    for method, runs in s.runs.items():
        iterations = [r.report.newton_iterations for r in runs]
        results.append(
            verdict(
                f"{method}: work grows as accuracy tightens",
                f"{listed([float(i) for i in iterations], '.0f')} Newton iterations, {listed([r.seconds for r in runs], '.2f')} s",
                "more at each of 1e-1 ... 1e-5",
                all(a < b for a, b in zip(iterations, iterations[1:], strict=False)),
                "the claim is of the order; iterations, since times of short runs vary",
            )
        )
    for method, errors in s.errors.items():
        slope = fitted_order(list(ACCURACIES[1:]), errors[1:])
        results.append(
            verdict(
                f"{method}: early positions converge with accuracy",
                f"off by {listed([1e3 * e for e in errors], '.2g')} mm, order {slope:.2f}",
                "order >= 0.4",
                slope >= 0.4,
                "steps of first order with a local error of accuracy ~ h^2 leave accuracy^(1/2); a fifth off for scatter; from 1e-2 on, "
                "since at 1e-1 the first step decides how long the early ones may be",
            )
        )
    ratios = [p / c for c, p in zip(s.errors["cenic"], s.errors["cenic-paper"], strict=True)]
    results.append(
        verdict(
            "cenic is more accurate than cenic-paper at the same accuracy",
            f"{listed(ratios, '.1f')} times",
            "> 1 at each",
            min(ratios) > 1,
            "the claim is of the order: free flight is exact, smooth contact of second order",
        )
    )
    deepest = [r.deepest for r in s.runs["cenic"]]
    results.append(
        verdict(
            "cenic: impacts are not deeper than they should be",
            f"{listed([1e3 * d for d in deepest], '.2f')} mm at 1e-1 ... 1e-5",
            "at 1e-1 at most 3 times, at 1e-2 1.5 times that at 1e-5",
            deepest[0] <= 3 * deepest[-1] and deepest[1] <= 1.5 * deepest[-1],
            "10 % and 1 % of an object's radius are 5 and 0.5 mm; impacts differ from run to run by about a third",
        )
    )
    return results


def plot_sweep(s: Sweep, path: Path) -> None:
    figure, axes = subplots(3)
    for method, runs in s.runs.items():
        seconds, color = [r.seconds for r in runs], COLORS[method]
        axes[0, 0].loglog(ACCURACIES, seconds, "o-", color=color, label=method, markersize=3)
        axes[0, 1].loglog(seconds, [1e3 * e for e in s.errors[method]], "o-", color=color, label=method, markersize=3)
        axes[0, 2].semilogx(ACCURACIES, [1e3 * r.deepest for r in runs], "o-", color=color, label=method, markersize=3)
    axes[0, 0].axhline(UNTIL, color="k", linestyle="--", linewidth=0.8, label="real time")
    axes[0, 0].set(ylabel="CPU time of 10 s [s]", title="cost")
    axes[0, 1].set(xlabel="CPU time of 10 s [s]", ylabel=f"position error until {s.early:g} s [mm]", title="work and precision")
    axes[0, 2].set(ylabel="deepest overlap [mm]", title="impacts", ylim=(0, None))
    mark_accuracies(axes[0, 0], ACCURACIES)
    mark_accuracies(axes[0, 2], ACCURACIES)
    axes[0, 0].legend()
    save(figure, path)
