"""Robot files of packages on PyPI, found in the installed environment."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path

SITE = Path(sysconfig.get_path("purelib"))
MJCF_PACKAGES = ("gymnasium", "dm_control", "gymnasium_robotics", "robosuite")


def _folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def example_robot_urdfs() -> list[Path]:
    root = SITE / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
    return sorted(root.rglob("*.urdf"))


def mjcf_files() -> list[Path]:
    files: list[Path] = []
    for package in MJCF_PACKAGES:
        folder = _folder(package)
        if folder is not None:
            files += sorted(p for p in folder.rglob("*.xml") if "<mujoco" in p.read_text(errors="ignore"))
    return files


def label(path: Path) -> str:
    """A name that is the same on every machine."""
    robots = SITE / "cmeel.prefix" / "share"
    for base in (robots, SITE):
        if path.is_relative_to(base):
            return str(path.relative_to(base))
    return path.name
