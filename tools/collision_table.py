#!/usr/bin/env python3
"""Writes docs/collision.md: for every pair of shapes, how exact, continuous and robust its contacts are.

Usage: .venv/bin/python tools/collision_table.py [--poses 100000] [--steps 1000] [--pairs box-box,capsule-box]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from oracles import collision_degenerate as degenerate  # noqa: E402
from oracles import collision_surfaces as surfaces  # noqa: E402
from oracles.collision_contacts import ContactVerdict, contact_failure, contact_verdict, merged  # noqa: E402
from oracles.collision_exactness import exactness  # noqa: E402
from oracles.collision_manifolds import rest_failure  # noqa: E402
from oracles.collision_pairs import (  # noqa: E402
    NORMAL_TOLERANCE,
    PAIRS,
    SURFACE_PAIRS,
    distance_tolerance,
    random_poses,
    shapes_of,
)
from oracles.collision_sweep import JUMP, sweep, worst_jump  # noqa: E402
from oracles.shapes import SIDE_B, Array, colliders_of  # noqa: E402
from stickslip import geometry  # noqa: E402

CHUNK = 2000  # poses a batch: what the search for a better direction keeps in memory
SEARCHED_POSES = 4000  # at most: of the others only those where Coal contradicts, twenty times as fast
SURFACE_STEPS = 60  # at most, of a surface of hundreds of triangles
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


def batches(count: int) -> Iterator[tuple[int, int]]:
    """Seeds and sizes: each batch has poses of its own."""
    return ((seed, min(CHUNK, count - start)) for seed, start in enumerate(range(0, count, CHUNK)))


def report(pair: Pair, seed: int, wrong: np.ndarray[Any, np.dtype[np.bool_]], *errors: Array) -> int:
    """The poses beyond a tolerance, to look at; and how many they are."""
    for i in np.flatnonzero(wrong):
        print("-".join(pair), f"seed {seed}, pose {i}:", *(f"{error[i]:.1e}" for error in errors), file=sys.stderr, flush=True)
    return int(wrong.sum())


def exact(pair: Pair, colliders: Colliders, count: int) -> Totals:
    a, b = shapes_of(pair)
    totals = Totals()
    for seed, size in batches(count):
        poses_a, poses_b = random_poses(pair, size, seed)
        answer = geometry.separation(colliders[a.name], colliders[b.name], poses_a, poses_b)
        answers = (np.asarray(answer[0]), np.asarray(answer[1]), np.asarray(answer[2]), np.asarray(answer[3]))
        found = exactness(a, b, poses_a, poses_b, answers, search_all=totals.poses < SEARCHED_POSES)
        distance = np.nan_to_num(np.maximum(found.below, found.claim), nan=np.inf)
        points, normal = np.nan_to_num(found.points, nan=np.inf), np.nan_to_num(found.normal)
        limit = distance_tolerance(pair)
        totals.poses += len(poses_a)
        totals.distance = max(totals.distance, float(distance.max()))
        totals.points = max(totals.points, float(points.max()))
        totals.normal = max(totals.normal, float(normal.max()))
        totals.wrong += report(pair, seed, (distance > limit) | (points > limit) | (normal > NORMAL_TOLERANCE), distance, points, normal)
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
    verdict = merged([contact_verdict(pair, colliders[a.name], colliders[b.name], size, seed + 1) for seed, size in batches(poses)])
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
    verdict = merged([surfaces.surface_contact_verdict(pair, colliders, size, seed + 1) for seed, size in batches(poses)])
    wrong = wrong or contact_failure(verdict)
    for floor in (surfaces.FLOOR[pair[0]], *surfaces.ODD_FLOORS[pair[0]]):
        for seed, size in batches(poses):
            found = surfaces.floor_verdict(floor, b, colliders, size, seed)
            if failed := surfaces.floor_failure(b, found):
                print(floor.name, b.name, f"seed {seed}: {failed} at", found.worst, file=sys.stderr, flush=True)
            wrong = wrong or failed
    if verdict.deepest > 1e-9:
        wrong = wrong or f"deepest point off by {verdict.deepest:.0e}"
    if verdict.renamed > 0.02:
        wrong = wrong or f"{100 * verdict.renamed:.1f} % renamed"
    return mark(f"{seen} of {right}" + (f", {wrong}" if wrong else ""), not wrong and seen == right)


def surface_exact_cell(pair: Pair, colliders: Colliders, poses: int) -> str:
    b, totals, limit, disagree = SIDE_B[pair[1]], Totals(), distance_tolerance(pair), 0
    for seed, size in batches(poses):
        depth = surfaces.floor_depth(pair[0], b, colliders, size, seed)
        totals.distance = max(totals.distance, float(depth.max()))
        totals.wrong += report((surfaces.FLOOR[pair[0]].name, pair[1]), seed, depth > limit, depth)
        for surface in surfaces.uneven(pair[0]):
            found, _, _ = surfaces.apart(surface, b, colliders, size, seed)
            distance, points, normal = (np.nan_to_num(x) for x in (found.distance, found.points, found.normal))
            totals.distance = max(totals.distance, float(distance.max()))
            totals.points, totals.normal = max(totals.points, float(points.max())), max(totals.normal, float(normal.max()))
            wrong = (distance > limit) | (points > limit) | (normal > NORMAL_TOLERANCE)
            totals.wrong += report((surface.name, pair[1]), seed, wrong, distance, points, normal)
            disagree += report((surface.name, pair[1]), seed, np.abs(found.touching) > limit, found.touching)
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
        surface_manifold_cell(pair, colliders, poses),
        surface_exact_cell(pair, colliders, poses),
        surface_continuous_cell(pair, colliders, min(steps, SURFACE_STEPS)),
        mark(text, not wrong),
    ]
    return "| " + " | ".join(cells) + " |"


def rows_of(pairs: list[Pair], poses: int, steps: int) -> tuple[list[str], Totals]:
    """Printed as they are made, surfaces first since most can go wrong there; returned in the order of the pairs."""
    rows, sum_of_all = {}, Totals()
    with tempfile.TemporaryDirectory() as folder:
        colliders = colliders_of([*degenerate.all_shapes(), *surfaces.surface_shapes()], Path(folder))
        for pair in sorted(pairs, key=lambda pair: pair not in SURFACE_PAIRS):
            if pair in SURFACE_PAIRS:
                rows[pair] = surface_row(pair, colliders, poses, steps)
            else:
                rows[pair], totals = row(pair, colliders, poses, steps)
                sum_of_all.coal += totals.coal
                sum_of_all.poses += totals.poses if pair[0] != "half_space" else 0
            print(rows[pair], flush=True)
    return [rows[pair] for pair in pairs], sum_of_all


def table(pairs: list[Pair], poses: int, steps: int) -> list[str]:
    rows, totals = rows_of(pairs, poses, steps)
    return [
        "# Contacts of every pair of shapes",
        "",
        f"Made by `tools/collision_table.py --poses {poses} --steps {steps}`: {poses} random poses a pair and {steps} steps a path;",
        "`./test` asks the same of fewer poses.",
        "",
        "- *manifold*: most contact points of a resting face, edge or point, and the number that is right (at most 8). The",
        "  points span the contact area, their weights sum to one, and the deepest is as deep as the shapes overlap.",
        "- *exact*: largest error of the distance, relative to the size of the larger shape, and of the normal where only one",
        "  direction has that distance; shapes apart, in shallow and in deep overlap, half of them nearly aligned. A distance",
        f"  is proven by support functions; Coal's direction is tried to refute it at every pose, those of a search at {SEARCHED_POSES}",
        "  and wherever Coal's distance differs by 1e-7 or its normal by 1e-4 rad; scipy's minimum settles disputes.",
        f"  Coal itself was proven wrong by more than 1e-5, or gave up, at {totals.coal} of {totals.poses} poses.",
        "- *continuous*: largest jump of the force along rolling, spinning, sliding, tilting and random paths, relative to the",
        "  force, that does not shrink with the step; where two separating axes have the same depth a jump is right and left out.",
        "- *degenerate*: touching, coincident, identical and contained shapes, sizes of 1e-4 m against 1e3 m, and hulls that",
        "  are a point, a needle, a sheet, or have duplicate vertices and divided faces: passed of those that apply.",
        "",
        f"Of triangle meshes and height fields, with {min(steps, SURFACE_STEPS)} steps a path:",
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
