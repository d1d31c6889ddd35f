"""A quadruped falls on the floor: cost and penetration with fixed steps and with error control (CENIC VII-C, figure 11)."""

from __future__ import annotations

import importlib.util
import sysconfig
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import stickslip as ss

from cases.harness import CASES, Array, Result, pending, save, subplots, verdict

SHARE = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share"
ROBOT = SHARE / "example-robot-data" / "robots" / "solo_description" / "robots" / "solo12.urdf"
UNTIL = 3.0
BUDGET = 2 * UNTIL  # s of CPU time, after which a run is given up: it is slower than real time anyway
FLOOR = 1  # index of the body
RUNS: dict[str, dict[str, Any]] = {
    "fixed, 10 ms": {"method": "lagged", "time_step": 1e-2},
    "fixed, 1 ms": {"method": "lagged", "time_step": 1e-3},
    "cenic, 1e-1": {"method": "cenic", "accuracy": 1e-1},
    "cenic, 1e-3": {"method": "cenic", "accuracy": 1e-3},
    "cenic, 1e-5": {"method": "cenic", "accuracy": 1e-5},
}
IMPACT = "at 1e-5 three quarters of the steps are those of the 0.2 s after the first touch, of some microseconds each; few are rejected"
DEEPER = "MuJoCo's default contacts have a time constant of 20 ms, whatever the weight"


@dataclass(frozen=True)
class Fall:
    seconds: float  # CPU time of the steps
    deepest: float  # m, into the floor
    t: Array  # s
    height: Array  # m, of the base

    @property
    def finished(self) -> bool:
        return bool(self.t[-1] >= UNTIL - 1e-9)


def model() -> ss.Model:
    text = (CASES / "C9_quadruped" / "scene.yaml").read_text().replace("ROBOT\n", f"{ROBOT}\n")
    return ss.from_string(text, format="yaml", package_path=[str(SHARE)])


def replay() -> ss.Trajectory:
    return ss.simulate(model(), sample_rate=60)


def fall(solo: ss.Model, **options: Any) -> Fall:
    sim = ss.Simulator(solo, **options)
    seconds, deepest, rows = 0.0, 0.0, [(0.0, float(sim.q[2]))]
    while sim.time < UNTIL - 1e-9 and seconds < BUDGET:
        began = time.process_time()
        sim.step()
        seconds += time.process_time() - began
        rows.append((sim.time, float(sim.q[2])))
        contacts = sim.contacts
        deepest = max(deepest, max(contacts["depth"][contacts["body_a"] == FLOOR], default=0.0))
    t, height = (np.array(column) for column in zip(*rows, strict=True))
    return Fall(seconds, deepest, t, height)


# ------------------------------------------------------------------------------------------------------------- MuJoCo
def mujoco_fall(start: Array, time_step: float) -> Fall:
    """The same robot with MuJoCo's own default contacts."""
    import mujoco

    tree = ET.parse(ROBOT).getroot()
    assets = {}
    for mesh in tree.iter("mesh"):
        file = SHARE / mesh.attrib["filename"].removeprefix("package://")
        assets[file.name] = file.read_bytes()
    for visual in [(link, v) for link in tree.iter("link") for v in link.findall("visual")]:
        visual[0].remove(visual[1])
    ET.SubElement(tree, "link", name="world")
    base = ET.SubElement(tree, "joint", name="base", type="floating")
    ET.SubElement(base, "parent", link="world")
    ET.SubElement(base, "child", link="base_link")
    spec = mujoco.MjSpec.from_string(ET.tostring(tree, encoding="unicode"), assets=assets)
    spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[10, 10, 1])
    for leg in ("FL", "FR", "HL", "HR"):
        spec.add_exclude(bodyname1="base_link", bodyname2=f"{leg}_UPPER_LEG")
    compiled = spec.compile()
    compiled.opt.timestep = time_step
    data = mujoco.MjData(compiled)
    data.qpos[:] = start
    floor = compiled.geom("floor").id
    seconds, deepest, rows = 0.0, 0.0, [(0.0, float(data.qpos[2]))]
    for _ in range(round(UNTIL / time_step)):
        began = time.process_time()
        mujoco.mj_step(compiled, data)
        seconds += time.process_time() - began
        rows.append((data.time, float(data.qpos[2])))
        on_floor = (data.contact.geom == floor).any(axis=1)
        deepest = max(deepest, max(-data.contact.dist[on_floor], default=0.0))
    t, height = (np.array(column) for column in zip(*rows, strict=True))
    return Fall(seconds, float(deepest), t, height)


