#!/usr/bin/env python3
"""The documentation as a site, in build/site/; it works from a folder and needs no network.

tools/make_site.py build     makes it; a dead link, a page left out or a key without a description is an error
tools/make_site.py serve     shows it at http://localhost:8000 and follows changes

Needs the build that ./stickslip makes. What it needs of Python packages goes to .venv/.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INSTALL = 'source tools/setup.sh && lock_setup && make_venv && install_python docs "$root/tools/requirements-docs.txt" && unlock_setup'


def require_build(build: Path) -> None:
    for file in (build / "bin" / "stickslip", build / "python" / "stickslip" / "_stickslip.pyi"):
        if not file.exists():
            sys.exit(f"{file} is missing; ./stickslip --version builds it")


def make(command: str, build: Path, python: Path) -> int:
    arguments = ["build", "--clean"] if command == "build" else ["serve"]  # --quiet would let warnings pass
    surroundings = {**os.environ, "STICKSLIP_BUILD": str(build), "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run([python, "-m", "mkdocs", *arguments], cwd=ROOT, env=surroundings, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["build", "serve"])
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder with bin/stickslip and python/stickslip")
    parser.add_argument("--python", type=Path, help="a Python that has tools/requirements-docs.txt already, instead of .venv/")
    given = parser.parse_args()
    require_build(given.build.resolve())
    if given.python is None and (failed := subprocess.run(["bash", "-c", INSTALL], cwd=ROOT, check=False).returncode):
        return failed
    status = make(given.command, given.build.resolve(), (given.python or ROOT / ".venv" / "bin" / "python").absolute())
    if status == 0 and given.command == "build":
        print(f"site: {ROOT / 'build' / 'site' / 'index.html'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
