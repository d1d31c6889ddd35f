"""Drake in a process of its own: it lives in another environment, drake_environment.py's or the one whose Python STICKSLIP_DRAKE_PYTHON names."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import drake_environment

DRAKE_VERSION = "import importlib.metadata as m; print(m.version('drake'))"


def drake_python() -> str | None:
    """The Python that has Drake, or None."""
    other = os.environ.get("STICKSLIP_DRAKE_PYTHON")
    if other:
        return other
    if own := drake_environment.own_python():
        return str(own)
    return sys.executable if importlib.util.find_spec("pydrake") else None


def drake_version() -> str:
    """Empty if it is not installed."""
    python = drake_python()
    if python is None:
        return ""
    try:
        return subprocess.run([python, "-c", DRAKE_VERSION], env=environment(), capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # STICKSLIP_DRAKE_PYTHON names no program
        return ""


def environment() -> dict[str, str]:
    """Without our modules, which are not for that Python."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


class DrakeProcess:
    """Runs a script that reads a task a line as JSON and answers each with a line; lives as long as this object."""

    def __init__(self, script: Path) -> None:
        python = drake_python()
        if python is None:
            raise RuntimeError("Drake is not installed; name a Python that has it in STICKSLIP_DRAKE_PYTHON")
        # Its own session: Ctrl-C is for us, and we end it.
        self.process = subprocess.Popen(
            [python, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(), start_new_session=True
        )

    def ask(self, task: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("Drake's process ended; its messages are above")
        out: dict[str, Any] = json.loads(answer)
        return out

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.terminate()  # also in the middle of a task
        self.process.wait()


def answer(run: Any) -> None:
    """The other end: `run` makes an answer of a task."""
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
