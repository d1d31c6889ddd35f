"""What a simulator's energy leaves out of a scene: soft constraints are springs, and some of what moves it is not measured."""

from __future__ import annotations

import numpy as np
from random_mechanisms import Scene, rotation

import stickslip as ss


def feeds_unmeasured(scene: Scene) -> bool:
    """Prescribed motion and belts do work that no audit counts."""
    moved = any("motion" in x for x in (*scene["bodies"], *scene.get("joints", [])))
    return moved or any("surface_velocity" in shape for body in scene["bodies"] for shape in body.get("geometry", []))


class SpringMeter:
    """Of ropes and pins with a stiffness of their own, and the gaps of those without."""

    def __init__(self, sim: ss.Simulator, scene: Scene) -> None:
        self.sim = sim
        constraints = scene.get("constraints", [])
        self.springs = [c for c in constraints if "stiffness" in c]
        self.stiff = [c for c in constraints if "stiffness" not in c and c["type"] != "coupler"]

    def energy(self) -> float:
        """[J]"""
        return float(sum(0.5 * spring["stiffness"] * self.stretch(spring) ** 2 for spring in self.springs))

    def widest(self) -> float:
        """Gap [m]."""
        return max((abs(self.stretch(hold)) for hold in self.stiff), default=0.0)

    def stretch(self, spring: Scene) -> float:
        away = float(np.linalg.norm(self.point(spring, "a") - self.point(spring, "b")))
        return away - float(spring.get("length", 0.0))

    def point(self, spring: Scene, side: str) -> np.ndarray:
        own = np.array(spring.get(f"pose_{side}", {}).get("position", [0.0, 0.0, 0.0]))
        name = spring.get(f"body_{side}")
        if name is None:
            return own
        body = self.sim.body(name)
        return np.asarray(body.position + rotation(body.quaternion) @ own)
