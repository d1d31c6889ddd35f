"""OBJ meshes."""

from __future__ import annotations

from corpus.case import Case, as_mesh, family

BASE = """# a wedge
mtllib wedge.mtl
v 0 0 0
v 1 0 0
v 0 1.5 0
v 0 0 1
vn 0 0 1
usemtl red
f 1 3 2
f 1//1 2//1 4//1
f 1 4 3
f -3 -2 -1
"""
EDITS = [
    ("nan", "v 0 1.5 0", "v 0 nan 0"),
    ("inf", "v 0 1.5 0", "v 0 inf 0"),
    ("overflow", "v 0 1.5 0", "v 0 1e999 0"),
    ("garbage", "v 0 1.5 0", "v 0 1.5abc 0"),
    ("comma", "v 0 1.5 0", "v 0 1,5 0"),
    ("word", "v 0 1.5 0", "v 0 up 0"),
    ("of-two", "v 0 1.5 0", "v 0 1.5"),
    ("empty-vertex", "v 0 1.5 0", "v"),
    ("face-of-two", "f 1 3 2", "f 1 3"),
    ("face-empty", "f 1 3 2", "f"),
    ("face-zero", "f 1 3 2", "f 0 3 2"),
    ("face-beyond", "f 1 3 2", "f 1 3 9"),
    ("face-before-its-vertex", "v 0 0 1", "f 1 2 4"),
    ("face-negative-beyond", "f -3 -2 -1", "f -5 -2 -1"),
    ("face-garbage", "f 1 4 3", "f 1 4 3x"),
    ("face-fraction", "f 1 4 3", "f 1 4 3.0"),
    ("face-overflow", "f 1 4 3", "f 1 4 99999999999999999999"),
    ("face-slash-first", "f 1 4 3", "f /1 /4 /3"),
]
MESHES = family(BASE, ".obj", [(name, old, new, "bad-mesh") for name, old, new in EDITS])
WHOLE = [
    Case("empty.obj", b"", "bad-mesh"),
    Case("only-faces.obj", b"# nothing\nf 1 2 3\n", "bad-mesh", 2),
    Case("no-vertices.obj", b"o nothing\nvn 0 0 1\n", "bad-mesh"),
    Case("binary.obj", bytes(range(256)) * 8, "bad-mesh"),
    Case("stl-inside.obj", b"solid s\nendsolid s\n", "bad-mesh"),
]
FLAT = Case("flat.yaml", b"bodies:\n  - {name: a, density: 1, geometry: [{mesh: {file: flat.obj}}]}\n", "flat-mesh", 0, "flat.obj", {"flat.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"})
FAR = Case("far.yaml", b"bodies:\n  - {name: a, fixed: true, geometry: [{mesh: {file: far.obj}}]}\n", "too-far", 2, others={"far.obj": BASE.replace("1.5", "2e6").encode()})
CASES = [*map(as_mesh, [*MESHES, *WHOLE]), FLAT, FAR]
