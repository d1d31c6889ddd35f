"""What a user writes, strictly typed: run against the installed package, and read by mypy, in .ci/run."""

import numpy as np

import stickslip as ss

SCENE = """
bodies:
  - {name: ball, density: 1000, pose: {position: [0, 0, 0.5]}, geometry: [{sphere: {radius: 0.05}}]}
"""


def fall(seconds: float) -> float:
    """The height that the ball has lost."""
    model = ss.from_string(SCENE, format="yaml")
    sim = ss.Simulator(model, method="rk4", time_step=1e-3)
    start = float(sim.q[2])
    sim.advance_to(seconds)
    return start - float(sim.q[2])


if __name__ == "__main__":
    # The fourth-order method is exact on a parabola, so only round-off remains.
    assert np.isclose(fall(0.2), 0.5 * 9.81 * 0.2**2, rtol=1e-9)
    print(f"stickslip {ss.__version__} falls as Galilei says")
