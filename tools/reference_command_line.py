#!/usr/bin/env python3
"""The reference of the command line, as Markdown, from what `stickslip --help` and the help of its subcommands say.

Usage: reference_command_line.py [program]; build/bin/stickslip by default.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "bin" / "stickslip"
HEADING = re.compile(r"^([A-Z]\w*):$")
ENTRY = re.compile(r"^  (\S.*?)(?: {2,}(.*))?$")  # a name, two blanks at least, and what it does
COLUMNS = {"Positionals": "argument", "Options": "option", "Subcommands": "command"}


def ask(program: Path, *words: str) -> str:
    """The help of the program, or of one of its subcommands."""
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


def blocks_of(help_text: str) -> dict[str, list[str]]:
    """Lines by heading; those before the first and after a blank line have none."""
    blocks: dict[str, list[str]] = {"": []}
    name = ""
    for line in help_text.splitlines():
        heading = HEADING.match(line)
        name = heading.group(1) if heading else name if line else ""
        if line and not heading:
            blocks.setdefault(name, []).append(line)
    return blocks


def entries_of(lines: list[str]) -> list[tuple[str, str]]:
    """Names and meanings; a line that is indented deeper continues the one before."""
    entries: list[tuple[str, str]] = []
    for line in lines:
        entry = ENTRY.match(line)
        if entry and not line.startswith("   "):
            entries.append((entry.group(1), entry.group(2) or ""))
        elif entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line.strip()}".strip())
    return entries


def subcommands(help_text: str) -> list[str]:
    return [name for name, _ in entries_of(blocks_of(help_text).get("Subcommands", []))]


def table(kind: str, lines: list[str]) -> list[str]:
    rows = [f"| `{name}` | {meaning.replace('|', chr(92) + '|')} |" for name, meaning in entries_of(lines)]
    return ["", f"| {COLUMNS[kind]} | |", "|---|---|", *rows]


def section(title: str, help_text: str) -> str:
    blocks = blocks_of(help_text)
    usage = [line.removeprefix("Usage: ") for line in blocks[""] if line.startswith("Usage: ")]
    words = [line for line in blocks[""] if not line.startswith("Usage: ")]
    lines = [f"## {title}", "", words[0][0].upper() + words[0][1:], "", "```text", *usage, "```"]
    for kind in COLUMNS:
        lines += table(kind, blocks[kind]) if kind in blocks else []
    lines += ["", *words[1:]] if words[1:] else []
    if "Examples" in blocks:
        lines += ["", "```sh", *(line.strip() for line in blocks["Examples"]), "```"]
    return "\n".join(lines) + "\n"


def command_line_reference(program: Path) -> str:
    top = ask(program)
    head = "# The command line\n\n`./stickslip` builds the program and passes its arguments on to it. Made from `stickslip --help`.\n"
    sections = [section("stickslip", top)]
    sections += [section(f"stickslip {name}", ask(program, name)) for name in subcommands(top)]
    return "\n".join([head, *sections])


if __name__ == "__main__":
    print(command_line_reference(Path(sys.argv[1]) if len(sys.argv) > 1 else PROGRAM))
