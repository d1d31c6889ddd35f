"""stickslip convert to MJCF: what comes out is, to MuJoCo, the scene that went in."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import stickslip as ss
from convert_scenes import ACTUATORS, CONSTRAINTS, EVERY_JOINT, ROBOTS, ROOT, SCENES, convert_robot, convert_text, every_robot, scene_name
from oracles.convert_oracle import Conversion, Coordinates, compare_with_mujoco, convert, load_mujoco
from oracles.pinocchio_oracle import relative
from oracles.robot_files import label, mjcf_files

# Relative: MuJoCo finds principal axes of inertia to 1e-12 or so, then some hundred operations. Far below what any lost term
# would leave.
MUJOCO_TOLERANCE = 1e-8


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
