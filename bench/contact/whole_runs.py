"""One run of a scene by one engine, from start to end: its wall time on one thread, its steps, how deep objects overlapped, where they were early on.

A task is a dict that JSON can hold, so that Drake can have it in its own process (this file runs there once more):

    scene     as in scenes.py
    start     q and v as in MuJoCo, or none: the scene's own
    method    of the engine; with `accuracy`, or with `time_step` [s]
    until     s, how long the clock runs; before that `warm_up` [s] without it
    watched   look at contacts after every step, and give up after `limit` [s]: for a run that is not timed
    times     s; answer instead where the objects are at these times, and nothing else

The answer has `seconds`, `steps`, `penetration` [m] (none if nobody looked), `places`, and `stopped`: why it ended early, or nothing.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import drake_plant
import engines
from drake_process import answer

Task = dict[str, Any]
Answer = dict[str, Any]
PIECES = 50  # of a watched run of ours, between which the limit is looked at


class OutOfTime(Exception):
    pass


class Clock:
    """Raises when a watched run takes too long."""

    def __init__(self, task: Task) -> None:
        self.limit = task.get("limit", float("inf")) if task.get("watched") else float("inf")
        self.began = time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    def check(self, reached: float) -> None:
        if self.seconds > self.limit:
            raise OutOfTime(f"given up after {self.limit:g} s, at {reached:.3g} s of simulated time")


def timed(task: Task, advance: Callable[[float], None], steps: Callable[[], int], failures: tuple[type[Exception], ...]) -> Answer:
    """Advances through the warm-up, and then by the clock."""
    stopped, before, clock = "", 0, Clock(task)
    expected: tuple[type[Exception], ...] = (OutOfTime, *failures)
    try:
        if task.get("warm_up"):
            advance(task["warm_up"])
        before, clock = steps(), Clock(task)
        advance(task.get("warm_up", 0.0) + task["until"])
    except expected as failure:
        stopped = str(failure).strip().splitlines()[0]
    return dict(seconds=clock.seconds, steps=steps() - before, penetration=None, places=None, stopped=stopped)


def stickslip(task: Task, model: Any) -> Answer:
    import stickslip as ss

    options = {key: task[key] for key in ("method", "accuracy", "time_step") if key in task}
    if task.get("times"):
        # A recording does not change the steps; it is interpolated.
        run = ss.simulate(model, until=task["times"][-1], sample_rate=1 / (task["times"][1] - task["times"][0]), **options)
        return dict(places=run.q.reshape(len(run.t), -1, 7)[1:, :, :3].tolist(), stopped="")
    sim = ss.Simulator(model, **options)
    if task.get("start"):
        sim.q[:], sim.v[:] = task["start"]
    clock = Clock(task)

    def advance(until: float) -> None:
        for t in np.linspace(sim.time, until, PIECES + 1)[1:] if task.get("watched") else [until]:
            sim.advance_to(float(t))
            clock.check(sim.time)

    out = timed(task, advance, lambda: sim.report.steps, (ss.SimulationStopped,))
    # Ours looks at every step by itself. A watched run is not asked: its pieces have other steps.
    return out if task.get("watched") else out | dict(penetration=sim.report.max_penetration)


def mujoco(task: Task, model: Any) -> Answer:
    import mujoco as mj

    data = mj.MjData(model)
    model.opt.timestep = task["time_step"]
    if task.get("start"):
        data.qpos[:], data.qvel[:] = task["start"]
    done, deepest, clock = 0, 0.0, Clock(task)

    def advance(until: float) -> None:
        nonlocal done, deepest
        count = round(until / task["time_step"]) - done
        done += count
        if not task.get("watched"):
            mj.mj_step(model, data, count)
            return
        for _ in range(count):
            mj.mj_step(model, data)
            deepest = max(deepest, float(-data.contact.dist.min()) if data.ncon else 0.0)
            clock.check(data.time)

    if task.get("times"):
        places = []
        for t in task["times"]:
            advance(t)
            places.append(data.qpos.reshape(-1, 7)[:, :3].tolist())
        return dict(places=places, stopped="")
    out = timed(task, advance, lambda: done, ())
    return out | dict(penetration=deepest) if task.get("watched") else out


def drake(task: Task) -> Answer:
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import EventStatus

    cenic = task["method"] == "cenic"
    config = dict(time_step=0.0) if cenic else dict(time_step=task["time_step"], discrete_contact_approximation=task["method"])
    world = drake_plant.build(task["scene"], task.get("start"), many_points=cenic, **config)
    simulator = Simulator(world.diagram, world.context)
    if cenic:
        drake_plant.use_cenic(simulator, task["accuracy"])
    simulator.Initialize()
    deepest, clock = 0.0, Clock(task)

    def look(context: Any) -> Any:
        nonlocal deepest
        deepest = max([deepest, *world.depths()])
        clock.check(context.get_time())
        return EventStatus.DidNothing()

    def steps() -> int:
        return int(simulator.get_integrator().get_num_steps_taken()) if cenic else round(world.context.get_time() / task["time_step"])

    if task.get("times"):
        places = []
        for t in task["times"]:
            simulator.AdvanceTo(t)
            places.append([pose.translation().tolist() for pose in world.poses()])
        return dict(places=places, stopped="")
    if task.get("watched"):
        simulator.set_monitor(look)
    out = timed(task, simulator.AdvanceTo, steps, (RuntimeError,))
    return out | dict(penetration=deepest) if task.get("watched") else out


if __name__ == "__main__":
    answer(drake)
