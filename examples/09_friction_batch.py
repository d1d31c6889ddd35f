"""A batch: how far a block slides for eight friction coefficients, side by side in threads, against v^2/(2 mu g)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import stickslip as ss

SPEED = 2.0  # m/s


def distance(mu: float) -> float:
    scene = ss.Scene()
    surface = scene.material("surface", friction=mu)
    block = {"box": {"size": [0.2, 0.2, 0.05]}, "material": surface}
    scene.body("block", density=500, pose={"position": [0, 0, 0.025]}, velocity={"linear": [SPEED, 0, 0]}, geometry=[block])
    scene.body("floor", fixed=True, geometry=[{"half_space": {}, "material": surface}])
    return float(ss.simulate(scene.compile(), until=5.0).q[-1, 0])


coefficients = np.linspace(0.1, 0.8, 8)
with ThreadPoolExecutor() as threads:  # simulations release Python's lock
    measured = np.array(list(threads.map(distance, coefficients)))
expected = SPEED**2 / (2 * coefficients * 9.81)

print("  mu    slid [m]   closed form [m]")
for row in zip(coefficients, measured, expected, strict=True):
    print("{:4.1f}   {:9.5f}   {:15.5f}".format(*row))
assert np.allclose(measured, expected, rtol=0.01)
