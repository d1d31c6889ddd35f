"""A robot of `robot_scenes.py` in Drake's plant, from the MJCF that the other engines read. Runs in the Python that has Drake.

Drake takes bodies, joints and inertias of it. Its reader has no filter of collisions and no contact parameters, and it finds one point of a box on a
floor: so a box is given by its corners, as small spheres, with the stiffness and dissipation that we read of the same file.
"""

from __future__ import annotations

import itertools
import logging
import xml.etree.ElementTree as ET
from typing import Any

import drake_plant
import numpy as np

CORNER = 1e-3  # m, radius of the spheres


def add(plant: Any, scene: dict[str, Any]) -> Any:
    """Returns its base. `scene` has `mjcf` and `surfaces`: stiffness, dissipation and friction by body."""
    from pydrake.geometry import HalfSpace, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.parsing import Parser

    logging.getLogger("drake").setLevel(logging.ERROR)  # warnings of what is dealt with here
    tree = ET.fromstring(scene["mjcf"])
    boxes = take_boxes(tree)
    (added,) = Parser(plant).AddModelsFromString(ET.tostring(tree, encoding="unicode"), "xml")
    floor = drake_plant.material(scene | dict(d=0.0, mu=1.0), drake_plant.RIGID)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", floor)
    for name, pose, half in boxes:
        stiffness, dissipation, friction = scene["surfaces"][name]
        surface = drake_plant.material(scene | dict(d=dissipation, mu=friction), stiffness)
        body = plant.GetBodyByName(name)
        for n, corner in enumerate(itertools.product((-1, 1), repeat=3)):
            place = pose.multiply(np.array(corner) * (half - CORNER))
            plant.RegisterCollisionGeometry(body, RigidTransform(place), Sphere(CORNER), f"{name}_{n}", surface)
    for coupling in tree.findall("equality/joint"):  # which Drake's reader leaves out
        first, second = (plant.GetJointByName(coupling.get(key)) for key in ("joint1", "joint2"))
        offset, gear = (float(x) for x in coupling.get("polycoef", "0 1").split()[:2])
        plant.AddCouplerConstraint(joint0=first, joint1=second, gear_ratio=gear, offset=offset)
    return plant.get_body(plant.GetBodyIndices(added)[0])


def take_boxes(tree: Any) -> list[tuple[str, Any, Any]]:
    """Removes all geometry; returns body, pose in it, and half lengths of each box."""
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.math import RigidTransform, RotationMatrix

    out = []
    for body in tree.iter("body"):
        for geom in body.findall("geom"):
            body.remove(geom)
            turn = np.array(geom.get("quat", "1 0 0 0").split(), float)
            place = np.array(geom.get("pos", "0 0 0").split(), float)
            pose = RigidTransform(RotationMatrix(Quaternion(turn / np.linalg.norm(turn))), place)
            out.append((body.get("name"), pose, np.array(geom.get("size").split(), float)))
        for joint in body.findall("joint"):
            joint.attrib.pop("actuatorfrcrange", None)  # there are no actuators
    for floor in tree.find("worldbody").findall("geom"):
        tree.find("worldbody").remove(floor)
    return out


def place(world: drake_plant.World, scene: dict[str, Any], q: list[float]) -> None:
    """At positions as in MuJoCo: base, then hinges."""
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.math import RigidTransform, RotationMatrix

    turn = np.array(q[3:7])
    pose = RigidTransform(RotationMatrix(Quaternion(turn / np.linalg.norm(turn))), q[:3])
    world.plant.SetFreeBodyPose(world.own, world.bodies[-1], pose)
    positions = world.plant.GetPositions(world.own).copy()
    for name, value in zip(scene["hinges"], q[7:], strict=True):
        positions[world.plant.GetJointByName(name).position_start()] = value
    world.plant.SetPositions(world.own, positions)
