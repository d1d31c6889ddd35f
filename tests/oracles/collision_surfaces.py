"""Triangle meshes and height fields against convex bodies.

A flat floor, however it is divided into triangles, has to push like a half-space. The distance from other ground is
proven triangle by triangle: every direction gives a lower bound of the distance of a triangle and a body, the smallest
over all triangles is one of the surface, and points on both that are as far apart make it an upper bound too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stickslip import geometry

from .collision_contacts import ContactVerdict, nudged
from .collision_degenerate import AXES, HUGE, TINY, TURNS, Case, failure, pose, touching
from .collision_manifolds import MOST_POINTS
from .collision_pairs import HALF_SPACE, Mask, bound, gap, in_frame, poses, quarter_turns, random_poses, random_rotations
from .collision_sweep import WORST_OF_A_PATH, Jump, sweep, worst_jump
from .shapes import SIDE_B, Array, Shape, flat_hull

Pair = tuple[str, str]
Colliders = dict[str, geometry.Collider]

SURFACE_KINDS = ("triangle_mesh", "height_field")
ARRIVED = 1e-7  # of the body: as good as touching, a hundredth of the least distance or depth that is added
FLOOR_TOLERANCE = 1e-6  # of the force: a floor of triangles against a half-space


# ---- Surfaces ----


def _surface(name: str, kind: str, written: str, vertices: Array, triangles: list[tuple[int, int, int]]) -> Shape:
    """Its radius is 0, so that the body is the scale. No surface is convex: there is no support function."""
    nothing = HALF_SPACE.support
    return Shape(name, kind, written, 0.0, nothing, nothing, (), vertices, tuple(triangles))


def _cells(count: int, mirrored: Mask) -> list[tuple[int, int, int]]:
    """Two triangles a cell of count x count; the vertices are in rows. Where mirrored, divided by the other diagonal."""
    triangles = []
    for row in range(count):
        for column in range(count):
            a = row * (count + 1) + column
            b, c, d = a + 1, a + count + 1, a + count + 2
            triangles += [(a, b, c), (b, d, c)] if mirrored[row, column] else [(a, b, d), (a, d, c)]
    return triangles


def _grid(heights: Array, side: float) -> Array:
    line = np.linspace(-side / 2, side / 2, len(heights))
    x, y = np.meshgrid(line, line)
    return np.column_stack([x.ravel(), y.ravel(), heights.ravel()])


def field(name: str, heights: Array, side: float, thickness: float = 0.5) -> Shape:
    count = len(heights) - 1
    written = f"height_field: {{size: [{side!r}, {side!r}], thickness: {thickness!r}, heights: {heights.tolist()!r}}}"
    return _surface(name, "height_field", written, _grid(heights, side), _cells(count, np.zeros((count, count), dtype=bool)))


def mesh(name: str, vertices: Array, triangles: list[tuple[int, int, int]]) -> Shape:
    return _surface(name, "triangle_mesh", f"mesh: {{file: {name}.obj, convex: false}}", vertices, triangles)


def uneven_mesh(name: str, heights: Array, side: float, seed: int = 0) -> Shape:
    """A grid whose inner vertices are off and whose cells are divided either way."""
    random = np.random.default_rng(seed)
    count = len(heights) - 1
    vertices = _grid(heights, side).reshape(count + 1, count + 1, 3)
    vertices[1:-1, 1:-1, :2] += random.uniform(-0.25, 0.25, size=(count - 1, count - 1, 2)) * side / count
    return mesh(name, vertices.reshape(-1, 3), _cells(count, random.random((count, count)) < 0.5))


def _rock(name: str) -> Shape:
    """A closed surface with dents: an octahedron divided twice, every vertex at its own radius."""
    corners = [np.array(v, dtype=float) for v in ((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
    triangles = [(i, (i + 1) % 4, 4) for i in range(4)] + [((i + 1) % 4, i, 5) for i in range(4)]
    for _ in range(2):
        middles: dict[tuple[int, int], int] = {}
        finer = []
        for triangle in triangles:
            m = []
            for i, j in zip(triangle, triangle[1:] + triangle[:1], strict=True):
                key = (min(i, j), max(i, j))
                if key not in middles:
                    middles[key] = len(corners)
                    middle = corners[i] + corners[j]
                    corners.append(middle / np.linalg.norm(middle))
                m.append(middles[key])
            a, b, c = triangle
            finer += [(a, m[0], m[2]), (m[0], b, m[1]), (m[2], m[1], c), (m[0], m[1], m[2])]
        triangles = finer
    radii = np.random.default_rng(7).uniform(0.7, 1.0, size=(len(corners), 1))
    return mesh(name, np.array(corners) * radii, triangles)


def _soup(name: str, side: float) -> Shape:
    """A flat floor without a common vertex, and between its triangles copies, needles and points of them."""
    whole = uneven_mesh("", np.zeros((13, 13)), side, seed=3)
    vertices: list[Array] = []
    triangles: list[tuple[int, int, int]] = []
    for n, t in enumerate(whole.triangles):
        a, b, c = whole.vertices[list(t)]
        extra = [[a, b, c]] * (n % 3 == 0) + [[b, c, a]] * (n % 4 == 0)  # twice or three times
        extra += [[a, (a + b) / 2, b]] * (n % 5 == 0) + [[a, a, c]] * (n % 7 == 0) + [[b, b, b]] * (n % 11 == 0)
        for corners in [[a, b, c], *extra]:
            triangles.append((len(vertices), len(vertices) + 1, len(vertices) + 2))
            vertices += corners
    return mesh(name, np.array(vertices), triangles)


def _slivers(name: str, side: float) -> Shape:
    """A flat floor of strips ten thousand times as long as wide."""
    x = np.concatenate([[-side / 2], np.linspace(-0.003, 0.003, 11), [side / 2]])
    vertices = np.array([[u, v, 0.0] for u in x for v in (-side / 2, side / 2)])
    triangles = [t for i in range(0, 2 * len(x) - 2, 2) for t in ((i, i + 2, i + 3), (i, i + 3, i + 1))]
    return mesh(name, vertices, triangles)


FLOOR_CELLS, FLOOR_SIDE = 24, 6.0
BUMPS_CELLS, BUMPS_SIDE, BUMPS_HEIGHT = 10, 3.0, 0.05
_FLAT = np.zeros((FLOOR_CELLS + 1, FLOOR_CELLS + 1))
_BUMPS = np.random.default_rng(1).uniform(-BUMPS_HEIGHT / 2, BUMPS_HEIGHT / 2, size=(BUMPS_CELLS + 1, BUMPS_CELLS + 1))
_CLIFF = np.where(np.arange(9) < 4, 0.0, 2.0)[None].repeat(9, axis=0)

FLOOR = {"triangle_mesh": uneven_mesh("floor_mesh", _FLAT, FLOOR_SIDE), "height_field": field("floor_field", _FLAT, FLOOR_SIDE)}
WIDE = {
    "triangle_mesh": uneven_mesh("wide_mesh", _FLAT, 1e3 * FLOOR_SIDE),
    "height_field": field("wide_field", _FLAT, 1e3 * FLOOR_SIDE),
}
BUMPS = {"triangle_mesh": uneven_mesh("bumps_mesh", _BUMPS, BUMPS_SIDE), "height_field": field("bumps_field", _BUMPS, BUMPS_SIDE)}
ROCK = _rock("rock_mesh")
ODD_FLOORS = {
    "triangle_mesh": [_soup("soup_mesh", 4.0), _slivers("slivers_mesh", 6.0)],
    "height_field": [field("cell_field", np.zeros((2, 2)), 6.0), field("sheet_field", np.zeros((5, 5)), 4.0, 1e-3)],
}
CLIFF = {"triangle_mesh": uneven_mesh("cliff_mesh", _CLIFF, 4.0), "height_field": field("cliff_field", _CLIFF, 4.0)}


def uneven(kind: str) -> list[Shape]:
    return [BUMPS[kind], ROCK] if kind == "triangle_mesh" else [BUMPS[kind]]


def sheets(surface: Shape) -> list[Shape]:
    return [flat_hull(f"{surface.name}_{i}", surface.vertices[list(t)], [(0, 1, 2)]) for i, t in enumerate(surface.triangles)]


def surface_shapes() -> list[Shape]:
    every = [ROCK]
    for kind in SURFACE_KINDS:
        every += [FLOOR[kind], WIDE[kind], BUMPS[kind], CLIFF[kind], *ODD_FLOORS[kind]]
    return every + [sheet for kind in SURFACE_KINDS for surface in uneven(kind) for sheet in sheets(surface)]


# ---- Poses ----


def _random_turns(random: np.random.Generator, count: int) -> Array:
    """The second half nearly aligned with the axes."""
    return np.concatenate([random_rotations(random, count - count // 2), quarter_turns(random, count // 2, 1.0)])


def _approach(surface: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, count: int, seed: int) -> tuple[Array, Array, Array]:
    """Poses of B in the surface's frame just before it touches, the direction away, and turns of everything."""
    random = np.random.default_rng(seed)
    R = _random_turns(random, count)
    if surface is ROCK:
        u = random.normal(size=(count, 3))
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        start = u * (1 + b.radius)
    else:
        u = np.repeat([[0.0, 0.0, 1.0]], count, axis=0)
        start = np.column_stack([random.uniform(-1, 1, size=(count, 2)) * (BUMPS_SIDE / 2 - b.radius), np.full(count, 0.1 + b.radius)])
    placed = poses(R, start)
    still = np.arange(count)
    for _ in range(12):  # never too far: no point moves farther than the shapes are apart
        distance = np.asarray(geometry.separation(ca, cb, np.eye(4), placed[still])[0])
        placed[still, :3, 3] -= np.maximum(distance, 0)[:, None] * u[still]
        still = still[distance > ARRIVED * b.radius]
        if not len(still):
            break
    return placed, u, random_rotations(random, count)


