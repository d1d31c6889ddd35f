"""A scene of plain dicts as Drake's plant. Runs in the Python that has Drake; needs nothing of Stickslip.

Scenes are those of `scenes.py`, and may have more: `gravity` as a vector, walls without a size (half-spaces), `v` and `w` of an object in world axes,
and its `feet`, spheres as x, y, z, radius. A `robot` has its `urdf`, the `height` of its base and the angles of its `joints`; its base comes after the
objects. Robots of `robot_scenes.py` are read by `drake_robot.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

RIGID = 1e40  # N/m
ROUND = ("sphere", "capsule", "cylinder")
LONGEST_STEP = 0.1  # s, of CENIC; as ours


@dataclass
class World:
    plant: Any
    diagram: Any
    context: Any  # of the diagram
    bodies: list[Any]  # of the objects, in their order

    @property
    def own(self) -> Any:
        """The plant's context."""
        return self.plant.GetMyMutableContextFromRoot(self.context)

    def depths(self) -> list[float]:
        found = self.plant.get_contact_results_output_port().Eval(self.own)
        return [found.point_pair_contact_info(i).point_pair().depth for i in range(found.num_point_pair_contacts())]

    def poses(self) -> list[Any]:
        return [self.plant.EvalBodyPoseInWorld(self.own, body) for body in self.bodies]


class Layout:
    """Drake's positions and velocities in MuJoCo's order and axes: of free bodies position before rotation, and angular velocity in the body's axes."""

    def __init__(self, world: World, scene: dict[str, Any]) -> None:
        self.q_starts = [body.floating_positions_start() for body in world.bodies]
        self.v_starts = [body.floating_velocities_start_in_v() for body in world.bodies]
        joints = [world.plant.GetJointByName(name) for name in scene.get("hinges", [])]
        self.q_hinges, self.v_hinges = [j.position_start() for j in joints], [j.velocity_start() for j in joints]

    def as_mujoco(self, q: Any, v: Any) -> tuple[Any, Any]:
        """One row a state."""
        q_parts, v_parts = [], []
        for i, j in zip(self.q_starts, self.v_starts, strict=True):
            turn = q[:, i : i + 4] / np.linalg.norm(q[:, i : i + 4], axis=1, keepdims=True)
            q_parts += [q[:, i + 4 : i + 7], turn]
            v_parts += [v[:, j + 3 : j + 6], turned_back(turn, v[:, j : j + 3])]
        q_parts.append(q[:, self.q_hinges])
        v_parts.append(v[:, self.v_hinges])
        return np.hstack(q_parts), np.hstack(v_parts)


def turned_back(turn: Any, vector: Any) -> Any:
    """Rows from world axes to those of bodies with quaternions wxyz: v + 2 w (v x u) + 2 (v x u) x u, with u, w of the quaternion."""
    cross = np.cross(vector, turn[:, 1:])
    return vector + 2 * turn[:, :1] * cross + 2 * np.cross(cross, turn[:, 1:])


def build(scene: dict[str, Any], start: Any = None, many_points: bool = False, **config: Any) -> World:
    """`start`: q and v as in MuJoCo. `many_points`: spheres along the surface of boxes, as the authors of CENIC do it, since Drake has one point a
    pair of boxes. `config` goes to the plant."""
    import drake_robot
    from pydrake.multibody.plant import AddMultibodyPlant, MultibodyPlantConfig
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant, graph = AddMultibodyPlant(MultibodyPlantConfig(stiction_tolerance=scene["vs"], contact_model="point", **config), builder)
    plant.mutable_gravity_field().set_gravity_vector(scene["gravity"] if "gravity" in scene else [0, 0, -scene["g"]])
    bodies = add_bodies(plant, graph, scene, many_points)
    robot = scene.get("robot")
    if robot:
        bodies.append(add_robot(plant, robot))
    if "mjcf" in scene:
        bodies.append(drake_robot.add(plant, scene))
    plant.Finalize()
    diagram = builder.Build()
    world = World(plant, diagram, diagram.CreateDefaultContext(), bodies)
    if "mjcf" in scene:
        drake_robot.place(world, scene, start[0])
        return world
    place_bodies(world, scene, start)
    if robot:
        place_robot(world, robot)
    return world


def add_robot(plant: Any, robot: dict[str, Any]) -> Any:
    """Returns its base."""
    from pydrake.multibody.parsing import Parser

    (added,) = Parser(plant).AddModelsFromString(robot["urdf"], "urdf")
    return plant.get_body(plant.GetBodyIndices(added)[0])


def place_robot(world: World, robot: dict[str, Any]) -> None:
    from pydrake.math import RigidTransform

    for name, angle in robot["joints"].items():
        world.plant.GetJointByName(name).set_angle(world.own, angle)
    world.plant.SetFreeBodyPose(world.own, world.bodies[-1], RigidTransform([0, 0, robot["height"]]))


