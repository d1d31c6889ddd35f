"""How the jumping rod converges with the time step (ICF XI-C, figure 13)."""

from __future__ import annotations

from pathlib import Path

from cases.harness import LOOKS_TOO_NEAR, METHODS, Result, fitted_order, plot_convergence, position_error, save, subplots, verdict
from cases.I5_rod.check import run

STEPS = [1e-5, 4e-5, 1.6e-4, 6.4e-4]
REFERENCE_STEP = 1e-6  # of Lagged, a tenth of the smallest
LONG_STEP, LONG_UNTIL = 2e-3, 0.05  # where Lagged is to miss the impact
ORDER = (0.7, 1.3)


def check(figure: Path) -> list[Result]:
    references = {d: run("lagged", d, REFERENCE_STEP) for d in (False, True)}
    errors = {d: {m: [position_error(run(m, d, h), references[d]) for h in STEPS] for m in METHODS} for d in (False, True)}
    plots, axes = subplots(2)
    plot_convergence(axes[0, 0], STEPS, errors[False], "without dissipation")
    plot_convergence(axes[0, 1], STEPS, errors[True], "with dissipation")
    save(plots, figure)

    plain = errors[False]
    apart = max(abs(a / b - 1) for a, b in zip(plain["sap"], plain["similar"], strict=True))
    order = fitted_order(STEPS[:3], plain["lagged"][:3])
    jump = float(references[False].velocity[-1, 2])
    missed = run("lagged", False, LONG_STEP, LONG_UNTIL)
    rise = float(missed.velocity[:, 2].max())
    return [
        verdict(
            "without dissipation SAP and Similar coincide",
            f"errors within {100 * apart:.0f} %",
            "within 10 %",
            apart <= 0.1,
            "a tenth is the width of a line in the paper's logarithmic plot",
        ),
        verdict(
            "Lagged is worst at the largest step",
            f"errors at 0.64 ms: Lagged {plain['lagged'][-1]:.1e}, Similar {plain['similar'][-1]:.1e}, SAP {plain['sap'][-1]:.1e} m",
            "Lagged the largest",
            plain["lagged"][-1] > max(plain["similar"][-1], plain["sap"][-1]),
            "the claim is of the order only",
            LOOKS_TOO_NEAR,
        ),
        verdict(
            "Lagged misses the impact at steps above 1 ms",
            f"at 2 ms the centre rises with {rise:.2f} m/s at most, after the true impact with {jump:.2f} m/s",
            "less than a third of the true jump",
            rise < jump / 3,
            "a rod that slides on rises too, but far more slowly",
        ),
        verdict(
            "Lagged: first order below",
            f"order {order:.2f} between 0.01 and 0.16 ms",
            f"{ORDER[0]} to {ORDER[1]}",
            ORDER[0] <= order <= ORDER[1],
            "a line through three points of a motion that is very sensitive to the time of the impact",
        ),
    ]
