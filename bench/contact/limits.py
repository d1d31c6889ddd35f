#!/usr/bin/env python3
"""How far our steps are from what one core of this machine can do: operations and bytes of a step, by counting, beside its measured peaks.

    bench/contact/limits.py [I7 romeo pile_320 ...]

Counts are callgrind's, of the second half of a run less the first, so that start-up is not in them: every instruction executed, looked up in the
disassembled program for its floating-point operations, and the lines of cache that simulated caches of this machine's size had to fetch. Needs valgrind and objdump.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import catalog
import export_scenes
import scenes

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "bin" / "stickslip"
SECONDS = {"I7": 2.0, "romeo": 2.0, "panda": 2.0, "solo12": 2.0, "pile_320": 0.4, "C5": 2.0}  # simulated, as far as counting is affordable
LINE = 64  # bytes of a line of cache
CACHES = ["--D1=32768,8,64", "--LL=1048576,8,64"]  # of a core: what leaves its second level comes from elsewhere
REPEATS = 5

ARITHMETIC = re.compile(r"^v?(fn?m(?:add|sub|addsub|subadd)(?:132|213|231)|add|sub|mul|div|sqrt|max|min|addsub|hadd)(sd|pd)$")


@dataclass
class Counts:
    instructions: float = 0
    flops: float = 0
    from_second_level: float = 0  # lines
    from_beyond: float = 0

    def minus(self, other: Counts) -> Counts:
        return Counts(*(a - b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))

    def over(self, steps: int) -> Counts:
        return Counts(*(a / steps for a in vars(self).values()))


def flops_of(mnemonic: str, operands: str) -> int:
    match = ARITHMETIC.match(mnemonic)
    if not match:
        return 0
    lanes = 1 if match[2] == "sd" else 4 if "ymm" in operands else 2
    return lanes * (2 if match[1].startswith(("fm", "fnm")) else 1)


@cache
def flops_by_address() -> dict[int, int]:
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", PROGRAM], capture_output=True, text=True, check=True).stdout
    out = {}
    for address, mnemonic, operands in re.findall(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$", text, re.MULTILINE):
        if flops := flops_of(mnemonic, operands):
            out[int(address, 16)] = flops
    return out


def read_counts(file: Path) -> Counts:
    """Of callgrind's file with addresses. A line behind `calls=` is the cost of what was called, which has lines of its own."""
    events: list[str] = []
    total, executed = Counter[str](), Counter[int]()
    in_program = is_call = False
    for line in file.read_text().splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("ob="):
            in_program = line.endswith(PROGRAM.name)
        elif line.startswith("calls="):
            is_call = True
        elif line.startswith("0x"):
            address, _, *costs = line.split()
            if not is_call:
                total.update(dict(zip(events, map(int, costs), strict=False)))
                if in_program:
                    executed[int(address, 16)] += int(costs[0])
            is_call = False
    flops = sum(flops_by_address().get(address, 0) * times for address, times in executed.items())
    return Counts(total["Ir"], flops, total["D1mr"] + total["D1mw"], total["DLmr"] + total["DLmw"])


def command(scene: Path, until: float) -> list[str]:
    return [str(x) for x in (PROGRAM, "run", scene, "--method", "lagged", "--time-step", scenes.TIME_STEP, "--solver-tolerance", 1e-5, "--until", until)]


def count(scene: Path, until: float) -> Counts:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        options = ["--cache-sim=yes", *CACHES, "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no", f"--callgrind-out-file={out}"]
        subprocess.run(["valgrind", "--tool=callgrind", *options, *command(scene, until), "--quiet"], capture_output=True, check=True)
        return read_counts(out)


def seconds(scene: Path, until: float) -> float:
    """Of the steps alone, the least of several runs: the counts are those of an undisturbed run."""
    runs = [subprocess.run([*command(scene, until), "--json"], capture_output=True, text=True, check=True).stdout for _ in range(REPEATS)]
    return min(json.loads(run)["seconds"]["total"] for run in runs)


def peaks() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "peak"
        subprocess.run(["c++", "-std=c++20", "-O3", "-march=x86-64-v3", "-w", Path(__file__).with_name("peak.cc"), "-o", program], check=True)
        lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    return {name: float(value) for name, value in map(str.split, lines)}


def row(name: str, folder: Path, peak: dict[str, float]) -> str:
    export_scenes.export(catalog.find([name]), folder)
    scene, until = folder / f"{name}.yaml", SECONDS.get(name, 1.0)
    steps = round(until / 2 / scenes.TIME_STEP)
    a_step = count(scene, until).minus(count(scene, until / 2)).over(steps)
    time = (seconds(scene, until) - seconds(scene, until / 2)) / steps
    bound = {
        "arithmetic": a_step.flops / peak["flops"],
        "second level": LINE * a_step.from_second_level / peak["L2"],
        "memory": LINE * a_step.from_beyond / peak["memory"],
    }
    figures = [f"{1e6 * time:.1f}", f"{a_step.instructions / 1e3:.0f}", f"{a_step.flops / 1e3:.0f}", f"{a_step.flops / time / 1e9:.2f}"]
    moved = [f"{LINE * a_step.from_second_level / 1e3:.0f}", f"{LINE * a_step.from_beyond / 1e3:.1f}"]
    return " | ".join(["", name, *figures, *moved, *(f"{100 * least / time:.1f} %" for least in bound.values()), ""]).strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenes", nargs="*", default=["I7", "panda", "romeo", "pile_320"])
    names = parser.parse_args().scenes
    peak = peaks()
    print(f"One core: {peak['flops'] / 1e9:.1f} Gflop/s of multiply-adds in packs of four; reads {peak['L1'] / 1e9:.0f} GB/s from its first level of cache, ")
    print(f"{peak['L2'] / 1e9:.0f} GB/s from the second, {peak['memory'] / 1e9:.0f} GB/s from memory.\n")
    head = ["scene", "µs a step", "1000 instructions", "1000 flops", "Gflop/s", "kB from the second level", "kB from beyond"]
    print("| " + " | ".join([*head, "of peak arithmetic", "of the second level's peak", "of memory's peak"]) + " |\n|" + "---|" * (len(head) + 3))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            print(row(name, Path(folder), peak), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
