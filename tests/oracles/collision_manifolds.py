"""Contact points of shapes that rest on each other: how many there should be, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull

from stickslip import geometry

from .collision_pairs import HALF_SPACE, bound, poses, rotation, scale_of
from .shapes import SIDE_A, SIDE_B, Array, Shape

MOST_POINTS = 8
REST = 1e-4  # of the scale: the overlap at rest
YAWS = (0.0, 0.3, np.pi / 4, 1.2)
FACETS_OF_A_CAP = 64  # a circle as a polygon, when its overlap with another face is asked for


@dataclass(frozen=True)
class Foot:
    """What a shape can rest on: a face, an edge (two points) or a point, and its outward normal."""

    normal: Array
    corners: Array


def foot_of(shape: Shape) -> Foot:
    z = np.array([0.0, 0.0, 1.0])
    match shape.kind:
        case "half_space":
            return Foot(z, np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], dtype=float))
        case "box":
            x, y, height = (s / 2 for s in shape.size)
            return Foot(z, np.array([[-x, -y, height], [x, -y, height], [x, y, height], [-x, y, height]]))
        case "cylinder":
            angle = 2 * np.pi * np.arange(FACETS_OF_A_CAP) / FACETS_OF_A_CAP
            r, height = shape.size[0], shape.size[1] / 2
            return Foot(z, np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(FACETS_OF_A_CAP, height)]))
        case "capsule":
            r, half = shape.size[0], shape.size[1] / 2
            return Foot(np.array([1.0, 0, 0]), np.array([[r, 0, -half], [r, 0, half]]))
        case "sphere":
            return Foot(z, np.array([[0, 0, shape.size[0]]]))
        case "ellipsoid":
            return Foot(z, np.array([[0, 0, shape.size[2]]]))
    return _largest_face(shape.vertices)


def _largest_face(vertices: Array) -> Foot:
    found = ConvexHull(vertices)
    normals = np.unique(np.round(found.equations, 9), axis=0)
    faces = [Foot(plane[:3] / np.linalg.norm(plane[:3]), vertices[np.abs(vertices @ plane[:3] + plane[3]) < 1e-7]) for plane in normals]
    return max(faces, key=lambda face: area(face.corners @ basis(face.normal)))


def basis(n: Array) -> Array:
    """Two columns that span the plane of n."""
    helper = np.array([1.0, 0, 0]) if abs(n[0]) < 0.9 else np.array([0, 1.0, 0])
    t = np.cross(n, helper)
    t /= np.linalg.norm(t)
    return np.column_stack([t, np.cross(n, t)])


def area(points: Array) -> float:
    """Of the hull of points in the plane."""
    if len(points) < 3 or np.linalg.matrix_rank(points - points.mean(axis=0), tol=1e-9) < 2:
        return 0.0
    return float(ConvexHull(points).volume)


def clipped(polygon: Array, window: Array) -> Array:
    """The overlap of two convex polygons in the plane (Sutherland and Hodgman)."""
    corners = window[ConvexHull(window).vertices]  # counter-clockwise
    kept = list(polygon[ConvexHull(polygon).vertices])
    for first, second in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        way = second - first
        side = [way[0] * (p[1] - first[1]) - way[1] * (p[0] - first[0]) for p in kept]
        result = []
        for i, p in enumerate(kept):
            q, s, r = kept[i - 1], side[i], side[i - 1]
            if (s > 0) != (r > 0):
                result.append(q + (p - q) * r / (r - s))
            if s > 0:
                result.append(p)
        kept = result
    return np.array(kept).reshape(-1, 2)


def _turn_onto(n: Array, target: Array) -> Array:
    axis, cosine = np.cross(n, target), float(n @ target)
    if cosine < -1 + 1e-12:
        return rotation(np.pi * basis(n)[:, 0])
    if cosine > 1 - 1e-12:
        return np.eye(3)
    return rotation(axis / np.linalg.norm(axis) * np.arccos(cosine))


@dataclass
class Rest:
    """B resting on A, foot on foot."""

    pose_a: Array
    pose_b: Array
    up: Array
    overlap: Array  # corners of the overlap of the feet in the plane of basis(up); fewer than 3 if a foot has no area
    right: int  # number of contact points
    round: bool  # a circle takes part: the points are on an inscribed polygon


def rest(a: Shape, b: Shape, yaw: float, slide: float) -> Rest:
    """`slide` moves B along the plane, in radii of B."""
    foot_a, foot_b = foot_of(a), foot_of(b)
    up = foot_a.normal
    R = rotation(yaw * up) @ _turn_onto(foot_b.normal, -up)
    p = foot_a.corners.mean(axis=0) - R @ foot_b.corners.mean(axis=0) + slide * b.radius * basis(up)[:, 0]
    pose_a, pose_b = np.eye(4), poses(R[None], p[None])[0]
    off = bound(a, b, pose_a[None], pose_b[None], up[None, None])[0, 0]
    pose_b[:3, 3] -= (off + REST * scale_of(a, b)) * up
    in_plane_a, in_plane_b = foot_a.corners @ basis(up), (foot_b.corners @ R.T + pose_b[:3, 3]) @ basis(up)
    is_round = "cylinder" in (a.kind, b.kind)
    fewest = min(len(foot_a.corners), len(foot_b.corners))
    if fewest < 3:
        return Rest(pose_a, pose_b, up, np.zeros((0, 2)), fewest, is_round)
    overlap = clipped(in_plane_b, in_plane_a)
    return Rest(pose_a, pose_b, up, overlap, min(len(overlap), MOST_POINTS), is_round)


def flat_points(a: geometry.Collider, b: geometry.Collider, at: Rest, scale: float) -> Array:
    """The contact points at the depth of the rest, in the plane."""
    points, _, distances, weights, _ = (np.asarray(x) for x in geometry.contacts(a, b, at.pose_a, at.pose_b))
    deep = (distances < (-REST + 1e-6) * scale) & (weights > 1e-9)
    return np.asarray(points[deep] @ basis(at.up))


def rests(pair: tuple[str, str]) -> list[Rest]:
    a = HALF_SPACE if pair[0] == "half_space" else SIDE_A[pair[0]]
    b = SIDE_B[pair[1]]
    slides = (0.0,) if min(len(foot_of(a).corners), len(foot_of(b).corners)) < 3 else (0.0, 0.35)
    yaws = (0.0, np.pi) if "capsule" in pair and not {"half_space", "box", "cylinder", "convex_mesh"} & set(pair) else YAWS
    return [rest(a, b, yaw, slide) for yaw in yaws for slide in slides]


def rest_failure(pair: tuple[str, str], a: geometry.Collider, b: geometry.Collider) -> tuple[int, int, str]:
    """The most points seen, the most that were right, and what was wrong."""
    shape_a = HALF_SPACE if pair[0] == "half_space" else SIDE_A[pair[0]]
    scale = scale_of(shape_a, SIDE_B[pair[1]])
    seen, right, wrong = 0, 0, ""
    for at in rests(pair):
        points = flat_points(a, b, at, scale)
        seen, right = max(seen, len(points)), max(right, at.right)
        wrong = wrong or _difference(at, points, scale)
    return seen, right, wrong


def _difference(at: Rest, points: Array, scale: float) -> str:
    if len(points) > MOST_POINTS:
        return f"{len(points)} points"
    if at.right < 3:
        return "" if len(points) == at.right else f"{len(points)} points instead of {at.right}"
    whole, covered = area(at.overlap), area(points)
    # An octagon in a circle covers 90 % of it; 8 of the corners of a polygon that has more may leave a little out.
    least = 0.89 if at.round else (0.9 if len(at.overlap) > MOST_POINTS else 1 - 1e-3)
    if covered < least * whole or covered > (1 + 1e-3) * whole + 1e-9 * scale**2:
        return f"points span {covered:.4g} of a contact area of {whole:.4g}"
    return ""
