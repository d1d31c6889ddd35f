"""The viewer in the browser: Simulator.view, Trajectory.play and pages of their own."""

from __future__ import annotations

import atexit
import html
import os
import sys
import tempfile
import webbrowser
from pathlib import Path

from . import _stickslip
from ._stickslip import Simulator, Trajectory, Viewer

PAGE = Path(__file__).with_name("viewer.html")

_open: list[Viewer] = []  # a viewer that nobody keeps stays until it is closed, or the interpreter ends


def _keep(viewer: Viewer) -> Viewer:
    _open[:] = [other for other in _open if other.url]
    _open.append(viewer)
    return viewer


@atexit.register
def _close_all() -> None:
    for viewer in _open:
        viewer.close()


def _has_screen() -> bool:
    return sys.platform != "linux" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ


def _announce(url: str, browser: bool) -> None:
    print(f"stickslip: {url}", file=sys.stderr)
    if browser and _has_screen():
        webbrowser.open(url)


def view(
    sim: Simulator, *, live: bool = False, port: int = 0, browser: bool = True, speed: float = 1.0, paused: bool = False
) -> Viewer | None:
    """Shows the simulator in the browser while a script steps it; the script never waits for the page.

    With `live` it simulates by itself, in step with the clock, until Ctrl-C: the page plays, pauses, drags bodies and sets controls.
    """
    if live:
        if not 1e-3 <= speed <= 1e3:
            raise ValueError(f"speed is {speed}, expected 0.001 to 1000 simulated seconds a second")
        try:
            _stickslip._run_live(sim, PAGE, port, speed, paused, lambda url: _announce(url, browser))
        except KeyboardInterrupt:
            print(file=sys.stderr)
        return None
    if speed != 1.0 or paused:
        raise ValueError("speed and paused are for live=True; otherwise your script steps")
    viewer = _keep(_stickslip._watch(sim, PAGE, port))
    _announce(viewer.url, browser)
    return viewer


class Player:
    """A recording that plays in a notebook's cell."""

    def __init__(self, page: str, height: int) -> None:
        self._page, self._height = page, height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self._page)}" style="width:100%;height:{self._height}px;border:0" '
            'sandbox="allow-scripts"></iframe>'
        )


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def page_of(run: Trajectory, rate: float = 60.0) -> str:
    """The run as the text of one HTML page."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.html"
        _stickslip._write_html(run, path, PAGE, rate)
        return path.read_text(encoding="utf-8")


def play(run: Trajectory, *, port: int = 0, browser: bool = True, height: int = 480) -> Viewer | Player:
    """Plays the run in the browser, or in a notebook's cell, where it needs no server."""
    if _in_notebook():
        return Player(page_of(run), height)
    viewer = _keep(_stickslip._replay(run, PAGE, port))
    _announce(viewer.url, browser)
    return viewer
