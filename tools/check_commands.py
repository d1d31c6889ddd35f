#!/usr/bin/env python3
"""Follows the ```sh blocks of pages literally, in an empty folder that has what the root of a checkout has after a build.

A block with title="name" is saved under that name first, as the page tells its reader to. Lines that install are left out.

Usage: check_commands.py [--build FOLDER] [page ...]; by default the quick start and the how-to pages. Exits 1 if a command fails.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from page_code import run_pages

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
INSTALLS = re.compile(r"(^|/)(pip|apt-get) install")


def furnish(folder: Path, build: Path) -> None:
    """What the pages' commands name: examples, ./stickslip, .venv/bin/python."""
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "stickslip").symlink_to(build / "bin" / "stickslip")
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{build / "python"}" MPLBACKEND=Agg exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)


def follow(page: Path, build: Path) -> tuple[int, str]:
    """The number of commands that ran, and the story of the one that failed, with its page."""
    count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        furnish(folder, build)
        for language, title, text in BLOCK.findall(page.read_text()):
            if title:
                (folder / title).write_text(text)
            for line in text.splitlines() if language == "sh" else []:
                if not line.strip() or INSTALLS.search(line):
                    continue
                result = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, env=os.environ, check=False)
                if result.returncode:
                    return count, f"{page}: {line}\n{result.stdout}{result.stderr}"
                count += 1
    return count, ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder with bin/stickslip and python/stickslip")
    parser.add_argument("pages", type=Path, nargs="*")
    given = parser.parse_args()
    pages = given.pages or [ROOT / "docs" / "quickstart.md", *sorted((ROOT / "docs" / "howto").glob("*.md"))]
    build = given.build.resolve()
    return run_pages("commands", pages, lambda page: follow(page, build))


if __name__ == "__main__":
    sys.exit(main())
