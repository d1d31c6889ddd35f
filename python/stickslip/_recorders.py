"""Recorders that are open when the interpreter ends: their recordings are ended properly."""

from __future__ import annotations

import atexit
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._stickslip import Recorder

_open: list[Recorder] = []


def remember(recorder: Recorder) -> None:
    _open[:] = [other for other in _open if not other.closed]
    _open.append(recorder)


@atexit.register
def _close_all() -> None:
    for recorder in _open:
        try:
            recorder.close()
        except ValueError as error:
            print(f"stickslip: {error}", file=sys.stderr)
