"""Trajectory.save: recordings, tables, and what other programs read."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ._stickslip import Trajectory, load_recording
from .errors import RecordingError

_KINDS = {".h5": "a recording", ".csv": "a table", ".mcap": "for Foxglove and other viewers of robot logs"}


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


def main(arguments: Sequence[str] | None = None) -> int:
    """python -m stickslip.saving run.h5 run.mcap"""
    parser = argparse.ArgumentParser(prog="stickslip convert", description="Writes a recording in another format.")
    parser.add_argument("recording")
    parser.add_argument("output")
    given = parser.parse_args(arguments)
    try:
        save(load_recording(given.recording), given.output)
    except (RecordingError, ValueError, ImportError, OSError) as error:
        print(f"stickslip: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
