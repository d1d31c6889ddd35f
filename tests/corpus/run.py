"""Runs the corpus through the command line, in one batch."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from command_line import PROGRAM
from corpus import FORMATS
from corpus.case import Case

MEASURE = Path(__file__).with_name("measure.py")
SAID = re.compile(r"^(?P<file>.*?)(?::(?P<line>\d+))?(?::\d+)?: (?P<message>.*) \[(?P<code>[a-z0-9-]+)\]$")


@dataclass(frozen=True)
class Result:
    case: Case
    format: str
    exit: int
    said: str
    megabytes: float
    cpu: float  # seconds
    file: str
    line: int
    code: str


def command(case: Case, path: Path) -> list[str]:
    is_recording = path.suffix in (".h5", ".hdf5", ".journal")
    return [str(PROGRAM), "replay" if is_recording else "check", str(path)]


def run_corpus(folder: Path) -> list[Result]:
    """Writes every case into a folder of its own and loads it."""
    pairs = [(name, case) for name, cases in FORMATS.items() for case in cases]
    # As deep as real models lie, so that a path which leads out of the folder leads out.
    paths = [case.write(folder / "a" / "b" / "c" / name / str(i)) for i, (name, case) in enumerate(pairs)]
    lines = "".join(json.dumps(command(case, path)) + "\n" for (_, case), path in zip(pairs, paths, strict=True))
    done = subprocess.run([sys.executable, "-S", "-E", MEASURE, str(folder)], input=lines, capture_output=True, text=True, check=True)
    results = []
    for (name, case), line in zip(pairs, done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        first = SAID.match(found["said"].split("\n", 1)[0])
        where = (first["file"], int(first["line"] or 0), first["code"]) if first else ("", 0, "")
        results.append(Result(case, name, found["exit"], found["said"], found["megabytes"], found["cpu"], *where))
    return results


def complaint(result: Result) -> str:
    """What is wrong with what was said; empty if nothing."""
    case = result.case
    wanted = case.file or case.name
    if result.exit != 2:
        return f"exit {result.exit}, not 2"
    if result.format == "recording":
        return "" if case.code in result.said and wanted.removesuffix(".journal") in result.said else f"does not say '{case.code}'"
    if result.code != case.code:
        return f"code {result.code or 'none'}, not {case.code}"
    if result.line != case.line:
        return f"line {result.line}, not {case.line}"
    return "" if Path(result.file).name == wanted else f"names {result.file}, not {wanted}"


def table(results: list[Result]) -> str:
    """By format, as Markdown: how many files, and which takes most memory and time."""
    lines = ["| format | files | most memory | | most CPU time | |", "|---|---|---|---|---|---|"]
    for name in FORMATS:
        of_format = [r for r in results if r.format == name]
        if of_format:
            most, slowest = max(of_format, key=lambda r: r.megabytes), max(of_format, key=lambda r: r.cpu)
            lines += [f"| {name} | {len(of_format)} | {most.megabytes:.0f} MB | {most.case.name} | {slowest.cpu:.2f} s | {slowest.case.name} |"]
    return "\n".join(lines)


def main() -> int:
    """Prints what is wrong, and which file takes most."""
    with tempfile.TemporaryDirectory() as folder:
        results = run_corpus(Path(folder))
    faults = [(result, complaint(result)) for result in results]
    for result, fault in faults:
        if fault:
            print(f"{result.format}/{result.case.name}: {fault}\n    {result.said.strip()[:300]}")
    most, slowest = max(results, key=lambda r: r.megabytes), max(results, key=lambda r: r.cpu)
    print(table(results))
    print(f"{len(results)} files, {sum(bool(f) for _, f in faults)} faults")
    print(f"most memory: {most.format}/{most.case.name}, {most.megabytes:.0f} MB; most time: {slowest.format}/{slowest.case.name}, {slowest.cpu:.2f} s of CPU")
    return 1 if any(fault for _, fault in faults) else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    sys.exit(main())
