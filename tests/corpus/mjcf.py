"""MJCF: words, numbers and names."""

from __future__ import annotations

from corpus.case import family

BASE = """<mujoco model="arm">
  <compiler angle="radian" autolimits="true" eulerseq="xyz"/>
  <option timestep="0.002" gravity="0 0 -9.81"/>
  <default>
    <geom friction="1 0.005 0.0001" density="1000"/>
    <default class="soft">
      <joint damping="0.5" armature="0.01"/>
    </default>
  </default>
  <asset>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  0 3 2  1 2 3" scale="0.1 0.1 0.1"/>
    <hfield name="hill" nrow="2" ncol="3" size="1 1 0.5 0.1" elevation="0 1 2  3 4 5"/>
    <material name="red" rgba="1 0 0 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" condim="3" solref="0.02 1" solimp="0.9 0.95 0.001"/>
    <geom type="hfield" hfield="hill" pos="3 0 0"/>
    <body name="upper" pos="0 0 1" quat="1 0 0 0">
      <joint name="shoulder" class="soft" type="hinge" axis="0 1 0" range="-1 1" stiffness="3" frictionloss="0.1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.5" size="0.04" contype="1"/>
      <body name="lower" pos="0 0 -0.5" euler="0 0.1 0">
        <inertial pos="0 0 -0.2" mass="1.5" diaginertia="0.1 0.1 0.02"/>
        <joint name="elbow" type="slide" axis="0 0 1" ref="0.1" springref="0.2"/>
        <geom name="shin" type="box" size="0.03 0.03 0.2" mass="0.7" material="red"/>
        <site name="tip" pos="0 0 -0.4"/>
      </body>
    </body>
    <body name="block" pos="1 0 1" axisangle="0 0 1 0.5">
      <freejoint name="float"/>
      <geom name="stone" type="mesh" mesh="wedge"/>
    </body>
  </worldbody>
  <contact>
    <pair geom1="rod" geom2="floor" friction="1 1 0.01 0.001 0.001"/>
    <exclude body1="upper" body2="lower"/>
  </contact>
  <tendon>
    <fixed name="cord" stiffness="2"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-2"/></fixed>
  </tendon>
  <equality>
    <joint joint1="elbow" joint2="shoulder" polycoef="0 0.5 0 0 0"/>
    <connect body1="block" body2="lower" anchor="0 0 0.1"/>
  </equality>
  <actuator>
    <motor name="turn" joint="shoulder" gear="10" ctrlrange="-1 1"/>
    <position name="push" joint="elbow" kp="50" kv="5" forcerange="-20 20"/>
  </actuator>
  <keyframe>
    <key name="home" time="0.5" qpos="0 0.1 1 0 1 1 0 0 0" qvel="0 0 0 0 0 0 0 0" ctrl="0 0"/>
  </keyframe>
</mujoco>
"""