def _everywhere(turns: Array, placed: Array) -> tuple[Array, Array]:
    poses_a = poses(turns, np.tile([0.3, -0.2, 0.5], (len(turns), 1)))
    return poses_a, np.asarray(poses_a @ placed)


def apart_poses(surface: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, count: int, seed: int = 0) -> tuple[Array, Array]:
    placed, u, turns = _approach(surface, b, ca, cb, count, seed)
    random = np.random.default_rng(seed + 1)
    away = np.where(random.random(count) < 0.5, random.uniform(0, 1, count), 10 ** random.uniform(-5, -1, count)) * b.radius
    placed[:, :3, 3] += away[:, None] * u
    return _everywhere(turns, placed)


def shallow_poses(surface: Shape, b: Shape, ca: geometry.Collider, cb: geometry.Collider, count: int, seed: int = 0) -> tuple[Array, Array]:
    placed, u, turns = _approach(surface, b, ca, cb, count, seed)
    depth = 10 ** np.random.default_rng(seed + 1).uniform(-5, -2, count) * b.radius
    placed[:, :3, 3] -= depth[:, None] * u
    return _everywhere(turns, placed)


# ---- Exact ----


@dataclass
class SurfaceExactness:
    """Errors relative to the body's size; one number a pose."""

    distance: Array
    points: Array  # off the surface, off the body, or not `distance` apart along the normal
    normal: Array  # [rad] from the best direction; NaN where another triangle is as near
    touching: Array  # signed: how far apart shapes are that are said to overlap, or how deep the others overlap; else 0


