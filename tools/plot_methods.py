#!/usr/bin/env python3
"""Draws the pictures of docs/methods/, what each model of contact does that nature does not, and the ball of the README.

Usage: plot_methods.py [lagged] [similar] [sap] [bouncing_ball]; by default all, into docs/images/.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle
from numpy.typing import NDArray

import stickslip as ss

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
COLORS = {"lagged": "#2a9d4e", "lagged-regularized": "#8a5fb0", "similar": "#4c72b0", "sap": "#c44e52"}
MARKERS = {"lagged": "o", "lagged-regularized": "D", "similar": "s", "sap": "^"}
GRAVITY = 9.81
STICTION_TOLERANCE = 1e-4  # m/s

Array = NDArray[np.float64]


# --------------------------------------------------------------------------------------------------------------- impact
def impact(method: str) -> tuple[Array, Array, Array]:
    """A ball that cannot turn lands at 3 m/s while it slides at 5 m/s: times, friction and normal force [N]."""
    model = ss.from_string("""
gravity: [0, 0, 0]
materials: {ball: {stiffness: 1.0e+5, dissipation: 0.1, friction: 0.5}, floor: {stiffness: .inf, friction: 0.5}}
bodies:
  - {name: carrier, mass: 0}
  - {name: ball, mass: 1, geometry: [{sphere: {radius: 0.05}, material: ball}]}
  - {name: floor, fixed: true, geometry: [{half_space: {}, material: floor}]}
joints:
  - {name: x, type: prismatic, child: carrier, axis: [1, 0, 0], velocity: 5}
  - {name: z, type: prismatic, parent: carrier, child: ball, axis: [0, 0, 1], position: 0.08, velocity: -3}
""")
    sim = ss.Simulator(model, method=method, time_step=1e-3)
    rows = []
    while sim.time < 0.025:
        sim.step()
        force = np.sum(sim.contacts["force"], axis=0)
        rows.append((sim.time, abs(force[0]), abs(force[2])))
    t, friction, normal = np.array(rows).T
    return t, friction, normal


def draw_impact(axes: Axes) -> None:
    for method in ("similar", "lagged"):
        t, friction, normal = impact(method)
        axes.step(1e3 * t, 0.5 * normal, color=COLORS[method], linewidth=0.8, linestyle="--", label=f"{method}: mu f_n")
        axes.step(1e3 * t, friction, color=COLORS[method], label=f"{method}: friction")
    axes.set_xlim(7, 25)
    axes.set_xlabel("time [ms]; the ball touches at 10 ms")
    axes.set_ylabel("force [N]")
    axes.set_title("A ball lands while it slides, h = 1 ms")
    axes.legend(loc="upper right")


# ---------------------------------------------------------------------------------------------------------------- creep
def creep(method: str, slope: float, time_step: float) -> float:
    """Speed [m/s] of a box of 1 kg that should stand on a slope [rad], mu 0.5."""
    model = ss.from_string(f"""
gravity: [{GRAVITY * np.sin(slope)}, 0, {-GRAVITY * np.cos(slope)}]
materials: {{box: {{stiffness: 1.0e+6, dissipation: 10, friction: 0.5}}, floor: {{stiffness: .inf, friction: 0.5}}}}
bodies:
  - {{name: box, mass: 1, pose: {{position: [0, 0, 0.05]}}, geometry: [{{box: {{size: [0.2, 0.2, 0.1]}}, material: box}}]}}
  - {{name: floor, fixed: true, geometry: [{{half_space: {{}}, material: floor}}]}}
""")
    sim = ss.Simulator(model, method=method, time_step=time_step, solver_tolerance=1e-9)
    sim.advance_to(2.0)
    x = sim.q[0]
    sim.advance_to(3.0)
    return float(sim.q[0] - x)


def draw_creep(axes: Axes) -> None:
    limit = np.degrees(np.arctan(0.5))
    degrees = np.linspace(1, 26, 14)
    share = np.tan(np.radians(np.linspace(0.5, 26.4, 200))) / 0.5
    curve = STICTION_TOLERANCE * share / np.sqrt(1 - share**2)
    axes.plot(np.linspace(0.5, 26.4, 200), 1e6 * curve, color="black", linewidth=0.8, linestyle=":", label="v_s r / sqrt(1 - r^2)")
    for method, h, line in (("lagged", 1e-3, "none"), ("sap", 1e-2, "--"), ("sap", 1e-3, "-")):
        speeds = [1e6 * creep(method, np.radians(angle), h) for angle in degrees]
        axes.plot(degrees, speeds, MARKERS[method], linestyle=line, color=COLORS[method], label=f"{method}, h = {1e3 * h:g} ms", markersize=4)
    axes.axvline(limit, color="grey", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_xlabel("slope [degrees]; mu = 0.5 holds up to the grey line")
    axes.set_ylabel("creep [um/s]")
    axes.set_title("A box that should stand still")
    axes.legend(loc="lower right")


# ---------------------------------------------------------------------------------------------------------- steady slip
def height(method: str, slip: float, time_step: float, *, damping: str = "dissipation: 10", load: float = 0.0) -> float:
    """Of a ball over a belt that runs under it at `slip` [m]; guided, so that it moves up and down only. Negative: it has sunk in."""
    model = ss.from_string(f"""
