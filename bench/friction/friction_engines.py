"""Runs of the slope and of the grasp by each engine, as one record a setting: where the body was at some times, how deep it sits, what it took."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import friction_scenes as fs
import grasp as gr
import stickslip as ss
from friction_scenes import Options, anchored, regularized

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "contact"))
from drake_process import DrakeProcess, drake_version

Run = dict[str, Any]  # places [m] at the times asked for, seconds of CPU time, depth [m] at the end; error if it stopped

ANCHORED: dict[str, Options] = {
    **{f"cenic, anchored, {a:.0e}": anchored(accuracy=a) for a in (1e-1, 1e-2, 1e-3, 1e-4)},
    **{f"anchored, {h:g} ms": anchored(time_step=1e-3 * h) for h in (1, 5, 20)},
}
REGULARIZED: dict[str, Options] = {
    "cenic, regularized, 1e-03": regularized(accuracy=1e-3),
    "cenic-paper, regularized, 1e-03": {"method": "cenic-paper", "accuracy": 1e-3},
    "lagged, 2 ms": regularized(time_step=2e-3),
}
DRAKE: dict[str, tuple[str, float]] = {
    "SAP, 2 ms": ("sap", 2e-3),
    "Lagged, 2 ms": ("lagged", 2e-3),
    "Similar, 2 ms": ("similar", 2e-3),
    "CENIC, 1e-01": ("cenic", 1e-1),
    "CENIC, 1e-03": ("cenic", 1e-3),
    "CENIC, 1e-05": ("cenic", 1e-5),
}


class Engine:
    """Ours. `settings` are the rows of its tables."""

    def __init__(self, name: str, settings: dict[str, Options]) -> None:
        self.name, self.settings, self.version = name, list(settings), "this"
        self.options = settings

    def slope(self, setting: str, friction: float, times: list[float]) -> Run:
        sim = ss.Simulator(ss.from_string(fs.slope_on_feet(friction), format="yaml"), **self.options[setting])
        return self.follow(sim, lambda: sim.body("box0").position, times)

    def hold(self, setting: str, g: gr.Grasp, times: list[float]) -> Run:
        sim = ss.Simulator(ss.from_string(gr.to_yaml(g), format="yaml"), **self.options[setting])
        return self.follow(sim, lambda: fs.seen_from(sim, "carriage", "cylinder"), times)

    @staticmethod
    def follow(sim: ss.Simulator, place: Callable[[], fs.Array], times: list[float]) -> Run:
        began, places, error = time.process_time(), [], ""
        try:
            for t in times:
                sim.advance_to(t)
                places.append(place().tolist())
        except ss.SimulationStopped as stopped:
            error = str(stopped)
        return {"places": places, "seconds": time.process_time() - began, "depth": float(max(sim.contacts["depth"], default=0.0)), "error": error}

    def close(self) -> None:
        pass


class MuJoCo(Engine):
    def __init__(self) -> None:
        import friction_mujoco

        self.engine = friction_mujoco
        self.name, self.settings, self.version = "MuJoCo", list(friction_mujoco.SETTINGS), friction_mujoco.version()

    def slope(self, setting: str, friction: float, times: list[float]) -> Run:
        return self.engine.slope(setting, friction, times)

    def hold(self, setting: str, g: gr.Grasp, times: list[float]) -> Run:
        return self.engine.hold(setting, g, times)


class Drake(Engine):
    """In its own process, which lives as long as this object."""

    def __init__(self) -> None:
        self.process = DrakeProcess(HERE / "friction_drake.py")
        self.name, self.settings, self.version = "Drake", list(DRAKE), ""

    def ask(self, setting: str, task: dict[str, Any]) -> Run:
        method, parameter = DRAKE[setting]
        out = self.process.ask({"method": method, "parameter": parameter, **task})
        self.version = out.pop("version")
        return out

    def slope(self, setting: str, friction: float, times: list[float]) -> Run:
        numbers = {
            "gravity": fs.tilted(fs.ANGLE), "side": fs.SIDE, "height": fs.SLOPE_HEIGHT, "feet": fs.FEET,
            "stiffness": fs.SLOPE_STIFFNESS / 4, "dissipation": fs.SLOPE_DISSIPATION, "friction": friction,
        }  # fmt: skip
        return self.ask(setting, {"slope": numbers, "times": times})

    def hold(self, setting: str, g: gr.Grasp, times: list[float]) -> Run:
        return self.ask(setting, {"grasp": g, "times": times})

    def close(self) -> None:
        self.process.close()


def find(group: str) -> Engine | None:
    """None where it is not installed."""
    if group == "anchored":
        return Engine("ours", ANCHORED)
    if group == "regularized":
        return Engine("ours", REGULARIZED)
    if group == "mujoco":
        return MuJoCo() if importlib.util.find_spec("mujoco") else None
    return Drake() if drake_version() else None


GROUPS = ("anchored", "regularized", "mujoco", "drake")
