"""Scenes of the speed comparison as plain dicts, and their texts for Stickslip (YAML) and MuJoCo (MJCF).

A scene: `objects` (spheres and boxes of 10 cm with the density of water, mass in kg, pose p, q = wxyz), `walls` (fixed boxes), `k` the
stiffness of an object in N/m (walls are rigid: object against wall k, against object k/2), dissipation `d` in s/m, friction `mu`,
stiction tolerance `vs` in m/s, relaxation time `tau` in s, gravity `g`, duration `T` in s. A robot has the text of its MJCF as `mjcf` instead.
Objects may have velocities `v` and `w` in world axes, and a wall without a size is a half-space.
Scenes that are cases of the papers have the name of the case; we read the case's own file.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from math import ceil, sqrt
from pathlib import Path
from sysconfig import get_path
from typing import Any

import numpy as np

Scene = dict[str, Any]

TIME_STEP = 2e-3
COLUMN_HEIGHT = 10  # spheres in a column of a pile
GRIDS = {20: (2, 1), 80: (4, 2), 320: (8, 4), 1000: (10, 10), 4000: (20, 20)}  # columns; other piles are nearly square
CASES = {"C4": "C4_soft_clutter", "C5": "C5_hard_clutter", "I7": "I7_clutter"}  # folders in cases/
ROBOTS = {  # URDF in example_robot_data, and the height from which it is dropped, m
    "solo12": ("solo_description/robots/solo12.urdf", 0.4),
    "panda": ("panda_description/urdf/panda.urdf", 0.5),
    "romeo": ("romeo_description/urdf/romeo.urdf", 1.0),
}
ROBOT_SECONDS = 3.0
# A column of the clutter, from below: shapes and rotations as the authors of CENIC drew them.
COLUMN: list[tuple[str, list[float]]] = [
    ("sphere", [0.5099079106943506, -0.24376463242633292, 0.6833604835984929, 0.46215925398655716]),
    ("box", [-0.2891934833710072, 0.5619607520122327, -0.7531342512852356, 0.18263636525789814]),
    ("sphere", [-0.464912601433292, -0.14151151460184994, -0.755215016734003, 0.43986480055021326]),
    ("sphere", [0.40148133661413554, 0.19192405749863045, 0.22091053500284352, -0.8678573777001306]),
    ("box", [-0.3924105578599426, 0.3861810434799521, -0.06935436493714552, -0.8319063215296234]),
    ("sphere", [0.20012782492051567, 0.848986472328815, 0.36221297378915746, 0.3285918214351552]),
    ("sphere", [-0.766964476819031, -0.12654809255311994, -0.026347068440748907, -0.628535522904995]),
    ("box", [-0.23274115474574752, -0.511959203489131, 0.3862018476869272, -0.7311480436229]),
    ("sphere", [-0.8213352615046798, -0.282122928313125, 0.3152134951866535, 0.3826950404451045]),
    ("box", [-0.17729144088509363, 0.5188315273760128, -0.5842290306431828, -0.5983795041136418]),
]


# --------------------------------------------------------------------------------------------------------------- scenes
def make(name: str) -> Scene:
    if name == "C4":
        soft = clutter(name, per_column=5, k=1e3, tau=0.01, duration=10.0)
        return soft | dict(objects=[make_object("sphere", o["p"], o["q"]) for o in soft["objects"]], vs=1e-2)
    if name == "C5":
        return clutter(name, per_column=5, k=1e5, tau=0.01, duration=10.0)
    if name == "I7":
        return clutter(name, per_column=10, k=1e7, tau=1e-4, duration=3.0)
    if name in ROBOTS:
        return robot(name)
    kind, _, count = name.partition("_")
    if kind == "pile" and count.isdecimal() and int(count) > 0:
        return pile(name, int(count))
    raise ValueError(f"no scene '{name}'")


def clutter(name: str, per_column: int, k: float, tau: float, duration: float) -> Scene:
    """Four columns of spheres and boxes that fall into a bin of 80 cm."""
    objects = []
    for x, y in [(0.2, 0.2), (-0.2, 0.2), (-0.2, -0.2), (0.2, -0.2)]:
        for i, (shape, q) in enumerate(COLUMN[:per_column]):
            objects.append(make_object(shape, [x + 1e-3 * (i + 1), y, 0.075 + 0.15 * i], q))
    return dict(name=name, objects=objects, walls=bin_walls(0.4, 0.4, 0.8), k=k, vs=1e-4, d=10.0, tau=tau, mu=1.0, T=duration, g=9.81)


def pile(name: str, count: int) -> Scene:
    """Columns of ten spheres on a grid of 20 cm, in a bin."""
    columns = -(-count // COLUMN_HEIGHT)
    side = ceil(sqrt(columns))
    columns_x, columns_y = GRIDS.get(count, (side, -(-columns // side)))
    rng = np.random.default_rng(7)
    objects: list[Scene] = []
    for a in range(columns_x):
        for b in range(columns_y):
            for i in range(min(COLUMN_HEIGHT, count - len(objects))):
                q = rng.normal(size=4)
                x = (a - (columns_x - 1) / 2) * 0.2 + rng.uniform(-0.01, 0.01)
                y = (b - (columns_y - 1) / 2) * 0.2 + rng.uniform(-0.01, 0.01)
                objects.append(make_object("sphere", [x, y, 0.09 + 0.175 * i], list(q / np.linalg.norm(q))))
    walls = bin_walls(0.1 * columns_x + 0.02, 0.1 * columns_y + 0.02, 1.95)
    return dict(name=name, objects=objects, walls=walls, k=1e5, vs=1e-4, d=10.0, tau=0.01, mu=0.5, T=2.0, g=9.81)


def make_object(shape: str, p: list[float], q: list[float]) -> Scene:
    pose = dict(p=[float(x) for x in p], q=[float(x) for x in q])
    if shape == "sphere":
        return dict(shape="sphere", radius=0.05, mass=1000 * 4 / 3 * np.pi * 0.05**3, **pose)
    return dict(shape="box", size=[0.1, 0.1, 0.1], mass=1.0, **pose)


def bin_walls(x: float, y: float, height: float, thickness: float = 0.04) -> list[Scene]:
    """A floor with its top at 0, and walls centred on +-x and +-y."""
    walls = [dict(name="floor", size=[40.0, 40.0, thickness], p=[0.0, 0.0, -thickness / 2])]
    for sign, suffix in [(1, "p"), (-1, "m")]:
        walls.append(dict(name="x" + suffix, size=[thickness, 2 * y, height], p=[sign * x, 0.0, height / 2]))
        walls.append(dict(name="y" + suffix, size=[2 * x, thickness, height], p=[0.0, sign * y, height / 2]))
    return walls


# ---------------------------------------------------------------------------------------------------------------- texts
def numbers(values: Any, separator: str) -> str:
    return separator.join(repr(float(x)) for x in values)


def to_yaml(scene: Scene) -> str:
    k, d, mu, vs = (float(scene[key]) for key in ("k", "d", "mu", "vs"))
    lines = [
        f"name: {scene['name']}",
        f"gravity: [0, 0, {-scene['g']}]",
        "materials:",
        f"  object: {{stiffness: {k}, dissipation: {d}, friction: {mu}, stiction_tolerance: {vs}}}",
        f"  wall: {{stiffness: .inf, friction: {mu}, stiction_tolerance: {vs}}}",
        "bodies:",
    ]
    for i, o in enumerate(scene["objects"]):
        shape = f"sphere: {{radius: {o['radius']}}}" if o["shape"] == "sphere" else f"box: {{size: [{numbers(o['size'], ', ')}]}}"
        pose = f"{{position: [{numbers(o['p'], ', ')}], quaternion: [{numbers(o['q'], ', ')}]}}"
        moving = "".join(f"{name}: [{numbers(o[key], ', ')}], " for key, name in (("v", "linear"), ("w", "angular")) if key in o)
        velocity = f"velocity: {{{moving}}}, " if moving else ""
        lines.append(f"  - {{name: o{i}, mass: {o['mass']!r}, pose: {pose}, {velocity}geometry: [{{{shape}, material: object}}]}}")
    if scene["walls"]:
        lines += ["  - name: bin", "    fixed: true", "    geometry:"]
    for w in scene["walls"]:
        shape = f"box: {{size: [{numbers(w['size'], ', ')}]}}" if w["size"] else "half_space: {}"
        lines.append(f"      - {{{shape}, pose: {{position: [{numbers(w['p'], ', ')}]}}, material: wall}}")
    return "\n".join(lines) + "\n"


def to_mjcf(scene: Scene, time_step: float, solver: str = "Newton") -> str:
    """Contacts matched to the scene's: a time constant of at least two steps, MuJoCo's bound of stability; critical damping; a constant
    impedance with which a sphere on one contact sinks in by about m g/k."""
    rate = scene["k"] / 0.5236  # k/m; (1 - d)/d k/m = 1/tc^2
    tc = max(2 * time_step, (0.05 / 0.95 * rate) ** -0.5)
    d = min(0.9999, 1 / (1 + 1 / (tc * tc * rate)))
    lines = [
        "<mujoco>",
        f'<option timestep="{time_step}" integrator="implicitfast" cone="elliptic" solver="{solver}" gravity="0 0 {-scene["g"]}"/>',
        '<size memory="1G"/>',
        f'<default><geom friction="{scene["mu"]} 0 0" condim="3" solref="{tc} 1" solimp="{d} {d} 0.001 0.5 2"/></default>',
        "<worldbody>",
    ]
    for w in scene["walls"]:
        lines.append(f'<geom name="{w["name"]}" type="box" size="{numbers(np.array(w["size"]) / 2, " ")}" pos="{numbers(w["p"], " ")}"/>')
    for o in scene["objects"]:
        size = numbers([o["radius"]] if o["shape"] == "sphere" else np.array(o["size"]) / 2, " ")
        lines.append(f'<body pos="{numbers(o["p"], " ")}" quat="{numbers(o["q"], " ")}"><freejoint/>')
        lines.append(f'<geom type="{o["shape"]}" size="{size}" mass="{o["mass"]!r}"/></body>')
    return "\n".join(lines + ["</worldbody>", "</mujoco>"])


# --------------------------------------------------------------------------------------------------------------- robots
def robot(name: str) -> Scene:
    """Of example_robot_data; needs MuJoCo, whose reader it goes through."""
    urdf, height = ROBOTS[name]
    robots = Path(get_path("purelib")) / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
    return dict(name=name, mjcf=robot_mjcf(robots / urdf, height), objects=[], T=ROBOT_SECONDS)


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
