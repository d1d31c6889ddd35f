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
LARGE = 320  # objects, from which on MuJoCo's CG is measured too
SETTLED_SECONDS = 0.1

TEXTS = {  # of the scenes that have a name of their own
    "C4": "20 soft balls fall into a box",
    "C5": "12 hard balls and 8 cubes fall into a box",
    "I7": "24 balls and 16 cubes of 1e7 N/m fall into a box",
    "solo12": "the quadruped Solo12 is dropped on a floor",
    "panda": "the arm Panda is dropped on a floor",
    "romeo": "the humanoid Romeo is dropped on a floor",
}
PILES = ("pile_20", "pile_80", "pile_320", "pile_1000", "pile_80_settled", "pile_320_settled", "pile_1000_settled", "pile_4000_settled")
DEFAULT = ("C4", "C5", "I7", "pile_20", "pile_80", "pile_80_settled", "pile_320_settled", "solo12", "panda", "romeo")
QUICK = ("C4", "pile_20", "pile_80_settled", "solo12")


@dataclass(frozen=True)
class Entry:
    id: str

    @property
    def scene(self) -> str:
        return self.id.removesuffix("_settled")

    @property
    def settled(self) -> bool:
        return self.id.endswith("_settled")

    @property
    def text(self) -> str:
        if self.id in TEXTS:
            return TEXTS[self.id]
        return f"{self.scene.removeprefix('pile_')} balls " + ("that have come to rest in a box" if self.settled else "fall into a box")


@dataclass(frozen=True)
class Variant:
    """One engine with one method: error control with an accuracy, or a time step [s]."""

    engine: str
    method: str
    accuracy: float | None = None
    remark: str = ""

    @property
    def setting(self) -> str:
        number = f"time_step {scenes.TIME_STEP:g}" if self.accuracy is None else f"accuracy {self.accuracy:g}"
        return f"{number}, {self.remark}" if self.remark else number

    @property
    def name(self) -> str:
        return f"{self.engine} {self.method}"

    @property
    def options(self) -> dict[str, str | float]:
        step = {"time_step": scenes.TIME_STEP} if self.accuracy is None else {"accuracy": self.accuracy}
        return {"method": self.method, **step}


BASIS = Variant(MUJOCO, "Newton")  # to which ratios are taken


def find(wanted: list[str]) -> list[Entry]:
    """Raises KeyError with a message if there is no such scene."""
    known = {id.lower(): id for id in (*TEXTS, *PILES)}
    found = []
    for name in wanted:
        id = known.get(name.lower(), name.lower())
        if id not in known.values() and not re.fullmatch(r"pile_[1-9]\d{0,3}(_settled)?", id):
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


def variants(scene: scenes.Scene) -> list[Variant]:
    """Of the engines that can run it. Drake has no MJCF of robots here."""
    out = [Variant(STICKSLIP, "cenic", a) for a in ACCURACIES] + [Variant(STICKSLIP, "anchored"), BASIS]
    if len(scene["objects"]) >= LARGE:
        out.append(Variant(MUJOCO, "CG"))
    if "mjcf" not in scene:
        # Drake has one point a pair of boxes. With CENIC its cubes get spheres along their surface, as its authors do it: else they fall through the floor.
        remark = "cubes as spheres" if any(o["shape"] == "box" for o in scene["objects"]) else ""
        out += [Variant(DRAKE, "cenic", a, remark) for a in ACCURACIES] + [Variant(DRAKE, "lagged")]
    return out


def duration(entry: Entry, scene: scenes.Scene) -> float:
    return SETTLED_SECONDS if entry.settled else float(scene["T"])


def warm_up(entry: Entry) -> float:
    return engines.WARM_UP * scenes.TIME_STEP if entry.settled else 0.0
