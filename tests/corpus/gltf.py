"""glTF meshes, as text and as container. It has no lines worth naming: tools write it on one."""

from __future__ import annotations

import base64
import copy
import json
import struct
from typing import Any

from corpus.case import Case, as_mesh

POINTS = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
CORNERS = struct.pack("<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
DATA = POINTS + CORNERS
URI = "data:application/octet-stream;base64," + base64.b64encode(DATA).decode()
BASE: dict[str, Any] = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "translation": [0, 0, 1], "children": []}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
    ],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
    "buffers": [{"byteLength": 72, "uri": URI}],
}


def changed(name: str, path: str, value: Any) -> Case:
    """One value of the tree is another; `path` is its keys with dots between."""
    document = copy.deepcopy(BASE)
    *keys, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    inner: Any = document
    for key in keys:
        inner = inner[key]
    inner[last] = value
    return Case(f"{name}.gltf", json.dumps(document).encode(), "bad-mesh")


def data(points: bytes) -> str:
    return "data:application/octet-stream;base64," + base64.b64encode(points + CORNERS).decode()


def glb(json_length: int | None = None, binary_length: int | None = None, text: bytes | None = None) -> bytes:
    """A container whose lengths may lie."""
    inside = copy.deepcopy(BASE)
    del inside["buffers"][0]["uri"]
    text = json.dumps(inside).encode() if text is None else text
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text) if json_length is None else json_length, 0x4E4F534A) + text
    chunks += struct.pack("<II", len(DATA) if binary_length is None else binary_length, 0x004E4942) + DATA
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


TREE = [
    changed("version-1", "asset.version", "1.0"),
    changed("version-missing", "asset", {}),
    changed("scene-beyond", "scene", 7),
    changed("node-beyond", "scenes.0.nodes", [5]),
    changed("node-not-a-number", "scenes.0.nodes", ["zero"]),
    changed("node-negative", "scenes.0.nodes", [-1]),
    changed("node-fraction", "scenes.0.nodes", [0.5]),
    changed("node-in-itself", "nodes.0.children", [0]),
    changed("nodes-not-a-list", "nodes", {"0": {}}),
    changed("mesh-beyond", "nodes.0.mesh", 3),
    changed("translation-of-two", "nodes.0.translation", [0, 1]),
    changed("translation-words", "nodes.0.translation", ["a", "b", "c"]),
    changed("rotation-zero", "nodes.0.rotation", [0, 0, 0, 0]),
    changed("matrix-short", "nodes.0.matrix", [1, 0, 0]),
    changed("accessor-beyond", "meshes.0.primitives.0.indices", 9),
    changed("accessor-of-wrong-type", "meshes.0.primitives.0.indices", 0),
    changed("accessor-without-data", "accessors.0", {"componentType": 5126, "count": 1_000_000_000, "type": "VEC3"}),
    changed("accessor-sparse", "accessors.0.sparse", {"count": 1}),
    changed("accessor-too-long", "accessors.0.count", 5),
    changed("accessor-of-a-billion", "accessors.0.count", 1_000_000_000),
    changed("accessor-of-a-septillion", "accessors.0.count", 1e24),
    changed("accessor-component-unknown", "accessors.0.componentType", 1),
    changed("accessor-offset-beyond", "accessors.0.byteOffset", 4000),
    changed("indices-signed", "accessors.1.componentType", 5122),
    changed("stride-zero", "bufferViews.0.byteStride", 0),
    changed("stride-huge", "bufferViews.0.byteStride", 999_999_999_999),
    changed("view-beyond", "bufferViews.0.byteLength", 4800),
    changed("view-offset-beyond", "bufferViews.1.byteOffset", 72_000),
    changed("buffer-beyond", "bufferViews.0.buffer", 4),
    changed("buffer-not-base64", "buffers.0.uri", "data:application/octet-stream;base64,?!"),
    changed("buffer-without-data", "buffers.0", {"byteLength": 72}),
    changed("index-beyond", "buffers.0.uri", "data:;base64," + base64.b64encode(POINTS + struct.pack("<12H", *[9] * 12)).decode()),
    changed("points-nan", "buffers.0.uri", data(struct.pack("<12f", *[float("nan")] * 12))),
    changed("points-inf", "buffers.0.uri", data(struct.pack("<12f", *[float("inf")] * 12))),
    changed("compressed", "extensionsRequired", ["KHR_draco_mesh_compression"]),
    changed("nodes-explode", "nodes", [{"children": [i + 1] * 10} for i in range(12)] + [{"mesh": 0}]),
]
WHOLE = [
    Case("empty.gltf", b"", "bad-mesh"),
    Case("not-json.gltf", b"{asset:\n", "bad-mesh"),
    Case("cut.gltf", json.dumps(BASE).encode()[:200], "bad-mesh"),
    Case("a-list.gltf", b"[1, 2, 3]", "bad-mesh"),
    Case("nested-100000-deep.gltf", b'{"a":' * 100_000, "bad-mesh"),
    Case("nested-and-closed.gltf", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "bad-mesh"),
    Case("header-only.glb", b"glTF\x02\0\0\0\x0c\0\0\0", "bad-mesh"),
    Case("cut-in-header.glb", b"glTF\x02\0\0\0\x0c\0", "bad-mesh"),
    Case("container-of-version-1.glb", b"glTF\x01" + glb()[5:], "bad-mesh"),
    Case("json-too-long.glb", glb(json_length=1_000_000), "bad-mesh"),
    Case("binary-too-long.glb", glb(binary_length=0xFFFFFFFF), "bad-mesh"),
    Case("json-broken.glb", glb(text=b'{"asset": {'), "bad-mesh"),
    Case("buffer-missing.gltf", json.dumps({**BASE, "buffers": [{"byteLength": 72, "uri": "points.bin"}]}).encode(), "no-such-file"),
    Case("buffer-outside.gltf", json.dumps({**BASE, "buffers": [{"byteLength": 72, "uri": "../../../../../../../../etc/passwd"}]}).encode(), "outside-folder"),
]
CASES = [*map(as_mesh, [*TREE, *WHOLE])]
