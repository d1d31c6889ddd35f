"""How far a run is: a bar of tqdm where it is installed, lines where it is not."""

from __future__ import annotations

import sys
import time
from typing import Any


class Bar:
    """Simulated seconds up to `until`."""

    def __init__(self, until: float, start: float = 0.0) -> None:
        self._until, self._start, self._now = until, start, start
        self._began = self._said = time.monotonic()
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar: Any = None
        else:
            layout = "{l_bar}{bar}| {n:.3f}/{total:.3f} s [{elapsed}<{remaining}]{postfix}"
            self._bar = tqdm(total=until - start, bar_format=layout)

    def show(self, now: float) -> None:
        passed = time.monotonic() - self._began
        rate = (now - self._start) / passed if passed > 0 else 0.0
        if self._bar is not None:
            self._bar.set_postfix_str(f"{rate:.3g} x real time", refresh=False)
            self._bar.update(now - self._now)
        elif time.monotonic() - self._said > 1.0:
            self._said = time.monotonic()
            print(f"{now:.3f} / {self._until:.3f} s, {rate:.3g} x real time", file=sys.stderr, flush=True)
        self._now = now

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
