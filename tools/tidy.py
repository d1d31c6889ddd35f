#!/usr/bin/env python3
"""Runs clang-tidy: first on the files that differ from the main branch, then (without --changed) on the others while the time
lasts.

A file that passed is remembered by the hash of all that it compiles to, so that a second run is quick. Files that the time did not
reach are counted; they are no failure.

Usage: tidy.py --build build-asan [--changed] [--seconds 600] [--jobs 2] [files...]
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "tidy"
TIDY = "clang-tidy-19"


def git(*arguments: str) -> list[str]:
    result = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    return result.stdout.split()


def changed_files() -> set[Path]:
    """Against the fork from the main branch; on the main branch itself, against the last commit's parent."""
    head = git("rev-parse", "HEAD")
    base = git("merge-base", "HEAD", "origin/main") or git("merge-base", "HEAD", "main")
    if base == head:
        base = git("rev-parse", "--verify", "-q", "HEAD~1")
    names = git("diff", "--name-only", base[0] if base else "HEAD") + git("ls-files", "--others", "--exclude-standard")
    return {ROOT / name for name in names}


def without_precompiled(command: dict[str, str]) -> dict[str, str]:
    """The command for the source alone, so that an include that it forgot is noticed."""
    words = shlex.split(re.sub(r"(?:-Xclang )?-include(?:-pch)? (?:-Xclang )?\S*cmake_pch\S*", "", command["command"]))
    return command | {"command": shlex.join(words)}


def digest(command: dict[str, str]) -> str:
    """Of the preprocessed source, the checks, and the tool."""
    words = shlex.split(command["command"])
    words = words[next(i for i, word in enumerate(words) if "clang" in Path(word).name or "g++" in word) :]
    if "-o" in words:
        at = words.index("-o")
        del words[at : at + 2]
    preprocessed = subprocess.run([*words, "-E", "-o", "-"], cwd=command["directory"], capture_output=True, check=False)
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True)
    return hashlib.sha256(preprocessed.stdout + (ROOT / ".clang-tidy").read_bytes() + version.stdout).hexdigest()


def check(command: dict[str, str], deadline: float) -> tuple[str, str]:
    """(outcome, output): passed, remembered, failed or late."""
    stamp = CACHE / digest(command)
    if stamp.exists():
        return "remembered", ""
    if time.monotonic() > deadline:
        return "late", ""
    result = subprocess.run([TIDY, "--quiet", "-p", str(CACHE), command["file"]], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return "failed", result.stdout + result.stderr
    stamp.touch()
    return "passed", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build-asan", help="a configured build folder")
    parser.add_argument("--changed", action="store_true", help="only files that differ from the main branch or last commit")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("files", nargs="*", type=Path, help="only these")
    options = parser.parse_args()

    CACHE.mkdir(parents=True, exist_ok=True)
    commands = [
        without_precompiled(command)
        for command in json.loads((options.build / "compile_commands.json").read_text())
        if Path(command["file"]).is_relative_to(ROOT) and not Path(command["file"]).is_relative_to(options.build.resolve())
    ]
    (CACHE / "compile_commands.json").write_text(json.dumps(commands))
    if options.files:
        wanted = {file.resolve() for file in options.files}
        commands = [command for command in commands if Path(command["file"]) in wanted]
    changed = changed_files()
    if options.changed:
        commands = [command for command in commands if Path(command["file"]) in changed]
    commands.sort(key=lambda command: Path(command["file"]) not in changed)

    deadline = time.monotonic() + options.seconds
    counts = dict.fromkeys(("passed", "remembered", "failed", "late"), 0)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome, output in pool.map(lambda command: check(command, deadline), commands):
            counts[outcome] += 1
            if output:
                print(output)
    print("clang-tidy: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
