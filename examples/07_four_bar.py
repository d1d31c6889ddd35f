"""A closed linkage: a turning crank makes a rocker swing through a coupler, by the angle that the lengths of the bars give."""

import numpy as np

import stickslip as ss

GROUND, CRANK, COUPLER, ROCKER = 0.5, 0.15, 0.45, 0.35  # m


def bar(name: str, length: float) -> str:
    shape = f"{{box: {{size: [{length}, 0.02, 0.02]}}, pose: {{position: [{length / 2}, 0, 0]}}, collides: false}}"
    return f"{{name: {name}, mass: 1, geometry: [{shape}]}}"


# The start: the crank points along x, and the other two bars meet above.
gap = GROUND - CRANK
coupler = np.arccos((gap**2 + COUPLER**2 - ROCKER**2) / (2 * gap * COUPLER))
rocker = np.pi - np.arccos((gap**2 + ROCKER**2 - COUPLER**2) / (2 * gap * ROCKER))
model = ss.from_string(f"""
gravity: [0, 0, 0]
bodies: [{bar("crank", CRANK)}, {bar("coupler", COUPLER)}, {bar("rocker", ROCKER)}]
joints:
  - {{name: drive, type: continuous, child: crank, motion: {{velocity: 6.283185307179586}}}}
  - {{name: pin, type: revolute, parent: crank, child: coupler, pose: {{position: [{CRANK}, 0, 0]}}, position: {coupler}}}
  - {{name: swing, type: revolute, child: rocker, pose: {{position: [{GROUND}, 0, 0]}}, position: {rocker}}}
constraints:
  - {{type: ball, body_a: coupler, pose_a: {{position: [{COUPLER}, 0, 0]}}, body_b: rocker, pose_b: {{position: [{ROCKER}, 0, 0]}}}}
""")
# Samples between steps lie on cubics: of steps of 60 ms, which are accurate where they end, those are off by 2 mrad.
run = ss.simulate(model, until=3.0, accuracy=1e-4, max_step=0.02, sample_rate=1000)

# The rocker turns back where crank and coupler are in line.
reach = np.array([COUPLER + CRANK, COUPLER - CRANK])
ends = np.pi - np.arccos((GROUND**2 + ROCKER**2 - reach**2) / (2 * GROUND * ROCKER))
swing = run.q[run.t > 1, model.joint("swing").q_start]
print(f"the rocker swings from {swing.min():.5f} to {swing.max():.5f} rad; by the cosine rule {ends[0]:.5f} to {ends[1]:.5f} rad")
assert np.allclose([swing.min(), swing.max()], ends, atol=1e-3)
