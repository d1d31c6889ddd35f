"""Runs of a scene, and what they make of its energy."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from rigid import Scene

import stickslip as ss

Options = dict[str, Any]
SECONDS = 5.0
MOST_STEPS, LIMIT = 50_000, 25.0  # s of wall time
FAR = 1e4  # times the scale: what gained so much has exploded, and is not followed further
JERK = 2e-3  # s, in which ropes and pins that are jerked at the start take what they take


def _cenic(accuracy: float, method: str = "cenic") -> Options:
    return {"method": method, "accuracy": accuracy}


def _fixed(method: str, h: float) -> Options:
    return {"method": method, "time_step": h}


SETTINGS: dict[str, Options] = {
    **{f"cenic 1e-{n}": _cenic(10.0**-n) for n in range(1, 6)},
    "cenic-trapezoid 1e-2": _cenic(1e-2, "cenic-trapezoid"),
    "cenic-trapezoid 1e-3": _cenic(1e-3, "cenic-trapezoid"),
    "anchored 10 ms": _fixed("anchored", 1e-2),
    "anchored 2 ms": _fixed("anchored", 2e-3),
    "anchored 0.5 ms": _fixed("anchored", 5e-4),
    "lagged 2 ms": _fixed("lagged", 2e-3),
    "similar 2 ms": _fixed("similar", 2e-3),
    "sap 2 ms": _fixed("sap", 2e-3),
    "cenic-paper 1e-2": _cenic(1e-2, "cenic-paper"),
}
QUICK = ("cenic 1e-2", "cenic 1e-3", "anchored 2 ms")


@dataclass
class Run:
    """Energies in J."""

    start: float  # just after the jerk
    most: float
    end: float
    fastest: float = 0.0  # coordinate [m/s or rad/s]
    steps: int = 0
    attempts: int = 0
    iterations: int = 0  # Newton's
    seconds: float = 0.0
    stopped: str = ""  # by a status, or why it was given up

    def gain(self, scale: float) -> float:
        return (self.most - self.start) / scale if np.isfinite(self.most) else np.inf

    def see(self, energy: float, time: float, jerk: float) -> None:
        """The start counts as what is left once the jerk is over, if that is less."""
        self.end = energy
        if jerk and self.steps == 0 and time >= jerk:
            self.start = min(self.start, energy)
            self.most = energy
            self.steps = 1
        elif time >= jerk:
            self.most = max(self.most, energy)


def model_of(scene: Scene) -> ss.Model:
    return ss.from_string(json.dumps(scene))


def scale_of(model: ss.Model) -> float:
    """What its masses would have a metre up at 3.5 m/s [J]."""
    return float(model.total_mass * (9.81 + 6))


def energy_of(sim: ss.Simulator) -> float:
    return sim.kinetic_energy + sim.potential_energy


def given_up(run: Run, scale: float, began: float, steps: int) -> str:
    if not run.most - run.start < FAR * scale:
        return "exploded"
    if time.perf_counter() - began > LIMIT:
        return f"over {LIMIT:g} s"
    return f"over {MOST_STEPS} steps" if steps >= MOST_STEPS else ""


def stickslip(scene: Scene, options: Options, until: float = SECONDS, scale: float = np.inf, jerk: float = 0.0, most_steps: bool = True) -> Run:
    sim = ss.Simulator(model_of(scene), **options)
    first = energy_of(sim)
    run = Run(first, first, first)
    began, steps = time.perf_counter(), 0
    try:
        while sim.time < until - 1e-9 and not run.stopped:
            sim.step()
            steps += 1
            run.see(energy_of(sim), sim.time, jerk)
            run.fastest = max(run.fastest, float(np.abs(sim.v).max()))
            run.stopped = given_up(run, scale, began, steps if most_steps else 0)
    except ss.SimulationStopped:
        run.stopped = sim.report.status
    run.seconds = time.perf_counter() - began
    report = sim.report
    run.steps, run.attempts, run.iterations = report.steps, report.steps + report.rejected, report.newton_iterations
    return run
