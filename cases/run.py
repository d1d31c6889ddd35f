#!/usr/bin/env python3
"""Runs the papers' experiments and says which of their claims hold; `stickslip reproduce` calls it.

Usage: cases/run.py [ID...] [--json] [--jobs N] [--renew]

Every folder here is a case: see catalog.py. Writes gallery/index.html. Interrupted, it goes on from there the next time.
Exit code: 0 no claim is false, 1 some are or it was interrupted, 2 bad usage.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for `import cases...`, in spawned processes too
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's: there is a process for each core already

from cases.catalog import ROOT, Record, select
from cases.gallery import write_gallery
from cases.runner import WORDS, run_cases

GALLERY = ROOT / "gallery"
COLUMNS = {"id": 4, "claim": 38, "measured": 42, "expected": 30, "holds": 7, "seconds": 7}


def print_table(records: list[Record]) -> None:
    def print_row(cells: list[str]) -> None:
        wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, COLUMNS.values(), strict=True)]
        for i in range(max(map(len, wrapped))):
            line = [w[i] if i < len(w) else "" for w in wrapped]
            print("  ".join(c.ljust(width) for c, width in zip(line, COLUMNS.values(), strict=True)).rstrip())

    print_row(list(COLUMNS))
    for r in records:
        print_row([r["id"], r["claim"], r["measured"], r["expected"], WORDS[r["holds"]], f"{r['seconds']:.1f}"])
        if not r["holds"]:
            print(textwrap.fill(r["reason"], 132, initial_indent="      because: ", subsequent_indent="      "))
    holds = [r["holds"] for r in records]
    print(f"\n{holds.count(True)} of {len(records)} claims hold, {holds.count(False)} do not, {holds.count(None)} are pending")


def renew_readme(page: Path, records: list[Record]) -> None:
    """Writes the results between the page's marks."""

    def cell(text: str) -> str:
        return text.replace("|", "\\|")

    rows = ["| claim | measured | expected | holds |", "|---|---|---|---|"]
    rows += [f"| {cell(r['claim'])} | {cell(r['measured'])} | {cell(r['expected'])} | {WORDS[r['holds']]} |" for r in records]
    rows += ["", *dict.fromkeys(f"- {r['claim']}: {r['reason']}." for r in records if not r["holds"])]
    marked = re.compile(r"(<!-- measured -->\n).*(<!-- end -->)", re.DOTALL)
    text, count = marked.subn(lambda m: m[1] + "\n".join(rows).rstrip() + "\n" + m[2], page.read_text())
    if count != 1:
        raise ValueError(f"{page} needs the marks <!-- measured --> and <!-- end -->")
    page.write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(prog="stickslip reproduce", description="runs the papers' experiments and checks their claims")
    parser.add_argument("ids", nargs="*", metavar="ID", help="cases to run, such as I1; all if none is named")
    parser.add_argument("--json", action="store_true", help="print the results as one JSON array")
    parser.add_argument("--jobs", type=int, default=2, help="cases that run at the same time (2)")
    parser.add_argument("--renew", action="store_true", help="also renew the figures and the measured numbers in the cases' folders")
    arguments = parser.parse_args()
    try:
        chosen = select(arguments.ids)
    except KeyError as error:
        print(f"stickslip: {error.args[0]}", file=sys.stderr)
        return 2
    try:
        records = run_cases(chosen, max(1, arguments.jobs), GALLERY)
    except KeyboardInterrupt:
        print("stickslip: interrupted; the same command goes on from here", file=sys.stderr)
        return 1
    page = write_gallery(records, chosen, GALLERY)
    if arguments.renew:
        for case in chosen:
            if not case.waits:
                shutil.copyfile(GALLERY / f"{case.id}.png", case.path / "figure.png")
                renew_readme(case.path / "README.md", [r for r in records if r["id"] == case.id])
    if arguments.json:
        print(json.dumps(records, indent=2))
    else:
        print_table(records)
        print(f"with plots: {page}")
    return 1 if any(r["holds"] is False for r in records) else 0


if __name__ == "__main__":
    sys.exit(main())
