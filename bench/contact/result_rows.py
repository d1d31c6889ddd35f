"""Rows of results: what the runs of a setting amount to, over all starts."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

import catalog
from catalog import Entry, Variant

if TYPE_CHECKING:
    from measurements import Runs

Row = dict[str, Any]
KEYS = (
    "scene", "engine", "version", "method", "setting", "wall_seconds", "cpu_seconds", "spread", "simulated_seconds", "real_time_rate", "steps",
    "iterations", "max_penetration", "max_slip", "energy_gained", "error", "own_error", "ratio", "ratio_low", "ratio_high", "ratio_to", "stopped", "starts",
)  # fmt: skip


def make(entry: Entry, chosen: list[Variant], versions: dict[str, str], by_start: list[dict[Variant, Runs]], given_up: dict[Variant, str]) -> list[Row]:
    """A setting that was given up at any start has no figures but says why."""
    basis = [start.get(catalog.BASIS) for start in by_start]
    has_basis = catalog.BASIS in chosen and catalog.BASIS not in given_up
    out = []
    for variant in chosen:
        name = dict(scene=entry.id, engine=variant.engine, version=versions[variant.engine], method=variant.method, setting=variant.setting)
        row: Row = dict.fromkeys(KEYS) | name | dict(stopped=given_up.get(variant, ""), starts=[])
        if variant not in given_up:
            of_starts = [start[variant] for start in by_start]
            row |= figures(of_starts) | dict(stopped=next((r.first["stopped"] for r in of_starts if r.first["stopped"]), ""))
            if has_basis:
                row |= ratios(of_starts, [b for b in basis if b])
        out.append({key: row[key] for key in KEYS})
    return out


def figures(of_starts: list[Runs]) -> Row:
    """Medians of times, steps and errors; the worst of penetration, slip and energy gained."""
    starts = [figures_of_start(runs) for runs in of_starts]
    wall = [seconds for start in starts for seconds in start["wall_seconds"]]
    cpu = [seconds for start in starts for seconds in start["cpu_seconds"]]
    middle = median(wall)
    return dict(
        wall_seconds=middle, cpu_seconds=median(cpu), spread=(max(wall) - min(wall)) / middle if len(wall) > 1 else None,
        simulated_seconds=median(start["simulated_seconds"] for start in starts), real_time_rate=median(start["real_time_rate"] for start in starts),
        steps=round(median(start["steps"] for start in starts)), iterations=known(starts, "iterations", median),
        max_penetration=known(starts, "max_penetration", max), max_slip=known(starts, "max_slip", max), energy_gained=known(starts, "energy_gained", max),
        error=known(starts, "error", median), own_error=known(starts, "own_error", median), starts=starts,
    )  # fmt: skip


def figures_of_start(runs: Runs) -> Row:
    timed, first = runs.timed, runs.first
    wall, steps = [run["seconds"] for run in timed], timed[-1]["steps"]
    quality = runs.quality
    return dict(
        wall_seconds=wall, cpu_seconds=[run["cpu"] for run in timed], simulated_seconds=timed[-1]["simulated"],
        real_time_rate=median(run["simulated"] / run["seconds"] for run in timed), steps=steps,
        iterations=None if first["iterations"] is None else first["iterations"] / max(1, first["steps"]),
        max_penetration=quality.penetration if quality else None, max_slip=quality.slip if quality else None,
        energy_gained=quality.energy_gained if quality else None, error=runs.error, own_error=runs.own_error,
    )  # fmt: skip


def known(starts: list[Row], key: str, what: Any) -> Any:
    values = [start[key] for start in starts if start[key] is not None]
    return what(values) if values else None


def ratios(of_starts: list[Runs], basis: list[Runs]) -> Row:
    """CPU seconds a simulated second beside those of the basis, in the same turn from the same start."""
    pairs = [(mine, other) for runs, theirs in zip(of_starts, basis, strict=True) for mine, other in zip(runs.timed, theirs.timed, strict=False)]
    values = [(mine["cpu"] / mine["simulated"]) / (other["cpu"] / other["simulated"]) for mine, other in pairs]
    return dict(ratio=median(values), ratio_low=min(values), ratio_high=max(values), ratio_to=catalog.BASIS.name)
