"""PLY meshes, as text and as bytes."""

from __future__ import annotations

from corpus.case import Case, as_mesh, family

HEAD = """ply
format ascii 1.0
comment a wedge
element vertex 4
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
"""
BASE = HEAD + """0 0 0
1 0 0
0 1.5 0
0 0 1
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
"""
EDITS = [
    ("nan", "0 1.5 0", "0 nan 0"),
    ("garbage", "0 1.5 0", "0 1.5abc 0"),
    ("overflow", "0 1.5 0", "0 1e999 0"),
    ("face-beyond", "3 0 2 1", "3 0 2 4"),
    ("face-negative", "3 0 2 1", "3 0 2 -1"),
    ("face-cut", "3 1 2 3\n", "3 1 2"),
    ("of-two", "3 1 2 3\n", "1 2 3\n"),
]
HEADER_EDITS = [
    ("format-unknown", "format ascii 1.0", "format binary_middle_endian 1.0"),
    ("type-unknown", "property float y", "property flot y"),
    ("count-negative", "element vertex 4", "element vertex -4"),
    ("no-end", "end_header\n", ""),
]
# What is known only of the file as a whole.
WHOLE_EDITS = [
    ("no-z", "property float z\n", ""),
    ("count-lies", "element vertex 4", "element vertex 4000000000"),
    ("no-faces", "element face 4", "element face 0"),
]
BINARY = HEAD.replace("ascii", "binary_little_endian").encode()
MESHES = family(BASE, ".ply", [(name, old, new, "bad-mesh") for name, old, new in EDITS + HEADER_EDITS])
MESHES += [Case(f"{name}.ply", BASE.replace(old, new).encode(), "bad-mesh") for name, old, new in WHOLE_EDITS]
MESHES += [
    Case("binary-cut.ply", BINARY + bytes(20), "bad-mesh"),
    Case("binary-lies.ply", BINARY.replace(b"vertex 4", b"vertex 400000000") + bytes(48), "bad-mesh"),
    Case("not-a-ply.ply", b"solid wedge\n", "bad-mesh", 1),
]
CASES = [as_mesh(mesh) for mesh in MESHES]