def _from_triangle(corners: Array, x: Array) -> Array:
    """Distances of points (n, 3) from a triangle."""
    a, b, c = corners
    to_edges = []
    for p, q in ((a, b), (b, c), (c, a)):
        t = np.clip((x - p) @ (q - p) / ((q - p) @ (q - p)), 0, 1)
        to_edges.append(np.linalg.norm(x - p - t[:, None] * (q - p), axis=1))
    n = np.cross(b - a, c - a)
    over = np.logical_and.reduce([np.cross(q - p, x - p) @ n >= 0 for p, q in ((a, b), (b, c), (c, a))])
    return np.asarray(np.where(over, np.abs((x - a) @ n) / np.linalg.norm(n), np.minimum.reduce(to_edges)))


def apart(surface: Shape, b: Shape, colliders: Colliders, count: int, seed: int = 0) -> tuple[SurfaceExactness, Array, Array]:
    """Of bodies beside the surface, and their poses."""
    ca, cb = colliders[surface.name], colliders[b.name]
    poses_a, poses_b = apart_poses(surface, b, ca, cb, count, seed)
    distance, normal, point_a, point_b = (np.asarray(x) for x in geometry.separation(ca, cb, poses_a, poses_b))
    local_a = in_frame(poses_a, point_a)
    centre = in_frame(poses_a, poses_b[:, :3, 3])
    lower, second, off = np.full(count, np.inf), np.full(count, np.inf), np.full(count, np.inf)
    best = np.full((count, 3), np.nan)
    for sheet in sheets(surface):
        middle = sheet.vertices.mean(axis=0)
        far = np.linalg.norm(centre - middle, axis=1) - np.linalg.norm(sheet.vertices - middle, axis=1).max() - b.radius
        near = np.flatnonzero(far < distance + 1e-3 * b.radius)  # no farther triangle has the nearest point, nor the claimed one
        value, direction = far.copy(), np.full((count, 3), np.nan)
        if len(near):
            off[near] = np.minimum(off[near], _from_triangle(sheet.vertices, local_a[near]))
            direction[near] = np.asarray(geometry.separation(colliders[sheet.name], cb, poses_a[near], poses_b[near])[1])
            value[near] = bound(sheet, b, poses_a[near], poses_b[near], direction[near][:, None])[:, 0]
        nearer = value < lower
        other = ~(gap(direction, best) < 1e-6)
        second = np.where(nearer, np.where(other, lower, second), np.where(other, np.minimum(second, value), second))
        best = np.where(nearer[:, None], direction, best)
        lower = np.minimum(lower, value)
    points = np.maximum.reduce([
        off, np.abs(b.excess(in_frame(poses_b, point_b))), np.linalg.norm(point_b - point_a - distance[:, None] * normal, axis=1),
    ])  # fmt: skip
    sharp = (second > lower + 1e-6 * b.radius) & (lower > 1e-3 * b.radius)
    touching = np.where((distance > 0) != (lower > 0), lower / b.radius, 0.0)
    found = SurfaceExactness(np.abs(distance - lower) / b.radius, points / b.radius, np.where(sharp, gap(normal, best), np.nan), touching)
    for error in (found.distance, found.points, found.normal):
        error[lower <= 0] = np.nan  # not what was wanted: the depth is another
    return found, poses_a, poses_b


