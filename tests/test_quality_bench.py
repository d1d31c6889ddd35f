"""What docs/quality.md says of our default: known answers of rest, sliding, bouncing, spinning, stacking and thin walls."""

from __future__ import annotations

import importlib
import subprocess
import sys
from types import ModuleType

import pytest

from command_line import ROOT

# How far from the right answer a measure may be, in its own unit, by experiment and measure.
OFF = {
    ("rest_1", "overlap"): 1e-4,  # mm, a thousandth of the overlap
    ("rest_100", "overlap"): 1e-2,
    ("slide", "way"): 1e-3,  # m, the accuracy times the length of a cube is 1e-4, over a slide of some steps
    ("slide", "largest lift"): 5e-3,  # mm, of overlap at rest, 0.098 mm: friction tips the cube by that little
    ("bounce", "energy kept"): 2.0,  # %, at 1e-3; the cases ask for 99.5 % at 1e-5
    ("spin", "position off"): 1e-6,
    ("spin", "rotational energy"): 1e-3,
    ("spin", "angular momentum off"): 1e-6,
    ("stack", "the top drifts by"): 1e-2,  # um
    ("mass_ratio", "overlap with the floor"): 1e-2,  # mm, a thousandth
    ("mass_ratio", "the heavy one is off sideways by"): 1e-3,
    ("wall_1", "is behind the wall"): 0.0,
    ("wall_10", "is behind the wall"): 0.0,
    ("wall_100", "is behind the wall"): 0.0,
}


def module(name: str) -> ModuleType:
    for folder in (ROOT / "bench" / "contact", ROOT / "bench" / "quality"):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return importlib.import_module(name)


EXPERIMENTS = {e.name: e for e in module("known_answers").EXPERIMENTS}


def test_every_measure_has_a_limit() -> None:
    assert {(e.name, m.name) for e in EXPERIMENTS.values() for m in e.measures} == set(OFF)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_default_gives_the_right_answer(name: str) -> None:
    run = module("quality_engines").stickslip(EXPERIMENTS[name], {"accuracy": 1e-3})
    assert not run.stopped
    for measure in EXPERIMENTS[name].measures:
        assert abs(measure.of(run) - measure.right) <= OFF[name, measure.name], measure.name


def test_a_table_is_printed_and_unknown_names_are_told() -> None:
    script = ROOT / "bench" / "quality" / "run.py"
    done = subprocess.run([sys.executable, script, "wall_10", "--engines", "stickslip"], capture_output=True, text=True, check=True)
    assert "| **right** | | 0 |" in done.stdout and "| Stickslip | cenic, 1e-3 (default) | 0 |" in done.stdout
    wrong = subprocess.run([sys.executable, script, "walls"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "no experiment 'walls'; there are rest_1" in wrong.stderr