materials: {{ball: {{stiffness: 1.0e+5, {damping}, friction: 0.5}}, belt: {{stiffness: .inf, friction: 0.5}}}}
bodies:
  - {{name: ball, mass: 1, geometry: [{{sphere: {{radius: 0.05}}, material: ball}}]}}
  - {{name: belt, motion: {{axis: [1, 0, 0], velocity: {slip}}}, geometry: [{{half_space: {{}}, material: belt}}]}}
joints: [{{name: guide, type: prismatic, child: ball, axis: [0, 0, 1], position: 0.05}}]
actuators: [{{name: press, joint: guide, type: motor, control: {-load}}}]
""")
    sim = ss.Simulator(model, method=method, time_step=time_step, solver_tolerance=1e-10)
    sim.advance_to(max(20.0, 500 * time_step))
    return float(sim.q[0] - 0.05)


def stiffness(method: str, slip: float, damping: str) -> float:
    """Force over deflection between the ball's weight and twice as much, relative to the material's stiffness."""
    deflection = height(method, slip, 1e-3, damping=damping) - height(method, slip, 1e-3, damping=damping, load=GRAVITY)
    return GRAVITY / deflection / 1e5


def draw_gliding(axes: Axes) -> None:
    slips = np.linspace(0, 2, 9)
    for method, damping in (("sap", "relaxation_time: 0.01"), ("similar", "dissipation: 10"), ("lagged", "dissipation: 10")):
        label = method + (", tau = 10 ms" if method == "sap" else "")
        heights = [1e3 * height(method, slip, 1e-2, damping=damping) for slip in slips]
        axes.plot(slips, heights, MARKERS[method] + "-", color=COLORS[method], label=label, markersize=4)
    axes.set_xlabel("slip [m/s]")
    axes.set_ylabel("height over the belt [mm]")
    axes.set_title("Gliding at h = 10 ms, mu = 0.5")
    axes.legend(loc="upper left")


def draw_stiffness(axes: Axes) -> None:
    slips = np.linspace(0, 2, 9)
    for method, damping, line in (("similar", "dissipation: 10", "none"), ("similar", "dissipation: 1", "none"), ("lagged", "dissipation: 10", "-")):
        label = f"{method}, d = {damping.split()[1]} s/m"
        face = "white" if damping.endswith(" 1") else COLORS[method]
        values = [stiffness(method, slip, damping) for slip in slips]
        axes.plot(slips, values, MARKERS[method], linestyle=line, color=COLORS[method], markerfacecolor=face, label=label, markersize=4)
    for d in (10, 1):
        axes.plot(slips, 1 + 0.5 * d * slips, color="black", linewidth=0.8, linestyle=":", label="1 + mu d |v_t|" if d == 1 else None)
    axes.set_xlabel("slip [m/s]")
    axes.set_ylabel("effective stiffness / k")
    axes.set_title("Stiffness while sliding")
    axes.legend(loc="upper left")


def draw_gliding_against_step(axes: Axes) -> None:
    steps = np.geomspace(1e-4, 1e-2, 9)
    cases = (("sap", "relaxation_time: 0.01", "tau = 10 ms", "-"), ("sap", "relaxation_time: 0.001", "tau = 1 ms", "--"), ("similar", "dissipation: 10", "d = 10 s/m", "-"))
    for method, damping, name, line in cases:
        sunk = GRAVITY / 1e5 / (1 + 0.5 * 10 if method == "similar" else 1)
        heights = [1e3 * (height(method, 1.0, h, damping=damping) + sunk) for h in steps]
        axes.plot(steps, heights, MARKERS[method], linestyle=line, color=COLORS[method], label=f"{method}, {name}", markersize=4)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("time step [s]")
    axes.set_ylabel("height above where it should be [mm]")
    axes.set_title("Gliding at 1 m/s, mu = 0.5")
    axes.legend(loc="lower right")


# ------------------------------------------------------------------------------------------------------------- conveyor
def ride(method: str) -> tuple[Array, Array, Array]:
    """Times, heights [m] and normal forces [N] of a box of 1 kg on a belt that swings with 1 Hz and 0.2 m."""
    damping = "relaxation_time: 0.01" if method == "sap" else "dissipation: 500"
    model = ss.from_string(f"""
