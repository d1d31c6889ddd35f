"""Stickslip: multibody simulation with stiff frictional contact.

>>> import stickslip as ss
>>> model = ss.load("scene.yaml")            # or .xml (MJCF), .urdf
>>> sim = ss.Simulator(model, accuracy=1e-3)
>>> sim.advance_to(5.0)
"""

from __future__ import annotations

from . import geometry, plotting, saving, systems, tables, video, viewing
from ._decomposition import decompose
from ._stickslip import (
    BodyInfo,
    BodyView,
    Energies,
    ExternalSystem,
    JointInfo,
    JointView,
    Model,
    RayHit,
    Recorder,
    Report,
    Sampled,
    Simulator,
    State,
    System,
    Trajectory,
    Verification,
    Viewer,
    Warning,
    __version__,
    from_string,
    load,
    load_recording,
    method_names,
    simulate,
)
from .builder import Scene
from .errors import ModelError, RecordingError, SimulationStopped, UnknownName

# Written in Python; the stubs declare them, see stubs.pat.
setattr(Trajectory, "plot", plotting.plot)  # noqa: B010
setattr(Simulator, "view", viewing.view)  # noqa: B010
setattr(Trajectory, "play", viewing.play)  # noqa: B010
setattr(Trajectory, "video", video.video)  # noqa: B010
setattr(Trajectory, "save", saving.save)  # noqa: B010
setattr(Trajectory, "to_pandas", tables.to_pandas)  # noqa: B010

__all__ = [
    "BodyInfo",
    "BodyView",
    "Energies",
    "ExternalSystem",
    "JointInfo",
    "JointView",
    "Model",
    "ModelError",
    "RayHit",
    "Recorder",
    "RecordingError",
    "Report",
    "Sampled",
    "Scene",
    "SimulationStopped",
    "Simulator",
    "State",
    "System",
    "Trajectory",
    "UnknownName",
    "Verification",
    "Viewer",
    "Warning",
    "__version__",
    "decompose",
    "from_string",
    "geometry",
    "load",
    "load_recording",
    "method_names",
    "simulate",
    "systems",
]
