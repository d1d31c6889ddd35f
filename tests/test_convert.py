"""stickslip convert: what comes out is the scene that went in, as MuJoCo and we ourselves see it; what is lost is noted."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import mujoco
import numpy as np
import pytest

import stickslip as ss
from oracles.convert_oracle import PROGRAM, Conversion, Coordinates, compare_models, compare_with_mujoco, convert, load_mujoco
from oracles.pinocchio_oracle import relative
from oracles.robot_files import example_robot_urdfs, label, mjcf_files
from test_schema import load as load_yaml

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "scene.schema.json").read_text()))
TEMPLATES = {"C9_quadruped"}  # whose robot its check fills in
CASES = [path for path in (ROOT / "cases").glob("*/scene.yaml") if path.parent.name not in TEMPLATES]
SCENES = sorted([*(ROOT / "examples").glob("*.yaml"), *CASES])

# Of many kinds: arms, hands, quadrupeds, humanoids, wheels; tendons, servos, equalities, meshes, height fields.
URDFS = {
    "panda.urdf": False,
    "solo12.urdf": True,
    "talos_reduced.urdf": True,
    "allegro_left_hand.urdf": False,
    "tiago.urdf": False,
    "anymal.urdf": True,
    "ur5_robot.urdf": False,
}
MJCFS = (
    "gymnasium/envs/mujoco/assets/humanoid.xml",
    "gymnasium/envs/mujoco/assets/ant.xml",
    "gymnasium/envs/mujoco/assets/half_cheetah.xml",
    "gymnasium/envs/mujoco/assets/swimmer.xml",
    "dm_control/suite/quadruped.xml",
    "dm_control/suite/finger.xml",
    "dm_control/suite/manipulator.xml",
    "dm_control/suite/ball_in_cup.xml",
    "gymnasium_robotics/envs/assets/hand/reach.xml",
    "robosuite/models/assets/robots/panda/robot.xml",
)

# Relative: MuJoCo finds principal axes of inertia to 1e-12 or so, then some hundred operations. Far below what any lost term
# would leave.
MUJOCO_TOLERANCE = 1e-8
# Relative: rotations are written to 15 decimals, then some hundred operations.
YAML_TOLERANCE = 1e-12


def scene_name(path: Path) -> str:
    return path.parent.name if path.stem == "scene" else path.stem


def robots() -> list[tuple[Path, bool]]:
    urdfs = {path.name: path for path in reversed(example_robot_urdfs())}
    files = {label(path): path for path in mjcf_files()}
    return [(urdfs[name], floating) for name, floating in URDFS.items()] + [(files[name], False) for name in MJCFS]


ROBOTS = robots()
every_robot = pytest.mark.parametrize(("path", "floating"), ROBOTS, ids=[label(path) for path, _ in ROBOTS])


def convert_robot(path: Path, floating: bool, out: Path) -> tuple[ss.Model, Conversion]:
    model = ss.load(path, base="floating" if floating else "fixed")
    return model, convert(path, out, *(["--floating"] if floating else []))


def convert_text(text: str, folder: Path, out: str, source: str = "in.yaml") -> Conversion:
    (folder / source).write_text(text)
    return convert(folder / source, folder / out, "--force")


# --------------------------------------------------------------------------------------------------------------- to MJCF
def check_mjcf(model: ss.Model, conversion: Conversion) -> None:
    differences = compare_with_mujoco(model, conversion.path)
    if "prescribed-motion" in conversion.codes:
        del differences["bias force"]  # ours has the motion's accelerations in it, and MuJoCo's model stands still
    if "repaired-inertia" in conversion.codes:
        del differences["bias force"], differences["mass matrix"]
    assert max(differences.values()) < MUJOCO_TOLERANCE, differences


@pytest.mark.parametrize("path", SCENES, ids=scene_name)
def test_scenes_have_the_same_dynamics_in_mujoco(path: Path, tmp_path: Path) -> None:
    check_mjcf(ss.load(path), convert(path, tmp_path / "out.xml"))


@every_robot
def test_robots_have_the_same_dynamics_in_mujoco(path: Path, floating: bool, tmp_path: Path) -> None:
    check_mjcf(*convert_robot(path, floating, tmp_path / "out.xml"))


# Not read in the first place: a fluid, filtered actuators, a spatial tendon.
OTHER_FORCES = ("swimmer.xml", "quadruped.xml", "ball_in_cup.xml")


@pytest.mark.parametrize("path", [p for p, _ in ROBOTS if p.suffix == ".xml" and p.name not in OTHER_FORCES], ids=label)
def test_forces_of_mjcf_survive(path: Path, tmp_path: Path) -> None:
    """Springs, dampers, tendons and actuators: MuJoCo's own forces before and after, at random states and controls."""
    conversion = convert(path, tmp_path / "out.xml")
    before, after = load_mujoco(path), load_mujoco(conversion.path)
    assert (before.nq, before.nv, before.nu, before.ntendon, before.neq) == (after.nq, after.nv, after.nu, after.ntendon, after.neq)
    random = np.random.default_rng(0)
    data = [mujoco.MjData(before), mujoco.MjData(after)]
    for _ in range(3):
        q, v = Coordinates(ss.load(path), before).random_state(random)
        ctrl = random.uniform(-2, 2, before.nu)
        for model, state in zip((before, after), data, strict=True):
            state.qpos, state.qvel, state.ctrl = q, v, ctrl
            mujoco.mj_forward(model, state)
        assert relative(data[1].qfrc_passive, data[0].qfrc_passive, 1.0) < MUJOCO_TOLERANCE
        assert relative(data[1].qfrc_actuator, data[0].qfrc_actuator, 1.0) < MUJOCO_TOLERANCE


