"""docs/benchmarks.md and its figures, from files of results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import catalog
import engines
import precision
import result_figures as figures
import result_tables as tables
import saved_results
import scaling

Row = dict[str, Any]
PAGE = engines.ROOT / "docs" / "benchmarks.md"
IMAGES = {"work_precision": "images/bench_work_precision.png", "growth": "images/bench_growth.png"}
HEAD = """# Benchmarks beside MuJoCo and Drake

Made by `stickslip bench --page` from {files}; [what is measured, and how](performance.md#measure-it-yourself). Times are CPU times of one thread unless it
says wall. What Stickslip's figures are made of, and what was asked of them, is on the page of [a step with contact](performance.md).

{machine}
{agreement}
"""
PRECISION = """## Time at equal error

Each engine over its range of settings, from the start until its runs can no longer be told apart by their settings. The error is how far the worst body is off at
the end, from Stickslip's `cenic` at 1e-6 with the friction law that the engine solves. MuJoCo's contacts cannot be given the scene's stiffness and damping, and
Drake's cubes and links of robots are spheres: dotted lines, and lines named *to its own limit*, are their distances from what they themselves tend to (MuJoCo at
31 µs, Drake's CENIC at 1e-6), as if their contacts were the ones asked for.

![error against time](images/bench_work_precision.png)

Time for an error, interpolated between settings, and as a multiple of that of `cenic` in Stickslip from the same start; `-`: not reached from half of the starts.
"""
EQUAL = """## At equal settings

CPU time of Stickslip over that of the others at the same accuracy or step of 2 ms: medians over starts, and their range. Below 1 Stickslip is faster. Steps of equal length do not have
equal errors, and MuJoCo's contacts are softer here: the tables below have depth, slip, energy and error of each.

{summary}

`deepest`, `slip` and `energy gained` are the worst of all starts, the rest medians; in brackets the range of the ratios. Iterations are of Newton (of conjugate
gradients in rows of CG), a step, summed over islands; Drake's are of the scene as a whole, and its fixed steps do not tell. What has no figures did not end: a line below the table says why.
"""
GROWTH = """## Growth with the number of bodies

Fifty steps of 2 ms from a pile at rest; milliseconds a step, and microseconds a body.

![time a step against the number of bodies](images/bench_growth.png)
"""


def write(files: list[Path]) -> list[Path]:
    """Page and figures; returns what was written. A second file is another run of the same. Raises ValueError if a file is none of results."""
    results = [saved_results.load(file) for file in files]
    _, rows = results[0]
    out = [PAGE]
    for name, draw in figures.KINDS.items():
        image = PAGE.parent / IMAGES[name]
        if draw(rows, image):
            out.append(image)
    PAGE.write_text(text([file.name for file in files], *results))
    return out


def text(names: list[str], first: tuple[dict[str, str], list[Row]], second: tuple[dict[str, str], list[Row]] | None = None) -> str:
    machine, rows = first
    agreement = saved_results.agreement(rows, second[1]) if second else None
    twice = ", ".join(dict.fromkeys(row["scene"] for row in second[1])) if second else ""
    earlier = f", at {second[0]['commit']} with load {second[0]['load']}" if second else ""
    again = f"\nMeasured once more{earlier} ({twice}): {agreement}.\n" if agreement else ""
    listed = " and ".join(f"`bench/results/{name}`" for name in names)
    parts = [HEAD.format(files=listed, machine=machine_text(machine), agreement=again), precision_part(rows), equal_part(rows), growth_part(rows)]
    return "\n".join(part for part in parts if part).rstrip() + "\n"


def sources(page: str) -> list[Path]:
    """The files of results that a page was made from."""
    return [engines.ROOT / name for name in re.findall(r"`(bench/results/\S+\.json)`", page)]


def machine_text(m: dict[str, str]) -> str:
    return (
        f"Measured {m['date']} at {m['commit']} on {m['cpu']}, {m['cores']} cores, {m['system']}, load {m['load']} at the start. Stickslip {m['stickslip']}, "
        f"MuJoCo {m['mujoco'] or 'not measured'}, Drake {m['drake'] or 'not measured'}; {m['threads']} thread. Medians of {m['repeat']} runs, or of {m['starts']} "
        f"starts of the clutters C4, C5 and I7; a run is cut short after {m['limit']} s. {m.get('note', '')}".rstrip()
    )


def precision_part(rows: list[Row]) -> str:
    parts = [PRECISION]
    for name, own in precision.early(rows).items():
        table = tables.equal_error_table(own)
        if len(table[0]) > tables.TEXTS:
            parts += [f"### {title(name)}\n", tables.markdown(table) + "\n"]
    return "\n".join(parts) if len(parts) > 1 else ""


def equal_part(rows: list[Row]) -> str:
    scenes = dict.fromkeys(row["scene"] for row in rows if not row["scene"].endswith("_early"))
    parts = [EQUAL.format(summary=tables.markdown(tables.summary_table(rows)))]
    for name in scenes:
        own = [row for row in rows if row["scene"] == name]
        reasons = [f"- {row['engine']} {row['method']}, {row['setting']}: {row['stopped'].split('. ')[0]}" for row in own if row["stopped"]]
        parts += [f"### {title(name)}\n", tables.markdown(tables.scene_table(own)) + "\n", *([*reasons, ""] if reasons else [])]
    return "\n".join(parts) if scenes else ""


def growth_part(rows: list[Row]) -> str:
    kinds = [kind for kind in scaling.KINDS if scaling.by_method(rows, kind)]
    parts = [GROWTH]
    for kind in kinds:
        parts += [f"### {scaling.KINDS[kind].capitalize()}\n", tables.markdown(tables.growth_table(rows, kind)) + "\n"]
    return "\n".join(parts) if kinds else ""


def title(scene: str) -> str:
    return f"{scene}: {catalog.Entry(scene).text}"
