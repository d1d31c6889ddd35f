"""Small experiments with known answers, as plain dicts; our runs of them, Drake's, and what is measured.

A scene: `objects` (shape, mass, pose p, q = wxyz, velocities v, w in world axes, `feet` as x, y, z, radius), `walls` (no size: a half-space), and
stiffness `k`, dissipation `d`, friction `mu`, stiction tolerance `vs`, `gravity`, duration `T`. Walls are rigid. A `robot` comes as in robot.py.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import stickslip as ss

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "contact"))
import robot
import scenes
from drake_process import DrakeProcess, drake_version

Array = NDArray[np.float64]
Scene = dict[str, Any]
G = 9.81
LEVEL = [0.0, 0.0, -G]
FLOOR = {"name": "floor", "size": None, "p": [0.0, 0.0, 0.0]}
NO_TURN = [1.0, 0.0, 0.0, 0.0]
ANGLE = radians(20)
SPIN_SIZE, SPIN_V, SPIN_W = [1.0, 0.6, 0.3], [1.0, 2.0, 10.0], [0.05, 5.0, 0.05]


# ---------------------------------------------------------------------------------------------------------------- scenes
def scene(duration: float, k: float, d: float, mu: float, gravity: list[float], walls: list[Scene], *objects: Scene) -> Scene:
    return {"objects": list(objects), "walls": walls, "k": k, "d": d, "mu": mu, "vs": 1e-4, "gravity": gravity, "T": duration}


def slope(mu: float) -> Scene:
    """A cube on four feet at their depth of rest; gravity is tilted, not the floor."""
    feet = [[x, y, -0.045, 0.005] for x in (-0.045, 0.045) for y in (-0.045, 0.045)]
    box = {"shape": "feet", "size": [0.1] * 3, "mass": 1.0, "p": [0, 0, 0.05 - G * cos(ANGLE) / 4e5], "q": NO_TURN, "feet": feet}
    return scene(10.0, 1e5, 10.0, mu, [G * sin(ANGLE), 0.0, -G * cos(ANGLE)], [FLOOR], box)


TURNED = [cos(0.15) * cos(0.2), sin(0.15) * cos(0.2), cos(0.15) * sin(0.2), sin(0.15) * sin(0.2)]  # 0.4 rad about y, then 0.3 rad about x
SCENES: dict[str, Scene] = {
    "spin": scene(
        10.0, 1e5, 10.0, 0.5, LEVEL, [], {"shape": "none", "size": SPIN_SIZE, "mass": 1.0, "p": [0, 0, 0], "q": NO_TURN, "v": SPIN_V, "w": SPIN_W}
    ),
    "bounce": scene(10.0, 1e3, 0.0, 0.5, LEVEL, [FLOOR], {"shape": "sphere", "radius": 0.05, "mass": 0.1, "p": [0, 0, 1.05], "q": NO_TURN}),
    "roll": scene(2.0, 1e7, 500.0, 0.5, LEVEL, [FLOOR], {"shape": "sphere", "radius": 0.025, "mass": 0.5, "p": [0, 0, 0.075], "q": NO_TURN, "v": [2, 0, 0]}),
    "slide": slope(0.36),
    "creep": slope(0.5),
    "tumble": scene(
        0.6, 1e5, 10.0, 0.5, LEVEL, [FLOOR],
        {"shape": "box", "size": [0.1] * 3, "mass": 1.0, "p": [0, 0, 0.3], "q": TURNED, "v": [1.5, 0.2, 0], "w": [0.5, 3, 0.2]},
    ),
}  # fmt: skip


def add_throws(count: int) -> list[str]:
    """Names of scenes: the tumbling box, and others with velocities beside it; the same ones each time."""
    random, names = np.random.default_rng(3), ["tumble"]
    for i in range(1, count):
        box = SCENES["tumble"]["objects"][0]
        beside = {key: [float(x) for x in np.array(box[key]) * (1 + 0.05 * random.uniform(-1, 1, 3))] for key in ("v", "w")}
        names.append(f"tumble {i}")
        SCENES[names[-1]] = SCENES["tumble"] | {"objects": [box | beside]}
    return names


def find(name: str) -> Scene:
    """One of these, the robot, or a clutter, C4 or C5."""
    if name == "solo12":
        return robot.scene()
    return SCENES[name] if name in SCENES else scenes.make(name) | {"gravity": LEVEL}


def to_yaml(s: Scene) -> str:
    def listed(values: Any) -> str:
        return "[" + ", ".join(repr(float(x)) for x in values) + "]"

    lines = [f"gravity: {listed(s['gravity'])}", "materials:"]
    lines += [f"  object: {{stiffness: {s['k']!r}, dissipation: {s['d']!r}, friction: {s['mu']!r}, stiction_tolerance: {s['vs']!r}}}"]
    lines += [f"  wall: {{stiffness: .inf, friction: {s['mu']!r}, stiction_tolerance: {s['vs']!r}}}", "bodies:"]
    for i, o in enumerate(s["objects"]):
        shapes = [f"{{sphere: {{radius: {radius!r}}}, pose: {{position: {listed(place)}}}, material: object}}" for *place, radius in o.get("feet", [])]
        if o["shape"] == "sphere":
            shapes.append(f"{{sphere: {{radius: {o['radius']!r}}}, material: object}}")
            moments = [0.4 * o["mass"] * o["radius"] ** 2] * 3
        else:
            x, y, z = np.square(o["size"])
            moments = [o["mass"] * m / 12 for m in (y + z, x + z, x + y)]
            collides = "" if o["shape"] == "box" else ", collides: false"
            shapes.append(f"{{box: {{size: {listed(o['size'])}}}, material: object{collides}}}")
        inertia = "ixx: {!r}, iyy: {!r}, izz: {!r}".format(*(float(m) for m in moments))
        lines.append(f"  - name: o{i}\n    mass: {float(o['mass'])!r}\n    center: [0, 0, 0]\n    inertia: {{{inertia}}}")
        lines.append(f"    pose: {{position: {listed(o['p'])}, quaternion: {listed(o['q'])}}}")
        lines.append(f"    velocity: {{linear: {listed(o.get('v', [0, 0, 0]))}, angular: {listed(o.get('w', [0, 0, 0]))}}}")
        lines.append(f"    geometry: [{', '.join(shapes)}]")
    for w in s["walls"]:
        shape = f"box: {{size: {listed(w['size'])}}}" if w["size"] else "half_space: {}"
        lines.append(f"  - {{name: {w['name']}, fixed: true, pose: {{position: {listed(w['p'])}}}, geometry: [{{{shape}, material: wall}}]}}")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------------------------ runs
@dataclass(frozen=True)
class End:
    """Of the first object, and what it took."""

    p: Array
    R: Array
    v: Array
    w: Array  # world axes
    seconds: float  # CPU
    steps: int
    iterations: int = 0


@cache
def model(name: str) -> ss.Model:
    s = find(name)
    if "robot" not in s:
        return ss.from_string(to_yaml(s), format="yaml")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "robot.urdf").write_text(s["robot"]["urdf"])
        (Path(folder) / "scene.yaml").write_text(to_yaml(s) + include(s["robot"]))
        return ss.load(Path(folder) / "scene.yaml")


def include(r: Scene) -> str:
    joints = ", ".join(f"{name}: {angle!r}" for name, angle in r["joints"].items())
    return f"include:\n  - {{file: robot.urdf, base: floating, material: object, pose: {{position: [0, 0, {r['height']!r}]}}, joints: {{{joints}}}}}\n"


def ours(name: str, accuracy: float, until: float | None = None, **options: Any) -> End:
    sim = ss.Simulator(model(name), accuracy=accuracy, **options)
    began = time.process_time()
    sim.advance_to(until or find(name)["T"])
    seconds = time.process_time() - began
    body, report = sim.body("base_link" if name == "solo12" else "o0"), sim.report
    return End(body.pose[:3, 3], body.pose[:3, :3], body.velocity[:3], body.velocity[3:], seconds, report.steps, report.newton_iterations)


class Drake(DrakeProcess):
    """Drake's CENIC."""

    def __init__(self) -> None:
        super().__init__(HERE / "drake_cenic.py")

    def run(self, name: str, accuracy: float, until: float | None = None) -> End:
        """Cubes of the hard clutter have spheres along their surface."""
        scene = find(name)
        out = self.ask({"scene": scene | {"T": until or scene["T"]}, "accuracy": accuracy, "many_points": name == "C5"})
        if out["error"]:
            raise RuntimeError(f"Drake stopped: {out['error']}")
        p, R, v, w = (np.array(out[key][0]) for key in ("p", "R", "v", "w"))
        return End(p, R, v, w, out["seconds"], out["steps"])


