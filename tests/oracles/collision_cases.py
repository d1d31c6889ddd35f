"""What the tests of contacts share: names of their cases, and those that are known to fail."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from stickslip import geometry

from .shapes import Array

Colliders = dict[str, geometry.Collider]
Pair = tuple[str, str]
DEEPEST_TOLERANCE = 1e-9  # of the scale: the deepest contact and the separation are the same number, but for round-off


def each_pair(pairs: Iterable[Pair], reason: str = "", known: Iterable[Pair] = ()) -> pytest.MarkDecorator:
    """All pairs, of which the known ones fail: once one of them passes this says so."""
    wrong, fails = pytest.mark.xfail(reason=reason, strict=True), set(known)
    params = [pytest.param(pair, id="-".join(pair), marks=[wrong] if pair in fails else []) for pair in pairs]
    return pytest.mark.parametrize("pair", params)


def in_a(pose_a: Array, pose_b: Array) -> str:
    """The relative pose, for messages."""
    return repr((np.linalg.inv(pose_a) @ pose_b)[:3].tolist())
