"""Solo12 of example-robot-data with spheres for feet, knees and the corners of its base: one URDF that we and Drake read.

Its own collision meshes would not be the same to both: Drake refuses their format, and would find one point a hull.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from sysconfig import get_path
from typing import Any

URDF = Path(get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots" / "solo_description" / "robots" / "solo12.urdf"
LEGS = ("FL", "FR", "HL", "HR")
BEND = 0.8  # rad, of the hips; knees bend back by twice that
ANGLES = {f"{leg}_{joint}": sign * angle for leg in LEGS for joint, angle in (("HFE", BEND), ("KFE", -2 * BEND)) for sign in [1 if leg[0] == "F" else -1]}
FOOT, KNEE, CORNER = 0.016, 0.02, 0.02  # m, radii
BASE = [[x, y, z] for x in (-0.2, 0.2) for y in (-0.06, 0.06) for z in (-0.02, 0.02)]  # m, the middles of its corners' spheres
LEG = 0.16  # m, of the upper and of the lower one
DROP = 0.1  # m, between the feet and the floor


def spheres(link: str) -> list[list[float]]:
    """x, y, z, radius."""
    if link == "base_link":
        return [[*place, CORNER] for place in BASE]
    if link.endswith("_LOWER_LEG"):
        return [[0.0, 0.0, 0.0, KNEE]]
    return [[0.0, 0.0, 0.0, FOOT]] if link.endswith("_FOOT") else []


def urdf(k: float, d: float, mu: float) -> str:
    """Drake finds its material in the spheres, we give ours with the include."""
    tree = ET.parse(URDF).getroot()
    tree.set("xmlns:drake", "http://drake.mit.edu")
    for link in tree.findall("link"):
        for old in [e for e in link if e.tag != "inertial"]:
            link.remove(old)
        for x, y, z, radius in spheres(str(link.get("name"))):
            collision = ET.SubElement(link, "collision")
            ET.SubElement(collision, "origin", xyz=f"{x} {y} {z}")
            ET.SubElement(ET.SubElement(collision, "geometry"), "sphere", radius=str(radius))
            material = ET.SubElement(collision, "drake:proximity_properties")
            for key, value in (("point_contact_stiffness", k), ("hunt_crossley_dissipation", d), ("mu_static", mu), ("mu_dynamic", mu)):
                ET.SubElement(material, f"drake:{key}", value=repr(value))
    return ET.tostring(tree, encoding="unicode")


def height() -> float:
    """Of the base, m."""
    from math import cos

    return DROP + FOOT + 2 * LEG * cos(BEND)


def scene(seconds: float = 3.0) -> dict[str, Any]:
    k, d, mu = 1e5, 10.0, 1.0
    walls = [{"name": "floor", "size": None, "p": [0.0, 0.0, 0.0]}]
    robot = {"urdf": urdf(k, d, mu), "height": height(), "joints": ANGLES}
    return {"objects": [], "walls": walls, "robot": robot, "k": k, "d": d, "mu": mu, "vs": 1e-4, "gravity": [0.0, 0.0, -9.81], "T": seconds}
