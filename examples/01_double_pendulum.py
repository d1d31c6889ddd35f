"""A double pendulum: load a scene, simulate it, check its energy, draw it.

.venv/bin/python examples/01_double_pendulum.py [picture.png]
"""

import sys
from pathlib import Path

import stickslip as ss

model = ss.load(Path(__file__).with_name("double_pendulum.yaml"))
run = ss.simulate(model, until=10, method="rk4", time_step=1e-3, sample_rate=200)
print(run.report)

tip = model.pose(run.q[-1], "lower") @ [0, 0, -1, 1]  # 1 m down the lower rod, in the world
print(f"after {run.t[-1]:.0f} s the tip is at x = {tip[0]:.3f} m, z = {tip[2]:.3f} m")

energy = run.report.energy
print(f"its energy changed by {energy.end - energy.start:.1e} J")
assert abs(energy.end - energy.start) < 1e-6  # nothing brakes it

if len(sys.argv) > 1:
    run.plot(["q", "v"], path=sys.argv[1])
