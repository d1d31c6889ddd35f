"""tools/fuzz.py ends fuzzers after their time, tells their figures, and what they find. The fuzzers here are pretended ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Works until it is told to stop, as libFuzzer does, and tells where it was asked to look.
PATIENT = """#!{python}
import signal, sys
def stop(*_):
    print("stat::number_of_executed_units: 12345", flush=True)
    sys.exit(0)
signal.signal(signal.SIGINT, stop)
assert any(a.startswith("-dict=") for a in sys.argv), sys.argv
while True:
    sum(range(1000))
"""
FINDS = """#!{python}
import sys
print("#321 NEW\\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\\nTest unit written to found/crash-1", flush=True)
sys.exit(1)
"""


@pytest.fixture
def build(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    for name, text in (("yaml", PATIENT), ("obj", FINDS)):
        program = tmp_path / "bin" / f"fuzz_{name}"
        program.write_text(text.format(python=sys.executable))
        program.chmod(0o755)
    return tmp_path


def run(build: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, ROOT / "tools" / "fuzz.py", "--build", build, "--minutes", "0.02", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_a_search_ends_after_its_cpu_time_with_its_figures(build: Path) -> None:
    result = run(build, "yaml")
    assert result.returncode == 0, result.stderr
    assert "12,345 inputs" in result.stdout and "nothing found" in result.stdout


def test_what_is_found_is_told_and_fails(build: Path) -> None:
    result = run(build, "--jobs", "2")
    assert result.returncode == 1
    line = next(line for line in result.stdout.splitlines() if line.startswith("obj"))
    assert "heap-buffer-overflow" in line and "found/crash-1" in line and "321 inputs" in line and str(build / "search" / "obj.log") in line


def test_unknown_and_missing_fuzzers_are_named(build: Path, tmp_path: Path) -> None:
    result = run(build, "yam")
    assert result.returncode == 2 and "no fuzzer yam; there are: obj, yaml" in result.stderr
    (tmp_path / "empty" / "bin").mkdir(parents=True)
    result = run(tmp_path / "empty")
    assert result.returncode == 2 and "./test --asan" in result.stderr
