"""What `stickslip bench` can measure: scenes by ID, and the engines' settings on each of them."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

import engines
import scenes

STICKSLIP, MUJOCO, DRAKE = "Stickslip", "MuJoCo", "Drake"
ENGINES = (STICKSLIP, MUJOCO, DRAKE)
ACCURACIES = (1e-2, 1e-3)
LARGE = 320  # objects, from which on MuJoCo's CG is measured too, and Drake's CENIC is not: one of its steps takes minutes
SETTLED_SECONDS = 0.1
# Of runs that are compared with a reference: each engine over its range of settings.
SWEPT_ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)
SWEPT_STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)  # s
# Until when runs are compared with a reference, s. Later errors have grown so much that the setting hardly matters.
HORIZONS = {"C4": 0.4, "C5": 0.4, "solo12": 0.24, "panda": 0.24, "romeo": 0.24}
PILE_HORIZON = 0.24
ENSEMBLES = ("C4", "C5", "I7")  # which are run from several starts

TEXTS = {  # of the scenes that have a name of their own
    "C4": "20 soft balls fall into a box",
    "C5": "12 hard balls and 8 cubes fall into a box",
    "I7": "24 balls and 16 cubes of 1e7 N/m fall into a box",
    "solo12": "the quadruped Solo12 is dropped on a floor",
    "panda": "the arm Panda is dropped on a floor",
    "romeo": "the humanoid Romeo is dropped on a floor",
}
EARLY = ("C4_early", "C5_early", "pile_20_early", "mixed_20_early", "solo12_early", "panda_early", "romeo_early")
PILES = (
    "pile_20", "pile_80", "pile_320", "pile_1000", "pile_80_settled", "pile_320_settled", "pile_1000_settled", "pile_4000_settled",
    "mixed_20", "mixed_80", "mixed_320", "mixed_1000", "mixed_80_settled", "mixed_320_settled", "mixed_1000_settled",
)  # fmt: skip
DEFAULT = (
    *EARLY, *TEXTS, "pile_20", "pile_80", "mixed_80", "pile_80_settled", "pile_320_settled", "pile_1000_settled",
    "mixed_80_settled", "mixed_320_settled", "mixed_1000_settled",
)  # fmt: skip
QUICK = ("C4_early", "C4", "pile_20", "pile_80_settled", "solo12")
NAMES = (*EARLY, *TEXTS, *PILES)


@dataclass(frozen=True)
class Entry:
    id: str

    @property
    def scene(self) -> str:
        return self.id.removesuffix("_settled").removesuffix("_early")

    @property
    def settled(self) -> bool:
        return self.id.endswith("_settled")

    @property
    def early(self) -> bool:
        """Only until its runs can no longer be compared with a reference, with all settings."""
        return self.id.endswith("_early")

    @property
    def horizon(self) -> float | None:
        """Until when errors can be told, s; none if there is no reference."""
        return HORIZONS.get(self.scene, PILE_HORIZON if self.early else None)

    @property
    def ensemble(self) -> bool:
        return self.scene in ENSEMBLES

    @property
    def text(self) -> str:
        kind, _, count = self.scene.partition("_")
        what = TEXTS.get(self.scene, f"{count} {'balls' if kind == 'pile' else 'balls, cubes, capsules and cylinders'} fall into a box")
        if self.settled:
            return what.replace("fall into", "that have come to rest in")
        return f"{what}, until {self.horizon:g} s" if self.early else what


@dataclass(frozen=True)
class Variant:
    """One engine with one method: error control with an accuracy, or a time step [s]."""

    engine: str
    method: str
    accuracy: float | None = None
    remark: str = ""
    time_step: float = scenes.TIME_STEP  # without an accuracy

    @property
    def setting(self) -> str:
        number = f"time_step {self.time_step:g}" if self.accuracy is None else f"accuracy {self.accuracy:g}"
        return f"{number}, {self.remark}" if self.remark else number

    @property
    def name(self) -> str:
        return f"{self.engine} {self.method}"

    @property
    def options(self) -> dict[str, str | float]:
        step = {"time_step": self.time_step} if self.accuracy is None else {"accuracy": self.accuracy}
        return {"method": self.method, **step}


BASIS = Variant(MUJOCO, "Newton")  # to which ratios are taken


def find(wanted: list[str]) -> list[Entry]:
    """Raises KeyError with a message if there is no such scene."""
    known = {id.lower(): id for id in NAMES}
    found = []
    for name in wanted:
        id = known.get(name.lower(), name.lower())
        if id not in known.values() and not re.fullmatch(r"(pile|mixed)_[1-9]\d{0,3}(_settled|_early)?", id):
            near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.4)
            hint = f"did you mean {known[near[0]]}?" if near else f"there are {', '.join(known.values())}"
            raise KeyError(f"there is no scene '{name}'; {hint}")
        found.append(Entry(id))
    return list(dict.fromkeys(found))


def find_engines(wanted: str) -> list[str]:
    """Of a list with commas. Raises KeyError with a message if there is no such engine."""
    known = {name.lower(): name for name in ENGINES}
    names = [name.strip().lower() for name in wanted.split(",")]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise KeyError(f"there is no engine '{name}'; {hint}")
    return [name for key, name in known.items() if key in names]


def variants(entry: Entry, scene: scenes.Scene) -> list[Variant]:
    """Of all engines."""
    accuracies, steps = (SWEPT_ACCURACIES, SWEPT_STEPS) if entry.early else (ACCURACIES, (scenes.TIME_STEP,))
    large = len(scene["objects"]) >= LARGE

    def with_steps(engine: str, method: str, remark: str = "") -> list[Variant]:
        return [Variant(engine, method, remark=remark, time_step=h) for h in steps]

    out = [Variant(STICKSLIP, "cenic", a) for a in accuracies] + with_steps(STICKSLIP, "anchored") + with_steps(MUJOCO, BASIS.method)
    if large:
        out += with_steps(MUJOCO, "CG")
    # Drake has one point a pair of boxes. With CENIC its cubes get spheres along their surface, as its authors do it: else they fall through the floor.
    remark = "cubes as spheres" if any(o["shape"] == "box" for o in scene["objects"]) else ""
    if not large:
        out += [Variant(DRAKE, "cenic", a, remark) for a in accuracies]
    return out + with_steps(DRAKE, "lagged")


def duration(entry: Entry, scene: scenes.Scene) -> float:
    if entry.settled:
        return SETTLED_SECONDS
    return entry.horizon if entry.early and entry.horizon else float(scene["T"])


def warm_up(entry: Entry) -> float:
    return engines.WARM_UP * scenes.TIME_STEP if entry.settled else 0.0