def test_contact_parameters_of_mjcf_survive(tmp_path: Path) -> None:
    """Round trip MJCF to MJCF: nothing about contact changes, so the same file is simulated as before."""
    path = next(p for p in mjcf_files() if label(p) == "gymnasium/envs/mujoco/assets/humanoid.xml")
    before, after = load_mujoco(path), load_mujoco(convert(path, tmp_path / "out.xml").path)
    geoms = ("friction", "solref", "solimp", "margin", "contype", "conaffinity", "condim", "priority", "solmix")
    for field in (*(f"geom_{name}" for name in geoms), "jnt_range", "dof_armature"):
        assert np.array_equal(getattr(before, field), getattr(after, field)), field


EVERY_JOINT = """
gravity: [1, 2, -9]
bodies:
  - {name: a, mass: 1, center: [0.1, 0, 0.2], inertia: {ixx: 1, iyy: 1.1, izz: 1.2, ixy: 0.1, ixz: -0.2, iyz: 0.05}}
  - {name: b, mass: 2, center: [0, 0.3, 0], inertia: {ixx: 1, iyy: 1, izz: 1}}
  - {name: c, mass: 0.5, inertia: {ixx: 0.1, iyy: 0.2, izz: 0.25}}
  - {name: d, mass: 0.7, inertia: {ixx: 0.1, iyy: 0.2, izz: 0.25}}
  - {name: e, mass: 0.7, inertia: {ixx: 0.1, iyy: 0.2, izz: 0.25}, gravity_scale: 0.5}
  - {name: f, mass: 0.2, inertia: {ixx: 0.1, iyy: 0.2, izz: 0.25}}
  - {name: g, mass: 0.3, inertia: {ixx: 0.1, iyy: 0.2, izz: 0.25}}
  - {name: h, mass: 0.3, inertia: {ixx: 0.1, iyy: 0.2, izz: 0.25},
      pose: {position: [3, 0, 0], rpy: [0.1, 0.2, 0.3]}, velocity: {linear: [1, 2, 3], angular: [0.3, 0.2, 0.1]}}
joints:
  - {name: j_g, type: free, parent: c, child: g, pose: {rpy: [0, 0.4, 0]},
      child_pose: {position: [0.2, 0, 0], rpy: [0.5, 0, 0]},
      position: [0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5], velocity: [1, 2, 3, 4, 5, 6]}
  - {name: j_a, type: revolute, child: a, axis: [1, 1, 0], pose: {position: [0, 0, 1], rpy: [0.1, 0.2, 0.3]},
      child_pose: {position: [0.1, 0.2, 0.3], rpy: [1, 0, 0.5]},
      position: 0.7, reference: 0.2, velocity: 0.5, damping: 0.1, armature: 0.05}
  - {name: j_b, type: planar, parent: a, child: b, axis: [0, 1, 1], pose: {position: [0, 0.5, 0]},
      child_pose: {rpy: [0, 0.5, 0]}, position: [0.1, 0.2, 0.3], velocity: [1, 2, 3]}
  - {name: j_c, type: universal, parent: b, child: c, axis: [1, 0, 0], axis2: [0, 1, 1],
      child_pose: {position: [0, 0, 0.3]}, position: [0.4, 0.5], velocity: [1, -1]}
  - {name: j_d, type: ball, parent: c, child: d, pose: {position: [0.3, 0, 0]},
      child_pose: {position: [0.3, 0, 0], rpy: [0.3, 0.2, 0.1]}, position: [0.5, 0.5, -0.5, 0.5], velocity: [1, 2, 3]}
  - {name: j_e, type: fixed, parent: d, child: e, pose: {position: [0.3, 0, 0], rpy: [0, 0, 1]}, child_pose: {position: [0, 1, 0]}}
  - {name: j_f, type: prismatic, parent: e, child: f, axis: [0, 1, 0], reference: 0.1, position: 0.4, velocity: -2,
      child_pose: {rpy: [1, 1, 1]}}
"""


