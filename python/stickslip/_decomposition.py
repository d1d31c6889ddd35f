"""Convex parts of meshes, found by CoACD and kept in a cache that every reader of scene files looks into."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import numpy as np

from ._arguments import helpful
from ._stickslip import count_parts, parts_file, read_solid, write_parts
from .errors import ModelError

_SEED = 0  # the same mesh has the same parts


@helpful
def decompose(file: str | os.PathLike[str], threshold: float = 0.05, max_hulls: int = 32) -> Path:
    """The convex parts of a mesh: an OBJ file in the cache with one object each, made if it is not there.

    `threshold` is how deep the dents of a part may be, for a mesh from -1 to 1; between 0.01 and 1. There are at most
    `max_hulls` parts, even if the dents are deeper then. Needs the extra `stickslip[decompose]`.
    """
    if not 0.01 <= threshold <= 1:
        raise ValueError(f"threshold is {threshold}; it must be between 0.01 and 1")
    if max_hulls < 1:
        raise ValueError(f"max_hulls is {max_hulls}; it must be at least 1")
    mesh = os.fspath(file)
    target = parts_file(mesh, threshold, max_hulls)
    try:
        count_parts(target)
    except ModelError:  # missing or damaged
        _make(mesh, target, threshold, max_hulls)
    return Path(target)


def _make(mesh: str, target: str, threshold: float, max_hulls: int) -> None:
    try:
        coacd = importlib.import_module("coacd")
    except ImportError as error:
        raise ImportError("to decompose meshes: pip install 'stickslip[decompose]'", name="coacd") from error
    vertices, triangles = read_solid(mesh)
    coacd.set_log_level("off")
    solid = coacd.Mesh(np.asarray(vertices), np.asarray(triangles, dtype=np.int32))
    write_parts(target, coacd.run_coacd(solid, threshold=threshold, max_convex_hull=max_hulls, seed=_SEED))


def fill_cache(file: str, threshold: float, max_hulls: int) -> bool:
    """For the reader of scene files: False if there is nothing to decompose with."""
    try:
        decompose(file, threshold, max_hulls)
    except ImportError as error:
        if error.name != "coacd":
            raise
        return False
    return True
