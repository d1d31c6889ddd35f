"""Newton iterations of the clutter without our solver: the paper's own iteration, dense, in numpy.

States and contacts come from runs of this simulator; every so many steps the step's problem is put together again and solved by Newton's
method from the velocities at the start of the step, all objects in one problem, with a line search to round-off, until the gradient is
below 1e-5 (ICF XII, SAP's test). Ours starts elsewhere, solves islands one by one and stops on other tests, so the counts differ. What the paper says of
its iterations is checked with these; ours stand beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

import stickslip as ss

from cases.harness import GRAVITY, STICTION_TOLERANCE, Array, scene
from cases.I7_clutter.clutter import FRICTION, OBJECTS, RELAXATION_TIME, SOFTNESS_RATIO, UNTIL, Inertia

DISSIPATION, STIFFNESS = 10.0, 1e7
TOLERANCE, MOST = 1e-5, 200
SAMPLES = 40  # steps of a run whose problems are solved again
# Why a claim about these counts does not hold, if it does not.
WHOSE = (
    "these are iterations of the paper's own method, which has nothing of our solver (I7's independent.py): the claim does not hold for the scene as "
    "the paper describes it"
)


@dataclass(frozen=True)
class Problem:
    mass: Array  # 6 N, diagonal: linear and angular, world axes
    start: Array  # 6 N, velocities at the start of the step
    free: Array  # 6 N, at its end without contact
    jacobian: Array  # 3 C by 6 N: two tangents and the normal of each contact
    gap: Array  # C, m
    stiffness: Array  # C, N/m
    last: Array  # C, normal impulses at the start of the step
    h: float
    inverse_mass: Array  # C, 1/kg: w = |J M^-1 J'|_F / 3


class Local(NamedTuple):
    """Of each contact."""

    impulse: Array  # C x 3
    hessian: Array  # C x 3 x 3, of the potential


def frames(normal: Array) -> Array:
    """C x 3 x 3, rows t1, t2, n."""
    helper = np.where(np.abs(normal[:, :1]) < 0.7, [[1.0, 0, 0]], [[0, 1.0, 0]])
    t1 = np.cross(normal, helper)
    t1 /= np.linalg.norm(t1, axis=1, keepdims=True)
    return np.stack([t1, np.cross(normal, t1), normal], axis=1)


def problem(sim: ss.Simulator, inertia: Inertia, stiffness: float, h: float) -> Problem:
    """Of the step that begins at the simulator's state, with the contacts that its last step knew."""
    contacts: NDArray[np.void] = sim.contacts
    bodies = [sim.body(name) for name in sim.model.body_names[1 : OBJECTS + 1]]
    center = np.zeros((len(inertia.inverse_mass), 3))
    center[1 : OBJECTS + 1] = [body.position for body in bodies]
    axes = frames(contacts["normal"])
    J = np.zeros((len(contacts), 3, 6 * OBJECTS))
    for side, sign in (("body_a", -1.0), ("body_b", 1.0)):
        for c, body in enumerate(contacts[side]):
            if 1 <= body <= OBJECTS:
                x, y, z = contacts["point"][c] - center[body]
                turn = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])  # angular velocity to that of the point
                J[c][:, 6 * (body - 1) : 6 * body] = sign * axes[c] @ np.hstack([np.eye(3), turn])
    pair = contacts["body_a"].astype(int) * 1000 + contacts["body_b"]
    _, member, count = np.unique(pair, return_inverse=True, return_counts=True)
    against_object = (contacts["body_a"] <= OBJECTS) & (contacts["body_a"] > 0) & (contacts["body_b"] <= OBJECTS)
    k = np.where(against_object, stiffness / 2, stiffness) / count[member]  # a manifold shares its pair's
    inverse = np.stack([inertia.inverse_mass, inertia.inverse_moment], axis=1)[1 : OBJECTS + 1]
    mass = 1 / np.repeat(inverse, 3, axis=1).ravel()
    start = np.concatenate([body.velocity for body in bodies])
    free = start.copy()
    free[2::6] -= GRAVITY * h
    vn = (J.reshape(-1, 6 * OBJECTS) @ start)[2::3]
    last = h * k * np.maximum(0, contacts["depth"]) * np.maximum(0, 1 - DISSIPATION * vn)
    w = np.linalg.norm((J / mass) @ J.transpose(0, 2, 1), axis=(1, 2)) / 3
    return Problem(mass, start, free, J.reshape(-1, 6 * OBJECTS), -contacts["depth"], k, last, h, w)


def normal_law(p: Problem, vn: Array) -> tuple[Array, Array]:
    """Impulse and its slope.   ICF (22)"""
    elastic, damped = np.maximum(0, -p.h * p.stiffness * (p.gap + p.h * vn)), np.maximum(0, 1 - DISSIPATION * vn)
    return elastic * damped, -(p.h**2) * p.stiffness * (elastic > 0) * damped - DISSIPATION * elastic * (damped > 0)


def softened(vt: Array, tolerance: Array | float = STICTION_TOLERANCE) -> tuple[Array, Array, Array]:
    """|v_t| softened, its gradient and its Hessian."""
    length = np.sqrt((vt**2).sum(axis=1) + tolerance**2)
    gradient = vt / length[:, None]
    return length - tolerance, gradient, (np.eye(2) - gradient[:, :, None] * gradient[:, None, :]) / length[:, None, None]


