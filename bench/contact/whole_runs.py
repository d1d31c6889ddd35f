"""One run of a scene by one engine, from start to end: its time on one thread, its steps, and the states that it went through.

A task is a dict that JSON can hold, so that Drake can have it in its own process (this file runs there once more):

    scene     as in scenes.py
    start     q and v as in MuJoCo, or none: the scene's own
    method    of the engine; with `accuracy`, or with `time_step` [s]
    until     s, how long the clock runs; before that `warm_up` [s] without it
    watched   keep the states at the ends of steps; they go to this file (.npz: t, q, v). The clock stands still meanwhile
    limit     s of CPU time, after which a watched run is cut short

The answer has `seconds` (wall) and `cpu` [s], `simulated` [s], `steps`, `iterations` of the solver (none if the engine does not tell), the positions `q` at
the end, `stopped`: why it ended early, or nothing, and `cut`: whether it was for the limit. States are those of MuJoCo's layout.
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
from drake_process import answer

Task = dict[str, Any]
Answer = dict[str, Any]
ROUND_OFF = 1e-9  # s, of a sum of steps
MOST_GROWTH = 5  # from one step of ours to the next
SHORTEST = 2e-3  # s between states that are kept, so that tiny steps do not fill the memory


class OutOfTime(Exception):
    pass


class Clock:
    """Wall and CPU time of a run, without that spent looking at it."""

    def __init__(self, task: Task) -> None:
        self.limit = task.get("limit", float("inf")) if task.get("watched") else float("inf")
        self.wall, self.cpu = 0.0, 0.0

    def start(self) -> None:
        self.wall_began, self.cpu_began = time.perf_counter(), time.process_time()

    def stop(self) -> None:
        self.wall += time.perf_counter() - self.wall_began
        self.cpu += time.process_time() - self.cpu_began

    def check(self, reached: float) -> None:
        if self.cpu > self.limit:
            raise OutOfTime(f"given up after {self.limit:g} s, at {reached:.3g} s of simulated time")


class States:
    """What a watched run goes through."""

    def __init__(self) -> None:
        self.t: list[float] = []
        self.q: list[Any] = []
        self.v: list[Any] = []

    def keep(self, t: float, q: Any, v: Any) -> None:
        if not self.t or t - self.t[-1] > SHORTEST - ROUND_OFF:
            self.t.append(t)
            self.q.append(np.array(q))
            self.v.append(np.array(v))

    def save(self, path: str, q: Any = None, v: Any = None) -> None:
        np.savez(path, t=np.array(self.t), q=np.array(self.q if q is None else q), v=np.array(self.v if v is None else v))


class Course:
    """A run by the clock. `now` tells the simulated time, and `state` gives q and v."""

    def __init__(self, task: Task, now: Callable[[], float], state: Callable[[], tuple[Any, Any]]) -> None:
        self.task, self.now, self.state = task, now, state
        self.clock, self.states = Clock(task), States()

    def look(self) -> None:
        """After a step of a watched run."""
        self.clock.stop()
        self.states.keep(self.now(), *self.state())
        self.clock.check(self.now())
        self.clock.start()

    def run(self, advance: Callable[[float], None], steps: Callable[[], int], failures: tuple[type[Exception], ...]) -> Answer:
        """`advance` goes on to a time; it looks after every step if the run is watched."""
        stopped, cut, began, before = "", False, self.now(), steps()
        expected: tuple[type[Exception], ...] = (OutOfTime, *failures)
        self.states.keep(began, *self.state())
        self.clock.start()
        try:
            advance(self.task.get("warm_up", 0.0) + self.task["until"])
            self.clock.stop()
        except expected as failure:
            stopped, cut = str(failure).strip().splitlines()[0], isinstance(failure, OutOfTime)
            if not cut:  # else it stands still
                self.clock.stop()
        return dict(
            seconds=self.clock.wall, cpu=self.clock.cpu, simulated=self.now() - began, steps=steps() - before, iterations=None,
            q=np.asarray(self.state()[0]).tolist(), stopped=stopped, cut=cut,
        )  # fmt: skip


# -------------------------------------------------------------------------------------------------------------- engines
def stickslip(task: Task, model: Any) -> Answer:
    import stickslip as ss

    options = {key: task[key] for key in ("method", "accuracy", "time_step", "friction") if key in task}
    sim = ss.Simulator(model, **options)
    if task.get("start"):
        sim.q[:], sim.v[:] = task["start"]
    course = Course(task, lambda: float(sim.time), lambda: (sim.q, sim.v))

    def advance(until: float) -> None:
        if not task.get("watched"):
            sim.advance_to(until)
            return
        longest = first_step  # that the next may be; steps are those of a run that nobody watches, and none may pass the end
        while until - sim.time > longest + ROUND_OFF:
            before = sim.time
            sim.step()
            longest = MOST_GROWTH * (sim.time - before)
            course.look()
        sim.advance_to(until)
        course.look()

    if task.get("warm_up"):
        sim.advance_to(task["warm_up"])
    before, probe = sim.report.newton_iterations, sim.copy()
    probe.step()
    first_step = probe.time - sim.time
    out = course.run(advance, lambda: sim.report.steps, (ss.SimulationStopped,))
    if task.get("watched"):
        course.states.save(task["watched"])
    return out | dict(iterations=sim.report.newton_iterations - before)


def mujoco(task: Task, model: Any) -> Answer:
    import mujoco as mj

    data = mj.MjData(model)
    model.opt.timestep = task["time_step"]
    if task.get("start"):
        data.qpos[:], data.qvel[:] = task["start"]
    done, iterations = 0, 0
    course = Course(task, lambda: float(data.time), lambda: (data.qpos, data.qvel))

    def advance(until: float, look: bool = bool(task.get("watched"))) -> None:
        nonlocal done, iterations
        count = round(until / task["time_step"]) - done
        if not look:
            mj.mj_step(model, data, count)
            done += count
            return
        for _ in range(count):
            mj.mj_step(model, data)
            done += 1
            iterations += int(data.solver_niter[: max(1, min(data.nisland, len(data.solver_niter)))].sum())
            course.look()

    if task.get("warm_up"):
        advance(task["warm_up"], look=False)
    out = course.run(advance, lambda: done, ())
    if task.get("watched"):
        course.states.save(task["watched"])
    return out | dict(iterations=iterations if task.get("watched") else None)


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
    plant, own = world.plant, world.own
    course = Course(task, world.context.get_time, lambda: (plant.GetPositions(own), plant.GetVelocities(own)))

    def look(_: Any) -> Any:
        course.look()
        return EventStatus.DidNothing()

    def steps() -> int:
        return int(simulator.get_integrator().get_num_steps_taken()) if cenic else round(world.context.get_time() / task["time_step"])

    def iterations() -> int | None:
        """Its fixed steps do not tell."""
        return int(dict(simulator.get_integrator().GetStatisticsSummary())["cenic_total_solver_iterations"]) if cenic else None

    if task.get("warm_up"):
        simulator.AdvanceTo(task["warm_up"])
    before = iterations()
    if task.get("watched"):
        simulator.set_monitor(look)
    out = course.run(simulator.AdvanceTo, steps, (RuntimeError,))
    after = iterations()
    layout = drake_plant.Layout(world, task["scene"])
    if task.get("watched"):
        course.states.save(task["watched"], *layout.as_mujoco(np.array(course.states.q), np.array(course.states.v)))
    q = layout.as_mujoco(np.array([out["q"]]), np.zeros((1, plant.num_velocities())))[0][0].tolist()
    return out | dict(q=q, iterations=None if before is None or after is None else after - before)


if __name__ == "__main__":
    answer(drake)
