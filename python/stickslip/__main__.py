"""python -m stickslip RECORDING OUTPUT: a recording in another format, for `stickslip convert` and `stickslip run --record`."""

from __future__ import annotations

import argparse
import sys

from . import load_recording
from ._stickslip import _printable
from .saving import save


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m stickslip", description="Writes a recording in another format.")
    parser.add_argument("recording", help="HDF5 file of `stickslip run --record`")
    parser.add_argument("output", help="file to write: .h5, .csv, .html or .mcap")
    parser.add_argument("--force", action="store_true", help="write over any plain file")
    given = parser.parse_args()
    try:
        save(load_recording(given.recording), given.output, force=given.force)
    except (ValueError, ImportError, OSError) as error:
        print(_printable(f"stickslip: {error}"), file=sys.stderr)
        return 1 if isinstance(error, OSError) else 2
    print(_printable(f"wrote {given.output}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
