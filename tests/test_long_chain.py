"""A chain of 3000 links loads from every format and steps in time and memory linear in its length."""

from __future__ import annotations

import pytest

import stickslip as ss

LINKS = 3000


def mjcf() -> str:
    link = "<body pos='0 0 -0.1'><joint axis='0 1 0'/><inertial pos='0 0 -0.05' mass='1' diaginertia='0.01 0.01 0.01'/>"
    return "<mujoco><worldbody>" + link * LINKS + "</body>" * LINKS + "</worldbody></mujoco>"


def urdf() -> str:
    inertial = (
        "<inertial><origin xyz='0 0 -0.05'/><mass value='1'/>"
        "<inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>"
    )
    links = "".join(f"<link name='l{i}'>{inertial}</link>" for i in range(LINKS + 1))
    joints = "".join(
        f"<joint name='j{i}' type='continuous'><parent link='l{i}'/><child link='l{i + 1}'/>"
        f"<origin xyz='0 0 -0.1'/><axis xyz='0 1 0'/></joint>"
        for i in range(LINKS)
    )
    return f"<robot name='chain'>{links}{joints}</robot>"


def yaml() -> str:
    bodies = "".join(
        f"  - {{name: l{i}, mass: 1, center: [0, 0, -0.05], inertia: {{ixx: 0.01, iyy: 0.01, izz: 0.01}}}}\n"
        for i in range(1, LINKS + 1)
    )
    joints = "".join(
        f"  - {{name: j{i}, type: revolute, parent: {f'l{i}' if i else 'world'}, child: l{i + 1},"
        f" axis: [0, 1, 0], pose: {{position: [0, 0, -0.1]}}}}\n"
        for i in range(LINKS)
    )
    return f"bodies:\n{bodies}joints:\n{joints}"


@pytest.mark.parametrize("text, file_format", [(mjcf(), "mjcf"), (urdf(), "urdf"), (yaml(), "yaml")])
def test_a_chain_of_3000_links_loads_and_steps(text: str, file_format: str) -> None:
    model = ss.from_string(text, format=file_format)
    assert model.nv == LINKS
    sim = ss.Simulator(model, method="semi-implicit-euler", time_step=1e-3)  # the convex methods have one dense block a tree
    sim.q[:] = 1e-3
    start = sim.kinetic_energy + sim.potential_energy
    sim.advance_to(0.02)
    # First-order method, nearly at rest: the drift is far below the 2 MJ of potential energy.
    assert abs(sim.kinetic_energy + sim.potential_energy - start) < 1e-5 * abs(start)
