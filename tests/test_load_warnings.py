"""What a file asks for and does not get is said when it is loaded, not first in a report."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

import stickslip as ss
from command_line import run

TOLERANCE = 1e-12  # relative: round-off of tens of operations

YAML = """
bodies: [{name: arm, mass: 1, center: [0, 0, -1]}]
joints: [{name: hinge, type: %s, child: arm, %s}]
%s
"""
MJCF = '<mujoco><worldbody><body name="arm"><joint name="hinge" %s/><geom size=".1"/></body></worldbody>%s</mujoco>'
URDF = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><limit lower="%s" upper="%s" effort="1" velocity="1"/></joint></robot>"""
SDF = """<sdf version="1.9"><model name="m"><static>false</static><link name="arm"/><joint name="weld" type="fixed"><parent>world</parent><child>arm</child></joint>
<link name="hand"/><joint name="hinge" type="revolute"><parent>arm</parent><child>hand</child>
<axis><xyz>0 0 1</xyz><limit><lower>%s</lower><upper>%s</upper></limit></axis></joint></model></sdf>"""

OUTSIDE = {
    "a scene file": ("yaml", YAML % ("revolute", "position: 2, limits: {lower: -1, upper: 1}", "")),
    "a scene file that does not say where it starts": ("yaml", YAML % ("prismatic", "limits: {lower: 0.5, upper: 1}", "")),
    "a ball joint": ("yaml", YAML % ("ball", "position: [0, 1, 0, 0], limits: {upper: 3}", "")),
    "the second angle of a universal joint": ("yaml", YAML % ("universal", "position: [0, 2], limits: {lower: -1, upper: 1}", "")),
    "a tendon": ("yaml", YAML % ("revolute", "position: 2", "tendons: [{name: hinge, joints: {hinge: 3}, limits: {upper: 5}}]")),
    "MJCF": ("mjcf", MJCF % ('range="10 20"', "")),
    "MJCF with ref": ("mjcf", MJCF % ('range="-20 20" ref="30"', "")),
    "a URDF": ("urdf", URDF % (0.5, 1)),
    "an SDF": ("sdf", SDF % (0.5, 1)),
}
INSIDE = {
    "at the limit": ("yaml", YAML % ("revolute", "position: 1, limits: {lower: -1, upper: 1}", "")),
    "at the limit in degrees": ("mjcf", MJCF % ('range="-20 36.6" ref="36.6"', "")),
    "prescribed": ("yaml", YAML % ("revolute", "motion: {velocity: 1}", "")),
    "a ball at its limit": ("yaml", YAML % ("ball", f"position: [{math.cos(1.5)}, {math.sin(1.5)}, 0, 0], limits: {{upper: 3}}", "")),
    "a URDF": ("urdf", URDF % (0, 1)),
    "no limits": ("yaml", YAML % ("revolute", "position: 100", "")),
}


@pytest.mark.parametrize("case", OUTSIDE)
def test_a_start_outside_the_limits_is_said_once(case: str) -> None:
    kind, text = OUTSIDE[case]
    said = [w for w in ss.from_string(text, format=kind).warnings if w.code == "start-outside-limits"]
    assert len(said) == 1 and "'hinge'" in said[0].message and said[0].line > 0


@pytest.mark.parametrize("case", INSIDE)
def test_a_start_within_the_limits_is_not(case: str) -> None:
    kind, text = INSIDE[case]
    assert "start-outside-limits" not in [w.code for w in ss.from_string(text, format=kind).warnings]


def test_an_include_that_sets_a_start_outside_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(URDF % (0, 1))
    (tmp_path / "scene.yaml").write_text("include: [{file: robot.urdf, joints: {hinge: 1.5}}]\n")
    warning = next(w for w in ss.load(tmp_path / "scene.yaml").warnings if w.code == "start-outside-limits")
    assert "1.5" in warning.message
    assert "[start-outside-limits]" in run("run", tmp_path / "scene.yaml", "--until", "0.01").stderr


