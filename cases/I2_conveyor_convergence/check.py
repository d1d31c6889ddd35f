"""How the box on the belt converges with the time step (ICF XI-A, figure 4)."""

from __future__ import annotations

from pathlib import Path

from cases.harness import METHODS, Result, fitted_order, plot_convergence, position_error, save, subplots, verdict
from cases.I1_conveyor.check import run

STEPS = [2e-3, 1e-2, 5e-2]
REFERENCE_STEP = 2e-4  # of Lagged
CHANCE = (
    "at 20 steps a period it is chance where in a step sticking falls: a point on a belt, solved without this simulator (independent.py), "
    "gives 0.96 to 1.41 at steps within 6 % of 50 ms"
)
GLIDE = (
    "SAP's own error, the height of 0.1 mm at which it glides, is still below the error of a step of 2 ms; without this simulator "
    "(independent.py) the ratio is 0.17 to 0.23"
)
PLATEAU = 0.45  # ratio of the errors at two steps that differ by 5: first order gives 0.2, none gives 1, this is between
ORDER = (0.7, 1.3)
ORDER_REASON = (
    "a line through three points; at 20 steps a period it is chance where in a step sticking falls, which moves the error by a third"
)


def check(figure: Path) -> list[Result]:
    reference = run("lagged", REFERENCE_STEP)
    runs = {method: [run(method, step) for step in STEPS] for method in METHODS}
    errors = {method: [position_error(r, reference) for r in runs[method]] for method in METHODS}
    heights = {method: [position_error(r, reference, axes=(2,)) for r in runs[method]] for method in METHODS}
    plots, axes = subplots(2)
    plot_convergence(axes[0, 0], STEPS, errors, "position")
    plot_convergence(axes[0, 1], STEPS, heights, "height only", guide="similar")
    save(plots, figure)

    results = []
    for method, name in (("lagged", "Lagged"), ("similar", "Similar")):
        order = fitted_order(STEPS, errors[method])
        results.append(
            verdict(f"{name}: first order", f"order {order:.2f}", f"{ORDER[0]} to {ORDER[1]}", ORDER[0] <= order <= ORDER[1], ORDER_REASON)
        )
    ratios = [s / q for s, q in zip(errors["similar"], errors["lagged"], strict=True)]
    results.append(
        verdict(
            "Lagged is more accurate than Similar",
            "errors of Similar over Lagged " + ", ".join(f"{r:.2f}" for r in ratios),
            "> 1 at every step",
            min(ratios) > 1,
            "the claim is of the order only",
            CHANCE,
        )
    )
    plateau = errors["sap"][0] / errors["sap"][1]
    results.append(
        verdict(
            "SAP's error does not fall with the smallest step",
            f"e(2 ms)/e(10 ms) = {plateau:.2f}, e(2 ms) = {errors['sap'][0]:.1e} m",
            f">= {PLATEAU}",
            plateau >= PLATEAU,
            "geometric mean of 0.2, first order, and 1, no convergence",
            GLIDE,
        )
    )
    results.append(
        verdict(
            "SAP's height does not converge: a height of tau mu |v_t| stays",
            f"height error at 2 ms: SAP {heights['sap'][0]:.1e} m, Similar {heights['similar'][0]:.1e} m, "
            f"Lagged {heights['lagged'][0]:.1e} m; "
            f"e(2 ms)/e(10 ms) = {heights['sap'][0] / heights['sap'][1]:.2f} and {heights['similar'][0] / heights['similar'][1]:.2f}",
            f"SAP 1.5 times Similar, as mu (h + tau)|v_t| is to mu h |v_t|; ratio (2 ms + tau)/(10 ms + tau) = {3 / 11:.2f} for SAP, "
            "0.20 for Similar; each within a quarter",
            within(heights["sap"][0] / heights["similar"][0], 1.5)
            and within(heights["sap"][0] / heights["sap"][1], 3 / 11)
            and within(heights["similar"][0] / heights["similar"][1], 0.2),
            "a slide lasts 25 steps of 10 ms, and is cut off by up to a step at either end",
            "a candidate for contact was found too late",
        )
    )
    return results


def within(value: float, expected: float, share: float = 0.25) -> bool:
    return abs(value / expected - 1) <= share
