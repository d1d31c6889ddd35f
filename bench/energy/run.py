#!/usr/bin/env python3
"""What becomes of the energy of scenes that nothing feeds, beside MuJoCo: prints a table a group, and writes docs/energy.md with --markdown.

Usage: bench/energy/run.py [NAME...] [--quick] [--engines stickslip,mujoco] [--settings WORDS] [--markdown]

Gains are counted over the energy just after the start, in parts of m (9.81 + 6) J: what the masses would have a metre up at 3.5 m/s. A run is given up
after 50 000 steps, 25 s, or a gain of 10 000 times that. --quick takes some seconds; all of it takes some ten minutes on one core. --settings: only those whose name
begins with one of the words, as cenic,anchored.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "contact")]
import energy_runs as runs
import numpy as np
import special
from energy_groups import GROUPS, TIMES, Group
from machine import machine
from rigid import Scene

PAGE = Path(__file__).resolve().parents[2] / "docs" / "energy.md"
LEVELS = (0.01, 0.1, 1.0)
HEAD = ["", "over 1 / 10 / 100 %", "worst", "steps", "CPU [s]", "stopped"]


def scale_of(scene: Scene) -> float:
    return runs.scale_of(runs.model_of(scene))


def row(name: str, found: list[runs.Run], scales: list[float]) -> list[str]:
    gains = np.array([run.gain(scale) for run, scale in zip(found, scales, strict=True)])
    counts = " / ".join(str(int((gains > level).sum())) for level in LEVELS)
    stops = ", ".join(f"{count} {why}" for why, count in sorted(Counter(run.stopped for run in found if run.stopped).items()))
    steps, seconds = sum(run.attempts for run in found), sum(run.seconds for run in found)
    return [name, counts, percent(float(gains.max())), f"{steps:,}".replace(",", " "), f"{seconds:.1f}", stops]


def percent(part: float) -> str:
    if not np.isfinite(part):
        return "inf"
    if part < 5e-6:
        return "0"
    return f"{100 * part:.2g} %" if part < 9.95 else f"{part:.0f} times" if part < 1e4 else f"{part:.0e} times"


def group_table(group: Group, wanted: Iterable[str], mujoco: bool, quick: bool) -> str:
    made = [group.make(seed) for seed in range(group.quick if quick else group.count)]
    scales = [scale_of(each.scene) for each in made]
    rows = []
    for setting in wanted:
        found = [runs.stickslip(m.scene, runs.SETTINGS[setting], group.until, scale, group.jerk) for m, scale in zip(made, scales, strict=True)]
        rows.append(row(setting, found, scales))
    if mujoco and group.mujoco:
        import energy_mujoco as em

        models = [em.model_of(m.consistent) for m in made]
        for name, h in TIMES.items():
            if not quick or name == "2 ms":
                rows.append(row(f"MuJoCo {name}", [em.run(m, h, group.until, s) for m, s in zip(models, scales, strict=True)], scales))
    seconds = f"{len(made)} {group.what}" + (f", {group.until:g} s" if group.until == runs.SECONDS else "")
    return f"### {seconds}\n\n{table(HEAD, rows)}\n"


def table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(r) + " |" for r in rows)])


def write_page(name: str, part: str) -> None:
    """In the place of what the page has of this part, or at the end of its tables."""
    m, text = machine(), PAGE.read_text()
    begin, end, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n", "<!-- end of tables -->"
    said = f"Measured {m['date']} at {m['commit']}; MuJoCo {m['mujoco'] or 'not run'}.\n"
    whole = f"{begin}{part}\n{said}{end}"
    if begin in text:
        text = text[: text.index(begin)] + whole + text[text.index(end) + len(end) :]
    else:
        text = text.replace(last, whole + last)
    PAGE.write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="groups; all if none is named")
    parser.add_argument("--quick", action="store_true", help="a few scenes and settings")
    parser.add_argument("--engines", default="stickslip,mujoco")
    parser.add_argument("--settings", default="", help="beginnings of names, with commas")
    parser.add_argument("--markdown", action="store_true", help="write the tables into docs/energy.md")
    arguments = parser.parse_args()
    groups = {group.name: group for group in GROUPS}
    parts = {**special.PARTS, **groups}
    unknown = [name for name in arguments.names if name not in parts]
    if unknown:
        parser.error(f"no group '{unknown[0]}'; there are {', '.join(parts)}")
    engines = arguments.engines.split(",")
    words = tuple(word for word in arguments.settings.split(",") if word)
    wanted = [s for s in (runs.QUICK if arguments.quick else runs.SETTINGS) if s.startswith(words or "")] if "stickslip" in engines else []
    mujoco = "mujoco" in engines and importlib.util.find_spec("mujoco") is not None
    m = machine()
    print(f"Stickslip at {m['commit']}, MuJoCo {m['mujoco'] if mujoco else 'left out'}\n", flush=True)
    for name in arguments.names or parts:
        part = group_table(groups[name], wanted, mujoco, arguments.quick) if name in groups else special.PARTS[name](wanted, mujoco, arguments.quick)
        print(part, flush=True)
        if arguments.markdown:
            write_page(name, part)
    return 0


if __name__ == "__main__":
    sys.exit(main())
