"""STL meshes, text and binary."""

from __future__ import annotations

import struct

from corpus.case import Case, as_mesh, family

FACETS = [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 0, 1), (0, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1))]


def facet_text(facet: tuple[tuple[int, ...], ...]) -> str:
    corners = "".join(f"vertex {x} {y} {z}\n" for x, y, z in facet)
    return f"facet normal 0 0 1\nouter loop\n{corners}endloop\nendfacet\n"


def binary(count: int, facets: int = 4, corner: float = 1.0, header: bytes = b"wedge") -> bytes:
    """As many facets as wanted behind whatever count."""
    rows = [struct.pack("<12fH", 0, 0, 1, *[corner * x for point in FACETS[i % 4] for x in point], 0) for i in range(facets)]
    return header.ljust(80, b"\0") + struct.pack("<I", count) + b"".join(rows)


BASE = "solid wedge\n" + "".join(map(facet_text, FACETS)) + "endsolid wedge\n"
FIRST = "vertex 0 0 0"
TEXT = family(
    BASE,
    ".stl",
    [
        (name, old, new, "bad-mesh")
        for name, old, new in [
            ("nan", "vertex 0 1 0", "vertex 0 nan 0"),
            ("inf", "vertex 0 1 0", "vertex 0 inf 0"),
            ("overflow", "vertex 0 1 0", "vertex 0 1e999 0"),
            ("garbage", "vertex 0 1 0", "vertex 0 1x 0"),
            ("word", "vertex 0 1 0", "vertex 0 endloop 0"),
            ("of-two", "vertex 0 1 0\nvertex", "vertex 0 1\n¦vertex"),
            ("four-corners", "vertex 1 0 0\nendloop", "vertex 1 0 0\n¦vertex 1 1 1\nendloop"),
            ("two-corners", "vertex 1 0 0\nendloop\nendfacet", "endloop\n¦endfacet"),
            ("no-corners", "vertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet", "endloop\n¦endfacet"),
        ]
    ],
)
CUT = BASE[: BASE.rindex("vertex")]
WHOLE = [
    Case("cut-in-a-facet.stl", CUT.encode(), "bad-mesh", 1 + CUT.count("\n")),
    Case("empty.stl", b"", "bad-mesh"),
    Case("short.stl", b"solid", "bad-mesh"),
    Case("no-facets.stl", b"solid nothing\nendsolid nothing\n", "bad-mesh"),
    Case("count-too-large.stl", binary(5), "bad-mesh"),
    Case("count-a-billion.stl", binary(1_000_000_000), "bad-mesh"),
    Case("count-4-billion.stl", binary(0xFFFFFFFF), "bad-mesh"),
    Case("count-lies-solid.stl", binary(0xFFFFFFFF, header=b"solid lie"), "bad-mesh"),
    Case("count-zero.stl", binary(0, facets=0), "bad-mesh"),
    Case("cut-binary.stl", binary(4)[:-7], "bad-mesh"),
    Case("header-only.stl", bytes(80), "bad-mesh"),
    Case("binary-nan.stl", binary(4, corner=float("nan")), "bad-mesh"),
    Case("binary-inf.stl", binary(4, corner=float("inf")), "bad-mesh"),
    Case("words.stl", b"these are words, and not a mesh\n" * 10, "bad-mesh"),
]
FAR = Case("far.yaml", b"bodies:\n  - {name: a, fixed: true, geometry: [{mesh: {file: far.stl}}]}\n", "too-far", 2, others={"far.stl": binary(4, corner=3e6)})
CASES = [*map(as_mesh, [*TEXT, *WHOLE]), FAR]
