#!/usr/bin/env python3
"""docs/codes.md: every code of errors, warnings and notes, from the table that the program carries.

Usage: codes_page.py [--write] [program]; prints the page, or writes it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "codes.md"
PROGRAM = ROOT / "build" / "bin" / "stickslip"
HEAD = """# Codes

Every error and warning has a code, in brackets at the end of its message; it stays the same while messages improve. `stickslip explain CODE`
says the same as this page, which `tools/codes_page.py` makes from the program. [Errors](concepts/errors.md) tells how to catch them.

Warnings say what became of what they are about: *repaired* (it cannot be meant as written, and is taken as the nearest that can), *translated*
(expressed by something else), *assumed* (missing or open, with a default), *left out* (no effect), *noted* (as written, and worth a look).
"""


def codes_of(program: Path) -> list[dict[str, Any]]:
    return json.loads(subprocess.run([program, "explain", "--json"], capture_output=True, text=True, check=True).stdout)


def entry(code: dict[str, Any]) -> str:
    kind = f"{code['severity']}: {code['change']}" if code["change"] else code["severity"]
    lines = [f"### {code['code']}", "", f"*{kind}.* {escaped(code['meaning'])}", "", "```text", code["example"], "```", "", f"{escaped(code['fix'])}"]
    return "\n".join(lines) + "\n"


def escaped(words: str) -> str:
    """Markdown would take <robot> for HTML."""
    return words.replace("<", "&lt;").replace(">", "&gt;")


def page(codes: list[dict[str, Any]]) -> str:
    parts = [HEAD]
    for section, members in groupby(codes, key=lambda code: code["section"]):
        parts += [f"## {section}\n", *map(entry, members)]
    return "\n".join(parts)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    text = page(codes_of(Path(words[0]) if words else PROGRAM))
    if "--write" in sys.argv:
        PAGE.write_text(text)
    else:
        print(text, end="")
