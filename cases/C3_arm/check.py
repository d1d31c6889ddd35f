"""An arm moves between two set points under an inverse dynamics controller, however stiff (CENIC VII-D1, figure 12; without the box)."""

from __future__ import annotations

from pathlib import Path
from sysconfig import get_path
from tempfile import TemporaryDirectory

import numpy as np
from cases.harness import Array, Result, pending, save, subplots, verdict

import stickslip as ss

ACCURACY, UNTIL, SWITCH = 1e-2, 10.0, 5.0
GAINS = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]
EXPLICIT_GAINS = [1e2, 1e3]  # beyond, explicit steps take minutes
HOME = np.array([0.0, -0.4, 0.0, -2.0, 0.0, 1.6, 0.8])
AWAY = np.array([0.8, 0.2, -0.3, -1.4, 0.4, 1.9, 0.2])


PANDA = Path(get_path("purelib")) / "cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf"


JOINTS = [f"panda_joint{i}" for i in range(1, 8)]


def arm(model: ss.Model, gain: float, implicit: bool) -> tuple[ss.Simulator, ss.systems.InverseDynamicsControl]:
    """At its first set point, and the controller that takes it to the second."""
    sim = ss.Simulator(model, accuracy=ACCURACY)
    for name, q in zip(JOINTS, HOME, strict=True):
        sim.joint(name).q[:] = q
    control = ss.systems.InverseDynamicsControl(model, JOINTS, kp=gain, kd=gain, target=AWAY, implicit=implicit)
    sim.add(control)
    return sim, control


def move(sim: ss.Simulator, control: ss.systems.InverseDynamicsControl) -> None:
    """Away, and home again."""
    sim.advance_to(SWITCH)
    control.target = HOME
    sim.advance_to(UNTIL)


def run(model: ss.Model, gain: float, implicit: bool) -> tuple[int, Array]:
    """Steps, and how far the arm is from its last set point."""
    sim, control = arm(model, gain, implicit)
    move(sim, control)
    reached = np.array([sim.joint(name).q[0] for name in JOINTS])
    return sim.report.steps, reached - HOME


def replay() -> ss.Trajectory:
    sim, control = arm(ss.load(str(PANDA)), GAINS[1], True)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "arm.h5"
        with sim.record(file, rate=30.0):
            move(sim, control)
        return ss.load_recording(file)


def check(figure: Path) -> list[Result]:
    if not PANDA.exists():
        return [pending("the number of steps does not depend on the gains", "needs the Panda of the package example-robot-data")]
    model = ss.load(str(PANDA))
    implicit = [run(model, gain, True) for gain in GAINS]
    explicit = [run(model, gain, False) for gain in EXPLICIT_GAINS]
    counts = [steps for steps, _ in implicit]
    plot(counts, [steps for steps, _ in explicit], figure)
    left = max(float(np.abs(off).max()) for _, off in implicit)
    return [
        verdict(
            "the number of steps does not depend on the gains, 1e2 to 1e8",
            f"{min(counts)} to {max(counts)}",
            "a factor below 2",
            max(counts) < 2 * min(counts),
            "CENIC's figure 12 is flat",
        ),
        verdict(
            "the arm arrives",
            f"{left:.3f} rad off at most",
            "< 0.03 rad",
            left < 0.03,
            "kp = kd leave exp(-5) of 0.8 rad after 5 s, 0.005 rad, and the accuracy adds some hundredths",
        ),
        verdict(
            "taken explicitly, the same controller needs ever more steps",
            f"{explicit[0][0]} at 1e2, {explicit[1][0]} at 1e3",
            "5 times as many at ten times the gain",
            explicit[1][0] > 5 * explicit[0][0],
            "stability bounds h kd",
        ),
        pending("with a box in its hand", "hydroelastic contact does not exist yet"),
    ]


def plot(implicit: list[int], explicit: list[int], figure: Path) -> None:
    drawing, panels = subplots(1)
    axes = panels[0][0]
    axes.loglog(GAINS, implicit, "o-", color="#2a9d4e", label="implicit")
    axes.loglog(EXPLICIT_GAINS, explicit, "o-", color="#c44e52", label="explicit")
    axes.set(xlabel="gains kp = kd", ylabel=f"steps in {UNTIL:g} s", title=f"accuracy {ACCURACY:g}")
    axes.legend()
    save(drawing, figure)
