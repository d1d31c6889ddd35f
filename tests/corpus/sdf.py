"""SDFormat: models and worlds, and what they include."""

from __future__ import annotations

from corpus.case import Case, family

BASE = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="arm">
    <pose>0 0 0.5 0 0 0.25</pose>
    <frame name="mount">
      <pose>0 0 0.125 0 0 0</pose>
    </frame>
    <link name="rod">
      <pose relative_to="mount">0 0 0 0 0 0</pose>
      <inertial>
        <mass>2</mass>
        <inertia><ixx>0.2</ixx><iyy>0.2</iyy><izz>0.02</izz></inertia>
      </inertial>
      <collision name="shape">
        <geometry>
          <cylinder><radius>0.05</radius><length>1.5</length></cylinder>
        </geometry>
        <surface>
          <friction><ode><mu>0.75</mu></ode></friction>
        </surface>
      </collision>
    </link>
    <link name="tip">
      <pose relative_to="rod">0 0 1 0 0 0</pose>
      <inertial>
        <mass>0.5</mass>
      </inertial>
    </link>
    <joint name="hinge" type="revolute">
      <parent>world</parent>
      <child>rod</child>
      <axis>
        <xyz>0 1 0</xyz>
        <limit><lower>-1</lower><upper>1.25</upper></limit>
        <dynamics><damping>0.1</damping></dynamics>
      </axis>
    </joint>
    <joint name="slide" type="prismatic">
      <parent>rod</parent>
      <child>tip</child>
      <axis>
        <xyz>0 0 1</xyz>
      </axis>
    </joint>
  </model>
</sdf>
"""
NUMBERS = [
    ("pose-nan", "0 0 0.5 0 0 0.25", "0 0 nan 0 0 0.25"),
    ("mass-garbage", "<mass>2</mass>", "<mass>1.0abc</mass>"),
    ("mass-overflow", "<mass>2</mass>", "<mass>1e999</mass>"),
    ("moment-word", "<ixx>0.2</ixx>", "<ixx>heavy</ixx>"),
    ("radius-unit", "<radius>0.05</radius>", "<radius>0.05m</radius>"),
    ("friction-inf", "<mu>0.75</mu>", "<mu>inf..</mu>"),
    ("axis-comma", "<xyz>0 1 0</xyz>", "<xyz>0, 1, 0</xyz>"),
    ("upper-pi", "<upper>1.25</upper>", "<upper>pi</upper>"),
    ("damping-nan", "<damping>0.1</damping>", "<damping>nan</damping>"),
]
SCREW = '<joint name="slide" type="screw">\n      <parent>rod</parent>\n      <child>tip</child>\n      ¦<thread_pitch>0</thread_pitch>'
LOOP = '<joint name="rail" type="prismatic"><parent>world</parent><child>tip</child><axis><xyz>1 0 0</xyz></axis></joint><joint name="slide" type="prismatic">'
INCLUDE = "<include><uri>{}</uri></include>\n    <frame"
CASES = family(
    BASE,
    ".sdf",
    [(f"number-{name}", old, new, "bad-number") for name, old, new in NUMBERS]
    + [
        ("pose-of-five", "0 0 0.5 0 0 0.25", "0 0 0.5 0 0", "wrong-count"),
        ("quaternion-zero", "<pose>0 0 0.125 0 0 0</pose>", '<pose rotation_format="quat_xyzw">0 0 0.125 0 0 0 0</pose>', "bad-rotation"),
        ("mass-negative", "<mass>2</mass>", "<mass>-2</mass>", "negative-mass"),
        ("friction-negative", '<collision name="shape">', '<collision name="shape"><surface><friction><ode><mu>-1</mu></ode></friction></surface>', "bad-surface"),
        ("stiffness-negative", '<collision name="shape">', '<collision name="shape">\n<surface><contact><ode>\n¦<kp>-5</kp></ode></contact></surface>', "bad-surface"),
        ("damping-of-a-surface-negative", '<collision name="shape">', '<collision name="shape">\n<surface><contact><ode><kp>1e5</kp>\n¦<kd>-1</kd></ode></contact></surface>', "bad-surface"),
        ("entity-of-nobody", '<link name="tip">', '<link name="&tip;">', "bad-reference"),
        ("model-two-folders-up", "<frame", INCLUDE.format("model://.."), "no-such-file"),
        ("model-without-a-name", "<frame", INCLUDE.format("model://"), "no-such-file"),
        ("model-of-dots", "<frame", INCLUDE.format("model://../../.."), "no-such-file"),
        ("model-of-a-dot", "<frame", INCLUDE.format("model://."), "no-such-file"),
        ("pitch-zero", '<joint name="slide" type="prismatic">\n      <parent>rod</parent>\n      <child>tip</child>', SCREW, "bad-pitch"),
        ("frame-unknown", 'relative_to="mount"', 'relative_to="mont"', "unknown-frame"),
        ("child-unknown", "<child>tip</child>", "<child>tipp</child>", "unknown-frame"),
        ("frames-in-a-chain", '<link name="rod">', "".join(f'<frame name="f{i}" attached_to="f{i + 1}"/>' for i in range(1500)) + '<frame name="f1500"/><link name="rod">', "too-deep"),
        ("frames-in-a-cycle", '<link name="rod">', '<frame name="a"><pose relative_to="b"/></frame><frame name="b"><pose relative_to="a"/></frame><link name="rod">', "frame-cycle"),
        ("axis-zero", "<xyz>0 1 0</xyz>", "<xyz>0 0 0</xyz>", "zero-axis"),
        ("limits-swapped", "<lower>-1</lower><upper>1.25</upper>", "<lower>1</lower><upper>-1</upper>", "bad-range"),
        ("type-unknown", 'type="revolute"', 'type="revolut"', "unknown-joint-type"),
        ("loop-of-a-slide", '<joint name="slide" type="prismatic">', LOOP, "unsupported-loop"),
        ("link-twice", '<link name="tip">', '<link name="rod">', "duplicate-name"),
        ("model-not-there", "<frame", INCLUDE.format("model://nowhere"), "no-such-file"),
        ("include-without-uri", "<frame", "<include/>\n    <frame", "missing-element"),
        ("include-of-a-robot", "<frame", INCLUDE.format("robot.urdf"), "unsupported-include"),
        ("include-of-itself", "<frame", INCLUDE.format("include-of-itself.sdf"), "include-cycle"),
        ("include-of-anything", "<frame", INCLUDE.format("/etc/hosts"), "outside-folder"),
        ("doctype", "<sdf", "<!DOCTYPE sdf [<!ENTITY x 'y'>]>\n<sdf", "doctype"),
        ("version-of-billions", 'version="1.9"', 'version="1980870784.9"', "bad-number"),
        ("unclosed", "</model>\n", "\n¦", "bad-xml"),
    ],
    others={"robot.urdf": b'<robot name="r"><link name="l"/></robot>'},
)
CASES += [
    Case("robot-as.sdf", b'<robot name="r"><link name="l"/></robot>', "not-sdf", 1),
    Case("nothing.sdf", b"", "bad-xml", 1),
    Case("words.sdf", b"arm: {}\n", "bad-xml", 1),
]
