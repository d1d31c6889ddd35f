# What stubgen cannot see or renders in a way that strict type checkers refuse.

_stickslip.__suffix__:
    __version__: str

_stickslip\.\w+\.__eq__:
    def __eq__(self, other: object, /) -> bool: ...

# Written in Python: plotting.py.
_stickslip\.Trajectory\.__suffix__:
    \from matplotlib.figure import Figure
    def plot(self, panels: str | Sequence[str] = ..., *, joints: Sequence[str | int] | None = None, path: str | os.PathLike[str] | None = None) -> Figure:
        """A figure of positions ("q"), velocities ("v") and step sizes with their estimated errors ("steps") over time."""

