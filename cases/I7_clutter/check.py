"""What 40 objects that fall into a box cost the solver, while they fall and once they rest (ICF XII-A, figures 15 and 16)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cases.harness import COLORS, STICTION_TOLERANCE, Result, save, subplots, verdict
from cases.I7_clutter.clutter import NAMES, Clutter, regularized, simulate
from cases.I7_clutter.independent import WHOSE, counts, mean_iterations

TIME_STEP = 2e-3
ESTIMATE = "the number is estimated from the diagonal of the Cholesky factor, island by island"
EARLY, LATE = (0.0, 1.0), (2.0, 3.0)  # s: objects fall; objects rest
SIGN = "the claim is of the order only; means over 13 of 500 steps"


def check(figure: Path) -> list[Result]:
    runs = {method: simulate(method, TIME_STEP) for method in NAMES}
    plot(runs, figure)
    published = {method: counts(method, TIME_STEP) for method in NAMES}
    early = {method: mean_iterations(samples, *EARLY) for method, samples in published.items()}
    late = {method: mean_iterations(samples, *LATE) for method, samples in published.items()}

    def listed(values: dict[str, float], methods: tuple[str, ...], when: tuple[float, float]) -> str:
        ours = ", ".join(f"{runs[m].mean_iterations(*when):.1f}" for m in methods)
        return ", ".join(f"{NAMES[m]} {values[m]:.1f}" for m in methods) + f" a step; our solver {ours}"

    three = ("sap", "similar", "lagged")
    sap = runs["sap"]
    soft_early = float(np.nanmean(sap.softness[sap.t <= EARLY[1]]))
    soft_late = float(np.nanmean(sap.softness[sap.t > LATE[0]]))
    return [
        verdict(
            "while objects fall, Lagged and Similar take more Newton iterations than SAP",
            listed(early, three, EARLY),
            "SAP the fewest",
            early["sap"] < min(early["lagged"], early["similar"]),
            SIGN,
            WHOSE,
        ),
        verdict(
            "once objects rest, Lagged and Similar take fewer Newton iterations than SAP",
            listed(late, three, LATE),
            "SAP the most",
            late["sap"] > max(late["lagged"], late["similar"]),
            SIGN,
            WHOSE,
        ),
        verdict(
            "regularised friction lowers Lagged's iterations while objects fall",
            listed(early, ("lagged", "lagged-regularized"), EARLY),
            "the regularised fewer",
            early["lagged-regularized"] < early["lagged"],
            SIGN,
            WHOSE,
        ),
        verdict(
            "SAP's friction is softer than Lagged's while objects fall, and tighter once they rest",
            f"effective stiction tolerance {soft_early:.1e} m/s, then {soft_late:.1e} m/s",
            f"above, then below {STICTION_TOLERANCE:g} m/s",
            soft_early > STICTION_TOLERANCE > soft_late,
            "the claim is of the order only; means over 500 steps",
            "softness is measured with the forces of our solver",
        ),
        verdict(
            "while objects fall, the condition numbers of Lagged and Similar are above SAP's",
            ", ".join(f"{NAMES[m]} {runs[m].mean_condition(*EARLY):.1e}" for m in three),
            "SAP the smallest",
            runs["sap"].mean_condition(*EARLY) < min(runs[m].mean_condition(*EARLY) for m in ("lagged", "similar")),
            SIGN,
            ESTIMATE,
        ),
        verdict(
            "once objects rest, the condition numbers of Lagged and Similar are below SAP's",
            ", ".join(f"{NAMES[m]} {runs[m].mean_condition(*LATE):.1e}" for m in three),
            "SAP the largest",
            runs["sap"].mean_condition(*LATE) > max(runs[m].mean_condition(*LATE) for m in ("lagged", "similar")),
            SIGN,
            ESTIMATE,
        ),
    ]


def plot(runs: dict[str, Clutter], path: Path) -> None:
    figure, axes = subplots(2)
    for method, r in runs.items():
        width = 25  # steps: 50 ms
        smooth = np.convolve(r.iterations, np.ones(width) / width, mode="valid")
        axes[0, 0].plot(r.t[width - 1 :], smooth, color=COLORS[method], label=method)
    axes[0, 1].semilogy(runs["sap"].t, runs["sap"].softness, color=COLORS["sap"], label="sap", linewidth=0.7)
    soft = regularized(runs["lagged-regularized"].softness)
    axes[0, 1].semilogy(runs["lagged-regularized"].t, soft, color=COLORS["lagged-regularized"], label="lagged-regularized", linewidth=0.7)
    axes[0, 1].axhline(STICTION_TOLERANCE, color="k", linestyle="--", linewidth=0.8, label="lagged, similar")
    axes[0, 0].set(xlabel="t [s]", ylabel="Newton iterations a step", title="mean over 50 ms")
    axes[0, 1].set(xlabel="t [s]", ylabel="stiction tolerance [m/s]", title="effective stiction tolerance")
    axes[0, 0].legend()
    axes[0, 1].legend()
    save(figure, path)
