#!/usr/bin/env python3
"""What an accuracy delivers and what it costs, beside Drake's CENIC; prints tables in Markdown and draws docs/images/error_control_*.png.

Usage: bench/accuracy/run.py [errors] [speed] [work] [throws] [grasp] [combinations]      all parts if none is named

`combinations` takes minutes and writes docs/decisions/error_control_combinations.md.

Drake: a Python that has pydrake, in STICKSLIP_DRAKE_PYTHON; left out if there is none. One thread, CPU time.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import combinations as co
import experiments as ex
import grasp_forces

DOCS = ex.HERE.parent.parent / "docs"
IMAGES = DOCS / "images"
ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)
REPEATS = 3
THROWS = 16
PAPER: dict[str, Any] = {"method": "cenic-paper", "weights": "identity"}

# Of the work-precision plots, in the order in which things were added.
VARIANTS: dict[str, dict[str, Any]] = {
    "paper": PAPER,
    "paper + extrapolation": PAPER | {"extrapolate": True},
    "paper + extrapolation + consistent friction": PAPER | {"extrapolate": True, "consistent_friction": True},
    "cenic without horizon": {"method": "cenic", "norm": "position"},
    "cenic": {"method": "cenic"},
    "cenic + consistent friction": {"method": "cenic", "consistent_friction": True},
}
COLORS = ("#4c72b0", "#2a9d4e", "#8a5fb0", "#e3b505", "#d1731a", "#c44e52")


def markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, *rows)]
    lines.insert(1, "|" + "---|" * len(head))
    return "\n".join(lines) + "\n"


def table(head: list[str], rows: list[list[str]]) -> None:
    print(markdown(head, rows), flush=True)


def errors(drake: ex.Drake | None) -> None:
    """Each against the answer of its own law of friction."""
    measures: list[tuple[str, str, Callable[[ex.End, str], float], float]] = [
        ("spin", "spinning box, position after 10 s [m]", lambda end, _: ex.spin_error(end), 1),
        ("spin", "spinning box, change of rotational energy [%]", lambda end, _: ex.spin_energy(end), 100),
        ("bounce", "bouncing ball, change of energy after 10 s [%]", lambda end, _: ex.bounce_energy(end), 100),
        ("roll", "rolling ball, x after 2 s [mm]", lambda end, law: ex.position_error("roll", law)(end), 1e3),
        ("slide", "box slides down a slope, x after 10 s [mm]", lambda end, law: ex.position_error("slide", law)(end), 1e3),
        ("creep", "box creeps on a slope, x after 10 s [mm]", lambda end, law: ex.position_error("creep", law)(end), 1e3),
    ]
    print("### Error delivered\n")
    rows = []
    for name, title, measure, unit in measures:
        engines: dict[str, Callable[[float], ex.End]] = {
            "cenic": lambda a, n=name: ex.ours(n, a, method="cenic"),  # type: ignore[misc]
            "cenic-paper": lambda a, n=name: ex.ours(n, a, **PAPER),  # type: ignore[misc]
        }
        if drake:
            engines["Drake"] = lambda a, n=name: drake.run(n, a)  # type: ignore[misc]
        for engine, run in engines.items():
            law = "anchored" if engine == "cenic" else "regularized"
            rows.append([title, engine, *(f"{unit * measure(run(a), law):.2g}" for a in ACCURACIES)])
    table(["error of", "method", *(f"{a:.0e}" for a in ACCURACIES)], rows)


# The columns of the soft clutter stand in planes, and the piles that they become are unstable across them. Drake computes spheres in world axes, so that
# nothing ever leaves the plane. Ours turn with their bodies: round-off grows until the piles fall apart, from 5 s on. Until then both do the same.
TIMED = (("C4", 4.0, "soft clutter, 4 s"), ("C4", 10.0, "soft clutter, 10 s"), ("C5", 10.0, "hard clutter, 10 s"), ("solo12", 3.0, "quadruped, 3 s"))


def speed(drake: ex.Drake | None) -> None:
    print("### CPU time of clutter, and of a quadruped dropped from 10 cm\n")
    rows = []
    for name, until, title in TIMED:
        runs: dict[str, Callable[[float], ex.End]] = {
            "cenic": lambda a, n=name, t=until: ex.ours(n, a, t, method="cenic"),  # type: ignore[misc]
            "cenic-paper, weights 1": lambda a, n=name, t=until: ex.ours(n, a, t, **PAPER),  # type: ignore[misc]
        }
        if drake:
            runs["Drake"] = lambda a, n=name, t=until: drake.run(n, a, t)  # type: ignore[misc]
        seconds: dict[str, list[float]] = {engine: [] for engine in runs}
        for a in ACCURACIES:
            taken: dict[str, list[float]] = {engine: [] for engine in runs}
            for _ in range(REPEATS):
                for engine, run in runs.items():
                    taken[engine].append(run(a).seconds)
            for engine, times in taken.items():
                seconds[engine].append(statistics.median(times))
        for engine, times in seconds.items():
            rows.append([title, engine, *(f"{t:.4f} s" for t in times)])
        for engine in list(runs)[:2] if drake else []:
            ratios = [o / d for d, o in zip(seconds["Drake"], seconds[engine], strict=True)]
            rows.append([title, f"{engine} / Drake", *(f"{r:.2f}" for r in ratios)])
    table(["scene", "method", *(f"{a:.0e}" for a in ACCURACIES)], rows)


def work(drake: ex.Drake | None) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 8, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False})
    cases: dict[str, tuple[str, Callable[[ex.End], float]]] = {
        "tumble": ("tumbling box: pose [m, rad]", ex.pose_error("tumble")),
        "roll": ("rolling ball: x [m]", ex.position_error("roll")),
        "bounce": ("bouncing ball: energy, relative", lambda end: abs(ex.bounce_energy(end))),
    }
    accuracies = (*ACCURACIES, 1e-6)
    figure, axes = plt.subplots(2, len(cases), figsize=(11, 6.4), layout="constrained")
    print("### Error over accuracy, and Newton iterations\n")
    rows = []
    for column, (name, (title, measure)) in enumerate(cases.items()):
        for (variant, options), color in zip(VARIANTS.items(), COLORS, strict=True):
            ends = [ex.ours(name, a, **options) for a in accuracies]
            seconds = [min(end.seconds, *(ex.ours(name, a, **options).seconds for _ in range(4))) for a, end in zip(accuracies, ends, strict=True)]
            values = [max(measure(end), 1e-12) for end in ends]
            style: dict[str, Any] = {"color": color, "label": variant, "markersize": 3, "linewidth": 1.2}
            axes[0, column].loglog([end.iterations for end in ends], values, "o-", **style)
            axes[1, column].loglog([1e3 * s for s in seconds], values, "o-", **style)
            rows.append([title.split(":")[0], variant, *(f"{v / a:.2g} ({end.iterations})" for v, a, end in zip(values, accuracies, ends, strict=True))])
        if drake and name != "tumble":  # where it has but one point of contact
            runs = [drake.run(name, a) for a in accuracies]
            style = {"color": "#555555", "label": "Drake's CENIC", "markersize": 3, "linewidth": 1.0}
            axes[1, column].loglog([1e3 * end.seconds for end in runs], [max(measure(end), 1e-12) for end in runs], "s--", **style)
        axes[0, column].set(title=title, xlabel="Newton iterations", ylabel="error")
        axes[1, column].set(xlabel="CPU time [ms]", ylabel="error")
    figure.legend(*axes[1, -1].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8)
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / "error_control_work.png", dpi=100, metadata={"Software": None})
    table(["experiment", "method", *(f"{a:.0e}" for a in accuracies)], rows)


def throws(_: ex.Drake | None) -> None:
    """The tumbling box, and others whose velocities differ by up to 5 %: one throw is no measure."""
    accuracies = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
    ratios = []
    for name in ex.add_throws(THROWS):
        error = ex.pose_error(name)
        ratios.append([error(ex.ours(name, a, method="cenic")) / a for a in accuracies])
    print(f"### Error over accuracy of {THROWS} tumbling boxes\n")
    of_throws = list(zip(*ratios, strict=True))
    rows = [[name, *(f"{measure(column):.2g}" for column in of_throws)] for name, measure in (("median", statistics.median), ("worst", max))]
    table(["", *(f"{a:.0e}" for a in accuracies)], rows)


def grasp(_: ex.Drake | None) -> None:
    print("### Error of contact forces in a grasp [N]: mean over time, and the largest of a step\n")
    table(*grasp_forces.study(IMAGES / "error_control_grasp.png"))


COMBINATIONS = """# Error control: all combinations