def test_every_joint_moves_alike_in_mujoco(tmp_path: Path) -> None:
    """At the start, given as a keyframe: poses and velocities of all bodies, whatever frames the joints have."""
    conversion = convert_text(EVERY_JOINT, tmp_path, "out.xml")
    assert {"split-joint", "ball-axes", "start-keyframe"} <= conversion.codes
    model, oracle = ss.load(tmp_path / "in.yaml"), load_mujoco(conversion.path)
    assert (oracle.nq, oracle.nv) == (model.nq, model.nv)
    data = mujoco.MjData(oracle)
    mujoco.mj_resetDataKeyframe(oracle, data, oracle.key("start").id)
    mujoco.mj_forward(oracle, data)
    simulator = ss.Simulator(model, method="rk4")
    for name in "abcdefgh":
        body, i = simulator.body(name), oracle.body(name).id
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(oracle, data, mujoco.mjtObj.mjOBJ_XBODY, i, velocity, 0)
        assert np.allclose(body.position, data.xpos[i], atol=1e-12), name
        assert np.allclose([*velocity[3:], *velocity[:3]], body.velocity, atol=1e-11), name


def test_start_is_a_keyframe(tmp_path: Path) -> None:
    conversion = convert(ROOT / "examples" / "two_arms.yaml", tmp_path / "out.xml")
    model, oracle = ss.load(ROOT / "examples" / "two_arms.yaml"), load_mujoco(conversion.path)
    coordinates = Coordinates(model, oracle)
    key = oracle.key("start")
    assert np.array_equal(key.qpos[coordinates.q], model.q0) and np.array_equal(key.ctrl, [0.4, 0.8])


ACTUATORS = """
bodies:
  - {name: a, mass: 1, center: [0, 0, -1]}
  - {name: b, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}
  - {name: c, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}
joints:
  - {name: hinge, type: revolute, child: a, axis: [0, 1, 0]}
  - {name: slab, type: planar, child: b}
  - {name: socket, type: ball, child: c, child_pose: {rpy: [0, 0, 1.5707963267948966]}}
tendons: [{name: cable, joints: {hinge: 0.5}, stiffness: 3, rest: {lower: -0.1, upper: 0.2}, damping: 0.5}]
actuators:
  - {name: motor, joint: hinge, type: motor, gear: 50, control_limits: {lower: -1, upper: 0.5}}
  - {name: servo, joint: hinge, type: position, kp: 100, kd: 10, effort_limit: 5}
  - {name: spin, joint: hinge, type: velocity, kv: 2, force_limits: {lower: -1, upper: 3}}
  - {name: brake, joint: hinge, type: damper, kv: 0.5}
  - {name: muscle, tendon: cable, type: general, gain: [10, 1, 2], bias: [0.1, -5, -1], gear: 3}
  - {name: push, joint: slab, type: motor, gear: [2, 0, 3]}
  - {name: twist, joint: socket, type: motor, gear: [1, 2, 3]}
"""


