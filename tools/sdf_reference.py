#!/usr/bin/env python3
"""Writes tests/sdf/drake.json: what Drake makes of the SDF files there, for tests/test_sdf.py to compare with.

Usage: python tools/sdf_reference.py            (a Python with the packages of tools/requirements-bench.txt)
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, JointIndex

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "sdf"
STATES = 3


def load(path: Path) -> MultibodyPlant:
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    parser.package_map().PopulateFromFolder(str(FOLDER))
    parser.package_map().Add("pointer", str(FOLDER / "pointer"))
    parser.AddModels(str(path))
    plant.Finalize()
    return plant


def scoped(plant: MultibodyPlant, element: Any, single: bool) -> str:
    """As we name it: without the model's name where the file has one model only."""
    instance = str(plant.GetModelInstanceName(element.model_instance()))
    words = [] if instance in ("WorldModelInstance", "DefaultModelInstance") else instance.split("::")
    return "::".join([*(words[1:] if single else words), str(element.name())])


def answers(path: Path, random: np.random.Generator) -> dict[str, Any]:
    plant = load(path)
    single = "<world" not in path.read_text()
    bodies = [plant.get_body(BodyIndex(i)) for i in range(1, plant.num_bodies())]
    joints = [plant.get_joint(JointIndex(i)) for i in range(plant.num_joints())]
    moving = [j for j in joints if j.num_velocities() > 0 and j.type_name() != "quaternion_floating"]
    floating = [b for b in bodies if b.is_floating_base_body()]
    context = plant.CreateDefaultContext()
    out: dict[str, Any] = {
        "nv": plant.num_velocities(),
        "masses": {scoped(plant, b, single): b.get_mass(context) for b in bodies},
        "start": {scoped(plant, b, single): b.EvalPoseInWorld(context).GetAsMatrix4().tolist() for b in bodies},
        "states": [],
    }
    columns = [["", 0]] * plant.num_velocities()
    for joint in moving:
        for k in range(joint.num_velocities()):
            columns[joint.velocity_start() + k] = [scoped(plant, joint, single), k]
    for body in floating:
        for k in range(6):
            columns[body.floating_velocities_start_in_v() + k] = [scoped(plant, body, single), k]
    out["columns"] = columns
    for _ in range(STATES):
        q = plant.GetPositions(context)
        state: dict[str, Any] = {"joints": {}, "floating": {}}
        for joint in moving:
            value = random.uniform(-1, 1, joint.num_positions())
            q[joint.position_start() : joint.position_start() + joint.num_positions()] = value
            state["joints"][scoped(plant, joint, single)] = value.tolist()
        for body in floating:
            quaternion = random.normal(size=4)
            value = np.concatenate([quaternion / np.linalg.norm(quaternion), random.uniform(-1, 1, 3)])
            q[body.floating_positions_start() : body.floating_positions_start() + 7] = value
            state["floating"][scoped(plant, body, single)] = value.tolist()
        plant.SetPositions(context, q)
        state["poses"] = {scoped(plant, b, single): b.EvalPoseInWorld(context).GetAsMatrix4().tolist() for b in bodies}
        state["mass_matrix"] = plant.CalcMassMatrix(context).tolist()
        out["states"].append(state)
    return out


def main() -> None:
    random = np.random.default_rng(0)
    files = {path.name: answers(path, random) for path in sorted(FOLDER.glob("*.sdf"))}
    text = json.dumps({"drake": version("drake"), "files": files})
    (FOLDER / "drake.json").write_text(text + "\n")


main()
