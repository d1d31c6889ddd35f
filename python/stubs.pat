# What stubgen cannot see or renders in a way that strict type checkers refuse.

_stickslip.__suffix__:
    __version__: str
    def _watch(simulator: Simulator, page: str | os.PathLike[str], port: int) -> Viewer: ...
    def _replay(run: Trajectory, page: str | os.PathLike[str], port: int) -> Viewer: ...
    def _run_live(simulator: Simulator, page: str | os.PathLike[str], port: int, speed: float, paused: bool, announce: Callable[[str], None]) -> None: ...
    def _run_format(path: str | os.PathLike[str]) -> str: ...
    def _check_replaceable(path: str | os.PathLike[str], force: bool) -> None: ...
    def _printable(text: str) -> str: ...
    def _write_html(run: Trajectory, path: str | os.PathLike[str], page: str | os.PathLike[str], rate: float) -> None: ...

_stickslip\.\w+\.__eq__:
    def __eq__(self, other: object, /) -> bool: ...

# Written in Python: plotting.py, saving.py, tables.py, video.py, viewing.py.
_stickslip\.Trajectory\.__suffix__:
    \from matplotlib.figure import Figure
    \from pandas import DataFrame
    \from .viewing import Player
    def plot(self, panels: str | Sequence[str] | None = None, *, joints: Sequence[str | int] | None = None, path: str | os.PathLike[str] | None = None) -> Figure:
        """A figure of what a run went through: "q", "v", "energy", "forces", "contacts", "steps"; without a choice, all that it has."""
    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the run, as what its ending says: .h5 (a recording), .csv (tables), .html (a page that plays it) or .mcap (a log for Foxglove). It writes over what runs have written, and over nothing else; with `force` over any plain file."""
    def to_pandas(self, table: str = 'states') -> DataFrame:
        """A DataFrame of "states" (q, v and controls by name), "energy", "contacts" or "steps"."""
    def play(self, *, port: int = 0, browser: bool = True, height: int = 480) -> Viewer | Player:
        """Plays the run in the browser, or in a notebook's cell, where it needs no server."""
    def video(self, path: str | os.PathLike[str], *, fps: float = 30.0, size: tuple[int, int] = (1280, 720), speed: float = 1.0, camera: Sequence[Sequence[float]] | None = None) -> None:
        """Writes the run as .mp4 or .gif; `camera` is where it stands and what it looks at. Needs Chromium and ffmpeg."""
    def _save(self, path: str | os.PathLike[str], force: bool) -> None: ...


_stickslip\.Simulator\.__suffix__:
    def view(self, *, live: bool = False, port: int = 0, browser: bool = True, speed: float = 1.0, paused: bool = False) -> Viewer | None:
        """Shows the simulator in the browser while a script steps it; with `live` it simulates by itself until Ctrl-C."""
