"""Error control that looks at positions alone against one that looks at velocities as much (CENIC V-E and VII-B, figure 10)."""

from __future__ import annotations

from pathlib import Path

from cases.C5_hard_clutter.runs import Run, listed, simulate
from cases.harness import COLORS, Result, mark_accuracies, pending, save, subplots, verdict

ACCURACIES = (1e-1, 1e-2, 1e-3)  # tighter ones take minutes with the full state
SCENES = {"C4_soft_clutter": "soft", "C5_hard_clutter": "hard"}
FASTER = 10.0


def check(figure: Path) -> list[Result]:
    runs = {
        (case, norm): [simulate(case, "cenic-paper", a, overlaps=False, norm=norm) for a in ACCURACIES]
        for case in SCENES
        for norm in ("position", "state")
    }
    plot(runs, figure)
    results = []
    for case, name in SCENES.items():
        position, state = runs[case, "position"], runs[case, "state"]
        times = [s.seconds / p.seconds for p, s in zip(position, state, strict=True)]
        iterations = [s.report.newton_iterations / p.report.newton_iterations for p, s in zip(position, state, strict=True)]
        measured = f"{listed(times, '.1f')} times at 1e-1, 1e-2, 1e-3 ({listed(iterations, '.1f')} in iterations)"
        results += [
            verdict(
                f"{name} clutter: with positions alone over ten times faster at 1e-3",
                measured,
                f"> {FASTER:g} at 1e-3",
                times[-1] > FASTER,
                "the paper's 'over an order of magnitude'; CPU time",
                "the ratio grows as accuracy tightens, and is about ten at 1e-3",
            ),
            verdict(
                f"{name} clutter: with positions alone over ten times faster at every accuracy",
                measured,
                f"> {FASTER:g} at each",
                min(times) > FASTER,
                "the paper's 'consistent' gain; CPU time",
                "the ratio grows as accuracy tightens; at 1e-1 steps are long with either norm",
            ),
        ]
    results.append(
        pending("the other integrators gain little from it", "implicit Euler, RK3, SDIRK2 and ROS2 with error control are not there")
    )
    return results


def plot(runs: dict[tuple[str, str], list[Run]], path: Path) -> None:
    figure, axes = subplots(2)
    for column, (case, name) in enumerate(SCENES.items()):
        for norm, style in (("position", "o-"), ("state", "s--")):
            seconds = [r.seconds for r in runs[case, norm]]
            axes[0, column].loglog(ACCURACIES, seconds, style, color=COLORS["cenic-paper"], label=norm, markersize=3)
        axes[0, column].set(ylabel="CPU time of 10 s [s]", title=f"{name} clutter, cenic-paper")
        mark_accuracies(axes[0, column], ACCURACIES)
        axes[0, column].legend(title="norm")
    save(figure, path)
