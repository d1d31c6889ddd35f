"""Controllers of any stiffness at a step of 10 ms: taken at the end of the step, and at its start.

.venv/bin/python examples/stiff_controller.py
"""

from pathlib import Path

import numpy as np

import stickslip as ss

model = ss.load(Path(__file__).with_name("arm.urdf"))
target = np.array([0.5, -1.0])


def error(system: ss.ExternalSystem) -> str:
    """How far from its target the arm is after ten seconds."""
    sim = ss.Simulator(model, method="lagged", time_step=0.01)
    sim.add(system)
    try:
        sim.advance_to(10.0)
    except ss.SimulationStopped as stopped:
        return f"stopped at {stopped.time:.2f} s"
    return f"{np.abs(sim.q - target).max():.1e} rad"


def computed_torque(gain: float, implicit: bool) -> ss.System:
    """The same law as systems.InverseDynamicsControl, written out: Python needs no derivatives of it."""

    def output(t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
        acceleration = gain * (target - q) - gain * v
        return np.asarray(model.mass_matrix(q) @ acceleration + model.bias_force(q, v))

    return ss.System(output=output, implicit=implicit, name="computed torque")


print("kp = kd    implicit       by differences   explicit")
for gain in (1e2, 1e4, 1e6, 1e8):
    ready = ss.systems.InverseDynamicsControl(model, kp=gain, kd=gain, target=target)
    print(f"{gain:7.0e}    {error(ready):12s}   {error(computed_torque(gain, True)):14s}   {error(computed_torque(gain, False))}")
