"""Links of a URDF that overlap where the robot starts: they do not push each other, here and in what it is converted to."""

from __future__ import annotations

import json
from pathlib import Path

import mujoco
import pytest

import stickslip as ss
from command_line import run
from oracles.robot_files import SITE

PANDA = SITE / "cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf"
PAIRS = {("panda_link5", "panda_link7"), ("panda_link5", "panda_hand")}


def pushes(model: ss.Model) -> set[tuple[str, str]]:
    """Which bodies are deep in each other at the start, and push each other. A Panda's fingers just touch."""
    simulator = ss.Simulator(model, method="lagged", time_step=1e-6)
    simulator.step()
    return {(model.body_names[c["body_a"]], model.body_names[c["body_b"]]) for c in simulator.contacts if c["depth"] > 1e-3}


def test_a_panda_is_not_pushed_about_by_the_hull_of_its_forearm() -> None:
    assert pushes(ss.load(PANDA)) == set()
    assert pushes(ss.load(PANDA, repair=False)) == PAIRS
    wrist = []
    for options in ({}, {"method": "rk4"}):  # which knows no contact
        arm = ss.Simulator(ss.load(PANDA), **options)
        arm.advance_to(0.01)
        wrist.append(arm.v[5])
    # Gravity turns the wrist down; thrown up by the contact it has 1.4 rad/s. The rest is dry friction, of all joints.
    assert wrist[0] == pytest.approx(wrist[1], rel=0.05)


def test_each_pair_is_reported() -> None:
    said = json.loads(run("check", PANDA, "--json").stdout)["warnings"]
    overlaps = [warning for warning in said if warning["code"] == "overlapping-links"]
    for a, b in PAIRS:
        assert any(f"link '{b}' overlaps '{a}' by" in warning["message"] for warning in overlaps)
    assert all(warning["line"] > 1 for warning in overlaps)


def test_a_heap_of_links_is_one_warning_a_link(tmp_path: Path) -> None:
    link = """<link name="l{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="1"/></geometry></collision></link><joint name="j{0}" type="continuous"><parent link="base"/><child link="l{0}"/></joint>"""
    heap = tmp_path / "heap.urdf"
    heap.write_text('<robot name="heap"><link name="base"/>' + "".join(link.format(i) for i in range(20)) + "</robot>")
    messages = [warning.message for warning in ss.Simulator(ss.load(heap)).report.warnings if warning.code == "overlapping-links"]
    assert len(messages) == 19
    assert messages[-1].count("by 2e+03 mm") == 10
    assert messages[-1].endswith("and 9 more; it does not collide with those")


def test_two_robots_in_the_same_place_push_each_other(tmp_path: Path) -> None:
    scene = tmp_path / "two.yaml"
    scene.write_text(f"include: [{{file: {PANDA}, prefix: a_}}, {{file: {PANDA}, prefix: b_}}]\n")
    found = pushes(ss.load(scene))
    assert ("a_panda_link5", "b_panda_link5") in found
    assert {(a, b) for a, b in found if a[:2] == b[:2]} == set()


def test_converted_robots_keep_apart_what_overlaps(tmp_path: Path) -> None:
    for name in ("panda.yaml", "panda.xml"):
        run("convert", PANDA, tmp_path / name)
        assert pushes(ss.load(tmp_path / name)) == set(), name
    oracle = mujoco.MjModel.from_xml_path(str(tmp_path / "panda.xml"))
    data = mujoco.MjData(oracle)
    data.qpos[:] = ss.load(PANDA).q0
    mujoco.mj_forward(oracle, data)
    assert data.contact.dist.min(initial=0) > -1e-3


def test_a_recording_knows_which_links_are_one_robot(tmp_path: Path) -> None:
    ss.simulate(ss.load(PANDA), until=0.05, record=tmp_path / "panda.h5")
    again = ss.load_recording(tmp_path / "panda.h5")
    assert again.verify()
    assert again.contacts["depth"].max(initial=0) < 1e-3
