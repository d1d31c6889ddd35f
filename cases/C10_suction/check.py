"""A vacuum gripper picks up a box: light bellows, strong forces that rise within millimetres (CENIC VII-D1, figure 13)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from cases.harness import Array, Result, save, scene, subplots, verdict

import stickslip as ss

FORCE, HALF_DISTANCE, RANGE = 20.0, 2e-3, 1e-2  # N, m, m: of each bellow
LENGTH = 0.02  # of a bellow, m
BOX_HALF = 0.05
UNTIL = 0.6
DEEP = 2e-3  # m: what counts as passing through; suction presses by 2e-4 m at rest


@dataclass(frozen=True)
class Run:
    label: str
    t: Array
    gap: Array  # between pad and box, m; negative if they overlap
    overlap: float  # deepest of a bellow's centre line in the box, m
    held: bool  # the box left the table with the pad
    steps: int


def bellow_names(model: ss.Model) -> list[str]:
    return [name for name in model.body_names if name.startswith("bellow")]


def suction(model: ss.Model, implicit: bool) -> list[ss.System]:
    law = {"target": "box", "force": FORCE, "distance": HALF_DISTANCE, "range": RANGE, "implicit": implicit}
    return [ss.systems.Suction(model, gripper=name, point=[0, 0, -LENGTH / 2], **law) for name in bellow_names(model)]


def replay() -> ss.Trajectory:
    model = scene("C10_suction")
    return ss.simulate(model, until=UNTIL, accuracy=1e-3, systems=suction(model, True), sample_rate=200)


def run(label: str, *, method: str, accuracy: float | None = None, time_step: float | None = None, implicit: bool = True) -> Run:
    model = scene("C10_suction")
    sim = ss.Simulator(model, method=method, accuracy=accuracy, time_step=time_step)
    bellows = bellow_names(model)
    for cup in suction(model, implicit):
        sim.add(cup)
    times, gaps, deepest = [], [], 0.0
    while sim.time < UNTIL:
        sim.step()
        box, pad = sim.body("box").pose, sim.body("pad").position
        times.append(sim.time)
        gaps.append(float(pad[2] - box[2, 3] - BOX_HALF))
        for name in bellows:
            tip = np.linalg.inv(box) @ sim.body(name).pose @ [0, 0, -LENGTH / 2, 1]
            deepest = max(deepest, BOX_HALF - float(tip[2]))
    held = float(sim.body("box").position[2]) > 0.1 and abs(gaps[-1]) < 2 * LENGTH
    return Run(label, np.array(times), np.array(gaps), deepest, held, sim.report.steps)


def check(figure: Path) -> list[Result]:
    controlled = run("cenic, accuracy 1e-3", method="cenic", accuracy=1e-3)
    published = run("cenic-paper, accuracy 1e-3", method="cenic-paper", accuracy=1e-3)
    discrete = run("lagged, 10 ms, explicit suction", method="lagged", time_step=1e-2, implicit=False)
    plot([controlled, published, discrete], figure)
    results = []
    for r in (controlled, published):
        results.append(
            verdict(
                f"{r.label}: the box is held, and no bellow passes into it",
                f"held: {r.held}, deepest {1e3 * r.overlap:.2f} mm, {r.steps} steps",
                f"held, < {1e3 * DEEP:g} mm",
                r.held and r.overlap < DEEP,
                "contact gives way by 20 N/1e5 N/m = 0.2 mm at rest; a bellow that hits it at 2 m/s by 0.5 mm",
            )
        )
    results.append(
        verdict(
            "a fixed step of 10 ms, with forces taken at its start, passes through",
            f"held: {discrete.held}, deepest {1e3 * discrete.overlap:.2f} mm",
            f"lost, or > {1e3 * DEEP:g} mm",
            not discrete.held or discrete.overlap > DEEP,
            "as above",
        )
    )
    return results


def plot(runs: list[Run], figure: Path) -> None:
    drawing, panels = subplots(1)
    axes = panels[0][0]
    for r in runs:
        axes.plot(r.t, 1e3 * r.gap, label=f"{r.label}, {r.steps} steps")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("gap between pad and box [mm]")
    axes.legend()
    save(drawing, figure)
