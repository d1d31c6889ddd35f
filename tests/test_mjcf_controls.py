"""ctrl is laid out as in MuJoCo, whatever of the actuators can act here."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import stickslip as ss
from command_line import run

WORLD = """
<mujoco>
  <default><geom size=".1"/></default>
  <worldbody>
    <site name="fixed"/>
    <body name="a" pos="0 0 1">
      <joint name="ball" type="ball"/><geom/><site name="tip" pos="0 0 .1"/>
      <body name="b" pos=".3 0 0"><joint name="hinge" axis="0 1 0" range="-90 90"/><geom/><site name="end"/></body>
    </body>
    <replicate count="2" offset="0 1 0"><body name="c" pos="2 0 1"><joint name="slide" type="slide"/><geom/></body></replicate>
  </worldbody>
  <tendon><spatial name="rope"><site site="fixed"/><site site="end"/></spatial></tendon>
  <actuator>%s</actuator>
  %s
</mujoco>
"""
LEFT_OUT = [
    '<adhesion name="x" body="b" ctrlrange="0 1" gain="1"/>',
    '<motor name="x" site="tip"/>',
    '<motor name="x" tendon="rope"/>',
    '<muscle name="x" joint="slide0" lengthrange="0 1"/>',
    '<pid name="x" joint="hinge"/>',
    '<pid name="x" joint="hinge" input="vel"/>',
    '<pid name="x" joint="hinge" input="pos vel ff"/>',
    '<general name="x" joint="hinge" gaintype="pid" biastype="affine" gainprm="0" input="pos ff"/>',
    '<orientation name="x" joint="ball" kp="1"/>',
    '<orientation name="x" joint="ball" kp="1" input="quat"/>',
    '<dcmotor name="x" joint="hinge" motorconst="1 1" resistance="1"/>',
    '<dcmotor name="x" joint="hinge" motorconst="1 1" resistance="1" input="pos vel"/>',
    '<dcmotor name="x" joint="hinge" motorconst="1 1" resistance="1" input="none"/>',
    '<motor joint="slide" name="x"/>',  # for each copy
]


def starts(oracle: mujoco.MjModel) -> dict[str, int]:
    return {oracle.actuator(i).name: int(oracle.actuator_ctrladr[i]) for i in range(oracle.nactuator)}


@pytest.mark.parametrize("left_out", LEFT_OUT)
def test_actuators_stand_where_mujoco_has_them(left_out: str) -> None:
    text = WORLD % (f'<motor name="first" joint="hinge"/>{left_out}<motor name="last" joint="hinge"/>', "")
    oracle, model = mujoco.MjModel.from_xml_string(text), ss.from_string(text, format="mjcf")
    assert model.nu == oracle.nu
    for name, start in starts(oracle).items():
        if start < oracle.nu and not (name == "x" and 'input="none"' in left_out):
            assert model.actuator_names.index(name) == start


def test_all_of_them_together_and_without_names() -> None:
    text = WORLD % ("".join(LEFT_OUT).replace(' name="x"', ""), "")
    oracle, model = mujoco.MjModel.from_xml_string(text), ss.from_string(text, format="mjcf")
    assert model.nu == oracle.nu == len(set(model.actuator_names))


def test_a_control_that_is_left_out_acts_on_nothing_and_says_so() -> None:
    text = WORLD % ('<motor name="m" joint="hinge"/><adhesion name="x" body="b" ctrlrange="0 1" gain="1"/><motor name="n" joint="slide0"/>', "")
    model = ss.from_string(text, format="mjcf")
    assert [w.code for w in model.warnings].count("unsupported-actuator") == 1
    for options in ({}, {"method": "lagged", "time_step": 1e-3}, {"method": "semi-implicit-euler", "time_step": 1e-3}):
        ends = []
        for value in (0.0, 1e6):
            sim = ss.Simulator(model, **options)
            sim.ctrl[:] = [0.1, value, 0.2]
            sim.advance_to(0.1)
            ends.append(sim.q.copy())
        assert np.array_equal(*ends)
        sim = ss.Simulator(model, **options)
        sim.advance_to(0.1)
        assert not np.array_equal(sim.q, ends[0])  # the others act


def test_keyframes_have_a_number_for_every_control() -> None:
    key = '<keyframe><key name="k" ctrl="1 2 3 4"/></keyframe>'
    text = WORLD % ('<pid name="x" joint="hinge"/><motor name="m" joint="hinge"/><motor name="s" site="tip"/>', key)
    oracle, model = mujoco.MjModel.from_xml_string(text), ss.from_string(text, format="mjcf")
    assert model.keyframe("k").ctrl.tolist() == oracle.key_ctrl[0].tolist()


def test_converting_keeps_the_layout(tmp_path: Path) -> None:
    key = '<keyframe><key name="k" ctrl="1 2 3 4"/></keyframe>'
    text = WORLD % ('<pid name="x" joint="hinge"/><motor name="m" joint="hinge"/><motor name="s" site="tip" ctrlrange="-3 3"/>', key)
    (tmp_path / "a.xml").write_text(text)
    for target in ("b.xml", "b.yaml"):
        done = run("convert", tmp_path / "a.xml", tmp_path / target)
        assert done.returncode == 0, done.stderr
        assert ss.load(tmp_path / target).actuator_names == ss.load(tmp_path / "a.xml").actuator_names
    oracle = mujoco.MjModel.from_xml_path(str(tmp_path / "b.xml"))
    assert oracle.nu == 4 and oracle.actuator("m").id == 2
    assert oracle.key_ctrl[-1].tolist() == [1, 2, 3, 4]
    data = mujoco.MjData(oracle)
    data.ctrl[[0, 1, 3]] = 100
    mujoco.mj_forward(oracle, data)
    assert not data.qfrc_actuator.any()


def test_an_idle_actuator_of_a_scene_file_acts_on_nothing() -> None:
    text = """
bodies: [{name: a, mass: 1, center: [0, 0, -1]}]
joints: [{name: hinge, type: revolute, child: a, axis: [0, 1, 0]}]
actuators: [{name: suction, type: idle, control: 5}, {name: m, joint: hinge, type: motor}]
"""
    model = ss.from_string(text)
    assert model.actuator_names == ["suction", "m"]
    with pytest.raises(ss.ModelError, match="bad-actuator"):
        ss.from_string(text.replace("type: idle", "type: idle, joint: hinge"))
    scene = ss.Scene()
    scene.body("a", fixed=True)
    scene.actuator("suction", type="idle")
    assert scene.compile().nu == 1
