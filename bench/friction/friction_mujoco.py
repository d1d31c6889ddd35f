"""MuJoCo on the slope and on the grasp."""

from __future__ import annotations

import time
from math import sin
from typing import Any

import mujoco
from friction_scenes import ANGLE, FEET, LEVEL, SIDE, SLOPE_HEIGHT, tilted
from grasp import Grasp, carried_mass, pad_place

TIME_STEP = 0.002
RECOMMENDED = {"cone": "elliptic", "impratio": "100", "solver": "Newton"}
STIFF = 'solref="0.004 1" solimp="0.99 0.99 0.001 0.5 2"'  # two steps: the stiffest that its manual allows

# Options and the geoms' softness. Pyramidal cones, impratio 1 and Newton are MuJoCo's defaults.
SETTINGS: dict[str, tuple[dict[str, str], str]] = {
    "default, 2 ms": ({}, ""),
    "elliptic, impratio 100, 2 ms": (RECOMMENDED, ""),
    "elliptic, impratio 100, solref 0.004, 2 ms": (RECOMMENDED, STIFF),
    "elliptic, impratio 100, noslip 10, 2 ms": (RECOMMENDED | {"noslip_iterations": "10"}, ""),
}


def version() -> str:
    return str(mujoco.__version__)


def model(setting: str, friction: float, gravity: Any, body: str, more: str = "") -> Any:
    options, softness = SETTINGS[setting]
    option = " ".join(f'{key}="{value}"' for key, value in options.items())
    down = " ".join(repr(float(x)) for x in gravity)
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option timestep="{TIME_STEP}" gravity="{down}" {option}/>'
        f'<default><geom friction="{friction!r} 0 0" condim="3" {softness}/></default><worldbody>{body}</worldbody>{more}</mujoco>'
    )


def depth(data: Any) -> float:
    return float(max(0.0, -data.contact.dist.min())) if data.ncon else 0.0


def slope(setting: str, friction: float, times: list[float]) -> dict[str, Any]:
    feet = "".join(f'<geom type="sphere" size="{r}" pos="{x} {y} {z}" mass="0"/>' for x, y, z, r in FEET)
    moment = SIDE**2 / 6
    inertia = f'<inertial pos="0 0 0" mass="1" diaginertia="{moment} {moment} {moment}"/>'
    body = f'<geom type="plane" size="0 0 1"/><body pos="0 0 {SLOPE_HEIGHT!r}"><freejoint/>{inertia}{feet}</body>'
    m = model(setting, friction, tilted(ANGLE), body)
    data = mujoco.MjData(m)
    began, places, done = time.process_time(), [], 0
    for t in times:
        mujoco.mj_step(m, data, round(t / TIME_STEP) - done)
        done = round(t / TIME_STEP)
        places.append(data.qpos[:3].tolist())
    return {"places": places, "seconds": time.process_time() - began, "depth": depth(data)}


def hold_model(setting: str, g: Grasp) -> Any:
    feet = "".join(f'<geom type="sphere" size="{g["foot"]}" pos="{x} 0 {z}" mass="0"/>' for x, z in g["feet"])
    inertia = 'diaginertia="1e-4 1e-4 1e-4"'
    pads = "".join(
        f'<body pos="0 {side * pad_place(g)!r} 0"><joint name="{name}" type="slide" axis="0 1 0" damping="{g["pad_damping"]}"/>'
        f'<inertial pos="0 0 0" mass="{g["pad_mass"]}" {inertia}/>{feet}</body>'
        for name, side in (("left", -1), ("right", 1))
    )
    slider = '<joint name="shaker" type="slide" axis="1 0 0"/>'
    carriage = f'<body>{slider}<inertial pos="0 0 0" mass="{g["carriage_mass"]}" {inertia}/>{pads}</body>'
    size = f'{g["radius"]} {g["length"] / 2}'
    cylinder = f'<body><freejoint/><geom type="cylinder" size="{size}" euler="1.5707963267948966 0 0" mass="{g["mass"]}"/></body>'
    motors = "<actuator>" + "".join(f'<motor joint="{name}"/>' for name in ("left", "right", "shaker")) + "</actuator>"
    return model(setting, g["friction"], LEVEL, carriage + cylinder, motors)


def hold(setting: str, g: Grasp, times: list[float]) -> dict[str, Any]:
    m = hold_model(setting, g)
    data = mujoco.MjData(m)
    data.ctrl[:2] = g["force"], -g["force"]
    data.qvel[0] = data.qvel[3] = g["speed"]  # of the carriage, and of the cylinder, which comes after carriage and pads
    push = carried_mass(g) * g["acceleration"]
    began, places, done = time.process_time(), [], 0
    for t in times:
        while done < round(t / TIME_STEP):
            data.ctrl[2] = push * sin(g["rate"] * data.time)
            mujoco.mj_step(m, data)
            done += 1
        places.append((data.qpos[3:6] - [data.qpos[0], 0, 0]).tolist())
    return {"places": places, "seconds": time.process_time() - began, "depth": depth(data)}
