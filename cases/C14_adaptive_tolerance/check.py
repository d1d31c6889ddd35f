"""A solver that is only as exact as the accuracy asks for, against one that always is (CENIC VI-B and VII-F, table II)."""

from __future__ import annotations

from pathlib import Path

from cases.C5_hard_clutter.runs import ACCURACIES, Run, listed, simulate
from cases.harness import Result, mark_accuracies, save, subplots, verdict

TIGHT = 1e-8


def check(figure: Path) -> list[Result]:
    adaptive = [simulate("C5_hard_clutter", "cenic-paper", a, overlaps=False) for a in ACCURACIES]
    fixed = [simulate("C5_hard_clutter", "cenic-paper", a, overlaps=False, solver_tolerance=TIGHT) for a in ACCURACIES]
    plot(adaptive, fixed, figure)
    few, many = iterations_a_step(adaptive), iterations_a_step(fixed)
    same = adaptive[-1].report.newton_iterations == fixed[-1].report.newton_iterations
    return [
        verdict(
            "the adaptive tolerance takes fewer iterations a step at loose accuracy",
            f"{listed(few[:3], '.1f')} against {listed(many[:3], '.1f')} at 1e-1, 1e-2, 1e-3",
            "fewer at each",
            all(a < b for a, b in zip(few[:3], many[:3], strict=True)),
            "the claim is of the order; a step that was tried, since chaos changes how many there are",
        ),
        verdict(
            "at 1e-5 the two are the same",
            f"{adaptive[-1].report.newton_iterations} and {fixed[-1].report.newton_iterations} iterations",
            "equal",
            same,
            "max(1e-3 accuracy, 1e-8) is 1e-8 there, so that the runs are the same",
        ),
        verdict(
            "it loses nothing",
            f"{sum(r.lost for r in adaptive)} objects, {sum(bool(r.stopped) for r in adaptive)} runs that stop",
            "0 and 0",
            not any(r.lost or r.stopped for r in adaptive),
            "the solver's error is a thousandth of what the step may err by",
        ),
    ]


def iterations_a_step(runs: list[Run]) -> list[float]:
    return [r.report.newton_iterations / (r.report.steps + r.report.rejected) for r in runs]


def plot(adaptive: list[Run], fixed: list[Run], path: Path) -> None:
    figure, axes = subplots(2)
    for runs, color, label in ((adaptive, "#d1731a", "max(1e-3 accuracy, 1e-8)"), (fixed, "#555555", "1e-8")):
        axes[0, 0].semilogx(ACCURACIES, iterations_a_step(runs), "o-", color=color, label=label, markersize=3)
        axes[0, 1].loglog(ACCURACIES, [r.report.newton_iterations for r in runs], "o-", color=color, label=label, markersize=3)
    axes[0, 0].set(ylabel="Newton iterations a step tried", title="three solves, all islands", ylim=(0, None))
    axes[0, 1].set(ylabel="Newton iterations of 10 s")
    mark_accuracies(axes[0, 0], ACCURACIES)
    mark_accuracies(axes[0, 1], ACCURACIES)
    axes[0, 0].legend(title="solver tolerance")
    save(figure, path)
