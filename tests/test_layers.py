"""tools/check_layers.py finds every kind of breach, and none in this tree."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def check(root: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, ROOT / "tools" / "check_layers.py", root], capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two folders in order: low includes base."""
    source = tmp_path / "src" / "stickslip"
    for folder, upward in (("base", ""), ("low", "base")):
        (source / folder).mkdir(parents=True)
        (source / folder / "CMakeLists.txt").write_text(f"stickslip_folder({folder} UPWARD {upward} LIBRARIES fmt::fmt)\n")
    (source / "CMakeLists.txt").write_text("set(folders base low)\n")
    (source / "base" / "a.h").write_text("#pragma once\n")
    (source / "low" / "b.cc").write_text('#include <vector>\n#include "stickslip/base/a.h"\n')
    return tmp_path


def expect_fault(root: Path, words: str) -> None:
    result = check(root)
    assert result.returncode == 1
    assert words in result.stdout


def test_this_tree_is_in_order() -> None:
    result = check(ROOT)
    assert result.returncode == 0, result.stdout


def test_include_upward_passes(tree: Path) -> None:
    assert check(tree).returncode == 0


@pytest.mark.parametrize("line", ['#include "stickslip/low/c.h"', "  #  include <stickslip/low/c.h>", '#include "../low/c.h"'])
def test_include_downward_fails_with_file_and_line(tree: Path, line: str) -> None:
    (tree / "src/stickslip/low/c.h").write_text("#pragma once\n")
    (tree / "src/stickslip/base/a.h").write_text(f"#pragma once\n{line}\n")
    expect_fault(tree, "stickslip/base/a.h:2: base may not include low")


def test_include_not_covered_by_upward_fails(tree: Path) -> None:
    (tree / "src/stickslip/low/CMakeLists.txt").write_text("stickslip_folder(low UPWARD)\n")
    expect_fault(tree, "UPWARD in low/CMakeLists.txt does not name it")


def test_upward_that_names_a_lower_folder_fails(tree: Path) -> None:
    (tree / "src/stickslip/base/CMakeLists.txt").write_text("stickslip_folder(base UPWARD low)\n")
    expect_fault(tree, "UPWARD names low, which is not above base")


def test_folder_outside_the_order_fails(tree: Path) -> None:
    (tree / "src/stickslip/new").mkdir()
    (tree / "src/stickslip/new/a.cc").write_text("")
    expect_fault(tree, "new: not in the list of folders")


def test_include_of_a_missing_file_fails(tree: Path) -> None:
    (tree / "src/stickslip/low/b.cc").write_text('#include "stickslip/base/gone.h"\n')
    expect_fault(tree, "stickslip/base/gone.h does not exist")


def test_headers_in_a_circle_fail(tree: Path) -> None:
    (tree / "src/stickslip/base/a.h").write_text('#include "stickslip/base/z.h"\n')
    (tree / "src/stickslip/base/z.h").write_text('#include "stickslip/base/a.h"\n')
    expect_fault(tree, "circle of includes: stickslip/base/a.h -> stickslip/base/z.h -> stickslip/base/a.h")
