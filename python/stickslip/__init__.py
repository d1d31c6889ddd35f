"""Stickslip: multibody simulation with stiff frictional contact.

>>> import stickslip as ss
>>> model = ss.load("scene.yaml")            # or .xml (MJCF), .urdf
>>> sim = ss.Simulator(model, accuracy=1e-3)
>>> sim.advance_to(5.0)
"""

from __future__ import annotations

from . import _arguments, geometry, plotting, saving, systems, tables, video, viewing
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
setattr(Trajectory, "plot", _arguments.helpful(plotting.plot, "Trajectory"))  # noqa: B010
setattr(Simulator, "view", _arguments.helpful(viewing.view, "Simulator"))  # noqa: B010
setattr(Trajectory, "play", _arguments.helpful(viewing.play, "Trajectory"))  # noqa: B010
setattr(Trajectory, "video", _arguments.helpful(video.video, "Trajectory"))  # noqa: B010
setattr(Trajectory, "save", _arguments.helpful(saving.save, "Trajectory"))  # noqa: B010
setattr(Trajectory, "to_pandas", _arguments.helpful(tables.to_pandas, "Trajectory"))  # noqa: B010
setattr(Scene, "compile", _arguments.helpful(Scene.compile, "Scene"))  # noqa: B010
setattr(Scene, "save", _arguments.helpful(Scene.save, "Scene"))  # noqa: B010

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
