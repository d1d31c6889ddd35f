"""Experiments with a table of their own: two bricks by name, equalities that start open, pendulums over 100 s."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import energy_runs as runs
import energy_scenes as es
from energy_groups import TIMES
from rigid import Scene

Part = Callable[[list[str], bool, bool], str]


def markdown(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(r) + " |" for r in rows)])


def joules(x: float) -> str:
    return f"{x:.3g}" if 1e-4 <= abs(x) < 1e4 else f"{x:.1e}" if x else "0"


def ended(run: runs.Run, text: str) -> str:
    return f"{text} ({run.stopped})" if run.stopped else text


def mujoco_runs(scene: Scene, quick: bool, until: float) -> dict[str, runs.Run]:
    import energy_mujoco as em

    model = em.model_of(scene)
    return {f"MuJoCo {name}": em.run(model, h, until) for name, h in TIMES.items() if not quick or name == "2 ms"}


def bricks(wanted: list[str], mujoco: bool, quick: bool) -> str:
    """The most energy in 5 s."""
    rows: dict[str, list[str]] = {}
    for made in es.BRICKS.values():
        found = {s: runs.stickslip(made.scene(), runs.SETTINGS[s], scale=made.scale, jerk=runs.JERK) for s in wanted}
        if mujoco:
            found |= mujoco_runs(made.scene(consistent=True), quick, runs.SECONDS)
        for name, run in found.items():
            rows.setdefault(name, [name]).append(ended(run, joules(run.most)))
    after = ", ".join(f"{made.energy():.3f} J" for made in es.BRICKS.values())
    head = ["", *(f"{name} [J]" for name in es.BRICKS)]
    return f"### Bricks on a rope: the most energy in 5 s, of {after} after the jerk at the start\n\n{markdown(head, list(rows.values()))}\n"


GAPS = tuple((kind, gap) for kind in ("ball", "distance", "weld") for gap in (0.03, 0.1))
CLOSED = 1.0  # s


def gaps(wanted: list[str], mujoco: bool, quick: bool) -> str:
    """On the way, and after."""
    rows: dict[str, list[str]] = {}
    cases = GAPS[:1] if quick else GAPS
    extra = {"anchored 0.1 ms": {"method": "anchored", "time_step": 1e-4}} if not quick and wanted else {}
    for kind, gap in cases:
        scene = es.gap_box(gap, kind)
        found = {s: runs.stickslip(scene, (runs.SETTINGS | extra)[s], CLOSED) for s in [*wanted, *extra]}
        if mujoco:
            found |= mujoco_runs(scene, quick, CLOSED)
        for name, run in found.items():
            rows.setdefault(name, [name]).append(ended(run, f"{joules(run.most)} / {run.fastest:.3g} / {joules(run.end)}"))
    head = ["", *(f"{kind}, {100 * gap:g} cm" for kind, gap in cases)]
    return (
        "### Equalities that start open, on a free box of 1 kg and 20 cm at rest\n\nThe most energy [J] / the fastest coordinate [m/s or rad/s] / the energy "
        f"that is left after {CLOSED:g} s [J].\n\n{markdown(head, list(rows.values()))}\n"
    )


PENDULUMS = {1: "capsule", 2: "two capsules"}
SWING = 100.0  # s


def pendulums(wanted: list[str], mujoco: bool, quick: bool) -> str:
    """How far the energy was off at worst, and what the run cost."""
    until = 10.0 if quick else SWING
    rows: dict[str, list[str]] = {}
    for links in PENDULUMS:
        scene = es.pendulum(links)
        lowest = -9.81 * sum(i + 0.5 for i in range(links))
        found: dict[str, Any] = {s: runs.stickslip(scene, runs.SETTINGS[s], until, most_steps=False) for s in wanted}
        if mujoco:
            found |= mujoco_runs(scene, quick, until)
        for name, run in found.items():
            whole = run.start - lowest
            cells = [f"{100 * (run.end - run.start) / whole:+.2g} %", f"{100 * (run.most - run.start) / whole:+.2g} %", f"{run.attempts}"]
            rows.setdefault(name, [name]).extend([ended(run, cells[0]), *cells[1:]])
    head = ["", *(f"{name}: {what}" for name in PENDULUMS.values() for what in ("end", "most", "steps tried"))]
    return (
        f"### Capsules of 1 m and 1 kg on hinges, let go at 1 rad: energy after {until:g} s, and the most, of what they have over hanging still\n\n"
        f"{markdown(head, list(rows.values()))}\n"
    )


PARTS: dict[str, Part] = {"bricks": bricks, "gaps": gaps, "pendulums": pendulums}
