"""A generated scene: ten bricks lean over an edge by the harmonic series. A little less stands, a little more falls."""

import numpy as np

import stickslip as ss

BRICK = np.array([0.2, 0.1, 0.05])  # m
COUNT = 10


def lean(share: float) -> ss.Scene:
    """The k-th brick from the top lies `share` of length/(2 k) further out than what it lies on."""
    scene = ss.Scene(f"lean_{share}")
    clay = scene.material("clay", stiffness=1e9, friction=0.6)  # soft bricks tilt, and fall earlier
    geometry = [{"box": {"size": BRICK}, "material": clay}]
    position = np.zeros(3)
    scene.body("edge", fixed=True, geometry=geometry)
    for k in range(COUNT, 0, -1):
        position += [share * BRICK[0] / (2 * k), 0, BRICK[2]]
        scene.body(f"brick{k}", density=1900, pose={"position": position}, geometry=geometry)
    return scene


def drop(share: float) -> float:
    """How far the top brick sinks within a second."""
    sim = ss.Simulator(lean(share).compile())
    start = sim.body("brick1").position.copy()
    sim.advance_to(1.0)
    sunk = start[2] - sim.body("brick1").position[2]
    print(f"{share:.2f} of the harmonic series reaches out {start[0] / BRICK[0]:.2f} bricks and sinks {1e3 * sunk:.2f} mm")
    return float(sunk)


assert drop(0.99) < 1e-4
assert drop(1.01) > BRICK[2]
