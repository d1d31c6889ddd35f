"""Configurations in which distance algorithms break, and whether a separation and its contacts survive them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stickslip import geometry

from .collision_pairs import HALF_SPACE, bound, poses, rotation, scale_of
from .shapes import CONVEX_KINDS, SIDE_A, SIDE_B, Array, Shape, box, capsule, cylinder, ellipsoid, flat_hull, hull, sphere

TOLERANCE = 1e-6  # of the scale: the distance left after moving B by -distance * normal

AXES = {
    "x": (1, 0, 0), "-y": (0, -1, 0), "z": (0, 0, 1), "-z": (0, 0, -1),
    "xy": (1, 1, 0), "yz": (0, 1, -1), "zx": (-1, 0, 1), "xyz": (1, 1, 1), "-xyz": (-1, 1, -1),
}  # fmt: skip
TURNS = {
    "same": (0, 0, 0), "quarter about x": (np.pi / 2, 0, 0), "quarter about z": (0, 0, np.pi / 2), "half about y": (0, np.pi, 0),
    "eighth about x": (np.pi / 4, 0, 0), "eighth about z": (0, 0, np.pi / 4), "corner": (0.6, 0.4, -0.9),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    group: str  # what the table counts
    name: str
    a: Shape
    b: Shape
    pose_a: Array
    pose_b: Array
    distance: float | None = None  # where it is known
    scale: float = 0.0  # the tolerance is relative to it


def pose(turn: tuple[float, float, float] | Array = (0, 0, 0), at: tuple[float, float, float] | Array = (0, 0, 0)) -> Array:
    placed: Array = poses(rotation(np.asarray(turn, dtype=float))[None], np.asarray(at, dtype=float)[None])[0]
    return placed


def resized(kind: str, factor: float, name: str, source: dict[str, Shape]) -> Shape:
    shape = source[kind]
    size = [s * factor for s in shape.size]
    match kind:
        case "sphere":
            return sphere(name, *size)
        case "capsule":
            return capsule(name, *size)
        case "box":
            return box(name, *size)
        case "cylinder":
            return cylinder(name, *size)
        case "ellipsoid":
            return ellipsoid(name, *size)
    return hull(name, shape.vertices * factor)


SMALL, LARGE = 1e-4, 1e3  # metres
TWINS = {kind: resized(kind, 1.0, f"twin_{kind}", SIDE_A) for kind in CONVEX_KINDS}
TINY = {kind: resized(kind, SMALL, f"tiny_{kind}", SIDE_B) for kind in CONVEX_KINDS}
HUGE = {kind: resized(kind, LARGE, f"huge_{kind}", SIDE_A) for kind in CONVEX_KINDS}
INNER = {kind: resized(kind, 0.1, f"inner_{kind}", SIDE_B) for kind in CONVEX_KINDS}


def _grid_cube(cells: int, side: float) -> Array:
    """Every vertex of a cube whose faces are divided into cells x cells."""
    line = np.linspace(-side / 2, side / 2, cells + 1)
    grid = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(grid[np.isclose(np.abs(grid).max(axis=1), side / 2)])


_SQUARE = np.array([[-0.4, -0.3, 0], [0.4, -0.3, 0], [0.4, 0.3, 0], [-0.4, 0.3, 0], [0.1, 0.0, 0], [0.0, -0.3, 0]])
_CORNERS = np.array([[x, y, z] for x in (-0.3, 0.3) for y in (-0.2, 0.2) for z in (-0.25, 0.25)])
ODD_HULLS = {
    "needle": flat_hull("needle", np.linspace([-0.3, -0.2, -0.4], [0.3, 0.2, 0.4], 5), [(0, 1, 4), (1, 2, 3)]),
    "sheet": flat_hull("sheet", _SQUARE, [(0, 1, 2), (0, 2, 3), (0, 5, 4)]),
    "point": flat_hull("point", np.zeros((1, 3)), [(0, 0, 0)]),
    "duplicates": hull("duplicates", np.concatenate([_CORNERS, _CORNERS, _CORNERS[:3] + 1e-17])),
    "subdivided": hull("subdivided", _grid_cube(4, 0.6)),
}


def all_shapes() -> list[Shape]:
    shapes = [HALF_SPACE]
    for group in (SIDE_A, SIDE_B, TWINS, TINY, HUGE, INNER, ODD_HULLS):
        shapes += group.values()
    return shapes


def support_point(shape: Shape, n: Array) -> Array:
    """The middle of the points farthest along n: the gradient of the support function by central differences."""
    step = 1e-6
    h = np.array([[shape.support(n + s * step * e) for e in np.eye(3)] for s in (1, -1)])
    return np.asarray((h[0] - h[1]) / (2 * step))


def touching(a: Shape, b: Shape, turn: Array, u: Array, distance: float = 0.0) -> tuple[Array, Array]:
    """A at the origin, B beyond it along u, the middles of the faces, edges or vertices that look at each other meeting."""
    R = rotation(turn)
    on_a = np.zeros(3) if a.kind == "half_space" else support_point(a, u)
    on_b = R @ support_point(b, -R.T @ u)
    pose_a, pose_b = pose(), pose(turn, on_a - on_b)
    off = bound(a, b, pose_a[None], pose_b[None], u[None, None])[0, 0]
    pose_b[:3, 3] += (distance - off) * u
    return pose_a, pose_b


def cases_of(pair: tuple[str, str]) -> Iterator[Case]:
    a = HALF_SPACE if pair[0] == "half_space" else SIDE_A[pair[0]]
    yield from _touching_cases(a, SIDE_B[pair[1]])
    yield from _ratio_cases(pair)
    if a.kind == "half_space":
        return
    yield from _inside_cases(pair, a)
    for name, turn in TURNS.items():
        yield Case("coincident centres", name, a, SIDE_B[pair[1]], pose(), pose(turn))
    if pair[0] == pair[1]:
        twin = TWINS[pair[0]]
        yield Case("identical", "at the origin", a, twin, pose(), pose())
        somewhere = pose((0.3, -1.1, 0.7), (0.1, 0.2, -0.3))
        yield Case("identical", "somewhere", a, twin, somewhere, somewhere)


def groups_of(pair: tuple[str, str]) -> list[str]:
    return list(dict.fromkeys(case.group for case in cases_of(pair)))


def _touching_cases(a: Shape, b: Shape) -> Iterator[Case]:
    for axis, direction in AXES.items():
        if a.kind == "half_space" and axis != "z":
            continue
        u = np.array(direction, dtype=float) / np.linalg.norm(direction)
        for name, turn in TURNS.items():
            pose_a, pose_b = touching(a, b, np.asarray(turn, dtype=float), u)
            yield Case("touching", f"{axis}, {name}", a, b, pose_a, pose_b, 0.0)


def _ratio_cases(pair: tuple[str, str]) -> Iterator[Case]:
    """The tolerance is of the small shape. The large one has doubles of 1e-13 m at its surface."""
    tiny_b = TINY[pair[1]]
    large_a = HALF_SPACE if pair[0] == "half_space" else HUGE[pair[0]]
    both = [("small B", large_a, tiny_b)]
    if pair[0] != "half_space":
        both.append(("small A", TINY[pair[0]], HUGE[pair[1]]))
    for which, a, b in both:
        small = min(s.radius for s in (a, b) if s.kind != "half_space")
        for axis in ("z", "xyz") if a.kind != "half_space" else ("z",):
            u = np.array(AXES[axis], dtype=float) / np.linalg.norm(AXES[axis])
            for depth in (-0.5, 0.2):
                pose_a, pose_b = touching(a, b, np.asarray(TURNS["corner"], dtype=float), u, -depth * small)
                expected = -depth * small if depth < 0 else None
                yield Case("size ratio", f"{which}, {axis}, {depth:+}", a, b, pose_a, pose_b, expected, scale=small * 1e4)


def _inside_cases(pair: tuple[str, str], a: Shape) -> Iterator[Case]:
    inner = INNER[pair[1]]
    for name, turn in TURNS.items():
        yield Case("inside", name, a, inner, pose(), pose(turn, (0.03, -0.02, 0.05)))


def odd_hull_cases(kind: str, odd: str) -> Iterator[Case]:
    """A strange hull on the B side, a plain shape or the half-space on the A side."""
    a = HALF_SPACE if kind == "half_space" else SIDE_A[kind]
    b = ODD_HULLS[odd]
    yield from (Case(odd, f"touching {c.name}", a, b, c.pose_a, c.pose_b, 0.0) for c in _touching_cases(a, b))
    for depth in (-0.1, 0.01):
        for name, turn in TURNS.items():
            pose_a, pose_b = touching(a, b, np.asarray(turn, dtype=float), np.array([0, 0, 1.0]), -depth)
            yield Case(odd, f"{name}, depth {depth}", a, b, pose_a, pose_b)
    if a.kind != "half_space":
        for name, turn in TURNS.items():
            yield Case(odd, f"coincident, {name}", a, b, pose(), pose(turn))


def failure(case: Case, a: geometry.Collider, b: geometry.Collider) -> str:
    """Empty, or what went wrong."""
    scale = case.scale or scale_of(case.a, case.b)
    distance, normal, point_a, point_b = (np.asarray(x) for x in geometry.separation(a, b, case.pose_a, case.pose_b))
    if not all(np.isfinite(x).all() for x in (distance, normal, point_a, point_b)):
        return "not a number"
    if abs(np.linalg.norm(normal) - 1) > 1e-9:
        return f"normal of length {np.linalg.norm(normal):.3g}"
    if case.distance is not None and abs(distance[0] - case.distance) > TOLERANCE * scale:
        return f"distance {distance[0]:.6g} instead of {case.distance:.6g}"
    return _unmoved(case, a, b, distance[0], normal[0], scale) or _no_contact(case, a, b, distance[0], scale)


def _unmoved(case: Case, a: geometry.Collider, b: geometry.Collider, distance: float, normal: Array, scale: float) -> str:
    moved = case.pose_b.copy()
    moved[:3, 3] -= distance * normal
    left = float(np.asarray(geometry.separation(a, b, case.pose_a, moved)[0])[0])
    return f"distance {left:.3g} after moving B by {-distance:.3g} along the normal" if not abs(left) < TOLERANCE * scale else ""


def _no_contact(case: Case, a: geometry.Collider, b: geometry.Collider, distance: float, scale: float) -> str:
    points, normals, distances, weights, _ = geometry.contacts(a, b, case.pose_a, case.pose_b, max(distance, 0) + TOLERANCE * scale)
    points, normals, distances, weights = (np.asarray(x) for x in (points, normals, distances, weights))
    if not len(points):
        return "no contact point"
    if not all(np.isfinite(x).all() for x in (points, normals, distances, weights)):
        return "contact not a number"
    left_out = case.a.kind in ("triangle_mesh", "height_field")  # points beyond the reach, with their weights
    if weights.sum() > 1 + 1e-9 or (weights.sum() < 1 - 1e-9 and not left_out) or weights.min() < 0:
        return f"weights {weights}"
    if abs(distances.min() - distance) > TOLERANCE * scale:
        return f"deepest contact {distances.min():.6g}, separation {distance:.6g}"
    return ""
