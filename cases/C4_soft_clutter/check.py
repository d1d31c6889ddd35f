"""Twenty soft balls fall into a box: cost and error at every accuracy (CENIC VII-B, figure 10)."""

from __future__ import annotations

from pathlib import Path

from cases.C5_hard_clutter.runs import check_sweep, plot_sweep, sweep
from cases.harness import Result

EARLY = 0.4  # s: the columns are squeezed together; later errors double every 50 ms
REFERENCE = 1e-6


def check(figure: Path) -> list[Result]:
    s = sweep("C4_soft_clutter", EARLY, REFERENCE)
    plot_sweep(s, figure)
    return check_sweep(s)
