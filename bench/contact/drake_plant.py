"""A scene of plain dicts as Drake's plant. Runs in the Python that has Drake; needs nothing of Stickslip.

Scenes are those of `scenes.py`, and may have more: `gravity` as a vector, walls without a size (half-spaces), `v` and `w` of an object in world axes,
and its `feet`, spheres as x, y, z, radius. A `robot` has its `urdf`, the `height` of its base and the angles of its `joints`; its base comes after the objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

RIGID = 1e40  # N/m
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


def build(scene: dict[str, Any], start: Any = None, many_points: bool = False, **config: Any) -> World:
    """`start`: q and v as in MuJoCo. `many_points`: spheres along the surface of boxes, as the authors of CENIC do it, since Drake has one point a
    pair of boxes. `config` goes to the plant."""
    from pydrake.multibody.plant import AddMultibodyPlant, MultibodyPlantConfig
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant, graph = AddMultibodyPlant(MultibodyPlantConfig(stiction_tolerance=scene["vs"], contact_model="point", **config), builder)
    plant.mutable_gravity_field().set_gravity_vector(scene["gravity"] if "gravity" in scene else [0, 0, -scene["g"]])
    bodies = add_bodies(plant, graph, scene, many_points)
    robot = scene.get("robot")
    if robot:
        bodies.append(add_robot(plant, robot))
    plant.Finalize()
    diagram = builder.Build()
    world = World(plant, diagram, diagram.CreateDefaultContext(), bodies)
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
    from pydrake.multibody.tree import SpatialInertia, UnitInertia

    boxes, bodies = [], []
    for w in scene["walls"]:
        shape = Box(*w["size"]) if w["size"] else HalfSpace()
        boxes.append(plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(w["p"]), shape, w["name"], material(scene, RIGID)))
    for i, o in enumerate(scene["objects"]):
        inertia = UnitInertia.SolidSphere(o["radius"]) if o["shape"] == "sphere" else UnitInertia.SolidBox(*o["size"])
        body = plant.AddRigidBody(f"o{i}", SpatialInertia(o["mass"], np.zeros(3), inertia))
        surface = material(scene, float(scene["k"]))
        if o["shape"] == "sphere":
            plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(o["radius"]), f"g{i}", surface)
        elif o["shape"] == "box":
            boxes.append(plant.RegisterCollisionGeometry(body, RigidTransform(), Box(*o["size"]), f"g{i}", surface))
        feet = surface_spheres(o["size"][0]) if many_points and o["shape"] == "box" else o.get("feet", [])
        for n, (*place, radius) in enumerate(feet):
            plant.RegisterCollisionGeometry(body, RigidTransform(place), Sphere(radius), f"f{i}_{n}", surface)
        bodies.append(body)
    if many_points:
        graph.collision_filter_manager().Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(boxes)))
    return bodies


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
    options.integration_scheme, options.publish_every_time_step = "cenic", False
    options.use_error_control, options.accuracy, options.max_step_size = True, accuracy, LONGEST_STEP
    ApplySimulatorConfig(options, simulator)
