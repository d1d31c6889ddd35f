"""Lone boxes on ropes and pins, as little mechanics as their starts need: rotations, and what the jerk of a rope leaves of a throw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

G = 9.81
Scene = dict[str, Any]
Array = np.ndarray


def unit(rng: np.random.Generator, size: int) -> Array:
    x = rng.normal(size=size)
    return x / np.linalg.norm(x)


def rotation(quaternion: Any) -> Array:
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def numbers(x: Any) -> list[float]:
    return [float(value) for value in np.ravel(x)]


@dataclass
class Box:
    """Its frame is at its centre of mass."""

    size: Array
    position: Array
    quaternion: Array
    velocity: Array
    spin: Array  # world axes
    density: float = 500.0

    @property
    def mass(self) -> float:
        return float(self.density * np.prod(self.size))

    @property
    def inertia(self) -> Array:
        """Principal moments."""
        squares = self.size**2
        return np.asarray(self.mass / 12 * (squares.sum() - squares))

    @property
    def R(self) -> Array:
        return rotation(self.quaternion)

    def point(self, own: Array) -> Array:
        """Of its frame, in the world."""
        return np.asarray(self.position + self.R @ own)


@dataclass
class Hold:
    """A rope, or a pin, from a point of box a to one of box b, or of the world."""

    kind: str  # "distance" or "ball"
    a: int
    point_a: Array
    b: int | None
    point_b: Array
    length: float = 0.0


@dataclass
class Boxes:
    """Thrown boxes and what holds them."""

    boxes: list[Box]
    holds: list[Hold] = field(default_factory=list)

    def scene(self, consistent: bool = False) -> Scene:
        """Without contact. `consistent`: with the velocities that the jerk leaves."""
        v = self.after_the_jerk() if consistent else self.velocities()
        bodies = [
            {
                "name": f"box{i}",
                "density": box.density,
                "geometry": [{"box": {"size": numbers(box.size)}, "collides": False}],
                "pose": {"position": numbers(box.position), "quaternion": numbers(box.quaternion)},
                "velocity": {"linear": numbers(v[6 * i : 6 * i + 3]), "angular": numbers(v[6 * i + 3 : 6 * i + 6])},
            }
            for i, box in enumerate(self.boxes)
        ]
        return {"bodies": bodies, "constraints": [self.constraint(i, hold) for i, hold in enumerate(self.holds)]}

    def constraint(self, index: int, hold: Hold) -> Scene:
        out: Scene = {"name": f"hold{index}", "type": hold.kind, "body_a": f"box{hold.a}"}
        out |= {"pose_a": {"position": numbers(hold.point_a)}, "pose_b": {"position": numbers(hold.point_b)}}
        if hold.b is not None:
            out["body_b"] = f"box{hold.b}"
        if hold.kind == "distance":
            out["length"] = hold.length
        return out

    def velocities(self) -> Array:
        return np.concatenate([np.concatenate([box.velocity, box.spin]) for box in self.boxes])

    def rows(self) -> Array:
        """Rates of what must stay as it is, of the velocities."""
        rows = []
        for hold in self.holds:
            J = np.zeros((3, 6 * len(self.boxes)))
            points = []
            for sign, index, own in ((1.0, hold.a, hold.point_a), (-1.0, hold.b, hold.point_b)):
                if index is None:
                    points.append(own)
                    continue
                r = self.boxes[index].R @ own
                points.append(self.boxes[index].position + r)
                J[:, 6 * index : 6 * index + 3] += sign * np.eye(3)
                J[:, 6 * index + 3 : 6 * index + 6] += -sign * np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
            if hold.kind == "distance":
                along = points[0] - points[1]
                J = (along / np.linalg.norm(along))[None] @ J
            rows.append(J)
        return np.concatenate(rows)

    def mass_matrix(self) -> Array:
        M = np.zeros((6 * len(self.boxes), 6 * len(self.boxes)))
        for i, box in enumerate(self.boxes):
            M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = box.mass * np.eye(3)
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = box.R * box.inertia @ box.R.T
        return M

    def after_the_jerk(self) -> Array:
        """What an impact without bounce leaves: the nearest velocities, by kinetic energy, that the holds allow."""
        v, J, inverse = self.velocities(), self.rows(), np.linalg.inv(self.mass_matrix())
        return np.asarray(v - inverse @ J.T @ np.linalg.lstsq(J @ inverse @ J.T, J @ v, rcond=1e-12)[0])

    def energy(self) -> float:
        """Just after the jerk [J]."""
        v = self.after_the_jerk()
        return float(0.5 * v @ self.mass_matrix() @ v + sum(box.mass * G * box.position[2] for box in self.boxes))

    @property
    def scale(self) -> float:
        return float(sum(box.mass for box in self.boxes) * (G + 6))
