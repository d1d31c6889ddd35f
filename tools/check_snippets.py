#!/usr/bin/env python3
"""Runs the ```python blocks of the Markdown pages, each page in a fresh namespace, from the repository's root.

Usage: check_snippets.py [page ...]; by default every page under docs/. Prints what failed, exits 1 if anything did.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import traceback
from pathlib import Path

from page_code import run_pages

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROOT = Path(__file__).resolve().parent.parent


def run_page(page: Path) -> tuple[int, str]:
    """The number of blocks that ran, and the story of the one that did not, with its page."""
    text = page.read_text()
    names: dict[str, object] = {"__name__": "snippet"}
    count = 0
    for count, block in enumerate(BLOCK.finditer(text), 1):
        padding = "\n" * text.count("\n", 0, block.start(1))  # so that tracebacks give the page's own lines
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(padding + block.group(1), str(page), "exec"), names)
        except Exception:
            return count - 1, f"{page.relative_to(ROOT)}:\n{traceback.format_exc()}"
    return count, ""


def main() -> int:
    given = [Path(argument).resolve() for argument in sys.argv[1:]]
    pages = given or sorted((ROOT / "docs").rglob("*.md"))
    os.chdir(ROOT)
    return run_pages("snippets", pages, run_page)


if __name__ == "__main__":
    sys.exit(main())
