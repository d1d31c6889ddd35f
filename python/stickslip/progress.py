"""How far a run is: a bar of tqdm where it is installed, lines where it is not."""

from __future__ import annotations

import sys
import time
from typing import Any


PATIENCE, LONG = 3.0, 60.0  # s of wall time


class Bar:
    """Simulated seconds up to `until`."""

    def __init__(self, until: float, start: float = 0.0) -> None:
        self._until, self._start, self._now = until, start, start
        self._began = self._said = self._looked = time.monotonic()
        self._passed = start  # simulated time at the last look at how fast it goes
        self._told = ""
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar: Any = None
        else:
            layout = "{l_bar}{bar}| {n:.3f}/{total:.3f} s [{elapsed}<{remaining}]{postfix}"
            self._bar = tqdm(total=until - start, bar_format=layout)

    def show(self, now: float, held: str = "") -> None:
        """`held`: what keeps the steps from being longer; told once of a run that stands still."""
        passed = time.monotonic() - self._began
        if self._stands_still(now) and held and held != self._told:
            self._told = held
            self._say(held)
        rate = (now - self._start) / passed if passed > 0 else 0.0
        if self._bar is not None:
            self._bar.set_postfix_str(f"{rate:.3g} x real time", refresh=False)
            self._bar.update(now - self._now)
        elif time.monotonic() - self._said > 1.0:
            self._said = time.monotonic()
            self._say(f"{now:.3f} / {self._until:.3f} s, {rate:.3g} x real time")
        self._now = now

    def _stands_still(self, now: float) -> bool:
        """Whether at the rate of the last PATIENCE seconds more than LONG are to be waited for."""
        wall = time.monotonic() - self._looked
        if wall < PATIENCE:
            return False
        rate = (now - self._passed) / wall
        self._looked, self._passed = time.monotonic(), now
        return self._until - now > rate * LONG

    def _say(self, words: str) -> None:
        if self._bar is not None:
            self._bar.write(words, file=sys.stderr)
        else:
            print(words, file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
