"""Scene files: keys, numbers and names."""

from __future__ import annotations

from corpus.case import Case, family

BASE = """name: bench
gravity: [0, 0, -9.81]
materials:
  rubber: {stiffness: 1.0e5, dissipation: 10, friction: {static: 1.0, dynamic: 0.8}, stiction_tolerance: 1.0e-4}
  steel: {stiffness: 2.0e7, relaxation_time: 0.001, friction: 0.3}
bodies:
  - name: ball
    density: 1000
    pose: {position: [0, 0, 0.5], rpy: [0.1, 0, 0]}
    velocity: {linear: [2, 0, 0], angular: [0, 1, 0]}
    geometry:
      - {name: skin, sphere: {radius: 0.05}, material: rubber, color: [1, 0.5, 0, 1]}
  - name: door
    mass: 2
    inertia: {ixx: 0.1, iyy: 0.11, izz: 0.12}
    center: [0.25, 0, 0]
    geometry: [{box: {size: [0.5, 0.02, 1]}, pose: {position: [0.25, 0, 0.5], quaternion: [1, 0, 0, 0]}}]
  - name: drawer
    mass: 3
    geometry: [{cylinder: {radius: 0.2, length: 0.4}, contype: 1, group: 2}]
  - {name: floor, fixed: true, geometry: [{half_space: {}, material: steel}]}
  - {name: belt, motion: {axis: [1, 0, 0], amplitude: 0.2, frequency: 1.5, phase: 0.25}, geometry: [{box: {size: [2, 0.5, 0.02]}, surface_velocity: [0.5, 0, 0]}]}
  - {name: ramp, fixed: true, geometry: [{height_field: {size: [2, 3], thickness: 0.2, heights: [[0, 1], [2, 3]]}}]}
joints:
  - {name: hinge, type: revolute, parent: world, child: door, axis: [0, 0, 1], position: 0.3, damping: 0.1, limits: {lower: 0, upper: 1.57}}
  - {name: rail, type: prismatic, child: drawer, axis: [1, 0, 0], stiffness: 5, armature: 0.01, dry_friction: 0.5, limits: {velocity: 2, effort: 30}}
tendons:
  - {name: cord, joints: {hinge: 1, rail: -0.5}, stiffness: 7, limits: {lower: -1, upper: 2}}
actuators:
  - {name: motor, joint: hinge, type: position, kp: 100, kd: 10, effort_limit: 5}
  - {name: pull, tendon: cord, type: motor, gear: 2, control_limits: {lower: -3, upper: 3}}
constraints:
  - {type: distance, body_a: ball, body_b: door, length: 1.2, stiffness: 100}
  - {type: coupler, joint_a: rail, joint_b: hinge, coefficients: [0, 0.5]}
frames:
  - {name: handle, body: door, pose: {position: [0.4, 0, 0.5]}}
contact_pairs:
  - {geometry_a: skin, geometry_b: skin, material: steel}
exclusions:
  - {body_a: ball, body_b: drawer}
keyframes:
  - {name: open, time: 1, q: [0, 0, 1, 1, 0, 0, 0, 1.5, 0]}
simulation: {method: cenic, accuracy: 1.0e-3, until: 5}
"""

