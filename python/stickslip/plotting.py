"""Pictures of runs: Trajectory.plot. Needs matplotlib, which is imported when a picture is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._contact_panels import draw_forces, draw_timeline
from ._stickslip import JointInfo, Model, Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS = ("q", "v", "energy", "forces", "contacts", "steps")
_CONTACT_PANELS = ("forces", "contacts")
_MOST_LINES = 10  # to an axes: as many as the default colours tell apart
_VARYING = 1.01  # largest step over smallest; more is drawn on a log scale
_ERROR_RANGE = 1e-6  # of the largest error; what is below is round-off
_SIZE = (9.0, 2.4)  # of an axes, inches

# Kinds of numbers, told by the last word of their names; a prismatic joint's single number is a length, all others are angles.
_LENGTH_WORDS = ("x", "y", "z", "vx", "vy", "vz")
_QUATERNION_WORDS = ("qw", "qx", "qy", "qz")
_LENGTHS = {"q": "position [m]", "v": "velocity [m/s]"}
_ANGLES = {"q": "angle [rad]", "v": "angular velocity [rad/s]"}


class _Line(NamedTuple):
    label: str
    kind: str  # lines of one kind share an axes; it is the axes' label
    column: int  # of run.q or run.v


def plot(
    run: Trajectory,
    panels: str | Sequence[str] | None = None,
    *,
    joints: Sequence[str | int] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """A figure of what a run went through, over time.

    Panels are positions "q", velocities "v", "energy", contact "forces" by pair of bodies, "contacts" (who touches whom, and whether
    it sticks or slips), and "steps", their sizes with their estimated errors; without a choice, all that the run has. Lengths, angles and quaternions have an axes each. `joints` selects joints; else the first ten lines of an axes are drawn.
    `path` saves the figure, as what its suffix says; `matplotlib.pyplot.show()` shows the figures that were not saved.
    """
    if panels is None:
        panels = [panel for panel in _PANELS if panel not in _CONTACT_PANELS or len(run.contacts)]
    wanted = [panels] if isinstance(panels, str) else list(panels)
    for panel in wanted:
        if panel not in _PANELS:
            raise ValueError(f"there is no panel named {panel!r}; there are {', '.join(map(repr, _PANELS))}")
        if panel in _CONTACT_PANELS and not len(run.contacts):
            raise ValueError(f"nothing to plot of {panel!r}: the run has no contacts")
    chosen = [run.model.joint(joint) for joint in (run.model.joint_names if joints is None else joints)]
    groups = [group for panel in wanted for group in _groups(panel, run.model, chosen)]
    if not groups:
        raise ValueError(f"nothing to plot: of {wanted} the {len(chosen)} joint(s) have none")
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("to plot: pip install matplotlib, or 'stickslip[plot]'", name="matplotlib") from error

    size = (_SIZE[0], _SIZE[1] * len(groups) + 0.4)
    figure, rows = plt.subplots(len(groups), figsize=size, sharex=True, squeeze=False, layout="constrained")
    for (panel, lines), axes in zip(groups, rows[:, 0], strict=True):
        if panel in _DRAW:
            _DRAW[panel](axes, run)
        else:
            _draw_lines(axes, run.t, run.q if panel == "q" else run.v, lines, _MOST_LINES if joints is None else len(lines))
        axes.grid(alpha=0.3)
    rows[-1, 0].set_xlabel("time [s]")
    figure.align_ylabels(rows[:, 0])
    figure.suptitle(f"{run.model.name}, {run.report.method}" if run.model.name else run.report.method)
    if path is not None:
        figure.savefig(path, dpi=120)
        plt.close(figure)
    return figure


def _groups(panel: str, model: Model, joints: list[JointInfo]) -> list[tuple[str, list[_Line]]]:
    """The axes of a panel: the lines of each kind, in the order of the joints."""
    if panel in _DRAW:
        return [(panel, [])]
    names = model.q_names if panel == "q" else model.v_names
    kinds: dict[str, list[_Line]] = {}
    for joint in joints:
        start, count = (joint.q_start, joint.nq) if panel == "q" else (joint.v_start, joint.nv)
        for column in range(start, start + count):
            line = _line(panel, joint, names[column].removeprefix(f"{joint.name}."), column)
            kinds.setdefault(line.kind, []).append(line)
    return [(panel, lines) for lines in kinds.values()]


def _line(panel: str, joint: JointInfo, word: str, column: int) -> _Line:
    """Words that only repeat the panel's letter, as "q" and "q1" do, are left out but for their number."""
    if word in _QUATERNION_WORDS:
        kind = "quaternion [1]"
    else:
        kind = (_LENGTHS if word in _LENGTH_WORDS or joint.type == "prismatic" else _ANGLES)[panel]
    told = word[1:] if word == panel or word[1:].isdigit() else word
    return _Line(f"{joint.name} {told}".strip(), kind, column)


def _draw_lines(axes: Axes, t: NDArray[np.float64], values: NDArray[np.float64], lines: list[_Line], most: int) -> None:
    for line in lines[:most]:
        axes.plot(t, values[:, line.column], label=line.label, linewidth=1.2)
    if len(lines) > most:
        axes.set_title(f"{most} of {len(lines)} lines; joints=[...] selects others", fontsize="small", loc="left")
    axes.set_ylabel(lines[0].kind)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, fontsize="small")


def _draw_energy(axes: Axes, run: Trajectory) -> None:
    energy = run.energy
    for name in ("total", "kinetic", "potential", "elastic"):
        axes.plot(run.t, getattr(energy, name), label=name, linewidth=1.6 if name == "total" else 1.0)
    axes.set_ylabel("energy [J]")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, fontsize="small")


def _draw_steps(axes: Axes, run: Trajectory) -> None:
    start, size, error = (run.steps[name] for name in ("time", "h", "error"))
    if len(size):
        axes.stairs(size, np.append(start, start[-1] + size[-1]), baseline=None, color="tab:blue")
    axes.set_ylabel("step size [s]", color="tab:blue")
    if len(size) and size.max() > _VARYING * size.min():
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    if np.any(error > 0):
        twin = axes.twinx()
        twin.plot(start, np.where(error > 0, error, np.nan), ".", color="tab:orange", markersize=3)
        twin.set_ylabel("estimated error [1]", color="tab:orange")
        twin.set_yscale("log")
        twin.set_ylim(bottom=max(error[error > 0].min() / 2, _ERROR_RANGE * error.max()))


_DRAW: dict[str, Callable[[Axes, Trajectory], None]] = {
    "energy": _draw_energy,
    "forces": draw_forces,
    "contacts": draw_timeline,
    "steps": _draw_steps,
}
