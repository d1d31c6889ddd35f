"""Your own controller: 100 times a second it balances a pole on a cart, while air drag of your own brakes the cart."""

import numpy as np

import stickslip as ss

model = ss.from_string("""
bodies:
  - {name: cart, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
  - {name: pole, mass: 0.1, center: [0, 0, 0.5], inertia: {ixx: 0.01, iyy: 0.01, izz: 0.001}}
joints:
  - {name: rail, type: prismatic, child: cart, axis: [1, 0, 0]}
  - {name: hinge, type: revolute, parent: cart, child: pole, axis: [0, 1, 0], position: 0.2}
""")


def balance(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """A force on the cart, held until the next tick."""
    return np.array([np.dot([2, 45], q) + np.dot([4, 10], v), 0])


def drag(t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.array([-0.5 * abs(v[0]) * v[0], 0])


def power(t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The state z' of the drag: z is the work that the air has taken."""
    return np.array([0.5 * abs(v[0]) ** 3])


sim = ss.Simulator(model, accuracy=1e-4)
sim.add(ss.System(1, power, drag))  # its state comes first in sim.z
sim.add(ss.Sampled(100, balance))
for until in (0.5, 1, 2, 5, 10):
    sim.advance_to(until)
    print(f"{sim.time:4.1f} s   cart {sim.q[0]:+.4f} m   pole {sim.q[1]:+.5f} rad   lost to the air {sim.z[0]:.5f} J")
assert np.abs(sim.q).max() < 1e-3
