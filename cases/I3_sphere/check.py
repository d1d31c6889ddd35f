"""A thrown ball lands, slides and rolls; SAP and Similar touch before it lands and kick it when it begins to roll (ICF XI-B, figure 6)."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np

from cases.harness import COLORS, GRAVITY, LOOKS_TOO_NEAR, METHODS, Recording, Result, record, save, scene, subplots, verdict

MASS, FRICTION, SPEED, HEIGHT = 0.5, 0.5, 2.0, 0.05
TIME_STEP, UNTIL = 2e-3, 0.3
RELAXATION_TIME = 1e-3
NAMES = {"sap": "SAP", "similar": "Similar", "lagged": "Lagged"}

LANDING = sqrt(2 * HEIGHT / GRAVITY)
ROLLING = 2 * SPEED / (7 * FRICTION * GRAVITY)  # from release: landing's impulse and weight give mu m g t of friction, whatever the split
ROLLING_SLIP = 1e-3  # m/s, ten stiction tolerances


def run(method: str, time_step: float = TIME_STEP, until: float = UNTIL, every: int = 1) -> Recording:
    model = scene("I3_sphere", relaxation_time=RELAXATION_TIME if method == "sap" else None)
    return record(model, "ball", method, time_step, until, every)


def touch(r: Recording) -> float:
    """End of the first step with a contact force."""
    return float(r.t[np.flatnonzero(r.normal_force > 0)[0]])


def rolling(r: Recording) -> float:
    """End of the first step from which on the ball rolls."""
    slides = np.flatnonzero(~(r.slip < ROLLING_SLIP))
    return float(r.t[min(slides[-1] + 1, len(r.t) - 1)])


def peak_at_rolling(r: Recording) -> float:
    """Largest normal force over weight, minus 1, within two steps of the begin of rolling."""
    begin = int(np.searchsorted(r.t, rolling(r) - 1e-9))
    return float(np.max(r.normal_force[begin - 2 : begin + 3]) / (MASS * GRAVITY) - 1)


def check(figure: Path) -> list[Result]:
    runs = {method: run(method) for method in METHODS}
    plot(runs, figure)
    results = []
    for method, r in runs.items():
        results.append(
            verdict(
                f"{NAMES[method]}: the ball slides, then rolls",
                f"slip {r.slip[-1]:.1e} m/s at the end",
                f"< {ROLLING_SLIP:g} m/s",
                r.slip[-1] < ROLLING_SLIP,
                "ten stiction tolerances; rolling needs no friction",
            )
        )
    # SAP and Similar act from above the floor, with a longer lever: they spin the ball up too much.
    speeds = {method: float(r.velocity[-1, 0]) for method, r in runs.items()}
    results.append(
        verdict(
            "Lagged: the ball rolls at 5/7 of its first speed",
            ", ".join(f"{NAMES[m]} {v:.4f} m/s" for m, v in speeds.items()),
            f"Lagged {5 / 7 * SPEED:.4f} m/s within 1 %",
            abs(speeds["lagged"] / (5 / 7 * SPEED) - 1) < 0.01,
            "friction leaves the angular momentum about the contact alone, however it is discretised, but for the overlap",
        )
    )
    begins = {method: rolling(r) for method, r in runs.items()}
    worst = max(abs(t - ROLLING) for t in begins.values())
    results.append(
        verdict(
            "rolling begins at 2 U0/(7 mu g) after release",
            ", ".join(f"{NAMES[m]} {t:.3f} s" for m, t in begins.items()),
            f"{ROLLING:.4f} s within 3 steps",
            worst <= 3 * TIME_STEP,
            "landing falls anywhere in a step, and contact acts up to (h + tau)(mu |v_t| + |v_n|)/|v_n| = 3 steps early",
        )
    )
    touches = {method: touch(r) for method, r in runs.items()}
    results.append(
        verdict(
            "SAP touches first, then Similar, then Lagged",
            ", ".join(f"{NAMES[m]} {1e3 * t:.0f} ms" for m, t in touches.items()),
            f"in this order, a step of {1e3 * TIME_STEP:.0f} ms or more apart; landing is at {1e3 * LANDING:.1f} ms",
            touches["sap"] < touches["similar"] < touches["lagged"],
            "they begin to act 6, 4 and 2 mm above the floor, of which the ball falls 2 mm a step",
            LOOKS_TOO_NEAR,
        )
    )
    spike = FRICTION * 3.5 * FRICTION * GRAVITY / GRAVITY
    peaks = {method: peak_at_rolling(r) for method, r in runs.items()}
    for method in ("sap", "similar"):
        results.append(
            verdict(
                f"{NAMES[method]}: the normal force spikes when the ball begins to roll",
                f"{100 * peaks[method]:.0f} % above the weight",
                f">= {50 * spike:.0f} %",
                peaks[method] >= spike / 2,
                "stopping the fall from the gliding height takes m mu a with a = 7/2 mu g; half of it, as rolling may begin within a step",
            )
        )
    results.append(
        verdict(
            "Lagged: no spike when the ball begins to roll",
            f"{100 * peaks['lagged']:.1f} % above the weight",
            "<= 5 %",
            peaks["lagged"] <= 0.05,
            "a tenth of the other two's smallest spike",
        )
    )
    return results


def plot(runs: dict[str, Recording], path: Path) -> None:
    figure, axes = subplots(3)
    for method, r in runs.items():
        axes[0, 0].plot(r.t, r.slip, ".-", color=COLORS[method], label=method, markersize=2)
        axes[0, 1].plot(r.t, r.velocity[:, 2], color=COLORS[method], label=method)
        axes[0, 2].semilogy(
            r.t, np.where(r.normal_force > 0, r.normal_force, np.nan), ".-", color=COLORS[method], label=method, markersize=2
        )
    axes[0, 0].set(xlabel="t [s]", ylabel="slip speed [m/s]", xlim=(0.09, 0.15))
    axes[0, 1].set(xlabel="t [s]", ylabel="vertical speed [m/s]", xlim=(0.09, 0.15))
    axes[0, 2].set(xlabel="t [s]", ylabel="normal force [N]", xlim=(0.09, 0.15))
    axes[0, 0].legend()
    save(figure, path)
