#!/usr/bin/env python3
"""Proves that the folders of src/stickslip form a pipeline: a folder includes only itself and folders above it.

The order is the list `folders` of src/stickslip/CMakeLists.txt. Also checked: each folder's UPWARD list names exactly folders
above it and covers its includes, every folder with sources is in the order, included files exist, and no headers include each
other in a circle.

Usage: check_layers.py [repository root]. Prints one line a fault, exits 1 if there is any.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
SOURCES = (".h", ".cc")


def cmake_arguments(text: str, call: str) -> list[str]:
    """The words between the parentheses of the first `call`, without comments."""
    text = re.sub(r"#.*", "", text)
    match = re.search(rf"{call}\s([^)]*)\)", text)
    return match.group(1).split() if match else []


def read_order(source: Path) -> list[str]:
    return cmake_arguments((source / "CMakeLists.txt").read_text(), r"set\(folders")


def read_upward(folder: Path) -> list[str] | None:
    """The UPWARD list of a folder's CMakeLists.txt; None where it declares no such folder."""
    file = folder / "CMakeLists.txt"
    words = cmake_arguments(file.read_text(), rf"stickslip_folder\({folder.name}") if file.exists() else []
    if "UPWARD" not in words:
        return None
    words = words[words.index("UPWARD") + 1 :]
    return words[: words.index("LIBRARIES")] if "LIBRARIES" in words else words


def check_declared(source: Path, order: list[str]) -> list[str]:
    """Faults in the CMake files alone."""
    faults = []
    present = sorted(p.name for p in source.iterdir() if p.is_dir() and any(f.suffix in SOURCES for f in p.iterdir()))
    faults += [f"{source.name}/{name}: not in the list of folders in {source.name}/CMakeLists.txt" for name in present if name not in order]
    for position, name in enumerate(order):
        upward = read_upward(source / name)
        if upward is None:
            faults.append(f"{source.name}/{name}/CMakeLists.txt: no stickslip_folder({name} UPWARD ...)")
            continue
        faults += [
            f"{source.name}/{name}/CMakeLists.txt: UPWARD names {other}, which is not above {name}"
            for other in upward
            if other not in order[:position]
        ]
    return faults


def resolve(file: Path, included: str, source: Path) -> Path | None:
    """The file of ours that an include means; None for a foreign one."""
    beside = (file.parent / included).resolve()
    if beside.is_relative_to(source) and beside.exists():
        return beside
    return source.parent / included if included.startswith(f"{source.name}/") else None


def check_file(file: Path, source: Path, order: list[str], graph: dict[Path, list[Path]]) -> list[str]:
    """Faults of one file's includes; adds them to the graph."""
    name = file.parent.relative_to(source).parts[0]
    upward = read_upward(source / name) or []
    faults = []
    text = file.read_text()
    for match in INCLUDE.finditer(text):
        target = resolve(file, match.group(1), source)
        if target is None:
            continue
        where = f"{file.relative_to(source.parent)}:{text.count(chr(10), 0, match.start()) + 1}"
        if not target.exists():
            faults.append(f"{where}: {match.group(1)} does not exist")
            continue
        graph.setdefault(file, []).append(target)
        if target.parent == source:
            faults.append(f"{where}: the umbrella header {target.name} is for users of the library, not for its folders")
            continue
        other = target.relative_to(source).parts[0]
        if other == name or name not in order:
            continue
        if other not in order[: order.index(name)]:
            faults.append(f"{where}: {name} may not include {other}, which is not above it")
        elif other not in upward:
            faults.append(f"{where}: includes {other}, but UPWARD in {name}/CMakeLists.txt does not name it")
    return faults


def find_cycle(graph: dict[Path, list[Path]]) -> list[Path]:
    """One circle of includes as a path that ends where it begins; empty if there is none."""
    done: set[Path] = set()

    def visit(file: Path, trail: list[Path]) -> list[Path]:
        if file in trail:
            return [*trail[trail.index(file) :], file]
        if file in done:
            return []
        for target in graph.get(file, []):
            if cycle := visit(target, [*trail, file]):
                return cycle
        done.add(file)
        return []

    for start in sorted(graph):
        if cycle := visit(start, []):
            return cycle
    return []


def check_layers(root: Path) -> list[str]:
    source = (root / "src" / "stickslip").resolve()
    order = read_order(source)
    if not order:
        return [f"{source.name}/CMakeLists.txt: no list of folders"]
    faults = check_declared(source, order)
    graph: dict[Path, list[Path]] = {}
    for file in sorted(source.glob("*/**/*")):
        if file.suffix in SOURCES:
            faults += check_file(file, source, order, graph)
    if cycle := find_cycle(graph):
        faults.append("circle of includes: " + " -> ".join(str(f.relative_to(source.parent)) for f in cycle))
    return faults


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    faults = check_layers(root)
    for fault in faults:
        print(fault)
    print(f"layers: {len(faults)} fault(s)" if faults else "layers: in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
