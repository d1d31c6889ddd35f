"""stickslip convert loses nothing silently: what the other format cannot say is noted."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

import stickslip as ss
from convert_scenes import ROOT, STATIC_PARENT, convert_text, fixed_body, free_body, jointed_body

BALL = "{sphere: {radius: 1}}"
MATERIAL_BALL = "{sphere: {radius: 1}, material: m}"
SPRING = "stiffness: 10"
LOST_IN_MJCF = {
    "prescribed-motion": "bodies: [{name: a, motion: {velocity: 1}}]",
    "velocity-limit": jointed_body("type: revolute, limits: {velocity: 1}"),
    "held-joint": jointed_body("type: revolute, limits: {lower: 0, upper: 0}"),
    "screw-joint": jointed_body("type: screw, pitch: 0.1"),
    "split-joint": jointed_body("type: universal"),
    "ball-axes": jointed_body("type: ball, child_pose: {rpy: [1, 0, 0]}"),
    "start-keyframe": jointed_body("type: revolute, position: 1"),
    "actuator-length": jointed_body("type: ball", "actuators: [{name: m, type: position, kp: 1, joint: j}]"),
    "left-out-actuator": jointed_body("type: revolute, motion: {velocity: 1}", "actuators: [{name: m, type: motor, joint: j}]"),
    "left-out-constraint": jointed_body("type: revolute, motion: {velocity: 1}", "constraints: [{type: coupler, joint_a: j}]"),
    "least-mass": "bodies: [{name: a, mass: 1, center: [0, 0, 1]}]\njoints: [{name: j, type: revolute, child: a, axis: [1, 0, 0]}]",
    "simulation-options": "simulation: {method: lagged}",
    "contact-units": free_body(BALL),
    "static-friction": "materials: {m: {friction: {static: 1, dynamic: 0.5}}}\n" + free_body(MATERIAL_BALL),
    "too-stiff": "materials: {m: {stiffness: .inf}}\n" + free_body(MATERIAL_BALL),
    "contact-mixing": "materials: {m: {friction: 1}}\n" + free_body(f"{MATERIAL_BALL}, {BALL}"),
    "moving-plane": free_body("{half_space: {}}"),
    "mesh-hull": fixed_body("{mesh: {file: wedge.obj, convex: false}}"),
    "surface-velocity": fixed_body("{mesh: {file: wedge.obj}, surface_velocity: [1, 0, 0]}"),
    "flat-mesh": fixed_body("{mesh: {file: flat.obj}}"),
    "drawing-group": fixed_body("{sphere: {radius: 1}, group: 9}"),
    "renamed": free_body("{sphere: {radius: 1}, name: g}, {sphere: {radius: 1}, name: g}"),
    "constraint-stiffness": free_body("") + f"constraints: [{{type: ball, body_a: a, {SPRING}}}]",
    "inactive-spring": free_body("") + f"constraints: [{{type: distance, length: 1, body_a: a, {SPRING}, active: false}}]",
    "left-out-pair": "bodies:\n"
    "  - {name: a, mass: 1, geometry: [{sphere: {radius: 1}, name: s}]}\n"
    "  - {name: b, fixed: true, geometry: [{mesh: {file: flat.obj}, name: f}]}\n"
    "contact_pairs: [{geometry_a: s, geometry_b: f}]",
}


@pytest.mark.parametrize("code", LOST_IN_MJCF)
def test_what_mjcf_cannot_say_is_noted(code: str, tmp_path: Path) -> None:
    (tmp_path / "wedge.obj").write_text((ROOT / "examples" / "wedge.obj").read_text())
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    conversion = convert_text(LOST_IN_MJCF[code], tmp_path, "out.xml")
    assert code in conversion.codes
    assert all(note["file"].endswith("in.yaml") for note in conversion.notes)
    mujoco.MjModel.from_xml_path(str(conversion.path))


def mjcf(body: str = "", *, geom: str = "", world: str = "", mocap: bool = True, more: str = "") -> str:
    kind = 'mocap="true"' if mocap else ""
    return f'<mujoco><worldbody>{world}<body {kind}>{body}<geom size="0.1" {geom}/></body></worldbody>{more}</mujoco>'


LOST_IN_YAML = {
    "world-geometry": mjcf(world='<geom type="plane" size="1 1 1"/>'),
    "contact-units": mjcf(),
    "contact-mixing": mjcf(world='<geom size="1" friction="0.2"/>'),
    "contact-bits": mjcf(geom='contype="4294967295"'),
    "drawing-group": mjcf(geom='group="77"'),
    "free-spring": mjcf('<joint type="free" stiffness="1"/>', mocap=False),
    "named": mjcf(more="<keyframe><key/></keyframe>"),
    "keyframe-mocap": mjcf(more='<keyframe><key name="k" mpos="1 2 3"/></keyframe>'),
    "hung-on-world": STATIC_PARENT,
}


@pytest.mark.parametrize("code", LOST_IN_YAML)
def test_what_scene_files_cannot_say_is_noted(code: str, tmp_path: Path) -> None:
    conversion = convert_text(LOST_IN_YAML[code], tmp_path, "out.yaml", "in.xml")
    assert code in conversion.codes
    ss.load(conversion.path)


def test_unphysical_inertias_are_noted_in_both(tmp_path: Path) -> None:
    urdf = """<robot name="r">
      <link name="a"/>
      <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
    </robot>"""
    for out in ("out.xml", "out.yaml"):
        conversion = convert_text(urdf, tmp_path, out, "in.urdf")
        assert "repaired-inertia" in conversion.codes
        ss.load(conversion.path)
    mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
