#!/usr/bin/env python3
"""Our time a step beside MuJoCo's over starts that differ by hardly anything: clutter and falling robots go another course each time.

    bench/contact/starts.py [I7 solo12 panda romeo ...] [--starts 11]
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import engines
import robot_scenes
import scenes

SHIFT, TURN = 1e-4, 1e-3  # m and rad, by which starts differ at most


def measure(name: str, starts: int) -> str:
    scene = scenes.make(name)
    model = engines.our_model(scene)
    v = np.zeros(model.nv)
    steps = round(scene["T"] / scenes.TIME_STEP)
    times, ratios, iterations = [], [], []
    for index in range(starts):
        start = engines.beside(scene, model, model.q0, index, SHIFT, TURN) if index > 0 else np.array(model.q0), v
        ours, theirs = engines.ours(scene, steps, start, model=model), engines.mujoco(scene, steps, start)
        times.append(1e6 * ours.a_step)
        ratios.append(ours.a_step / theirs.a_step)
        iterations.append(ours.iterations)
    figures = [f"{statistics.median(x):.3g} ({min(x):.3g} to {max(x):.3g})" for x in (times, iterations, ratios)]
    return f"| {name} | {' | '.join(figures)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenes", nargs="*", default=["I7", *robot_scenes.ROBOTS])
    parser.add_argument("--starts", type=int, default=11)
    arguments = parser.parse_args()
    print("| scene | µs a step | Newton iterations a step | of MuJoCo's time |\n|---|---|---|---|")
    for name in arguments.scenes:
        print(measure(name, arguments.starts), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
