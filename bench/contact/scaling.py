"""Growth of the time a step with the number of bodies, of piles at rest."""

from __future__ import annotations

import re
from typing import Any

Row = dict[str, Any]
Method = tuple[str, str]  # engine and method
KINDS = {"pile": "balls at rest", "mixed": "balls, cubes, capsules and cylinders at rest"}
TITLES = {"pile": "balls at rest", "mixed": "mixed bodies at rest"}
METHODS = {"anchored", "Newton", "CG", "lagged"}  # with steps of equal length


def by_method(rows: list[Row], kind: str) -> dict[Method, list[tuple[int, float]]]:
    """Numbers of bodies and CPU seconds a step, in the order of the numbers."""
    out: dict[Method, list[tuple[int, float]]] = {}
    for row in rows:
        name = re.fullmatch(rf"{kind}_(\d+)_settled", row["scene"])
        if name and row["method"] in METHODS and row["cpu_seconds"]:
            out.setdefault((row["engine"], row["method"]), []).append((int(name[1]), row["cpu_seconds"] / row["steps"]))
    return {method: sorted(points) for method, points in out.items()}
