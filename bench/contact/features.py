"""What each part of the convex solver is worth: the same scenes with one of them switched off."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

import engines
import scenes

SCENES = ("I7", "pile_320")
# What is changed, and the options that do it.
VARIANTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "one problem instead of islands": {"islands": False},
    "each contact for itself instead of patches": {"patches": False},
    "line search through all velocities": {"contact_space": False},
    "no factor reused": {"reuse_factors": False},
    "factors reused however cheap": {"reuse_factors": True},
    "no local solves": {"local_solves": False},
    "always conjugate gradients": {"linear_solver": "iterative"},
}


@dataclass
class Row:
    scene: str
    variant: str
    us_a_step: float
    ratio: float  # to "as it is", within a repetition
    iterations: float
    local_iterations: float
    factorizations: float


def measure(repetitions: int, most_steps: int) -> list[Row]:
    rows = []
    for name in SCENES:
        scene = scenes.make(name)
        steps = min(most_steps, round(scene["T"] / scenes.TIME_STEP))
        model = engines.our_model(scene)
        runs: dict[str, list[engines.Result]] = {variant: [] for variant in VARIANTS}
        for _ in range(repetitions):
            for variant, options in VARIANTS.items():
                runs[variant].append(engines.ours(scene, steps, model=model, solver=options))
        usual = runs["as it is"]
        for variant, results in runs.items():
            first = results[0]
            rows.append(Row(
                name, variant, statistics.median(1e6 * r.a_step for r in results),
                statistics.median(r.a_step / u.a_step for r, u in zip(results, usual, strict=True)),
                first.iterations, first.extra["local_iterations"], first.extra["factorizations"],
            ))  # fmt: skip
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    header = ["scene", "solver", "µs a step", "of its time as it is", "Newton iterations a step", "of parts", "factorisations a step"]
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for r in rows:
        cells = [r["scene"], r["variant"], f"{r['us_a_step']:.0f}", f"{r['ratio']:.2f}"]
        cells += [f"{r[key]:.1f}" for key in ("iterations", "local_iterations", "factorizations")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
