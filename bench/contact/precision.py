"""Work and precision: which time each engine needs for an error, from runs at many settings."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log
from statistics import median
from typing import Any

Row = dict[str, Any]
Curve = list[tuple[float, float]]  # CPU seconds and error [m] of settings
Method = tuple[str, str]  # engine and method
TARGETS = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6)  # m
MOST = 0.1  # m; two runs that are farther apart have nothing to do with each other: an object is as large


def early(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Rows that have been swept, by scene."""
    out: dict[str, list[Row]] = {}
    for row in rows:
        if row["scene"].endswith("_early"):
            out.setdefault(row["scene"], []).append(row)
    return out


def curves(rows: Iterable[Row], start: int | None = None) -> dict[Method, Curve]:
    """Of medians over starts, or of one start."""
    out: dict[Method, Curve] = {}
    for row in rows:
        method = out.setdefault((row["engine"], row["method"]), [])
        figures = row if start is None else row["starts"][start] if start < len(row["starts"]) else {}
        seconds, error = figures.get("cpu_seconds"), figures.get("error")
        if seconds and error:
            method.append((median(seconds) if isinstance(seconds, list) else seconds, error))
    return out


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


def targets(found: dict[Method, Curve], own: Method) -> list[float]:
    """Errors that say something: some setting of `own` is worse, or another engine gets no better, and `own` reaches them."""
    reached = [error for _, error in found.get(own, [])]
    if not reached:
        return []
    worst = max(error for curve in found.values() for _, error in curve)
    return [t for t in TARGETS if min(reached) <= t <= min(worst, MOST)]


def beside(rows: list[Row], own: Method, other: Method, target: float) -> tuple[float, float | None, int] | None:
    """Time of `other` at an error [s], its ratio to that of `own`, and from how many starts it gets there: medians over starts, ratios within a start.
    None if it gets there from fewer than half of the starts."""
    count = max((len(row["starts"]) for row in rows), default=0)
    times, ratios = [], []
    for start in range(count):
        found = curves(rows, start)
        time, mine = time_at(found.get(other, []), target), time_at(found.get(own, []), target)
        if time is not None:
            times.append(time)
            if mine is not None:
                ratios.append(time / mine)
    if not times or 2 * len(times) < count:
        return None
    return median(times), median(ratios) if ratios else None, len(times)
