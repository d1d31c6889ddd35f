"""tools/check_includes.py finds what precompiled headers hide, and nothing in this tree."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def check(root: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, ROOT / "tools" / "check_includes.py", root], capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A header with its source."""
    folder = tmp_path / "src" / "stickslip" / "base"
    folder.mkdir(parents=True)
    (folder / "a.h").write_text("#pragma once\n#include <vector>\nstd::vector<int> a();\n")
    (folder / "a.cc").write_text('// std::map\n#include "stickslip/base/a.h"\n#include <cmath>\nstd::vector<int> a() { return {}; }\n')
    return folder


def faults(folder: Path) -> list[str]:
    result = check(folder.parents[2])
    assert result.returncode == 1
    return result.stdout.splitlines()


def test_this_tree_is_in_order() -> None:
    result = check(ROOT)
    assert result.returncode == 0, result.stdout


def test_a_header_of_ours_brings_what_it_includes(folder: Path) -> None:
    result = check(folder.parents[2])
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("source", ['#include <cmath>\n#include "stickslip/base/a.h"\n', "#include <cmath>\n", ""])
def test_a_source_whose_header_is_not_its_first_include_fails(folder: Path, source: str) -> None:
    (folder / "a.cc").write_text(source)
    (fault,) = faults(folder)
    assert 'src/stickslip/base/a.cc: the first include must be "stickslip/base/a.h"' in fault


def test_a_precompiled_header_that_is_used_and_not_included_fails(folder: Path) -> None:
    (folder / "b.h").write_text("#pragma once\nstd::optional<double> b();\n")
    assert faults(folder) == ["src/stickslip/base/b.h: uses std::optional and does not include <optional>"]


def test_every_precompiled_header_is_checked() -> None:
    """But for two whose names come with nearly any header of the standard library."""
    text = (ROOT / "cmake" / "StickslipPrecompile.cmake").read_text()
    listed = text[text.index("set(stickslip_foreign") :].split(")")[0].split()[1:]
    checks = (ROOT / "tools" / "check_includes.py").read_text()
    assert [name for name in listed if f'    "{name.strip("<>")}": r"' not in checks] == ["<cstdint>", "<utility>"]
