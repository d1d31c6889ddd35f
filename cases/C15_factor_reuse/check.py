"""Newton's method with factors of earlier iterations: fewer factorisations, more iterations (CENIC VI-C and VII-F, table III)."""

from __future__ import annotations

from pathlib import Path

from cases.C5_hard_clutter.runs import Run, simulate
from cases.harness import Result, save, subplots, verdict

ACCURACY = 1e-3


def check(figure: Path) -> list[Result]:
    runs = {reuse: simulate("C5_hard_clutter", "cenic-paper", ACCURACY, overlaps=False, solver={"reuse_factors": reuse}) for reuse in (False, True)}
    plot(runs, figure)
    plain, reused = runs[False].report, runs[True].report
    return [
        verdict(
            "reuse saves factorisations",
            f"{plain.factorizations} without, {reused.factorizations} with it",
            "fewer, by a tenth or more",
            reused.factorizations <= 0.9 * plain.factorizations,
            "the paper's go from 16624 to 10557; chaos changes the number of steps by some per cent",
        ),
        verdict(
            "reuse costs iterations",
            f"{plain.newton_iterations} without, {reused.newton_iterations} with it",
            "more",
            reused.newton_iterations > plain.newton_iterations,
            "the claim is of the order",
        ),
        verdict(
            "without reuse every iteration factorises",
            f"{plain.factorizations} factorisations, {plain.newton_iterations} iterations",
            "equal",
            plain.factorizations == plain.newton_iterations,
            "as in the paper's table",
        ),
    ]


def plot(runs: dict[bool, Run], path: Path) -> None:
    figure, axes = subplots(2)
    names = ["without", "with reuse"]
    reports = [runs[False].report, runs[True].report]
    axes[0, 0].bar([-0.2, 0.8], [r.newton_iterations for r in reports], width=0.4, color="#4c72b0", label="Newton iterations")
    axes[0, 0].bar([0.2, 1.2], [r.factorizations for r in reports], width=0.4, color="#d1731a", label="factorisations")
    axes[0, 0].set_xticks([0, 1], names)
    axes[0, 0].set(title="hard clutter, 10 s at 1e-3")
    axes[0, 0].legend()
    axes[0, 1].bar(names, [1e3 * runs[reuse].seconds for reuse in (False, True)], width=0.5, color="#999999")
    axes[0, 1].set(ylabel="CPU time [ms]")
    save(figure, path)
