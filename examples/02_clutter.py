"""Falling objects: twenty balls, boxes and cylinders drop into a bin and come to rest."""

import numpy as np

import stickslip as ss

SHAPES = [{"sphere": {"radius": 0.04}}, {"box": {"size": [0.08, 0.06, 0.05]}}, {"cylinder": {"radius": 0.03, "length": 0.08}}]
random = np.random.default_rng(1)

scene = ss.Scene("clutter")
container = [{"half_space": {}}]
for side in (0.15, -0.15):
    container.append({"box": {"size": [0.02, 0.3, 0.4]}, "pose": {"position": [side, 0, 0.2]}})
    container.append({"box": {"size": [0.3, 0.02, 0.4]}, "pose": {"position": [0, side, 0.2]}})
scene.body("bin", fixed=True, geometry=container)
for i in range(20):
    x, y = random.uniform(-0.08, 0.08, 2)
    pose = {"position": [x, y, 0.1 + 0.1 * i], "rpy": random.uniform(-3, 3, 3)}
    scene.body(f"object{i}", density=800, pose=pose, geometry=[SHAPES[i % 3]])

sim = ss.Simulator(scene.compile(), accuracy=1e-3)
sim.advance_to(4.0)

weight = 9.81 * sim.model.total_mass
carried = -sim.body("bin").contact_force[2]
print(f"{sim.report.steps} steps; fastest object at the end: {np.abs(sim.v.reshape(-1, 6)[:, :3]).max():.1e} m/s")
print(f"deepest overlap: {1e3 * sim.report.max_penetration:.3f} mm; the bin carries {carried:.3f} N of {weight:.3f} N")
assert np.isclose(carried, weight, rtol=1e-3)
