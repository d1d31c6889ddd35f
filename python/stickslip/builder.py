"""Scenes made in Python, with the words of scene files: docs/formats/scene_yaml.md says what they mean.

>>> scene = ss.Scene()
>>> for i in range(10):
...     scene.body(f"ball{i}", density=1000, pose={"position": [0, 0, 0.2 * i]}, geometry=[{"sphere": {"radius": 0.05}}])
>>> model = scene.compile()
"""

from __future__ import annotations

import difflib
import os
import re
import reprlib
import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, SupportsFloat, TypeAlias

import numpy as np

from . import _yaml
from ._stickslip import Model, from_string
from .errors import ModelError

Number: TypeAlias = SupportsFloat  # Python's and numpy's
Flag: TypeAlias = "bool | np.bool_"
Numbers: TypeAlias = Iterable[SupportsFloat]  # lists, tuples, arrays, generators
Map: TypeAlias = Mapping[str, Any]
File: TypeAlias = "str | os.PathLike[str]"

# The sections of a scene file that hold elements, in the order in which they are written, and what one of them is called.
_SECTIONS = {
    "materials": "material",
    "bodies": "body",
    "joints": "joint",
    "tendons": "tendon",
    "actuators": "actuator",
    "constraints": "constraint",
    "frames": "frame",
    "contact_pairs": "contact pair",
    "exclusions": "exclusion",
    "keyframes": "keyframe",
    "include": "include",
}
_NOT_KEYS = frozenset({"self", "unknown", "folder"})  # arguments that are no keys of the file


