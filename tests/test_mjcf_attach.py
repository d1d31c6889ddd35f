"""<attach>: the same model as MuJoCo makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stickslip as ss
from command_line import run
from oracles import mujoco_oracle

TOLERANCE = 1e-10  # relative: round-off of a few hundred operations, with room

# Angles in radians and classes of its own, unlike the scene that attaches it.
ARM = """
<mujoco model="arm">
  <compiler angle="radian" meshdir="meshes"/>
  <default>
    <geom density="500"/>
    <joint damping="2" armature="0.1"/>
    <default class="thin"><geom size="0.02"/></default>
  </default>
  <asset><mesh name="wedge" vertex="0 0 0  0.1 0 0  0 0.1 0  0 0 0.2"/></asset>
  <worldbody>
    <geom name="stand" type="box" size="0.1 0.1 0.1"/>
    <body name="upper" pos="0 0 0.1" euler="0 0.3 0">
      <joint name="shoulder" axis="0 1 0" range="-1 1"/>
      <geom type="capsule" class="thin" fromto="0 0 0 0 0 0.3"/>
      <site name="tip" pos="0 0 0.3"/>
      <body name="lower" pos="0 0 0.3">
        <joint name="elbow" axis="0 1 0" range="-2 2" ref="0.2"/>
        <geom type="mesh" mesh="wedge"/>
      </body>
    </body>
    <body name="other" pos="1 0 0"><joint name="far" type="slide"/><geom size="0.1"/></body>
  </worldbody>
  <contact><exclude body1="upper" body2="lower"/></contact>
  <tendon><fixed name="both"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-1"/></fixed></tendon>
  <actuator>
    <position name="servo" joint="shoulder" kp="10"/>
    <motor name="pull" tendon="both"/>
    <motor name="stays" joint="far"/>
  </actuator>
</mujoco>
"""

SCENE = """
<mujoco>
  <default><geom density="100"/><joint damping="9"/></default>
  <asset><model name="arm" file="parts/arm.xml"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <frame pos="0 1 0" euler="0 0 90"><attach model="arm" body="upper" prefix="left_"/></frame>
    <body name="cart" pos="0 0 1">
      <joint name="roll" type="slide" axis="1 0 0"/>
      <geom size="0.1"/>
      <attach model="arm" body="upper" prefix="right_"/>
    </body>
    %s
  </worldbody>
</mujoco>
"""


def write(folder: Path, more: str = "") -> Path:
    (folder / "parts").mkdir()
    (folder / "parts" / "arm.xml").write_text(ARM)
    scene = folder / "scene.xml"
    scene.write_text(SCENE % more)
    return scene


def test_attached_bodies_equal_mujocos(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert max(mujoco_oracle.compare(path).values()) < TOLERANCE
    oracle, model = mujoco_oracle.load_mujoco(path), ss.load(path)
    names = [oracle.joint(i).name for i in range(oracle.njnt)]
    assert [model.joint(name).name for name in names] == names
    for i, name in enumerate(names):
        if oracle.jnt_limited[i]:
            assert [model.joint(name).lower, model.joint(name).upper] == pytest.approx(oracle.jnt_range[i])
    assert model.actuator_names == [oracle.actuator(i).name for i in range(oracle.nu)]


def test_a_whole_world_can_be_attached(tmp_path: Path) -> None:
    path = write(tmp_path, "<frame pos='0 3 0'><attach model='arm' prefix='all_'/></frame>")
    assert max(mujoco_oracle.compare(path).values()) < TOLERANCE
    assert "all_far" in ss.load(path).joint_names


def test_a_second_world_is_read_by_its_own_compiler(tmp_path: Path) -> None:
    path = write(tmp_path)
    last = "<worldbody><attach model='arm' body='upper' prefix='last_'/></worldbody>"  # whose angles are radians
    more = "<worldbody><frame euler='0 0 90'><body pos='1 0 0'><joint/><geom type='box' size='.1 .2 .3' euler='0 45 0'/></body></frame></worldbody>"
    path.write_text(path.read_text().replace("</mujoco>", last + more + "</mujoco>"))
    assert max(mujoco_oracle.compare(path).values()) < TOLERANCE


def test_sections_of_an_attached_model_may_stand_in_any_order(tmp_path: Path) -> None:
    path = write(tmp_path)
    actuators = ARM[ARM.index("  <actuator>") : ARM.index("</mujoco>")]
    sensors = """
  <sensor>
    <jointpos name="angle" joint="shoulder"/><actuatorfrc name="force" actuator="pull"/><tendonpos name="length" tendon="both"/>
    <framepos name="hand" objtype="site" objname="tip" reftype="body" refname="lower"/><jointpos name="stays too" joint="far"/>
  </sensor>"""
    (tmp_path / "parts" / "arm.xml").write_text(ARM.replace(actuators, "").replace('<mujoco model="arm">', f'<mujoco model="arm">{sensors}{actuators}'))
    oracle, checked = mujoco_oracle.load_mujoco(path), json.loads(run("check", path, "--json").stdout)
    assert sorted(checked["actuators"]) == sorted(oracle.actuator(i).name for i in range(oracle.nu))
    assert "left_pull" in checked["actuators"]
    assert sorted(s["name"] for s in checked["sensors"]) == sorted(oracle.sensor(i).name for i in range(oracle.nsensor))
    objects = {s["name"]: (s["object_type"], s["object"]) for s in checked["sensors"]}
    assert objects["right_force"] == ("actuator", "right_pull")
    assert objects["right_hand"] == ("site", "right_tip")


# Frames at several depths, one of them in a body whose class has a joint and a geom of its own.
FRAMES = """
<mujoco model="arm">
  <default><geom density="500" size="0.1"/><default class="thin"><geom size="0.02"/><joint damping="3"/></default></default>
  <worldbody>
    <geom name="stand"/>
    <body name="away"><joint name="away"/><geom/></body>
    <frame name="outer" pos="0 0 1" euler="0 0 30">
      <geom name="foot"/>
      <body name="upper" pos="1 0 0" childclass="thin">
        <joint name="shoulder"/><geom name="rod"/>
        <frame name="deep" pos="0 1 0" euler="40 0 0"><geom name="tip"/><body name="hand"><joint name="wrist"/><geom/></body></frame>
      </body>
      <frame name="inner" childclass="thin" pos="0 2 0"><body name="other"><joint name="other"/><geom/></body></frame>
    </frame>
  </worldbody>
  <tendon><fixed name="both"><joint joint="shoulder" coef="1"/><joint joint="away" coef="1"/></fixed></tendon>
  <actuator>
    <motor name="away" joint="away"/><motor name="wrist" joint="wrist"/><motor name="both" tendon="both"/>
    <adhesion name="stick" body="hand" ctrlrange="0 1" gain="1"/><motor name="shoulder" joint="shoulder"/>
  </actuator>
