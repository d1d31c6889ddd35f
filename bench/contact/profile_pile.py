#!/usr/bin/env python3
"""Takes steps of a settled pile and nothing else, for a profiler:

    perf record -g .venv/bin/python bench/contact/profile_pile.py pile_320 [--steps 50] [--settled FOLDER]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import engines
import run


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scene")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--settled", type=Path)
    arguments = parser.parse_args()
    scene, steps, start = run.prepare(run.Case(arguments.scene, (), settled=arguments.steps), arguments.settled)
    result = engines.ours(scene, steps, start, engines.WARM_UP)
    print(f"{1e6 * result.a_step:.0f} us a step, {result.contacts:.0f} contacts, {result.iterations:.1f} Newton iterations a step, residual {result.residual:.1e}")
    for name, value in result.extra.items():
        print(f"  {name}: {value:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
