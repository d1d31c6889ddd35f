"""Results of `stickslip bench` as files, and two of them side by side."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

SLOWER = 0.15  # by which a setting has to be slower, besides its spread, to count
KEY = ("scene", "engine", "method", "setting")


def save(folder: Path, machine: dict[str, str], rows: list[dict[str, Any]]) -> Path:
    """As <date>-<cpu>.json, or with a number behind it if there is one already."""
    cpu = re.sub(r"\((r|tm)\)", "", machine["cpu"].lower())
    stem = f"{machine['date']}-{re.sub(r'[^a-z0-9]+', '-', cpu).strip('-')}"
    folder.mkdir(parents=True, exist_ok=True)
    taken = {path.name for path in folder.glob("*.json")}
    names = (f"{stem}{'' if i == 1 else f'-{i}'}.json" for i in range(1, len(taken) + 2))
    path = folder / next(name for name in names if name not in taken)
    path.write_text(json.dumps(dict(machine=machine, results=rows), indent=1, allow_nan=False) + "\n")
    return path


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


def compare(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row a setting that both have timed. `change`: 'slower' or 'faster' beyond the larger of the two spreads, 'same' within it, and 'much slower' if
    it is slower by more than both that spread and 15 %. A spread that is not known, of a single run, counts as none."""
    earlier = {tuple(r[key] for key in KEY): r for r in before if r["wall_seconds"]}
    out = []
    for r in after:
        old = earlier.get(tuple(r[key] for key in KEY))
        if old is None or not r["wall_seconds"]:
            continue
        ratio = r["wall_seconds"] / old["wall_seconds"]
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
