"""What a comparison ran on: the machine, and the versions of the engines that are installed."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path

from drake_process import drake_version

ROOT = Path(__file__).resolve().parents[2]


def machine() -> dict[str, str]:
    """An engine that is not installed has an empty version."""
    return dict(
        date=str(datetime.date.today()), cpu=processor(), cores=str(os.cpu_count()), system=platform.platform(terse=True),
        load=f"{os.getloadavg()[0]:.1f}", commit=commit(), mujoco=mujoco_version(), drake=drake_version(),
    )  # fmt: skip


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:  # not Linux
        lines = []
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def commit() -> str:
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def mujoco_version() -> str:
    try:
        return importlib.metadata.version("mujoco")
    except importlib.metadata.PackageNotFoundError:
        return ""
