"""Robot files of others: the same mass matrix, bias force and kinematics as Pinocchio and MuJoCo compute from them.

Which files agree is written down in docs/robots.md, made by tools/robots_table.py; here every file is compared again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles import mujoco_oracle, pinocchio_oracle
from oracles.robot_files import example_robot_urdfs, label, mjcf_files
from oracles.verdict import TOLERANCE, mjcf_verdict, urdf_verdict

URDFS = example_robot_urdfs()
MJCFS = mjcf_files()


def test_the_robot_packages_are_installed() -> None:
    assert len(URDFS) > 60
    assert len(MJCFS) > 150


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("path", URDFS, ids=label)
def test_urdf_equals_pinocchio(path: Path, floating: bool) -> None:
    verdict = urdf_verdict(path, floating)
    if verdict.oracle_refuses:
        return  # nothing to compare with; the table lists it
    assert verdict.worst < TOLERANCE, verdict.reason


@pytest.mark.parametrize("path", MJCFS, ids=label)
def test_mjcf_equals_mujoco(path: Path) -> None:
    verdict = mjcf_verdict(path)
    if verdict.oracle_refuses:
        return
    assert verdict.agrees, verdict.reason


def test_the_comparison_can_fail() -> None:
    """A robot compared with the wrong oracle is found out."""
    panda = next(p for p in URDFS if p.name == "panda.urdf")
    with pytest.raises((AssertionError, KeyError)):
        assert max(pinocchio_oracle.compare(panda, False, oracle_path=URDFS[0]).values()) < TOLERANCE
    swimmer = next(p for p in MJCFS if p.name == "swimmer.xml")
    hopper = next(p for p in MJCFS if p.name == "hopper.xml")
    with pytest.raises(AssertionError):
        assert max(mujoco_oracle.compare(swimmer, oracle_path=hopper).values()) < TOLERANCE
