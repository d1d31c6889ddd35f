"""What can go wrong, as exceptions that say where, why and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._stickslip import State


class ModelError(ValueError):
    """A file is wrong: str(error) tells the whole story."""

    def __init__(self, message: str, code: str, file: str, line: int, column: int, text: str, fix: str) -> None:
        super().__init__(message)
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.text = text
        self.fix = fix


class RecordingError(ValueError):
    """A recording cannot be read or written: str(error) names the file and what is wrong."""


class SimulationStopped(RuntimeError):
    """A simulation could not go on; `state` is the last good one."""

    def __init__(self, message: str, status: str, time: float, body: str, state: State) -> None:
        super().__init__(message)
        self.status = status
        self.time = time
        self.body = body
        self.state = state


class UnknownName(KeyError):
    """A name that the model does not have, with the closest one it has."""

    def __str__(self) -> str:
        return str(self.args[0])
