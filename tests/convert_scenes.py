"""Scenes and robots that the tests of stickslip convert take, and how they convert them."""

from __future__ import annotations

from pathlib import Path

import pytest

import stickslip as ss
from command_line import ROOT
from oracles.convert_oracle import Conversion, convert
from oracles.robot_files import example_robot_urdfs, label, mjcf_files

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
STATIC_PARENT = """<mujoco><worldbody><body>
  <geom size="1"/>
  <body pos="1.9 0 0"><joint type="slide" axis="1 0 0"/><geom size="1"/></body>
</body></worldbody></mujoco>"""


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


def free_body(geometry: str) -> str:
    return f"bodies: [{{name: a, mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}, geometry: [{geometry}]}}]\n"


def fixed_body(geometry: str) -> str:
    return f"bodies: [{{name: a, fixed: true, geometry: [{geometry}]}}]\n"


def jointed_body(joint: str, more: str = "") -> str:
    return free_body("") + f"joints: [{{name: j, child: a, {joint}}}]\n" + more
