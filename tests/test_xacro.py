"""Xacro templates: expanded without ROS, in Python and by the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import stickslip as ss
from command_line import run

LINK = '<inertial><mass value="${%s}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
ROBOT = f"""<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="heavy" default="3"/>
  <xacro:include filename="$(find parts)/urdf/arm.xacro"/>
  <link name="base"/>
  <xacro:arm name="left" mass="$(arg heavy)"/>
  <xacro:arm name="right" mass="0.5"/>
</robot>
"""
ARM = f"""<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="arm" params="name mass">
    <link name="${{name}}">{LINK % "2 * mass"}</link>
    <joint name="${{name}}_joint" type="continuous"><parent link="base"/><child link="${{name}}"/></joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    (tmp_path / "parts-1.0" / "urdf").mkdir(parents=True)
    (tmp_path / "parts-1.0" / "package.xml").write_text("<package><name>parts</name></package>")
    (tmp_path / "parts-1.0" / "urdf" / "arm.xacro").write_text(ARM)
    path = tmp_path / "parts-1.0" / "robot.urdf.xacro"
    path.write_text(ROBOT)
    return path


def test_a_template_is_expanded_and_packages_are_found_by_their_manifest(robot: Path) -> None:
    model = ss.load(robot)
    assert model.joint_names == ["left_joint", "right_joint"]
    assert model.body("left").mass == 6
    assert model.body("right").mass == 1


def test_the_command_line_expands_templates(robot: Path) -> None:
    assert "left_joint" in run("check", robot).stdout


def test_a_template_with_a_mistake_says_what_xacro_said(robot: Path) -> None:
    robot.write_text(ROBOT.replace("xacro:arm name", "xacro:leg name"))
    with pytest.raises(ValueError, match="xacro cannot expand it"):
        ss.load(robot)


def test_without_the_package_the_message_says_how_to_install_it(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(ImportError, match=r"pip install 'stickslip\[xacro\]'"):
        ss.load(robot)