def floor_depth(kind: str, b: Shape, colliders: Colliders, count: int, seed: int = 0) -> Array:
    """Errors of the depth on a flat floor, in shallow overlap, relative to the body's size."""
    poses_a, poses_b, depth = _floor_poses(b, count, seed)
    distance, normal, _, _ = (np.asarray(x) for x in geometry.separation(colliders[FLOOR[kind].name], colliders[b.name], poses_a, poses_b))
    return np.asarray(np.maximum(np.abs(distance - depth) / b.radius, gap(normal, poses_a[:, :3, 2])))


# ---- Manifold ----


def _floor_poses(b: Shape, count: int, seed: int) -> tuple[Array, Array, Array]:
    """In overlap with a half-space by up to a tenth of the body, and the distances."""
    poses_a, poses_b = random_poses(("half_space", b.kind), count, seed)
    depth = bound(HALF_SPACE, b, poses_a, poses_b, poses_a[:, None, :3, 2])[:, 0]
    kept = (depth < 0) & (depth > -0.1 * b.radius)
    return poses_a[kept], poses_b[kept], depth[kept]


@dataclass
class FloorVerdict:
    """A floor of triangles against a half-space, relative to the force."""

    force: float = 0.0
    moment: float = 0.0  # about the body's origin, over its radius
    normal: float = 0.0  # the largest difference of any contact's normal
    weights: float = 0.0  # their sum - 1, when none is out of reach
    worst: str = ""


def _push(a: geometry.Collider, b: geometry.Collider, pose_a: Array, pose_b: Array) -> tuple[Array, Array, Array]:
    """Force and moment about B's origin of unit springs, and the normals."""
    points, normals, distances, weights, _ = (np.asarray(x) for x in geometry.contacts(a, b, pose_a, pose_b))
    forces = (weights * np.maximum(-distances, 0))[:, None] * normals
    return forces.sum(axis=0), np.cross(points - pose_b[:3, 3], forces).sum(axis=0), normals


