#!/usr/bin/env python3
"""What users complain about in simulators, measured beside MuJoCo and Drake: prints a table an experiment, and writes docs/quality.md with --markdown.

Usage: bench/quality/run.py [NAME...] [--engines stickslip,mujoco,drake] [--markdown]

Drake: a Python that has pydrake, in STICKSLIP_DRAKE_PYTHON; left out if there is none.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import quality_engines as engines
from drake_process import DrakeProcess, drake_version
from known_answers import EXPERIMENTS, Experiment, Run, tumble
from machine import machine

PAGE = engines.ROOT / "docs" / "quality.md"
NAMES = {"stickslip": "Stickslip", "mujoco": "MuJoCo", "drake": "Drake"}


class Runner:
    """Runs experiments; keeps Drake's process."""

    def __init__(self, wanted: list[str]) -> None:
        missing = [n for n in wanted if (n == "mujoco" and not importlib.util.find_spec("mujoco")) or (n == "drake" and not drake_version())]
        for name in missing:
            print(f"{NAMES[name]} is not installed and left out", file=sys.stderr)
        self.engines = [n for n in wanted if n not in missing]
        self.process = DrakeProcess(engines.HERE / "quality_engines.py") if "drake" in self.engines else None

    def run(self, engine: str, experiment: Experiment, options: dict[str, Any]) -> Run:
        if engine == "stickslip":
            return engines.stickslip(experiment, options)
        if engine == "mujoco":
            return engines.mujoco(experiment, options)
        assert self.process is not None
        return engines.drake(experiment, options, self.process)

    def close(self) -> None:
        if self.process is not None:
            self.process.close()


def table(runner: Runner, e: Experiment) -> str:
    lines = ["| engine | setting | " + " | ".join(f"{m.name} [{m.unit}]" for m in e.measures) + " |", "|---|---|" + "---|" * len(e.measures)]
    lines.append("| **right** | | " + " | ".join(number(m.right) for m in e.measures) + " |")
    for engine in runner.engines:
        for setting, options in engines.SETTINGS[engine].items():
            run = runner.run(engine, e, options)
            cells = [f"stopped: {run.stopped}"] * len(e.measures) if run.stopped else [number(m.of(run)) for m in e.measures]
            lines.append(f"| {NAMES[engine]} | {setting} | {' | '.join(cells)} |")
    return f"### {e.what}\n\n" + "\n".join(lines) + "\n"


def sensitivity(runner: Runner) -> str:
    e = tumble()
    lines = ["| engine | settings | the places where it ends differ by [mm] |", "|---|---|---|"]
    for engine in runner.engines:
        for setting, pair in engines.SENSITIVITY[engine].items():
            ends = [runner.run(engine, e, options) for options in pair]
            broken = next((run.stopped for run in ends if run.stopped), "")
            apart = f"stopped: {broken}" if broken else number(1e3 * float(np.linalg.norm(ends[0].q[-1, 0, :3] - ends[1].q[-1, 0, :3])))
            lines.append(f"| {NAMES[engine]} | {setting} | {apart} |")
    return f"### {e.what}: does the setting matter?\n\n" + "\n".join(lines) + "\n"


def number(x: float) -> str:
    if abs(x) < 5e-7:
        return "0"
    return f"{x:.4g}" if 1e-3 <= abs(x) < 1e6 else f"{x:.1e}"


def write_page(tables: list[str]) -> None:
    m = machine()
    text = PAGE.read_text()
    said = f"Measured {m['date']} at {m['commit']}; MuJoCo {m['mujoco'] or 'not run'}, Drake {m['drake'] or 'not run'}.\n\n"
    PAGE.write_text(re.sub(r"(<!-- tables -->\n).*(<!-- end of tables -->)", lambda g: g[1] + said + "\n".join(tables) + g[2], text, flags=re.DOTALL))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; all if none is named")
    parser.add_argument("--engines", default="stickslip,mujoco,drake")
    parser.add_argument("--markdown", action="store_true", help="write the tables into docs/quality.md")
    arguments = parser.parse_args()
    known = {e.name: e for e in EXPERIMENTS}
    unknown = [n for n in arguments.names if n not in known and n != "tumble"]
    if unknown:
        parser.error(f"no experiment '{unknown[0]}'; there are {', '.join([*known, 'tumble'])}")
    runner = Runner([n for n in arguments.engines.split(",") if n])
    tables = []
    try:
        for name in arguments.names or [*known, "tumble"]:
            tables.append(sensitivity(runner) if name == "tumble" else table(runner, known[name]))
            print(tables[-1], flush=True)
    finally:
        runner.close()
    if arguments.markdown:
        write_page(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
