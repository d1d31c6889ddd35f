"""A sample of the load table: robot files of others have the degrees of freedom and the mass that the oracle gives them.

docs/load_table.md is the whole table, and load_sample.json what MuJoCo (MJCF), Pinocchio (URDF) and Drake (SDF) say of every
twelfth file; tools/load_table.py writes both.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import stickslip as ss
from oracles.robot_files import all_robot_files, label

SAMPLE = json.loads((Path(__file__).resolve().parent / "oracles" / "load_sample.json").read_text())
FILES = {label(path): path for files in all_robot_files().values() for path in files}
HAS_PYBULLET = sys.version_info < (3, 12)  # it has no wheels for newer ones: tools/requirements-robots.txt


def test_the_files_of_the_sample_are_installed() -> None:
    missing = [name for name in SAMPLE if name not in FILES]
    assert [name for name in missing if HAS_PYBULLET or not name.startswith("pybullet_data/")] == []
    assert len(SAMPLE) > 100


@pytest.mark.parametrize("name", [name for name in SAMPLE if name in FILES])
def test_robot_has_the_oracles_mass_and_freedom(name: str) -> None:
    model = ss.load(FILES[name], repair=False)  # the oracles take all as written
    assert model.nv == SAMPLE[name]["nv"]
    if model.nv > 0:  # what cannot move has no mass that matters, and engines count it differently
        # Sums of the same masses in another order.
        assert model.total_mass == pytest.approx(SAMPLE[name]["mass"], rel=1e-12, abs=1e-12)