def floor_verdict(floor: Shape, b: Shape, colliders: Colliders, count: int, seed: int = 0) -> FloorVerdict:
    verdict = FloorVerdict()
    plane, ca, cb = colliders[HALF_SPACE.name], colliders[floor.name], colliders[b.name]
    for pose_a, pose_b, _ in zip(*_floor_poses(b, count, seed), strict=True):
        force, moment, _ = _push(plane, cb, pose_a, pose_b)
        found, turning, normals = _push(ca, cb, pose_a, pose_b)
        size = float(np.linalg.norm(force))
        off = float(np.linalg.norm(found - force)) / size
        turn = float(np.linalg.norm(turning - moment)) / (size * b.radius)
        if max(off, turn) > max(verdict.force, verdict.moment):
            verdict.worst = repr((np.linalg.inv(pose_a) @ pose_b)[:3].tolist())
        verdict.force, verdict.moment = max(verdict.force, off), max(verdict.moment, turn)
        weights = np.asarray(geometry.contacts(ca, cb, pose_a, pose_b, 3 * b.radius)[3])
        verdict.weights = max(verdict.weights, abs(float(weights.sum()) - 1))
        verdict.normal = max(verdict.normal, float(np.abs(normals - pose_a[:3, 2]).max(initial=0 if len(normals) else np.inf)))
    return verdict


def floor_failure(b: Shape, verdict: FloorVerdict) -> str:
    limit = FLOOR_TOLERANCE
    if verdict.normal > 1e-9:
        return f"normal off by {verdict.normal:.0e}"
    if verdict.weights > 1e-9:
        return f"weights sum to 1 +- {verdict.weights:.0e}"
    if verdict.force > limit or verdict.moment > limit:
        return f"force off by {verdict.force:.0e}, moment by {verdict.moment:.0e}"
    return ""


def surface_contact_verdict(pair: Pair, colliders: Colliders, count: int, seed: int = 1) -> ContactVerdict:
    """On uneven ground in shallow overlap; half of the poses are aligned and not asked for the names of features."""
    b, verdict, renamed, compared = SIDE_B[pair[1]], ContactVerdict(), 0, 0
    for surface in uneven(pair[0]):
        ca, cb = colliders[surface.name], colliders[b.name]
        poses_a, poses_b = shallow_poses(surface, b, ca, cb, count, seed)
        distance = np.asarray(geometry.separation(ca, cb, poses_a, poses_b)[0])
        again = nudged(poses_b, b.radius, seed)
        for i in range(count):
            points, normals, distances, weights, features = geometry.contacts(ca, cb, poses_a[i], poses_b[i])
            normals, distances, weights = np.asarray(normals), np.asarray(distances), np.asarray(weights)
            if (len(points) > 0) != (distance[i] <= 0) and abs(distance[i]) > 1e-9 * b.radius:
                verdict.missing += 1
            if not len(points):
                continue
            same = np.abs(normals[:, None] - normals[None]).max(axis=2) < 1e-9
            verdict.most = max(verdict.most, int(same.sum(axis=1).max()))
            verdict.weight_sum = max(verdict.weight_sum, float((same @ weights).max()) - 1)
            verdict.least_weight = min(verdict.least_weight, float(weights.min()))
            off = abs(float(distances.min()) - float(distance[i])) / b.radius
            if off > verdict.deepest:
                verdict.deepest, verdict.worst_pose = off, i
            if i < count - count // 2:
                compared += 1
                renamed += sorted(geometry.contacts(ca, cb, poses_a[i], again[i])[4]) != sorted(features)
    verdict.renamed = renamed / max(compared, 1)
    return verdict


# ---- Continuous ----


def floor_jump(pair: Pair, colliders: Colliders, steps: int, places: int = WORST_OF_A_PATH) -> Jump:
    """Along the half-space's paths, and sliding over edges and vertices."""
    b = SIDE_B[pair[1]]
    return worst_jump(sweep(HALF_SPACE, b, colliders[FLOOR[pair[0]].name], colliders[b.name], steps, slides=True, places=places))


def bumps_jump(pair: Pair, colliders: Colliders, steps: int, places: int = WORST_OF_A_PATH) -> Jump:
    b = SIDE_B[pair[1]]
    return worst_jump(sweep(HALF_SPACE, b, colliders[BUMPS[pair[0]].name], colliders[b.name], steps, slides=True, places=places))


# ---- Degenerate ----


PLACES = {"vertex": (0.0, 0.0), "edge": (0.125, 0.0), "diagonal": (0.1, 0.1), "inside": (0.15, 0.05)}  # of the regular grid


def _on_floor(b: Shape, turn: str, place: tuple[float, float], distance: float = 0.0) -> tuple[Array, Array]:
    """The body's lowest point, or the middle of what is lowest, at a place of the floor."""
    pose_a, pose_b = touching(HALF_SPACE, b, np.asarray(TURNS[turn], dtype=float), np.array(AXES["z"], dtype=float), distance)
    pose_b[:2, 3] += place
    return pose_a, pose_b