def find_drake() -> Drake | None:
    return Drake() if drake_version() else None


# ---------------------------------------------------------------------------------------------------------------- errors
@cache
def reference(name: str, friction: str = "") -> End:
    return ours(name, 1e-8, method="cenic", weights="identity", friction=friction)


def spin_error(end: End) -> float:
    """Position, m."""
    return float(np.linalg.norm(end.p - np.array(SPIN_V) * 10 + [0, 0, G * 50]))


def spin_energy(end: End) -> float:
    x, y, z = np.square(SPIN_SIZE)
    inertia = np.array([y + z, x + z, x + y]) / 12
    spin = end.R.T @ end.w
    return float(spin @ (inertia * spin) / (np.array(SPIN_W) @ (inertia * SPIN_W)) - 1)


def bounce_energy(end: End) -> float:
    """Change, relative to that of 1 m."""
    depth = max(0.0, 0.05 - float(end.p[2]))
    return float((0.1 * G * (end.p[2] - 0.05) + 0.05 * end.v @ end.v + 500 * depth**2) / (0.1 * G) - 1)


def position_error(name: str, friction: str = "") -> Callable[[End], float]:
    """Along x, m."""
    return lambda end: float(abs(end.p[0] - reference(name, friction).p[0]))


def pose_error(name: str, friction: str = "") -> Callable[[End], float]:
    """The larger of way [m] and angle [rad]."""

    def error(end: End) -> float:
        true = reference(name, friction)
        turn = end.R.T @ true.R
        angle = np.arctan2(np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2, (np.trace(turn) - 1) / 2)
        return float(max(np.abs(end.p - true.p).max(), angle))

    return error
