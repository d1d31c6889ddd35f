"""The command line as it was built, for the tests that run it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ.get("STICKSLIP_COMMAND", ROOT / "build" / "bin" / "stickslip"))  # another: tools/check_clone.py's


def run(*arguments: object, cwd: Path = ROOT, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=timeout, check=False)