def test_actuators_obey_the_documented_laws_in_mujoco(tmp_path: Path) -> None:
    oracle = load_mujoco(convert_text(ACTUATORS, tmp_path, "out.xml").path)
    data = mujoco.MjData(oracle)
    random = np.random.default_rng(0)
    hinge, slab, socket = oracle.joint("hinge"), oracle.joint("slab_x"), oracle.joint("socket")
    for _ in range(10):
        data.qvel, data.ctrl = random.uniform(-1, 1, oracle.nv), random.uniform(-1, 1, oracle.nu)
        q = data.qpos[hinge.qposadr[0]] = random.uniform(-1, 1)
        mujoco.mj_forward(oracle, data)
        v, u = data.qvel[hinge.dofadr[0]], data.ctrl
        l, lv = 1.5 * q, 1.5 * v  # gear times the tendon's length
        force = 50 * np.clip(u[0], -1, 0.5) + np.clip(100 * (u[1] - q) - 10 * v, -5, 5) + np.clip(2 * (u[2] - v), -1, 3)
        force += -0.5 * v * u[3] + 1.5 * ((10 + l + 2 * lv) * u[4] + 0.1 - 5 * l - lv)
        assert data.qfrc_actuator[hinge.dofadr[0]] == pytest.approx(force, rel=1e-12, abs=1e-12)
        stretch = q / 2 - np.clip(q / 2, -0.1, 0.2)
        assert data.qfrc_passive[hinge.dofadr[0]] == pytest.approx(0.5 * (-3 * stretch - 0.25 * v), rel=1e-12, abs=1e-12)
        start = slab.dofadr[0]
        assert np.allclose(data.qfrc_actuator[start : start + 3], [2 * u[5], 0, 3 * u[5]])
        # The joint's frame is turned by a quarter about z: its x axis is the body's y axis.
        start = socket.dofadr[0]
        assert np.allclose(data.qfrc_actuator[start : start + 3], u[6] * np.array([-2, 1, 3]))


CONSTRAINTS = """
bodies:
  - {name: a, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, pose: {position: [0, 0, 1]}}
  - {name: b, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, pose: {position: [1, 0, 1], rpy: [0, 0, 1.5707963267948966]}}
  - {name: c, mass: 1, center: [0, 0, -1]}
  - {name: d, mass: 1, center: [0, 0, -1]}
joints:
  - {name: j_c, type: revolute, child: c, axis: [0, 1, 0], reference: 0.1, position: 0.4, pose: {position: [5, 0, 0]}}
  - {name: j_d, type: revolute, child: d, axis: [0, 1, 0], position: 0.8, pose: {position: [6, 0, 0]}}
constraints:
  - {type: weld, body_a: a, pose_a: {position: [1, 0, 0]}, body_b: b, pose_b: {rpy: [0, 0, -1.5707963267948966]}}
  - {name: socket, type: ball, body_a: a, pose_b: {position: [0, 0, 1]}}
  - {name: rope, type: distance, body_a: b, body_b: d, length: 5.0990195135927845}
  - {name: spring, type: distance, body_a: a, pose_b: {position: [0, 0, 3]}, length: 1.5, stiffness: 10, dissipation: 2}
  - {type: coupler, joint_a: j_c, joint_b: j_d, coefficients: [0.1, 0.25]}
"""


