"""Shapes for the collision tests: how a scene writes them, and their support functions in plain numpy.

The support function h(n) = max x.n over the shape is all an oracle needs: the signed distance of two convex shapes is
the maximum over unit n of -h_A(n) - h_B(-n), and every n gives a lower bound of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

import stickslip as ss
from stickslip import geometry

Array = np.ndarray[Any, np.dtype[np.float64]]

CONVEX_KINDS = ("sphere", "capsule", "box", "cylinder", "ellipsoid", "convex_mesh")
FIXED_KINDS = ("half_space", "triangle_mesh", "height_field")


@dataclass(frozen=True)
class Shape:
    """A convex shape in its own frame."""

    name: str
    kind: str
    written: str  # the flow mapping of a scene file, without the braces
    radius: float  # of the ball about the origin that holds it
    support: Callable[[Array], Array] = field(repr=False)  # (..., 3) -> (...)
    excess: Callable[[Array], Array] = field(repr=False)  # (..., 3) -> (...): 0 on the surface, positive outside
    size: tuple[float, ...] = ()
    vertices: Array = field(default_factory=lambda: np.zeros((0, 3)), repr=False)
    triangles: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)


def sphere(name: str, radius: float) -> Shape:
    return Shape(
        name, "sphere", f"sphere: {{radius: {radius!r}}}", radius,
        lambda n: radius * np.linalg.norm(n, axis=-1),
        lambda x: np.linalg.norm(x, axis=-1) - radius,
        (radius,),
    )  # fmt: skip


def capsule(name: str, radius: float, length: float) -> Shape:
    half = length / 2

    def excess(x: Array) -> Array:
        from_axis = x.copy()
        from_axis[..., 2] -= np.clip(x[..., 2], -half, half)
        return np.asarray(np.linalg.norm(from_axis, axis=-1) - radius)

    return Shape(
        name, "capsule", f"capsule: {{radius: {radius!r}, length: {length!r}}}", radius + half,
        lambda n: half * np.abs(n[..., 2]) + radius * np.linalg.norm(n, axis=-1),
        excess, (radius, length),
    )  # fmt: skip


def box(name: str, x: float, y: float, z: float) -> Shape:
    half = np.array([x, y, z]) / 2
    return Shape(
        name, "box", f"box: {{size: [{x!r}, {y!r}, {z!r}]}}", float(np.linalg.norm(half)),
        lambda n: np.abs(n) @ half,
        lambda p: (np.abs(p) - half).max(axis=-1),
        (x, y, z),
    )  # fmt: skip


def cylinder(name: str, radius: float, length: float) -> Shape:
    half = length / 2
    return Shape(
        name, "cylinder", f"cylinder: {{radius: {radius!r}, length: {length!r}}}", float(np.hypot(radius, half)),
        lambda n: half * np.abs(n[..., 2]) + radius * np.hypot(n[..., 0], n[..., 1]),
        lambda x: np.maximum(np.hypot(x[..., 0], x[..., 1]) - radius, np.abs(x[..., 2]) - half),
        (radius, length),
    )  # fmt: skip


def ellipsoid(name: str, x: float, y: float, z: float) -> Shape:
    radii = np.array([x, y, z])

    def excess(p: Array) -> Array:
        # Level over gradient: the distance to first order, exact on the surface.
        level = np.linalg.norm(p / radii, axis=-1) - 1
        slope = np.linalg.norm(p / radii**2, axis=-1) / np.maximum(np.linalg.norm(p / radii, axis=-1), 1e-300)
        return np.asarray(level / np.maximum(slope, 1 / radii.max()))

    return Shape(
        name, "ellipsoid", f"ellipsoid: {{radii: [{x!r}, {y!r}, {z!r}]}}", float(radii.max()),
        lambda n: np.linalg.norm(n * radii, axis=-1),
        excess, (x, y, z),
    )  # fmt: skip


def _farthest(corners: Array, n: Array) -> Array:
    """Vertices along the first axis: numpy's maximum over a short last axis is ten times slower."""
    return np.asarray((corners @ n.reshape(-1, 3).T).max(axis=0).reshape(n.shape[:-1]))


