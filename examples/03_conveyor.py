"""A conveyor: a crate put on a running belt slips until it is as fast as the belt, then rides along."""

from pathlib import Path

import stickslip as ss

BELT_SPEED, FRICTION, TOP = 0.5, 0.4, 0.04  # m/s, 1, m: as in the scene

sim = ss.Simulator(ss.load(Path(__file__).with_name("conveyor.yaml")))
sim.q[2] = TOP + 0.1  # put down gently; the scene lets it fall
start = sim.q[0]
sim.advance_to(2.0)

slipped = BELT_SPEED * sim.time - (sim.q[0] - start)  # how much farther the belt went
expected = BELT_SPEED**2 / (2 * FRICTION * 9.81)  # friction accelerates the crate by mu g
print(f"the belt slipped by {1e3 * slipped:.3f} mm under the crate; v^2/(2 mu g) is {1e3 * expected:.3f} mm")
print(f"at the end the crate runs at {sim.v[0]:.9f} m/s")
assert abs(slipped - expected) < 0.02 * expected
assert abs(sim.v[0] - BELT_SPEED) < 1e-6
