"""What the cases share: scenes and their variants, recordings of one body, errors against a reference, verdicts, plots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import stickslip as ss

CASES = Path(__file__).resolve().parent
SOLVER_TOLERANCE = 1e-5  # relative, unless a case says otherwise: ICF XII
STICTION_TOLERANCE = 1e-4  # m/s, the materials' default
GRAVITY = 9.81

METHODS = ("sap", "similar", "lagged")
COLORS = {
    "sap": "#c44e52",
    "similar": "#4c72b0",
    "lagged": "#2a9d4e",
    "lagged-regularized": "#8a5fb0",
    "cenic": "#d1731a",
    "cenic-paper": "#4c72b0",
}

# Why some claims do not hold today.
LOOKS_TOO_NEAR = "contacts are looked for only as far as a body moves in a step, but this model acts from farther away"

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Result:
    """One claim and what came of it."""

    claim: str
    measured: str
    expected: str
    holds: bool | None  # None: cannot be checked yet
    reason: str  # why this tolerance; or why the claim does not hold, or cannot be checked yet


def verdict(claim: str, measured: str, expected: str, holds: bool, tolerance: str, why_not: str = "") -> Result:
    """`tolerance` says why the expected range is what it is, `why_not` what is known of a claim that does not hold."""
    return Result(claim, measured, expected, bool(holds), why_not if why_not and not holds else tolerance)


def pending(claim: str, reason: str) -> Result:
    return Result(claim, "", "", None, reason)


# --------------------------------------------------------------------------------------------------------------- scenes
def scene(case: str, *, relaxation_time: float | None = None, dissipation: float | None = None, stiffness: float | None = None) -> ss.Model:
    """The scene of a case, with one number of its one compliant material changed. SAP takes a relaxation time instead of a
    dissipation."""
    path = CASES / case / "scene.yaml"
    text = path.read_text()
    if relaxation_time is not None:
        text = replace(text, "dissipation", f"relaxation_time: {relaxation_time:g}")
    if dissipation is not None:
        text = replace(text, "dissipation", f"dissipation: {dissipation:g}")
    if stiffness is not None:
        text = replace(text, "stiffness", f"stiffness: {stiffness:g}")
    return ss.from_string(text, format="yaml")


def replace(text: str, key: str, by: str) -> str:
    text, count = re.subn(rf"\b{key}: [0-9][0-9.e+-]*", by, text)
    if count != 1:
        raise ValueError(f"the scene has '{key}' with a number {count} times, not once")
    return text


# ----------------------------------------------------------------------------------------------------------- recordings
@dataclass(frozen=True)
class Recording:
    """One body over time; a row a recorded step."""

    t: Array  # s
    position: Array  # m, of the body's origin
    velocity: Array  # linear and angular, world axes
    force: Array  # N, of all its contacts
    slip: Array  # m/s, of its contacts that carry force; nan if none does

    @property
    def normal_force(self) -> Array:
        """On a level floor."""
        return self.force[:, 2]


def record(
    model: ss.Model,
    body: str,
    method: str,
    time_step: float,
    until: float,
    every: int = 1,
    solver_tolerance: float = SOLVER_TOLERANCE,
    lift: float = 0.0,
) -> Recording:
    """A row every so many steps, and the start. `lift` [m] raises the scene's one free body before."""
    sim = ss.Simulator(model, method=method, time_step=time_step, solver_tolerance=solver_tolerance)
    sim.q[2] += lift
    view = sim.body(body)
    rows: list[tuple[float, Array, Array, Array, float]] = [(0.0, view.position.copy(), view.velocity.copy(), np.full(3, np.nan), np.nan)]
    for step in range(1, round(until / time_step) + 1):
        sim.step()
        if step % every == 0:
            force, slip = contact_of(sim.contacts, view.index)
            rows.append((sim.time, view.position.copy(), view.velocity.copy(), force, slip))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return Recording(*columns)


def contact_of(contacts: NDArray[np.void], body: int) -> tuple[Array, float]:
    """Force on the body, and its slip speed: the mean over its contacts, weighted by their normal force."""
    on_b = contacts["body_b"] == body
    mine = on_b | (contacts["body_a"] == body)
    sign = np.where(on_b, 1.0, -1.0)[mine, None]
    force = contacts["force"][mine]
    weight = np.einsum("ij,ij->i", force, contacts["normal"][mine])
    if weight.sum() <= 0:
        return np.zeros(3), np.nan
    slip = (weight[:, None] * contacts["slip"][mine]).sum(axis=0) / weight.sum()
    return (sign * force).sum(axis=0), float(np.linalg.norm(slip))


# ---------------------------------------------------------------------------------------------------------- convergence
def position_error(run: Recording, reference: Recording, axes: tuple[int, ...] = (0, 1, 2)) -> float:
    """sqrt(1/T int |q - q_ref|^2 dt) over the body's position, at the times of `run`; in metres. ICF XI"""
    columns = [np.interp(run.t, reference.t, reference.position[:, axis]) for axis in axes]
    square = sum((run.position[:, axis] - column) ** 2 for axis, column in zip(axes, columns, strict=True))
    return float(np.sqrt(np.trapezoid(square, run.t) / (run.t[-1] - run.t[0])))


def fitted_order(steps: list[float], errors: list[float]) -> float:
    """Slope of log error over log step."""
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


# ---------------------------------------------------------------------------------------------------------------- plots
def subplots(columns: int, rows: int = 1) -> tuple[Any, Any]:
    """A figure and its axes, in the style of all cases."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {"font.size": 8, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.2}
    )
    return plt.subplots(rows, columns, figsize=(3.6 * columns, 2.6 * rows), squeeze=False, layout="constrained")


def save(figure: Any, path: Path) -> None:
    import matplotlib.pyplot as plt

    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def mark_steps(axes: Any, steps: list[float]) -> None:
    """Ticks of a logarithmic axis of time steps."""
    axes.set_xticks(steps, [f"{1e3 * step:g}" for step in steps])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("time step [ms]")


def mark_accuracies(axes: Any, accuracies: Sequence[float]) -> None:
    """Ticks of a logarithmic axis of accuracies, the loosest on the left."""
    axes.set_xticks(accuracies, [f"1e{round(np.log10(a))}" for a in accuracies])
    axes.set_xticks([], minor=True)
    axes.invert_xaxis()
    axes.set_xlabel("accuracy")


def plot_convergence(axes: Any, steps: list[float], errors: dict[str, list[float]], title: str, guide: str = "lagged") -> None:
    """Errors over steps, and a line of slope 1 through the middle of those of `guide`."""
    for method, e in errors.items():
        axes.loglog(steps, e, "o-", color=COLORS[method], label=method, markersize=3)
    middle = float(np.sqrt(min(errors[guide]) * max(errors[guide])))
    x = np.array([min(steps), max(steps)])
    axes.loglog(x, middle * x / np.sqrt(x.prod()), "k--", linewidth=0.8, label="first order")
    mark_steps(axes, steps)
    axes.set(ylabel="position error [m]", title=title)
    axes.legend()
