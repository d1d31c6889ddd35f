"""Lagged contact leaves a box on a swinging belt at its height; SAP and Similar lift it while it slides (ICF XI-A, figure 3)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cases.harness import (
    COLORS,
    GRAVITY,
    METHODS,
    STICTION_TOLERANCE,
    Recording,
    Result,
    record,
    save,
    scene,
    subplots,
    verdict,
)

MASS, STIFFNESS, FRICTION = 1.0, 1e7, 0.7
TIME_STEP, UNTIL = 0.01, 2.0
WEIGHT = MASS * GRAVITY
RELAXATION_TIME = 1e-3

# Once the motion repeats, the box starts to slip when the belt slows down faster than mu g, and sticks 0.25 s later, where belt and box
# differ in acceleration by 2.93 m/s^2: sin a - sin b + (mu g / 7.896)(a - b) = 0 with cos b = -mu g / 7.896 gives a = 4.19 rad.
ACCELERATION_AT_STICKING = 2.93


def run(method: str, time_step: float = TIME_STEP, until: float = UNTIL) -> Recording:
    model = scene("I1_conveyor", relaxation_time=RELAXATION_TIME if method == "sap" else None)
    return record(model, "box", method, time_step, until)


def slides(recording: Recording) -> np.ndarray:
    """Beyond ten stiction tolerances friction is within 1 % of mu N."""
    return recording.slip > 10 * STICTION_TOLERANCE


def peak_at_sticking(recording: Recording) -> float:
    """Largest normal force over weight, minus 1, within two steps of a change from sliding to sticking."""
    sliding = slides(recording)
    ends = np.flatnonzero(sliding[:-1] & ~sliding[1:]) + 1
    near = np.unique(np.clip(ends[:, None] + np.arange(-2, 3), 1, len(sliding) - 1))
    return float(np.max(recording.normal_force[near]) / WEIGHT - 1)


def check(figure: Path) -> list[Result]:
    runs = {method: run(method) for method in METHODS}
    plot(runs, figure)
    lagged = runs["lagged"]
    sink_speed = WEIGHT / STIFFNESS / TIME_STEP
    rise = float(np.max(np.abs(lagged.velocity[:, 2])))
    off_weight = float(np.max(np.abs(lagged.normal_force[1:] / WEIGHT - 1)))
    results = [
        verdict(
            "Lagged: no vertical motion",
            f"largest vertical speed {rise:.1e} m/s",
            f"<= {sink_speed:.1e} m/s",
            rise <= sink_speed,
            "the box rocks on its compliant corners; the overlap at rest, m g/k = 1 um, once a step is all that may move",
        ),
        verdict(
            "Lagged: the normal force balances the weight",
            f"within {100 * off_weight:.2g} %",
            "within 1 %",
            off_weight <= 0.01,
            "rocking changes damping by d m g/(k h) = 5 % at a transition, of which the contact, h^2 k/m = 1000 times stiffer than "
            "the box is heavy, passes on far less than a fifth",
        ),
    ]
    glide_speed = FRICTION * TIME_STEP * ACCELERATION_AT_STICKING
    spike = FRICTION * ACCELERATION_AT_STICKING / GRAVITY
    for method, name in (("sap", "SAP"), ("similar", "Similar")):
        speed = float(np.max(np.abs(runs[method].velocity[slides(runs[method]), 2])))
        peak = peak_at_sticking(runs[method])
        results += [
            verdict(
                f"{name}: the box moves vertically while it slides",
                f"largest vertical speed {speed:.2g} m/s",
                f">= {glide_speed / 2:.2g} m/s",
                speed >= glide_speed / 2,
                "half of mu h a, the rate at which the gliding height mu h |v_t| falls before sticking",
            ),
            verdict(
                f"{name}: the normal force spikes when the box sticks",
                f"{100 * peak:.0f} % above the weight",
                f">= {50 * spike:.0f} %",
                peak >= spike / 2,
                "stopping the fall from the gliding height takes m mu a; half of it, as the change may fall into the middle of a step",
            ),
        ]
    return results


def plot(runs: dict[str, Recording], path: Path) -> None:
    figure, axes = subplots(3)
    for method, r in runs.items():
        axes[0, 0].plot(r.t, r.slip, color=COLORS[method], label=method)
        axes[0, 1].plot(r.t, 1e3 * r.velocity[:, 2], color=COLORS[method], label=method)
        axes[0, 2].plot(r.t, r.normal_force, color=COLORS[method], label=method)
    axes[0, 0].set(xlabel="t [s]", ylabel="slip speed [m/s]")
    axes[0, 1].set(xlabel="t [s]", ylabel="vertical speed [mm/s]")
    axes[0, 2].set(xlabel="t [s]", ylabel="normal force [N]")
    axes[0, 0].legend()
    save(figure, path)
