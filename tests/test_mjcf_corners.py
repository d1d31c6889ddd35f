"""Corners of MJCF: the same start, masses, inertias, poses and mass matrices as in MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import stickslip as ss
from oracles import mujoco_oracle

TOLERANCE = 1e-10  # relative: round-off of a few hundred operations, with room

MODELS = {
    "classes inherit, and childclass yields to class": """
<default><geom density="100" size=".1"/><default class="a"><geom size=".2"/><joint axis="1 0 0" armature=".3"/><default class="b">
    <geom density="50" type="box" size=".1 .2 .3"/></default></default></default>
<worldbody>
  <body childclass="b"><joint/><geom/><geom class="main" pos="1 0 0"/><body childclass="a"><joint/><geom/><geom class="b" pos="0 1 0"/></body></body>
</worldbody>
""",
    "default joint type slide and range": """
<default><joint type="slide" range="-1 1"/><default class="h"><joint type="hinge" range="-90 90"/></default></default>
<worldbody>
  <body><joint/><geom size=".1"/><body><joint class="h"/><geom size=".1"/></body></body>
</worldbody>
""",
    "main is given more after a class within it": """
<default><default class="x"><geom size=".2"/></default><geom size=".1" mass="2"/></default>
<worldbody>
  <body><freejoint/><geom class="x"/><geom/></body>
</worldbody>
""",
    "sections of defaults add up": """
<default><geom size=".2"/></default>
<default><geom mass="3"/></default>
<worldbody>
  <body><freejoint/><geom/></body>
</worldbody>
""",
    "frame with childclass and nested": """
<default><default class="x"><geom size=".2" mass="3"/></default></default>
<worldbody>
  <frame pos="1 0 0" euler="0 0 30" childclass="x"><body pos="1 0 0"><joint/><frame euler="30 0 0" pos="0 0 1"><geom pos=".1 0 0"/>
    <joint pos=".1 .2 .3" axis="0 1 0"/></frame><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></frame>
</worldbody>
""",
    "replicate nested": """
<worldbody>
  <replicate count="3" offset="1 0 0" euler="0 0 30" sep="_"><replicate count="2" offset="0 1 0"><body name="b"><joint name="j"/>
    <geom size=".1" name="g" pos=".1 .2 .3"/></body></replicate></replicate>
</worldbody>
<actuator><motor joint="j"/></actuator>
""",
    "replicas turn by more than half a turn": """
<worldbody>
  <frame euler="0 0 180"><replicate count="5" euler="0 0 45"><body pos="0 -1 0"><freejoint/><geom size=".1"/></body></replicate></frame>
</worldbody>
""",
    "balls limited by their class, with a range or none": """
<default><joint limited="true"/></default>
<worldbody>
  <body><joint type="ball"/><geom size=".1" pos=".2 0 0"/><body pos=".2 0 0"><joint type="ball" range="0 30"/><geom size=".1" pos=".2 0 0"/></body></body>
</worldbody>
""",
    "mesh fits": """
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3"/></asset>
<worldbody>
  <body><freejoint/><geom type="box" mesh="m"/></body>
  <body><freejoint/><geom type="capsule" mesh="m"/></body>
  <body><freejoint/><geom type="sphere" mesh="m" fitscale="2"/></body>
  <body><freejoint/><geom type="ellipsoid" mesh="m"/></body>
  <body><freejoint/><geom type="cylinder" mesh="m"/></body>
</worldbody>
""",
    "mesh fits aabb": """
<compiler fitaabb="true"/>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3"/></asset>
<worldbody>
  <body><freejoint/><geom type="box" mesh="m"/></body>
  <body><freejoint/><geom type="capsule" mesh="m"/></body>
  <body><freejoint/><geom type="sphere" mesh="m" fitscale="2"/></body>
  <body><freejoint/><geom type="ellipsoid" mesh="m"/></body>
  <body><freejoint/><geom type="cylinder" mesh="m"/></body>
</worldbody>
""",
    "hfield": """
<asset><hfield name="h" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 1 2 3 4 5 6 7 8"/></asset>
<worldbody>
  <geom type="hfield" hfield="h"/><body><freejoint/><geom size=".1"/></body>
</worldbody>
""",
    "inertia from geoms rules": """
<compiler inertiafromgeom="true" inertiagrouprange="1 2"/>
<worldbody>
  <body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size=".1" group="1"/><geom size=".1" group="3" pos="1 0 0"/></body>
</worldbody>
""",
    "bounds": """
<compiler boundmass="2" boundinertia=".5" balanceinertia="true"/>
<worldbody>
  <body><freejoint/><geom size=".01"/></body>
  <body><freejoint/><inertial pos="0 0 0" mass="3" diaginertia="1 1 5"/></body>
</worldbody>
""",
    "euler seq": """
