#!/usr/bin/env python3
"""Runs the papers' experiments and says which of their claims hold; `stickslip reproduce` calls it.

Usage: cases/run.py [ID...] [--json] [--jobs N] [--renew]

Every folder here that has a check.py is a case: `check(figure)` draws its figure and returns its results. Writes gallery/index.html.
Exit code: 0 no claim is false, 1 some are, 2 bad usage.
"""

from __future__ import annotations

import argparse
import difflib
import html
import importlib
import json
import re
import shutil
import sys
import textwrap
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "gallery"
Record = dict[str, Any]  # id, claim, measured, expected, holds, reason, seconds (of the whole case)

WORDS = {True: "yes", False: "NO", None: "pending"}
COLUMNS = {"id": 4, "claim": 38, "measured": 42, "expected": 30, "holds": 7, "seconds": 7}


def cases() -> dict[str, str]:
    """Folder by ID, in order: I2 before I10."""
    folders = [p.parent.name for p in (ROOT / "cases").glob("*/check.py")]
    return {f.split("_")[0]: f for f in sorted(folders, key=lambda f: [int(s) if s.isdigit() else s for s in re.split(r"(\d+)", f)])}


def select(wanted: list[str]) -> dict[str, str]:
    """The cases of these IDs; all if none is named. Raises KeyError with a message if there is no such case."""
    known = cases()
    by_name = {id.lower(): id for id in known} | {folder.lower(): id for id, folder in known.items()}
    chosen = []
    for name in wanted:
        if name.lower() not in by_name:
            near = difflib.get_close_matches(name.lower(), by_name, n=1, cutoff=0.4)
            hint = f"did you mean {by_name[near[0]]}?" if near else f"there are {', '.join(known)}"
            raise KeyError(f"there is no case '{name}'; {hint}")
        chosen.append(by_name[name.lower()])
    return {id: folder for id, folder in known.items() if not wanted or id in chosen}


def run_case(id: str, folder: str) -> list[Record]:
    """A check that raises is a claim that does not hold."""
    began = time.perf_counter()
    try:
        results = importlib.import_module(f"cases.{folder}.check").check(GALLERY / f"{id}.png")
        records = [{"id": id, **asdict(result)} for result in results]
    except Exception as error:
        traceback.print_exc()
        reason = f"{type(error).__name__}: {error}"
        records = [{"id": id, "claim": "the check runs", "measured": "it raised", "expected": "", "holds": False, "reason": reason}]
    seconds = round(time.perf_counter() - began, 2)
    return [record | {"seconds": seconds} for record in records]


def run_cases(chosen: dict[str, str], jobs: int) -> list[Record]:
    done: dict[str, list[Record]] = {}
    # Spawned, not forked: a fresh process has no threads of others and gives the same result whatever ran before.
    with ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(run_case, id, folder): id for id, folder in chosen.items()}
        for future in as_completed(running):
            id = running[future]
            done[id] = future.result()
            verdicts = [WORDS[r["holds"]] for r in done[id]]
            counts = ", ".join(f"{verdicts.count(word)} {word}" for word in WORDS.values() if word in verdicts)
            print(f"{id}: {counts} ({done[id][0]['seconds']:.1f} s)", file=sys.stderr)
    return [record for id in chosen for record in done[id]]


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


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
h2 { margin: 2em 0 .3em } img { max-width: 100% } table { border-collapse: collapse; width: 100%; font-size: .85em }
td, th { text-align: left; vertical-align: top; padding: .3em .6em; border-bottom: 1px solid #ddd }
.yes { color: #1a7f37 } .NO { color: #cf222e; font-weight: bold } .pending { color: #777 } small { color: #777 }
"""


def write_gallery(records: list[Record], chosen: dict[str, str]) -> Path:
    """One page of the cases that ran: claims, verdicts, plots."""

    def row(r: Record) -> str:
        word = WORDS[r["holds"]]
        cells = "".join(f"<td>{html.escape(r[key])}</td>" for key in ("claim", "measured", "expected"))
        return f'<tr>{cells}<td class="{word}">{word}</td><td><small>{html.escape(r["reason"])}</small></td></tr>'

    head = "<tr><th>claim</th><th>measured</th><th>expected</th><th>holds</th><th>why this range, or why not</th></tr>"
    parts = []
    for id, folder in chosen.items():
        mine = [r for r in records if r["id"] == id]
        title = f"{id}: {folder.partition('_')[2].replace('_', ' ')}"
        picture = f'<p><img src="{id}.png" alt="{html.escape(title)}"></p>' if (GALLERY / f"{id}.png").exists() else ""
        parts.append(f"<h2 id='{id}'>{html.escape(title)}</h2>{picture}<table>{head}{''.join(map(row, mine))}</table>")
    page = (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Stickslip: the papers' experiments</title><style>{STYLE}</style>"
        f"<h1>The papers' experiments</h1><p>What was measured, and whether it holds. Made by <code>stickslip reproduce</code>.</p>"
        f"{''.join(parts)}</html>\n"
    )
    GALLERY.mkdir(exist_ok=True)
    (GALLERY / "index.html").write_text(page)
    return GALLERY / "index.html"


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
    records = run_cases(chosen, max(1, arguments.jobs))
    page = write_gallery(records, chosen)
    if arguments.renew:
        for id, folder in chosen.items():
            shutil.copyfile(GALLERY / f"{id}.png", ROOT / "cases" / folder / "figure.png")
            renew_readme(ROOT / "cases" / folder / "README.md", [r for r in records if r["id"] == id])
    if arguments.json:
        print(json.dumps(records, indent=2))
    else:
        print_table(records)
        print(f"with plots: {page}")
    return 1 if any(r["holds"] is False for r in records) else 0


sys.path.insert(0, str(ROOT))  # for `import cases...`, in spawned processes too
if __name__ == "__main__":
    sys.exit(main())
