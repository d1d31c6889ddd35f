"""What bench/energy measures: groups of scenes, what makes each of them, and by which settings they run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import energy_scenes as es
from energy_runs import JERK, SECONDS, SETTINGS
from rigid import Boxes, Scene

TIMES = {"10 ms": 1e-2, "2 ms": 2e-3, "0.5 ms": 5e-4}  # of MuJoCo, too


@dataclass(frozen=True)
class Made:
    scene: Scene
    consistent: Scene  # as the jerk at the start leaves it: for engines that take their time about it


@dataclass(frozen=True)
class Group:
    """Scenes by number."""

    name: str
    what: str
    make: Callable[[int], Made]
    count: int
    quick: int  # of these, in the quick mode
    until: float = SECONDS
    jerk: float = 0.0
    mujoco: bool = True
    settings: tuple[str, ...] = tuple(SETTINGS)


def thrown(make: Callable[[int], Boxes]) -> Callable[[int], Made]:
    def both(seed: int) -> Made:
        boxes = make(seed)
        return Made(boxes.scene(), boxes.scene(consistent=True))

    return both


def plain(make: Callable[[int], Scene]) -> Callable[[int], Made]:
    def both(seed: int) -> Made:
        scene = make(seed)
        return Made(scene, scene)

    return both


def on_a_joint(seed: int) -> Scene:
    return es.jointed(es.held_box("ball", seed))


BOX = "of 5 to 30 cm, thrown at 2 m/s and 5 rad/s"
GROUPS = (
    Group("rope", f"boxes {BOX}, on a rope (`distance`)", thrown(partial(es.held_box, "distance")), 100, 6, jerk=JERK),
    Group("pin", f"boxes {BOX}, on a pin (`ball` constraint)", thrown(partial(es.held_box, "ball")), 100, 6, jerk=JERK),
    Group("joint", f"boxes {BOX}, on ball joints", plain(on_a_joint), 100, 6),
    Group("ropes", f"boxes {BOX}, on two ropes", thrown(partial(es.held_box, "distance", ropes=2)), 30, 2, jerk=JERK),
    Group("pins", "chains of four boxes on pins", thrown(partial(es.chain, "ball")), 14, 1, jerk=JERK),
    Group("rods", "chains of four boxes on rods of 0.3 m", thrown(partial(es.chain, "distance")), 14, 1, jerk=JERK),
    Group("ring", "closed rings of four boxes on pins", thrown(es.ring), 12, 1, jerk=JERK),
    Group("four_bar", "four-bars of joints and a pin, the crank at 5 to 15 rad/s", plain(es.four_bar), 16, 2),
    Group("planar", "plane chains of twelve links on hinges, each at up to 20 rad/s, 0.5 s", plain(es.planar_chain), 6, 1, until=0.5),
    Group("capsule", "capsules of 12 mm radius, thrown on a floor on which they roll, 3 s", plain(es.thin_capsule), 20, 3, until=3.0),
)
