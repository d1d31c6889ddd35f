"""The panels of Trajectory.plot that show contacts: forces by pair of bodies, and who touches whom when."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._stickslip import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_PAIRS = 10
_MORE = 1.01  # largest over mean; less is not seen
_COLORS = ("white", "tab:blue", "tab:orange")  # apart, sticks, slips
_SLIPS = 2


class PairHistory(NamedTuple):
    """What the pairs of bodies that ever touched did, those with most impulse first."""

    names: list[str]
    force: NDArray[np.float64]  # pairs x samples, magnitude of the sum, a mean since the sample before [N]
    largest: NDArray[np.float64]  # pairs x samples, the largest of a step since then [N]
    mode: NDArray[np.int64]  # pairs x samples: 0 apart, 1 sticks, 2 slips somewhere


def pair_history(run: Trajectory) -> PairHistory:
    contacts = run.contacts
    bodies = np.stack([contacts["body_a"], contacts["body_b"]], axis=1)
    pairs, pair = np.unique(bodies, axis=0, return_inverse=True)
    pair = pair.reshape(-1)
    force = np.zeros((len(pairs), len(run.t), 3))
    np.add.at(force, (pair, contacts["sample"]), contacts["force"])
    largest = np.zeros((len(pairs), len(run.t)))
    np.maximum.at(largest, (pair, contacts["sample"]), contacts["largest_pair_force"])
    mode = np.zeros((len(pairs), len(run.t)), dtype=np.int64)
    np.maximum.at(mode, (pair, contacts["sample"]), contacts["mode"])
    magnitude = np.linalg.norm(force, axis=2)
    impulse = (magnitude[:, 1:] * np.diff(run.t)).sum(axis=1)
    order = np.argsort(-impulse, kind="stable")
    names = [" – ".join(run.model.body_names[body] for body in pairs[i]) for i in order]
    return PairHistory(names, magnitude[order], largest[order], mode[order])


def draw_forces(axes: Axes, run: Trajectory) -> None:
    """Means since the sample before; dotted, where it was more, the largest of a step."""
    history = pair_history(run)
    for i, name in enumerate(history.names[:_MOST_PAIRS]):
        line = axes.stairs(history.force[i, 1:], run.t, baseline=None, label=name, linewidth=1.2)
        is_more = history.largest[i] > _MORE * history.force[i]
        if np.any(is_more):
            largest = np.where(is_more, history.largest[i], np.nan)
            axes.stairs(largest[1:], run.t, baseline=None, linewidth=1.0, linestyle=":", color=line.get_edgecolor())
    axes.set_ylabel("contact force [N]")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, fontsize="small")
    _say_how_many(axes, history)


def draw_timeline(axes: Axes, run: Trajectory) -> None:
    """A row a pair: blue while all its contacts stick, orange while one slips."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    history = pair_history(run)
    count = min(_MOST_PAIRS, len(history.names))
    rows = history.mode[:count, 1:]
    axes.pcolormesh(run.t, np.arange(count + 1), rows, cmap=ListedColormap(_COLORS), vmin=0, vmax=_SLIPS)
    axes.hlines(np.arange(1, count), run.t[0], run.t[-1], color="white", linewidth=4)
    axes.set_yticks(np.arange(count) + 0.5, history.names[:count], fontsize="small")
    axes.invert_yaxis()
    axes.set_ylabel("contacts")
    marks = [Patch(color=color, label=word) for color, word in zip(_COLORS[1:], ("sticks", "slips"), strict=True)]
    axes.legend(handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, fontsize="small")
    _say_how_many(axes, history)


def _say_how_many(axes: Axes, history: PairHistory) -> None:
    if len(history.names) > _MOST_PAIRS:
        axes.set_title(f"{_MOST_PAIRS} of {len(history.names)} pairs, those with most impulse", fontsize="small", loc="left")