def hull(name: str, vertices: Array) -> Shape:
    """A convex mesh. Its triangles come from Qhull; points inside stay in the file."""
    found = ConvexHull(vertices)
    triangles = []
    for facet, plane in zip(found.simplices, found.equations, strict=True):
        a, b, c = vertices[facet]
        outward = np.cross(b - a, c - a) @ plane[:3] > 0
        i, j, k = (int(v) for v in facet)
        triangles.append((i, j, k) if outward else (i, k, j))
    planes = found.equations
    corners = vertices[found.vertices]
    return Shape(
        name, "convex_mesh", f"mesh: {{file: {name}.obj, convex: true}}", float(np.linalg.norm(vertices, axis=1).max()),
        lambda n: _farthest(corners, n),
        lambda p: (p @ planes[:, :3].T + planes[:, 3]).max(axis=-1),
        (), vertices, tuple(triangles),
    )  # fmt: skip


def flat_hull(name: str, vertices: Array, triangles: Sequence[tuple[int, int, int]] = ()) -> Shape:
    """A convex mesh without a volume: a point, a needle or a sheet. It has no inside to be outside of."""
    return Shape(
        name, "convex_mesh", f"mesh: {{file: {name}.obj, convex: true}}", float(np.linalg.norm(vertices, axis=1).max()),
        lambda n: _farthest(vertices, n),
        lambda p: np.zeros(p.shape[:-1]),
        (), vertices, tuple(triangles),
    )  # fmt: skip


def _boulder(points: int, radii: Array, seed: int) -> Array:
    directions = np.random.default_rng(seed).normal(size=(points, 3))
    return np.asarray(radii * directions / np.linalg.norm(directions, axis=1, keepdims=True))


def _frustum(sides: int, bottom: float, top: float, height: float) -> Array:
    angle = 2 * np.pi * np.arange(sides) / sides
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    low = np.column_stack([bottom * circle, np.full(sides, -height / 2)])
    high = np.column_stack([top * circle, np.full(sides, height / 2)])
    return np.vstack([low, high])


# Of each kind one shape for the A side and one for the B side of a pair, so that equal kinds differ in size.
SIDE_A = {
    "sphere": sphere("sphere_a", 0.5),
    "capsule": capsule("capsule_a", 0.3, 0.9),
    "box": box("box_a", 1.0, 0.7, 0.5),
    "cylinder": cylinder("cylinder_a", 0.5, 0.8),
    "ellipsoid": ellipsoid("ellipsoid_a", 0.6, 0.4, 0.25),
    "convex_mesh": hull("boulder_a", _boulder(24, np.array([0.6, 0.5, 0.4]), 1)),
}
SIDE_B = {
    "sphere": sphere("sphere_b", 0.35),
    "capsule": capsule("capsule_b", 0.2, 0.5),
    "box": box("box_b", 0.6, 0.9, 0.4),
    "cylinder": cylinder("cylinder_b", 0.3, 1.0),
    "ellipsoid": ellipsoid("ellipsoid_b", 0.3, 0.5, 0.45),
    "convex_mesh": hull("frustum_b", _frustum(6, 0.5, 0.3, 0.6)),
}


def write_obj(path: Path, vertices: Array, triangles: Sequence[tuple[int, int, int]]) -> None:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {i + 1} {j + 1} {k + 1}" for i, j, k in triangles]
    path.write_text("\n".join(lines) + "\n")


def load_colliders(written: dict[str, str], folder: Path) -> dict[str, geometry.Collider]:
    """One body for each shape, by name; the mesh files are there already."""
    bodies = [f"  - {{name: {name}_body, fixed: true, geometry: [{{{text}, name: {name}}}]}}" for name, text in written.items()]
    scene = folder / "shapes.yaml"
    scene.write_text("name: shapes\nbodies:\n" + "\n".join(bodies) + "\n")
    return {collider.name: collider for collider in geometry.colliders(ss.load(scene))}


def colliders_of(shapes: Sequence[Shape], folder: Path) -> dict[str, geometry.Collider]:
    for shape in shapes:
        if len(shape.vertices) and shape.kind != "height_field":
            write_obj(folder / f"{shape.name}.obj", shape.vertices, shape.triangles)
    return load_colliders({shape.name: shape.written for shape in shapes}, folder)
