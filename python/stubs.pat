# What stubgen cannot see or renders in a way that strict type checkers refuse.

_stickslip.__suffix__:
    __version__: str

_stickslip\.\w+\.__eq__:
    def __eq__(self, other: object, /) -> bool: ...

