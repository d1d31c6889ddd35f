"""Expands xacro templates of robots, with the package `xacro` and without ROS."""

from __future__ import annotations

import builtins
import contextlib
import errno
import importlib
import os
import sys
import xml.etree.ElementTree
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

INSTALL = "to load xacro files: pip install 'stickslip[xacro]'"


def expand(file: str, package_path: Sequence[str] = ()) -> str:
    """The URDF that a template describes, with the default of each of its arguments."""
    try:
        xacro = importlib.import_module("xacro")
    except ImportError as error:
        raise ImportError(INSTALL, name="xacro") from error
    with _only_files_opened_by(xacro), _packages_found_by(lambda name: find_package(name, Path(file), package_path)):
        try:
            return str(xacro.process_file(file).toprettyxml(indent="  "))
        except Exception as error:  # xacro raises many kinds, some without a word
            raise ValueError(f"{file}: xacro cannot expand it: {type(error).__name__}: {error}") from error


def find_package(name: str, file: Path, package_path: Sequence[str] = ()) -> str:
    """The folder of a ROS package: in package_path, above the file or beside what is above it, or where ROS says."""
    above = list(file.resolve().parents)
    ros = os.environ.get("ROS_PACKAGE_PATH", "").split(":")
    ament = [f"{prefix}/share" for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(":") if prefix]
    for folder in [*map(Path, package_path), *above, *(Path(path) for path in ros if path), *map(Path, ament)]:
        if (folder / name).is_dir():
            return str(folder / name)
        if folder.name == name or _named_in_manifest(folder) == name:
            return str(folder)
    raise LookupError(f"there is no package '{name}' in package_path or in the folders above {file}")


def _named_in_manifest(folder: Path) -> str | None:
    if not (folder / "package.xml").is_file():  # to open a pipe is to wait for somebody who writes to it
        return None
    try:
        return xml.etree.ElementTree.parse(folder / "package.xml").findtext("name")
    except (OSError, xml.etree.ElementTree.ParseError):
        return None


@contextlib.contextmanager
def _only_files_opened_by(xacro: Any) -> Iterator[None]:
    """Templates include others and read tables; pipes and devices among them could have no end."""
    xacro.open = _open_file
    try:
        yield
    finally:
        del xacro.open


def _open_file(file: str, *arguments: Any, **options: Any) -> Any:
    path = Path(file)
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "this is not a file but a folder, a pipe or a device", str(file))
    return builtins.open(file, *arguments, **options)


@contextlib.contextmanager
def _packages_found_by(find: Any) -> Iterator[None]:
    """$(find package) asks ROS, which is rarely there; for the time of a call it asks us."""
    substitution: Any = importlib.import_module("xacro.substitution_args")
    before = substitution._eval_find
    words: dict[str, Any] = getattr(substitution, "_eval_dict", {})
    substitution._eval_find = find
    if "find" in words:
        words["find"] = find
    try:
        yield
    finally:
        substitution._eval_find = before
        if "find" in words:
            words["find"] = before


def main(arguments: list[str]) -> int:
    """For the command line: prints the URDF of a file, given with the folders to look for packages in."""
    try:
        print(expand(arguments[0], arguments[1:]))
    except (ImportError, ValueError) as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
