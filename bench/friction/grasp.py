"""The grasp: a cylinder of 0.3 kg between two pads on sliders, each pressed on by a constant force, on a carriage that stands still or is shaken.

The cylinder lies along y, the pads press on its ends with four small spheres each, which every engine sees as four points a pad. Gravity acts along -z, the
carriage moves along x: both across the pads. One dict of numbers for all engines.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

from friction_scenes import LEVEL, G, materials, regularized_creep, scene

Grasp = dict[str, Any]

MASS, FRICTION = 0.3, 0.5
NEEDED = MASS * G / (2 * FRICTION)  # N, of each pad, to hold the cylinder still
SHAKE = 0.5 * G  # m/s^2, the carriage's largest acceleration
SQUEEZES = (2, 20, 95)  # times the force needed
FREQUENCIES = (0, 1, 5)  # Hz
SETTLED, UNTIL = 1.0, 60.0  # s; whole periods
LENGTH, RADIUS, SPREAD = 0.06, 0.03, 0.015  # m, of the cylinder; of the feet to both sides of the pad's middle
LOST = sqrt(RADIUS**2 - SPREAD**2) - SPREAD  # m: where the upper feet leave the cylinder


def grasp(squeeze: float, frequency: float) -> Grasp:
    """`stiffness` is a foot's: four feet have 1e6 N/m, and 95 times the force needed presses them in by 0.28 mm."""
    rate = 2 * pi * frequency
    force, stiffness = squeeze * NEEDED, 2.5e5
    return {
        "mass": MASS, "length": LENGTH, "radius": RADIUS, "friction": FRICTION,
        "stiffness": stiffness, "dissipation": 10.0, "stiction_tolerance": 1e-4,
        "foot": 0.005, "feet": [[x, z] for x in (-SPREAD, SPREAD) for z in (-SPREAD, SPREAD)],
        "pad_mass": 0.2, "pad_damping": 20.0, "carriage_mass": 1.0,
        "force": force, "overlap": force / (4 * stiffness),
        "rate": rate, "acceleration": SHAKE if frequency else 0.0, "speed": -SHAKE / rate if frequency else 0.0,
    }  # fmt: skip


def pad_place(g: Grasp) -> float:
    """Of the feet's middles along y, to both sides."""
    return float(g["length"] / 2 + g["foot"] - g["overlap"])


def carried_mass(g: Grasp) -> float:
    """What the carriage's force has to shake where nobody prescribes its motion: x'' = a sin(rate t), x' = -a/rate cos(rate t)."""
    return float(g["carriage_mass"] + 2 * g["pad_mass"] + g["mass"])


def load(squeeze: float) -> float:
    """What gravity asks of the cone, standing still."""
    return 1 / squeeze


def regularized_slip(squeeze: float) -> float:
    """Of regularised friction standing still [m]."""
    return regularized_creep(load(squeeze)) * (UNTIL - SETTLED)


def largest_load(squeeze: float) -> float:
    """Shaken."""
    return sqrt(1 + (SHAKE / G) ** 2) / squeeze


def to_yaml(g: Grasp) -> str:
    """Ours: the carriage's motion is prescribed."""
    inertia = "inertia: {ixx: 1.0e-4, iyy: 1.0e-4, izz: 1.0e-4}"
    feet = ", ".join(f"{{sphere: {{radius: {g['foot']}}}, pose: {{position: [{x}, 0, {z}]}}, material: soft}}" for x, z in g["feet"])
    shape = f"{{cylinder: {{radius: {g['radius']}, length: {g['length']}}}, pose: {{rpy: [{pi / 2!r}, 0, 0]}}, material: rigid}}"
    bodies = [
        f"  - {{name: cylinder, mass: {g['mass']}, velocity: {{linear: [{g['speed']!r}, 0, 0]}}, geometry: [{shape}]}}",
        f"  - {{name: carriage, mass: {g['carriage_mass']}, {inertia}{', fixed: true' if g['rate'] == 0 else ''}}}",
    ]
    joints, motors = [], []
    if g["rate"]:
        motion = f"motion: {{amplitude: {g['acceleration'] / g['rate'] ** 2!r}, frequency: {g['rate'] / (2 * pi)!r}, phase: {pi!r}}}"
        joints.append(f"  - {{name: shaker, type: prismatic, child: carriage, axis: [1, 0, 0], {motion}}}")
    for name, side in (("left", -1), ("right", 1)):
        bodies.append(f"  - {{name: {name}, mass: {g['pad_mass']}, center: [0, 0, 0], {inertia}, geometry: [{feet}]}}")
        place = f"pose: {{position: [0, {side * pad_place(g)!r}, 0]}}"
        joints.append(f"  - {{name: {name}, type: prismatic, parent: carriage, child: {name}, axis: [0, 1, 0], {place}, damping: {g['pad_damping']}}}")
        motors.append(f"  - {{name: {name}, joint: {name}, type: motor, control: {-side * g['force']!r}}}")
    surface = materials(g["stiffness"], g["dissipation"], g["friction"])
    return scene(LEVEL, surface, "bodies:", *bodies, "joints:", *joints, "actuators:", *motors)