def _height(b: Shape, turn: str) -> float:
    up = pose(TURNS[turn])[2, :3]
    return float(b.support(up) + b.support(-up))


def flat_cases(pair: Pair) -> Iterator[Case]:
    """On floors that are flat: the distance is known."""
    floor, b = FLOOR[pair[0]], SIDE_B[pair[1]]
    for turn in TURNS:
        for name, place in PLACES.items():
            yield Case("touching", f"{turn}, {name}", floor, b, *_on_floor(b, turn, place), 0.0)
        for share in (0.3, 0.5):
            depth = share * _height(b, turn)
            yield Case("deep", f"{turn}, {share}", floor, b, *_on_floor(b, turn, (0.03, 0.04), -depth), -depth)
    for odd in ODD_FLOORS[pair[0]]:
        for turn in TURNS:
            for depth in (-0.1, 0.0, 1e-3):
                yield Case("odd triangles", f"{odd.name}, {turn}, {depth}", odd, b, *_on_floor(b, turn, (0.01, 0.02), -depth), -depth)
    for which, ground, body in (("small", WIDE[pair[0]], TINY[pair[1]]), ("large", floor, HUGE[pair[1]])):
        small = body.radius if which == "small" else FLOOR_SIDE / FLOOR_CELLS
        for depth in (-0.5, 0.2 if which == "small" else 1e-3):
            placed = _on_floor(body, "corner", (0.0, 0.0), -depth * small)
            yield Case("size ratio", f"{which}, {depth:+}", ground, body, *placed, -depth * small, scale=small * 1e4)


def rough_cases(pair: Pair) -> Iterator[Case]:
    """Where the distance has no closed form: only that there is an answer, and which way it pushes."""
    b = SIDE_B[pair[1]]
    for ground, where in ((BUMPS[pair[0]], (0.0, 0.15, -0.4)), (CLIFF[pair[0]], (-0.6, -0.5, -0.45))):
        for turn in TURNS:
            for place in zip(where, (0.0, 0.0, 0.3), strict=True):
                for share in (0.3, 0.8):
                    pose_a, pose_b = _on_floor(b, turn, place, -share * _height(b, turn))
                    yield Case("deep", f"{ground.name}, {turn}, {place}, {share}", ground, b, pose_a, pose_b)
    if pair[0] == "height_field":
        for ground in (FLOOR[pair[0]], BUMPS[pair[0]], CLIFF[pair[0]]):
            for turn in TURNS:
                for depth in (2.2, 10.0):
                    below = pose(TURNS[turn], (0.1, 0.05, -depth * b.radius))
                    yield Case("below", f"{ground.name}, {turn}, {depth}", ground, b, pose(), below)


def rough_failure(case: Case, a: geometry.Collider, b: geometry.Collider) -> str:
    distance, normal, point_a, point_b = (np.asarray(x) for x in geometry.separation(a, b, case.pose_a, case.pose_b))
    found = [np.asarray(x) for x in geometry.contacts(a, b, case.pose_a, case.pose_b)[:4]]
    if not all(np.isfinite(x).all() for x in (distance, normal, point_a, point_b, *found)):
        return "not a number"
    if not len(found[0]) or not distance[0] < 0:
        return f"no contact, distance {distance[0]:.3g}"
    _, normals, distances, weights = found
    force = ((weights * np.maximum(-distances, 0))[:, None] * normals).sum(axis=0)
    if not force[2] > 0:
        return f"pushed by {force}"
    same = np.abs(normals[:, None] - normals[None]).max(axis=2) < 1e-9
    if weights.min() < 0 or (same @ weights).max() > 1 + 1e-9 or same.sum(axis=1).max() > MOST_POINTS:
        return f"weights {weights}"
    return ""


def surface_failures(pair: Pair, colliders: Colliders) -> tuple[int, dict[str, dict[str, str]]]:
    """The number of cases, and by group and name what went wrong."""
    wrong: dict[str, dict[str, str]] = {}
    count = 0
    for check, cases in ((failure, flat_cases(pair)), (rough_failure, rough_cases(pair))):
        for case in cases:
            count += 1
            if text := check(case, colliders[case.a.name], colliders[case.b.name]):
                wrong.setdefault(case.group, {})[case.name] = text
    return count, wrong
