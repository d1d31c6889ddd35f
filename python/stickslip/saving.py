"""Trajectory.save: recordings, tables, and what other programs read."""

from __future__ import annotations

import os
from pathlib import Path

from ._stickslip import Trajectory, _write_html
from .viewing import PAGE

_KINDS = {
    ".h5": "a recording",
    ".hdf5": "the same",
    ".csv": "a table",
    ".html": "a page that plays it",
    ".mcap": "for Foxglove and other viewers of robot logs",
}


def save(run: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the run, as what its suffix says: .h5 (a recording), .csv (a table), .html (a page that plays it) or .mcap (a log for Foxglove)."""
    suffix = Path(path).suffix.lower()
    if suffix not in _KINDS:
        known = ", ".join(f"{name} ({what})" for name, what in _KINDS.items())
        raise ValueError(f"cannot save {os.fspath(path)!r}: name it {known}")
    if suffix == ".mcap":
        from .mcap_log import write_mcap

        write_mcap(run, path)
    elif suffix == ".html":
        _write_html(run, path, PAGE, 60.0)
    else:
        run._save(path)
