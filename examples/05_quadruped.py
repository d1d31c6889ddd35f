"""A quadruped: Solo12 lands on its bent legs and stands. Its file comes with `pip install example-robot-data`."""

import sysconfig
from pathlib import Path

import numpy as np

import stickslip as ss

SHARE = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share"
LEGS = {"FL": 1, "FR": 1, "HL": -1, "HR": -1}  # front and hind legs bend towards each other
STANCE = {f"{leg}_HFE": 0.7 * bend for leg, bend in LEGS.items()} | {f"{leg}_KFE": -1.4 * bend for leg, bend in LEGS.items()}
SCENE = f"""
bodies: [{{name: floor, fixed: true, geometry: [{{half_space: {{}}}}]}}]
include:
  - file: {SHARE}/example-robot-data/robots/solo_description/robots/solo12.urdf
    base: floating
    pose: {{position: [0, 0, 0.35]}}
    joints: {STANCE}
exclusions: {[{"body_a": "base_link", "body_b": f"{leg}_UPPER_LEG"} for leg in LEGS]}
"""

model = ss.from_string(SCENE, package_path=[str(SHARE)])
joints = [name for name in model.joint_names if model.joint(name).nq == 1]
start = np.array([model.q0[model.joint(name).q_start] for name in joints])

sim = ss.Simulator(model, accuracy=1e-3)
sim.add(ss.systems.JointPD(model, joints, kp=20, kd=0.5, target=start, effort_limit=2.5))
sim.advance_to(2.0)
before = sim.q.copy()
sim.advance_to(3.0)

moved = np.abs(model.difference(sim.q, before)).max()
carried = -sim.body("floor").contact_force[2]
print(f"base at {sim.q[2]:.4f} m; {sim.report.steps} steps; in the last second it moved by {moved:.1e}")
print(f"the floor carries {carried:.4f} N; the robot weighs {9.81 * model.total_mass:.4f} N")
assert sim.q[2] > 0.2 and moved < 1e-4
assert np.isclose(carried, 9.81 * model.total_mass, rtol=1e-3)