# -------------------------------------------------------------------------------------------------------------- check
def check(figure: Path) -> list[Result]:
    if not ROBOT.exists():
        return [pending("a quadruped falls on the floor", "the package example-robot-data is not installed")]
    solo = model()
    runs = {name: fall(solo, **options) for name, options in RUNS.items()}
    mujoco = mujoco_fall(solo.q0, 1e-3) if importlib.util.find_spec("mujoco") else None
    plot(runs, mujoco, figure)
    seconds = {name: r.seconds for name, r in runs.items()}
    listed = (f"{name}: {r.seconds:.2f} s" + ("" if r.finished else f" for {r.t[-1]:.1f} s, then given up") for name, r in runs.items())
    reference = runs["cenic, 1e-5"].deepest
    results = [
        verdict(
            "faster than real time, with fixed steps and at every accuracy",
            ", ".join(listed),
            f"< {UNTIL:g} s",
            max(seconds.values()) < UNTIL,
            "the claim itself; CPU time of one core",
            IMPACT,
        ),
        verdict(
            "error control at 1e-3 costs about what fixed steps of 1 ms do",
            f"{seconds['cenic, 1e-3'] / seconds['fixed, 1 ms']:.1f} times",
            "0.2 to 5 times",
            0.2 <= seconds["cenic, 1e-3"] / seconds["fixed, 1 ms"] <= 5,
            "the paper's 'comparable'; its own figures are within a factor of five of each other",
        ),
        verdict(
            "with error control the robot sinks in as deep as the material says",
            ", ".join(f"{name}: {1e3 * r.deepest:.2f} mm" for name, r in runs.items()),
            "within half of that at 1e-5",
            all(0.5 <= r.deepest / reference <= 1.5 for name, r in runs.items() if name.startswith("cenic")),
            "the steps of an impact differ from run to run; of fixed steps nothing of this kind is asked",
        ),
    ]
    claim = "less penetration than MuJoCo at steps of 1 ms"
    if mujoco is None:
        return [*results, pending(claim, "MuJoCo is not installed")]
    ours = runs["fixed, 1 ms"].deepest
    results.append(
        verdict(claim, f"{1e3 * ours:.2f} mm, MuJoCo {1e3 * mujoco.deepest:.2f} mm", "less", ours < mujoco.deepest, "the claim is of the order", DEEPER)
    )
    return results


def plot(runs: dict[str, Fall], mujoco: Fall | None, path: Path) -> None:
    figure, axes = subplots(3)
    everything = runs | ({"MuJoCo, 1 ms": mujoco} if mujoco else {})
    colors = {name: color for name, color in zip(everything, ("#2a9d4e", "#176b33", "#f2b27a", "#d1731a", "#7a3d05", "#555555"), strict=False)}
    for name, r in everything.items():
        axes[0, 0].plot(r.t, r.height, color=colors[name], label=name)
    bars = list(everything)
    axes[0, 1].barh(bars, [r.seconds for r in everything.values()], color=list(colors.values()))
    axes[0, 2].barh(bars, [1e3 * r.deepest for r in everything.values()], color=list(colors.values()))
    axes[0, 0].set(xlabel="t [s]", ylabel="height of the base [m]", xlim=(0, 1.5))
    axes[0, 1].set(xlabel="CPU time of 3 s [s]")
    axes[0, 2].set(xlabel="deepest penetration [mm]")
    for column in (1, 2):
        axes[0, column].invert_yaxis()
    axes[0, 0].legend()
    save(figure, path)
