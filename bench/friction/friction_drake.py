"""Drake on the slope and on the grasp: reads a task a line as JSON from standard input, prints each outcome as one line of JSON.

Runs in the Python that has Drake; needs nothing of Stickslip. A task has `method` (`sap`, `lagged`, `similar` with a time step, or `cenic` with an accuracy) in
`method` and `parameter`, `times`, and either `slope` or `grasp`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
import time
from importlib.metadata import version
from math import pi
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "contact"))
from drake_plant import RIGID, use_cenic
from drake_process import answer

RELAXATION_TIME = 1e-3  # s: what SAP takes instead of a dissipation


def material(stiffness: float, dissipation: float, friction: float) -> Any:
    from pydrake.geometry import ProximityProperties
    from pydrake.multibody.plant import CoulombFriction

    out = ProximityProperties()
    out.AddProperty("material", "point_contact_stiffness", stiffness)
    out.AddProperty("material", "hunt_crossley_dissipation", dissipation)
    out.AddProperty("material", "relaxation_time", RELAXATION_TIME)
    out.AddProperty("material", "coulomb_friction", CoulombFriction(friction, friction))
    return out


def add_slope(plant: Any, s: dict[str, Any]) -> Any:
    from pydrake.geometry import HalfSpace, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.tree import SpatialInertia, UnitInertia

    plant.mutable_gravity_field().set_gravity_vector(s["gravity"])
    box = plant.AddRigidBody("box", SpatialInertia(1.0, np.zeros(3), UnitInertia.SolidCube(s["side"])))
    for i, (*place, radius) in enumerate(s["feet"]):
        surface = material(s["stiffness"], s["dissipation"], s["friction"])
        plant.RegisterCollisionGeometry(box, RigidTransform(place), Sphere(radius), f"foot{i}", surface)
    floor = material(RIGID, s["dissipation"], s["friction"])
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", floor)
    return box


def add_grasp(plant: Any, g: dict[str, Any]) -> tuple[Any, Any]:
    """The cylinder and the carriage. Pads and carriage have motors."""
    from pydrake.geometry import Cylinder, Sphere
    from pydrake.math import RigidTransform, RotationMatrix
    from pydrake.multibody.tree import FixedOffsetFrame, PrismaticJoint, SpatialInertia, UnitInertia

    def body(name: str, mass: float) -> Any:
        return plant.AddRigidBody(name, SpatialInertia(mass, np.zeros(3), UnitInertia.TriaxiallySymmetric(1e-4 / mass)))

    plant.mutable_gravity_field().set_gravity_vector([0, 0, -9.81])
    carriage = body("carriage", g["carriage_mass"])
    shaker = plant.AddJoint(PrismaticJoint("shaker", plant.world_frame(), carriage.body_frame(), [1, 0, 0]))
    place = g["length"] / 2 + g["foot"] - g["overlap"]
    for name, side in (("left", -1), ("right", 1)):
        pad = body(name, g["pad_mass"])
        at = plant.AddFrame(FixedOffsetFrame(name + "_rail", carriage.body_frame(), RigidTransform([0, side * place, 0])))
        joint = plant.AddJoint(PrismaticJoint(name, at, pad.body_frame(), [0, 1, 0], damping=g["pad_damping"]))
        plant.AddJointActuator(name, joint)
        for i, (x, z) in enumerate(g["feet"]):
            surface = material(g["stiffness"], g["dissipation"], g["friction"])
            plant.RegisterCollisionGeometry(pad, RigidTransform([x, 0, z]), Sphere(g["foot"]), f"{name}{i}", surface)
    plant.AddJointActuator("shaker", shaker)
    unit = UnitInertia.SolidCylinder(g["radius"], g["length"], [0, 1, 0])
    cylinder = plant.AddRigidBody("cylinder", SpatialInertia(g["mass"], np.zeros(3), unit))
    lying = RigidTransform(RotationMatrix.MakeXRotation(pi / 2))
    end = material(RIGID, g["dissipation"], g["friction"])
    plant.RegisterCollisionGeometry(cylinder, lying, Cylinder(g["radius"], g["length"]), "cylinder", end)
    return cylinder, carriage


def add_forces(builder: Any, plant: Any, g: dict[str, Any]) -> None:
    """Constant ones on the pads (sines of no frequency), a sine on the carriage."""
    from pydrake.systems.primitives import Sine

    mass = g["carriage_mass"] + 2 * g["pad_mass"] + g["mass"]
    sizes = np.array([g["force"], -g["force"], mass * g["acceleration"]])
    source = builder.AddSystem(Sine(sizes, np.array([0.0, 0.0, g["rate"]]), np.array([pi / 2, pi / 2, 0.0]), True))
    builder.Connect(source.get_output_port(0), plant.get_actuation_input_port())


def run(task: dict[str, Any]) -> dict[str, Any]:
    from pydrake.math import RigidTransform
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.multibody.plant import AddMultibodyPlant, MultibodyPlantConfig
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    discrete = task["method"] != "cenic"
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(time_step=task["parameter"] if discrete else 0.0, stiction_tolerance=1e-4, contact_model="point")
    if discrete:
        config.discrete_contact_approximation = task["method"]
    plant, _ = AddMultibodyPlant(config, builder)
    if "slope" in task:
        body, carrier = add_slope(plant, task["slope"]), plant.world_body()
    else:
        body, carrier = add_grasp(plant, task["grasp"])
    plant.Finalize()
    if "grasp" in task:
        add_forces(builder, plant, task["grasp"])
    diagram = builder.Build()
    context = diagram.CreateDefaultContext()
    mine = plant.GetMyMutableContextFromRoot(context)
    if "slope" in task:
        plant.SetFreeBodyPose(mine, body, RigidTransform([0, 0, task["slope"]["height"]]))
    else:
        speed = task["grasp"]["speed"]
        plant.GetJointByName("shaker").set_translation_rate(mine, speed)
        plant.SetFreeBodySpatialVelocity(context=mine, body=body, V_JpJc=SpatialVelocity(np.zeros(3), [speed, 0, 0]))
    simulator = Simulator(diagram, context)
    if not discrete:
        use_cenic(simulator, task["parameter"])
    simulator.Initialize()
    began, places, error = time.process_time(), [], ""
    try:
        for t in task["times"]:
            simulator.AdvanceTo(t)
            X_WC, X_WB = plant.EvalBodyPoseInWorld(mine, carrier), plant.EvalBodyPoseInWorld(mine, body)
            places.append(X_WC.inverse().multiply(X_WB).translation().tolist())
    except RuntimeError as failed:
        error = str(failed)
    contacts = plant.get_contact_results_output_port().Eval(mine)
    depths = [contacts.point_pair_contact_info(i).point_pair().depth for i in range(contacts.num_point_pair_contacts())]
    seconds = time.process_time() - began
    return {"places": places, "seconds": seconds, "depth": max(depths, default=0.0), "error": error, "version": version("drake")}


if __name__ == "__main__":
    answer(run)
