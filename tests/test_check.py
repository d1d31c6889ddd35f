"""stickslip check: the model as a tree, and every warning under what became of what it is about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import ROOT, run

ROBOT = """<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.5"/></inertial>
    <collision><geometry><box size="0.1 0.1 1"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1.5" effort="0" velocity="2"/>
  </joint>
  <transmission name="t"/>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    (tmp_path / "arm.urdf").write_text(ROBOT)
    return tmp_path / "arm.urdf"


def test_the_tree_has_masses_moments_limits_and_shapes(robot: Path) -> None:
    lines = run("check", robot).stdout.splitlines()
    base = next(line for line in lines if line.strip().startswith("base"))
    rod = next(line for line in lines if line.strip().startswith("rod"))
    assert len(rod) - len(rod.lstrip()) > len(base) - len(base.lstrip())  # a child stands further in
    for words in ("2", "0.1 0.1 0.5", "revolute hinge", "-1 .. 1.5 rad", "2 rad/s", "box"):
        assert words in rod, words


def test_warnings_stand_under_what_became_of_it_with_their_place(robot: Path) -> None:
    said = run("check", robot).stdout
    assumed, left_out = said.index("\nassumed:\n"), said.index("\nleft out:\n")
    column = ROBOT.splitlines()[8].index('effort="0"') + len('effort="') + 1
    assert assumed < said.index(f"arm.urdf:9:{column}: effort limit of joint 'hinge' is 0; taken as none [zero-limit]") < left_out
    assert said.index("<transmission> in <robot> is left out [ignored-element]") > left_out


def test_repair_says_what_would_be_assumed_and_writes_nothing(robot: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in robot.parent.iterdir()}
    said = run("check", robot, "--repair").stdout.split("\nto simulate it:\n")[1]
    # The excess of 0.5 over 0.1 + 0.1 is shared by the three moments.
    assert "arm.urdf:3:3: principal moments of body 'rod' would be 0.2 0.2 0.4, not 0.1 0.1 0.5" in said
    assert "[zero-limit]" in said and "[ignored-element]" not in said
    assert {path: path.stat().st_mtime_ns for path in robot.parent.iterdir()} == before
    assert "to simulate it, nothing need be assumed" in run("check", ROOT / "examples" / "arm.urdf", "--repair").stdout


def test_strict_ends_with_1_if_there_is_a_warning(robot: Path) -> None:
    assert run("check", robot, "--strict").returncode == 1
    assert run("check", robot).returncode == 0
    assert run("check", ROOT / "examples" / "arm.urdf", "--strict").returncode == 0


def test_json_has_all_that_the_text_has(robot: Path) -> None:
    model = json.loads(run("check", robot, "--json", "--repair").stdout)
    rod, hinge = model["bodies"][1], model["joints"][0]
    assert rod["mass"] == 2 and rod["moments"] == pytest.approx([0.1, 0.1, 0.5]) and rod["line"] == 3
    assert rod["geometry"] == [{"name": "", "shape": "box", "material": "", "collides": True, "visible": True}]
    assert (hinge["lower"], hinge["upper"], hinge["velocity_limit"], hinge["effort_limit"]) == (-1, 1.5, 2, None)
    assert {w["code"]: w["change"] for w in model["warnings"]} == {"unphysical-inertia": "noted", "zero-limit": "assumed", "ignored-element": "left out"}
    assert {a["code"] for a in model["assumptions"]} == {"repaired-inertia", "zero-limit"}
    assert "assumptions" not in json.loads(run("check", robot, "--json").stdout)


def test_names_that_are_not_utf_8_do_not_break_json(tmp_path: Path) -> None:
    (tmp_path / "odd.urdf").write_bytes(b'<robot name="r"><link name="\xff\xfe"/></robot>')
    done = run("check", tmp_path / "odd.urdf", "--json")
    assert done.returncode == 0 and len(json.loads(done.stdout)["bodies"]) == 1


def test_what_only_a_simulation_would_refuse_is_told(tmp_path: Path) -> None:
    scene = tmp_path / "scene.yaml"
    scene.write_text("bodies: []\nsimulation: {method: cynic}\n")
    done = run("check", scene)
    assert done.returncode == 2 and "cynic" in done.stderr and "[bad-simulation]" in done.stderr


def test_materials_are_listed(tmp_path: Path) -> None:
    scene = tmp_path / "scene.yaml"
    scene.write_text("materials: {rubber: {stiffness: 1.0e5, friction: {static: 1.0, dynamic: 0.8}}}\nbodies: [{name: floor, fixed: true, geometry: [{half_space: {}, material: rubber}]}]\n")
    said = run("check", scene).stdout
    assert "half_space (rubber)" in said
    assert any(line.split()[:2] == ["rubber", "1e+05"] and "1 / 0.8" in line for line in said.splitlines())


def test_a_file_elsewhere_is_read_only_if_its_folder_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a" / "meshes").mkdir(parents=True)
    (tmp_path / "a" / "meshes" / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    deep = tmp_path / "b" / "1" / "2" / "3" / "4" / "5"
    deep.mkdir(parents=True)
    scene = deep / "scene.yaml"
    scene.write_text("bodies: [{name: a, fixed: true, geometry: [{mesh: {file: ../../../../../../a/meshes/part.obj}}]}]\n")
    assert "[outside-folder]" in run("check", scene).stderr
    assert run("check", scene, "--package-path", tmp_path / "a").returncode == 0
