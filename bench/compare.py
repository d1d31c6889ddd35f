#!/usr/bin/env python3
"""Speed and error of scenes, beside MuJoCo and Drake; `stickslip bench` calls it.

Usage: bench/compare.py [ID... | energy [GROUP...]] [--json] [--quick] [--engines stickslip,mujoco,drake] [--repeat 5] [--starts 8] [--list] [--setup] [--compare A B]
                        [--export FOLDER] [--page A [B]]

Drake is in an environment of its own, which --setup makes, or in the Python that STICKSLIP_DRAKE_PYTHON names.
Exit code: 0 measured, or nothing got slower; 1 something did; 2 bad usage, or no engine; 3 set-up failed; 130 interrupted.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, TextIO

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "contact"))
try:
    import catalog
    import precision
    import result_tables as tables
    import saved_results
    from result_tables import shown
except ImportError as missing:  # a Python other than that of .venv/
    print(f"stickslip: {missing}; ./stickslip sets up .venv/", file=sys.stderr)
    sys.exit(2)

Row = dict[str, Any]
SETUP = "stickslip bench --setup"
REQUIREMENTS = ROOT / "tools" / "requirements-bench.txt"
ENERGY, ENERGY_RUN = "energy", ROOT / "bench" / "energy" / "run.py"  # a table of its own: no times
LIMIT, QUICK_LIMIT = 15.0, 5.0  # s, after which a run is cut short
REPEAT, STARTS = 5, 8


# --------------------------------------------------------------------------------------------------------------- output
def say(text: str) -> None:
    """On standard error. On a terminal what is being done takes one line; a text that ends with a newline stays, and elsewhere only such a text is shown."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text.endswith("\n"):
        print(f"stickslip: {text.rstrip()}", file=sys.stderr, flush=True)


def print_scene(entry: catalog.Entry, rows: list[Row], out: TextIO) -> None:
    print(f"\n{entry.id}: {entry.text}", file=out)
    tables.print_table(tables.scene_table(rows), out)
    if entry.early:
        print(f"\n{entry.id}: CPU time for an error, and as a multiple of that of {' '.join(precision.OWN)}", file=out)
        tables.print_table(tables.equal_error_table(rows), out, texts=2)
    out.flush()


def print_list() -> None:
    for id in catalog.NAMES:
        marks = [word for word, ids in (("default", catalog.DEFAULT), ("quick", catalog.QUICK)) if id in ids]
        print(f"{id:<18} {catalog.Entry(id).text}" + (f" ({', '.join(marks)})" if marks else ""))
    print("energy [GROUP...]: what scenes that nothing feeds make of their energy, on no clock")
    print("pile_N, mixed_N: of N bodies, up to 9999; with _settled at rest, with _early at many settings, with errors")