materials: {{box: {{stiffness: 1.0e+7, {damping}, friction: 0.7}}, belt: {{stiffness: .inf, friction: 0.7}}}}
bodies:
  - {{name: box, mass: 1, pose: {{position: [-0.2, 0, 0.024999019]}}, geometry: [{{box: {{size: [0.05, 0.05, 0.05]}}, material: box}}]}}
  - name: belt
    pose: {{position: [0, 0, -0.01]}}
    motion: {{axis: [1, 0, 0], amplitude: 0.2, frequency: 1, phase: {-np.pi / 2}}}
    geometry: [{{box: {{size: [2, 0.5, 0.02]}}, material: belt}}]
""")
    sim = ss.Simulator(model, method=method, time_step=0.01)
    rows = []
    for _ in range(200):
        sim.step()
        rows.append((sim.time, sim.q[2] - 0.025, abs(np.sum(sim.contacts["force"][:, 2]))))
    t, z, f = np.array(rows).T
    return t, z, f


def draw_ride(axes: Axes) -> None:
    for method in ("sap", "similar", "lagged"):
        t, z, _ = ride(method)
        axes.plot(t, 1e3 * z, color=COLORS[method], label=method + (", tau = 10 ms" if method == "sap" else ""))
    axes.set_xlabel("time [s]")
    axes.set_ylabel("height over the belt [mm]")
    axes.set_title("A box on a swinging belt, h = 10 ms, mu = 0.7")
    axes.set_ylim(top=1.35 * axes.get_ylim()[1])
    axes.legend(loc="upper right", ncols=3)


# ----------------------------------------------------------------------------------------------------------------- ball
def bounce() -> Array:
    """Of the README's ball: time, x, z [m], speed along the floor and of its surface about its centre [m/s]; one row a step."""
    sim = ss.Simulator(ss.load(IMAGES.parent.parent / "examples" / "bouncing_ball.yaml"))
    rows = []
    while sim.time < 1.2:
        lever = 0.05 - max(0.0, 0.05 - sim.q[2]) / 2  # both surfaces are dented alike
        sim.step()
        rows.append((sim.time, sim.q[0], sim.q[2], sim.v[0], lever * sim.v[4]))
    return np.array(rows).T


def draw_path(axes: Axes) -> None:
    t, x, z, *_ = bounce()
    axes.plot(x, z, color="#e07020")
    for i in range(0, len(t), 50):
        axes.add_patch(Circle((x[i], z[i]), 0.05, color="#e07020", alpha=0.25, linewidth=0))
    axes.axhline(0, color="black")
    axes.set(aspect="equal", ylim=(-0.05, 0.65), xlabel="x [m]", ylabel="z [m]", title="A ball bounces, every 50 ms")


def draw_rolling(axes: Axes) -> None:
    t, _, _, speed, rim = bounce()
    axes.plot(1e3 * t, speed, ".-", color="#e07020", label="ball")
    axes.plot(1e3 * t, rim, ".-", color="#4c72b0", label="its surface")
    axes.set(xlim=(295, 315), xlabel="time [ms]", ylabel="speed [m/s]", title="It lands: slides, then rolls")
    axes.legend(loc="lower right")


# ------------------------------------------------------------------------------------------------------------- pictures
PICTURES = {"lagged": (draw_impact, draw_creep), "similar": (draw_gliding, draw_stiffness), "sap": (draw_ride, draw_gliding_against_step), "bouncing_ball": (draw_path, draw_rolling)}

RATIOS = {"bouncing_ball": (2, 1)}  # of the widths


def main() -> int:
    plt.rcParams.update({"font.size": 8, "axes.grid": True, "grid.alpha": 0.3, "legend.fontsize": 7})
    for name in sys.argv[1:] or PICTURES:
        figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained", width_ratios=RATIOS.get(name, (1, 1)))
        for draw, place in zip(PICTURES[name], axes, strict=True):
            draw(place)
        figure.savefig(IMAGES / f"{name}.png", dpi=110)
        print(IMAGES / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
