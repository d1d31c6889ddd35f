"""A ball without dissipation should keep its energy: how much of it is lost, against step and accuracy (CENIC VII-A, figure 8)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import stickslip as ss

from cases.C5_hard_clutter.runs import simulate
from cases.harness import COLORS, GRAVITY, Array, Result, fitted_order, mark_accuracies, mark_steps, pending, save, scene, subplots, verdict

MASS, STIFFNESS, RADIUS, UNTIL = 0.1, 1e3, 0.05, 10.0
WEIGHT = MASS * GRAVITY
AT_REST = WEIGHT * RADIUS - 0.5 * WEIGHT**2 / STIFFNESS  # J, potential energy of the ball that lies on the floor
STEPS = [1e-3, 5e-4, 2e-4, 1e-4, 5e-5]  # s
ACCURACIES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
KEPT = {1e-4: (0.94, 1.01), 1e-5: (0.995, 1.005)}
BOUNCES = 11
TRAPEZOID, TRAPEZOID_STEPS, DROPS = "cenic-trapezoid", [1e-3, 5e-4, 2.5e-4], 64

GOLDEN = (1 + 5**0.5) / 2


def energy(sim: ss.Simulator) -> float:
    return sim.kinetic_energy + sim.potential_energy - AT_REST


def kept(method: str, *, accuracy: float | None = None, time_step: float | None = None) -> float:
    """Of the energy, after 10 s."""
    sim = ss.Simulator(scene("C7_bouncing_ball"), method=method, accuracy=accuracy, time_step=time_step)
    start = energy(sim)
    sim.advance_to(UNTIL)
    return energy(sim) / start


def heights(method: str, accuracy: float) -> tuple[Array, Array]:
    run = ss.simulate(scene("C7_bouncing_ball"), until=UNTIL, method=method, accuracy=accuracy, sample_rate=200)
    return run.t, run.q[:, 2] - RADIUS


def bounces(height: Array) -> int:
    """Lowest points below the floor's surface."""
    inner = height[1:-1]
    return int(((inner < 0) & (inner < height[:-2]) & (inner <= height[2:])).sum())


def check(figure: Path) -> list[Result]:
    lost = [1 - kept("cenic-paper", time_step=h) for h in STEPS]
    by_accuracy = {method: [kept(method, accuracy=a) for a in ACCURACIES] for method in ("cenic", "cenic-paper")}
    paths = {method: heights(method, 1e-4) for method in by_accuracy}
    plot(lost, by_accuracy, paths, figure)
    order = fitted_order(STEPS[2:], lost[2:])
    count = bounces(heights("cenic", 1e-5)[1])
    results = [
        verdict(
            "the ball bounces 11 times",
            f"{count} times at accuracy 1e-5",
            str(BOUNCES),
            count == BOUNCES,
            "the paper's count for 0.1 kg; a bounce takes 2 sqrt(2/g) + pi sqrt(m/k) = 0.93 s, the first half of it",
        ),
        verdict(
            "step doubling: the energy error is of first order in the step",
            f"{', '.join(f'{100 * x:.3g}' for x in lost)} % lost at {', '.join(f'{1e3 * h:g}' for h in STEPS)} ms, order {order:.2f}",
            "0.8 to 1.2 from 0.2 ms down",
            0.8 <= order <= 1.2,
            "1 in the limit; 1 - exp(-h/h0) bends by a tenth or so where a third is lost",
        ),
        *check_trapezoid(),
    ]
    for accuracy, (least, most) in KEPT.items():
        share = by_accuracy["cenic"][ACCURACIES.index(accuracy)]
        results.append(
            verdict(
                f"cenic keeps the energy at {accuracy:g}",
                f"{100 * share:.2f} % (cenic-paper {100 * by_accuracy['cenic-paper'][ACCURACIES.index(accuracy)]:.1f} %)",
                f"{100 * least:g} to {100 * most:g} %",
                least <= share <= most,
                "a prototype of extrapolation kept 98 % at 1e-4 and 100.1 % at 1e-5",
            )
        )
    return results


def one_bounce(method: str, time_step: float) -> float:
    """Energy error after one bounce: root mean square over drops that touch the floor, and leave it, anywhere in a step. Both the
    height and the step vary by some per cent: with steps alike, touching and leaving fall at the same place too often."""
    model, errors = scene("C7_bouncing_ball"), []
    for i in range(DROPS):
        sim = ss.Simulator(model, method=method, time_step=time_step * (0.95 + 0.1 * (i * GOLDEN % 1)))
        sim.q[2] += 1e-3 * i
        start = energy(sim)
        sim.advance_to(0.7)
        errors.append(energy(sim) / start - 1)
    return float(np.sqrt(np.mean(np.square(errors))))


def check_trapezoid() -> list[Result]:
    order, slow = "trapezoid: the energy error is of second order in the step", "trapezoid: 5 to 20 times slower than step doubling on hard clutter"
    if TRAPEZOID not in ss.method_names():
        return [pending(claim, "the trapezoid scheme is not there") for claim in (order, slow)]
    errors = [one_bounce(TRAPEZOID, h) for h in TRAPEZOID_STEPS]
    slope = fitted_order(TRAPEZOID_STEPS, errors)
    doubling = simulate("C5_hard_clutter", "cenic-paper", 1e-2, overlaps=False).seconds
    # As published, contacts act at both ends of a step however stiff they are; ours act the more at its end.
    ratio, ours = (simulate("C5_hard_clutter", TRAPEZOID, 1e-2, overlaps=False, solver={"stiff_at_end": end}).seconds / doubling for end in (False, True))
    return [
        verdict(
            order,
            f"{', '.join(f'{100 * e:.2g}' for e in errors)} % off after a bounce at {', '.join(f'{1e3 * h:g}' for h in TRAPEZOID_STEPS)} ms, order {slope:.2f}",
            "1.6 to 2.4",
            1.6 <= slope <= 2.4,
            "2 in the limit; where in a step the ball touches and leaves decides much of the error, which leaves some scatter over 64 drops",
        ),
        verdict(slow, f"{ratio:.1f} times at 1e-2 as published, {ours:.1f} times as ours is", "2.5 to 40 times", 2.5 <= ratio <= 40, "the paper's range, and a factor of two for other machines and solvers"),
    ]


def plot(lost: list[float], by_accuracy: dict[str, list[float]], paths: dict[str, tuple[Array, Array]], path: Path) -> None:
    figure, axes = subplots(3)
    axes[0, 0].loglog(STEPS, [100 * x for x in lost], "o-", color=COLORS["cenic-paper"], label="cenic-paper", markersize=3)
    h = np.array([min(STEPS), max(STEPS)])
    axes[0, 0].loglog(h, 100 * lost[-1] * h / min(STEPS), "k--", linewidth=0.8, label="first order")
    mark_steps(axes[0, 0], STEPS)
    axes[0, 0].set(ylabel="energy lost in 10 s [%]", title="fixed steps")
    for method, values in by_accuracy.items():
        axes[0, 1].semilogx(ACCURACIES, [100 * x for x in values], "o-", color=COLORS[method], label=method, markersize=3)
        axes[0, 2].plot(*paths[method], color=COLORS[method], label=method)
    axes[0, 1].axhline(100, color="k", linestyle="--", linewidth=0.8)
    axes[0, 1].set(ylabel="energy kept after 10 s [%]", title="error control")
    mark_accuracies(axes[0, 1], ACCURACIES)
    axes[0, 2].set(xlabel="t [s]", ylabel="height [m]", title="accuracy 1e-4")
    axes[0, 0].legend()
    axes[0, 1].legend()
    save(figure, path)
