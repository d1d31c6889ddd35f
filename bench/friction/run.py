#!/usr/bin/env python3
"""What friction holds and what creeps, beside MuJoCo and Drake: prints tables in Markdown, keeps results.json, draws docs/images/friction_*.png.

Usage: bench/friction/run.py [slope] [grasp] [long] [cost] [--groups anchored,regularized,mujoco,drake]      all parts and groups if none is named

Groups that are left out keep the rows that results.json has of them. `long` and `cost` are for `anchored` alone: an hour of simulated time and the
like, and CPU time beside regularised friction.
Drake: a Python that has pydrake, in STICKSLIP_DRAKE_PYTHON; left out if there is none. One thread, CPU time.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import platform
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import friction_cost
import friction_engines as fe
import friction_long
import friction_scenes as fs
import grasp as gr
import numpy as np

IMAGES = fe.HERE.parent.parent / "docs" / "images"
RESULTS = fe.HERE / "results.json"
COLORS = {"anchored": "#d1731a", "regularized": "#2a9d4e", "mujoco": "#4c72b0", "drake": "#555555"}
NAMES = {"anchored": "ours", "regularized": "ours", "mujoco": "MuJoCo", "drake": "Drake"}

SETTLED = 1.0  # s
HOLDS, BARELY, SLIDES = 0.5, 1.01 * fs.STEEPNESS, 0.99 * fs.STEEPNESS
UNTIL = {"anchored": 3601.0, "regularized": 61.0, "mujoco": 61.0, "drake": 61.0}  # s, of the slopes that hold

Record = dict[str, Any]


# ------------------------------------------------------------------------------------------------------------------- parts
def slope(group: str, engine: fe.Engine) -> list[Record]:
    records = []
    for setting in engine.settings:
        record: Record = {"group": group, "setting": setting, "until": UNTIL[group], "creep": [], "seconds": 0.0, "error": ""}
        for friction in (HOLDS, BARELY):
            run = engine.slope(setting, friction, [SETTLED, UNTIL[group]])
            moved = way(run)
            record["creep"].append(None if moved is None else moved / (UNTIL[group] - SETTLED))
            record["seconds"] += run["seconds"]
            record["error"] = record["error"] or run.get("error", "")
        x = [place[0] for place in engine.slope(setting, SLIDES, [1.0, 2.0, 3.0])["places"]]
        record["acceleration"] = (x[2] - 2 * x[1] + x[0]) / fs.slide(SLIDES) if len(x) == 3 else None
        record["version"] = engine.version
        records.append(record)
        print(f"  {engine.name}, {setting}", file=sys.stderr, flush=True)
    return records


def grasp(group: str, engine: fe.Engine) -> list[Record]:
    records = []
    for setting in engine.settings:
        record: Record = {"group": group, "setting": setting, "until": gr.UNTIL, "slip": {}, "depth": {}, "seconds": 0.0, "error": ""}
        for squeeze in gr.SQUEEZES:
            for frequency in gr.FREQUENCIES:
                run = engine.hold(setting, gr.grasp(squeeze, frequency), [gr.SETTLED, gr.UNTIL])
                record["slip"][f"{squeeze}x {frequency} Hz"] = way(run)
                record["depth"][f"{squeeze}x"] = run["depth"]
                record["seconds"] += run["seconds"]
                record["error"] = record["error"] or run.get("error", "")
        record["version"] = engine.version
        records.append(record)
        print(f"  {engine.name}, {setting}", file=sys.stderr, flush=True)
    return records


def way(run: fe.Run) -> float | None:
    """Between the first and the last place, across the normal of the contact: x of the slope, x and z of the grasp. None: stopped."""
    if len(run["places"]) < 2:
        return None
    difference = np.array(run["places"][-1]) - run["places"][0]
    return float(np.hypot(difference[0], difference[2]))


def long(group: str, engine: fe.Engine) -> list[Record]:
    if group != "anchored":
        return []
    records = []
    for setting in engine.settings:
        measured = friction_long.measure(engine.options[setting])
        records.append({"group": group, "setting": setting, "measured": measured, "version": engine.version})
        print(f"  {engine.name}, {setting}", file=sys.stderr, flush=True)
    return records


def cost(group: str, engine: fe.Engine) -> list[Record]:
    if group != "anchored":
        return []
    records = []
    for comparison in friction_cost.COMPARISONS:
        records.append({"group": group, "measured": friction_cost.measure(comparison), "version": engine.version})
        print(f"  {comparison.title}", file=sys.stderr, flush=True)
    return records


# ------------------------------------------------------------------------------------------------------------------ tables
def table(head: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def micro(value: float | None) -> str:
    """In micrometres."""
    return "stopped" if value is None else f"{1e6 * value:.2g}" if abs(value) < 1e-4 else f"{1e6 * value:.0f}"


def slipped(value: float | None) -> str:
    return "lost" if value is not None and value > gr.LOST else micro(value)


def title(record: Record) -> str:
    version = "" if record["version"] == "this" else " " + record["version"]
    return f"{NAMES[record['group']]}{version}: {record['setting']}"


def slope_table(records: list[Record]) -> None:
    print("### Box on a slope of 20 degrees\n")
    print(f"Creep from {SETTLED:g} s on, and acceleration where friction does not hold, over the closed form.\n")
    rows = []
    for r in records:
        acceleration = "stopped" if r["acceleration"] is None else f"{100 * (r['acceleration'] - 1):+.2g}"
        rows.append([title(r), *(micro(c) for c in r["creep"]), acceleration, f"{r['until'] - SETTLED:g}", f"{r['seconds']:.2f}"])
    table(["", "mu 0.5 [um/s]", "mu 1 % above tan 20 [um/s]", "mu 1 % below: acceleration [%]", "over [s]", "CPU [s]"], rows)


def grasp_table(records: list[Record]) -> None:
    print("### Cylinder between pads\n")
    print(f"Slip against the pads from {gr.SETTLED:g} to {gr.UNTIL:g} s [um], at 2, 20 and 95 times the force needed, still and shaken.")
    print(f"Lost: more than {1e3 * gr.LOST:.0f} mm, where feet leave the cylinder.\n")
    cases = [f"{s}x {f} Hz" for s in gr.SQUEEZES for f in gr.FREQUENCIES]
    rows = []
    for r in records:
        tightest = r["slip"][cases[-1]]
        overlap = "" if tightest is None or tightest > gr.LOST else micro(r["depth"]["95x"])
        rows.append([title(r), *(slipped(r["slip"][case]) for case in cases), overlap, f"{r['seconds']:.1f}"])
    table(["", *(case.replace("x 0 Hz", "x still") for case in cases), "overlap at 95x", "CPU [s]"], rows)


def long_table(records: list[Record]) -> None:
    print("### An hour, and the like\n")
    claims = list(records[0]["measured"])
    table(["", *claims], [[title(r), *(f"{r['measured'][claim]:.2g}" for claim in claims)] for r in records])


def cost_table(records: list[Record]) -> None:
    print("### CPU time beside regularised friction\n")
    rows = []
    for m in (r["measured"] for r in records):
        spread = f" ({m['least']:.2f} to {m['most']:.2f})" if m["starts"] > 1 else ""
        rows.append([m["title"], str(m["starts"]), f"{m['seconds']:.2f}{spread}", f"{m['iterations']:.2f}"])
    table(["", "starts", "CPU, anchored/regularised", "Newton iterations"], rows)


# ------------------------------------------------------------------------------------------------------------------- plots
def plot(name: str, records: list[Record], columns: dict[str, list[float | None]], unit: str, largest: float) -> None:
    """A dot a setting in each column; what the axis does not reach sits on its ends, on the right as a cross."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 8, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False})
    width, height = 2.6 + 2.2 * len(columns), 0.8 + 0.17 * len(records)
    figure, axes = plt.subplots(1, len(columns), figsize=(width, height), sharey=True, sharex=True, squeeze=False, layout="constrained")
    smallest = 1e-4
    y = np.arange(len(records))[::-1]
    for column, (heading, values) in enumerate(columns.items()):
        place = axes[0, column]
        for at, record, value in zip(y, records, values, strict=True):
            if value is not None:
                shown = min(max(1e6 * value, smallest), largest)
                place.plot([smallest, shown], [at, at], color=COLORS[record["group"]], linewidth=1.0, alpha=0.5)
                place.plot(shown, at, "x" if 1e6 * value > largest else "o", color=COLORS[record["group"]], markersize=4, clip_on=False)
        place.axvline(1.0, color="#bbbbbb", linewidth=0.8, linestyle="--")
        place.set(xscale="log", xlim=(smallest, largest), title=heading, xlabel=unit)
    axes[0, 0].set_yticks(y, [title(r) for r in records])
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / name, dpi=100, metadata={"Software": None})
    plt.close(figure)


