"""Drake's CENIC on the same experiments: reads a task as JSON from standard input, prints the outcome as one line of JSON.

Runs in the Python that has Drake; needs nothing of Stickslip.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "contact"))
import drake_plant
from drake_process import answer


def run(task: dict[str, Any]) -> dict[str, Any]:
    from pydrake.systems.analysis import Simulator

    scene = task["scene"]
    world = drake_plant.build(scene, many_points=task.get("many_points", False), time_step=0.0)
    simulator = Simulator(world.diagram, world.context)
    drake_plant.use_cenic(simulator, task["accuracy"])
    simulator.Initialize()
    began = time.process_time()
    error = ""
    try:
        simulator.AdvanceTo(scene["T"])
    except RuntimeError as failed:
        error = str(failed)
    seconds = time.process_time() - began
    poses = world.poses()
    twists = [world.plant.EvalBodySpatialVelocityInWorld(world.own, b) for b in world.bodies]
    return {
        "seconds": seconds,
        "steps": int(simulator.get_integrator().get_num_steps_taken()),
        "error": error,
        "p": [pose.translation().tolist() for pose in poses],
        "R": [pose.rotation().matrix().tolist() for pose in poses],
        "v": [twist.translational().tolist() for twist in twists],
        "w": [twist.rotational().tolist() for twist in twists],
    }


if __name__ == "__main__":
    answer(run)
