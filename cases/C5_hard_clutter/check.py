"""Twelve hard balls and eight cubes fall into a box: cost and error at every accuracy (CENIC VII-B, figures 9 and 10)."""

from __future__ import annotations

from pathlib import Path

from cases.C5_hard_clutter.runs import UNTIL, check_sweep, listed, plot_sweep, sweep
from cases.harness import Result, verdict

EARLY = 0.4  # s: three impacts deep; later errors double every 50 ms
REFERENCE = 1e-6


def check(figure: Path) -> list[Result]:
    s = sweep("C5_hard_clutter", EARLY, REFERENCE)
    plot_sweep(s, figure)
    results = []
    for method, runs in s.runs.items():
        seconds = [r.seconds for r in runs]
        results.append(
            verdict(
                f"{method}: faster than real time at every accuracy",
                f"{listed(seconds, '.2f')} s at 1e-1 ... 1e-5",
                f"< {UNTIL:g} s",
                max(seconds) < UNTIL,
                "the claim itself; CPU time of one core",
            )
        )
    return results + check_sweep(s)
