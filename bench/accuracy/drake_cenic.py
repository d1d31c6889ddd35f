"""Drake's CENIC on the same experiments: reads a task as JSON from standard input, prints the outcome as one line of JSON.

Runs in the Python that has Drake; needs nothing of Stickslip.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import json
import sys
import time
from typing import Any

import numpy as np

LONGEST_STEP = 0.1  # s


def run(task: dict[str, Any]) -> dict[str, Any]:
    import pydrake.multibody.cenic  # noqa: F401  registers the integrator
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.geometry import Box, CollisionFilterDeclaration, GeometrySet, HalfSpace, ProximityProperties, Sphere
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import SpatialInertia, UnitInertia
    from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
    from pydrake.systems.framework import DiagramBuilder

    scene = task["scene"]

    def material(stiffness: float) -> Any:
        out = ProximityProperties()
        out.AddProperty("material", "point_contact_stiffness", stiffness)
        out.AddProperty("material", "hunt_crossley_dissipation", float(scene["d"]))
        out.AddProperty("material", "coulomb_friction", CoulombFriction(scene["mu"], scene["mu"]))
        return out

    builder = DiagramBuilder()
    config = MultibodyPlantConfig(time_step=0.0, stiction_tolerance=scene["vs"], contact_model="point")
    plant, graph = AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector(scene["gravity"])
    boxes = []
    for wall in scene["walls"]:
        shape = Box(*wall["size"]) if wall["size"] else HalfSpace()
        boxes.append(plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(wall["p"]), shape, wall["name"], material(1e40)))
    bodies = []
    for i, o in enumerate(scene["objects"]):
        inertia = UnitInertia.SolidSphere(o["radius"]) if o["shape"] == "sphere" else UnitInertia.SolidBox(*o["size"])
        body = plant.AddRigidBody(f"o{i}", SpatialInertia(o["mass"], np.zeros(3), inertia))
        if o["shape"] == "sphere":
            plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(o["radius"]), f"g{i}", material(scene["k"]))
        elif o["shape"] == "box":
            boxes.append(plant.RegisterCollisionGeometry(body, RigidTransform(), Box(*o["size"]), f"g{i}", material(scene["k"])))
        feet = o.get("feet", [])
        if o["shape"] == "box" and task.get("many_points"):
            # Drake has one point a pair of boxes. Spheres along the surface, as the authors of CENIC do it, give it several.
            radius = o["size"][0] / 6
            places = [2 * radius * (np.array(n) - 1) for n in np.ndindex(3, 3, 3) if n != (1, 1, 1)]
            feet = [[*place, radius] for place in places]
        for n, (x, y, z, radius) in enumerate(feet):
            plant.RegisterCollisionGeometry(body, RigidTransform([x, y, z]), Sphere(radius), f"f{i}_{n}", material(scene["k"]))
        bodies.append(body)
    if task.get("many_points"):
        graph.collision_filter_manager().Apply(CollisionFilterDeclaration().ExcludeWithin(GeometrySet(boxes)))
    plant.Finalize()
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    mine = plant.GetMyMutableContextFromRoot(context)
    for body, o in zip(bodies, scene["objects"], strict=True):
        rotation = RotationMatrix(Quaternion(np.array(o["q"]) / np.linalg.norm(o["q"])))
        plant.SetFreeBodyPose(mine, body, RigidTransform(rotation, o["p"]))
        twist = SpatialVelocity(o.get("w", [0, 0, 0]), o.get("v", [0, 0, 0]))
        plant.SetFreeBodySpatialVelocity(context=mine, body=body, V_JpJc=twist)
    simulator = Simulator(diagram, context)
    options = SimulatorConfig()
    options.integration_scheme, options.publish_every_time_step = "cenic", False
    options.use_error_control, options.accuracy, options.max_step_size = True, task["accuracy"], LONGEST_STEP
    ApplySimulatorConfig(options, simulator)
    simulator.Initialize()
    began = time.process_time()
    error = ""
    try:
        simulator.AdvanceTo(scene["T"])
    except RuntimeError as failed:
        error = str(failed)
    seconds = time.process_time() - began
    integrator = simulator.get_integrator()
    poses = [plant.EvalBodyPoseInWorld(mine, b) for b in bodies]
    twists = [plant.EvalBodySpatialVelocityInWorld(mine, b) for b in bodies]
    return {
        "seconds": seconds,
        "steps": int(integrator.get_num_steps_taken()),
        "error": error,
        "p": [pose.translation().tolist() for pose in poses],
        "R": [pose.rotation().matrix().tolist() for pose in poses],
        "v": [twist.translational().tolist() for twist in twists],
        "w": [twist.rotational().tolist() for twist in twists],
    }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
