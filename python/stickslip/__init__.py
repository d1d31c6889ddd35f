"""Stickslip: multibody simulation with stiff frictional contact.

>>> import stickslip as ss
>>> model = ss.load("scene.yaml")            # or .xml (MJCF), .urdf
>>> sim = ss.Simulator(model, method="rk4", time_step=1e-3)
>>> sim.advance_to(5.0)
"""

from __future__ import annotations

from . import geometry, plotting, systems
from ._decomposition import decompose
from ._stickslip import (
    BodyInfo,
    BodyView,
    ExternalSystem,
    JointInfo,
    JointView,
    Model,
    RayHit,
    Report,
    Sampled,
    Simulator,
    State,
    System,
    Trajectory,
    Warning,
    __version__,
    from_string,
    load,
    method_names,
    simulate,
)
from .builder import Scene
from .errors import ModelError, SimulationStopped, UnknownName

setattr(Trajectory, "plot", plotting.plot)  # noqa: B010; the stub declares it, see stubs.pat

__all__ = [
    "BodyInfo",
    "BodyView",
    "ExternalSystem",
    "JointInfo",
    "JointView",
    "Model",
    "ModelError",
    "RayHit",
    "Report",
    "Sampled",
    "Scene",
    "SimulationStopped",
    "Simulator",
    "State",
    "System",
    "Trajectory",
    "UnknownName",
    "Warning",
    "__version__",
    "decompose",
    "from_string",
    "geometry",
    "load",
    "method_names",
    "simulate",
    "systems",
]
