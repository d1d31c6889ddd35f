#!/usr/bin/env python3
"""Writes docs/load_table.md and tests/oracles/load_sample.json: how many robot files of others load, here and elsewhere.

Usage: python tools/load_table.py            (needs tools/requirements-load-table.txt and the module on PYTHONPATH; the second table also
                                              tools/requirements-load-table-more.txt, installed with --no-deps)

Each engine runs as `load_table.py ENGINE` in a process of its own and leaves its answers in .cache/load_table/.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from oracles.engines import ENGINES, isolated, load_with  # noqa: E402
from oracles.robot_files import FORMATS, all_robot_files, label, more_robot_files  # noqa: E402

CACHE = ROOT / ".cache" / "load_table"
MODULES = {"moves": "stickslip", "mujoco": "mujoco", "drake": "pydrake.all", "pinocchio": "pinocchio", "pybullet": "pybullet", "stickslip": "stickslip"}
NAMES = {"stickslip": "here", "moves": "moves here", "mujoco": "MuJoCo", "drake": "Drake", "pinocchio": "Pinocchio", "pybullet": "PyBullet"}
DISTRIBUTIONS = {"mujoco": "mujoco", "drake": "drake", "pinocchio": "pin", "pybullet": "pybullet"}
ORACLES = {".urdf": "pinocchio", ".xml": "mujoco", ".sdf": "drake"}
SAMPLED = 12  # every so many files, for the test
Answers = dict[str, dict[str, Any]]


def every_file() -> dict[str, list[Path]]:
    return all_robot_files() | more_robot_files()


def verdict_of(path: Path) -> dict[str, Any]:
    """How far masses, mass matrix, bias force and poses are from the oracle's, at random states."""
    from oracles.verdict import Verdict, mjcf_verdict, sdf_verdict, urdf_verdict

    judges: dict[str, Callable[[Path], Verdict]] = {".urdf": lambda file: urdf_verdict(file, floating=True), ".xml": mjcf_verdict, ".sdf": sdf_verdict}
    verdict = judges[path.suffix](path)
    return {"refused": verdict.oracle_refuses, "agrees": verdict.agrees, "worst": verdict.worst, "remark": verdict.reason}


def run(engine: str) -> None:
    """All files by one engine; "moves" simulates them here, "agreement" compares ours with the oracle of each format."""
    for module in [MODULES[engine]] if engine in MODULES else ["stickslip", "mujoco", "pinocchio", "pydrake.all"]:
        importlib.import_module(module)
    load: Callable[[Path], dict[str, Any]] = lambda path: load_with(engine, path)  # noqa: E731
    if engine == "agreement":
        load = lambda path: isolated(verdict_of, path)  # noqa: E731
    answers = {label(path): load(path) for files in every_file().values() for path in files}
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE / f"{engine}.json").write_text(json.dumps(answers))


def read(engine: str, fresh: bool) -> Answers:
    if fresh or not (CACHE / f"{engine}.json").exists():
        subprocess.run([sys.executable, __file__, engine], check=True)
    answers: Answers = json.loads((CACHE / f"{engine}.json").read_text())
    return answers


def clean(reason: str) -> str:
    """Table cells without the markup characters and folders of the machine that wrote them."""
    site = str(Path(os.__file__).parent / "site-packages")
    for base in (str(Path(sys.prefix).resolve()), sys.prefix, site, str(ROOT)):
        reason = reason.replace(base, "")
    return reason.replace("/lib/python3.11/site-packages/", "").replace("|", "/").replace("<", "&lt;")


def agreement(own: Answers, verdicts: Answers, oracle: Answers, files: list[str]) -> tuple[int, int, list[str]]:
    """How many were compared, how many agree, and a line for each that does not."""
    compared, agreeing, lines = 0, 0, []
    for name in files:
        if not (own[name]["loads"] and oracle[name]["loads"]):
            continue
        verdict = verdicts[name]
        if verdict.get("refused"):
            continue
        compared += 1
        agreeing += bool(verdict.get("agrees"))
        if not verdict.get("agrees"):
            lines.append(f"| {name} | {clean(str(verdict.get('remark', verdict.get('reason', ''))))} |")
    return compared, agreeing, lines


@dataclass
class Table:
    """The counts of some packages, and what is to be said of single files."""

    rows: list[tuple[str, dict[str, int]]]
    refusals: list[str]
    differences: list[str]
    stuck: list[str]
    sample: dict[str, dict[str, Any]]

    @property
    def totals(self) -> dict[str, int]:
        return {key: sum(counts[key] for _, counts in self.rows) for key in self.rows[0][1]}


