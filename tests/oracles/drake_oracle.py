"""Compares a model with Drake's on the same SDF: masses, mass matrix, gravity's force, body poses.

Drake may hang a tree on another of its links than we do. So velocities are translated by our own Jacobians of the links that float in Drake: v_drake = T v.
Needs `drake`, which is no part of what the tests install.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint, JointIndex, ModelInstanceIndex, RigidBody, world_model_instance
from pydrake.systems.framework import Context

import stickslip as ss

from .engines import load_drake
from .pinocchio_oracle import relative


class _Map:
    def __init__(self, model: ss.Model, plant: MultibodyPlant) -> None:
        self.model, self.plant = model, plant
        indices = [index for instance in self._instances() for index in plant.GetBodyIndices(instance)]
        self.bodies = [(self._own_name(plant.get_body(index), model.body_names), plant.get_body(index)) for index in indices]
        self.floating = [(name, body) for name, body in self.bodies if body.is_floating_base_body()]
        self.joints = []
        for i in plant.GetJointIndices():
            joint = plant.get_joint(JointIndex(i))
            if joint.num_velocities() == 1:
                self.joints.append((model.joint(self._own_name(joint, model.joint_names)), joint))
        assert len(self.joints) + 6 * len(self.floating) == plant.num_velocities() == model.nv, "degrees of freedom differ"

    def _instances(self) -> list[ModelInstanceIndex]:
        return [ModelInstanceIndex(i) for i in range(self.plant.num_model_instances()) if i != int(world_model_instance())]

    def _own_name(self, element: RigidBody | Joint, names: list[str]) -> str:
        """Files with one model name no model."""
        scoped = f"{self.plant.GetModelInstanceName(element.model_instance())}::{element.name()}"
        found = [name for name in (element.name(), scoped) if name in names]
        found += [name for name in names if not found and scoped.endswith(f"::{name}")]
        assert found, f"'{scoped}' is not here"
        return found[0]

    def random_configuration(self, random: np.random.Generator) -> np.ndarray:
        q = random.uniform(-1, 1, self.model.nq)
        for joint in map(self.model.joint, self.model.joint_names):
            if joint.type == "free":
                q[joint.q_start + 3 : joint.q_start + 7] /= np.linalg.norm(q[joint.q_start + 3 : joint.q_start + 7])
        return q

    def configure(self, context: Context, q: np.ndarray) -> None:
        positions = np.zeros(self.plant.num_positions())
        for own, joint in self.joints:
            positions[joint.position_start()] = q[own.q_start]
        for _, body in self.floating:
            positions[body.floating_positions_start()] = 1  # a quaternion
        self.plant.SetPositions(context, positions)
        for name, body in self.floating:
            self.plant.SetFreeBodyPose(context, body, RigidTransform(self.model.pose(q, name)))

    def velocity_map(self, q: np.ndarray) -> np.ndarray:
        T = np.zeros((self.plant.num_velocities(), self.model.nv))
        for own, joint in self.joints:
            T[joint.velocity_start(), own.v_start] = 1
        for name, body in self.floating:
            jacobian = self.model.jacobian(q, name)
            start = body.floating_velocities_start_in_v()
            T[start : start + 6] = np.vstack([jacobian[3:], jacobian[:3]])  # Drake's: angular first
        return T


def compare(path: Path, states: int = 10, seed: int = 0) -> dict[str, float]:
    """Largest relative difference of each quantity over random states."""
    model, plant = ss.load(path), load_drake(path)
    context = plant.CreateDefaultContext()
    mapping = _Map(model, plant)
    random = np.random.default_rng(seed)
    moving = [(name, body) for name, body in mapping.bodies if not plant.IsAnchored(body)]  # what a static link weighs nobody asks
    drake_masses = np.array([body.default_mass() for _, body in moving])
    worst = {
        "masses": relative(np.array([model.body(name).mass for name, _ in moving]), drake_masses),
        "mass matrix": 0.0,
        "gravity": 0.0,
        "body poses": 0.0,
    }
    for _ in range(states):
        q = mapping.random_configuration(random)
        mapping.configure(context, q)
        T, M = mapping.velocity_map(q), plant.CalcMassMatrix(context)
        gravity = -plant.CalcGravityGeneralizedForces(context)
        record = {
            "mass matrix": relative(model.mass_matrix(q), T.T @ M @ T),
            "gravity": relative(model.bias_force(q, np.zeros(model.nv)), T.T @ gravity, np.abs(M).max(initial=1e-12)),
        }
        for name, body in mapping.bodies:
            pose = plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4()
            record["body poses"] = max(record.get("body poses", 0), relative(model.pose(q, name), pose))
        worst = {key: max(value, record.get(key, 0.0)) for key, value in worst.items()}
    return worst
