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
    for words in ("2", "0.2 0.2 0.4", "revolute hinge", "-1 .. 1.5 rad", "2 rad/s", "box"):
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
    assert "(principal moments 0.1, 0.1, 0.5); taken are 0.2, 0.2, 0.4 kg m^2" in said and "[repaired-inertia]" in said
    assert "[zero-limit]" in said and "[ignored-element]" not in said
    assert {path: path.stat().st_mtime_ns for path in robot.parent.iterdir()} == before
    assert "to simulate it, nothing need be assumed" in run("check", ROOT / "examples" / "arm.urdf", "--repair").stdout


def test_strict_ends_with_1_if_there_is_a_warning(robot: Path) -> None:
    assert run("check", robot, "--strict").returncode == 1
    assert run("check", robot).returncode == 0
    assert run("check", ROOT / "examples" / "arm.urdf", "--strict").returncode == 0


# A missing mesh that is only seen never blocks, one that collides does with --strict; by format, with MESH for its path.
SEEN_AND_HIT = {
    "robot.urdf": (
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="MESH"/></geometry></visual></link></robot>',
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="MESH"/></geometry></collision></link></robot>',
    ),
    "robot.sdf": tuple(
        f'<sdf version="1.9"><model name="m"><link name="a"><inertial/><{kind} name="k"><geometry><mesh><uri>MESH</uri></mesh></geometry></{kind}></link></model></sdf>'
        for kind in ("visual", "collision")
    ),
    "robot.xml": tuple(
        f'<mujoco><asset><mesh name="m" file="MESH"/></asset><worldbody><geom type="mesh" mesh="m" {more}/></worldbody></mujoco>'
        for more in ('contype="0" conaffinity="0"', "")
    ),
}


@pytest.mark.parametrize("name", SEEN_AND_HIT)
def test_a_missing_mesh_blocks_with_strict_alone_and_only_if_it_collides(tmp_path: Path, name: str) -> None:
    for text, code, strict in zip(SEEN_AND_HIT[name], ("missing-visual", "missing-mesh"), (0, 1), strict=True):
        file = tmp_path / name
        file.write_text(text.replace("MESH", "nowhere.stl"))
        said = run("check", file)
        assert said.returncode == 0 and f"[{code}]" in said.stdout
        assert run("check", file, "--strict").returncode == strict


def test_a_scene_may_lack_what_is_only_seen_but_not_what_collides_or_weighs(tmp_path: Path) -> None:
    def check(body: str, *more: str) -> int:
        file = tmp_path / "scene.yaml"
        file.write_text(f"bodies: [{{name: a, {body}}}]")
        return run("check", file, *more).returncode

    seen = "geometry: [{mesh: {file: nowhere.obj}, collides: false}]"
    assert check(f"fixed: true, {seen}", "--strict") == 0
    assert check(f"mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}, {seen}", "--strict") == 0
    assert check(f"mass: 1, {seen}") == 2  # its inertia was to come from there
    assert check("fixed: true, geometry: [{mesh: {file: nowhere.obj}}]") == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scene.yaml", "bodies: [{name: rod, mass: 2, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.5}}]"),
        ("model.xml", '<mujoco><worldbody><body name="rod"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.5"/></body></worldbody></mujoco>'),
    ],
)
def test_repair_says_what_an_inertia_would_be_that_is_refused_otherwise(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    refused = run("check", file)
    assert refused.returncode == 2 and "0.2" in refused.stderr
    repaired = run("check", file, "--repair")
    assert repaired.returncode == 0 and "taken are 0.2, 0.2, 0.4 kg m^2" in repaired.stdout


def test_json_has_all_that_the_text_has(robot: Path) -> None:
    model = json.loads(run("check", robot, "--json", "--repair").stdout)
    rod, hinge = model["bodies"][1], model["joints"][0]
    assert rod["mass"] == 2 and rod["moments"] == pytest.approx([0.2, 0.2, 0.4]) and rod["line"] == 3
    assert rod["geometry"] == [{"name": "", "shape": "box", "material": "", "collides": True, "visible": True}]
    assert (hinge["lower"], hinge["upper"], hinge["velocity_limit"], hinge["effort_limit"]) == (-1, 1.5, 2, None)
    assert {w["code"]: w["change"] for w in model["warnings"]} == {"repaired-inertia": "repaired", "zero-limit": "assumed", "ignored-element": "left out"}
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


SENSORS = {
    "arm.xml": """<mujoco><worldbody><body><joint name="hinge"/><geom size="1"/><site name="tip"/></body></worldbody>
<sensor><touch name="at_the_tip" site="tip"/><jointpos joint="hinge"/><framepos objtype="site" objname="tip"/><clock/></sensor></mujoco>""",
    "arm.urdf": """<robot name="arm"><link name="base"/>
<gazebo reference="base"><sensor name="inertial unit" type="imu"/></gazebo>
<sensor name="eye" type="camera"><parent link="base"/></sensor></robot>""",
    "arm.sdf": """<sdf version="1.9"><model name="arm"><link name="base">
<sensor name="inertial unit" type="imu"/></link><link name="hand"/><joint name="wrist" type="fixed"><parent>base</parent><child>hand</child>
<sensor name="pull" type="force_torque"/></joint></model></sdf>""",
}
LISTED = {  # name, type, object, line
    "arm.xml": [("at_the_tip", "touch", "site", "tip", 2), ("", "jointpos", "joint", "hinge", 2), ("", "framepos", "site", "tip", 2), ("", "clock", "", "", 2)],
    "arm.urdf": [("inertial unit", "imu", "link", "base", 2), ("eye", "camera", "link", "base", 3)],
    "arm.sdf": [("inertial unit", "imu", "link", "base", 2), ("pull", "force_torque", "joint", "wrist", 3)],
}


@pytest.mark.parametrize("name", SENSORS)
def test_sensors_are_listed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SENSORS[name])
    listed = json.loads(run("check", tmp_path / name, "--json").stdout)["sensors"]
    assert [(s["name"], s["type"], s["object_type"], s["object"], s["line"]) for s in listed] == LISTED[name]
    said = run("check", tmp_path / name).stdout
    lines = said.split(f"\nsensors, which nothing here reads ({len(listed)}):\n")[1].splitlines()
    for line, sensor in zip(lines, LISTED[name], strict=False):
        assert line.split() == " ".join(sensor[:-1]).split()


def test_sensors_of_an_included_model_have_its_prefix(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text(SENSORS["arm.xml"])
    (tmp_path / "scene.yaml").write_text("include: [{file: arm.xml, prefix: left_}]\n")
    listed = json.loads(run("check", tmp_path / "scene.yaml", "--json").stdout)["sensors"]
    assert [s["name"] for s in listed] == ["left_at_the_tip", "", "", ""]
    assert [s["object"] for s in listed] == ["left_tip", "left_hinge", "left_tip", ""]


def test_a_file_elsewhere_is_read_only_if_its_folder_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a" / "meshes").mkdir(parents=True)
    (tmp_path / "a" / "meshes" / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    deep = tmp_path / "b" / "1" / "2" / "3" / "4" / "5"
    deep.mkdir(parents=True)
    scene = deep / "scene.yaml"
    scene.write_text("bodies: [{name: a, fixed: true, geometry: [{mesh: {file: ../../../../../../a/meshes/part.obj}}]}]\n")
    assert "[outside-folder]" in run("check", scene).stderr
    assert run("check", scene, "--package-path", tmp_path / "a").returncode == 0
