"""Whether other engines load a robot file, each in a process of its own: some of them crash, and some never end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LONGEST = 60.0  # seconds for one file
ENGINES = ("stickslip", "mujoco", "drake", "pinocchio", "pybullet")


def _stickslip(path: Path) -> dict[str, Any]:
    import stickslip as ss

    model = ss.load(path)
    masses = {warning.code for warning in model.warnings} & {"inferred-inertial", "repaired-inertia"}
    return {"repaired": sorted(masses), "nv": int(model.nv), "mass": float(model.total_mass)}


def _moves(path: Path) -> dict[str, Any]:
    """Simulates it for 0.2 s with all defaults; an exception if that stops early or ends with numbers that are none."""
    import numpy as np

    import stickslip as ss

    simulator = ss.Simulator(ss.load(path))
    simulator.advance_to(0.2)
    if not (np.isfinite(simulator.q).all() and np.isfinite(simulator.v).all()):
        raise ArithmeticError("not finite")
    return {}


def _mujoco(path: Path) -> dict[str, Any]:
    import mujoco

    if path.suffix in (".sdf", ".world"):
        raise ValueError("no reader for SDF")
    model = mujoco.MjModel.from_xml_path(str(path))
    return {"nv": int(model.nv), "mass": float(model.body_mass.sum())}


def load_drake(path: Path) -> Any:  # a MultibodyPlant
    """With a scene graph, so that collision geometry is read too, and every folder above the file as a package."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=0.0)
    parser = Parser(plant)
    packages = parser.package_map()
    for ancestor in path.resolve().parents:
        if ancestor.name and not packages.Contains(ancestor.name):
            packages.Add(ancestor.name, str(ancestor))
    parser.AddModels(str(path))
    plant.Finalize()
    return plant


def _drake(path: Path) -> dict[str, Any]:
    plant = load_drake(path)
    mass = plant.CalcTotalMass(plant.CreateDefaultContext())
    return {"nv": int(plant.num_velocities()), "mass": float(mass)}


def _pinocchio(path: Path) -> dict[str, Any]:
    """The mechanism alone; meshes are another call, which most users of Pinocchio never make."""
    import pinocchio as pin

    if path.suffix in (".sdf", ".world"):
        built = pin.buildModelFromSdf(str(path), "", [])
        model = built[0] if isinstance(built, tuple) else built
    elif path.suffix == ".urdf":
        model = pin.buildModelFromUrdf(str(path))
    else:
        model = pin.buildModelFromMJCF(str(path))
        model = model[0] if isinstance(model, tuple) else model
    return {"nv": int(model.nv), "mass": float(sum(inertia.mass for inertia in model.inertias))}


def _pybullet(path: Path) -> dict[str, Any]:
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    pybullet.setAdditionalSearchPath(str(path.parent))
    load = {".urdf": pybullet.loadURDF, ".xml": pybullet.loadMJCF}.get(path.suffix, pybullet.loadSDF)
    bodies = load(str(path))
    bodies = [bodies] if isinstance(bodies, int) else list(bodies)
    mass, nv = 0.0, 0
    for body in bodies:
        joints = range(pybullet.getNumJoints(body))
        nv += sum(pybullet.getJointInfo(body, i)[2] != pybullet.JOINT_FIXED for i in joints)
        mass += sum(pybullet.getDynamicsInfo(body, i)[0] for i in range(-1, len(joints)))
    pybullet.disconnect(client)
    return {"nv": nv, "mass": mass}


_LOADERS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "stickslip": _stickslip,
    "moves": _moves,
    "mujoco": _mujoco,
    "drake": _drake,
    "pinocchio": _pinocchio,
    "pybullet": _pybullet,
}


def _answer(loader: Callable[[Path], dict[str, Any]], path: Path) -> dict[str, Any]:
    try:
        return {"loads": True, **loader(path)}
    except BaseException as error:  # engines raise many kinds
        return {"loads": False, "reason": " ".join(f"{type(error).__name__}: {error}".split())[:300]}


def isolated(loader: Callable[[Path], dict[str, Any]], path: Path, longest: float = LONGEST) -> dict[str, Any]:
    """What the loader says of the file, or how its process ended."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        with contextlib.suppress(Exception), open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
            os.write(writable, json.dumps(_answer(loader, path)).encode())
        os._exit(0)
    os.close(writable)
    deadline = time.monotonic() + longest
    status = None
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(readable)
        return {"loads": False, "reason": f"did not end within {longest:g} s"}
    with os.fdopen(readable, "rb") as pipe:
        text = pipe.read()
    if text:
        result: dict[str, Any] = json.loads(text)
        return result
    return {"loads": False, "reason": f"crashed ({signal.Signals(status & 0x7F).name if status and status & 0x7F else status})"}


def load_with(engine: str, path: Path) -> dict[str, Any]:
    return isolated(_LOADERS[engine], path)
