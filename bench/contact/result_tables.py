"""Tables of results, as heads and lines of words; for the terminal and for the page."""

from __future__ import annotations

from statistics import median
from typing import Any, TextIO

import precision
import scaling

Row = dict[str, Any]
Table = tuple[list[str], list[list[str]]]
TEXTS = 3  # columns flush left


def shown(value: float | None, unit: float = 1, form: str = ".3g", suffix: str = "") -> str:
    return "-" if value is None else plain(format(unit * value, form)) + suffix


def plain(number: str) -> str:
    """Without the exponent where a whole number of four or five digits is as short."""
    return f"{float(number):.0f}" if "e+0" in number and float(number) < 1e5 else number


def scene_table(rows: list[Row]) -> Table:
    basis = next((r["ratio_to"] for r in rows if r["ratio_to"]), None)
    head = ["engine", "method", "setting", "wall [s]", "spread", "x real time", "steps", "iterations", "deepest [mm]", "slip [mm/s]", "energy gained",
            "error [mm]", f"/ {basis}" if basis else "ratio"]  # fmt: skip
    return head, [scene_line(r) for r in rows]


def scene_line(r: Row) -> list[str]:
    gained = None if r["energy_gained"] is None else max(r["energy_gained"], 0.0)
    return [
        f"{r['engine']} {r['version']}", r["method"], r["setting"], shown(r["wall_seconds"]), shown(r["spread"], 100, ".0f", " %"), shown(r["real_time_rate"]),
        shown(r["steps"], form="d"), shown(r["iterations"]), shown(r["max_penetration"], 1e3), shown(r["max_slip"], 1e3, ".2g"),
        "0" if gained is not None and gained < 1e-6 else shown(gained, 100, ".2g", " %"), shown(r["error"], 1e3), ratio_text(r),
    ]  # fmt: skip


def ratio_text(r: Row) -> str:
    if r["ratio"] is None or r["ratio_low"] == r["ratio_high"]:
        return shown(r["ratio"])
    return f"{shown(r['ratio'])} ({shown(r['ratio_low'], form='.2g')} to {shown(r['ratio_high'], form='.2g')})"


# Ours beside another at the same accuracy or step.
PAIRS = (
    ("anchored / MuJoCo Newton", "anchored", ("MuJoCo", "Newton"), "time_step 0.002"),
    ("anchored / MuJoCo CG", "anchored", ("MuJoCo", "CG"), "time_step 0.002"),
    ("anchored / Drake lagged", "anchored", ("Drake", "lagged"), "time_step 0.002"),
    ("cenic / Drake cenic, 1e-2", "cenic", ("Drake", "cenic"), "accuracy 0.01"),
    ("cenic / Drake cenic, 1e-3", "cenic", ("Drake", "cenic"), "accuracy 0.001"),
)


def summary_table(rows: list[Row]) -> Table:
    """A line a scene: CPU times of ours over those of the others at the same setting, medians of ratios within a start, and their range."""
    lines = []
    for scene in dict.fromkeys(row["scene"] for row in rows if not row["scene"].endswith("_early")):
        found = {(r["engine"], r["method"], r["setting"].partition(",")[0]): r for r in rows if r["scene"] == scene}
        cells = []
        for _, method, other, setting in PAIRS:
            values = paired(found.get(("Stickslip", method, setting)), found.get((*other, setting)))
            row = dict(ratio=median(values), ratio_low=min(values), ratio_high=max(values)) if values else dict(ratio=None)
            cells.append(ratio_text(row))
        lines.append([scene, *cells])
    return ["scene", *(pair[0] for pair in PAIRS)], lines


def paired(mine: Row | None, other: Row | None) -> list[float]:
    """Ratios of CPU times a simulated second, one a start."""
    if mine is None or other is None:
        return []
    each = [[median(start["cpu_seconds"]) / start["simulated_seconds"] for start in row["starts"]] for row in (mine, other)]
    return [a / b for a, b in zip(*each, strict=False)]


def equal_error_table(rows: list[Row]) -> Table:
    """Of a scene that has been swept: a line a method, a column an error."""
    found = precision.curves(rows)
    errors = precision.targets(found)
    head = ["engine", "method", "best error [mm]", *(f"{1e3 * e:g} mm" for e in errors)]
    lines = [equal_error_line(rows, method, curve, errors, "error") for method, curve in found.items()]
    return head, lines + [equal_error_line(rows, method, curve, errors, "own_error") for method, curve in precision.own_limits(rows).items()]


def equal_error_line(rows: list[Row], method: precision.Method, curve: precision.Curve, errors: list[float], key: str) -> list[str]:
    engine, name = method
    cells = []
    for error in errors:
        at = precision.beside(rows, method, error, key)
        ratio = "" if at is None or at[1] is None or method == precision.OWN else f" ({shown(at[1])}x)"
        cells.append("-" if at is None else f"{shown(at[0], 1e3)} ms{ratio}")
    best = min((e for _, e in curve), default=None)
    return [engine, name if key == "error" else f"{name}, to its own limit", shown(best, 1e3), *cells]


def growth_table(rows: list[Row], kind: str) -> Table:
    found = scaling.by_method(rows, kind)
    counts = sorted({count for points in found.values() for count, _ in points})
    head = ["engine", "method", *(f"{count} [ms]" for count in counts), *(f"{count} [us a body]" for count in counts)]
    lines = []
    for method, points in found.items():
        times = dict(points)
        lines.append([*method, *(shown(times.get(c), 1e3) for c in counts), *(shown(times.get(c), 1e6 / c) for c in counts)])
    return head, lines


# --------------------------------------------------------------------------------------------------------------- printed
def print_table(table: Table, out: TextIO, texts: int = TEXTS) -> None:
    """The first `texts` columns are flush left."""
    head, lines = table
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        cells = [c.ljust(w) if i < texts else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))]
        print("  " + "  ".join(cells).rstrip(), file=out)


def markdown(table: Table) -> str:
    head, lines = table
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(line) + " |" for line in lines)])
