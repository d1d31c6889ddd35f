"""python -m stickslip.decompose FILE: puts the convex parts of a mesh into the cache.

A command, not a module to import: `stickslip.decompose` is the function.
"""

from __future__ import annotations

import argparse
import sys

from ._decomposition import decompose
from ._stickslip import count_parts
from .errors import ModelError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m stickslip.decompose", description="Splits a mesh into convex parts, once.")
    parser.add_argument("file", metavar="FILE", help="mesh (.obj, .stl, .dae, .gltf, .glb)")
    parser.add_argument("--threshold", type=float, default=0.05, help="how deep dents may be, for a mesh from -1 to 1 (0.05)")
    parser.add_argument("--max-hulls", type=int, default=32, help="at most so many parts (32)")
    arguments = parser.parse_args()
    try:
        parts = decompose(arguments.file, arguments.threshold, arguments.max_hulls)
    except (ModelError, ValueError, ImportError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{count_parts(str(parts))} convex parts in {parts}")
    return 0


if __name__ != "__main__":
    raise ImportError("stickslip.decompose is a function; call it, or run 'python -m stickslip.decompose FILE'")
sys.exit(main())