<compiler eulerseq="ZYx"/>
<worldbody>
  <body euler="10 20 30"><joint/><geom type="box" size=".1 .2 .3" euler="40 50 60"/></body>
</worldbody>
""",
    "axisangle xyaxes zaxis": """
<worldbody>
  <body axisangle="1 2 3 40"><joint/><geom type="box" size=".1 .2 .3" xyaxes="1 1 0 0 1 1"/><body zaxis="1 2 3"><joint/>
    <geom type="box" size=".1 .2 .3" zaxis="0 0 -1"/></body></body>
</worldbody>
""",
    "fullinertia": """
<worldbody>
  <body><freejoint/><inertial pos=".1 .2 .3" mass="2" fullinertia="1 2 2.5 .1 .2 .3"/></body>
</worldbody>
""",
    "shellinertia": """
<worldbody>
  <body><freejoint/><geom type="box" size=".1 .2 .3" shellinertia="true"/></body>
  <body><freejoint/><geom type="capsule" size=".1 .2" shellinertia="true"/></body>
</worldbody>
""",
    "mesh inertia modes": """
<asset><mesh name="legacy" inertia="legacy" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3"/>
    <mesh name="convex" inertia="convex" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3"/>
    <mesh name="exact" inertia="exact" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3"/>
    <mesh name="shell" inertia="shell" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3"/></asset>
<worldbody>
  <body><freejoint/><geom type="mesh" mesh="legacy"/></body>
  <body><freejoint/><geom type="mesh" mesh="convex"/></body>
  <body><freejoint/><geom type="mesh" mesh="exact"/></body>
  <body><freejoint/><geom type="mesh" mesh="shell"/></body>
</worldbody>
""",
    "mocap, gravcomp and a body without joint": """
<worldbody>
  <body mocap="true" pos="1 2 3"><geom size=".1"/></body>
  <body gravcomp="1"><freejoint/><geom size=".1"/><body pos="0 0 1"><geom size=".1"/></body></body>
</worldbody>
""",
    "several joints on a body, with references": """
<worldbody>
  <body><joint type="slide" axis="1 0 0" ref=".2"/><joint type="hinge" axis="0 1 0" pos="0 0 .1" ref="30"/><joint type="ball" pos=".1 0 0"/>
    <geom size=".1" pos=".2 0 0"/></body>
</worldbody>
""",
    "geom fromto defaults": """
<default><geom type="capsule" size=".1"/></default>
<worldbody>
  <body><freejoint/><geom fromto="0 0 0 1 1 1"/><geom type="box" fromto="0 0 0 0 1 1"/></body>
</worldbody>
""",
    "discardvisual": """
<compiler discardvisual="true"/>
<worldbody>
  <body name="a"><joint/><geom size=".1" contype="0" conaffinity="0"/><geom size=".2"/></body>
</worldbody>
""",
    "springdamper": """
<worldbody>
  <body><joint springdamper=".1 1"/><geom size=".1" pos="1 0 0"/></body>
</worldbody>
""",
    "the outermost class may be called main": """
<default class="main"><geom size=".3"/></default>
<worldbody>
  <body><joint/><geom class="main"/></body>
</worldbody>
""",
    "mesh scale default refquat": """
<default><mesh scale="2 1 .5"/></default>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3" refpos="1 0 0" refquat="1 1 0 0"/></asset>
<worldbody>
  <body><freejoint/><geom type="mesh" mesh="m" pos="1 1 1" euler="10 20 30"/></body>
</worldbody>
""",
}


@pytest.mark.parametrize("name", MODELS)
def test_corner_equals_mujocos(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco>{MODELS[name]}</mujoco>")
    assert max(mujoco_oracle.compare(path).values()) < TOLERANCE


def test_a_ball_limited_to_no_angle_is_held(tmp_path: Path) -> None:
    path = tmp_path / "held.xml"
    path.write_text("<mujoco><worldbody><body><joint type='ball' limited='true'/><geom size='.1' pos='.3 0 0' mass='1'/></body></worldbody></mujoco>")
    simulator = ss.Simulator(ss.load(path))
    simulator.advance_to(2.0)
    assert np.linalg.norm(simulator.q[1:]) < 0.01  # sine of half the angle; free, it swings through 0.7
    assert np.linalg.norm(simulator.v) < 1e-3


@pytest.mark.parametrize("where", ["compiler", "joint"])
def test_aligned_free_joints_are_reported(where: str) -> None:
    """MuJoCo moves the frames of such bodies to their centres; the motion is the same, the coordinates are not."""
    compiler, joint = ('alignfree="true"', "") if where == "compiler" else ("", 'align="true"')
    model = ss.from_string(
        f"<mujoco><compiler {compiler}/><worldbody><body><freejoint {joint}/><geom size='1'/></body></worldbody></mujoco>", format="mjcf"
    )
    assert [warning.code for warning in model.warnings] == ["unsupported-attribute"]
