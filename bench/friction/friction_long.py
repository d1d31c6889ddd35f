"""The claims of tests/test_anchored_friction.py over long times; each is a number that should be small."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import friction_scenes as fs
import numpy as np
import stickslip as ss
from friction_scenes import Options

HOUR = 3600.0


def simulator(text: str, options: Options) -> Any:
    return ss.Simulator(ss.from_string(text, format="yaml"), **options)


def positions(sim: Any) -> fs.Array:
    return np.array(sim.q).reshape(-1, 7)[:, :3]


def drift(sim: Any, begin: float, end: float, place: Callable[[], fs.Array]) -> float:
    """In micrometres."""
    sim.advance_to(begin)
    settled = place()
    sim.advance_to(end)
    return float(1e6 * np.abs(place() - settled).max())


def box_on_slope(options: Options, friction: float) -> float:
    sim = simulator(fs.slope(friction), options)
    return drift(sim, 1, 1 + HOUR, lambda: positions(sim))


def stack(options: Options) -> float:
    sim = simulator(fs.stack(), options)
    return drift(sim, 12, 12 + HOUR, lambda: positions(sim))


def ball(options: Options) -> float:
    """Part of the energy lost."""
    sim = simulator(fs.roll(0.0), options)
    start = sim.kinetic_energy
    sim.advance_to(60)
    return float(1 - sim.kinetic_energy / start)


def turntable(options: Options, spin: float) -> float:
    sim = simulator(fs.turntable(spin), options)
    return drift(sim, 1, 1 + 20 * 2 * pi / spin, lambda: fs.seen_from(sim, "table", "box0"))


def swing(options: Options) -> float:
    sim = simulator(fs.swing(), options)
    fs.put_in_hand(sim)
    return drift(sim, 2, 62, lambda: fs.seen_from(sim, "hand", "box0"))


def turning_load(options: Options) -> float:
    sim = simulator(fs.loaded(), options)
    sim.add(fs.rotating_load(0.8 * fs.LOADED_FRICTION * fs.G, 8.0))
    return drift(sim, 8, 88, lambda: positions(sim))


def pulsating_load(options: Options) -> float:
    sim = simulator(fs.loaded(), options)
    scale = 0.9 * fs.limit_load(1.0, 0.05)
    sim.add(fs.combined_load(scale, 0.05 * scale, 0.5))
    return drift(sim, 8, 108, lambda: positions(sim))


def measure(options: Options) -> dict[str, float]:
    return {
        "slope, mu 0.5, 1 h [um]": box_on_slope(options, 0.5),
        "slope, mu 1 % above tan 20, 1 h [um]": box_on_slope(options, 1.01 * fs.STEEPNESS),
        "stack of 10, 1 h [um]": stack(options),
        "rolling ball, 60 s: part of the energy lost": ball(options),
        **{f"turntable at {spin} rad/s, 20 turns [um]": turntable(options, spin) for spin in (1.0, 2.0, 3.0)},
        "swinging hand, 60 swings [um]": swing(options),
        "load that turns, 10 times [um]": turning_load(options),
        "force and torque at 90 %, 100 pulses [um]": pulsating_load(options),
    }
