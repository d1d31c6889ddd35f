#!/usr/bin/env python3
"""Longer searches by the fuzzers: so many CPU minutes each, at low priority, with what earlier searches found as a start.

Usage: tools/fuzz.py [--minutes 20] [--jobs 1] [--build build-asan] [NAME...]      all fuzzers if none is named; ./test --asan builds them

Prints a line a fuzzer: CPU minutes, inputs, and, if something was found, what it was, the file that shows it and the log. Inputs worth keeping stay in build-asan/search/NAME.
Exit code 1 if something was found.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS_A_TICK = 1 / os.sysconf("SC_CLK_TCK")
# Of the wall clock: far beyond what any input takes, since others may have the processor, or the process be stopped meanwhile.
TIMEOUT = 1200
NICE = 19


@dataclass
class Outcome:
    name: str
    minutes: float  # CPU
    inputs: int
    failure: str  # what the log says, if it found something

    def __str__(self) -> str:
        return f"{self.name:<12} {self.minutes:6.1f} min {self.inputs:>12,} inputs  {self.failure or 'nothing found'}"


def fuzzers(build: Path) -> list[str]:
    return sorted(path.name.removeprefix("fuzz_") for path in (build / "bin").glob("fuzz_*"))


def cpu_minutes(pid: int) -> float:
    """Of a process and the children it waited for; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(int(x) for x in fields[11:15]) * SECONDS_A_TICK / 60  # utime, stime, cutime, cstime


def command(build: Path, name: str) -> list[str]:
    kept, seeds = build / "search" / name, build / "search" / "seeds"
    words = [f"-dict={seeds / name}.dict"] if (seeds / f"{name}.dict").exists() else []
    options = [f"-timeout={TIMEOUT}", "-rss_limit_mb=2048", "-print_final_stats=1", f"-artifact_prefix={build / 'search' / 'found'}/"]
    return [str(build / "bin" / f"fuzz_{name}"), *options, *words, str(kept), str(seeds / name)]


def search(build: Path, name: str, minutes: float) -> Outcome:
    place, log = build / "search", build / "search" / f"{name}.log"
    for folder in (place / "found", place / name):
        folder.mkdir(parents=True, exist_ok=True)
    with log.open("w") as out:
        process = subprocess.Popen(command(build, name), stdout=out, stderr=out, preexec_fn=lambda: os.nice(NICE), cwd=place)
        spent = 0.0
        while process.poll() is None and spent < minutes:
            time.sleep(1)
            spent = max(spent, cpu_minutes(process.pid))
        stopped = process.poll() is None
        if stopped:
            process.send_signal(signal.SIGINT)  # it prints its figures and ends
            process.wait()
    text = log.read_text(errors="replace")
    inputs = re.findall(r"number_of_executed_units:\s*(\d+)", text) or re.findall(r"^#(\d+)", text, re.M)
    failed = re.search(r"^(?:==\d+== ?ERROR.*|SUMMARY:.*|.*runtime error:.*)$", text, re.M)
    written = re.search(r"Test unit written to (\S+)", text)
    shown = f" by {written.group(1)}" if written else ""
    failure = "" if stopped and not failed else f"{failed.group(0) if failed else 'ended by itself'}{shown}; see {log}"
    return Outcome(name, spent, int(inputs[-1]) if inputs else 0, failure)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--build", type=Path, default=ROOT / "build-asan")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    known = fuzzers(build)
    unknown = [name for name in arguments.names if name not in known]
    if not known:
        print(f"no fuzzers in {build / 'bin'}; ./test --asan builds them, where clang++-19 is installed", file=sys.stderr)
        return 2
    if unknown:
        print(f"no fuzzer {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    subprocess.run([sys.executable, "-m", "corpus.seeds", str(build / "search" / "seeds")], cwd=ROOT / "tests", check=True)
    failed = False
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for outcome in pool.map(lambda name: search(build, name, arguments.minutes), arguments.names or known):
            print(outcome, flush=True)
            failed |= bool(outcome.failure)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