Everything that [`cenic`](../methods/cenic.md) adds to the published scheme, switched on and off in every combination, on every known answer;
[what was decided](error_control.md). Written by `bench/accuracy/run.py combinations`.

## What each option does

The largest error over accuracy, at 1e-2 to 1e-5, with the option over that without it, and the same of Newton iterations in brackets: the median over all
settings of the other options. Where one of two options suffices (extrapolation and free flight for the spinning box) a median says little.

{effects}
## All of them

The largest error over accuracy, at 1e-2 to 1e-5, and all Newton iterations together; the least work first. `cenic` and the published scheme are bold. Weights
by size ask more than identity weights of the small bodies here. An answer is that of the friction law in use.

{every}"""


def combinations(_: ex.Drake | None) -> None:
    measured = co.measure_all()
    effects, every = (markdown(head, list(rows)) for head, rows in ((co.effect_head(), co.effect_rows(measured)), (co.every_head(), co.every_row(measured))))
    (DOCS / "decisions" / "error_control_combinations.md").write_text(COMBINATIONS.format(effects=effects, every=every))
    print("### What each option does\n\n" + effects)


PARTS: dict[str, Callable[[ex.Drake | None], None]] = {"errors": errors, "speed": speed, "work": work, "throws": throws, "grasp": grasp, "combinations": combinations}


def main() -> int:
    wanted = sys.argv[1:] or list(PARTS)
    if not set(wanted) <= set(PARTS):
        print(__doc__, file=sys.stderr)
        return 2
    drake = ex.find_drake()
    if drake is None:
        print("Drake is not installed and left out; name a Python that has it in STICKSLIP_DRAKE_PYTHON\n")
    for part in wanted:
        PARTS[part](drake)
    if drake:
        drake.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
