"""The cost of the two norms without this simulator: one ball that falls and bounces, step doubling with the paper's controller, in forty lines.

Usage: independent.py, for the table of the README.
"""

from __future__ import annotations

import math

GRAVITY, DISSIPATION, UNTIL, LONGEST, FIRST = 9.81, 10.0, 10.0, 0.1, 0.01
SAFETY, GROWTH, DEAD_BAND = 0.9, 5.0, (0.9, 1.2)  # of the controller, CENIC V-F
BALLS = {"soft (C4)": (0.524, 1e3), "hard (C5)": (0.524, 1e5)}  # kg, N/m
HEIGHTS = [0.025 + 0.15 * i for i in range(5)]  # m, of the lowest points of a column
ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4)


def step(z: float, v: float, h: float, mass: float, stiffness: float) -> tuple[float, float]:
    """Implicit in contact: m (v' - v + h g) = h k (-(z + h v'))+ (1 - d v')+, by bisection.   CENIC (13)"""

    def excess(w: float) -> float:
        return mass * (w - v + h * GRAVITY) - h * stiffness * max(0.0, -(z + h * w)) * max(0.0, 1 - DISSIPATION * w)

    low = v - h * GRAVITY
    high = max(low, 1 / DISSIPATION, -z / h) + 1e-12
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if excess(middle) > 0 else (middle, high)
    return z + h * high, high


def steps(height: float, mass: float, stiffness: float, accuracy: float, with_velocity: bool) -> int:
    """Attempts in 10 s, rejected ones among them."""
    t, z, v, h, count = 0.0, height, 0.0, FIRST, 0
    while t < UNTIL - 1e-12:
        h = min(h, LONGEST, UNTIL - t)
        full = step(z, v, h, mass, stiffness)
        half = step(*step(z, v, h / 2, mass, stiffness), h / 2, mass, stiffness)
        error = max(abs(full[0] - half[0]), abs(full[1] - half[1]) if with_velocity else 0.0)
        count += 1
        if error <= accuracy:
            t, (z, v) = t + h, half
        factor = GROWTH if error == 0 else min(GROWTH, SAFETY * math.sqrt(accuracy / error))
        if not (error <= accuracy and DEAD_BAND[0] < factor < DEAD_BAND[1]):
            h *= max(factor, 0.1)
    return count


def main() -> None:
    print("| ball | " + " | ".join(f"1e{round(math.log10(a))}" for a in ACCURACIES) + " |")
    print("|---|" + "---|" * len(ACCURACIES))
    for name, (mass, stiffness) in BALLS.items():
        cells = []
        for accuracy in ACCURACIES:
            counts = [sum(steps(height, mass, stiffness, accuracy, velocity) for height in HEIGHTS) for velocity in (True, False)]
            cells.append(f"{counts[0] / counts[1]:.1f}")
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
