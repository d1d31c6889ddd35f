"""Recorders that are open when the interpreter ends: their recordings are ended properly."""

from __future__ import annotations

import atexit
import os
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._stickslip import Recorder

_open: weakref.WeakSet[Recorder] = weakref.WeakSet()
_process = os.getpid()


def remember(recorder: Recorder) -> None:
    _open.add(recorder)


@atexit.register
def _close_all() -> None:
    if os.getpid() != _process:  # a fork: the recordings are its parent's
        return
    for recorder in list(_open):
        recorder.close()
