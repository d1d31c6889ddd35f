"""The JSON schema of scene files agrees with the examples, with the reference page and with the reader."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
PAGE = (ROOT / "docs" / "formats" / "scene_yaml.md").read_text()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


class Yaml12Loader(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML reads YAML 1.1, where 1e6 and 1.0e5 are words. Scene files are YAML 1.2."""


Yaml12Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$"), list("-+.0123456789")
)


def load(text: str) -> Any:
    return yaml.load(text, Loader=Yaml12Loader)  # noqa: S506


def blocks() -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def properties(node: Any) -> set[str]:
    """Every key that the schema gives a meaning."""
    if isinstance(node, list):
        return set().union(*map(properties, node))
    if not isinstance(node, dict):
        return set()
    own = set(node.get("properties", {}))
    return own.union(*(properties(value) for value in node.values()))


def test_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda f: f.stem)
def test_examples_satisfy_the_schema(file: Path) -> None:
    VALIDATOR.validate(load(file.read_text()))


@pytest.mark.parametrize("block", blocks())
def test_snippets_of_the_reference_satisfy_the_schema(block: str) -> None:
    VALIDATOR.validate(load(block))


@pytest.mark.parametrize(
    "text",
    [
        "gravitas: [0, 0, 0]",
        "gravity: [0, 0]",
        "gravity: 9.81",
        "materials: {m: {stiffness: -1}}",
        "materials: {m: {friction: {dynamic: 1}}}",
        "bodies: [{mass: 1}]",
        "bodies: [{name: b}]",
        "bodies: [{name: world, fixed: true}]",
        "bodies: [{name: b, mass: 1, density: 1}]",
        "bodies: [{name: b, mass: heavy}]",
        "bodies: [{name: b, density: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]",
        "bodies: [{name: b, fixed: true, geometry: [{}]}]",
        "bodies: [{name: b, fixed: true, geometry: [{sphere: {radius: 1}, half_space: {}}]}]",
        "bodies: [{name: b, fixed: true, geometry: [{box: {size: [1, 1]}}]}]",
        "bodies: [{name: b, fixed: true, geometry: [{mesh: {file: a.obj, convex: false, decompose: true}}]}]",
        "bodies: [{name: b, fixed: true, geometry: [{mesh: {file: a.obj, decompose: {threshold: 2}}}]}]",
        "bodies: [{name: b, motion: {amplitude: 1, frequency: 1, velocity: 1}}]",
        "bodies: [{name: b, fixed: true, pose: {quaternion: [1, 0, 0, 0], rpy: [0, 0, 0]}}]",
        "joints: [{name: j, type: hinge, child: b}]",
        "joints: [{name: j, type: screw, child: b}]",
        "joints: [{name: j, type: ball, child: b, motion: {velocity: 1}}]",
        "actuators: [{name: a, type: motor}]",
        "actuators: [{name: a, joint: j, type: position}]",
        "constraints: [{type: distance, body_a: b}]",
        "include: [{prefix: left_}]",
        "simulation: {accuracy: 1e-3, time_step: 1e-3}",
    ],
)
def test_bad_scenes_fail(text: str) -> None:
    assert not VALIDATOR.is_valid(load(text))


def test_every_key_is_in_the_reference() -> None:
    missing = {key for key in properties(SCHEMA) if not re.search(rf"\b{key}\b", PAGE)}
    assert not missing


def test_schema_and_reader_know_the_same_keys() -> None:
    sources = (f for f in (ROOT / "src" / "stickslip" / "scene").glob("yaml*.cc") if not f.name.endswith("_test.cc"))
    text = "\n".join(f.read_text() for f in sources)
    literals = set(re.findall(r'"([a-z_0-9]+)"', text))
    keys = properties(SCHEMA)
    # Keys that the reader puts together from two words.
    composed = {"joint_a", "joint_b", "tendon_b"}
    assert keys - literals <= composed
    asked = re.findall(r"\b(?:find|require|number|flag|text|vector|axis|pose|range|has|\w+_number|\w+_text|integer)\(\"(\w+)\"", text)
    assert set(asked) <= keys
