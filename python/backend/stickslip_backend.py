"""The build backend of `pip install .`: scikit-build-core's, which also asks for a Node where the machine has none to build the viewer's page with."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from scikit_build_core import build as core
from scikit_build_core.build import build_editable, build_sdist, build_wheel, get_requires_for_build_sdist

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

_OLDEST_NODE = 18
_NODE_LIST = Path(__file__).resolve().parents[2] / "tools" / "requirements-node.txt"


def _has_node() -> bool:
    """Whether npm is here, with a Node that vite runs on."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = told.strip().removeprefix("v").split(".")[0]
    return major.isdigit() and int(major) >= _OLDEST_NODE


def _node() -> list[str]:
    if _has_node():
        return []
    return [line for line in _NODE_LIST.read_text().splitlines() if line and not line.startswith("#")]


def get_requires_for_build_wheel(settings: dict[str, Any] | None = None) -> list[str]:
    return [*core.get_requires_for_build_wheel(settings), *_node()]


def get_requires_for_build_editable(settings: dict[str, Any] | None = None) -> list[str]:
    return [*core.get_requires_for_build_editable(settings), *_node()]
