"""Every combination of what `cenic` adds to the published scheme, on every known answer.

Makes a table of all of them, and one of what each option does on its own: how much it changes errors and work, over all settings of the others.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import inf
from typing import Any

import experiments as ex
import numpy as np

import stickslip as ss

ACCURACIES = (1e-2, 1e-3, 1e-4, 1e-5)
LEAST = 1e-12  # errors below are none

# Of each option: its name in the table, what switches it off, and what switches it on.
OPTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "extrapolation": ({"extrapolate": False}, {"extrapolate": True}),
    "free flight": ({"free_flight": False}, {"free_flight": True}),
    "weights by size": ({"weights": "identity"}, {"weights": "size"}),
    "horizon": ({"norm": "position"}, {}),
    "anchored friction": ({"friction": "regularized"}, {"friction": "anchored"}),
    "consistent friction": ({"consistent_friction": False}, {"consistent_friction": True}),
}
DEFAULT = (True, True, True, True, True, False)
PAPER = (False,) * len(OPTIONS)
Choice = tuple[bool, ...]


@dataclass
class Measured:
    """Over the accuracies."""

    errors: list[float] = field(default_factory=list)  # over accuracy
    iterations: list[int] = field(default_factory=list)

    @property
    def worst(self) -> float:
        return max(self.errors)


# ------------------------------------------------------------------------------------------------------------ known answers
PENDULUM = """
bodies:
  - {name: upper, mass: 1, center: [0, 0, -0.5], inertia: {ixx: 0.0833, iyy: 0.0833, izz: 0.001}}
  - {name: lower, mass: 1, center: [0, 0, -0.5], inertia: {ixx: 0.0833, iyy: 0.0833, izz: 0.001}}
joints:
  - {name: shoulder, type: revolute, child: upper, axis: [0, 1, 0], position: 0.1}
  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {position: [0, 0, -1]}, position: -0.05}
