#!/usr/bin/env python3
"""Checks the includes of src/stickslip that a build with precompiled headers cannot.

A .cc includes the header beside it before anything else, so that the build shows that the header needs no other before it. And
what cmake/StickslipPrecompile.cmake gives to every source is included by those that use it, themselves or through headers of ours:
sources compile without it, and headers compile for others.

Usage: check_includes.py [repository root]. Prints one line a fault, exits 1 if there is any.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
SOURCE = ROOT / "src" / "stickslip"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|^[ \t]*#[^\n]*', re.DOTALL | re.MULTILINE)

# Precompiled header: the names that need it. Of <cstdint> and <utility>, and where one name is in many headers, nearly every header
# of the standard library brings what we use.
NEEDS = {
    "Eigen/Cholesky": r"\b(?:Eigen::)?(?:LLT|LDLT)<|\.l(?:lt|dlt)\(\)",
    "Eigen/Geometry": r"\bEigen::(?:Quaternion|AngleAxis|Isometry|AlignedBox|Hyperplane|ParametrizedLine)|\.cross\(",
    "algorithm": r"\bstd::(?:ranges::)?(?:sort|stable_sort|nth_element|max_element|min_element|clamp|minmax|find|find_if|find_if_not|any_of"
    r"|all_of|none_of|count|count_if|copy|copy_n|fill|fill_n|reverse|rotate|unique|remove|remove_if|lower_bound|upper_bound|equal_range"
    r"|binary_search|set_difference|set_intersection|set_union|is_sorted|transform|for_each|partition|adjacent_find|equal|includes"
    r"|push_heap|pop_heap|make_heap|replace|merge|shuffle)\(",
    "array": r"\bstd::(?:array|to_array)\b",
    "cmath": r"\bstd::(?:sqrt|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|expm1|log|log1p|log2|log10|pow|floor|ceil|round|fma"
    r"|lround|isfinite|isnan|isinf|copysign|fmod|remainder|nextafter|signbit|ldexp|frexp)\(",
    "filesystem": r"\bstd::filesystem\b",
    "fmt/format.h": r"\bfmt::",
    "functional": r"\bstd::(?:function|reference_wrapper|bind_front|ref|cref|greater|less|plus|multiplies)\b",
    "limits": r"\bstd::numeric_limits\b",
    "map": r"\bstd::(?:multi)?map\b",
    "memory": r"\bstd::(?:unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b",
    "optional": r"\bstd::(?:optional|nullopt|make_optional)\b",
    "span": r"\bstd::span\b",
    "string": r"\bstd::(?:string|to_string|stod|stoi|getline)\b",
    "string_view": r"\bstd::string_view\b",
    "unordered_map": r"\bstd::unordered_(?:multi)?map\b",
    "variant": r"\bstd::(?:variant|visit|holds_alternative|get_if|monostate)\b",
    "vector": r"\bstd::vector\b",
}
# Headers that promise to bring another.
BRINGS = {
    "Eigen/Dense": {"Eigen/Geometry", "Eigen/Cholesky"},
    "Eigen/Eigenvalues": {"Eigen/Geometry", "Eigen/Cholesky"},
    "string": {"string_view"},
    "filesystem": {"string", "string_view"},
    "gmock/gmock.h": {"string", "vector", "map", "memory", "functional", "string_view"},
    "gtest/gtest.h": {"string", "vector", "map", "memory", "functional", "string_view"},
}


def resolve(file: Path, included: str) -> Path | None:
    """The file of ours that an include means; None for a foreign one."""
    for place in (file.parent / included, SOURCE.parent / included):
        if place.is_relative_to(SOURCE) and place.exists():
            return place.resolve()
    return None


@cache
def includes(file: Path) -> list[str]:
    return INCLUDE.findall(file.read_text())


def reached(file: Path) -> set[str]:
    """Foreign headers that a file includes, itself or through headers of ours."""
    foreign: set[str] = set()
    seen, left = {file}, [file]
    while left:
        current = left.pop()
        for name in includes(current):
            target = resolve(current, name)
            if target is None:
                foreign |= {name} | BRINGS.get(name, set())
            elif target not in seen:
                seen.add(target)
                left.append(target)
    return foreign


def check(file: Path) -> list[str]:
    faults = []
    where = file.relative_to(ROOT)
    header = file.with_suffix(".h")
    if file.suffix == ".cc" and header.exists():
        first = next(iter(includes(file)), None)
        if first is None or resolve(file, first) != header:
            faults.append(f'{where}: the first include must be "{header.relative_to(SOURCE.parent)}", not {first or "missing"}')
    code = NOT_CODE.sub('""', file.read_text())
    foreign = reached(file)
    for name, pattern in NEEDS.items():
        if name not in foreign and (match := re.search(pattern, code)):
            faults.append(f"{where}: uses {match.group(0)} and does not include <{name}>")
    return faults


def main() -> int:
    files = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".h", ".cc"))
    faults = [fault for file in files for fault in check(file)]
    print("\n".join(faults) if faults else f"check_includes: {len(files)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
