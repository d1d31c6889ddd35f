# What stubgen cannot see or renders in a way that strict type checkers refuse.

_stickslip.__suffix__:
    __version__: str

_stickslip\.\w+\.__eq__:
    def __eq__(self, other: object, /) -> bool: ...

# Written in Python: plotting.py, saving.py, tables.py.
_stickslip\.Trajectory\.__suffix__:
    \from matplotlib.figure import Figure
    \from pandas import DataFrame
    def plot(self, panels: str | Sequence[str] | None = None, *, joints: Sequence[str | int] | None = None, path: str | os.PathLike[str] | None = None) -> Figure:
        """A figure of what a run went through: "q", "v", "energy", "forces", "contacts", "steps"; without a choice, all that it has."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the run, as what its suffix says: .h5 (a recording), .csv (a table) or .mcap (a log for Foxglove)."""
    def to_pandas(self, table: str = 'states') -> DataFrame:
        """A DataFrame of "states" (q, v and controls by name), "energy", "contacts" or "steps"."""
    def _save(self, path: str | os.PathLike[str]) -> None: ...

