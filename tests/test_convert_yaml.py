"""stickslip convert to scene files: what comes out is the scene that went in, and comes out of itself to the letter."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import numpy as np
import pytest

import stickslip as ss
from convert_scenes import (
    ACTUATORS,
    CONSTRAINTS,
    EVERY_JOINT,
    ROOT,
    SCENES,
    STATIC_PARENT,
    convert_robot,
    convert_text,
    every_robot,
    scene_name,
)
from oracles.convert_oracle import Conversion, compare_models, convert
from test_schema import load as load_yaml

SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "scene.schema.json").read_text()))
# Relative: rotations are written to 15 decimals, then some hundred operations.
YAML_TOLERANCE = 1e-12


def check_yaml(model: ss.Model, conversion: Conversion, tmp_path: Path) -> ss.Model:
    text = conversion.path.read_text()
    SCHEMA.validate(load_yaml(text))
    back = ss.load(conversion.path)
    if "repaired-inertia" not in conversion.codes:
        differences = compare_models(model, back)
        assert max(differences.values()) < YAML_TOLERANCE, differences
    again = convert(conversion.path, tmp_path / "again" / "out.yaml")  # by the same name: it is in the names of assets
    assert again.path.read_text() == text
    assert not again.codes - {warning.code for warning in back.warnings}
    return back


def final_state(model: ss.Model) -> np.ndarray:
    simulator = ss.Simulator(model, method="anchored", time_step=2e-3, solver_tolerance=1e-13)
    simulator.advance_to(0.2)
    return np.concatenate([simulator.q, simulator.v])


@pytest.mark.parametrize("path", SCENES, ids=scene_name)
def test_scenes_survive_as_scene_files(path: Path, tmp_path: Path) -> None:
    conversion = convert(path, tmp_path / "out.yaml")
    assert not conversion.codes & {"contact-units", "world-geometry"}
    model = ss.load(path)
    back = check_yaml(model, conversion, tmp_path)
    # Rotations change in the fifteenth decimal. I5's rod, which jams, makes 9e-10 of a change of 1e-15 at its start.
    assert np.allclose(final_state(back), final_state(model), rtol=0, atol=1e-8)


@every_robot
def test_robots_survive_as_scene_files(path: Path, floating: bool, tmp_path: Path) -> None:
    check_yaml(*convert_robot(path, floating, tmp_path / "out.yaml"), tmp_path)


def test_a_scene_without_rotations_survives_bit_by_bit(tmp_path: Path) -> None:
    source = ROOT / "examples" / "bouncing_ball.yaml"
    conversion = convert(source, tmp_path / "out.yaml")
    assert not conversion.notes
    assert np.array_equal(final_state(ss.load(conversion.path)), final_state(ss.load(source)))


@pytest.mark.parametrize("text", [EVERY_JOINT, ACTUATORS, CONSTRAINTS], ids=["joints", "actuators", "constraints"])
def test_every_kind_survives_as_a_scene_file(text: str, tmp_path: Path) -> None:
    conversion = convert_text(text, tmp_path, "out.yaml")
    assert not conversion.notes
    check_yaml(ss.load(tmp_path / "in.yaml"), conversion, tmp_path)


def test_mjcf_contacts_become_the_same_newtons(tmp_path: Path) -> None:
    """Equal parameters, unequal masses: a pile on a plane has the same forces as scene file and as MJCF."""
    ball = '<body pos="0 0 {z}"><freejoint/><geom size="0.1" mass="{m}"/></body>'
    xml = '<mujoco><worldbody><geom type="plane" size="1 1 1"/>{}{}</worldbody></mujoco>'
    conversion = convert_text(xml.format(ball.format(z=0.1, m=2), ball.format(z=0.3, m=0.5)), tmp_path, "out.yaml", "in.xml")
    assert {"contact-units", "world-geometry"} == conversion.codes
    assert np.allclose(final_state(ss.load(conversion.path)), final_state(ss.load(tmp_path / "in.xml")), rtol=0, atol=1e-9)


def test_pairs_of_mjcf_become_the_same_newtons(tmp_path: Path) -> None:
    ball = '<body pos="0 0 0.1"><joint type="slide" axis="0 0 1"/><geom name="ball" size="0.1" mass="2" contype="0"/></body>'
    pair = '<contact><pair geom1="floor" geom2="ball" solref="0.01 0.5" friction="0.3"/></contact>'
    xml = f'<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>{ball}</worldbody>{pair}</mujoco>'
    conversion = convert_text(xml, tmp_path, "out.yaml", "in.xml")
    assert np.allclose(final_state(ss.load(conversion.path)), final_state(ss.load(tmp_path / "in.xml")), rtol=0, atol=1e-9)


def test_static_bodies_of_mjcf_still_collide_with_what_they_carry(tmp_path: Path) -> None:
    conversion = convert_text(STATIC_PARENT, tmp_path, "out.yaml", "in.xml")
    states = [final_state(ss.load(path)) for path in (conversion.path, tmp_path / "in.xml")]
    assert np.allclose(*states, rtol=0, atol=1e-9)
    assert states[0][0] > 0.01  # pushed away
