"""Scenes made in Python: they say what scene files say, and errors name the line that said it."""

from __future__ import annotations

import copy
import inspect
import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml  # type: ignore[import-untyped]

import stickslip as ss

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
PAGE = (ROOT / "docs" / "formats" / "scene_yaml.md").read_text()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
HEADER = ("name", "gravity", "filter_parent_child")  # keys that the constructor takes
BALL: dict[str, Any] = {"density": 1000, "geometry": [{"sphere": {"radius": 0.05}}]}


class Yaml12Loader(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML reads YAML 1.1, where 1e6 and 1.0e5 are words. Scene files are YAML 1.2."""


Yaml12Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$"), list("-+.0123456789")
)


def parse(text: str) -> Any:
    return yaml.load(text, Loader=Yaml12Loader)  # noqa: S506


def elements() -> dict[str, str]:
    """The sections of a scene file that hold elements, and the definition of an element, after which its method is named."""
    found = {}
    for section, value in SCHEMA["properties"].items():
        reference = value.get("items", value.get("additionalProperties"))
        if isinstance(reference, dict) and "$ref" in reference:
            found[section] = reference["$ref"].removeprefix("#/$defs/")
    return found


def build(data: dict[str, Any], folder: Path) -> ss.Scene:
    """The same scene by calls."""
    scene = ss.Scene(**{key: data[key] for key in HEADER if key in data}, folder=folder)
    for name, keys in data.get("materials", {}).items():
        scene.material(name, **keys)
    for section, method in elements().items():
        if section != "materials":
            for keys in data.get(section, []):
                getattr(scene, method)(**keys)
    if "simulation" in data:
        scene.simulation(**data["simulation"])
    return scene


def facts(model: ss.Model) -> dict[str, Any]:
    """Enough to tell two models apart, to the last bit."""
    run = ss.simulate(model, until=0.02)
    return {
        "names": [model.body_names, model.joint_names, model.frame_names, model.actuator_names, model.keyframe_names],
        "start": [model.q0.tolist(), model.v0.tolist(), model.gravity.tolist()],
        "mass": model.mass_matrix(model.q0).tolist(),
        "keyframes": [model.keyframe(name).hash for name in model.keyframe_names],
        "warnings": [(warning.code, warning.message) for warning in model.warnings],
        "run": [run.report.method, run.report.steps, run.state.hash],
    }


def line() -> int:
    """Of the caller."""
    return sys._getframe(1).f_lineno


def test_every_section_has_a_method_with_the_keys_of_the_schema() -> None:
    for section, name in elements().items():
        parameters = inspect.signature(getattr(ss.Scene, name)).parameters
        extra = {"name"} if section == "materials" else set()  # a key of the section there
        assert set(parameters) - {"self", "unknown"} == set(SCHEMA["$defs"][name]["properties"]) | extra, name
        needed = {key for key, p in parameters.items() if p.default is p.empty} - {"self", "unknown"}
        assert needed == set(SCHEMA["$defs"][name].get("required", [])) | extra, name
    parameters = inspect.signature(ss.Scene.simulation).parameters
    assert set(parameters) - {"self", "unknown"} == set(SCHEMA["properties"]["simulation"]["properties"])
    constructor = set(inspect.signature(ss.Scene).parameters) - {"folder", "unknown"}
    assert set(SCHEMA["properties"]) == set(elements()) | constructor | {"simulation"}


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.yaml")), ids=lambda f: f.stem)
def test_what_is_built_equals_what_is_loaded(file: Path) -> None:
    data = parse(file.read_text())
    scene = build(data, EXAMPLES)
    assert parse(scene.to_yaml()) == data
    assert facts(scene.compile()) == facts(ss.load(file))


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_whatever_the_reference_shows_can_be_said(block: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STICKSLIP_CACHE", str(tmp_path))
    scene = build(parse(block), EXAMPLES)
    assert parse(scene.to_yaml()) == parse(block)
    try:
        expected = ss.from_string(block, folder=str(EXAMPLES))
    except ss.ModelError as error:
        assert error.code == "needs-decomposition"  # without CoACD
        return
    assert facts(scene.compile()) == facts(expected)


def test_a_saved_scene_loads_to_the_same_model_from_any_folder(tmp_path: Path) -> None:
    scene = ss.Scene("all_files", folder=EXAMPLES)
    scene.include(Path("arm.urdf"), prefix="left_")
    scene.include(EXAMPLES / "arm.urdf", prefix="right_", pose={"position": [0, 1, 0]})
    scene.body("part", density=1000, pose={"position": [0, 0, 3]}, geometry=[{"mesh": {"file": "wedge.obj"}}])
    table, heights = tmp_path / "table.csv", tmp_path / "heights.csv"
    table.write_text("0, 0\n1, 0.5\n")
    heights.write_text("0, 0\n0, 1\n")
    scene.body("lift", motion={"axis": [0, 0, 1], "table": table})
    scene.body("hill", fixed=True, geometry=[{"height_field": {"size": [1, 1], "heights": heights}}])
    (tmp_path / "deep").mkdir()
    scene.save(tmp_path / "deep" / "scene.yaml")
    assert facts(ss.load(tmp_path / "deep" / "scene.yaml")) == facts(scene.compile())
    assert [part["file"] for part in parse(scene.to_yaml())["include"]] == ["arm.urdf", str(EXAMPLES / "arm.urdf")]  # as given


def test_numbers_may_be_numpys_and_lists_any_iterable() -> None:
    plain, fancy = ss.Scene(gravity=[0, 0, -10]), ss.Scene(gravity=np.array([0, 0, -10], dtype=np.int32))
    plain.body("ball", mass=0.5, fixed=False, pose={"position": [0, 1, 2]}, geometry=[{"box": {"size": [1, 1, 0.25]}, "group": 3}])
    fancy.body(
        np.str_("ball"),
        mass=Fraction(1, 2),
        fixed=np.bool_(False),
        pose={"position": (i for i in range(3))},
        geometry=({"box": {"size": (np.float32(1), np.longdouble(1), 0.25)}, "group": np.uint8(3)},),
    )
    assert fancy.to_yaml() == plain.to_yaml()


def test_what_is_added_is_copied() -> None:
    scene = ss.Scene()
    position, geometry = np.zeros(3), [{"sphere": {"radius": 0.05}}]
    for i in range(2):
        position += [0, 0, 1]
        scene.body(f"ball{i}", density=1000, pose={"position": position}, geometry=geometry)
    geometry.clear()
    twin = copy.deepcopy(scene)
    twin.body("third", **BALL)
    assert scene.compile().q0[[2, 9]].tolist() == [1, 2]
    assert twin.compile().nq == 21


def test_numbers_keep_every_bit() -> None:
    random = np.random.default_rng(0)
    for highest, some in ((11.9, [0.1, -0.0, 1e12, 5e-324, -3.0, 123456789.0]), (300, [1e16, 1e22, 1.7e308])):  # of q, and of text
        numbers = np.concatenate([10.0 ** random.uniform(-300, highest, 99), some])
        scene = ss.Scene()
        for i, position in enumerate(numbers.reshape(-1, 3)):
            scene.body(f"ball{i}", pose={"position": position}, **BALL)
        if highest < 12:
            q = scene.compile().q0.reshape(-1, 7)[:, :3].ravel()
            assert q.tobytes() == numbers.tobytes()
        assert np.array([b["pose"]["position"] for b in parse(scene.to_yaml())["bodies"]]).ravel().tolist() == numbers.tolist()


def test_any_text_can_be_a_name() -> None:
    names = ["é", "a b", 'quo"te\\', "tab\t\n", "😀", "null", "~", "1e5", "yes", "#x", "a: b", "-", "{a, b}", " x ", "\x85\x7f\u2028"]
    scene = ss.Scene()
    for name in names:
        scene.body(name, fixed=True)
    assert scene.compile().body_names == ["world", *names]
    assert [body["name"] for body in parse(scene.to_yaml())["bodies"]] == names


def test_long_elements_are_written_on_several_lines() -> None:
    scene = ss.Scene(name="stairs")
    steps = [{"box": {"size": [1, 0.3, 0.2]}, "pose": {"position": [0, 0.3 * i, 0.2 * i]}} for i in range(3)]
    scene.body("stairs", fixed=True, geometry=steps)
    scene.material("ice", friction=0.03)
    assert scene.to_yaml() == (
        "name: stairs\n"
        "materials:\n"
        "  ice: {friction: 0.03}\n"
        "bodies:\n"
        "  - name: stairs\n"
        "    fixed: true\n"
        "    geometry:\n"
        "      - {box: {size: [1, 0.3, 0.2]}, pose: {position: [0, 0, 0]}}\n"
        "      - {box: {size: [1, 0.3, 0.2]}, pose: {position: [0, 0.3, 0.2]}}\n"
        "      - {box: {size: [1, 0.3, 0.2]}, pose: {position: [0, 0.6, 0.4]}}\n"
    )


def test_an_empty_scene_is_a_scene() -> None:
    assert ss.Scene().compile().body_names == ["world"]
    assert repr(ss.Scene("void")) == "<Scene void: empty>"


def test_a_thousand_bodies_from_a_loop_stand_where_they_were_put() -> None:
    scene = ss.Scene()
    positions = np.random.default_rng(0).normal(size=(1000, 3))
    names = [scene.body(f"ball{i}", pose={"position": p}, **BALL) for i, p in enumerate(positions)]
    model = scene.compile()
    assert model.body_names == ["world", *names]
    assert np.array_equal(model.q0.reshape(-1, 7)[:, :3], positions)
    assert repr(scene) == "<Scene : bodies 1000>"


def test_names_that_calls_return_join_elements() -> None:
    scene = ss.Scene()
    rubber = scene.material("rubber", friction=1)
    door = scene.body("door", density=500, geometry=[{"box": {"size": [0.9, 0.04, 2]}, "material": rubber}])
    hinge = scene.joint("hinge", type="revolute", child=door)
    cable = scene.tendon("cable", joints={hinge: 0.1})
    scene.actuator("winch", tendon=cable, type="motor")
    scene.frame("handle", body=door)
    model = scene.compile()
    assert (model.joint_names, model.actuator_names, model.frame_names) == (["hinge"], ["winch"], ["handle"])


@pytest.mark.parametrize(
    ("method", "keys", "code", "fix"),
    [
        ("body", {"geomtry": []}, "unknown-key", "did you mean 'geometry'?"),
        ("material", {"colour": 1}, "unknown-key", "there are 'name', 'stiffness'"),
        ("joint", {"type": "revolute", "child": "x", "axes": [0, 0, 1]}, "unknown-key", "did you mean 'axis'?"),
        ("body", {"mass": float("nan")}, "bad-value", ""),
        ("body", {"pose": {"position": np.full(3, np.nan)}}, "bad-value", ""),
        ("body", {"mass": 1j}, "bad-value", ""),
        ("body", {"mass": np.array([1j])}, "bad-value", ""),
        ("body", {"center": {1, 2, 3}}, "bad-value", ""),
        ("body", {"geometry": [b"sphere"]}, "bad-value", ""),
        ("body", {"pose": {1: 2}}, "bad-value", ""),
        ("body", {"name": 7, "fixed": True}, "bad-type", "use str(...) or f'...'"),
    ],
)
def test_what_no_scene_can_say_is_refused_at_the_call(method: str, keys: dict[str, Any], code: str, fix: str) -> None:
    scene = ss.Scene()
    with pytest.raises(ss.ModelError) as caught:
        getattr(scene, method)(**{"name": "x", **keys})
    assert (caught.value.code, caught.value.file, caught.value.line) == (code, __file__, line() - 1)
    assert caught.value.fix.startswith(fix) and caught.value.text
    assert scene.compile().body_names == ["world"]  # nothing was added


def test_unknown_arguments_of_the_constructor_are_refused() -> None:
    with pytest.raises(ss.ModelError, match=r"did you mean 'gravity'\?"):
        ss.Scene(gravty=[0, 0, 0])  # type: ignore[arg-type]
    with pytest.raises(ss.ModelError, match=r"did you mean 'folder'\?"):
        ss.Scene(foldr=".")  # type: ignore[arg-type]


def test_a_name_given_twice_names_both_calls() -> None:
    scene = ss.Scene()
    scene.body("ball", **BALL), scene.joint("ball", type="free", child="ball")  # names of different kinds may agree
    first = line() - 1
    with pytest.raises(ss.ModelError, match=f"there is another body 'ball' at {re.escape(__file__)}:{first} ") as caught:
        scene.body("ball", **BALL)
    assert caught.value.code == "duplicate-name" and caught.value.line == first + 3
    scene.simulation(until=1)
    with pytest.raises(ss.ModelError, match=f"simulation was said at {re.escape(__file__)}:{line() - 1}"):
        scene.simulation(accuracy=1e-3)


@pytest.mark.parametrize(
    ("keys", "code", "fix"),
    [
        ({"mass": True}, "bad-number", ""),
        ({"mass": "1"}, "bad-type", ""),
        ({"mass": -1}, "bad-value", ""),
        ({"mass": np.inf}, "bad-value", ""),
        ({"mass": 1, "pose": {"positon": [0, 0, 0]}}, "unknown-key", "did you mean 'position'?"),
        ({"mass": 1, "geometry": [{"sphre": {"radius": 1}}]}, "unknown-key", "did you mean 'sphere'?"),
        ({"mass": 1, "pose": {"position": np.zeros((3, 1))}}, "bad-type", ""),
        ({"density": 1, "geometry": [{"sphere": {"radius": 1}, "material": "ruber"}]}, "unknown-material", "did you mean 'rubber'?"),
        ({"fixed": True, "geometry": [*({"sphere": {"radius": r}} for r in range(1, 9)), {}]}, "no-shape", ""),  # several lines
    ],
)
def test_what_the_reader_refuses_names_the_call(keys: dict[str, Any], code: str, fix: str) -> None:
    scene = ss.Scene(name="with a header", gravity=[0, 0, -1])
    scene.material("rubber", friction=1)
    scene.body("before", **BALL)
    scene.body("wrong", **keys)
    wrong = line() - 1
    scene.body("after", **BALL)
    scene.simulation(until=1)
    with pytest.raises(ss.ModelError) as caught:
        scene.compile()
    error = caught.value
    assert (error.code, error.file, error.line, error.column) == (code, __file__, wrong, 0)
    assert str(error).startswith(f"{__file__}:{wrong}: ") and "<memory>" not in str(error)
    assert error.fix.startswith(fix)


def test_the_header_is_the_constructors_and_unknown_joints_the_actuators() -> None:
    scene = ss.Scene(gravity=[0, 0])
    with pytest.raises(ss.ModelError) as caught:
        scene.compile()
    assert caught.value.line == line() - 3
    scene = ss.Scene()
    scene.actuator("drive", joint="nothing", type="motor")
    with pytest.raises(ss.ModelError, match="nothing") as caught:
        scene.compile()
    assert caught.value.line == line() - 3


def test_errors_in_included_files_stay_there_and_name_the_call_that_clashes() -> None:
    scene = ss.Scene(folder=EXAMPLES)
    scene.body("left_base", fixed=True)
    clash = line() - 1
    scene.include("arm.urdf", prefix="left_")
    with pytest.raises(ss.ModelError) as caught:
        scene.compile()
    assert caught.value.file.endswith("arm.urdf") and caught.value.line > 0
    assert f"another body 'left_base' at {__file__}:{clash} " in str(caught.value)


def test_every_file_that_the_schema_knows_follows_the_scene(tmp_path: Path) -> None:
    keys = set(re.findall(r'"(\w+)": {\s*"description": "(?:File\b|[^"]*name of a CSV file)', json.dumps(SCHEMA)))
    assert keys == {"file", "heights", "table"}
    scene = ss.Scene()
    scene.body("any", motion={key: "x" for key in keys})
    scene.save(tmp_path / "scene.yaml")
    moved = parse((tmp_path / "scene.yaml").read_text())["bodies"][0]["motion"]
    assert {(tmp_path / name).resolve() for name in moved.values()} == {Path("x").resolve()}