def test_constraints_that_hold_here_hold_in_mujoco(tmp_path: Path) -> None:
    """The scene starts where all are satisfied; MuJoCo must find the same. 0.4 - 0.1 = 0.1 + 0.25 * 0.8."""
    oracle = load_mujoco(convert_text(CONSTRAINTS, tmp_path, "out.xml").path)
    data = mujoco.MjData(oracle)
    mujoco.mj_resetDataKeyframe(oracle, data, oracle.key("start").id)
    mujoco.mj_forward(oracle, data)
    assert oracle.neq == 4 and data.nefc == 6 + 3 + 1 + 1
    assert np.abs(data.efc_pos).max() < 1e-12
    # A spring of 10 N/m, half a metre too long, pulls up the body below it.
    assert data.qfrc_passive[oracle.joint("a").dofadr[0] + 2] == pytest.approx(5)
    # Turned away, they are violated: the comparison can fail.
    data.qpos[oracle.joint("j_d").qposadr[0]] += 0.1
    mujoco.mj_forward(oracle, data)
    assert np.abs(data.efc_pos).max() > 0.01


def test_height_fields_and_meshes_are_where_they_were(tmp_path: Path) -> None:
    """A ray from above meets both at the same height, in MuJoCo and here; MuJoCo's vertices are 32-bit floats."""
    (tmp_path / "wedge.obj").write_text((ROOT / "examples" / "wedge.obj").read_text())
    scene = """
    bodies:
      - name: ground
        fixed: true
        pose: {position: [1, 2, 0.5]}
        geometry:
          - {height_field: {size: [4, 2], thickness: 0.7, heights: [[-0.5, 0, 0.2], [0, 0.3, 1]]}}
          - {mesh: {file: wedge.obj}, pose: {position: [10, 0, 0], rpy: [0.3, 0, 0]}}
    """
    conversion = convert_text(scene, tmp_path, "out.xml")
    assert [file.name for file in conversion.files] == ["wedge.obj"]
    oracle = mujoco.MjModel.from_xml_path(str(conversion.path))
    data = mujoco.MjData(oracle)
    mujoco.mj_forward(oracle, data)
    simulator = ss.Simulator(ss.load(tmp_path / "in.yaml"), time_step=1e-3)
    down, geom, hits = np.array([0.0, 0, -1]), np.zeros(1, dtype=np.int32), 0
    for x, y in [(-0.5, 1.2), (0.3, 2.7), (2.9, 2.9), (2.5, 1.3), (11.01, 2.0), (11.0, 2.05), (50, 50)]:
        origin = np.array([x, y, 9.0])
        theirs = mujoco.mj_ray(oracle, data, origin, down, None, 1, -1, geom)
        ours = simulator.raycast(origin, down)
        assert (ours is None) == (theirs < 0)
        if ours is not None:
            hits += 1
            assert theirs == pytest.approx(ours.distance, abs=1e-6)
    assert hits >= 5


# --------------------------------------------------------------------------------------------------------------- to YAML
def check_yaml(model: ss.Model, conversion: Conversion, tmp_path: Path) -> ss.Model:
    text = conversion.path.read_text()
    SCHEMA.validate(load_yaml(text))
    back = ss.load(conversion.path)
    if "repaired-inertia" not in conversion.codes:
        differences = compare_models(model, back)
        assert max(differences.values()) < YAML_TOLERANCE, differences
    again = convert(conversion.path, tmp_path / "again" / "out.yaml")  # by the same name: it is in the names of assets
    assert again.path.read_text() == text
    assert not again.codes - {warning.code for warning in back.warnings}
    return back


def final_state(model: ss.Model) -> np.ndarray:
    simulator = ss.Simulator(model, method="anchored", time_step=2e-3, solver_tolerance=1e-13)
    simulator.advance_to(0.2)
    return np.concatenate([simulator.q, simulator.v])


@pytest.mark.parametrize("path", SCENES, ids=scene_name)
def test_scenes_survive_as_scene_files(path: Path, tmp_path: Path) -> None:
    conversion = convert(path, tmp_path / "out.yaml")
    assert not conversion.codes & {"contact-units", "world-geometry"}
    model = ss.load(path)
    back = check_yaml(model, conversion, tmp_path)
    # Rotations change in the fifteenth decimal. I5's rod, which jams, makes 9e-10 of a change of 1e-15 at its start.
    assert np.allclose(final_state(back), final_state(model), rtol=0, atol=1e-8)


