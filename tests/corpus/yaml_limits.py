"""Scene files: loops of joints, includes, paths that lead away, and sizes beyond reason."""

from __future__ import annotations

from corpus.case import Case
from corpus.yaml_syntax import small

BOX = "geometry: [{box: {size: [1, 1, 1]}}]"
ROBOT = b'<robot name="r">\n<link name="base"/>\n</robot>\n'
BODIES = f"bodies:\n  - {{name: a, mass: 1, {BOX}}}\n  - {{name: b, mass: 1, {BOX}}}\n"


def include(name: str, words: str, code: str, others: dict[str, bytes] | None = None) -> Case:
    return small(name, f"include:\n  - ¦{{{words}}}\n", code, others)


LOOPS = [
    small("loop-of-one", f"{BODIES}joints:\n  ¦- {{name: j, type: revolute, parent: a, child: a}}\n", "joint-cycle"),
    small("loop-of-two", f"{BODIES}joints:\n  - {{name: j, type: revolute, parent: b, child: a}}\n  ¦- {{name: k, type: revolute, parent: a, child: b}}\n", "joint-cycle"),
    small("two-parents", f"{BODIES}joints:\n  - {{name: j, type: revolute, child: a}}\n  ¦- {{name: k, type: revolute, parent: b, child: a}}\n", "two-parents"),
    small("fixed-and-jointed", f"bodies:\n  ¦- {{name: a, mass: 1, fixed: true, {BOX}}}\njoints:\n  - {{name: j, type: revolute, child: a}}\n", "two-motions"),
    small("pose-and-joint", f"bodies:\n  ¦- {{name: a, mass: 1, pose: {{position: [1, 0, 0]}}, {BOX}}}\njoints:\n  - {{name: j, type: ball, child: a}}\n", "two-motions"),
    small("start-quaternion-zero", f"bodies:\n  - {{name: a, mass: 1, {BOX}}}\njoints:\n  ¦- {{name: j, type: ball, child: a, position: [0, 0, 0, 0]}}\n", "bad-quaternion"),
    small("prescribed-ball", f"bodies:\n  - {{name: a, mass: 1, {BOX}}}\njoints:\n  ¦- {{name: j, type: ball, child: a, motion: {{velocity: 1}}}}\n", "unknown-key"),
    small("tendon-of-a-ball", f"bodies:\n  - {{name: a, mass: 1, {BOX}}}\njoints:\n  - {{name: j, type: ball, child: a}}\ntendons:\n  ¦- {{name: t, joints: {{j: 1}}}}\n", "bad-joint"),
    small("gear-too-long", f"bodies:\n  - {{name: a, mass: 1, {BOX}}}\njoints:\n  - {{name: j, type: revolute, child: a, position: [1, 2]}}\n".replace("- {name: j", "¦- {name: j"), "bad-size"),
]
INCLUDES = [
    include("include-without-file", "prefix: a_", "missing-key"),
    include("include-missing", "file: nowhere.yaml", "no-such-file"),
    include("include-a-folder", "file: .", "no-such-file"),
    include("include-itself", "file: include-itself.yaml", "include-cycle"),
    Case("include-unknown-format.yaml", b"include: [{file: robot.txt}]\n", "unknown-format", 0, "robot.txt", {"robot.txt": b"robot\n"}),
    include("include-unknown-joint", "file: robot.urdf, joints: {elbow: 1}", "unknown-joint", {"robot.urdf": ROBOT}),
    include("include-unknown-material", "file: robot.urdf, material: gold", "unknown-material", {"robot.urdf": ROBOT}),
    include("include-bad-base", "file: robot.urdf, base: flying", "bad-value", {"robot.urdf": ROBOT}),
    include("include-base-of-yaml", "file: part.yaml, base: fixed", "bad-value", {"part.yaml": b"bodies: []\n"}),
    include("include-outside-the-folder", "file: ../../../../../../../../../etc/passwd", "outside-folder"),
    include("include-at-an-absolute-path", "file: /etc/passwd", "outside-folder"),
    include("include-a-device", "file: /dev/zero", "outside-folder"),
    Case("include-a-loop.yaml", b"include: [{file: loop.yaml}]\n", "include-cycle", 1, "loop.yaml", {"loop.yaml": b"include: [{file: loop.yaml}]\n"}),
    Case("include-broken.yaml", b"include: [{file: robot.urdf}]\n", "bad-xml", 2, "robot.urdf", {"robot.urdf": b'<robot>\n<link name="a"'}),
    Case("include-broken-yaml.yaml", b"include: [{file: part.yaml}]\n", "unknown-key", 2, "part.yaml", {"part.yaml": b"bodies: []\nbodys: []\n"}),
    Case("include-twice.yaml", b"include:\n  - {file: robot.urdf}\n  - {file: robot.urdf}\n", "duplicate-name", 2, "robot.urdf", {"robot.urdf": ROBOT}),
    Case(
        "include-too-deep.yaml",
        b"include: [{file: part0.yaml}]\n",
        "include-too-deep",
        1,
        "part14.yaml",
        {f"part{i}.yaml": f"include: [{{file: part{i + 1}.yaml}}]\n".encode() for i in range(20)},
    ),
    # Each includes the next ten times: 10^9 files.
    Case(
        "include-explodes.yaml",
        b"include: [{file: part0.yaml}]\n",
        "too-many-includes",
        7,
        "part8.yaml",
        {f"part{i}.yaml": ("include:\n" + f"  - {{file: part{i + 1}.yaml, prefix: a}}\n" * 10 if i < 9 else "bodies: []\n").encode() for i in range(10)},
    ),
]