class _Place(NamedTuple):
    """Where an element was added."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class _Element(NamedTuple):
    keys: dict[str, _yaml.Plain]
    place: _Place


class Scene:
    """A scene to which elements are added one by one; `compile` makes a model of it.

    Numbers may be Python's or numpy's; lists may be tuples, arrays or generators. What is added is copied. Files are relative
    to `folder`. What is wrong is a ModelError with the file and line of the call that said it.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        gravity: Numbers | None = None,
        filter_parent_child: Flag | None = None,
        folder: File = ".",
        **unknown: NoReturn,
    ) -> None:
        self._header = _element("the scene", locals())
        self._folder = os.fspath(folder)
        self._sections: dict[str, list[_Element]] = {section: [] for section in _SECTIONS}
        self._names: dict[tuple[str, str], _Place] = {}
        self._simulation: _Element | None = None

    def material(
        self,
        name: str,
        *,
        stiffness: Number | None = None,
        dissipation: Number | None = None,
        relaxation_time: Number | None = None,
        youngs_modulus: Number | None = None,
        poisson_ratio: Number | None = None,
        friction: Number | Map | None = None,
        stiction_tolerance: Number | None = None,
        grain: Map | None = None,
        **unknown: NoReturn,
    ) -> str:
        """A surface, which geometries refer to by its name."""
        self._add("materials", locals())
        return name

    def body(
        self,
        name: str,
        *,
        mass: Number | None = None,
        density: Number | None = None,
        inertia: Map | None = None,
        center: Numbers | None = None,
        pose: Map | None = None,
        velocity: Map | None = None,
        fixed: Flag | None = None,
        mocap: Flag | None = None,
        motion: Map | None = None,
        gravity_scale: Number | None = None,
        geometry: Iterable[Map] | None = None,
        **unknown: NoReturn,
    ) -> str:
        """A rigid body; q follows their order. It is free, unless it has a joint or is fixed, mocap or in motion."""
        self._add("bodies", locals())
        return name

    def joint(
        self,
        name: str,
        *,
        type: str,
        parent: str | None = None,
        child: str,
        pose: Map | None = None,
        child_pose: Map | None = None,
        axis: Numbers | None = None,
        axis2: Numbers | None = None,
        pitch: Number | None = None,
        position: Number | Numbers | None = None,
        velocity: Number | Numbers | None = None,
        reference: Number | None = None,
        damping: Number | None = None,
        stiffness: Number | None = None,
        spring_reference: Number | None = None,
        armature: Number | None = None,
        dry_friction: Number | None = None,
        limits: Map | None = None,
        motion: Map | None = None,
        **unknown: NoReturn,
    ) -> str:
        """A joint, which moves `child` in `parent`, the world by default."""
        self._add("joints", locals())
        return name

    def tendon(
        self,
        name: str,
        *,
        joints: Mapping[str, Number],
        stiffness: Number | None = None,
        damping: Number | None = None,
        dry_friction: Number | None = None,
        rest: Number | Map | None = None,
        limits: Map | None = None,
        **unknown: NoReturn,
    ) -> str:
        """A tendon: its length is a sum of coefficient times position over `joints`."""
        self._add("tendons", locals())
        return name

    def actuator(
        self,
        name: str,
        *,
        joint: str | None = None,
        tendon: str | None = None,
        type: str,
        kp: Number | None = None,
        kd: Number | None = None,
        kv: Number | None = None,
        gain: Numbers | None = None,
        bias: Numbers | None = None,
        gear: Number | Numbers | None = None,
        effort_limit: Number | None = None,
        force_limits: Map | None = None,
        control_limits: Map | None = None,
        control: Number | None = None,
        **unknown: NoReturn,
    ) -> str:
        """A drive of a joint or a tendon; `ctrl` follows their order."""
        self._add("actuators", locals())
        return name

    def constraint(
        self,
        name: str | None = None,
        *,
        type: str,
        active: Flag | None = None,
        body_a: str | None = None,
        body_b: str | None = None,
        pose_a: Map | None = None,
        pose_b: Map | None = None,
        length: Number | None = None,
        stiffness: Number | None = None,
        dissipation: Number | None = None,
        rotational_stiffness: Number | None = None,
        rotational_dissipation: Number | None = None,
        time_scale: Number | None = None,
        damping_ratio: Number | None = None,
        joint_a: str | None = None,
        joint_b: str | None = None,
        tendon_a: str | None = None,
        tendon_b: str | None = None,
        coefficients: Numbers | None = None,
        **unknown: NoReturn,
    ) -> None:
        """A weld, ball, distance or coupler."""
        self._add("constraints", locals())

    def frame(self, name: str, *, body: str | None = None, pose: Map | None = None, **unknown: NoReturn) -> str:
        """A named place on a body, or in the world."""
        self._add("frames", locals())
        return name

    def contact_pair(self, geometry_a: str, geometry_b: str, *, material: str | None = None, **unknown: NoReturn) -> None:
        """Two geometries that collide whatever the filters say."""
        self._add("contact_pairs", locals())

    def exclusion(self, body_a: str, body_b: str, **unknown: NoReturn) -> None:
        """Two bodies that do not collide."""
        self._add("exclusions", locals())

    def keyframe(
        self,
        name: str,
        *,
        time: Number | None = None,
        q: Numbers | None = None,
        v: Numbers | None = None,
        ctrl: Numbers | None = None,
        **unknown: NoReturn,
    ) -> str:
        """A named state."""
        self._add("keyframes", locals())
        return name

    def include(
        self,
        file: File,
        *,
        prefix: str | None = None,
        pose: Map | None = None,
        base: str | None = None,
        material: str | None = None,
        joints: Map | None = None,
        **unknown: NoReturn,
    ) -> None:
        """Another scene, URDF or MJCF. Its bodies follow those of this scene, whenever they are added."""
        self._add("include", locals())

    def simulation(
        self,
        *,
        method: str | None = None,
        accuracy: Number | None = None,
        time_step: Number | None = None,
        file_time_step: Number | None = None,
        until: Number | None = None,
        friction: str | None = None,
        **unknown: NoReturn,
    ) -> None:
        """How to simulate, unless the caller of the simulation says otherwise. To be said once."""
        said = _element("simulation", locals())
        if self._simulation:
            fix = "say it in one call"
            raise _error("duplicate-key", said.place, f"simulation was said at {self._simulation.place}", "", fix)
        self._simulation = said

    def compile(self, *, package_path: Sequence[File] = ()) -> Model:
        """The model, as `ss.load` makes it of the same scene in a file."""
        text, starts, places = self._write(self._folder)
        try:
            return from_string(text, folder=self._folder, package_path=[os.fspath(path) for path in package_path])
        except ModelError as error:
            raise _at_call(error, starts, places) from None

    def to_yaml(self) -> str:
        """The scene as the text of a scene file."""
        return self._write(self._folder)[0]

    def save(self, file: File) -> None:
        """Writes a scene file. Files that it names are where they were: relative names are rewritten for its folder."""
        path = Path(file)
        path.write_text(self._write(os.fspath(path.parent))[0], encoding="utf-8")

    def __repr__(self) -> str:
        counts = [f"{section} {len(elements)}" for section, elements in self._sections.items() if elements]
        return f"<Scene {self._header.keys.get('name', '')}: {', '.join(counts) or 'empty'}>"

    def _add(self, section: str, said: dict[str, Any]) -> None:
        kind = _SECTIONS[section]
        name = said.get("name")
        element = _element(f"{kind} '{name}'" if name is not None else f"the {kind}", said)
        if name is not None:
            first = self._names.setdefault((section, name), element.place)
            if first is not element.place:
                message = f"there is another {kind} '{name}' at {first}"
                raise _error("duplicate-name", element.place, message, name, "rename one of them")
        self._sections[section].append(element)

    def _write(self, folder: str) -> tuple[str, list[int], list[_Place]]:
        """The text for a file in `folder`; the lines at which its elements begin, counted from 1, and their places."""
        out: list[str] = []
        starts = [0]
        places = [self._header.place]  # also of what has no line

        def write(head: str, keys: _yaml.Plain, indent: int, place: _Place) -> None:
            starts.append(len(out) + 1)
            places.append(place)
            out.extend(_yaml.lines(head, keys, indent))

        for key, value in self._header.keys.items():
            out.extend(_yaml.lines(f"{key}: ", value, 0))
        for section, elements in self._sections.items():
            if elements:
                out.append(f"{section}:")
            for keys, place in elements:
                if folder != self._folder:
                    keys = {key: _yaml.moved(value, self._folder, folder) for key, value in keys.items()}
                if section == "materials":
                    rest = {key: value for key, value in keys.items() if key != "name"}
                    write(f"{_yaml.flow(keys.get('name'))}: ", rest, 2, place)
                else:
                    write("- ", keys, 2, place)
        if self._simulation:
            write("simulation: ", self._simulation.keys, 0, self._simulation.place)
        return "\n".join(out or ["{}"]) + "\n", starts, places


