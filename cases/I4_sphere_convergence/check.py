"""How the thrown ball converges with the time step (ICF XI-B, figure 7)."""

from __future__ import annotations

from pathlib import Path

from cases.harness import LOOKS_TOO_NEAR, METHODS, Result, fitted_order, plot_convergence, position_error, save, subplots, verdict
from cases.I3_sphere.check import NAMES, run

STEPS = [4e-4, 2e-3, 1e-2]
FINE_STEP = 4e-5  # Lagged at this step is the reference
PLATEAU = 0.32  # ratio of the errors at two steps that differ by 10: first order gives 0.1, none gives 1, this is between
ORDER = (0.7, 1.3)


def check(figure: Path) -> list[Result]:
    fine = {method: run(method, FINE_STEP) for method in METHODS}
    errors = {method: [position_error(run(method, step), fine["lagged"]) for step in STEPS] for method in METHODS}
    limits = {method: position_error(fine[method], fine["lagged"]) for method in ("sap", "similar")}
    plots, axes = subplots(1)
    plot_convergence(axes[0, 0], STEPS, errors, "position")
    save(plots, figure)

    results = []
    for method in METHODS:
        # SAP's constant error is subtracted by taking its own fine run as the reference.
        own = errors[method] if method != "sap" else [position_error(run(method, step), fine["sap"]) for step in STEPS]
        order = fitted_order(STEPS, own)
        results.append(
            verdict(
                f"{NAMES[method]}: first order" + (", towards its own limit" if method == "sap" else ""),
                f"order {order:.2f}",
                f"{ORDER[0]} to {ORDER[1]}",
                ORDER[0] <= order <= ORDER[1],
                "a line through three points; at 10 ms landing falls anywhere in a step, which moves the error by a third",
                LOOKS_TOO_NEAR,
            )
        )
    ratios = {method: limits[method] / errors[method][0] for method in limits}
    results.append(
        verdict(
            "SAP keeps a constant error, Similar does not",
            f"e(0.04 ms)/e(0.4 ms): SAP {ratios['sap']:.2f} ({limits['sap']:.1e} m), Similar {ratios['similar']:.2f}",
            f"SAP >= {PLATEAU}, Similar below",
            ratios["sap"] >= PLATEAU > ratios["similar"],
            "geometric mean of 0.1, first order, and 1, no convergence",
            LOOKS_TOO_NEAR,
        )
    )
    return results
