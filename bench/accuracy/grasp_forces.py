"""Contact forces of a grasp over accuracy: the gripper of the examples closes on a carton, lifts it and holds it.

A step knows the mean of a force over its duration. It is compared with the mean over the same time of a run that has converged.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import experiments as ex
import numpy as np

import stickslip as ss

SCENE = ex.HERE.parent.parent / "examples" / "gripper.yaml"
ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
CONVERGED = 1e-8
FINGERS = ("left", "right")
PHASES = {"closing": (0.0, 0.5), "lifting": (0.5, 1.5), "holding": (1.5, 2.5)}  # s
UNTIL = 2.5
NORMAL, FRICTION = "normal force", "friction"
COLORS = {"closing": "#4c72b0", "lifting": "#d1731a", "holding": "#2a9d4e"}


@dataclass(frozen=True)
class Run:
    t: ex.Array  # ends of the steps, from 0 on
    forces: ex.Array  # N, on each finger: a step, a finger, y and z (the normal's direction and that of the lift)

    def impulse_until(self, times: ex.Array) -> ex.Array:
        """N s, since 0."""
        total = np.concatenate([np.zeros((1, *self.forces.shape[1:])), np.cumsum(self.forces * np.diff(self.t)[:, None, None], axis=0)])
        flat = total.reshape(len(self.t), -1)
        return np.stack([np.interp(times, self.t, column) for column in flat.T], axis=1).reshape(len(times), *self.forces.shape[1:])

    def means(self, times: ex.Array) -> ex.Array:
        """N, over the time between each two."""
        return np.asarray(np.diff(self.impulse_until(times), axis=0) / np.diff(times)[:, None, None])


def run(accuracy: float, **options: Any) -> Run:
    sim = ss.Simulator(ss.load(SCENE), accuracy=accuracy, **options)
    times, forces = [0.0], []
    while sim.time < UNTIL:
        sim.step()
        times.append(sim.time)
        forces.append([sim.body(finger).contact_force[1:3] for finger in FINGERS])
    return Run(np.array(times), np.array(forces))


def errors(coarse: Run, true: Run) -> dict[str, dict[str, tuple[float, float]]]:
    """By phase and kind of force: the mean over time of what a step's force is off, and the largest [N]. The worse finger."""
    off = np.abs(coarse.forces - true.means(coarse.t))
    h = np.diff(coarse.t)
    out: dict[str, dict[str, tuple[float, float]]] = {}
    for phase, (begin, end) in PHASES.items():
        inside = (coarse.t[:-1] >= begin) & (coarse.t[1:] <= end)
        mean = (off[inside] * h[inside, None, None]).sum(axis=0) / h[inside].sum()
        largest = off[inside].max(axis=0)
        out[phase] = {kind: (float(mean[:, axis].max()), float(largest[:, axis].max())) for axis, kind in enumerate((NORMAL, FRICTION))}
    return out


def draw(runs: dict[float, Run], measured: dict[float, dict[str, dict[str, tuple[float, float]]]], true: Run, file: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 8, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False})
    figure, (over_time, over_accuracy) = plt.subplots(1, 2, figsize=(11.5, 3.6), layout="constrained")
    for axis, kind, color in ((0, NORMAL, "#555555"), (1, FRICTION, "#c44e52")):
        over_time.step(true.t[1:], np.abs(true.forces[:, 0, axis]), where="pre", color=color, linewidth=1.4, label=f"{kind}, converged")
        loose = runs[1e-2]
        over_time.step(loose.t[1:], np.abs(loose.forces[:, 0, axis]), where="pre", color=color, linewidth=0.9, linestyle="--", label=f"{kind}, 1e-2")
    over_time.set(xlabel="time [s]", ylabel="force on the left finger [N]", ylim=(0, 40))
    over_time.legend(fontsize=7)
    for phase in PHASES:
        for kind, style in ((NORMAL, "o-"), (FRICTION, "s--")):
            values = [max(measured[a][phase][kind][0], 1e-9) for a in ACCURACIES]
            over_accuracy.loglog(ACCURACIES, values, style, color=COLORS[phase], markersize=3, linewidth=1.1, label=f"{phase}: {kind}")
    over_accuracy.invert_xaxis()
    over_accuracy.set(xlabel="accuracy", ylabel="mean error of the force [N]")
    over_accuracy.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(file, dpi=100, metadata={"Software": None})


def study(file: Path) -> tuple[list[str], list[list[str]]]:
    """Draws the figure; returns head and rows of a table."""
    true = run(CONVERGED)
    runs = {accuracy: run(accuracy) for accuracy in ACCURACIES}
    measured = {accuracy: errors(own, true) for accuracy, own in runs.items()}
    draw(runs, measured, true, file)
    head = ["phase", "force", *(f"{a:.0e}" for a in ACCURACIES)]
    rows = []
    for phase in PHASES:
        for kind in (NORMAL, FRICTION):
            cells = ("{:.2g} ({:.2g})".format(*measured[a][phase][kind]) for a in ACCURACIES)
            rows.append([phase, kind, *cells])
    rows.append(["steps", "", *(str(len(runs[a].t) - 1) for a in ACCURACIES)])
    return head, rows