</mujoco>
"""
ATTACHMENTS = {
    "a frame": "<body><joint/><geom size='.3'/><attach model='arm' frame='outer' prefix='p_'/></body>",
    "a frame within": "<body><joint/><geom size='.3'/><attach model='arm' frame='inner' prefix='p_'/></body>",
    "a frame of a body": "<body><joint/><geom size='.3'/><attach model='arm' frame='deep' prefix='p_'/></body>",
    "a frame in a frame": "<frame pos='0 0 2' euler='90 0 0'><attach model='arm' frame='outer' prefix='p_'/></frame>",
    "two of them": "<body><joint/><geom size='.3'/><attach model='arm' frame='deep' prefix='p_'/></body><attach model='arm' body='upper' prefix='q_'/>",
    "parts of one model": "<attach model='arm' frame='inner' prefix='p_'/><attach model='arm' frame='inner' prefix='q_'/>",
    "a body in a class": "<attach model='arm' body='hand' prefix='p_'/>",
    "all of the world as a body": "<body><joint/><geom size='.3'/><attach model='arm' body='world' prefix='p_'/></body>",
}


@pytest.mark.parametrize("words", ATTACHMENTS.values(), ids=ATTACHMENTS)
def test_what_is_named_is_attached_and_nothing_else(words: str, tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "parts" / "arm.xml").write_text(FRAMES)
    path = tmp_path / "frames.xml"
    path.write_text(f"""<mujoco><asset><model name="arm" file="parts/arm.xml"/></asset>
      <worldbody>{words}<body name="end"><joint name="end"/><geom size=".1"/></body></worldbody><actuator><motor name="end" joint="end"/></actuator></mujoco>""")
    oracle, model = mujoco_oracle.load_mujoco(path), ss.load(path)
    assert [name for name in model.body_names if "body_" not in name] == [oracle.body(i).name for i in range(oracle.nbody) if oracle.body(i).name]
    assert max(mujoco_oracle.compare(path).values()) < TOLERANCE
    assert model.actuator_names == [oracle.actuator(i).name for i in range(oracle.nu)]


def test_frames_that_are_not_there_are_errors(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "parts" / "arm.xml").write_text(FRAMES)
    for words, message in {"frame='outr'": "did you mean 'outer'", "frame='outer' body='upper'": "a body and a frame"}.items():
        path.write_text(SCENE % f"<attach model='arm' {words} prefix='x_'/>")
        with pytest.raises(ss.ModelError, match=message):
            ss.load(path)


def test_unknown_models_and_bodies_are_errors(tmp_path: Path) -> None:
    path = write(tmp_path, "<attach model='leg' prefix='x'/>")
    with pytest.raises(ss.ModelError, match="unknown-name"):
        ss.load(path)
    path.write_text(SCENE % "<attach model='arm' body='leg' prefix='x'/>")
    with pytest.raises(ss.ModelError, match="unknown-name"):
        ss.load(path)