def slope_plot(records: list[Record]) -> None:
    headings = ("mu 0.5", "mu 1 % above tan 20")
    plot("friction_slope.png", records, {h: [r["creep"][i] for r in records] for i, h in enumerate(headings)}, "creep [um/s]", 1e5)


def grasp_plot(records: list[Record]) -> None:
    cases = {"2x, still": "2x 0 Hz", "2x, 5 Hz": "2x 5 Hz", "95x, still": "95x 0 Hz", "95x, 5 Hz": "95x 5 Hz"}
    plot("friction_grasp.png", records, {h: [r["slip"][c] for r in records] for h, c in cases.items()}, "slip in 59 s [um]", 1e6 * gr.LOST)


MEASURES = {"slope": slope, "grasp": grasp, "long": long, "cost": cost}
TABLES = {"slope": slope_table, "grasp": grasp_table, "long": long_table, "cost": cost_table}
PLOTS = {"slope": slope_plot, "grasp": grasp_plot}


def main() -> int:
    arguments = sys.argv[1:]
    groups = list(fe.GROUPS)
    if "--groups" in arguments:
        at = arguments.index("--groups")
        groups = arguments[at + 1].split(",") if at + 1 < len(arguments) else [""]
        del arguments[at : at + 2]
    parts = arguments or list(MEASURES)
    if not set(parts) <= set(MEASURES) or not set(groups) <= set(fe.GROUPS):
        print(__doc__, file=sys.stderr)
        return 2
    results: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results["machine"] = f"{platform.machine()}, {platform.system()}"
    for group in groups:
        engine = fe.find(group)
        if engine is None:
            print(f"{NAMES[group]} is not installed and left out\n")
            continue
        for part in parts:
            kept = [record for record in results.get(part, []) if record["group"] != group]
            records = kept + MEASURES[part](group, engine)
            results[part] = sorted(records, key=lambda record: fe.GROUPS.index(record["group"]))
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        engine.close()
    for part in parts:
        if results.get(part):
            TABLES[part](results[part])
            if part in PLOTS:
                PLOTS[part](results[part])
    return 0


if __name__ == "__main__":
    sys.exit(main())
