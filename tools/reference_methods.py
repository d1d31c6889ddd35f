#!/usr/bin/env python3
"""The methods at a glance, as Markdown: the table of docs/index.md, held against what the program knows.

Usage: reference_methods.py [program]. A method that the program knows and the table does not, or the other way round, is an error.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from reference_command_line import PROGRAM, ask, blocks_of, entries_of

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| \[`([\w-]+)`\]\((methods/[^)]+)\) \|(.*)\|$", re.MULTILINE)


class Disagreement(ValueError):
    """The program and the table do not know the same methods."""


def known_methods(run_help: str) -> set[str]:
    """Those that the option --method of `stickslip run` lists."""
    meanings = [meaning for name, meaning in entries_of(blocks_of(run_help)["Options"]) if name.startswith("--method")]
    words = re.sub(r"\([^)]*\)|at fixed steps", " ", meanings[0])
    return set(re.findall(r"[a-z][\w-]+", words))


def method_reference(index: str, run_help: str) -> str:
    rows = [(name, link, [cell.strip() for cell in cells.split("|")]) for name, link, cells in ROW.findall(index)]
    differ = {name for name, _, _ in rows} ^ known_methods(run_help)
    if differ:
        raise Disagreement(f"in docs/index.md or in stickslip run --help, not in both: {', '.join(sorted(differ))}")
    lines = ["# Methods", "", "| name | order | contact | for |", "|---|---|---|---|"]
    lines += [f"| [`{name}`](../docs/{link}) | {' | '.join(cells)} |" for name, link, cells in rows]
    return "\n".join(lines) + "\n"


def methods_of(program: Path) -> str:
    return method_reference((ROOT / "docs" / "index.md").read_text(), ask(program, "run"))


if __name__ == "__main__":
    print(methods_of(Path(sys.argv[1]) if len(sys.argv) > 1 else PROGRAM))
