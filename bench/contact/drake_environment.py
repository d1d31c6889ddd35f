"""An environment of Drake's own, .cache/drake: its newest versions want a newer Python than others here need."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "drake"
REQUIREMENTS = ROOT / "tools" / "requirements-drake.txt"
OLDEST = (3, 12)  # for Drake 1.52 and later; 1.51 is the last for 3.11
ASK = "import sys, venv; print(*sys.version_info[:2])"


def own_python() -> Path | None:
    """The Python of that environment, once it is made."""
    python = FOLDER / "bin" / "python"
    return python if (FOLDER / "ready").exists() and python.exists() else None


def version_of(python: str | Path) -> tuple[int, ...]:
    """(3, 12) and the like; () if it does not run."""
    try:
        said = subprocess.run([str(python), "-c", ASK], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ()
    return tuple(map(int, said.split()))


def candidates() -> list[Path]:
    """Pythons that may be new enough: those in PATH by their names, and pyenv's, which need not be."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    named = [Path(found) for minor in (12, 13, 14) if (found := shutil.which(f"python3.{minor}"))]
    kept = sorted(pyenv.glob("versions/3.1[2-4]*/bin/python"), key=lambda path: [int(n) for n in re.findall(r"\d+", path.parts[-3])])
    return [Path(sys.executable), *named, *kept]


def newer_python() -> Path | None:
    """The first Python that Drake's newest version runs on."""
    return next((python for python in candidates() if version_of(python) >= OLDEST), None)


def make(python: Path) -> bool:
    """Installs Drake into an environment made with this Python; pip's words go to standard error."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    made = [
        [python, "-m", "venv", FOLDER],
        [FOLDER / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check", "-r", REQUIREMENTS],
    ]
    if any(subprocess.run(command, stdout=sys.stderr, check=False).returncode for command in made):
        return False
    (FOLDER / "ready").touch()
    return True