@every_robot
def test_robots_survive_as_scene_files(path: Path, floating: bool, tmp_path: Path) -> None:
    check_yaml(*convert_robot(path, floating, tmp_path / "out.yaml"), tmp_path)


def test_a_scene_without_rotations_survives_bit_by_bit(tmp_path: Path) -> None:
    source = ROOT / "examples" / "bouncing_ball.yaml"
    conversion = convert(source, tmp_path / "out.yaml")
    assert not conversion.notes
    assert np.array_equal(final_state(ss.load(conversion.path)), final_state(ss.load(source)))


@pytest.mark.parametrize("text", [EVERY_JOINT, ACTUATORS, CONSTRAINTS], ids=["joints", "actuators", "constraints"])
def test_every_kind_survives_as_a_scene_file(text: str, tmp_path: Path) -> None:
    conversion = convert_text(text, tmp_path, "out.yaml")
    assert not conversion.notes
    check_yaml(ss.load(tmp_path / "in.yaml"), conversion, tmp_path)


def test_mjcf_contacts_become_the_same_newtons(tmp_path: Path) -> None:
    """Equal parameters, unequal masses: a pile on a plane has the same forces as scene file and as MJCF."""
    ball = '<body pos="0 0 {z}"><freejoint/><geom size="0.1" mass="{m}"/></body>'
    xml = '<mujoco><worldbody><geom type="plane" size="1 1 1"/>{}{}</worldbody></mujoco>'
    conversion = convert_text(xml.format(ball.format(z=0.1, m=2), ball.format(z=0.3, m=0.5)), tmp_path, "out.yaml", "in.xml")
    assert {"contact-units", "world-geometry"} == conversion.codes
    assert np.allclose(final_state(ss.load(conversion.path)), final_state(ss.load(tmp_path / "in.xml")), rtol=0, atol=1e-9)


def test_pairs_of_mjcf_become_the_same_newtons(tmp_path: Path) -> None:
    ball = '<body pos="0 0 0.1"><joint type="slide" axis="0 0 1"/><geom name="ball" size="0.1" mass="2" contype="0"/></body>'
    pair = '<contact><pair geom1="floor" geom2="ball" solref="0.01 0.5" friction="0.3"/></contact>'
    xml = f'<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>{ball}</worldbody>{pair}</mujoco>'
    conversion = convert_text(xml, tmp_path, "out.yaml", "in.xml")
    assert np.allclose(final_state(ss.load(conversion.path)), final_state(ss.load(tmp_path / "in.xml")), rtol=0, atol=1e-9)


def test_static_bodies_of_mjcf_still_collide_with_what_they_carry(tmp_path: Path) -> None:
    conversion = convert_text(STATIC_PARENT, tmp_path, "out.yaml", "in.xml")
    states = [final_state(ss.load(path)) for path in (conversion.path, tmp_path / "in.xml")]
    assert np.allclose(*states, rtol=0, atol=1e-9)
    assert states[0][0] > 0.01  # pushed away


# ------------------------------------------------------------------------------------------------- nothing is lost silently
def free_body(geometry: str) -> str:
    return f"bodies: [{{name: a, mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}, geometry: [{geometry}]}}]\n"


def fixed_body(geometry: str) -> str:
    return f"bodies: [{{name: a, fixed: true, geometry: [{geometry}]}}]\n"


def jointed_body(joint: str, more: str = "") -> str:
    return free_body("") + f"joints: [{{name: j, child: a, {joint}}}]\n" + more


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


STATIC_PARENT = """<mujoco><worldbody><body>
  <geom size="1"/>
  <body pos="1.9 0 0"><joint type="slide" axis="1 0 0"/><geom size="1"/></body>
</body></worldbody></mujoco>"""
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


