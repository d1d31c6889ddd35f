"""How well a run was solved, from the states that it went through: the same for every engine, whatever it reports of itself.

Our own geometry looks at the positions, with the scene's own shapes. What the figures mean is told in docs/benchmarks.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SAMPLE = 0.01  # s between states in which slip is looked at
WINDOW = 0.5  # s, for which two bodies have to touch and rest; all of a run that is shorter
REST = 5e-3  # m/s: bodies all of whose points are slower rest, or creep
ARM = 0.05  # m, of these points from the middle of a body
RELEASE = 0.2  # s, within which contacts give back what they stored


@dataclass(frozen=True)
class Quality:
    penetration: float  # m, the deepest overlap
    slip: float | None  # m/s, the fastest drift of a contact of bodies at rest; none if none lasts
    energy_gained: float  # as a fraction of weight times height at the start


class Onlooker:
    """Puts states into a simulator of ours, to ask it."""

    def __init__(self, model: Any) -> None:
        import stickslip as ss

        self.model, self.sim = model, ss.Simulator(model, method="anchored", time_step=1e-3)
        self.weight = model.total_mass * np.asarray(model.gravity)

    def look(self, q: Array, v: Array) -> None:
        self.sim.q[:], self.sim.v[:] = q, v

    def height_energy(self) -> float:
        """J, of gravity; 0 with the centre of mass on the floor."""
        return float(-self.weight @ self.model.center_of_mass(self.sim.q))

    def mechanical_energy(self) -> float:
        return float(self.sim.kinetic_energy) + self.height_energy()

    def deepest(self) -> float:
        return max((depth for _, _, depth in self.sim.overlaps()), default=0.0)

    def slips(self) -> Iterator[tuple[tuple[str, str], Array]]:
        """Of each pair of bodies that rest on each other: the velocity of one surface along the other, where they overlap deepest [m/s, world axes]."""
        for a, b, _ in self.sim.overlaps():
            if not (self.rests(a) and self.rests(b)):
                continue
            _, on_a, on_b = self.sim.distance(a, b)
            across = on_a - on_b
            length = float(np.linalg.norm(across))
            if length > 0:
                normal, relative = across / length, self.velocity(a, on_a) - self.velocity(b, on_a)
                yield (a, b), relative - normal * (normal @ relative)

    def rests(self, name: str) -> bool:
        twist = self.sim.body(name).velocity
        return float(np.linalg.norm(twist[:3]) + ARM * np.linalg.norm(twist[3:])) < REST

    def velocity(self, name: str, point: Array) -> Array:
        body = self.sim.body(name)
        twist = body.velocity
        x, y, z = point - body.position
        p, q, r = twist[3:]
        return np.array([twist[0] + q * z - r * y, twist[1] + r * x - p * z, twist[2] + p * y - q * x])


class Drift:
    """The mean slip velocity of pairs that stay at rest, over windows of time."""

    def __init__(self, window: float) -> None:
        self.window = window  # s
        self.paths: dict[tuple[str, str], list[tuple[float, Array, Array]]] = {}  # time, slip, and how far it slipped
        self.fastest: float | None = None

    def add(self, t: float, slips: dict[tuple[str, str], Array]) -> None:
        self.paths = {pair: path for pair, path in self.paths.items() if pair in slips}
        for pair, slip in slips.items():
            path = self.paths.setdefault(pair, [])
            path.append((t, slip, path[-1][2] + (t - path[-1][0]) * (slip + path[-1][1]) / 2 if path else np.zeros(3)))
            while len(path) > 1 and path[1][0] <= t - self.window + SAMPLE / 2:
                path.pop(0)
            span = t - path[0][0]
            if span >= self.window - SAMPLE / 2:
                self.fastest = max(self.fastest or 0.0, float(np.linalg.norm(path[-1][2] - path[0][2])) / span)


def energy_rise(t: Array, energy: Array) -> float:
    """The largest rise [J] above what there was before. Contacts store energy and give it back within RELEASE, so what there was is the most of such a
    time, or what the run began with."""
    before, rise, first = energy[0], 0.0, 0
    for i in range(len(t)):
        rise = max(rise, float(energy[i] - before))
        while t[first] + RELEASE < t[i]:
            first += 1
        if t[i] - t[0] >= RELEASE:
            before = min(before, float(energy[first : i + 1].max()))
    return rise


def examine(model: Any, file: Path) -> Quality:
    """Of a run's states, as `whole_runs.py` keeps them."""
    states = np.load(file)
    onlooker, drift = Onlooker(model), Drift(min(WINDOW, float(states["t"][-1] - states["t"][0])))
    energy, depth, sampled, height = [], 0.0, -np.inf, 0.0
    for i, (t, q, v) in enumerate(zip(states["t"], states["q"], states["v"], strict=True)):
        onlooker.look(q, v)
        if i == 0:
            height = onlooker.height_energy()
        energy.append(onlooker.mechanical_energy())
        depth = max(depth, onlooker.deepest())
        if t - sampled > SAMPLE - 1e-9:
            drift.add(float(t), dict(onlooker.slips()))
            sampled = float(t)
    return Quality(depth, drift.fastest, energy_rise(states["t"], np.array(energy)) / height)
