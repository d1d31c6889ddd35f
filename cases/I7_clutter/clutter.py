"""Runs of the clutter: how many Newton iterations each step took, how deep objects overlap, how soft friction was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import stickslip as ss

from cases.harness import SOLVER_TOLERANCE, STICTION_TOLERANCE, Array, scene

RELAXATION_TIME = 1e-4
OBJECTS = 40
SIZE = 0.1  # m, of spheres and cubes
FRICTION = 1.0
SOFTNESS_RATIO = 1e-3  # sigma
UNTIL = 3.0
NAMES = {"sap": "SAP", "similar": "Similar", "lagged": "Lagged", "lagged-regularized": "regularised Lagged"}


@dataclass(frozen=True)
class Clutter:
    t: Array  # s, end of each step
    iterations: Array  # Newton iterations of the step: of its slowest island, since the paper solves all in one
    condition: Array  # number of the Hessian, estimated; nan where nothing touches
    depth: Array  # m, median over the overlapping contacts: that of objects at rest. Those that roll dive by (v h)^2/(2 r), whatever the stiffness
    softness: Array  # m/s, sigma w mu gamma_n: effective stiction tolerance of SAP, mean over the contacts that carry force
    lowest: float  # m, of all objects' centres at all times
    stopped: str  # why the run ended early; empty if it did not

    def mean_iterations(self, begin: float = 0, end: float = UNTIL) -> float:
        return float(self.iterations[(self.t > begin) & (self.t <= end + 1e-9)].mean())

    def mean_condition(self, begin: float = 0, end: float = UNTIL) -> float:
        """Geometric mean: the number ranges over decades."""
        return float(np.exp(np.nanmean(np.log(self.condition[(self.t > begin) & (self.t <= end + 1e-9)]))))


def simulate(method: str, time_step: float, stiffness: float | None = None, contacts: bool = True) -> Clutter:
    model = scene("I7_clutter", relaxation_time=RELAXATION_TIME if method == "sap" else None, stiffness=stiffness)
    sim = ss.Simulator(model, method=method, time_step=time_step, solver_tolerance=SOLVER_TOLERANCE)
    inertia = Inertia(model)
    rows: list[tuple[float, int, float, float, float]] = []
    before, lowest, stopped = 0, np.inf, ""
    for _ in range(round(UNTIL / time_step)):
        try:
            sim.step()
        except ss.SimulationStopped as stop:
            stopped = str(stop)
            break
        report = sim.report
        total = report.slowest_island_iterations
        found = sim.contacts if contacts else None
        depth = median(found["depth"][found["depth"] > 0]) if found is not None else np.nan
        softness = inertia.softness(sim, found, time_step) if found is not None else np.nan
        rows.append((sim.time, total - before, report.condition or np.nan, depth, softness))
        before = total
        lowest = min(lowest, float(sim.q.reshape(-1, 7)[:, 2].min()))
    t, iterations, conditions, depths, softnesses = (np.array(column) for column in zip(*rows, strict=True))
    return Clutter(t, iterations, conditions, depths, softnesses, lowest, stopped)


class Inertia:
    """Masses and (isotropic) moments of inertia by body; infinite for the bin and the world."""

    def __init__(self, model: ss.Model) -> None:
        count = len(model.body_names)
        self.inverse_mass, self.inverse_moment = np.zeros(count), np.zeros(count)
        for i, name in enumerate(model.body_names):
            if name.startswith("sphere"):
                mass = 1000 * np.pi / 6 * SIZE**3
                self.inverse_mass[i], self.inverse_moment[i] = 1 / mass, 1 / (0.1 * mass * SIZE**2)
            elif name.startswith("box"):
                mass = 1000 * SIZE**3
                self.inverse_mass[i], self.inverse_moment[i] = 1 / mass, 6 / (mass * SIZE**2)

    def softness(self, sim: ss.Simulator, contacts: NDArray[np.void], time_step: float) -> float:
        """Mean of sigma w mu gamma_n, with w = |W|_F/3 of the contact's inverse mass W = J M^-1 J'.   ICF (26)"""
        normal_force = np.einsum("ij,ij->i", contacts["force"], contacts["normal"])
        active = contacts[normal_force > 0]
        center = np.zeros((len(self.inverse_mass), 3))
        center[1 : OBJECTS + 1] = sim.q.reshape(-1, 7)[:, :3]
        W = np.zeros((len(active), 3, 3))
        for side in ("body_a", "body_b"):
            body = active[side]
            arm = active["point"] - center[body]
            square = np.einsum("ij,ij->i", arm, arm)[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :]
            W += self.inverse_mass[body, None, None] * np.eye(3) + self.inverse_moment[body, None, None] * square
        w = np.linalg.norm(W, axis=(1, 2)) / 3
        return mean(SOFTNESS_RATIO * w * FRICTION * time_step * normal_force[normal_force > 0])


def mean(x: Array) -> float:
    return float(x.mean()) if len(x) else np.nan


def median(x: Array) -> float:
    return float(np.median(x)) if len(x) else np.nan


def regularized(softness: Array) -> Array:
    """Of the regularised Lagged model.   ICF (26)"""
    return np.maximum(STICTION_TOLERANCE, softness)

