"""The same scenes by MuJoCo's Euler integrator, with the softness that its equalities have by default; `stickslip convert` writes its models."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from energy_runs import SECONDS, Run, given_up
from rigid import Scene

ROOT = Path(__file__).resolve().parents[2]


def model_of(scene: Scene) -> Any:
    import mujoco as mj

    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "scene.yaml", Path(folder) / "scene.xml"
        file.write_text(json.dumps(scene))
        subprocess.run([ROOT / "build" / "bin" / "stickslip", "convert", file, out], check=True, capture_output=True)
        model = mj.MjModel.from_xml_path(str(out))
    model.opt.integrator = mj.mjtIntegrator.mjINT_EULER
    model.opt.enableflags |= mj.mjtEnableBit.mjENBL_ENERGY
    return model


def run(model: Any, h: float, until: float = SECONDS, scale: float = np.inf) -> Run:
    """From rest ropes, or as the jerk leaves them: the model's start is that of the scene."""
    import mujoco as mj

    model.opt.timestep = h
    data = mj.MjData(model)
    if model.nkey:
        mj.mj_resetDataKeyframe(model, data, 0)
    mj.mj_forward(model, data)
    first = float(data.energy.sum())
    out = Run(first, first, first)
    began, count = time.perf_counter(), round(until / h)
    while out.steps < count and not out.stopped:
        mj.mj_step(model, data)
        out.steps += 1
        # Of the step's start; the last state is looked at below.
        out.see(float(data.energy.sum()), 1.0, 0.0)
        out.fastest = max(out.fastest, float(np.abs(data.qvel).max()))
        out.iterations += int(data.solver_niter[0])
        out.stopped = "reset" if data.warning[mj.mjtWarning.mjWARN_BADQACC].number else given_up(out, scale, began, 0)
    mj.mj_forward(model, data)
    if not out.stopped:
        out.see(float(data.energy.sum()), 1.0, 0.0)
    out.attempts, out.seconds = out.steps, time.perf_counter() - began
    return out


