"""Distances and contacts between two shapes at any pose, without a simulation.

>>> from stickslip import geometry
>>> ball, table = geometry.colliders(model)
>>> distance, normal, on_ball, on_table = geometry.separation(ball, table, pose_a, pose_b)
"""

from ._stickslip import Collider, colliders, contacts, separation

__all__ = ["Collider", "colliders", "contacts", "separation"]
