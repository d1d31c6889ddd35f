"""Trajectory.save: recordings, tables, and what other programs read."""

from __future__ import annotations

import os
from pathlib import Path

from ._stickslip import Trajectory

_KINDS = {".h5": "a recording", ".hdf5": "the same", ".csv": "a table", ".mcap": "for Foxglove and other viewers of robot logs"}


def save(run: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the run, as what its suffix says: .h5 (a recording), .csv (a table) or .mcap (a log for Foxglove)."""
    suffix = Path(path).suffix.lower()
    if suffix not in _KINDS:
        known = ", ".join(f"{name} ({what})" for name, what in _KINDS.items())
        raise ValueError(f"cannot save {os.fspath(path)!r}: name it {known}")
    if suffix == ".mcap":
        from .mcap_log import write_mcap

        write_mcap(run, path)
    else:
        run._save(path)
