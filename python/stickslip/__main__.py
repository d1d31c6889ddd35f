"""python -m stickslip RECORDING OUTPUT [--json]: a recording in another format, for `stickslip convert`."""

from __future__ import annotations

import argparse
import json
import sys

from . import load_recording


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m stickslip", description="Writes a recording in another format.")
    parser.add_argument("recording", help="HDF5 file of `stickslip run --record`")
    parser.add_argument("output", help="file to write: .h5, .csv or .mcap")
    parser.add_argument("--json", action="store_true", help="print one JSON value")
    given = parser.parse_args()
    try:
        load_recording(given.recording).save(given.output)
    except (ValueError, ImportError, OSError) as error:
        print(f"stickslip: {error}", file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps({"output": given.output, "files": [], "notes": []}, indent=2))
    else:
        print(f"wrote {given.output}; everything carried over")
    return 0


if __name__ == "__main__":
    sys.exit(main())
