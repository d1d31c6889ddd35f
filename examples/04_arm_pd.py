"""A robot arm under PD control: it sags by gravity's torque over kp, and not at all with gravity compensation."""

from pathlib import Path

import numpy as np

import stickslip as ss

KP, KD = 400.0, 40.0
model = ss.load(Path(__file__).with_name("arm.urdf"))
joints = ["shoulder", "elbow"]
target = np.array([0.6, 0.8])
dry = np.array([model.joint(name).dry_friction for name in joints])


def settle(*systems: ss.ExternalSystem) -> np.ndarray:
    """How far from its target the arm comes to rest."""
    run = ss.simulate(model, until=5.0, systems=systems)
    return np.asarray(target - run.q[-1])


pd = ss.systems.JointPD(model, joints, kp=KP, kd=KD, target=target)
error = settle(pd)
compensated = settle(pd, ss.systems.GravityCompensation(model, joints))

torque = model.bias_force(target - error, np.zeros(2))  # what holds the arm where it came to rest
for name, e, c, tau in zip(joints, error, compensated, torque, strict=True):
    print(f"{name:8}  off by {e:+.5f} rad, kp times that {KP * e:+.3f} N m; gravity {tau:+.3f} N m; compensated: off by {c:+.5f} rad")
assert np.all(np.abs(KP * error - torque) <= dry + 1e-3)  # the rest is the dry friction of the joints
assert np.all(np.abs(KP * compensated) <= dry + 1e-3)
