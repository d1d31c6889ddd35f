"""One function an engine: runs a scene for some steps and returns what it cost, and how well it was solved.

Only the steps are timed, in batches; between the batches contacts are looked at. Each is CPU time of this process on one thread.
For Drake this file runs once more, in the Python that has it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))
import drake_plant
import scene_texts
import scenes
from drake_process import DrakeProcess, answer

ROOT = Path(__file__).resolve().parents[2]
Array = NDArray[np.float64]
Start = tuple[Array, Array]  # q, v: positions and velocities as in MuJoCo
SOLVER_TOLERANCE = 1e-5
BATCH = 25  # steps
SETTLE = 2.0  # s
WARM_UP = 10  # steps from a settled state before the clock starts: MuJoCo's contacts are softer, its pile sinks in a little at first


@dataclass
class Result:
    seconds: float = 0.0  # CPU, of all steps
    steps: int = 0
    contacts: float = 0.0  # that overlap; mean of the samples
    penetration: float = 0.0  # m, largest of the samples
    iterations: float = 0.0  # of the solver a step, summed over islands
    residual: float | None = None  # largest relative residual of the run, where the engine tells
    extra: dict[str, float] = field(default_factory=dict)

    @property
    def a_step(self) -> float:
        return self.seconds / max(1, self.steps)


def run_batches(advance: Callable[[int], None], sample: Callable[[], tuple[int, float, float]], steps: int, budget: float) -> Result:
    """`advance(n)` takes n steps; `sample()` gives contacts, largest depth, and iterations of the last step. Stops early when the budget [s]
    is used up."""
    result, samples = Result(), []
    batch = BATCH
    while result.steps < steps and result.seconds < budget:
        n = min(batch, steps - result.steps)
        began = time.process_time()
        advance(n)
        result.seconds += time.process_time() - began
        result.steps += n
        samples.append(sample())
        if result.a_step * batch > 0.25 * budget:
            batch = max(1, int(0.25 * budget / result.a_step))
    contacts, depth, iterations = (np.array(column) for column in zip(*samples, strict=True))
    result.contacts, result.penetration, result.iterations = float(contacts.mean()), float(depth.max()), float(iterations.mean())
    return result


# ----------------------------------------------------------------------------------------------------------------- ours
def our_model(scene: scenes.Scene) -> Any:
    import stickslip as ss

    if "mjcf" in scene:
        return ss.from_string(scene["mjcf"], format="mjcf")
    if scene["name"] in scenes.CASES:
        return ss.load(ROOT / "cases" / scenes.CASES[scene["name"]] / "scene.yaml")
    return ss.from_string(scene_texts.to_yaml(scene), format="yaml")


def ours(
    scene: scenes.Scene,
    steps: int,
    start: Start | None = None,
    warm_up: int = 0,
    budget: float = 1e9,
    method: str = "lagged",
    model: Any = None,
    solver: dict[str, Any] | None = None,
) -> Result:
    import stickslip as ss

    if model is None:
        model = our_model(scene)
    sim = ss.Simulator(model, method=method, time_step=scenes.TIME_STEP, solver_tolerance=SOLVER_TOLERANCE, solver=solver or {})
    if start is not None:
        sim.q[:], sim.v[:] = start
    count = 0

    def advance(n: int) -> None:
        nonlocal count
        count += n
        sim.advance_to(count * scenes.TIME_STEP)

    worst = 0.0

    def sample() -> tuple[int, float, float]:
        nonlocal worst
        worst = max(worst, sim.report.residual)
        depth = sim.contacts["depth"]
        return int((depth > 0).sum()), float(max(depth, default=0.0)), 0.0

    if warm_up:
        advance(warm_up)
    before = sim.report
    result = run_batches(advance, sample, steps, budget)
    after = sim.report
    taken = max(1, after.steps - before.steps)
    result.steps = taken  # a step may have been added to end at the time asked for
    result.iterations = (after.newton_iterations - before.newton_iterations) / taken
    result.residual = worst
    result.extra = {
        "factorizations": (after.factorizations - before.factorizations) / taken,
        "local_iterations": (after.local_iterations - before.local_iterations) / taken,
        "gradient_iterations": (after.gradient_iterations - before.gradient_iterations) / taken,
        "line_search_iterations": (after.line_search_iterations - before.line_search_iterations) / taken,
    }
    for stage in ("geometry", "dynamics", "assembly", "factorization", "line_search", "other", "total"):
        result.extra["us_" + stage] = 1e6 * (getattr(after.seconds, stage) - getattr(before.seconds, stage)) / taken
    return result


def beside(scene: scenes.Scene, model: Any, q: Array, index: int, shift: float, turn: float) -> Array:
    """Positions that differ from q by hardly anything: free objects by up to `shift` [m] and `turn` [rad], a robot by its joints."""
    rng = np.random.default_rng(index)
    if "mjcf" in scene:
        off = np.concatenate([np.zeros(6), turn * rng.uniform(-1, 1, model.nv - 6)])
    else:
        off = (rng.uniform(-1, 1, (model.nv // 6, 6)) * ([shift] * 3 + [turn] * 3)).ravel()
    return np.asarray(model.integrate(q, off))


def settle(scene: scenes.Scene, seconds: float) -> tuple[Start, float]:
    """Positions and velocities after some time, by our engine; and CPU seconds a step."""
    import stickslip as ss

    sim = ss.Simulator(our_model(scene), method="lagged", time_step=scenes.TIME_STEP, solver_tolerance=SOLVER_TOLERANCE)
    began = time.process_time()
    sim.advance_to(seconds)
    return (np.array(sim.q), np.array(sim.v)), (time.process_time() - began) / sim.report.steps


# --------------------------------------------------------------------------------------------------------------- MuJoCo
def mujoco_model(scene: scenes.Scene, solver: str, time_step: float = scenes.TIME_STEP) -> Any:
    """Its contacts are as stiff as the time step allows."""
    import mujoco as mj

    model = mj.MjModel.from_xml_string(scene["mjcf"] if "mjcf" in scene else scene_texts.to_mjcf(scene, time_step, solver))
    if "mjcf" in scene:
        model.opt.timestep, model.opt.cone, model.opt.integrator = time_step, mj.mjtCone.mjCONE_ELLIPTIC, mj.mjtIntegrator.mjINT_IMPLICITFAST
        model.opt.solver = {"Newton": mj.mjtSolver.mjSOL_NEWTON, "CG": mj.mjtSolver.mjSOL_CG}[solver]
    return model


def mujoco(scene: scenes.Scene, steps: int, start: Start | None = None, warm_up: int = 0, budget: float = 1e9, solver: str = "Newton") -> Result:
    import mujoco as mj

    model = mujoco_model(scene, solver)
    data = mj.MjData(model)
    if start is not None:
        data.qpos[:], data.qvel[:] = start

    def sample() -> tuple[int, float, float]:
        islands = max(1, min(data.nisland, len(data.solver_niter)))
        depth = -data.contact.dist
        return int((depth > 0).sum()), float(max(depth, default=0.0)), float(data.solver_niter[:islands].sum())

    if warm_up:
        mj.mj_step(model, data, warm_up)
    result = run_batches(lambda n: mj.mj_step(model, data, n), sample, steps, budget)
    result.extra["warnings"] = float(sum(data.warning[i].number for i in range(len(data.warning))))
    return result


# ---------------------------------------------------------------------------------------------------------------- Drake
def drake(scene: scenes.Scene, steps: int, start: Start | None = None, warm_up: int = 0, budget: float = 1e9, method: str = "lagged") -> Result:
    listed = None if start is None else [x.tolist() for x in start]
    process = DrakeProcess(Path(__file__))
    try:
        return Result(**process.ask(dict(scene=scene, steps=steps, start=listed, warm_up=warm_up, budget=budget, method=method)))
    finally:
        process.close()


def drake_here(scene: scenes.Scene, steps: int, start: Any, warm_up: int, budget: float, method: str) -> Result:
    from pydrake.systems.analysis import Simulator

    world = drake_plant.build(scene, start, time_step=scenes.TIME_STEP, discrete_contact_approximation=method)
    simulator = Simulator(world.diagram, world.context)
    simulator.Initialize()
    count = 0

    def advance(n: int) -> None:
        nonlocal count
        count += n
        simulator.AdvanceTo(count * scenes.TIME_STEP)

    def sample() -> tuple[int, float, float]:
        depths = world.depths()
        return len(depths), max(depths, default=0.0), float("nan")

    if warm_up:
        advance(warm_up)
    return run_batches(advance, sample, steps, budget)


if __name__ == "__main__":
    answer(lambda task: asdict(drake_here(**task)))
