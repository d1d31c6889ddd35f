"""Where the time of an error-controlled run goes (CENIC VII-F, figure 18)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cases.C5_hard_clutter.runs import Run, simulate
from cases.harness import Result, pending, save, subplots, verdict

SCENES = {"C4_soft_clutter": "soft clutter", "C5_hard_clutter": "hard clutter"}
METHODS = ("cenic-paper", "cenic")
STAGES = ("geometry", "dynamics", "setup", "assembly", "factorization", "line_search", "other")
COLORS = ("#4c72b0", "#8a5fb0", "#3f9fb5", "#c44e52", "#d1731a", "#2a9d4e", "#999999")
ACCURACY = 1e-3


def shares(run: Run) -> dict[str, float]:
    seconds = run.report.seconds
    return {stage: getattr(seconds, stage) / seconds.total for stage in STAGES}


def check(figure: Path) -> list[Result]:
    runs = {(case, method): simulate(case, method, ACCURACY, overlaps=False) for case in SCENES for method in METHODS}
    plot(runs, figure)
    results = []
    for case, name in SCENES.items():
        parts = shares(runs[case, "cenic"])
        total = sum(parts.values())
        results += [
            verdict(
                f"{name}: the stages account for the whole time",
                f"{100 * total:.0f} %",
                "95 to 105 %",
                0.95 <= total <= 1.05,
                "one thread; what no stage counts is the step control itself",
            ),
            verdict(
                f"{name}: no single component dominates",
                ", ".join(f"{stage.replace('_', ' ')} {100 * share:.0f} %" for stage, share in parts.items()),
                "each at most 50 %",
                max(parts.values()) <= 0.5,
                "the paper's finding for its examples, read as: none takes half",
            ),
        ]
    results.append(
        pending("with surfaces in patches, geometry is a major component", "cylinder, gripper, arm and dish rack need hydroelastic contact")
    )
    return results


def plot(runs: dict[tuple[str, str], Run], path: Path) -> None:
    figure, axes = subplots(1)
    figure.set_size_inches(6.4, 2.6)
    bars = [f"{SCENES[case]},\n{method}" for case, method in runs]
    left = np.zeros(len(bars))
    for stage, color in zip(STAGES, COLORS, strict=True):
        width = np.array([1e3 * getattr(run.report.seconds, stage) for run in runs.values()])
        axes[0, 0].barh(bars, width, left=left, color=color, label=stage.replace("_", " "))
        left += width
    axes[0, 0].invert_yaxis()
    axes[0, 0].set(xlabel="time of 10 s at accuracy 1e-3 [ms]")
    axes[0, 0].legend()
    save(figure, path)
