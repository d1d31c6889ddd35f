"""Work and precision: which time each engine needs for an error, from runs at many settings."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log
from statistics import median
from typing import Any

Row = dict[str, Any]
Curve = list[tuple[float, float]]  # CPU seconds and error [m] of settings
Method = tuple[str, str]  # engine and method
OWN = ("Stickslip", "cenic")  # to which times at equal error are compared
TARGETS = (3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6)  # m; objects are 0.1 m large


def early(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Rows that have been swept, by scene."""
    out: dict[str, list[Row]] = {}
    for row in rows:
        if row["scene"].endswith("_early"):
            out.setdefault(row["scene"], []).append(row)
    return out


def curves(rows: Iterable[Row], start: int | None = None, key: str = "error") -> dict[Method, Curve]:
    """Of medians over starts, or of one start. `key`: the error in the scene, or `own_error`."""
    out: dict[Method, Curve] = {}
    for row in rows:
        method = out.setdefault((row["engine"], row["method"]), [])
        figures = row if start is None else row["starts"][start] if start < len(row["starts"]) else {}
        seconds, error = figures.get("cpu_seconds"), figures.get(key)
        if seconds and error:
            method.append((median(seconds) if isinstance(seconds, list) else seconds, error))
    return out


def own_limits(rows: Iterable[Row]) -> dict[Method, Curve]:
    """Of engines whose contacts are not the scene's: errors from what they themselves tend to."""
    return {method: curve for method, curve in curves(rows, key="own_error").items() if curve and method[0] != OWN[0]}


def front(curve: Curve) -> Curve:
    """The settings that no faster one beats, with errors that fall as time grows."""
    out: Curve = []
    for seconds, error in sorted(curve):
        if not out or error < out[-1][1]:
            out.append((seconds, error))
    return out


def time_at(curve: Curve, target: float) -> float | None:
    """The least time [s] for an error of at most `target`: between two settings both logarithms are interpolated. None if no setting gets there."""
    before: tuple[float, float] | None = None
    for seconds, error in front(curve):
        if error <= target:
            if before is None:
                return seconds
            part = log(before[1] / target) / log(before[1] / error)
            return exp(log(before[0]) + part * log(seconds / before[0]))
        before = (seconds, error)
    return None


def targets(found: dict[Method, Curve]) -> list[float]:
    """Errors that ours reaches and its loosest setting, or that of another, does not."""
    reached = [error for _, error in found.get(OWN, [])]
    if not reached:
        return []
    worst = max(error for curve in found.values() for _, error in curve)
    return [t for t in TARGETS if min(reached) <= t <= worst]


def beside(rows: list[Row], other: Method, target: float, key: str = "error") -> tuple[float, float | None] | None:
    """Time of `other` at an error [s], and its ratio to that of ours: medians over starts, ratios within a start. None if it gets there from fewer than
    half of the starts."""
    count = max((len(row["starts"]) for row in rows), default=0)
    times, ratios = [], []
    for start in range(count):
        time = time_at(curves(rows, start, key).get(other, []), target)
        mine = time_at(curves(rows, start).get(OWN, []), target)
        if time is not None:
            times.append(time)
            if mine is not None:
                ratios.append(time / mine)
    if not times or 2 * len(times) < count:
        return None
    return median(times), median(ratios) if ratios else None