# ------------------------------------------------------------------------------------------------------------- commands
def pip_install(requirements: Path) -> bool:
    """Into the environment of this Python; pip speaks to standard error, so that standard output stays empty."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "-r", str(requirements)]
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def set_up_drake() -> bool:
    """Its newest version where a Python is found that it runs on, else the last for this one."""
    import drake_environment

    newer = drake_environment.newer_python()
    if newer:
        return drake_environment.make(newer)
    print("stickslip: no Python 3.12 or newer found, so Drake is 1.51; name one that has a newer Drake in STICKSLIP_DRAKE_PYTHON", file=sys.stderr)
    return pip_install(drake_environment.REQUIREMENTS)


def set_up() -> int:
    """Installs MuJoCo and the robots into the environment of this Python, and Drake into one of its own."""
    if sys.prefix == sys.base_prefix:
        print("stickslip: this Python is not in an environment of its own; run ./stickslip once, which makes .venv/, and then this again", file=sys.stderr)
        return 3
    if not (pip_install(REQUIREMENTS) and set_up_drake()):
        print("stickslip: pip could not install them; check the network and pip's configuration, then run this again", file=sys.stderr)
        return 3
    print("stickslip: MuJoCo, Drake and the robots are installed", file=sys.stderr)
    return 0


def compare(files: list[str], as_json: bool) -> int:
    (machine_a, before), (machine_b, after) = (saved_results.load(Path(file)) for file in files)
    if machine_a.get("cpu") != machine_b.get("cpu"):
        print(f"stickslip: different machines: {machine_a.get('cpu', '?')} and {machine_b.get('cpu', '?')}", file=sys.stderr)
    changes = saved_results.compare(before, after)
    for name, rows in zip(files, (before, after), strict=True):
        if len(rows) > len(changes):
            print(f"stickslip: {len(rows) - len(changes)} rows of {name} have no time, or no counterpart", file=sys.stderr)
    if not changes:
        raise ValueError("these results have nothing in common")
    agreement = saved_results.agreement(before, after)
    if as_json:
        print(json.dumps(changes, indent=2, allow_nan=False))
        print(f"stickslip: {agreement}" if agreement else "", file=sys.stderr)
    else:
        head = ["scene", "engine", "method", "setting", "before [s]", "after [s]", "after / before", "spread", "change"]
        lines = [
            [c["scene"], c["engine"], c["method"], c["setting"], shown(c["before"]), shown(c["after"]), shown(c["ratio"]),
             shown(c["spread"], 100, ".0f", " %"), "" if c["change"] == "same" else c["change"]]
            for c in changes
        ]  # fmt: skip
        tables.print_table((head, lines), sys.stdout, texts=4)
        if agreement:
            print(f"\n{agreement}")
    return 1 if any(c["change"] == "much slower" for c in changes) else 0


def measure(arguments: argparse.Namespace, entries: list[catalog.Entry], wanted: list[str], out: TextIO) -> int:
    import measurements
    from machine import machine

    versions = measurements.installed(wanted)
    for name in wanted:
        if name not in versions:
            say(f"{name} is not installed and left out; install it with: {SETUP}\n")
    if not versions:
        return 2
    rows: list[Row] = []
    runner, status = measurements.Runner(), 0
    plan = measurements.Plan(arguments.repeat, arguments.starts, arguments.limit, arguments.until)
    about = machine() | {"threads": "1", "stickslip": versions.get(catalog.STICKSLIP, "")}
    about |= {"repeat": str(plan.repeat), "starts": str(plan.starts), "limit": f"{plan.limit:g}"}
    try:
        for entry in entries:
            if not sys.stderr.isatty():
                say(f"{entry.id}\n")
            try:
                found = measurements.measure(entry, versions, runner, plan, say)
            except (ModuleNotFoundError, FileNotFoundError) as missing:
                say(f"{entry.id} is left out: {missing}; install what it needs with: {SETUP}\n")
                continue
            say("")
            rows += found
            if not arguments.json:
                print_scene(entry, found, out)
    except KeyboardInterrupt:
        say("interrupted; results are of the scenes that were finished\n")
        status = 130
    finally:
        runner.close()
    if arguments.json:
        print(json.dumps(rows, indent=2, allow_nan=False), file=out, flush=True)
    if rows:
        keep(arguments.results, about, rows)
    return status


def keep(folder: Path, about: dict[str, str], rows: list[Row]) -> None:
    """Results as a file, and their figures beside it."""
    try:
        path = saved_results.save(folder, about, rows)
        import result_figures as figures  # needs matplotlib

        drawn = [name for name, draw in figures.KINDS.items() if draw(rows, path.with_name(f"{path.stem}-{name}.png"))]
        say(f"written to {path}" + (f", with figures of {' and '.join(drawn)}" if drawn else "") + "\n")
    except ModuleNotFoundError as missing:
        say(f"written to {path}, without figures: {missing}\n")
    except OSError as error:
        say(f"results were not kept: {error}\n")


def export(entries: list[catalog.Entry], folder: Path) -> int:
    import export_scenes

    for path in export_scenes.export(entries, folder):
        print(path)
    return 0


def write_page(files: list[str]) -> int:
    import results_page as page

    for path in page.write([Path(file) for file in files]):
        print(path)
    return 0


def energy(arguments: argparse.Namespace) -> int:
    """Gains of energy that nothing feeds."""
    command = [sys.executable, str(ENERGY_RUN), *arguments.ids[1:], f"--engines={arguments.engines}", *(["--quick"] if arguments.quick else [])]
    return subprocess.run(command, check=False).returncode


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="stickslip bench", description="speed and error of scenes, beside MuJoCo and Drake")
    parser.add_argument("ids", nargs="*", metavar="ID", help="scenes, such as C5 or pile_80_settled; a selection if none is named")
    parser.add_argument("--json", action="store_true", help="print the results as one JSON array")
    parser.add_argument("--setup", action="store_true", help="install MuJoCo, Drake and the robots into .venv/")
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"), help="do not measure: what changed from one file of results to another")
    parser.add_argument("--export", type=Path, metavar="FOLDER", help="do not measure: write the scenes there as YAML and MJCF")
    parser.add_argument("--page", nargs="+", metavar="FILE", help="do not measure: make docs/benchmarks.md of results; of a second run how far it agrees")
    parser.add_argument("--list", action="store_true", help="name the scenes")
    parser.add_argument("--quick", action="store_true", help="few scenes, each once: less than a minute")
    parser.add_argument("--engines", default="stickslip,mujoco,drake", help="those to run, with commas between them (all)")
    parser.add_argument("--repeat", type=int, help=f"timed runs of each setting ({REPEAT})")
    parser.add_argument("--starts", type=int, help=f"of the clutters C4, C5 and I7, each a little different ({STARTS})")
    parser.add_argument("--until", type=float, help="end scenes early, s of simulated time")
    parser.add_argument("--limit", type=float, help=f"cut runs short that take longer, s ({LIMIT:g})")
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "results", help="folder to keep results in (bench/results)")
    arguments = parser.parse_args()
    arguments.repeat = arguments.repeat if arguments.repeat is not None else 1 if arguments.quick else REPEAT
    arguments.starts = arguments.starts if arguments.starts is not None else 1 if arguments.quick else STARTS
    arguments.limit = arguments.limit if arguments.limit is not None else QUICK_LIMIT if arguments.quick else LIMIT
    if arguments.repeat < 1 or arguments.starts < 1 or arguments.limit <= 0 or (arguments.until is not None and arguments.until <= 0):
        parser.error("--repeat, --starts, --limit and --until must be positive")
    return arguments


def main() -> int:
    arguments = parse()
    if arguments.setup:
        return set_up()
    if arguments.list:
        print_list()
        return 0
    if arguments.ids[:1] == [ENERGY]:
        return energy(arguments)
    # Standard output is for the results alone, whatever the engines print.
    out = os.fdopen(os.dup(1), "w")
    try:
        if arguments.compare:
            return compare(arguments.compare, arguments.json)
        if arguments.page:
            return write_page(arguments.page)
        entries = catalog.find(arguments.ids or list(catalog.QUICK if arguments.quick else catalog.DEFAULT))
        wanted = catalog.find_engines(arguments.engines)
        if arguments.export:
            return export(entries, arguments.export)
    except (KeyError, ValueError) as error:
        print(f"stickslip: {error.args[0]}", file=sys.stderr)
        return 2
    os.dup2(2, 1)
    try:
        return measure(arguments, entries, wanted, out)
    except ImportError as error:
        print(f"stickslip: {error}; ./stickslip builds the package and sets up .venv/", file=sys.stderr)
        return 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # before anything was measured
        sys.exit(130)
