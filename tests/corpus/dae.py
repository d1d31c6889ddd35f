"""COLLADA meshes."""

from __future__ import annotations

from corpus.case import Case, as_mesh, family

BASE = """<?xml version="1.0"?>
<COLLADA version="1.4.1">
  <asset>
    <unit meter="0.01"/>
  </asset>
  <library_geometries>
    <geometry id="wedge">
      <mesh>
        <source id="points">
          <float_array id="numbers" count="12">0 0 0  1 0 0  0 1.5 0  0 0 1</float_array>
          <technique_common>
            <accessor source="#numbers" count="4" stride="3"/>
          </technique_common>
        </source>
        <vertices id="corners">
          <input semantic="POSITION" source="#points"/>
        </vertices>
        <triangles count="4">
          <input semantic="VERTEX" source="#corners" offset="0"/>
          <p>0 2 1  0 1 3  0 3 2  1 2 3</p>
        </triangles>
      </mesh>
    </geometry>
  </library_geometries>
  <library_visual_scenes>
    <visual_scene id="scene">
      <node id="top">
        <translate>0 0 0.5</translate>
        <rotate>0 0 1 45</rotate>
        <instance_geometry url="#wedge"/>
      </node>
    </visual_scene>
  </library_visual_scenes>
  <scene>
    <instance_visual_scene url="#scene"/>
  </scene>
</COLLADA>
"""
EDITS = [
    ("nan", "0 1.5 0", "0 nan 0"),
    ("overflow", "0 1.5 0", "0 1e999 0"),
    ("garbage", "0 1.5 0", "0 1.5abc 0"),
    ("word", "0 1.5 0", "0 up 0"),
    ("index-beyond", "1 2 3</p>", "1 2 4</p>"),
    ("index-negative", "1 2 3</p>", "1 2 -3</p>"),
    ("index-garbage", "1 2 3</p>", "1 2 3x</p>"),
    ("index-fraction", "1 2 3</p>", "1 2 3.5</p>"),
    ("index-overflow", "1 2 3</p>", "1 2 99999999999999999999</p>"),
    ("stride-zero", 'stride="3"', 'stride="0"'),
    ("stride-huge", 'stride="3"', 'stride="4000000000"'),
    ("translate-of-two", "<translate>0 0 0.5", "<translate>0 0.5"),
    ("translate-garbage", "<translate>0 0 0.5", "<translate>0 0 x"),
    ("rotate-nan-word", "<rotate>0 0 1 45", "<rotate>0 0 one 45"),
    ("geometry-unknown", 'url="#wedge"', 'url="#wege"'),
    ("node-unknown", '<instance_geometry url="#wedge"/>', '<instance_node url="#nobody"/>'),
]
PLACED = family(BASE, ".dae", [(name, old, new, "bad-mesh") for name, old, new in EDITS])
# What is said of these stands elsewhere than the edit: at the element around it, or nowhere.
ELSEWHERE = [
    ("array-missing", '<float_array id="numbers" count="12">0 0 0  1 0 0  0 1.5 0  0 0 1</float_array>', "", 9),
    ("positions-unknown", 'source="#points"', 'source="#pints"', 8),
    ("unit-zero", 'meter="0.01"', 'meter="0"', 3),
    ("unit-negative", 'meter="0.01"', 'meter="-1"', 3),
    ("node-in-itself", '<instance_geometry url="#wedge"/>', '<instance_node url="#top"/>', 0),
    ("no-geometry", '<instance_geometry url="#wedge"/>', "", 0),
]
MOVED = [Case(f"{name}.dae", BASE.replace(old, new, 1).encode(), "bad-mesh", line) for name, old, new, line in ELSEWHERE]
WHOLE = [
    Case("empty.dae", b"", "bad-mesh", 1),
    Case("not-xml.dae", b"COLLADA\n", "bad-mesh", 2),
    Case("other-root.dae", b"<x3d/>\n", "bad-mesh", 1),
    Case("no-scene.dae", b"<COLLADA>\n</COLLADA>\n", "bad-mesh", 1),
    Case("cut.dae", BASE[: BASE.index("0 2 1")].encode(), "bad-mesh", 20),
    Case("nested-100000-deep.dae", b'<COLLADA><library_visual_scenes><visual_scene id="s">\n' + b"<node>" * 100_000 + b"</node>" * 100_000 + b"</visual_scene></library_visual_scenes></COLLADA>\n", "bad-mesh"),
    # Ten nodes, each of which shows the next ten times.
    Case(
        "node-explodes.dae",
        (
            "<COLLADA><library_nodes>"
            + "".join(f'<node id="n{i}">' + f'<instance_node url="#n{i + 1}"/>' * 10 + "</node>" for i in range(12))
            + '<node id="n12"/></library_nodes><library_visual_scenes><visual_scene id="s"><node><instance_node url="#n0"/></node></visual_scene></library_visual_scenes></COLLADA>'
        ).encode(),
        "bad-mesh",
    ),
]
FAR = Case("far.yaml", b"bodies:\n  - {name: a, fixed: true, geometry: [{mesh: {file: far.dae}}]}\n", "too-far", 2, others={"far.dae": BASE.replace("1.5", "1e9").encode()})
CASES = [*map(as_mesh, [*PLACED, *MOVED, *WHOLE]), FAR]
