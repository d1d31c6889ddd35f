"""What came of comparing one robot file with its oracle: for the tests and for the table in docs/robots.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import stickslip as ss

from . import engines, mujoco_oracle, pinocchio_oracle

TOLERANCE = 1e-10  # relative: round-off of a few hundred operations, with room


@dataclass
class Verdict:
    oracle_refuses: bool
    loads: bool
    worst: float  # largest relative difference; infinite if there was nothing to compare
    reason: str  # why it does not load or agree, or what the oracle said

    @property
    def agrees(self) -> bool:
        return self.loads and self.worst < TOLERANCE


def _judge(load_oracle: Callable[[], object], load: Callable[[], object], compare: Callable[[], dict[str, float]]) -> Verdict:
    try:
        load_oracle()
    except Exception as error:  # the oracles raise many kinds
        return Verdict(True, False, float("inf"), _one_line(error))
    try:
        load()
    except ss.ModelError as error:
        return Verdict(False, False, float("inf"), _one_line(error))
    try:
        differences = compare()
    except (AssertionError, KeyError) as error:
        return Verdict(False, True, float("inf"), _one_line(error))
    worst = max(differences.values())
    reason = ", ".join(f"{name} {value:.1e}" for name, value in differences.items() if value >= TOLERANCE)
    return Verdict(False, True, worst, reason)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def urdf_verdict(path: Path, floating: bool) -> Verdict:
    return _judge(
        lambda: pinocchio_oracle.load_pinocchio(path, floating),
        lambda: ss.load(path, base="floating" if floating else "fixed", repair=False),
        lambda: pinocchio_oracle.compare(path, floating),
    )


def mjcf_verdict(path: Path) -> Verdict:
    return _judge(
        lambda: mujoco_oracle.load_mujoco(path), lambda: ss.load(path), lambda: mujoco_oracle.compare(path)
    )


def sdf_verdict(path: Path) -> Verdict:
    from . import drake_oracle  # not among what the tests install

    return _judge(lambda: engines.load_drake(path), lambda: ss.load(path), lambda: drake_oracle.compare(path))