NUMBERS = [
    ("timestep-garbage", 'timestep="0.002"', 'timestep="0.002s"'),
    ("gravity-nan", 'gravity="0 0 -9.81"', 'gravity="0 0 nan"'),
    ("friction-default", 'friction="1 0.005 0.0001"', 'friction="1 0.005 0.0001.5"'),
    ("density-inf", 'density="1000"', 'density="inf"'),
    ("damping-default", 'damping="0.5"', 'damping="half"'),
    ("armature-nan", 'armature="0.01"', 'armature="nan"'),
    ("vertex-nan", 'vertex="0 0 0  1', 'vertex="0 0 nan  1'),
    ("vertex-overflow", "1 0 0  0 1 0", "1 0 1e999  0 1 0"),
    ("face-garbage", 'face="0 2 1', 'face="0 2a 1'),
    ("mesh-scale-nan", 'scale="0.1 0.1 0.1"', 'scale="0.1 nan 0.1"'),
    ("nrow-fraction", 'nrow="2"', 'nrow="2.5"'),
    ("ncol-garbage", 'ncol="3"', 'ncol="three"'),
    ("nrow-overflow", 'nrow="2"', 'nrow="99999999999"'),
    ("hfield-size-nan", 'size="1 1 0.5 0.1"', 'size="1 1 nan 0.1"'),
    ("elevation-garbage", "3 4 5", "3 4 5m"),
    ("rgba-garbage", 'rgba="1 0 0 1"', 'rgba="1 0 #0 1"'),
    ("condim-garbage", 'condim="3"', 'condim="3.0"'),
    ("solref-nan", 'solref="0.02 1"', 'solref="nan 1"'),
    ("solimp-garbage", 'solimp="0.9 0.95 0.001"', 'solimp="0.9 0,95 0.001"'),
    ("body-pos-nan", 'pos="0 0 1" quat', 'pos="0 nan 1" quat'),
    ("quat-garbage", 'quat="1 0 0 0"', 'quat="1 0 0 0i"'),
    ("range-garbage", 'range="-1 1" stiff', 'range="-1 1rad" stiff'),
    ("stiffness-inf", 'stiffness="3"', 'stiffness="inf"'),
    ("frictionloss-nan", 'frictionloss="0.1"', 'frictionloss="nan"'),
    ("axis-garbage", 'axis="0 1 0"', 'axis="0 y 0"'),
    ("fromto-garbage", "0 0 -0.5\" size", "0 0 -0..5\" size"),
    ("size-overflow", 'size="0.04"', 'size="1e310"'),
    ("contype-fraction", 'contype="1"', 'contype="1.5"'),
    ("euler-nan", 'euler="0 0.1 0"', 'euler="0 nan 0"'),
    ("inertial-mass-garbage", 'mass="1.5"', 'mass="1.5kg"'),
    ("inertial-mass-overflow", 'mass="1.5"', 'mass="1e999"'),
    ("diaginertia-nan", 'diaginertia="0.1 0.1 0.02"', 'diaginertia="0.1 nan 0.02"'),
    ("ref-garbage", 'ref="0.1"', 'ref="0.1.1"'),
    ("springref-inf", 'springref="0.2"', 'springref="-inf"'),
    ("geom-mass-nan", 'mass="0.7"', 'mass="nan"'),
    ("axisangle-garbage", 'axisangle="0 0 1 0.5"', 'axisangle="0 0 1 0.5deg"'),
    ("pair-friction-nan", 'friction="1 1 0.01', 'friction="1 nan 0.01'),
    ("tendon-stiffness-nan", 'stiffness="2"', 'stiffness="nan"'),
    ("coef-garbage", 'coef="1"', 'coef="1x"'),
    ("polycoef-nan", 'polycoef="0 0.5', 'polycoef="0 nan'),
    ("anchor-garbage", 'anchor="0 0 0.1"', 'anchor="0 0 o.1"'),
    ("gear-nan", 'gear="10"', 'gear="nan"'),
    ("ctrlrange-garbage", 'ctrlrange="-1 1"', 'ctrlrange="-1 +"'),
    ("kp-overflow", 'kp="50"', 'kp="5e999"'),
    ("kv-garbage", 'kv="5"', 'kv="5;"'),
    ("forcerange-nan", 'forcerange="-20 20"', 'forcerange="-20 nan"'),
    ("key-time-garbage", 'time="0.5"', 'time="now"'),
    ("qpos-nan", 'qpos="0 0.1', 'qpos="0 nan'),
    ("ctrl-garbage", 'ctrl="0 0"', 'ctrl="0 0a"'),
]
COUNTS = [
    ("gravity-of-two", 'gravity="0 0 -9.81"', 'gravity="0 -9.81"'),
    ("quat-of-three", 'quat="1 0 0 0"', 'quat="1 0 0"'),
    ("vertex-not-in-threes", "0 0 1\" face", "0 0 1 5\" face"),
    ("face-not-in-threes", "1 2 3\" scale", "1 2\" scale"),
    ("elevation-too-short", "3 4 5", "3 4"),
    ("fromto-of-five", 'fromto="0 0 0 0 0 -0.5"', 'fromto="0 0 0 0 0"'),
    ("diaginertia-of-two", 'diaginertia="0.1 0.1 0.02"', 'diaginertia="0.1 0.1"'),
    ("qpos-too-short", 'qpos="0 0.1 1 0 1 1 0 0 0"', 'qpos="0 0.1"'),
    ("qvel-too-long", 'qvel="0 0 0 0 0 0 0 0"', 'qvel="0 0 0 0 0 0 0 0 0"'),
    ("ctrl-too-short", 'ctrl="0 0"', 'ctrl="0"'),
]
UNKNOWN = [
    ("joint-in-motor", 'motor name="turn" joint="shoulder"', 'motor name="turn" joint="sholder"'),
    ("mesh", 'mesh="wedge"', 'mesh="wege"'),
    ("hfield", 'hfield="hill"', 'hfield="hil"'),
    ("geom-in-pair", 'geom1="rod"', 'geom1="rodd"'),
    ("body-in-exclude", 'body2="lower"/>\n  </contact', 'body2="lwer"/>\n  </contact'),
    ("joint-in-tendon", 'joint joint="elbow"', 'joint joint="elbo"'),
    ("joint-in-equality", 'joint2="shoulder"', 'joint2="shoulders"'),
    ("body-in-connect", 'body1="block"', 'body1="blok"'),
]
CASES = family(
    BASE,
    ".xml",
    [(f"number-{name}", old, new, "bad-number") for name, old, new in NUMBERS]
    + [(f"count-{name}", old, new, "wrong-count") for name, old, new in COUNTS]
    + [(f"unknown-{name}", old, new, "unknown-name") for name, old, new in UNKNOWN]
    + [
        ("element-unknown", '<site name="tip"', '<sight name="tip"', "unknown-element"),
        ("section-unknown", "<worldbody>", "<wordbody/><worldbody>", "unknown-element"),
        ("attribute-unknown", 'quat="1 0 0 0"', 'qat="1 0 0 0"', "unknown-attribute"),
        ("attribute-twice", 'quat="1 0 0 0"', 'quat="1 0 0 0" quat="1 0 0 0"', "repeated-attribute"),
        ("class-unknown", 'class="soft" type', 'class="sofft" type', "unknown-class"),
        ("childclass-unknown", '<body name="block"', '<body name="block" childclass="hard"', "unknown-class"),
        ("class-like-the-one-around", '<joint damping="0.5" armature="0.01"/>', '<joint damping="0.5" armature="0.01"/>\n      ¦<default class="soft"/>', "repeated-name"),
        ("class-like-the-one-before", "    </default>\n  </default>", '    </default>\n    ¦<default class="soft"><geom size="1"/></default>\n  </default>', "repeated-name"),
        ("outermost-classes-of-two-names", "    </default>\n  </default>", '    </default>\n  </default>\n  ¦<default class="soft2"/>', "two-default-classes"),
        ("class-called-main", '<default class="soft">', '<default class="main">', "repeated-name"),
        ("entity-of-nobody", 'name="tip"', 'name="&lol;"', "bad-reference"),
        ("character-zero", 'name="tip"', 'name="t&#0;ip"', "bad-reference"),
        ("class-without-name", '<default class="soft">', "<default>", "missing-attribute"),
        ("angle-keyword", 'angle="radian"', 'angle="grad"', "bad-keyword"),
        ("type-keyword", 'type="hinge"', 'type="hing"', "bad-keyword"),
        ("geom-type-keyword", 'type="capsule"', 'type="pill"', "bad-keyword"),
        ("flag-keyword", "<default>", '<option><flag contact="maybe"/></option><default>', "bad-keyword"),
        ("eulerseq", 'eulerseq="xyz"', 'eulerseq="xyw"', "bad-eulerseq"),
        ("coordinate-unknown", 'angle="radian"', 'angle="radian" coordinate="polar"', "bad-keyword"),
        ("timestep-zero", 'timestep="0.002"', 'timestep="0"', "bad-time-step"),
        ("timestep-negative", 'timestep="0.002"', 'timestep="-0.002"', "bad-time-step"),
        ("body-twice", 'body name="lower"', 'body name="upper"', "repeated-name"),
        ("joint-twice", 'joint name="elbow"', 'joint name="shoulder"', "repeated-name"),
        ("geom-twice", 'geom name="shin"', 'geom name="rod"', "repeated-name"),
        ("site-twice", "</body>\n    </body>\n    <body", '<site name="tip"/></body>\n    </body>\n    <body', "repeated-name"),
        ("axis-zero", 'axis="0 1 0"', 'axis="0 0 0"', "bad-axis"),
        ("quat-zero", 'quat="1 0 0 0"', 'quat="0 0 0 0"', "bad-orientation"),
        ("axisangle-zero", 'axisangle="0 0 1 0.5"', 'axisangle="0 0 0 0.5"', "bad-orientation"),
        ("zaxis-zero", 'quat="1 0 0 0"', 'zaxis="0 0 0"', "bad-orientation"),
        ("xyaxes-parallel", 'quat="1 0 0 0"', 'xyaxes="1 0 0 2 0 0"', "bad-orientation"),
        ("range-swapped", 'range="-1 1" stiff', 'limited="true" range="1 -1" stiff', "bad-range"),
        ("range-missing", 'range="-1 1" stiff', 'limited="true" stiff', "bad-range"),
        ("range-ambiguous", 'ref="0.1" springref="0.2"', 'actuatorfrcrange="-1 1" actuatorfrclimited="true" limited="true"', "bad-range"),
        ("size-negative", 'size="0.04"', 'size="-0.04"', "bad-size"),
        ("size-missing", 'type="box" size="0.03 0.03 0.2"', 'type="box"', "bad-size"),
        ("fromto-coincides", "0 0 0 0 0 -0.5", "0 0 0 0 0 0", "bad-size"),
        ("hfield-size-negative", 'size="1 1 0.5 0.1"', 'size="1 1 -0.5 0.1"', "bad-size"),
        ("face-out-of-range", "1 2 3\" scale", "1 2 4\" scale", "bad-face"),
        ("face-negative", "1 2 3\" scale", "1 2 -3\" scale", "bad-face"),
        ("condim-two", 'condim="3"', 'condim="2"', "bad-condim"),
        ("friction-negative", "<geom type=\"hfield\"", '<geom friction="-1" type="hfield"', "negative-friction"),
        ("inertial-mass-negative", 'mass="1.5"', 'mass="-1.5"', "negative-mass"),
        ("geom-mass-negative", 'mass="0.7"', 'mass="-0.7"', "negative-mass"),
        ("damping-negative", 'damping="0.5"', 'damping="-0.5"', "negative-dissipation"),
        ("frictionloss-negative", 'frictionloss="0.1"', 'frictionloss="-0.1"', "negative-dissipation"),
        ("armature-negative", 'armature="0.01"', 'armature="-0.01"', "negative-mass"),
        ("inertial-mass-missing", ' mass="1.5"', "", "missing-attribute"),
        ("inertial-pos-missing", 'inertial pos="0 0 -0.2"', "inertial", "missing-attribute"),
        ("inertial-inertia-missing", ' diaginertia="0.1 0.1 0.02"', "", "missing-attribute"),
        ("inertia-negative", '<body name="lower" pos="0 0 -0.5" euler="0 0.1 0">\n        <inertial pos="0 0 -0.2" mass="1.5" diaginertia="0.1 0.1 0.02"/>',
         '<body name="lower">\n<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 -0.1"/>', "impossible-inertia"),
        ("inertia-a-plus-b-below-c", '<body name="lower" pos="0 0 -0.5" euler="0 0.1 0">\n        <inertial pos="0 0 -0.2" mass="1.5" diaginertia="0.1 0.1 0.02"/>',
         '<body name="lower">\n<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.3"/>', "impossible-inertia"),
        ("inertia-full-not-positive", '<body name="lower" pos="0 0 -0.5" euler="0 0.1 0">\n        <inertial pos="0 0 -0.2" mass="1.5" diaginertia="0.1 0.1 0.02"/>',
         '<body name="lower">\n<inertial pos="0 0 0" mass="1" fullinertia="0.1 0.1 0.1 0.2 0 0"/>', "impossible-inertia"),
        ("joint-in-world", "<geom type=\"hfield\"", '<joint type="hinge"/><geom type="hfield"', "joint-in-world"),
        ("freejoint-below", '<joint name="elbow" type="slide" axis="0 0 1" ref="0.1" springref="0.2"/>', '<freejoint name="elbow"/>', "bad-free-joint"),
        ("mocap-with-joint", '<body name="block" pos="1 0 1"', '<body name="block" mocap="true" pos="1 0 1"', "bad-mocap"),
        ("tendon-on-free-joint", 'joint joint="elbow"', 'joint joint="float"', "bad-tendon"),
        ("range-to-inherit-missing", 'kp="50" kv="5"', 'inheritrange="1" kp="50"', "missing-range"),
        ("motor-on-nothing", ' joint="shoulder" gear', " gear", "missing-attribute"),
        ("replicate-without-count", '<body name="block"', '<replicate offset="1 0 0"><geom size="1"/></replicate><body name="block"', "missing-attribute"),
        ("replicate-count-zero", '<body name="block"', '<replicate count="0"><geom size="1"/></replicate><body name="block"', "bad-count"),
        ("mesh-made-by-mujoco", 'mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  0 3 2  1 2 3"', 'mesh name="wedge" builtin="sphere" params="1"', "unsupported-mesh"),
        ("doctype", '<mujoco model="arm">', '<!DOCTYPE mujoco>\n<mujoco model="arm">', "doctype"),
        ("doctype-billion-laughs", '<mujoco model="arm">', '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>\n<mujoco model="arm">', "doctype"),
    ],
)
