"""Memory that is not there is an error with a code, wherever it is missing, and never the end of the process."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import PROGRAM, ROOT

MB = 1 << 20
MOST_SECONDS = 60
LINES = "bodies:\n" + "- {name: a}\n" * 300_000
NAMED = "bodies:\n" + "".join(f"- {{name: b{i}, fixed: true, geometry: [{{sphere: {{radius: 1}}}}]}}\n" for i in range(15_000))
ELEMENTS = "<mujoco><worldbody>" + "<geom size='1'/>" * 100_000 + "</worldbody></mujoco>"
LINKS = "<robot name='r'>" + "<link name='a'><visual/></link>" * 50_000 + "</robot>"


def limited(megabytes: int, *words: object) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB, megabytes * MB))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=MOST_SECONDS, check=False, preexec_fn=limit)


@pytest.fixture(scope="module")
def least() -> int:
    """Address space with which the program can say what it is called."""
    return next(m for m in range(20, 2000, 10) if limited(m, PROGRAM, "--version").returncode == 0)


@pytest.mark.parametrize(("name", "text"), [("a.yaml", LINES), ("b.yaml", NAMED), ("a.xml", ELEMENTS), ("a.urdf", LINKS)])
def test_a_file_that_does_not_fit_is_refused_at_whatever_place_memory_ends(name: str, text: str, least: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    said = [limited(least + more, PROGRAM, "check", path) for more in (5, 10, 20, 30, 45)]
    assert all(done.returncode in (0, 2) for done in said), [done.returncode for done in said]
    first = said[0]
    assert first.returncode == 2 and "[out-of-memory]" in first.stderr and "fix: " in first.stderr, first.stderr
    assert path.name in first.stderr


def test_in_python_it_is_a_model_error(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(LINES)
    code = f"""
import resource, stickslip as ss
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {30 * MB}, used + {30 * MB}))
try:
    ss.load({str(path)!r})
except ss.ModelError as error:
    print(error.code, error.file == {str(path)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT / "build" / "python")})
    assert done.stdout.split() == ["out-of-memory", "True"], done.stderr


def test_running_out_of_memory_ends_a_run_with_the_same_code(least: int, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    bodies = "".join(f"- {{name: b{i}, mass: 1, geometry: [{{sphere: {{radius: 1}}}}], pose: {{position: [{3 * i}, 0, 0]}}}}\n" for i in range(4000))
    path.write_text("bodies:\n" + bodies)
    ends = {limited(least + more, PROGRAM, "run", path, "--until", "0.001").returncode for more in range(5, 120, 10)}
    assert ends <= {0, 1, 2} and 2 in ends, ends