def shown(name: str, words: str, code: str, others: dict[str, bytes] | None = None) -> Case:
    return small(name, f"bodies:\n  - name: a\n    fixed: true\n    geometry:\n      - ¦{{{words}}}\n", code, others)


SHAPES = [
    shown("mesh-missing", "mesh: {file: nowhere.obj}", "no-such-file"),
    shown("mesh-a-folder", "mesh: {file: .}", "unsupported-mesh-format"),
    shown("mesh-of-unknown-type", "mesh: {file: part.blend}", "unsupported-mesh-format"),
    shown("mesh-without-file", "mesh: {}", "missing-key"),
    shown("mesh-scale-zero", "mesh: {file: part.obj, scale: 0}", "bad-value"),
    shown("mesh-convex-and-decompose", "mesh: {file: part.obj, convex: true, decompose: true}", "convex-and-decompose"),
    shown("mesh-outside-the-folder", "mesh: {file: ../../../../../../../../../etc/passwd.obj}", "outside-folder"),
    shown("mesh-at-an-absolute-path", "mesh: {file: /nowhere/part.obj}", "no-such-file"),
    shown("mesh-with-a-zero-in-its-name", 'mesh: {file: "/etc/passwd\\0.obj"}', "outside-folder"),
    shown("mesh-with-a-zero-in-its-name-beside", 'mesh: {file: "part\\0.obj"}', "no-such-file", {"part": b"v 0 0 0\n"}),
    shown("heights-outside-the-folder", "height_field: {size: [1, 1], heights: /etc/passwd}", "outside-folder"),
    shown("heights-missing", "height_field: {size: [1, 1], heights: nowhere.csv}", "no-such-file"),
    shown("pose-too-far", "sphere: {radius: 1}, pose: {position: [0, 0, 1.0e7]}", "too-far"),
    shown("sphere-too-large", "sphere: {radius: 1.0e8}", "too-far"),
    shown("heights-too-far", "height_field: {size: [1, 1], heights: [[0, 0], [0, 1.0e9]]}", "too-far"),
    Case(
        "heights-garbage.yaml",
        b"bodies: [{name: a, fixed: true, geometry: [{height_field: {size: [1, 1], heights: hill.csv}}]}]\n",
        "bad-number",
        3,
        "hill.csv",
        {"hill.csv": b"# a hill\n0, 1\n2, x\n"},
    ),
    Case(
        "heights-a-picture.yaml",
        b"bodies: [{name: a, fixed: true, geometry: [{height_field: {size: [1, 1], heights: hill.csv}}]}]\n",
        "not-text",
        0,
        "hill.csv",
        {"hill.csv": b"\x89PNG\r\n\x1a\n"},
    ),
    small("mass-overflows", "bodies:\n  ¦- {name: a, density: 1.0e300, geometry: [{sphere: {radius: 1.0e5}}]}\n", "bad-mass"),
]
ANCHORS = [
    Case("anchors-without-end.yaml", b"bodies:\n" + b"".join(b"- &a%d 1\n" % i for i in range(100_001)), "too-large", 100_002),
]
CASES = [*LOOPS, *INCLUDES, *SHAPES, *ANCHORS]
