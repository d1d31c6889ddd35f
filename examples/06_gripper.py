"""A gripper: two fingers close on a carton and lift it; friction holds it in the hand without any creep."""

from pathlib import Path

import numpy as np

import stickslip as ss

sim = ss.Simulator(ss.load(Path(__file__).with_name("gripper.yaml")))


def in_hand() -> np.ndarray:
    """Position of the carton in the hand's frame, which does not turn."""
    return sim.body("carton").position - sim.body("hand").position


sim.advance_to(0.5)  # the fingers have closed
grasped = in_hand()
sim.advance_to(3.0)  # the hand is up
lifted = in_hand()
sim.advance_to(4.0)
slip = np.abs(in_hand() - lifted).max()

print(f"the carton is at {sim.body('carton').position[2]:.4f} m")
print(f"it moved in the hand by {1e6 * np.abs(lifted - grasped).max():.3f} um on the way up, by {1e9 * slip:.3f} nm in the last second")
assert sim.body("carton").position[2] > 0.34
assert slip < 1e-6