def add_bodies(plant: Any, graph: Any, scene: dict[str, Any], many_points: bool) -> list[Any]:
    from pydrake.geometry import Box, CollisionFilterDeclaration, GeometrySet, HalfSpace, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.tree import SpatialInertia

    boxes, bodies = [], []
    for w in scene.get("walls", []):
        shape = Box(*w["size"]) if w["size"] else HalfSpace()
        boxes.append(plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(w["p"]), shape, w["name"], material(scene, RIGID)))
    for i, o in enumerate(scene["objects"]):
        body = plant.AddRigidBody(f"o{i}", SpatialInertia(o["mass"], np.zeros(3), unit_inertia(o)))
        surface = material(scene, float(scene["k"]))
        if o["shape"] == "box":
            boxes.append(plant.RegisterCollisionGeometry(body, RigidTransform(), Box(*o["size"]), f"g{i}", surface))
        elif o["shape"] in ROUND:
            plant.RegisterCollisionGeometry(body, RigidTransform(), round_shape(o), f"g{i}", surface)
        feet = surface_spheres(o["size"][0]) if many_points and o["shape"] == "box" else o.get("feet", [])
        for n, (*place, radius) in enumerate(feet):
            plant.RegisterCollisionGeometry(body, RigidTransform(place), Sphere(radius), f"f{i}_{n}", surface)
        bodies.append(body)
    if many_points:
        graph.collision_filter_manager().Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(boxes)))
    return bodies


def unit_inertia(o: dict[str, Any]) -> Any:
    """Of a solid body about its middle."""
    from pydrake.multibody.tree import UnitInertia

    if o["shape"] == "sphere":
        return UnitInertia.SolidSphere(o["radius"])
    if o["shape"] in ROUND:
        solid = UnitInertia.SolidCapsule if o["shape"] == "capsule" else UnitInertia.SolidCylinder
        return solid(o["radius"], o["length"], np.array([0.0, 0.0, 1.0]))
    return UnitInertia.SolidBox(*o["size"])


def round_shape(o: dict[str, Any]) -> Any:
    from pydrake.geometry import Capsule, Cylinder, Sphere

    if o["shape"] == "sphere":
        return Sphere(o["radius"])
    return (Capsule if o["shape"] == "capsule" else Cylinder)(o["radius"], o["length"])


def material(scene: dict[str, Any], stiffness: float) -> Any:
    from pydrake.geometry import ProximityProperties
    from pydrake.multibody.plant import CoulombFriction

    out = ProximityProperties()
    out.AddProperty("material", "point_contact_stiffness", stiffness)
    out.AddProperty("material", "hunt_crossley_dissipation", float(scene["d"]))
    out.AddProperty("material", "coulomb_friction", CoulombFriction(scene["mu"], scene["mu"]))
    if "tau" in scene:
        out.AddProperty("material", "relaxation_time", float(scene["tau"]))
    return out


def surface_spheres(side: float) -> list[list[float]]:
    """26 along the surface of a cube: x, y, z, radius."""
    radius = side / 6
    return [[*(2 * radius * (np.array(n) - 1)), radius] for n in np.ndindex(3, 3, 3) if n != (1, 1, 1)]


def place_bodies(world: World, scene: dict[str, Any], start: Any) -> None:
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.math import SpatialVelocity

    q = np.reshape(start[0], (-1, 7)) if start else np.array([[*o["p"], *o["q"]] for o in scene["objects"]])
    for i, o in enumerate(scene["objects"]):
        body = world.bodies[i]
        rotation = RotationMatrix(Quaternion(q[i, 3:] / np.linalg.norm(q[i, 3:])))
        world.plant.SetFreeBodyPose(world.own, body, RigidTransform(rotation, q[i, :3]))
        linear, angular = o.get("v", [0, 0, 0]), o.get("w", [0, 0, 0])
        if start:  # as in MuJoCo: the angular velocity in the body's axes
            v = np.array(start[1][6 * i : 6 * i + 6])
            linear, angular = v[:3], rotation.multiply(v[3:])
        world.plant.SetFreeBodySpatialVelocity(context=world.own, body=body, V_JpJc=SpatialVelocity(angular, linear))


def use_cenic(simulator: Any, accuracy: float) -> None:
    import pydrake.multibody.cenic  # noqa: F401  registers the integrator
    from pydrake.systems.analysis import ApplySimulatorConfig, SimulatorConfig

    options = SimulatorConfig()
    options.integration_scheme = "cenic"
    if hasattr(options, "publish_every_time_step"):  # up to 1.53; later versions publish on request alone
        options.publish_every_time_step = False
    options.use_error_control, options.accuracy, options.max_step_size = True, accuracy, LONGEST_STEP
    ApplySimulatorConfig(options, simulator)