# --------------------------------------------------------------------------------------------------------- sanity of motion
def box_on_floor(velocity: float) -> str:
    return f"""
    materials: {{wood: {{stiffness: 1.0e5, dissipation: 10, friction: 0.4}}}}
    bodies:
      - name: box
        mass: 1
        pose: {{position: [0, 0, 0.1]}}
        velocity: {{linear: [{velocity}, 0, 0]}}
        geometry: [{{box: {{size: [0.4, 0.4, 0.2]}}, material: wood}}]
      - {{name: floor, fixed: true, geometry: [{{half_space: {{}}, material: wood}}]}}
    """


@pytest.mark.parametrize("velocity", [0.0, 1.5])
def test_a_box_rests_and_slides_as_far_in_mujoco(velocity: float, tmp_path: Path) -> None:
    """Coulomb: v^2 / (2 mu g). MuJoCo's friction acts against a part 1 - d = 0.1 of the load less and lets it creep: 3 %, and it
    sinks in by less than a millimetre, x_s = m g / k = 0.1 mm."""
    oracle = mujoco.MjModel.from_xml_path(str(convert_text(box_on_floor(velocity), tmp_path, "out.xml").path))
    data = mujoco.MjData(oracle)
    if velocity:
        mujoco.mj_resetDataKeyframe(oracle, data, oracle.key("start").id)
    while data.time < 1:
        mujoco.mj_step(oracle, data)
    ours = ss.Simulator(ss.load(tmp_path / "in.yaml"), accuracy=1e-4)
    ours.advance_to(1.0)
    way = velocity**2 / (2 * 0.4 * 9.81)
    assert ours.q[0] == pytest.approx(way, rel=0.01, abs=1e-6)
    assert data.qpos[0] == pytest.approx(way, rel=0.03, abs=1e-3)
    assert 0.099 < data.qpos[2] < 0.1
    assert np.abs(data.qvel).max() < 0.01


# ------------------------------------------------------------------------------------------------------------ command line
def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, "convert", *arguments], cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


def test_the_command_prints_notes_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text(jointed_body("type: revolute, limits: {velocity: 1}"))
    done = run("in.yaml", "out.xml", cwd=tmp_path)
    assert done.returncode == 0
    first, last = done.stdout.splitlines()
    assert first.startswith("in.yaml:2:10: ") and "'j'" in first and first.endswith("[velocity-limit]")
    assert last == "wrote out.xml; 1 note above"


def test_the_command_writes_over_nothing_unasked(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text("name: empty\n")
    (tmp_path / "out.yaml").write_text("mine")
    done = run("in.yaml", "out.yaml", cwd=tmp_path)
    assert done.returncode == 2 and "--force" in done.stderr and (tmp_path / "out.yaml").read_text() == "mine"
    assert run("in.yaml", "out.yaml", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "out.yaml").read_text() == "name: empty\n"
    done = run("in.yaml", "in.yaml", "--force", cwd=tmp_path)
    assert done.returncode == 2 and "both IN and OUT" in done.stderr


def test_the_command_spares_the_meshes_of_its_own_input(tmp_path: Path) -> None:
    """The scene scales a mesh that stands where the scaled one would go."""
    (tmp_path / "out_assets").mkdir()
    mesh = tmp_path / "out_assets" / "wedge.obj"
    mesh.write_text((ROOT / "examples" / "wedge.obj").read_text())
    before = mesh.read_text()
    (tmp_path / "in.yaml").write_text(fixed_body("{mesh: {file: out_assets/wedge.obj, scale: 0.5}}"))
    done = run("in.yaml", "out.xml", cwd=tmp_path)
    assert done.returncode == 2 and "wedge.obj" in done.stderr and mesh.read_text() == before
    assert not (tmp_path / "out.xml").exists()


def test_the_command_knows_its_formats(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text("name: empty\n")
    done = run("in.yaml", "out.sdf", cwd=tmp_path)
    assert done.returncode == 2 and ".xml (MJCF)" in done.stderr and ".yaml (scene file)" in done.stderr
    assert run("nowhere.yaml", "out.xml", cwd=tmp_path).returncode == 2
    assert run("in.yaml", "no/such/folder/out.xml", cwd=tmp_path).returncode == 0
    assert "--force" in run("--help", cwd=tmp_path).stdout
