"""How deep the clutter overlaps and what it costs, against stiffness (ICF XII-A, figures 18 and 19)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cases.harness import COLORS, Result, save, subplots, verdict
from cases.I7_clutter.clutter import NAMES, UNTIL, Clutter, mean, simulate
from cases.I7_clutter.independent import WHOSE, counts, mean_iterations

TIME_STEP = 5e-3
STIFFNESSES = [float(f"1e{n}") for n in range(4, 13)]  # N/m: eight decades
STEEL = 1e7
METHODS = ("sap", "similar", "lagged")
RESTING = 1.25  # s, at the end


def mean_depth(r: Clutter) -> float:
    resting = r.depth[r.t > UNTIL - RESTING]
    return mean(resting[~np.isnan(resting)])


def check(figure: Path) -> list[Result]:
    runs = {m: [simulate(m, TIME_STEP, stiffness=k) for k in STIFFNESSES] for m in METHODS}
    depth = {m: [mean_depth(r) for r in runs[m]] for m in METHODS}
    iterations = {m: [r.mean_iterations() for r in runs[m]] for m in METHODS}
    plots, axes = subplots(2)
    for m in METHODS:
        axes[0, 0].loglog(STIFFNESSES, depth[m], "o-", color=COLORS[m], label=m, markersize=3)
        axes[0, 1].semilogx(STIFFNESSES, iterations[m], "o-", color=COLORS[m], label=m, markersize=3)
    axes[0, 0].set(xlabel="stiffness [N/m]", ylabel="overlap at rest [m]")
    axes[0, 1].set(xlabel="stiffness [N/m]", ylabel="mean Newton iterations a step", ylim=(0, None))
    axes[0, 0].legend()
    save(plots, figure)

    failures = [
        f"{NAMES[m]} at {k:g} N/m stopped at {r.t[-1]:.2f} s"
        for m in METHODS
        for k, r in zip(STIFFNESSES, runs[m], strict=True)
        if r.stopped
    ]
    fallen = [f"{NAMES[m]} at {k:g} N/m lost an object" for m in METHODS for k, r in zip(STIFFNESSES, runs[m], strict=True) if r.lowest < 0]
    results = [
        verdict(
            "the solver is robust up to 1e12 N/m",
            f"{len(failures)} of {3 * len(STIFFNESSES)} runs stopped early, {len(fallen)} lost an object",
            "none",
            not failures and not fallen,
            "none is none",
            "; ".join([*failures, *fallen]),
        )
    ]
    for m in METHODS:
        slope = float(np.polyfit(np.log(STIFFNESSES), np.log(depth[m]), 1)[0])
        falls = all(b < a for a, b in zip(depth[m], depth[m][1:], strict=False))
        results.append(
            verdict(
                f"{NAMES[m]}: the overlap falls with stiffness",
                f"from {depth[m][0]:.1e} to {depth[m][-1]:.1e} m, slope {slope:.2f}",
                "falls at every step, slope -1.2 to -0.8",
                falls and -1.2 <= slope <= -0.8,
                "the same weight on stiffer springs gives 1/k; piles settle differently, which changes it by a factor of two",
                "some objects do not rest",
            )
        )
    steel = STIFFNESSES.index(STEEL)
    for m in METHODS:
        soft, hard = (mean_iterations(counts(m, TIME_STEP, k)) for k in (STIFFNESSES[0], STEEL))
        growth = hard / soft - 1
        results.append(
            verdict(
                f"{NAMES[m]}: steel costs at most 20 % more iterations than the softest",
                f"{100 * growth:+.0f} %, {soft:.1f} to {hard:.1f}; our solver {iterations[m][0]:.1f} to {iterations[m][steel]:.1f}",
                "<= +20 %",
                growth <= 0.2,
                "the figure of the claim",
                WHOSE,
            )
        )
    return results
