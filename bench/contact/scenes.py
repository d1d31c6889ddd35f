"""Scenes of the speed comparison as plain dicts; `scene_texts.py` makes their texts for Stickslip (YAML) and MuJoCo (MJCF).

A scene: `objects` (spheres, boxes, capsules, cylinders with the density of water, mass in kg, pose p, q = wxyz), `walls` (fixed boxes), `k` the
stiffness of an object in N/m (walls are rigid: object against wall k, against object k/2), dissipation `d` in s/m, friction `mu`,
stiction tolerance `vs` in m/s, relaxation time `tau` in s, gravity `g`, duration `T` in s. A robot has the text of its MJCF as `mjcf` instead.
Objects may have velocities `v` and `w` in world axes, and a wall without a size is a half-space.
Scenes that are cases of the papers have the name of the case; we read the case's own file.
"""

from __future__ import annotations

from math import ceil, pi, sqrt
from typing import Any

import numpy as np
import robot_scenes as robots

Scene = dict[str, Any]

TIME_STEP = 2e-3
COLUMN_HEIGHT = 10  # objects in a column of a pile
GRIDS = {20: (2, 1), 80: (4, 2), 320: (8, 4), 1000: (10, 10), 4000: (20, 20)}  # columns; other piles are nearly square
CASES = {"C4": "C4_soft_clutter", "C5": "C5_hard_clutter", "I7": "I7_clutter"}  # folders in cases/
DENSITY = 1000.0  # kg/m^3
MIXTURE = ("sphere", "box", "capsule", "cylinder")  # of a mixed pile, one after the other
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
    if name in robots.ROBOTS:
        return robots.make(name)
    kind, _, count = name.partition("_")
    shapes = {"pile": ("sphere",), "mixed": MIXTURE}.get(kind)
    if shapes and count.isdecimal() and int(count) > 0:
        return pile(name, int(count), shapes)
    raise ValueError(f"no scene '{name}'")


def clutter(name: str, per_column: int, k: float, tau: float, duration: float) -> Scene:
    """Four columns of spheres and boxes that fall into a bin of 80 cm."""
    objects = []
    for x, y in [(0.2, 0.2), (-0.2, 0.2), (-0.2, -0.2), (0.2, -0.2)]:
        for i, (shape, q) in enumerate(COLUMN[:per_column]):
            objects.append(make_object(shape, [x + 1e-3 * (i + 1), y, 0.075 + 0.15 * i], q))
    return dict(name=name, objects=objects, walls=bin_walls(0.4, 0.4, 0.8), k=k, vs=1e-4, d=10.0, tau=tau, mu=1.0, T=duration, g=9.81)


def pile(name: str, count: int, shapes: tuple[str, ...] = ("sphere",)) -> Scene:
    """Columns of ten objects on a grid of 20 cm, in a bin."""
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
                objects.append(make_object(shapes[len(objects) % len(shapes)], [x, y, 0.09 + 0.175 * i], list(q / np.linalg.norm(q))))
    walls = bin_walls(0.1 * columns_x + 0.02, 0.1 * columns_y + 0.02, 1.95)
    return dict(name=name, objects=objects, walls=walls, k=1e5, vs=1e-4, d=10.0, tau=0.01, mu=0.5, T=2.0, g=9.81)


def make_object(shape: str, p: list[float], q: list[float]) -> Scene:
    """About 10 cm large. The length of a capsule is that of its cylindrical part, along z as a cylinder's."""
    pose = dict(p=[float(x) for x in p], q=[float(x) for x in q])
    if shape == "sphere":
        return dict(shape=shape, radius=0.05, mass=DENSITY * 4 / 3 * pi * 0.05**3, **pose)
    if shape == "capsule":
        radius, length = 0.035, 0.07
        return dict(shape=shape, radius=radius, length=length, mass=DENSITY * pi * radius**2 * (length + 4 / 3 * radius), **pose)
    if shape == "cylinder":
        radius, length = 0.04, 0.1
        return dict(shape=shape, radius=radius, length=length, mass=DENSITY * pi * radius**2 * length, **pose)
    return dict(shape="box", size=[0.1, 0.1, 0.1], mass=1.0, **pose)


def bin_walls(x: float, y: float, height: float, thickness: float = 0.04) -> list[Scene]:
    """A floor with its top at 0, and walls centred on +-x and +-y."""
    walls = [dict(name="floor", size=[40.0, 40.0, thickness], p=[0.0, 0.0, -thickness / 2])]
    for sign, suffix in [(1, "p"), (-1, "m")]:
        walls.append(dict(name="x" + suffix, size=[thickness, 2 * y, height], p=[sign * x, 0.0, height / 2]))
        walls.append(dict(name="y" + suffix, size=[2 * x, thickness, height], p=[0.0, sign * y, height / 2]))
    return walls
