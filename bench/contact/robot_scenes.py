"""Robots of example_robot_data as scenes: one MJCF for all engines. Needs MuJoCo, whose reader it goes through."""

from __future__ import annotations

import subprocess
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from sysconfig import get_path
from typing import Any

import numpy as np

ROBOTS = {  # URDF in example_robot_data, and the height from which it is dropped, m
    "solo12": ("solo_description/robots/solo12.urdf", 0.4),
    "panda": ("panda_description/urdf/panda.urdf", 0.5),
    "romeo": ("romeo_description/urdf/romeo.urdf", 1.0),
}
FOLDER = Path(get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
ROBOT_SECONDS = 3.0
STICTION_TOLERANCE = 1e-4  # m/s, ours if a file says nothing
PROGRAM = Path(__file__).resolve().parents[2] / "build" / "bin" / "stickslip"


def make(name: str) -> dict[str, Any]:
    urdf, height = ROBOTS[name]
    return dict(name=name, mjcf=robot_mjcf(FOLDER / urdf, height), objects=[], g=9.81, vs=STICTION_TOLERANCE, T=ROBOT_SECONDS)


def for_drake(scene: dict[str, Any], model: Any) -> dict[str, Any]:
    """An MJCF without frames, which Drake's reader skips, and with what it does not take of it: `surfaces`, stiffness [N/m], dissipation [s/m] and
    friction by body, and `hinges`, the joints in their order."""
    import yaml

    with tempfile.TemporaryDirectory() as folder:
        text, mjcf = (convert(scene["mjcf"], Path(folder) / name).read_text() for name in ("robot.yaml", "robot.xml"))
    read = yaml.safe_load(text)
    surfaces = {}
    for body in read["bodies"]:
        for geometry in body.get("geometry", []):
            material = read["materials"][geometry["material"]]
            surfaces[body["name"]] = [float(material[key]) for key in ("stiffness", "dissipation", "friction")]
    return scene | dict(mjcf=mjcf, surfaces=surfaces, hinges=[name for name in model.joint_names if model.joint(name).nq == 1])


def convert(mjcf: str, target: Path) -> Path:
    """By the command line. Raises FileNotFoundError if it is not built, ValueError if it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "robot.xml"
        source.write_text(mjcf)
        done = subprocess.run([PROGRAM, "convert", source, target, "--force"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"cannot convert a robot to {target.name}: {done.stderr.strip()}")
    return target


def robot_mjcf(urdf: Path, drop_height: float) -> str:
    """The robot of a URDF as MJCF, for both engines: free base at a height, a floor, and on each link the box of the same mass and
    inertia, which touches the floor only. No meshes: each engine would make its own convex hulls of them."""
    import mujoco

    tree = ET.parse(urdf).getroot()
    for link in tree.findall("link"):
        for old in link.findall("visual") + link.findall("collision"):
            link.remove(old)
    for extra in [e for e in tree if e.tag not in ("link", "joint")]:
        tree.remove(extra)
    children = {j.find("child").get("link") for j in tree.findall("joint")}  # type: ignore[union-attr]
    root = next(link.get("name") for link in tree.findall("link") if link.get("name") not in children)
    if root != "world":
        ET.SubElement(tree, "link", name="world")
        base = ET.SubElement(tree, "joint", name="base", type="floating")
        ET.SubElement(base, "parent", link="world")
        ET.SubElement(base, "child", link=str(root))
        ET.SubElement(base, "origin", xyz=f"0 0 {drop_height}")
    spec = mujoco.MjSpec.from_string(ET.tostring(tree, encoding="unicode"))
    spec.compiler.boundmass, spec.compiler.boundinertia = 1e-3, 1e-6  # Romeo's fingers have no mass
    model = spec.compile()
    for body in spec.bodies[1:]:
        i = model.body(body.name).id
        mass, inertia = model.body_mass[i], model.body_inertia[i]
        if mass < 1e-4:
            continue
        half = np.sqrt(np.maximum(1e-6, 1.5 * (inertia.sum() - 2 * inertia) / mass))
        geom = body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=np.clip(half, 2e-3, None), pos=model.body_ipos[i], quat=model.body_iquat[i])
        geom.mass, geom.contype, geom.conaffinity = 0, 0, 1
    floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[10, 10, 1])
    floor.contype, floor.conaffinity = 1, 0
    spec.compile()
    return str(spec.to_xml())
