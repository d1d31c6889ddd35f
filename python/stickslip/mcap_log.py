"""Runs as MCAP logs: poses, states, energies, contacts and steps as JSON messages. Needs the package mcap."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._stickslip import Simulator, Trajectory

if TYPE_CHECKING:
    from mcap.writer import Writer

_NANOSECONDS = 1_000_000_000
_AXES = ("x", "y", "z")
_MODES = ("open", "stick", "slip")

_NUMBER = {"type": "number"}
_VECTOR = {"type": "object", "properties": {axis: _NUMBER for axis in _AXES}}
_TIME = {"type": "object", "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}}
_TRANSFORM = {
    "type": "object",
    "properties": {
        "timestamp": _TIME,
        "parent_frame_id": {"type": "string"},
        "child_frame_id": {"type": "string"},
        "translation": _VECTOR,
        "rotation": {"type": "object", "properties": {name: _NUMBER for name in ("x", "y", "z", "w")}},
    },
}
_CONTACT = {
    "type": "object",
    "properties": {
        "body_a": {"type": "string"},
        "body_b": {"type": "string"},
        "mode": {"type": "string"},
        "depth": _NUMBER,
        "largest_force": _NUMBER,
        "largest_pair_force": _NUMBER,
        **{name: _VECTOR for name in ("point", "normal", "force", "slip")},
    },
}
# Topic: name of the schema, properties of a message. The first is the schema by which Foxglove knows poses.
_TOPICS: dict[str, tuple[str, dict[str, Any]]] = {
    "/tf": ("foxglove.FrameTransforms", {"transforms": {"type": "array", "items": _TRANSFORM}}),
    "/state": ("stickslip.State", {part: {"type": "object"} for part in ("q", "v", "ctrl")}),
    "/energy": ("stickslip.Energy", {name: _NUMBER for name in ("kinetic", "potential", "elastic", "total")}),
    "/contacts": ("stickslip.Contacts", {"contacts": {"type": "array", "items": _CONTACT}}),
    "/step": ("stickslip.Step", {"h": _NUMBER, "error": _NUMBER}),
}


def write_mcap(run: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the run as an MCAP log; times are simulated times. What was there stays until it is whole."""
    writer_of = writer_class()
    unfinished = Path(f"{os.fspath(path)}.part")
    try:
        with unfinished.open("wb") as file:
            _write(run, writer_of(file))
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def writer_class() -> type[Writer]:
    try:
        from mcap.writer import Writer
    except ImportError as error:
        raise ImportError("for MCAP: pip install mcap, or 'stickslip[mcap]'", name="mcap") from error
    return Writer


def _write(run: Trajectory, writer: Writer) -> None:
    writer.start(profile="", library="stickslip")
    channels = {}
    for topic, (name, properties) in _TOPICS.items():
        schema = json.dumps({"type": "object", "properties": properties}).encode()
        identity = writer.register_schema(name=name, encoding="jsonschema", data=schema)
        channels[topic] = writer.register_channel(topic=topic, message_encoding="json", schema_id=identity)
    for time, topic, message in _messages(run):
        stamp = round(time * _NANOSECONDS)
        data = json.dumps(message).encode()
        writer.add_message(channel_id=channels[topic], log_time=stamp, publish_time=stamp, data=data)
    writer.finish()  # type: ignore[no-untyped-call]


def _messages(run: Trajectory) -> Iterator[tuple[float, str, dict[str, Any]]]:
    model, energy = run.model, run.energy
    parts = {name: getattr(energy, name) for name in ("kinetic", "potential", "elastic", "total")}
    simulator = _like(run)  # for its poses
    for i, time in enumerate(run.t.tolist()):
        simulator.time = time
        simulator.q = run.q[i]
        simulator.mocap = run.mocap[i]
        yield time, "/tf", {"transforms": _transforms(simulator, time)}
        named = {
            "q": dict(zip(model.q_names, run.q[i].tolist(), strict=True)),
            "v": dict(zip(model.v_names, run.v[i].tolist(), strict=True)),
            "ctrl": dict(zip(model.actuator_names, run.ctrl[i].tolist(), strict=True)),
        }
        yield time, "/state", named
        yield time, "/energy", {name: float(values[i]) for name, values in parts.items()}
        yield time, "/contacts", {"contacts": [_contact(contact, model.body_names) for contact in run.contacts_at(i)]}
    for step in run.steps:
        yield float(step["time"] + step["h"]), "/step", {"h": float(step["h"]), "error": float(step["error"])}


def _like(run: Trajectory) -> Simulator:
    options: dict[str, Any] = run.options
    return Simulator(run.model, **{name: options[name] for name in ("method", "accuracy", "time_step", "friction")})


def _transforms(simulator: Simulator, time: float) -> list[dict[str, Any]]:
    seconds, nanoseconds = divmod(round(time * _NANOSECONDS), _NANOSECONDS)
    stamp = {"sec": seconds, "nsec": nanoseconds}
    out = []
    for name in simulator.model.body_names[1:]:
        body = simulator.body(name)
        w, x, y, z = body.quaternion.tolist()
        out.append(
            {
                "timestamp": stamp,
                "parent_frame_id": "world",
                "child_frame_id": name,
                "translation": _vector(body.position),
                "rotation": {"x": x, "y": y, "z": z, "w": w},
            }
        )
    return out


def _contact(contact: np.void, names: list[str]) -> dict[str, Any]:
    vectors = {field: _vector(contact[field]) for field in ("point", "normal", "force", "slip")}
    bodies = {side: names[contact[side]] for side in ("body_a", "body_b")}
    numbers = {field: float(contact[field]) for field in ("depth", "largest_force", "largest_pair_force")}
    return {**bodies, "mode": _MODES[contact["mode"]], **numbers, **vectors}


def _vector(values: Any) -> dict[str, float]:
    return dict(zip(_AXES, map(float, values), strict=True))