PLANE = '<geom type="plane" size="1 1 1" %s/>'
MARGINS = {
    "of a geom": (PLANE % 'margin="0.01"', "", True),
    "of a class": (PLANE % 'class="far"', "", True),
    "of a pair": (PLANE % 'name="p"', '<contact><pair geom1="p" geom2="s" margin="0.01"/></contact>', True),
    "with a gap as wide": (PLANE % 'margin="0.01" gap="0.01"', "", True),  # MuJoCo 4 pushes there all the same
    "that is a gap alone": (PLANE % 'gap="0.01"', "", False),
    "of what is only seen": (PLANE % 'margin="0.01" contype="0" conaffinity="0"', "", False),
}


@pytest.mark.parametrize("case", MARGINS)
def test_a_margin_is_said_when_the_model_is_loaded(case: str) -> None:
    geom, more, says = MARGINS[case]
    text = f"""<mujoco><default><default class="far"><geom margin="0.01"/></default></default>
      <worldbody>{geom}<body pos="0 0 1"><freejoint/><geom name="s" size=".1"/></body></worldbody>{more}</mujoco>"""
    model = ss.from_string(text, format="mjcf")
    assert any("margin" in w.message for w in model.warnings) == says
    assert not ss.Simulator(model).report.warnings  # of the file, not of the method


HILLS = {
    "alone": "<geom type='hfield' hfield='h'/>",
    "with a mass": "<geom type='hfield' hfield='h' mass='3'/>",
    "with a density": "<geom type='hfield' hfield='h' density='20' pos='1 2 3' euler='10 20 30'/>",
    "of a thin shell": "<geom type='hfield' hfield='h' shellinertia='true'/>",
    "beside a sphere": "<geom type='hfield' hfield='h'/><geom size='.5' pos='0 0 1'/>",
    "that is flat": "<geom type='hfield' hfield='flat'/>",
    "of a body with inertia": "<geom type='hfield' hfield='h'/><inertial pos='0 0 1' mass='2' diaginertia='1 1 1'/>",
    "without mass": "<geom type='hfield' hfield='h' mass='0'/><geom size='.5'/>",
}


@pytest.mark.parametrize("case", HILLS)
def test_a_height_field_that_moves_weighs_as_much_as_in_mujoco(case: str) -> None:
    text = f"""<mujoco><asset><hfield name="h" nrow="2" ncol="3" size="1 2 0.7 .1" elevation="0 1 3  2 1 0"/>
      <hfield name="flat" nrow="2" ncol="2" size="1 2 0.7 .1"/></asset>
      <worldbody><body name="b"><freejoint/>{HILLS[case]}</body></worldbody></mujoco>"""
    oracle, model = mujoco.MjModel.from_xml_string(text), ss.from_string(text, format="mjcf")
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, oracle.body_iquat[1])
    R = R.reshape(3, 3)
    body = model.body("b")
    assert body.mass == pytest.approx(oracle.body_mass[1], rel=TOLERANCE)
    assert np.allclose(body.inertia, R @ np.diag(oracle.body_inertia[1]) @ R.T, rtol=1e-9, atol=1e-9 * oracle.body_inertia[1].max())
    assert not model.warnings


def test_a_stiffness_of_zero_has_the_default_and_says_so() -> None:
    surface = "<surface><contact><ode><kp>%s</kp></ode></contact></surface>"
    text = f"""<sdf version="1.9"><model name="m"><static>true</static><link name="a"><collision name="c">
      <geometry><sphere><radius>1</radius></sphere></geometry>{surface}</collision></link></model></sdf>"""
    assert [w.code for w in ss.from_string(text % "0", format="sdf").warnings] == ["zero-stiffness"]
    assert ss.from_string(text % "1e5", format="sdf").warnings == []
    assert ss.from_string(text % "1e13", format="sdf").warnings == []
    with pytest.raises(ss.ModelError, match="negative stiffness"):
        ss.from_string(text % "-5", format="sdf")
