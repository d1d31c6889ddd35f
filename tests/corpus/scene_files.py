"""What is no scene file, whatever its name says."""

from __future__ import annotations

from corpus.case import Case

STL = b"solid s\nendsolid s\n"
CASES = [
    Case("a-folder.yaml", None, "no-such-file"),
    Case("a-folder.urdf", None, "no-such-file"),
    Case("a-folder.xml", None, "no-such-file"),
    Case("no-suffix", b"bodies: []\n", "unknown-format"),
    Case("robot.txt", b'<robot name="r"><link name="a"/></robot>\n', "unknown-format"),
    Case("robot.urdf.bak", b'<robot name="r"><link name="a"/></robot>\n', "unknown-format"),
    Case("scene.json", b'{"bodies": []}\n', "unknown-format"),
    Case("part.stl", STL, "unknown-format"),
    Case("yaml-inside.urdf", b"bodies: []\n", "bad-xml", 1),
    Case("yaml-inside.xml", b"bodies: []\n", "bad-xml", 1),
    Case("mesh-inside.urdf", STL, "bad-xml", 1),
    Case("mjcf-inside.urdf", b"<mujoco/>\n", "not-urdf", 1),
    Case("json-inside.xml", b'{"asset": 1}\n', "bad-xml", 1),
    Case("invalid-utf-8.yaml", b"bodies:\n  - {name: \"\xff\xfe\", mas: 1}\n", "unknown-key", 2),
]