"""
TARGETS = [0.5 - 0.15 * i for i in range(7)]  # rad, of the arm's servos


def arm() -> str:
    """Seven links of 0.2 m that turn about z, y and x."""
    axes = ("[0, 0, 1]", "[0, 1, 0]", "[0, 0, 1]", "[0, 1, 0]", "[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]")
    lines = ["bodies:"]
    lines += [f"  - {{name: link{i}, mass: {3 - 0.35 * i}, center: [0.01, 0, 0.1], inertia: {{ixx: 0.02, iyy: 0.02, izz: 0.01}}}}" for i in range(7)]
    lines += ["joints:"]
    for i, axis in enumerate(axes):
        parent = f"parent: link{i - 1}, pose: {{position: [0, 0, 0.2]}}, " if i else ""
        lines.append(f"  - {{name: joint{i}, type: revolute, {parent}child: link{i}, axis: {axis}, position: {0.3 * (-1) ** i}}}")
    lines += ["actuators:"]
    lines += [f"  - {{name: servo{i}, joint: joint{i}, type: position, kp: 100, kd: 10, control: {target}}}" for i, target in enumerate(TARGETS)]
    return "\n".join(lines)


@cache
def smooth_model(name: str) -> ss.Model:
    return ss.from_string(PENDULUM if name == "pendulum" else arm(), format="yaml")


@cache
def smooth_answer(name: str) -> ex.Array:
    """After 2 s."""
    from scipy.integrate import solve_ivp

    model = smooth_model(name)

    def rate(_: float, y: ex.Array) -> ex.Array:
        q, v = y[: model.nv], y[model.nv :]
        torque = 100 * (np.array(TARGETS) - q) - 10 * v if name == "arm" else np.zeros(model.nv)
        return np.concatenate([v, model.forward_dynamics(q, v, torque)])

    done = solve_ivp(rate, (0, 2), np.concatenate([model.q0, model.v0]), method="DOP853", rtol=1e-13, atol=1e-13)
    return np.array(done.y[: model.nv, -1])


def smooth(name: str, accuracy: float, options: dict[str, Any]) -> tuple[float, int]:
    sim = ss.Simulator(smooth_model(name), method="cenic", accuracy=accuracy, **options)
    sim.advance_to(2.0)
    return float(np.max(np.abs(np.array(sim.q) - smooth_answer(name)))), sim.report.newton_iterations


def contact(measure: Callable[[ex.End, str], float]) -> Callable[[str, float, dict[str, Any]], tuple[float, int]]:
    def run(name: str, accuracy: float, options: dict[str, Any]) -> tuple[float, int]:
        end = ex.ours(name, accuracy, method="cenic", **options)
        return measure(end, options["friction"]), end.iterations

    return run


def roll_error(end: ex.End, friction: str) -> float:
    true = ex.reference("roll", friction)
    return float(max(abs(end.p[0] - true.p[0]), abs(end.v[0] - true.v[0])))


ANSWERS: dict[str, tuple[str, Callable[[str, float, dict[str, Any]], tuple[float, int]]]] = {
    "spin": ("spin: m", contact(lambda end, _: ex.spin_error(end))),
    "bounce": ("bounce: energy", contact(lambda end, _: abs(ex.bounce_energy(end)))),
    "roll": ("roll: m, m/s", contact(roll_error)),
    "slide": ("slide: m", contact(lambda end, friction: ex.position_error("slide", friction)(end))),
    "creep": ("creep: m", contact(lambda end, friction: ex.position_error("creep", friction)(end))),
    "tumble": ("tumble: m, rad", contact(lambda end, friction: ex.pose_error("tumble", friction)(end))),
    "pendulum": ("pendulum: rad", smooth),
    "arm": ("arm: rad", smooth),
}


# -------------------------------------------------------------------------------------------------------------------- runs
def options_of(choice: Choice) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for (off, on), chosen in zip(OPTIONS.values(), choice, strict=True):
        out |= on if chosen else off
    return out


def measure(name: str, choice: Choice) -> Measured:
    run, out = ANSWERS[name][1], Measured()
    for accuracy in ACCURACIES:
        try:
            error, iterations = run(name, accuracy, options_of(choice))
        except ss.SimulationStopped:
            error, iterations = inf, 0
        out.errors.append(max(error, LEAST) / accuracy)
        out.iterations.append(iterations)
    return out


def measure_all() -> dict[Choice, dict[str, Measured]]:
    out = {}
    for choice in product((False, True), repeat=len(OPTIONS)):
        out[choice] = {name: measure(name, choice) for name in ANSWERS}
        print(f"  {name_of(choice)}", file=sys.stderr, flush=True)
    return out


def name_of(choice: Choice) -> str:
    chosen = [name for name, on in zip(OPTIONS, choice, strict=True) if on]
    return ", ".join(chosen) if chosen else "nothing: as published"


# ------------------------------------------------------------------------------------------------------------------ tables
def every_row(measured: dict[Choice, dict[str, Measured]]) -> Iterator[list[str]]:
    """The least work first."""

    def work(choice: Choice) -> int:
        return sum(sum(m.iterations) for m in measured[choice].values())

    for choice in sorted(measured, key=work):
        cells = [f"{measured[choice][name].worst:.2g}" for name in ANSWERS]
        bold = "**" if choice in (DEFAULT, PAPER) else ""
        yield [bold + name_of(choice) + bold, *cells, str(work(choice))]


def every_head() -> list[str]:
    return ["switched on", *(title for title, _ in ANSWERS.values()), "iterations"]


def effect_rows(measured: dict[Choice, dict[str, Measured]]) -> Iterator[list[str]]:
    """Medians over all settings of the other options: of the worst error over accuracy, and of all iterations."""

    for position, option in enumerate(OPTIONS):
        pairs = [(c, (*c[:position], True, *c[position + 1 :])) for c in measured if not c[position]]
        cells = []
        for name in ANSWERS:
            factors = [measured[on][name].worst / measured[off][name].worst for off, on in pairs]
            work = [max(1, sum(measured[on][name].iterations)) / max(1, sum(measured[off][name].iterations)) for off, on in pairs]
            cells.append(f"{statistics.median(factors):.2g} ({statistics.median(work):.2g})")
        yield [option, *cells]


def effect_head() -> list[str]:
    return ["switching on", *(title.split(":")[0] for title, _ in ANSWERS.values())]
