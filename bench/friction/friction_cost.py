"""What friction with memory costs: CPU time beside regularised friction on the same scenes, one thread.

Clutter is chaotic, and what a run costs hangs on its course: so several starts, which differ by less than a tenth of a millimetre, alternating.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import stickslip as ss

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench" / "contact"))
import scene_texts
import scenes

SHIFT = 1e-4  # m, of the starts, at most
TIME_STEP = 2e-3


@dataclass(frozen=True)
class Comparison:
    title: str
    scene: str  # as in bench/contact/scenes.py
    seconds: float
    accuracy: float | None = None  # none: fixed steps
    starts: int = 3

    def options(self, anchored: bool) -> dict[str, Any]:
        if self.accuracy is None:
            return {"method": "anchored" if anchored else "lagged", "time_step": TIME_STEP}
        return {"method": "cenic", "accuracy": self.accuracy, "friction": "anchored" if anchored else "regularized"}


COMPARISONS = [
    Comparison("I7, 40 boxes and balls, 2 ms", "I7", 3.0, starts=6),
    Comparison("pile of 320 balls, falling, 2 ms", "pile_320", 1.0, starts=1),
    *(Comparison(f"C4 at {a:.0e}", "C4", 10.0, a) for a in (1e-2, 1e-3)),
    *(Comparison(f"C5 at {a:.0e}", "C5", 10.0, a) for a in (1e-1, 1e-2, 1e-3, 1e-4)),
]


def run(model: ss.Model, start: int, seconds: float, options: dict[str, Any]) -> tuple[float, int]:
    """CPU seconds and Newton iterations. The first start is the scene's own."""
    sim = ss.Simulator(model, **options)
    if start:
        rng = np.random.default_rng(start)
        for q in range(0, model.nq, 7):  # free bodies
            sim.q[q : q + 3] += rng.uniform(-SHIFT, SHIFT, 3)
    began = time.process_time()
    sim.advance_to(seconds)
    return time.process_time() - began, sim.report.newton_iterations


def measure(comparison: Comparison) -> dict[str, Any]:
    """Ratios of anchored to regularised: of the sums over all starts, and of each start."""
    model = ss.from_string(scene_texts.to_yaml(scenes.make(comparison.scene)), format="yaml")
    taken = [[run(model, start, comparison.seconds, comparison.options(anchored)) for anchored in (True, False)] for start in range(comparison.starts)]
    totals = np.sum(taken, axis=0)
    ratios = [anchored[0] / regularised[0] for anchored, regularised in taken]
    return {
        "title": comparison.title, "starts": comparison.starts, "seconds": float(totals[0, 0] / totals[1, 0]),
        "least": min(ratios), "median": statistics.median(ratios), "most": max(ratios), "iterations": float(totals[0, 1] / totals[1, 1]),
    }  # fmt: skip
