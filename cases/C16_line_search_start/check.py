"""Where the line search starts: at the full step, or at the minimum of a parabola or a cubic through what is known (CENIC VI-D, figure 19)."""

from __future__ import annotations

from pathlib import Path

from cases.C5_hard_clutter.runs import ACCURACIES, Run, listed, simulate
from cases.harness import Result, mark_accuracies, save, subplots, verdict

STARTS = {"cubic": "#d1731a", "quadratic": "#4c72b0", "full": "#555555"}


def check(figure: Path) -> list[Result]:
    runs = {
        start: [simulate("C5_hard_clutter", "cenic-paper", a, overlaps=False, solver={"line_search": start}) for a in ACCURACIES] for start in STARTS
    }
    plot(runs, figure)
    trials = {start: trials_an_iteration(r) for start, r in runs.items()}
    order = "the claim is of the order; an iteration, since chaos changes how many there are"
    known = "the search first tries the full step and stops there if it is good; what a start can save are the others"
    return [
        verdict(
            "a cubic start needs fewer trials than a quadratic one",
            f"{listed(trials['cubic'], '.2f')} against {listed(trials['quadratic'], '.2f')} an iteration, at 1e-1 ... 1e-5",
            "fewer at each",
            all(a < b for a, b in zip(trials["cubic"], trials["quadratic"], strict=True)),
            order,
            known,
        ),
        verdict(
            "a quadratic start needs fewer trials than the full step",
            f"{listed(trials['quadratic'], '.2f')} against {listed(trials['full'], '.2f')} an iteration, at 1e-1 ... 1e-5",
            "fewer at each",
            all(a < b for a, b in zip(trials["quadratic"], trials["full"], strict=True)),
            order,
            known,
        ),
        verdict(
            "the tighter the accuracy, the fewer trials",
            f"{listed(trials['cubic'], '.2f')} an iteration",
            "fewer at each of 1e-1 ... 1e-5",
            all(a > b for a, b in zip(trials["cubic"], trials["cubic"][1:], strict=False)),
            "short steps are nearly quadratic problems",
        ),
    ]


def trials_an_iteration(runs: list[Run]) -> list[float]:
    return [r.report.line_search_iterations / r.report.newton_iterations for r in runs]


def plot(runs: dict[str, list[Run]], path: Path) -> None:
    figure, axes = subplots(1)
    for start, color in STARTS.items():
        axes[0, 0].semilogx(ACCURACIES, trials_an_iteration(runs[start]), "o-", color=color, label=start, markersize=3)
    axes[0, 0].set(ylabel="trials a Newton iteration", title="hard clutter, 10 s", ylim=(0, None))
    mark_accuracies(axes[0, 0], ACCURACIES)
    axes[0, 0].legend(title="start of the line search")
    save(figure, path)
