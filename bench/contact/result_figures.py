"""Figures of results: work and precision, and growth with the number of bodies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import precision
import scaling

COLORS = {"Stickslip": "C0", "MuJoCo": "C1", "Drake": "C2"}
STYLES = {"cenic": "o-", "anchored": "s--", "Newton": "o-", "CG": "s--", "lagged": "s--"}
COLUMNS = 3
RESOLUTION = 110  # dots an inch


def panels(count: int) -> tuple[Any, list[Any]]:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    columns = min(COLUMNS, count)
    lines = -(-count // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(4 * columns, 3.4 * lines), squeeze=False, layout="constrained")
    for unused in axes.flat[count:]:
        unused.set_visible(False)
    return figure, list(axes.flat[:count])


def legend(figure: Any, axes: list[Any]) -> None:
    """One for all panels, below them."""
    known = {name: line for axis in axes for line, name in zip(*axis.get_legend_handles_labels(), strict=True)}
    figure.legend(list(known.values()), list(known), loc="outside lower center", ncols=4, fontsize=8)


def save(figure: Any, path: Path) -> None:
    from matplotlib import pyplot as plt

    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=RESOLUTION, metadata={"Software": None})
    plt.close(figure)


def work_precision(rows: list[dict[str, Any]], path: Path) -> bool:
    """A panel a scene. False if there is nothing to draw."""
    by_scene = {name: own for name, own in precision.early(rows).items() if any(precision.curves(own).values())}
    if not by_scene:
        return False
    figure, axes = panels(len(by_scene))
    for axis, (name, own) in zip(axes, by_scene.items(), strict=True):
        for (engine, method), curve in precision.curves(own).items():
            if curve:
                times, errors = zip(*curve, strict=True)
                axis.loglog([1e3 * t for t in times], [1e3 * e for e in errors], STYLES[method], color=COLORS[engine], label=f"{engine} {method}", markersize=4)
        for (engine, method), curve in precision.own_limits(own).items():
            times, errors = zip(*curve, strict=True)
            label = f"{engine} {method}, to its own limit"
            axis.loglog([1e3 * t for t in times], [1e3 * e for e in errors], "o:", color=COLORS[engine], label=label, markersize=3, alpha=0.6)
        axis.set(title=name.removesuffix("_early"), xlabel="CPU time [ms]", ylabel="error [mm]")
        axis.grid(alpha=0.3)
    legend(figure, axes)
    save(figure, path)
    return True


def growth(rows: list[dict[str, Any]], path: Path) -> bool:
    """A panel a kind of pile. False if there is nothing to draw."""
    kinds = {kind: found for kind in scaling.KINDS if (found := scaling.by_method(rows, kind))}
    if not kinds:
        return False
    figure, axes = panels(len(kinds))
    for axis, (kind, found) in zip(axes, kinds.items(), strict=True):
        for (engine, method), points in found.items():
            counts, times = zip(*points, strict=True)
            axis.loglog(counts, [1e3 * t for t in times], STYLES[method], color=COLORS[engine], label=f"{engine} {method}", markersize=4)
        axis.set(title=scaling.TITLES[kind], xlabel="bodies", ylabel="CPU time a step of 2 ms [ms]")
        axis.grid(alpha=0.3)
    legend(figure, axes)
    save(figure, path)
    return True


KINDS = {"work_precision": work_precision, "growth": growth}
