"""Results of `stickslip bench` as files, and two of them side by side."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import catalog

SLOWER = 0.15  # by which a setting has to be slower, besides its spread, to count
KEY = ("scene", "engine", "method", "setting")
BASIS, BASIS_SETTING = catalog.BASIS.name, catalog.BASIS.setting


def save(folder: Path, machine: dict[str, str], rows: list[dict[str, Any]]) -> Path:
    """As <date>-<cpu>.json, or with a number behind it if there is one already."""
    cpu = re.sub(r"\((r|tm)\)", "", machine["cpu"].lower())
    stem = f"{machine['date']}-{re.sub(r'[^a-z0-9]+', '-', cpu).strip('-')}"
    folder.mkdir(parents=True, exist_ok=True)
    taken = {path.name for path in folder.glob("*.json")}
    names = (f"{stem}{'' if i == 1 else f'-{i}'}.json" for i in range(1, len(taken) + 2))
    path = folder / next(name for name in names if name not in taken)
    path.write_text(text(machine, rows))
    return path


def text(machine: dict[str, str], rows: list[dict[str, Any]]) -> str:
    """JSON with a line a result."""
    lines = ",\n".join(json.dumps(row, allow_nan=False) for row in rows)
    return f'{{"machine": {json.dumps(machine)},\n"results": [\n{lines}\n]}}\n'


def load(path: Path) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """A saved file, or what `--json` printed. Raises ValueError with a message if it is neither."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read '{path}': {error}") from None
    machine, rows = (content.get("machine", {}), content.get("results")) if isinstance(content, dict) else ({}, content)
    if not isinstance(rows, list) or not all(isinstance(r, dict) and {*KEY, "wall_seconds", "spread"} <= set(r) for r in rows):
        raise ValueError(f"'{path}' has no results of stickslip bench in it")
    return machine, rows


def seconds_a_second(row: dict[str, Any]) -> float:
    """Wall time of a simulated second; older results have only that of the whole scene."""
    return float(row["wall_seconds"] / (row.get("simulated_seconds") or 1))


def compare(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row a setting that both have timed. `change`: 'slower' or 'faster' beyond the larger of the two spreads, 'same' within it, and 'much slower' if
    it is slower by more than both that spread and 15 %. A spread that is not known, of a single run, counts as none."""
    earlier = {tuple(r[key] for key in KEY): r for r in before if r["wall_seconds"]}
    out = []
    for r in after:
        old = earlier.get(tuple(r[key] for key in KEY))
        if old is None or not r["wall_seconds"]:
            continue
        both = all(x.get("simulated_seconds") for x in (old, r))
        ratio = seconds_a_second(r) / seconds_a_second(old) if both else r["wall_seconds"] / old["wall_seconds"]
        known = max((x["spread"] for x in (old, r) if x["spread"] is not None), default=None)
        spread = known or 0.0
        change = "same"
        if ratio > 1 + spread:
            change = "much slower" if ratio > 1 + max(spread, SLOWER) else "slower"
        elif 1 / ratio > 1 + spread:
            change = "faster"
        seconds = dict(before=old["wall_seconds"], after=r["wall_seconds"])
        out.append({key: r[key] for key in KEY} | seconds | dict(ratio=ratio, spread=known, change=change))
    return out


@dataclass(frozen=True)
class Agreement:
    """How far the ratios of two runs to the same engine are from each other: by a factor of 1 + x."""

    settings: int
    within: int  # settings, 15 %
    median: float
    worst: float
    where: str  # the worst is

    def __str__(self) -> str:
        share = f"{self.within} of {self.settings} within {100 * SLOWER:.0f} %"
        return f"ratios to {BASIS} of two runs differ by {100 * self.median:.1f} % in the median and {100 * self.worst:.1f} % at worst ({self.where}); {share}"


def agreement(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Agreement | None:
    """None if they have no ratios in common."""
    ratios = {tuple(r[key] for key in KEY): r["ratio"] for r in before if r.get("ratio")}
    found = []
    for r in after:
        old, new = ratios.get(tuple(r[key] for key in KEY)), r.get("ratio")
        if old and new and f"{r['engine']} {r['method']}" + r["setting"] != BASIS + BASIS_SETTING:
            found.append((max(old / new, new / old) - 1, f"{r['scene']}: {r['engine']} {r['method']}, {r['setting']}"))
    if not found:
        return None
    changes = [change for change, _ in found]
    return Agreement(len(found), sum(change <= SLOWER for change in changes), median(changes), *max(found))
