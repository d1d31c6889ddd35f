"""The same experiment without this simulator: a point on a belt, each model's step solved by nested bisections from its formulas in the paper.

Usage: independent.py, for the table of the README, in a minute. The point stands for a box that does not turn; a box that does is 0.07 mm off, since it
rocks onto its edge as it begins to slide.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

MASS, STIFFNESS, DISSIPATION, RELAXATION_TIME, FRICTION, STICTION = 1.0, 1e7, 500.0, 1e-3, 0.7, 1e-4
GRAVITY, AMPLITUDE, OMEGA, UNTIL = 9.81, 0.2, 2 * math.pi, 2.0
SIGMA = 1e-3  # of SAP
CORNERS = 4  # of the box, side by side
STEPS, REFERENCE_STEP = (2e-3, 1e-2, 5e-2), 2e-4
SPREAD = (0.94, 0.96, 0.98, 1.0, 1.02, 1.04, 1.06)  # of steps around each of STEPS: where in a step sticking falls is chance
BELTS = ("start", "mean", "end")  # of the step at which the belt's velocity is taken


def belt_velocity(t: float, h: float, belt: str) -> float:
    def position(t: float) -> float:
        return -AMPLITUDE * math.cos(OMEGA * t)

    if belt == "mean":
        return (position(t + h) - position(t)) / h
    return AMPLITUDE * OMEGA * math.sin(OMEGA * (t if belt == "start" else t + h))


def normal_impulse(vn: float, height: float, h: float) -> float:
    """Linear elastic with Hunt & Crossley's dissipation.   ICF (22)"""
    return max(0.0, -h * STIFFNESS * (height + h * vn)) * max(0.0, 1 - DISSIPATION * vn)


def slip(free: float, bound: float) -> float:
    """Slip velocity u of m (u - free) = -bound u/sqrt(u^2 + vs^2)."""
    return brentq(lambda u: MASS * (u - free) + bound * u / math.hypot(u, STICTION), min(free, 0) - 1e-12, max(free, 0) + 1e-12, xtol=1e-15)


def lagged(free: tuple[float, float], height: float, h: float, last: float) -> tuple[float, float, float]:
    """Slip velocity, normal velocity and normal impulse; friction from the last impulse.   ICF (18)"""
    gamma = solve(lambda g: normal_impulse(free[1] + g / MASS, height, h))
    return slip(free[0], FRICTION * last), free[1] + gamma / MASS, gamma


def similar(free: tuple[float, float], height: float, h: float, last: float) -> tuple[float, float, float]:
    """The normal law at z = v_n - mu |v_t|, |.| softened by vs.   ICF (19)-(21)"""

    def law(g: float) -> float:
        return normal_impulse(free[1] + g / MASS - FRICTION * (math.hypot(slip(free[0], FRICTION * g), STICTION) - STICTION), height, h)

    gamma = solve(law)
    return slip(free[0], FRICTION * gamma), free[1] + gamma / MASS, gamma


def sap(free: tuple[float, float], height: float, h: float, last: float) -> tuple[float, float, float]:
    """Projection onto the cone, with R_n = 1/(h k (h + tau)) and R_t = sigma w at each corner."""
    r_n, r_t = 1 / (h * STIFFNESS * (h + RELAXATION_TIME)), SIGMA / (math.sqrt(3) * MASS) / CORNERS

    def tangential(g: float) -> tuple[float, float]:
        stick = -free[0] / (r_t + 1 / MASS)
        pull = max(-FRICTION * g, min(FRICTION * g, stick))
        return free[0] + pull / MASS, pull

    def law(g: float) -> float:
        u, pull = tangential(g)
        return max(0.0, (-height / (h + RELAXATION_TIME) - free[1] - g / MASS + FRICTION * abs(u + r_t * pull)) / r_n)

    gamma = solve(law)
    return tangential(gamma)[0], free[1] + gamma / MASS, gamma


def solve(law: Callable[[float], float]) -> float:
    """The impulse g with g = law(g), for a law that falls with g."""
    most = max(law(0.0), 1e-12)
    return brentq(lambda g: g - law(g), 0.0, most, xtol=1e-16, rtol=1e-14)


def trajectory(model: Callable[..., tuple[float, float, float]], h: float, belt: str) -> np.ndarray:
    """Rows t, x, z from rest."""
    x, z, vx, vz, last = -AMPLITUDE, -MASS * GRAVITY / STIFFNESS, 0.0, 0.0, MASS * GRAVITY * h
    rows = [(0.0, x, z)]
    for k in range(int(UNTIL / h + 1e-9)):
        moving = belt_velocity(k * h, h, belt)
        u, vz, last = model((vx - moving, vz - GRAVITY * h), z, h, last)
        vx = u + moving
        x, z = x + h * vx, z + h * vz
        rows.append(((k + 1) * h, x, z))
    return np.array(rows)


def error(run: np.ndarray, reference: np.ndarray) -> float:
    square = sum((run[:, i] - np.interp(run[:, 0], reference[:, 0], reference[:, i])) ** 2 for i in (1, 2))
    return float(np.sqrt(np.trapezoid(square, run[:, 0]) / run[-1, 0]))


def main() -> None:
    print("| belt's velocity at | Similar over Lagged, at 2, 10, 50 ms | the same over steps within 6 % | SAP, e(2 ms)/e(10 ms) |")
    print("|---|---|---|---|")
    for belt in BELTS:
        reference = trajectory(lagged, REFERENCE_STEP, belt)
        e = {(m, h, s): error(trajectory(m, h * s, belt), reference) for m in (lagged, similar, sap) for h in STEPS for s in SPREAD}
        ratio = {(h, s): e[similar, h, s] / e[lagged, h, s] for h in STEPS for s in SPREAD}
        ranges = [[ratio[h, s] for s in SPREAD] for h in STEPS]
        print(
            f"| {belt} of the step | {', '.join(f'{ratio[h, 1.0]:.2f}' for h in STEPS)} "
            f"| {', '.join(f'{min(r):.2f} to {max(r):.2f}' for r in ranges)} | {e[sap, STEPS[0], 1.0] / e[sap, STEPS[1], 1.0]:.2f} |"
        )


if __name__ == "__main__":
    main()
