#!/usr/bin/env python3
"""Writes docs/robots.md: which robot files of others load, and whether they agree with Pinocchio and MuJoCo.

Usage: .venv/bin/python tools/robots_table.py            (needs the packages of ./test)
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from oracles.robot_files import example_robot_urdfs, label, mjcf_files  # noqa: E402
from oracles.verdict import TOLERANCE, Verdict, mjcf_verdict, urdf_verdict  # noqa: E402


def row(name: str, verdict: Verdict) -> str:
    if verdict.oracle_refuses:
        result = "the oracle refuses it"
    elif not verdict.loads:
        result = "does not load"
    else:
        result = "agrees" if verdict.agrees else "differs"
    worst = f"{verdict.worst:.0e}" if verdict.worst < float("inf") else ""
    return f"| {name} | {result} | {worst} | {clean(verdict.reason)} |"


def clean(reason: str) -> str:
    """Table cells without the markup characters and folders of the machine that wrote them."""
    for base in (str(Path(sys.prefix).resolve()), sys.prefix, str(ROOT)):
        reason = reason.replace(base, "")
    return reason.replace("|", "/").replace("<", "&lt;")


def section(title: str, oracle: str, rows: list[tuple[str, Verdict]]) -> list[str]:
    known = [v for _, v in rows if not v.oracle_refuses]
    loaded = sum(v.loads for v in known)
    agreeing = sum(v.agrees for v in known)
    share = 100 * agreeing / max(len(known), 1)
    return [
        f"## {title}",
        "",
        f"{oracle} loads {len(known)} of {len(rows)}; of these {loaded} load here and {agreeing} agree ({share:.1f} %).",
        "",
        "| file | result | largest difference | remark |",
        "|---|---|---|---|",
        *(row(name, verdict) for name, verdict in rows),
        "",
    ]


def main() -> None:
    urdf = [
        (f"{label(path)} ({base})", urdf_verdict(path, base == "floating"))
        for path in example_robot_urdfs()
        for base in ("fixed", "floating")
    ]
    mjcf = [(label(path), mjcf_verdict(path)) for path in mjcf_files()]
    lines = [
        "# Robot files of others",
        "",
        "Made by `tools/robots_table.py`; `./test` compares the same files. A file *agrees* if mass matrix, bias force, body",
        "poses and frame Jacobians (URDF, against Pinocchio) or start, masses, inertias, body poses, mass matrix and bias",
        f"force (MJCF, against MuJoCo) differ by less than {TOLERANCE:g} relative at 10 random states.",
        "",
        *section("URDF: example-robot-data", "Pinocchio", urdf),
        *section("MJCF: gymnasium, dm_control, gymnasium-robotics, robosuite", "MuJoCo", mjcf),
    ]
    (ROOT / "docs" / "robots.md").write_text("\n".join(lines))


main()
