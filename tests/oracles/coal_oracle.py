"""Signed distances of two convex shapes by Coal, with its tolerances as tight as it takes them."""

from __future__ import annotations

import coal
import numpy as np

from .shapes import Array, Shape

TOLERANCE = 1e-10
ITERATIONS = 1000


def coal_geometry(shape: Shape) -> coal.CollisionGeometry:
    match shape.kind:
        case "sphere":
            return coal.Sphere(*shape.size)
        case "capsule":
            return coal.Capsule(*shape.size)
        case "box":
            return coal.Box(*shape.size)
        case "cylinder":
            return coal.Cylinder(*shape.size)
        case "ellipsoid":
            return coal.Ellipsoid(*shape.size)
        case "half_space":
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    points = coal.StdVec_Vec3s()
    points.extend(list(shape.vertices))
    triangles = coal.StdVec_Triangle()
    triangles.extend([coal.Triangle(*t) for t in shape.triangles])
    return coal.Convex(points, triangles)


def _transform(pose: Array) -> coal.Transform3s:
    return coal.Transform3s(np.ascontiguousarray(pose[:3, :3]), np.ascontiguousarray(pose[:3, 3]))


def separation(a: Shape, b: Shape, poses_a: Array, poses_b: Array) -> tuple[Array, Array]:
    """Distances (n,) and normals from A to B (n, 3); NaN where Coal gives none."""
    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = TOLERANCE
    request.gjk_max_iterations = request.epa_max_iterations = ITERATIONS
    shape_a, shape_b = coal_geometry(a), coal_geometry(b)
    distance, normal = np.full(len(poses_a), np.nan), np.full((len(poses_a), 3), np.nan)
    for i, (pose_a, pose_b) in enumerate(zip(poses_a, poses_b, strict=True)):
        result = coal.DistanceResult()
        distance[i] = coal.distance(shape_a, _transform(pose_a), shape_b, _transform(pose_b), request, result)
        normal[i] = result.normal
    distance[np.abs(distance) > 1e300] = np.nan  # its way of saying that it gave up
    return distance, normal
