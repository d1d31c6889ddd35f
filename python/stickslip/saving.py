"""What runs are written as, by the ending of the name: Trajectory.save, and recordings that end as another format."""

from __future__ import annotations

import os
from pathlib import Path

from ._stickslip import Trajectory, _check_replaceable, _run_format, _write_html, load_recording
from .viewing import PAGE

_PAGE_RATE = 60.0  # samples a second


def save(run: Trajectory, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Writes the run, as what its ending says: .h5 (a recording), .csv (tables), .html (a page that plays it) or .mcap (a log for Foxglove).

    It writes over what runs have written, and over nothing else; with `force` over any plain file.
    """
    kind = _run_format(path)
    _check_replaceable(path, force)
    if kind == "log":
        from .mcap_log import write_mcap

        write_mcap(run, path)
    elif kind == "page":
        _write_html(run, path, PAGE, _PAGE_RATE)
    else:
        run._save(path, force)


def check_export(path: str | os.PathLike[str]) -> None:
    """Before a run that is recorded: what its format needs is there."""
    kind = _run_format(path)
    if kind == "log":
        from .mcap_log import writer_class

        writer_class()
    elif kind == "page" and not PAGE.exists():
        raise FileNotFoundError(f"the viewer's page is not there ({PAGE}); in a checkout, tools/build_viewer.sh makes it")


def export(recording: str, path: str) -> None:
    """After it."""
    save(load_recording(recording), Path(path))
