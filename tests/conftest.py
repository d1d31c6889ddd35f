"""Makes the shared helpers of the tests importable, and the shapes that the tests of contacts ask about."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING:
    from oracles.collision_cases import Colliders


@pytest.fixture(scope="session")
def colliders(tmp_path_factory: pytest.TempPathFactory) -> Colliders:
    from oracles import collision_degenerate, collision_surfaces
    from oracles.shapes import colliders_of

    shapes = [*collision_degenerate.all_shapes(), *collision_surfaces.surface_shapes()]
    return colliders_of(shapes, tmp_path_factory.mktemp("shapes"))
