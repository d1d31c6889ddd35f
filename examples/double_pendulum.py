"""A double pendulum: load, simulate, check the energy, draw the tip's path.

.venv/bin/python examples/double_pendulum.py [picture.png]     (drawing needs matplotlib)
"""

import sys
from pathlib import Path

import numpy as np

import stickslip as ss

model = ss.load(Path(__file__).with_name("double_pendulum.yaml"))
run = ss.simulate(model, until=10, method="rk4", time_step=1e-3, sample_rate=200)
print(run.report)

tip = np.array([0, 0, -1.0, 1.0])  # in the lower rod's frame
lower = model.body_names[-1]
path = np.array([(model.pose(q, lower) @ tip)[:3] for q in run.q])

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 6))
    axes.scatter(path[:, 0], path[:, 2], c=run.t, s=2, cmap="viridis")
    elbow = model.pose(run.q[-1], lower)[:3, 3]
    axes.plot([0, elbow[0], path[-1, 0]], [0, elbow[2], path[-1, 2]], "o-", color="black", linewidth=2)
    axes.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="Double pendulum, 10 s, rk4: path of the tip")
    figure.savefig(sys.argv[1], dpi=110, bbox_inches="tight")
