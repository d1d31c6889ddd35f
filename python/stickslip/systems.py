"""Controllers and grippers, ready made: external systems for Simulator.add.

>>> from stickslip import systems
>>> sim.add(systems.JointPD(model, ["shoulder", "elbow"], kp=1e4, kd=1e3, target=[0.3, -0.5]))
"""

from ._stickslip import (
    GravityCompensation,
    InverseDynamicsControl,
    JointController,
    JointPD,
    JointPID,
    Suction,
    TrajectoryReplay,
)

__all__ = [
    "GravityCompensation",
    "InverseDynamicsControl",
    "JointController",
    "JointPD",
    "JointPID",
    "Suction",
    "TrajectoryReplay",
]
