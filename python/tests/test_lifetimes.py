"""Simulators that their own controllers know are freed, whatever way they know them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import numpy as np
import pytest

import stickslip as ss

SCENE = """
gravity: [0, 0, 0]
bodies: [{name: mass, mass: 2, inertia: {ixx: 1, iyy: 1, izz: 1}}]
joints: [{name: slide, type: prismatic, child: mass, axis: [1, 0, 0], position: 0.4, velocity: -1.5}]
"""


@pytest.fixture
def model() -> ss.Model:
    return ss.from_string(SCENE)


class Canary:
    """Dies with the function that holds it."""


def controller(*held: object) -> tuple[Callable[..., list[float]], weakref.ref[Canary]]:
    canary = Canary()

    def control(t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray | None = None) -> list[float]:
        return [0.0 * len((held, canary.__class__.__name__))]

    return control, weakref.ref(canary)


def by_itself(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim)
    sim.add(ss.System(output=control))
    return canary


def sampled(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim)
    sim.add(ss.Sampled(100, control))
    return canary


def by_its_derivative(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim)
    sim.add(ss.System(1, derivative=control, jacobians=lambda t, q, v, z: {"h_z": [[0.0 * sim.time]]}))
    return canary


def by_a_body(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim.body("mass"))
    sim.add(ss.System(output=control))
    return canary


def by_a_joint(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim.joint("slide"))
    sim.add(ss.System(output=control))
    return canary


def by_views(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim.q, sim.joint("slide").v, sim.z)
    sim.add(ss.System(output=control))
    return canary


def by_two_systems(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim)
    sim.add(ss.System(output=control))
    sim.add(ss.Sampled(100, control))
    return canary


def with_a_copy(sim: ss.Simulator) -> weakref.ref[Canary]:
    held: list[ss.Simulator] = [sim]
    control, canary = controller(held)
    sim.add(ss.System(output=control))
    held.append(sim.copy())
    return canary


def with_a_system_of_two(sim: ss.Simulator) -> weakref.ref[Canary]:
    other = ss.Simulator(sim.model)
    control, canary = controller(sim, other)
    system = ss.System(output=control)
    sim.add(system)
    other.add(system)
    return canary


def with_a_saved_state_and_report(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim, sim.state, sim.report, sim.model)
    sim.add(ss.System(output=control))
    return canary


def after_an_error(sim: ss.Simulator) -> weakref.ref[Canary]:
    control, canary = controller(sim)

    def fail(*numbers: object) -> list[float]:
        control(0.0, np.zeros(1), np.zeros(1))
        raise ArithmeticError

    sim.add(ss.System(output=fail))
    with pytest.raises(ArithmeticError):
        sim.step()
    return canary


class Robot(ss.Simulator):
    def control(self, t: float, q: np.ndarray, v: np.ndarray) -> list[float]:
        return [0.0 * self.time]


def as_a_class_of_its_own(sim: ss.Simulator) -> weakref.ref[Canary]:
    robot = Robot(sim.model)
    robot.canary = Canary()  # type: ignore[attr-defined]
    robot.add(ss.Sampled(100, robot.control))
    robot.advance_to(0.02)
    return weakref.ref(robot.canary)  # type: ignore[attr-defined]


WAYS = [
    by_itself, sampled, by_its_derivative, by_a_body, by_a_joint, by_views, by_two_systems, with_a_copy, with_a_system_of_two,
    with_a_saved_state_and_report, after_an_error, as_a_class_of_its_own,
]  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"time_step": 0.01}, {"method": "rk4", "time_step": 0.01}], ids=["cenic", "anchored", "rk4"])
@pytest.mark.parametrize("way", WAYS)
def test_a_simulator_that_its_controller_holds_is_freed(model: ss.Model, way: Callable[[ss.Simulator], weakref.ref[Canary]], options: dict[str, object]) -> None:
    canaries = [way(ss.Simulator(model, **options)) for _ in range(10)]
    gc.collect()
    assert sum(canary() is not None for canary in canaries) == 0


def test_a_copy_keeps_its_controller_when_the_first_is_gone(model: ss.Model) -> None:
    def twin() -> tuple[ss.Simulator, weakref.ref[Canary]]:
        sim = ss.Simulator(model, time_step=0.01)
        control, canary = controller(sim)
        sim.add(ss.System(output=control))
        return sim.copy(), canary

    other, canary = twin()
    gc.collect()
    assert canary() is not None
    other.step()
    del other
    gc.collect()
    assert canary() is None


def test_views_outlive_their_simulator(model: ss.Model) -> None:
    sim = ss.Simulator(model)
    old = sim.z
    sim.add(ss.System(1, lambda *x: [0.0], z0=[3]))
    q, z = sim.q, sim.z
    sim.add(ss.System(1, lambda *x: [0.0], z0=[4]))
    del sim
    gc.collect()
    junk = [np.full(3, 7.0) for _ in range(1000)]  # takes memory that is free
    assert q[0] == 0.4 and z[0] == 3 and old.size == 0 and junk


def test_parts_keep_their_simulator(model: ss.Model) -> None:
    body = ss.Simulator(model).body("mass")
    gc.collect()
    assert body.position[0] == 0.4
