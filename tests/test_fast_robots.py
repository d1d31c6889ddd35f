"""Robots at high speed: contacts between their links are looked for by how the links move against each other."""

from __future__ import annotations

import numpy as np
import pytest

import stickslip as ss

LEG = """
<body pos="{x} {y} 0">
  <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.03"/>
  <body pos="0 0 -0.2">
    <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.05 0 -0.2" size="0.025"/>
    <body pos="0.05 0 -0.2"><joint axis="1 0 0"/><geom type="box" size="0.05 0.03 0.01" pos="0.02 0 0"/></body>
  </body>
</body>"""
LEGS = "".join(LEG.format(x=x, y=y) for x in (-0.08, 0.08) for y in (-0.08, 0.08))
ROBOT = f"""
<mujoco>
  <default><joint damping="0.2" armature="0.01"/></default>
  <worldbody>
    {{floor}}
    <body pos="0 0 0.6"><freejoint/><geom type="box" size="0.15 0.1 0.04"/>{LEGS}</body>
  </worldbody>
</mujoco>"""


def robot(floor: str = '<geom type="plane" size="0 0 1"/>') -> ss.Model:
    return ss.from_string(ROBOT.format(floor=floor), format="mjcf")


def thrown(model: ss.Model, velocity: list[float], **options: float) -> ss.Simulator:
    sim = ss.Simulator(model, **options)  # type: ignore[arg-type]
    sim.v[:3] = velocity
    return sim


def listed(sim: ss.Simulator) -> set[tuple[int, int]]:
    return {(int(a), int(b)) for a, b in zip(sim.contacts["body_a"], sim.contacts["body_b"], strict=True)}


@pytest.mark.parametrize("options", [{"time_step": 2e-3}, {"accuracy": 1e-3}], ids=str)
@pytest.mark.parametrize("velocity", [[20.0, 0, 0], [0, 0, 20.0], [15.0, -10.0, 5.0]], ids=str)
def test_speed_alone_makes_no_candidates(options: dict[str, float], velocity: list[float]) -> None:
    """A robot that flies lists what it lists at rest, and takes the same way but for its flight."""
    model = robot(floor="")
    rest, fast = thrown(model, [0.0, 0, 0], **options), thrown(model, velocity, **options)
    for time in np.arange(1, 11) * 0.01:
        rest.advance_to(time)
        fast.advance_to(time)
        assert listed(fast) <= listed(rest)
    # Nothing acts on either but gravity: the same joint angles, to the round-off of positions of 2 m.
    assert np.allclose(fast.q[7:], rest.q[7:], rtol=0, atol=1e-9)


def test_nothing_overlaps_that_the_step_did_not_list() -> None:
    """Robots are thrown at the ground, tumbling and with their legs in motion, and fold as they land."""
    model = robot()
    steps = overlapping = 0
    for seed in range(12):
        random = np.random.default_rng(seed)
        velocity = random.standard_normal(3)
        velocity *= 20 / np.linalg.norm(velocity)
        velocity[2] = -abs(velocity[2])
        sim = thrown(model, list(velocity), time_step=2e-3)
        sim.v[3:6] = random.uniform(-10, 10, 3)
        sim.v[6:] = random.uniform(-10, 10, model.nv - 6)
        for _ in range(60):
            sim.step()
            steps += 1
            candidates = listed(sim)
            for first, second, _ in sim.overlaps():
                a, b = sorted((model.body_names.index(first), model.body_names.index(second)))
                overlapping += 1
                assert (a, b) in candidates, (seed, sim.time, first, second)
    assert steps == 720 and overlapping > 100
