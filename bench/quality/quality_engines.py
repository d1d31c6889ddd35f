"""Runs of an experiment by each engine. For Drake this file runs once more, in the Python that has it."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "contact")]
import drake_plant
import scene_texts
from drake_process import DrakeProcess, answer
from known_answers import Experiment, Run

Options = dict[str, Any]
POINTS_OF_A_SIDE = 9
SETTINGS: dict[str, dict[str, Options]] = {
    "stickslip": {"cenic, 1e-3 (default)": {"accuracy": 1e-3}, "anchored, 2 ms": {"time_step": 2e-3}},
    "mujoco": {
        "2 ms, contacts as in the scene": {"time_step": 2e-3, "matched": True},
        "2 ms, its own contacts": {"time_step": 2e-3, "matched": False},
    },
    "drake": {"CENIC, 1e-3": {"method": "cenic", "accuracy": 1e-3}, "Lagged, 2 ms": {"method": "lagged", "time_step": 2e-3}},
}
# Two settings whose difference says how much a user's choice matters.
SENSITIVITY: dict[str, dict[str, tuple[Options, Options]]] = {
    "stickslip": {
        "cenic, 1e-2 and 1e-4": ({"accuracy": 1e-2}, {"accuracy": 1e-4}),
        "anchored, 5 and 0.4 ms": ({"time_step": 5e-3}, {"time_step": 4e-4}),
    },
    "mujoco": {
        "5 and 0.4 ms, contacts as in the scene": ({"time_step": 5e-3, "matched": True}, {"time_step": 4e-4, "matched": True}),
        "5 and 0.4 ms, its own contacts": ({"time_step": 5e-3, "matched": False}, {"time_step": 4e-4, "matched": False}),
    },
    "drake": {
        "CENIC, 1e-2 and 1e-4": ({"method": "cenic", "accuracy": 1e-2}, {"method": "cenic", "accuracy": 1e-4}),
        "Lagged, 5 and 0.4 ms": ({"method": "lagged", "time_step": 5e-3}, {"method": "lagged", "time_step": 4e-4}),
    },
}


def stickslip(e: Experiment, options: Options) -> Run:
    import stickslip as ss

    model = ss.from_string(scene_texts.to_yaml(e.scene), format="yaml")
    sim = ss.Simulator(model, **options)
    bodies = [sim.body(f"o{i}") for i in range(len(e.scene["objects"]))]

    def look() -> tuple[Any, Any, float]:
        q = [[*b.position, *b.quaternion] for b in bodies]
        return q, [list(b.velocity) for b in bodies], float(max(sim.contacts["depth"], default=0.0))

    rows, stopped = [look()], ""
    try:
        for t in e.times:
            sim.advance_to(t)
            rows.append(look())
    except ss.SimulationStopped as stop:
        stopped = str(stop)
    return collect(e, rows, stopped)


def mujoco(e: Experiment, options: Options) -> Run:
    """Our writer of MJCF makes the model; without `matched` its contacts are MuJoCo's defaults."""
    import mujoco as mj

    with tempfile.TemporaryDirectory() as folder:
        scene, out = Path(folder) / "scene.yaml", Path(folder) / "scene.xml"
        scene.write_text(scene_texts.to_yaml(e.scene))
        subprocess.run([ROOT / "build" / "bin" / "stickslip", "convert", scene, out], check=True, capture_output=True)
        model = mj.MjModel.from_xml_path(str(out))
    h = model.opt.timestep = options["time_step"]
    if not options["matched"]:
        model.geom_solref[:], model.geom_solimp[:], model.geom_solmix[:] = [0.02, 1], [0.9, 0.95, 0.001, 0.5, 2], 1
    elif e.undamped:
        [o] = e.scene["objects"]
        model.geom_solref[:], model.geom_solimp[:] = [-e.scene["k"] / o["mass"], 0], [0.9999, 0.9999, 0.001, 0.5, 2]
    data = mj.MjData(model)
    if model.nkey:
        mj.mj_resetDataKeyframe(model, data, 0)
    rows, done = [look_at_mujoco(data)], 0
    for t in e.times:
        count = round(t / h)
        mj.mj_step(model, data, count - done)
        done = count
        rows.append(look_at_mujoco(data))
    return collect(e, rows, "")


def look_at_mujoco(data: Any) -> tuple[Any, Any, float]:
    import mujoco as mj

    q, v = data.qpos.reshape(-1, 7).copy(), data.qvel.reshape(-1, 6).copy()
    for row, pose in zip(v, q, strict=True):
        turned = np.zeros(3)
        mj.mju_rotVecQuat(turned, row[3:].copy(), pose[3:] / np.linalg.norm(pose[3:]))
        row[3:] = turned
    return q.tolist(), v.tolist(), float(max(0.0, -data.contact.dist.min())) if data.ncon else 0.0


def drake_here(task: dict[str, Any]) -> dict[str, Any]:
    from pydrake.systems.analysis import Simulator

    options, cenic = task["options"], task["options"]["method"] == "cenic"
    config = dict(time_step=0.0) if cenic else dict(time_step=options["time_step"], discrete_contact_approximation=options["method"])
    world = drake_plant.build(task["scene"], None, many_points=True, **config)
    simulator = Simulator(world.diagram, world.context)
    if cenic:
        drake_plant.use_cenic(simulator, options["accuracy"])

    def look() -> tuple[Any, Any, float]:
        q, v = [], []
        for body, pose in zip(world.bodies, world.poses(), strict=True):
            quaternion = pose.rotation().ToQuaternion()
            velocity = world.plant.EvalBodySpatialVelocityInWorld(world.own, body)
            q.append([*pose.translation(), quaternion.w(), quaternion.x(), quaternion.y(), quaternion.z()])
            v.append([*velocity.translational(), *velocity.rotational()])
        return q, v, max(world.depths(), default=0.0)

    simulator.Initialize()
    rows, stopped = [look()], ""
    try:
        for t in task["times"]:
            simulator.AdvanceTo(t)
            rows.append(look())
    except RuntimeError as failed:
        stopped = str(failed).splitlines()[0]
    return {"rows": rows, "stopped": stopped}


def drake(e: Experiment, options: Options, process: DrakeProcess) -> Run:
    """It has one point a pair of boxes. Spheres along their surface, as the authors of CENIC take them, let them stand: nine a side, which share the
    stiffness."""
    boxes = any(o["shape"] == "box" for o in e.scene["objects"])
    scene = e.scene | dict(k=e.scene["k"] / POINTS_OF_A_SIDE) if boxes else e.scene
    out = process.ask({"scene": scene, "times": e.times, "options": options})
    return collect(e, out["rows"], out["stopped"])


def collect(e: Experiment, rows: list[Any], stopped: str) -> Run:
    q, v, depth = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    return Run(np.array([0.0, *e.times])[: len(rows)], q, v, depth, stopped)


if __name__ == "__main__":
    answer(drake_here)