def lagged(p: Problem, v: Array, tolerance: Array | float = STICTION_TOLERANCE) -> Local:
    n, slope = normal_law(p, v[:, 2])
    _, gradient, curvature = softened(v[:, :2], tolerance)
    bound = FRICTION * p.last
    hessian = np.zeros((len(v), 3, 3))
    hessian[:, :2, :2], hessian[:, 2, 2] = bound[:, None, None] * curvature, -slope
    return Local(np.column_stack([-bound[:, None] * gradient, n]), hessian)


def lagged_regularized(p: Problem, v: Array) -> Local:
    """ICF (26)"""
    return lagged(p, v, np.maximum(STICTION_TOLERANCE, SOFTNESS_RATIO * FRICTION * p.inverse_mass * p.last))


def similar(p: Problem, v: Array) -> Local:
    length, gradient, curvature = softened(v[:, :2])
    n, slope = normal_law(p, v[:, 2] - FRICTION * length)
    z = np.column_stack([-FRICTION * gradient, np.ones(len(v))])
    hessian = -slope[:, None, None] * z[:, :, None] * z[:, None, :]
    hessian[:, :2, :2] += FRICTION * n[:, None, None] * curvature
    return Local(n[:, None] * z, hessian)


def sap(p: Problem, v: Array) -> Local:
    """Errata's formulas: stick, slip, no contact."""
    r_n, r_t = 1 / (p.h * p.stiffness * (p.h + RELAXATION_TIME)), SOFTNESS_RATIO * p.inverse_mass
    y_t, y_n = -v[:, :2] / r_t[:, None], (-p.gap / (p.h + RELAXATION_TIME) - v[:, 2]) / r_n
    size = np.maximum(np.linalg.norm(y_t, axis=1), 1e-300)
    t = y_t / size[:, None]
    hat, tilde = FRICTION * r_t / r_n, FRICTION**2 * r_t / r_n
    stick = size <= FRICTION * y_n
    slide = ~stick & (y_n > -hat * size)
    n = np.where(slide, (y_n + hat * size) / (1 + tilde), 0)
    impulse = np.where(stick[:, None], np.column_stack([y_t, y_n]), np.column_stack([FRICTION * n[:, None] * t, n]))
    slope = np.zeros((len(v), 3, 3))  # of the impulse with y
    slope[:, :2, :2] = FRICTION * (
        (hat / (1 + tilde))[:, None, None] * t[:, :, None] * t[:, None, :]
        + (n / size)[:, None, None] * (np.eye(2) - t[:, :, None] * t[:, None, :])
    )
    slope[:, :2, 2], slope[:, 2, :2] = (FRICTION / (1 + tilde))[:, None] * t, (hat / (1 + tilde))[:, None] * t
    slope[:, 2, 2] = 1 / (1 + tilde)
    slope = np.where(slide[:, None, None], slope, np.where(stick[:, None, None], np.eye(3), 0))
    return Local(impulse, slope / np.column_stack([r_t, r_t, r_n])[:, None, :])


MODELS = {"sap": sap, "similar": similar, "lagged": lagged, "lagged-regularized": lagged_regularized}


def newton_iterations(p: Problem, method: str) -> int:
    law, v = MODELS[method], p.start.copy()
    scale = 1 / np.sqrt(p.mass)
    for iteration in range(MOST):
        local = law(p, (p.jacobian @ v).reshape(-1, 3))
        push = p.jacobian.T @ local.impulse.ravel()
        gradient = p.mass * (v - p.free) - push
        if np.linalg.norm(scale * gradient) <= TOLERANCE * max(np.linalg.norm(scale * p.mass * v), np.linalg.norm(scale * push)):
            return iteration
        stiff = local.hessian @ p.jacobian.reshape(-1, 3, len(v))
        hessian = np.diag(p.mass) + p.jacobian.T @ stiff.reshape(-1, len(v))
        v = v + line_search(p, method, v, -np.linalg.solve(hessian, gradient))
    return MOST


def line_search(p: Problem, method: str, v: Array, direction: Array) -> Array:
    at, along = p.jacobian @ v, p.jacobian @ direction

    def slope(a: float) -> float:
        impulse = MODELS[method](p, (at + a * along).reshape(-1, 3)).impulse.ravel()
        return float(direction @ (p.mass * (v + a * direction - p.free)) - along @ impulse)

    longest = 1.5
    if slope(longest) <= 0:
        return longest * direction
    return brentq(slope, 0.0, longest, xtol=1e-12) * direction if slope(0.0) < 0 else 0 * direction


def counts(method: str, h: float, stiffness: float = STIFFNESS) -> list[tuple[float, int]]:
    """Time and iterations of the sampled steps of a run."""
    model = scene("I7_clutter", relaxation_time=RELAXATION_TIME if method == "sap" else None, stiffness=stiffness)
    sim, inertia, steps = ss.Simulator(model, method=method, time_step=h, solver_tolerance=TOLERANCE), Inertia(model), round(UNTIL / h)
    result = []
    for k in range(1, steps + 1):
        sim.step()
        if k % (steps // SAMPLES) == 0 and len(sim.contacts):
            result.append((sim.time, newton_iterations(problem(sim, inertia, stiffness, h), method)))
    return result


def mean_iterations(samples: list[tuple[float, int]], begin: float = 0.0, end: float = UNTIL) -> float:
    return float(np.mean([n for t, n in samples if begin < t <= end + 1e-9]))
