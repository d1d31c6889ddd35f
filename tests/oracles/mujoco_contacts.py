"""Contacts of primitives as MuJoCo finds them: which pairs touch, and the points of a resting pair."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
from scipy.spatial import ConvexHull

from .shapes import Array, Shape

_OPTION = '<option ccd_tolerance="1e-12" ccd_iterations="1000"><flag multiccd="enable"/></option>'


def _geom(shape: Shape) -> str:
    match shape.kind:
        case "sphere":
            size = [shape.size[0]]
        case "capsule" | "cylinder":
            size = [shape.size[0], shape.size[1] / 2]
        case "box":
            size = [s / 2 for s in shape.size]
        case "half_space":
            return '<geom type="plane" size="10 10 1"/>'
        case _:
            size = list(shape.size)
    return f'<geom type="{shape.kind}" size="{" ".join(map(repr, size))}"/>'


class Scene:
    """Shapes on mocap bodies, which collide among themselves only if one of them is free: all are free here."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        bodies = "".join(
            f"<body>{_geom(s)}</body>" if s.kind == "half_space" else f"<body><freejoint/>{_geom(s)}</body>" for s in shapes
        )
        self.model = mujoco.MjModel.from_xml_string(f"<mujoco>{_OPTION}<worldbody>{bodies}</worldbody></mujoco>")
        self.data = mujoco.MjData(self.model)
        self.model.geom_margin[:] = 0

    def place(self, poses: Array) -> None:
        """Half-spaces stay where they are: their poses are skipped."""
        for i, pose in enumerate(poses):
            joint = self.model.body_jntadr[i + 1]
            if joint < 0:
                continue
            start = self.model.jnt_qposadr[joint]
            quaternion = np.zeros(4)
            mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(pose[:3, :3]).ravel())
            self.data.qpos[start : start + 3] = pose[:3, 3]
            self.data.qpos[start + 3 : start + 7] = quaternion
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_collision(self.model, self.data)

    def touching(self) -> set[tuple[int, int]]:
        """Pairs of indices into the shapes."""
        bodies = [sorted(int(self.model.geom_bodyid[g]) - 1 for g in c.geom) for c in self.data.contact if c.dist < 0]
        return {(first, second) for first, second in bodies}

    def points(self) -> Array:
        return np.array([np.array(c.pos) for c in self.data.contact]).reshape(-1, 3)


def area(points: Array) -> float:
    """Of the convex hull of points in the plane; 0 if they are on a line."""
    flat = points[:, :2]
    if len(flat) < 3 or np.linalg.matrix_rank(flat - flat.mean(axis=0), tol=1e-9) < 2:
        return 0.0
    return float(ConvexHull(flat).volume)


def farthest(points: Array, others: Array) -> float:
    """How far a corner of one hull is outside the other, both ways; points in the plane, hulls with an inside."""
    return max(_outside(points, others), _outside(others, points))


def _outside(points: Array, others: Array) -> float:
    if area(others) == 0:
        others_2d = others[:, :2]
        order = np.argsort(others_2d @ (others_2d[-1] - others_2d[0]))
        first, last = others_2d[order[0]], others_2d[order[-1]]
        way = last - first
        share = np.clip((points[:, :2] - first) @ way / max(way @ way, 1e-300), 0, 1)
        return float(np.linalg.norm(points[:, :2] - first - share[:, None] * way, axis=1).max())
    planes = ConvexHull(others[:, :2]).equations
    return float((points[:, :2] @ planes[:, :2].T + planes[:, 2]).max())
