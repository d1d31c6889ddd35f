"""A scene of `scenes.py` as text: YAML for Stickslip, MJCF for MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np
from scenes import Scene


def numbers(values: Any, separator: str) -> str:
    return separator.join(repr(float(x)) for x in values)


def shape_yaml(o: Scene) -> str:
    """Of a geometry, as a flow mapping's entry."""
    if o["shape"] == "sphere":
        return f"sphere: {{radius: {o['radius']}}}"
    if o["shape"] == "box":
        return f"box: {{size: [{numbers(o['size'], ', ')}]}}"
    return f"{o['shape']}: {{radius: {o['radius']}, length: {o['length']}}}"


def mjcf_size(o: Scene) -> list[float]:
    """Half lengths, as MuJoCo has them."""
    if o["shape"] == "box":
        return [x / 2 for x in o["size"]]
    return [o["radius"]] if o["shape"] == "sphere" else [o["radius"], o["length"] / 2]


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
        pose = f"{{position: [{numbers(o['p'], ', ')}], quaternion: [{numbers(o['q'], ', ')}]}}"
        moving = "".join(f"{name}: [{numbers(o[key], ', ')}], " for key, name in (("v", "linear"), ("w", "angular")) if key in o)
        velocity = f"velocity: {{{moving}}}, " if moving else ""
        lines.append(f"  - {{name: o{i}, mass: {o['mass']!r}, pose: {pose}, {velocity}geometry: [{{{shape_yaml(o)}, material: object}}]}}")
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
        lines.append(f'<body pos="{numbers(o["p"], " ")}" quat="{numbers(o["q"], " ")}"><freejoint/>')
        lines.append(f'<geom type="{o["shape"]}" size="{numbers(mjcf_size(o), " ")}" mass="{o["mass"]!r}"/></body>')
    return "\n".join(lines + ["</worldbody>", "</mujoco>"])