def count(packages: dict[str, list[Path]], own: Answers, moves: Answers, others: dict[str, Answers], verdicts: Answers) -> Table:
    table = Table([], [], [], [], {})
    for package, paths in packages.items():
        for suffix, form in FORMATS.items():
            files = [label(path) for path in paths if path.suffix == suffix]
            if not files:
                continue
            oracle = others[ORACLES[suffix]]
            any_loads = [name for name in files if any(answers[name]["loads"] for answers in others.values())]
            compared, agreeing, lines = agreement(own, verdicts, oracle, files)
            counts = {
                "files": len(files),
                "stickslip": sum(own[name]["loads"] for name in files),
                "moves": sum(moves[name]["loads"] for name in files),
                **{engine: sum(answers[name]["loads"] for name in files) for engine, answers in others.items()},
                "any": len(any_loads),
                "any here": sum(own[name]["loads"] for name in any_loads),
                "owner": sum(oracle[name]["loads"] for name in files),
                "owner here": sum(own[name]["loads"] and oracle[name]["loads"] for name in files),
                "compared": compared,
                "agree": agreeing,
            }
            table.rows.append((f"{package} ({form})", counts))
            table.differences += lines
            table.stuck += [f"| {name} | {clean(moves[name]['reason'])} |" for name in files if own[name]["loads"] and not moves[name]["loads"]]
            for name in files:
                loaders = [NAMES[engine] for engine, answers in others.items() if answers[name]["loads"]]
                if not own[name]["loads"]:
                    table.refusals.append(f"| {name} | {', '.join(loaders) or 'no other'} | {clean(own[name]['reason'])} |")
            table.sample.update({n: {k: oracle[n][k] for k in ("nv", "mass")} for n in files[::SAMPLED] if own[n]["loads"] and oracle[n]["loads"]})
    return table


def lines_of(table: Table, engines: list[str]) -> list[str]:
    cells = ("files", "stickslip", "moves", *engines)
    totals = table.totals
    return [
        "| package | " + " | ".join(NAMES.get(c, c) for c in cells) + " | loaded by any | of these here | compared | agree |",
        "|---" * (len(cells) + 5) + "|",
        *(f"| {name} | " + " | ".join(str(counts[c]) for c in (*cells, "any", "any here", "compared", "agree")) + " |" for name, counts in (*table.rows, ("**all**", totals))),
        "",
        f"Of the {totals['any']} files that any other engine loads {100 * totals['any here'] / totals['any']:.1f} % load here, of the {totals['owner']} that the engine they are compared with loads "
        f"{100 * totals['owner here'] / totals['owner']:.1f} %; of those that were compared {100 * totals['agree'] / max(totals['compared'], 1):.1f} % agree.",
        "",
    ]


def details_of(table: Table) -> list[str]:
    refused = [line for line in table.refusals if "not-mjcf" not in line]
    return [
        f"{len(table.refusals) - len(refused)} fragments with the root element `mujocoinclude`, which nobody loads by itself, and:",
        "",
        "| file | loaded by | why not here |",
        "|---|---|---|",
        *refused,
        "",
        *(["Not simulated for 0.2 s within a minute:", "", "| file | why |", "|---|---|", *table.stuck, ""] if table.stuck else []),
        *(["Differences:", "", "| file | remark |", "|---|---|", *table.differences, ""] if table.differences else []),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", nargs="?", help="run this engine only")
    parser.add_argument("--again", action="store_true", help="ask the other engines again too")
    parser.add_argument("--write", action="store_true", help="ask nobody again that has answered before")
    arguments = parser.parse_args()
    if arguments.engine:
        run(arguments.engine)
        return
    others = {engine: read(engine, arguments.again) for engine in ENGINES if engine != "stickslip"}
    own, moves, verdicts = (read(engine, not arguments.write) for engine in ("stickslip", "moves", "agreement"))
    write(own, moves, others, verdicts)


def write(own: Answers, moves: Answers, others: dict[str, Answers], verdicts: Answers) -> None:
    known, more = (count(packages, own, moves, others, verdicts) for packages in (all_robot_files(), more_robot_files()))
    versions = ", ".join(f"{NAMES[engine]} {version(DISTRIBUTIONS[engine])}" for engine in others)
    lines = [
        "# Load table",
        "",
        "Made by `tools/load_table.py`: every URDF, SDF and MJCF file of six packages, among them fragments that are meant to be included by others,",
        f"loaded here and by {versions}, each in a process of its own. MuJoCo has no reader of SDF, and Pinocchio's is not part of its package; Pinocchio reads no",
        "meshes here, the others what collides. *Moves here*: it was simulated for 0.2 s with all defaults. *Loaded by any*: by at least one of the other four. *Agree*: mass matrix, bias force, poses (URDF: and Jacobians, with a",
        "floating base and all as written (`repair=False`), against Pinocchio; MJCF: and masses and inertias, against MuJoCo; SDF: and masses, against Drake, at rest) at 10 random states to 1e-10.",
        "",
        *lines_of(known, list(others)),
        "## Packages that the readers were not written with",
        "",
        "The same for packages that were first loaded when the readers were done. What is missing from a package counts too: Pinocchio and PyBullet pass over an `<include>` whose file is not there,",
        "MuJoCo and we do not, and some of these packages fetch such files when they are first used.",
        "",
        *lines_of(more, list(others)),
        "## Not loaded here",
        "",
        *details_of(known),
        "### Of the other packages",
        "",
        *details_of(more),
    ]
    (ROOT / "docs" / "load_table.md").write_text("\n".join(lines))
    (ROOT / "tests" / "oracles" / "load_sample.json").write_text(json.dumps(known.sample, indent=0) + "\n")


main()