def _element(what: str, said: dict[str, Any]) -> _Element:
    """What the arguments of a call say, and where it stands. None says nothing."""
    place = _caller()
    for word in said["unknown"]:
        known = [key for key in said if key not in ("self", "unknown")]
        raise _error("unknown-key", place, f"{what} has no key '{word}'", word, _did_you_mean(word, known))
    keys: dict[str, _yaml.Plain] = {}
    for key, value in said.items():
        if value is None or key in _NOT_KEYS:
            continue
        try:
            keys[key] = _yaml.named(key, value)
        except ValueError as error:
            raise _error("bad-value", place, f"{key} of {what} contains {error}", reprlib.repr(value), "") from None
    if not isinstance(keys.get("name", ""), str):
        raise _error("bad-type", place, f"the name of {what} must be a text", repr(said["name"]), "use str(...) or f'...'")
    return _Element(keys, place)


def _caller() -> _Place:
    """The place outside this file from which it was called."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals is globals():
        frame = frame.f_back
    return _Place(frame.f_code.co_filename, frame.f_lineno)


def _did_you_mean(word: str, known: Sequence[str]) -> str:
    closest = difflib.get_close_matches(word, known, n=1)
    return f"did you mean '{closest[0]}'?" if closest else "there are " + ", ".join(f"'{name}'" for name in known)


def _error(code: str, place: _Place, message: str, text: str, fix: str) -> ModelError:
    story = f"{place}: {message} [{code}]" + (f"\n    {text}" if text else "") + (f"\n  fix: {fix}" if fix else "")
    return ModelError(story, code, place.file, place.line, 0, text, fix)


def _at_call(error: ModelError, starts: list[int], places: list[_Place]) -> ModelError:
    """The reader's error, with calls in place of lines of the text. Errors in other files stay where they are."""

    def place(line: int) -> _Place:
        return places[bisect_right(starts, line) - 1]

    story = re.sub(r"<memory>(?::(\d+))?(?::\d+)?", lambda found: str(place(int(found[1] or 0))), str(error))
    if error.file:
        return ModelError(story, error.code, error.file, error.line, error.column, error.text, error.fix)
    return ModelError(story, error.code, *place(error.line), 0, error.text, error.fix)
