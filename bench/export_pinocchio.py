"""Writes the benchmarks' robots as Pinocchio's text serialisation, which needs no URDF parser in C++."""

from __future__ import annotations

import sys
from pathlib import Path

import pinocchio as pin

ROBOTS = {
    "panda": ("panda_description/urdf/panda.urdf", False),
    "solo12": ("solo_description/robots/solo12.urdf", True),
    "romeo": ("romeo_description/urdf/romeo_small.urdf", True),
}


def main() -> None:
    robots, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for name, (file, floating) in ROBOTS.items():
        arguments = [str(robots / file)] + ([pin.JointModelFreeFlyer()] if floating else [])
        pin.buildModelFromUrdf(*arguments).saveToText(str(out / f"{name}.txt"))


main()
