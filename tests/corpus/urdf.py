"""URDF: words and numbers of links and joints."""

from __future__ import annotations

from corpus.case import family

BASE = """<?xml version="1.0"?>
<robot name="arm">
  <material name="grey">
    <color rgba="0.5 0.5 0.5 1"/>
  </material>
  <link name="base"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 0.5" rpy="0 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.02"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.25" rpy="0 0 1"/>
      <geometry>
        <cylinder radius="0.05" length="1.5"/>
      </geometry>
      <material name="grey"/>
    </visual>
    <collision>
      <geometry>
        <box size="0.1 0.1 1"/>
      </geometry>
    </collision>
  </link>
  <link name="tip">
    <inertial>
      <mass value="0.5"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01"/>
    </inertial>
    <collision>
      <geometry>
        <sphere radius="0.06"/>
      </geometry>
    </collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/>
    <child link="rod"/>
    <origin xyz="0 0 0.1" rpy="0 1 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1.25" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="rod"/>
    <child link="tip"/>
    <axis xyz="0 0 1"/>
    <limit lower="0" upper="0.5" effort="20" velocity="3"/>
    <mimic joint="hinge" multiplier="2.5" offset="0.125"/>
  </joint>
</robot>
"""

# One number after another, each broken in its own way.
NUMBERS = [
    ("color", 'rgba="0.5 0.5 0.5 1"', 'rgba="0.5 0.5 x 1"'),
    ("inertial-xyz-nan", 'xyz="0 0 0.5"', 'xyz="0 nan 0.5"'),
    ("inertial-rpy-inf", 'rpy="0 0 0"', 'rpy="0 0 inf"'),
    ("mass-garbage", 'value="2"', 'value="1.0abc"'),
    ("mass-nan", 'value="2"', 'value="nan"'),
    ("mass-overflow", 'value="2"', 'value="1e999"'),
    ("mass-empty", 'value="2"', 'value=""'),
    ("mass-hex", 'value="2"', 'value="0x2"'),
    ("mass-comma", 'value="2"', 'value="2,5"'),
    ("mass-unit", 'value="2"', 'value="2 kg"'),
    ("mass-two-signs", 'value="2"', 'value="+-2"'),
    ("mass-two-numbers", 'value="2"', 'value="2 3"'),
    ("mass-infinity", 'value="2"', 'value="Infinity"'),
    ("ixx-garbage", 'ixx="0.2"', 'ixx="0.2e"'),
    ("ixy-nan", 'ixy="0"', 'ixy="NaN"'),
    ("ixz-inf", 'ixz="0"', 'ixz="-inf"'),
    ("iyy-overflow", 'iyy="0.2"', 'iyy="1e400"'),
    ("iyz-word", 'iyz="0"', 'iyz="zero"'),
    ("izz-dots", 'izz="0.02"', 'izz="0.0.2"'),
    ("radius-garbage", 'radius="0.05"', 'radius="0.05m"'),
    ("length-nan", 'length="1.5"', 'length="nan"'),
    ("box-garbage", 'size="0.1 0.1 1"', 'size="0.1 0.1 1l"'),
    ("sphere-inf", 'radius="0.06"', 'radius="inf"'),
    ("joint-xyz-garbage", 'xyz="0 0 0.1"', 'xyz="0 0 0.1;"'),
    ("joint-rpy-degrees", 'rpy="0 1 0"', 'rpy="0 90° 0"'),
    ("axis-nan", 'axis xyz="0 1 0"', 'axis xyz="0 nan 0"'),
    ("lower-garbage", 'lower="-1"', 'lower="- 1"'),
    ("upper-pi", 'upper="1.25"', 'upper="pi/2"'),
    ("effort-nan", 'effort="10"', 'effort="nan"'),
    ("velocity-garbage", 'velocity="2"', 'velocity="2rad"'),
    ("damping-overflow", 'damping="0.1"', 'damping="1e309"'),
    ("friction-garbage", 'friction="0.2"', 'friction="0.2.2"'),
    ("multiplier-nan", 'multiplier="2.5"', 'multiplier="nan"'),
    ("offset-garbage", 'offset="0.125"', 'offset="0.125f"'),
]
COUNTS = [
    ("rgba-of-three", 'rgba="0.5 0.5 0.5 1"', 'rgba="0.5 0.5 0.5"'),
    ("xyz-of-two", 'xyz="0 0 0.5"', 'xyz="0 0.5"'),
    ("xyz-of-four", 'xyz="0 0 0.1"', 'xyz="0 0 0.1 1"'),
    ("rpy-empty", 'rpy="0 1 0"', 'rpy=""'),
    ("axis-of-one", 'axis xyz="0 1 0"', 'axis xyz="1"'),
    ("box-of-two", 'size="0.1 0.1 1"', 'size="0.1 1"'),
]
CASES = family(
    BASE,
    ".urdf",
    [(f"number-{name}", old, new, "bad-number") for name, old, new in NUMBERS]
    + [(f"count-{name}", old, new, "wrong-count") for name, old, new in COUNTS]
    + [
        ("mass-negative", 'value="2"', 'value="-2"', "negative-mass"),
        ("density-negative", '<mass value="2"/>', '<density value="-2"/>', "bad-value"),
        ("density-garbage", '<mass value="2"/>', '<density value="2g"/>', "bad-number"),
        ("density-without-value", '<mass value="2"/>', "<density/>", "missing-attribute"),
        ("mass-without-value", 'value="2"', "", "missing-attribute"),
        ("mass-negative-without-inertia", '<mass value="0.5"/>\n      <inertia ixx="0.01" iyy="0.01" izz="0.01"/>', '<mass value="-0.5"/>', "negative-mass"),
        ("inertia-without-izz", ' izz="0.02"', "", "missing-attribute"),
        ("number-in-a-second-inertial", "<visual>", '<inertial><mass value="nan"/></inertial><visual>', "bad-number"),
        ("radius-negative", 'radius="0.05"', 'radius="-0.05"', "bad-size"),
        ("length-missing", ' length="1.5"', "", "missing-attribute"),
        ("box-negative", 'size="0.1 0.1 1"', 'size="0.1 -0.1 1"', "bad-size"),
        ("sphere-without-radius", ' radius="0.06"', "", "missing-attribute"),
        ("shape-unknown", '<sphere radius="0.06"/>', '<spere radius="0.06"/>', "unknown-shape"),
        ("mesh-without-file", '<sphere radius="0.06"/>', "<mesh/>", "missing-attribute"),
        ("mesh-scale-garbage", '<sphere radius="0.06"/>', '<mesh filename="x.obj" scale="1 1 1mm"/>', "bad-number"),
        ("axis-zero", 'axis xyz="0 1 0"', 'axis xyz="0 0 0"', "zero-axis"),
        ("axis-tiny", 'axis xyz="0 0 1"', 'axis xyz="0 0 1e-300"', "zero-axis"),
        ("limits-swapped", 'lower="-1" upper="1.25"', 'lower="1" upper="-1"', "bad-range"),
        ("limits-above-default", 'lower="0" upper="0.5"', 'lower="0.5"', "bad-range"),
        ("damping-negative", 'damping="0.1"', 'damping="-0.1"', "negative-dissipation"),
        ("friction-negative", 'friction="0.2"', 'friction="-1"', "negative-dissipation"),
        ("type-unknown", 'type="revolute"', 'type="revolut"', "unknown-joint-type"),
        ("type-missing", ' type="prismatic"', "", "missing-attribute"),
        ("parent-missing", '<joint name="hinge" type="revolute">\n    <parent link="base"/>', '<joint name="hinge" type="revolute">', "missing-element"),
        ("child-missing", '<joint name="slide" type="prismatic">\n    <parent link="rod"/>\n    <child link="tip"/>', '<joint name="slide" type="prismatic">\n    <parent link="rod"/>', "missing-element"),
        ("parent-without-link", '<parent link="base"/>', "<parent/>", "missing-attribute"),
        ("link-without-name", '<link name="base"/>', "<link/>", "missing-attribute"),
        ("joint-without-name", 'name="hinge" ', "", "missing-attribute"),
        ("mimic-of-nothing", ' joint="hinge"', "", "missing-attribute"),
        ("mimics-itself", 'mimic joint="hinge"', 'mimic joint="slide"', "mimics-itself"),
        ("attribute-twice", 'value="2"', 'value="2" value="3"', "repeated-attribute"),
        ("xacro-value", 'value="2"', 'value="${mass}"', "xacro"),
        ("xacro-element", '<link name="base"/>', '<xacro:base_link name="base"/>', "xacro"),
    ],
)