NUMBERS = [
    ("gravity-word", "[0, 0, -9.81]", "[0, 0, down]", "bad-number"),
    ("gravity-nan", "[0, 0, -9.81]", "[0, 0, .nan]", "bad-value"),
    ("gravity-bare-nan", "[0, 0, -9.81]", "[0, 0, nan]", "bad-number"),
    ("gravity-overflow", "[0, 0, -9.81]", "[0, 0, -1e999]", "bad-number"),
    ("gravity-infinite", "[0, 0, -9.81]", "[0, 0, -.inf]", "bad-value"),
    ("stiffness-garbage", "stiffness: 1.0e5", "stiffness: 1.0abc", "bad-number"),
    ("stiffness-zero", "stiffness: 1.0e5", "stiffness: 0", "bad-value"),
    ("stiffness-comma", "{stiffness: 2.0e7", "{stiffness: '2,0e7'", "bad-type"),
    ("dissipation-negative", "dissipation: 10", "dissipation: -10", "bad-value"),
    ("friction-negative", "friction: 0.3", "friction: -0.3", "bad-value"),
    ("friction-dynamic-above", "static: 1.0, dynamic: 0.8", "static: 0.8, dynamic: 1.0", "bad-friction"),
    ("stiction-zero", "stiction_tolerance: 1.0e-4", "stiction_tolerance: 0", "bad-value"),
    ("relaxation-nan", "relaxation_time: 0.001", "relaxation_time: .nan", "bad-value"),
    ("density-zero", "density: 1000", "density: 0", "bad-value"),
    ("density-text", "density: 1000", "density: '1000'", "bad-type"),
    ("density-underscore", "density: 1000", "density: 1_000", "bad-number"),
    ("density-hex", "density: 1000", "density: 0x3e8", "bad-number"),
    ("mass-negative", "mass: 2", "mass: -2", "bad-value"),
    ("mass-nan", "mass: 2", "mass: .nan", "bad-value"),
    ("mass-infinite", "mass: 2", "mass: .inf", "bad-value"),
    ("mass-garbage", "mass: 3", "mass: 3kg", "bad-number"),
    ("mass-list", "mass: 3", "mass: [3]", "bad-type"),
    ("inertia-negative", "ixx: 0.1", "ixx: -0.1", "bad-value"),
    ("inertia-garbage", "iyy: 0.11", "iyy: 0.11.1", "bad-number"),
    ("inertia-impossible", "izz: 0.12", "izz: 0.5", "unphysical-inertia"),
    ("inertia-indefinite", "izz: 0.12", "izz: 0.12, ixy: 0.3", "unphysical-inertia"),
    ("center-nan", "center: [0.25, 0, 0]", "center: [0.25, .nan, 0]", "bad-value"),
    ("position-of-two", "position: [0, 0, 0.5]", "position: [0, 0.5]", "bad-size"),
    ("position-word", "position: [0, 0, 0.5]", "position: up", "bad-type"),
    ("rpy-of-four", "rpy: [0.1, 0, 0]", "rpy: [0.1, 0, 0, 0]", "bad-size"),
    ("quaternion-zero", "quaternion: [1, 0, 0, 0]", "quaternion: [0, 0, 0, 0]", "bad-value"),
    ("quaternion-of-three", "quaternion: [1, 0, 0, 0]", "quaternion: [1, 0, 0]", "bad-size"),
    ("velocity-infinite", "linear: [2, 0, 0]", "linear: [.inf, 0, 0]", "bad-value"),
    ("radius-negative", "radius: 0.05", "radius: -0.05", "bad-value"),
    ("radius-missing", "sphere: {radius: 0.05}", "sphere: {}", "missing-key"),
    ("box-side-zero", "size: [0.5, 0.02, 1]", "size: [0.5, 0, 1]", "bad-value"),
    ("cylinder-length-nan", "length: 0.4", "length: .nan", "bad-value"),
    ("color-above-one", "color: [1, 0.5, 0, 1]", "color: [255, 128, 0]", "bad-value"),
    ("contype-fraction", "contype: 1", "contype: 1.5", "bad-value"),
    ("group-too-large", "group: 2", "group: 99", "bad-value"),
    ("amplitude-nan", "amplitude: 0.2", "amplitude: .nan", "bad-value"),
    ("frequency-negative", "frequency: 1.5", "frequency: -1.5", "bad-value"),
    ("phase-garbage", "phase: 0.25", "phase: pi", "bad-number"),
    ("surface-velocity-of-two", "surface_velocity: [0.5, 0, 0]", "surface_velocity: [0.5, 0]", "bad-size"),
    ("heights-ragged", "[[0, 1], [2, 3]]", "[[0, 1], [2]]", "bad-heights"),
    ("heights-one-row", "[[0, 1], [2, 3]]", "[[0, 1]]", "bad-heights"),
    ("heights-nan", "[[0, 1], [2, 3]]", "[[0, 1], [2, .nan]]", "bad-value"),
    ("heights-empty", "[[0, 1], [2, 3]]", "[]", "bad-heights"),
    ("axis-zero", "axis: [0, 0, 1]", "axis: [0, 0, 0]", "zero-axis"),
    ("axis-of-motion-zero", "motion: {axis: [1, 0, 0]", "motion: {axis: [0, 0, 0]", "zero-axis"),
    ("joint-position-nan", "position: 0.3", "position: .nan", "bad-value"),
    ("joint-damping-negative", "damping: 0.1", "damping: -0.1", "bad-value"),
    ("joint-limits-swapped", "{lower: 0, upper: 1.57}", "{lower: 1.57, upper: 0}", "bad-range"),
    ("joint-limit-nan", "upper: 1.57", "upper: .nan", "bad-value"),
    ("joint-stiffness-negative", "stiffness: 5", "stiffness: -5", "bad-value"),
    ("joint-armature-negative", "armature: 0.01", "armature: -0.01", "bad-value"),
    ("joint-friction-garbage", "dry_friction: 0.5", "dry_friction: 0.5N", "bad-number"),
    ("joint-velocity-limit-zero", "velocity: 2, effort", "velocity: 0, effort", "bad-value"),
    ("joint-effort-limit-negative", "effort: 30", "effort: -30", "bad-value"),
    ("tendon-coefficient-nan", "rail: -0.5}", "rail: .nan}", "bad-value"),
    ("tendon-limits-swapped", "{lower: -1, upper: 2}", "{lower: 2, upper: -1}", "bad-range"),
    ("kp-negative", "kp: 100", "kp: -100", "bad-value"),
    ("kp-missing", "kp: 100, ", "", "missing-key"),
    ("gear-of-seven", "gear: 2", "gear: [1, 1, 1, 1, 1, 1, 1]", "bad-size"),
    ("control-limits-swapped", "{lower: -3, upper: 3}", "{lower: 3, upper: -3}", "bad-range"),
    ("length-negative", "length: 1.2", "length: -1.2", "bad-value"),
    ("coefficients-nan", "coefficients: [0, 0.5]", "coefficients: [0, .nan]", "bad-value"),
    ("coefficients-too-many", "coefficients: [0, 0.5]", "coefficients: [0, 1, 2, 3, 4, 5]", "bad-size"),
    ("keyframe-nan", "q: [0, 0, 1", "q: [0, .nan, 1", "bad-value"),
    ("keyframe-too-short", "q: [0, 0, 1, 1, 0, 0, 0, 1.5, 0]", "q: [0, 0, 1]", "bad-length"),
    ("accuracy-zero", "accuracy: 1.0e-3", "accuracy: 0", "bad-value"),
    ("until-negative", "until: 5", "until: -5", "bad-value"),
]
WORDS = [
    ("body-without-name", "- name: ball\n    density", "- density", "missing-key"),
    ("body-key-unknown", "density: 1000", "densty: 1000", "unknown-key"),
    ("body-named-world", "- name: ball", "- name: world", "reserved-name"),
    ("body-twice", "- name: door", "- name: ball", "duplicate-name"),
    ("body-name-a-list", "- name: door", "- name: [door]", "bad-type"),
    ("body-name-empty", "- name: door", "- name: ''", "bad-value"),
    ("body-without-mass", "- name: drawer\n    mass: 3", "- name: drawer", "missing-mass"),
    ("body-two-masses", "name: ball\n    density: 1000", "name: ball\n    density: 1000\n    mass: 1", "two-masses"),
    ("body-two-motions", "{name: belt, motion", "{name: belt, fixed: true, motion", "two-motions"),
    ("body-fixed-not-a-flag", "fixed: true, geometry: [{half", "fixed: yes, geometry: [{half", "bad-type"),
    ("body-massless-and-free", "name: ball\n    density: 1000", "name: ball\n    mass: 0", "zero-mass"),
    ("body-point-mass", "- {name: floor", "- {name: bob, mass: 1}\n  - {name: floor", "point-mass"),
    ("body-no-volume", "- {name: floor, fixed: true,", "- {name: floor, density: 1,", "no-volume"),
    ("pose-two-rotations", "rpy: [0.1, 0, 0]}", "rpy: [0.1, 0, 0], quaternion: [1, 0, 0, 0]}", "two-rotations"),
    ("shape-unknown", "sphere: {radius: 0.05}", "spere: {radius: 0.05}", "unknown-key"),
    ("shape-missing", "sphere: {radius: 0.05}, ", "", "no-shape"),
    ("shape-twice", "{half_space: {}, material", "{half_space: {}, box: {size: [1, 1, 1]}, material", "two-shapes"),
    ("shape-key-unknown", "{radius: 0.2, length: 0.4}", "{radius: 0.2, height: 0.4}", "missing-key"),
    ("material-unknown", "material: rubber", "material: ruber", "unknown-material"),
    ("material-key-unknown", "relaxation_time", "relax_time", "unknown-key"),
    ("material-grain-above-one", "friction: 0.3", "friction: 0.3, grain: {direction: [1, 0, 0], friction_ratio: 2}", "bad-grain"),
    ("material-poisson-above-half", "friction: {static", "youngs_modulus: 2.0e+9, poisson_ratio: 0.7, friction: {static", "bad-poisson-ratio"),
    ("material-poisson-alone", "friction: 0.3", "friction: 0.3, poisson_ratio: 0.3", "no-youngs-modulus"),
    ("material-hertz-relaxation", "friction: 0.3", "friction: 0.3, youngs_modulus: 2.0e+9", "hertz-relaxation"),
    ("material-two-dissipations", "relaxation_time: 0.001", "relaxation_time: 0.001, dissipation: 1", "two-dissipations"),
    ("motion-of-two-kinds", "amplitude: 0.2", "velocity: 1, amplitude: 0.2", "bad-motion"),
    ("motion-table-of-one-row", "amplitude: 0.2, frequency: 1.5, phase: 0.25", "table: [[0, 1]]", "bad-table"),
    ("motion-table-backward", "amplitude: 0.2, frequency: 1.5, phase: 0.25", "table: [[0, 1], [0, 2]]", "bad-table"),
    ("motion-table-of-three", "amplitude: 0.2, frequency: 1.5, phase: 0.25", "table: [[0, 1, 2], [1, 2, 3]]", "bad-table"),
    ("joint-type-unknown", "type: revolute", "type: revolving", "unknown-joint-type"),
    ("joint-without-child", "child: drawer, ", "", "missing-key"),
    ("joint-child-unknown", "child: drawer", "child: draw", "unknown-body"),
    ("joint-parent-unknown", "parent: world", "parent: wrld", "unknown-body"),
    ("joint-of-the-world", "child: drawer", "child: world", "bad-child"),
    ("joint-twice", "{name: rail", "{name: hinge", "duplicate-name"),
    ("tendon-joint-unknown", "{hinge: 1, rail: -0.5}", "{hinges: 1}", "unknown-joint"),
    ("actuator-on-nothing", "{name: motor, joint: hinge", "{name: motor", "bad-actuator"),
    ("actuator-on-two", "{name: motor, joint: hinge", "{name: motor, joint: hinge, tendon: cord", "bad-actuator"),
    ("actuator-type-unknown", "type: position", "type: servo", "unknown-actuator-type"),
    ("actuator-joint-unknown", "joint: hinge, type", "joint: hing, type", "unknown-joint"),
    ("actuator-tendon-unknown", "tendon: cord", "tendon: chord", "unknown-tendon"),
    ("constraint-two-stiffnesses", "length: 1.2, stiffness: 100", "length: 1.2, stiffness: 100, time_scale: 0.01", "two-stiffnesses"),
    ("actuator-two-limits", "effort_limit: 5", "effort_limit: 5, force_limits: {lower: -1, upper: 1}", "two-limits"),
    ("actuator-twice", "{name: pull", "{name: motor", "duplicate-name"),
    ("constraint-type-unknown", "type: distance", "type: rope", "unknown-constraint-type"),
    ("constraint-same-body", "body_b: door, length", "body_b: ball, length", "same-body"),
    ("constraint-body-unknown", "body_b: door, length", "body_b: dor, length", "unknown-body"),
    ("coupler-joint-unknown", "joint_b: hinge", "joint_b: hnge", "unknown-joint"),
    ("frame-body-unknown", "body: door", "body: dor", "unknown-body"),
    ("pair-geometry-unknown", "geometry_b: skin", "geometry_b: skn", "unknown-geometry"),
    ("pair-material-unknown", "skin, material: steel", "skin, material: stel", "unknown-material"),
    ("exclusion-body-unknown", "body_b: drawer", "body_b: drawr", "unknown-body"),
    ("keyframe-without-name", "{name: open, ", "{", "missing-key"),
    ("accuracy-and-time-step", "accuracy: 1.0e-3", "accuracy: 1.0e-3, time_step: 0.01", "accuracy-and-time-step"),
]
# Whether a method exists is known when all is read: the file is named, not the line.
METHODS = [Case("method-unknown.yaml", BASE.replace("cenic", "cynic").encode(), "bad-simulation")]
CASES = [*family(BASE, ".yaml", [*NUMBERS, *WORDS]), *METHODS]
