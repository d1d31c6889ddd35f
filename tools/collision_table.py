#!/usr/bin/env python3
"""Writes docs/collision.md: for every pair of shapes, how exact, continuous and robust its contacts are.

Usage: .venv/bin/python tools/collision_table.py [--poses 100000] [--steps 1000] [--pairs box-box,capsule-box]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from oracles import collision_degenerate as degenerate  # noqa: E402
from oracles import collision_surfaces as surfaces  # noqa: E402
from oracles.collision_contacts import ContactVerdict, contact_failure, contact_verdict  # noqa: E402
from oracles.collision_manifolds import rest_failure  # noqa: E402
from oracles.collision_pairs import (  # noqa: E402
    NORMAL_TOLERANCE,
    PAIRS,
    SURFACE_PAIRS,
    distance_tolerance,
    exactness,
    random_poses,
    shapes_of,
)
from oracles.collision_sweep import JUMP, sweep, worst_jump  # noqa: E402
from oracles.shapes import SIDE_B, colliders_of  # noqa: E402
from stickslip import geometry  # noqa: E402

CHUNK = 2000  # poses a batch: what the search for a better direction keeps in memory
CONTACT_POSES = 20000  # at most: contacts are asked for one pose at a time
SURFACE_POSES = 500  # at most, of a surface of hundreds of triangles
SURFACE_STEPS = 60  # at most
Colliders = dict[str, geometry.Collider]
Pair = tuple[str, str]


@dataclass
class Totals:
    """Worst of all poses."""

    poses: int = 0
    distance: float = 0.0
    points: float = 0.0
    normal: float = 0.0
    wrong: int = 0  # poses beyond a tolerance
    coal: int = 0  # poses where Coal is proven wrong


def exact(pair: Pair, colliders: Colliders, count: int) -> Totals:
    a, b = shapes_of(pair)
    totals = Totals()
    for chunk, start in enumerate(range(0, count, CHUNK)):
        poses_a, poses_b = random_poses(pair, min(CHUNK, count - start), seed=chunk)
        answer = geometry.separation(colliders[a.name], colliders[b.name], poses_a, poses_b)
        found = exactness(a, b, poses_a, poses_b, (np.asarray(answer[0]), np.asarray(answer[1]), np.asarray(answer[2]), np.asarray(answer[3])))
        distance = np.nan_to_num(np.maximum(found.below, found.claim), nan=np.inf)
        points, normal = np.nan_to_num(found.points, nan=np.inf), np.nan_to_num(found.normal)
        limit = distance_tolerance(pair)
        totals.poses += len(poses_a)
        totals.distance = max(totals.distance, float(distance.max()))
        totals.points = max(totals.points, float(points.max()))
        totals.normal = max(totals.normal, float(normal.max()))
        totals.wrong += int(((distance > limit) | (points > limit) | (normal > NORMAL_TOLERANCE)).sum())
        totals.coal += 0 if a.kind == "half_space" else int((~(found.coal < 1e-5)).sum())
    return totals


def mark(text: str, passes: bool) -> str:
    return text if passes else f"**fails**: {text}"


def manifold_cell(pair: Pair, colliders: Colliders, verdict: ContactVerdict) -> str:
    a, b = shapes_of(pair)
    seen, right, wrong = rest_failure(pair, colliders[a.name], colliders[b.name])
    wrong = wrong or contact_failure(verdict)
    if verdict.deepest > 1e-9:
        wrong = wrong or f"deepest point off by {verdict.deepest:.0e}"
    return mark(f"{seen} of {right}" + (f", {wrong}" if wrong else ""), not wrong and seen == right)


def exact_cell(totals: Totals) -> str:
    text = f"{totals.distance:.0e}, {totals.normal:.0e} rad"
    return mark(text + (f", {totals.wrong} poses; points {totals.points:.0e}" if totals.wrong else ""), not totals.wrong)


def continuous_cell(pair: Pair, colliders: Colliders, steps: int) -> str:
    a, b = shapes_of(pair)
    jump = worst_jump(sweep(a, b, colliders[a.name], colliders[b.name], steps))
    return mark(f"{jump.size:.0e}" + (f" ({jump.path})" if jump.size >= JUMP else ""), jump.size < JUMP)


def degenerate_cell(pair: Pair, colliders: Colliders) -> str:
    cases = list(degenerate.cases_of(pair))
    if pair[1] == "convex_mesh":
        cases += [case for odd in degenerate.ODD_HULLS for case in degenerate.odd_hull_cases(pair[0], odd)]
    bad: dict[str, int] = {}
    for case in cases:
        if degenerate.failure(case, colliders[case.a.name], colliders[case.b.name]):
            bad[case.group] = bad.get(case.group, 0) + 1
    text = f"{len(cases) - sum(bad.values())} of {len(cases)}"
    return mark(text + "".join(f", {group} {count}" for group, count in bad.items()), not bad)


def row(pair: Pair, colliders: Colliders, poses: int, steps: int) -> tuple[str, Totals]:
    a, b = shapes_of(pair)
    totals = exact(pair, colliders, poses)
    verdict = contact_verdict(pair, colliders[a.name], colliders[b.name], min(poses, CONTACT_POSES))
    cells = [
        " / ".join(pair).replace("_", " "),
        manifold_cell(pair, colliders, verdict),
        exact_cell(totals),
        continuous_cell(pair, colliders, steps),
        degenerate_cell(pair, colliders),
    ]
    return "| " + " | ".join(cells) + " |", totals


def surface_manifold_cell(pair: Pair, colliders: Colliders, poses: int) -> str:
    b = SIDE_B[pair[1]]
    seen, right, wrong = rest_failure(("half_space", pair[1]), colliders[surfaces.FLOOR[pair[0]].name], colliders[b.name])
    verdict = surfaces.surface_contact_verdict(pair, colliders, poses)
    wrong = wrong or contact_failure(verdict)
    for floor in (surfaces.FLOOR[pair[0]], *surfaces.ODD_FLOORS[pair[0]]):
        wrong = wrong or surfaces.floor_failure(b, surfaces.floor_verdict(floor, b, colliders, poses))
    if verdict.deepest > 1e-9:
        wrong = wrong or f"deepest point off by {verdict.deepest:.0e}"
    if verdict.renamed > 0.02:
        wrong = wrong or f"{100 * verdict.renamed:.1f} % renamed"
    return mark(f"{seen} of {right}" + (f", {wrong}" if wrong else ""), not wrong and seen == right)


def surface_exact_cell(pair: Pair, colliders: Colliders, poses: int) -> str:
    b, totals = SIDE_B[pair[1]], Totals()
    depth = float(surfaces.floor_depth(pair[0], b, colliders, poses).max())
    disagree = 0
    for surface in surfaces.uneven(pair[0]):
        found, _, _ = surfaces.apart(surface, b, colliders, poses)
        distance, points, normal = (np.nan_to_num(x) for x in (found.distance, found.points, found.normal))
        limit = distance_tolerance(pair)
        totals.distance = max(totals.distance, float(distance.max()), depth)
        totals.points, totals.normal = max(totals.points, float(points.max())), max(totals.normal, float(normal.max()))
        totals.wrong += int(((distance > limit) | (points > limit) | (normal > NORMAL_TOLERANCE)).sum())
        disagree += int((np.abs(found.touching) > limit).sum())
    text = exact_cell(totals)
    return text + (f", {disagree} of them on the wrong side of touching" if disagree else "")


def surface_continuous_cell(pair: Pair, colliders: Colliders, steps: int) -> str:
    flat, bumps = surfaces.floor_jump(pair, colliders, steps), surfaces.bumps_jump(pair, colliders, steps)
    text = f"flat {flat.size:.0e}, bumps {bumps.size:.0e}"
    worst = max(flat, bumps, key=lambda jump: jump.size)
    return mark(text + (f" ({worst.path})" if worst.size >= JUMP else ""), worst.size < JUMP)


def surface_row(pair: Pair, colliders: Colliders, poses: int, steps: int) -> str:
    count, wrong = surfaces.surface_failures(pair, colliders)
    failed = sum(len(cases) for cases in wrong.values())
    text = f"{count - failed} of {count}" + "".join(f", {group} {len(cases)}" for group, cases in wrong.items())
    cells = [
        " / ".join(pair).replace("_", " "),
        surface_manifold_cell(pair, colliders, min(poses, SURFACE_POSES)),
        surface_exact_cell(pair, colliders, min(poses, SURFACE_POSES)),
        surface_continuous_cell(pair, colliders, min(steps, SURFACE_STEPS)),
        mark(text, not wrong),
    ]
    return "| " + " | ".join(cells) + " |"


def table(pairs: list[Pair], poses: int, steps: int) -> list[str]:
    rows, coal, asked = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        colliders = colliders_of([*degenerate.all_shapes(), *surfaces.surface_shapes()], Path(folder))
        for pair in pairs:
            if pair in SURFACE_PAIRS:
                rows.append(surface_row(pair, colliders, poses, steps))
                print(rows[-1], flush=True)
                continue
            text, totals = row(pair, colliders, poses, steps)
            print(text, flush=True)
            rows.append(text)
            coal += totals.coal
            asked += totals.poses if pair[0] != "half_space" else 0
    return [
        "# Contacts of every pair of shapes",
        "",
        f"Made by `tools/collision_table.py` from {poses} random poses a pair; `./test` asks the same of fewer poses.",
        "",
        "- *manifold*: most contact points of a resting face, edge or point, and the number that is right (at most 8). The",
        "  points span the contact area, their weights sum to one, and the deepest is as deep as the shapes overlap.",
        "- *exact*: largest error of the distance, relative to the size of the larger shape, and of the normal where only one",
        "  direction has that distance; shapes apart, in shallow and in deep overlap, half of them nearly aligned. A distance",
        "  is proven by support functions; Coal's and a search's directions are tried to refute it.",
        f"  Coal itself was proven wrong by more than 1e-5, or gave up, at {coal} of {asked} poses.",
        "- *continuous*: largest jump of the force along rolling, spinning, sliding, tilting and random paths, relative to the",
        "  force, that does not shrink with the step; where two separating axes have the same depth a jump is right and left out.",
        "- *degenerate*: touching, coincident, identical and contained shapes, sizes of 1e-4 m against 1e3 m, and hulls that",
        "  are a point, a needle, a sheet, or have duplicate vertices and divided faces: passed of those that apply.",
        "",
        f"Of triangle meshes and height fields at most {SURFACE_POSES} poses a surface:",
        "",
        "- *manifold*: on a flat floor of many triangles the points of the half-space, and its force, moment and normal to 1e-6,",
        "  also if triangles are doubled, have no area or share no vertex.",
        "- *exact*: bodies beside bumpy ground and a dented rock, against the nearest triangle, proven as above; the depth in a",
        "  flat floor. *On the wrong side of touching*: shapes apart that have contacts, or the other way round.",
        "- *continuous*: on a flat floor and on bumps of 5 cm every 30 cm.",
        "- *degenerate*: touching and deep at vertices, edges and cliffs, wholly below a terrain, bodies of 1e-4 m and of 1e3 m,",
        "  doubled triangles and ones without area, strips, a single cell.",
        "",
        "| pair | manifold | exact | continuous | degenerate |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=2000, help="random poses a pair")
    parser.add_argument("--steps", type=int, default=200, help="steps a path")
    parser.add_argument("--pairs", help="only these, by commas; printed, the page is not written")
    options = parser.parse_args()
    pairs = [*PAIRS, *SURFACE_PAIRS]
    if options.pairs:
        wanted = {tuple(name.split("-")) for name in options.pairs.split(",")}
        table([pair for pair in pairs if pair in wanted], options.poses, options.steps)
        return
    (ROOT / "docs" / "collision.md").write_text("\n".join(table(pairs, options.poses, options.steps)))


main()
