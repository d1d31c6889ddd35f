"""MJCF: files that are no model, and models that would take all the memory or the stack."""

from __future__ import annotations

import struct
import zlib

from corpus.case import MARK, Case
from corpus.mjcf import BASE


def small(name: str, text: str, code: str, others: dict[str, bytes] | None = None, file: str = "") -> Case:
    """The line is where the mark is; without one, the first."""
    before, _, after = text.partition(MARK) if MARK in text else ("", "", text)
    return Case(f"{name}.xml", (before + after).encode(), code, 1 + before.count("\n"), file, others or {})


def world(name: str, content: str, code: str) -> Case:
    return small(name, f"<mujoco>\n<worldbody>\n{content}\n</worldbody>\n</mujoco>\n", code)


def png(width: int, height: int) -> bytes:
    """A picture that says how large it is, and has not a pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def hill(name: str, attributes: str, code: str, others: dict[str, bytes] | None = None, *, named: str = "") -> Case:
    """A height field; the error names its line, or its file alone."""
    text = f'<mujoco>\n<asset>\n¦<hfield name="hill" size="1 1 1 0.1" {attributes}/>\n</asset>\n<worldbody><geom type="hfield" hfield="hill"/></worldbody>\n</mujoco>\n'
    case = small(name, text, code, others, named)
    return Case(case.name, case.content, code, 0 if named else case.line, named, case.others)


def mesh(name: str, attributes: str, code: str, others: dict[str, bytes] | None = None) -> Case:
    text = f'<mujoco>\n<asset>\n¦<mesh name="part" {attributes}/>\n</asset>\n<worldbody><body><geom type="mesh" mesh="part"/></body></worldbody>\n</mujoco>\n'
    return small(name, text, code, others)


SYNTAX = [
    small("range-ambiguous", '<mujoco>\n<compiler autolimits="false"/>\n<worldbody><body>\n¦<joint range="-1 1"/><geom size="1"/>\n</body></worldbody>\n</mujoco>\n', "ambiguous-limits"),
    small("frame-in-global-coordinates", '<mujoco>\n<compiler coordinate="global"/>\n<worldbody>\n¦<frame pos="1 0 0"/>\n</worldbody>\n</mujoco>\n', "unsupported-coordinate"),
    small("free-in-global-coordinates", '<mujoco>\n<compiler coordinate="global"/>\n<worldbody>\n¦<body><freejoint/><geom size="1"/></body>\n</worldbody>\n</mujoco>\n', "unsupported-coordinate"),
    small(
        "attached-in-global-coordinates",
        '<mujoco><asset><model name="m" file="arm.xml"/></asset><worldbody><body><geom size="1"/><attach model="m" body="b" prefix="p"/></body></worldbody></mujoco>\n',
        "unsupported-coordinate",
        {"arm.xml": b'<mujoco><compiler coordinate="global"/><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>\n'},
        "arm.xml",
    ),
    small("empty", "", "bad-xml"),
    small("not-xml", "mujoco\n", "bad-xml"),
    small("root-unknown", "<mujocco/>\n", "not-mjcf"),
    small("sdf-without-a-model", '<sdf version="1.7"/>\n', "no-links"),
    small("unclosed", "<mujoco>\n¦<worldbody>\n", "bad-xml"),
    small("crossed-tags", "<mujoco>\n<worldbody>\n¦</mujoco>\n</worldbody>\n", "bad-xml"),
    small("quote-missing", '<mujoco>\n<worldbody>\n¦<geom size="1/>\n</worldbody>\n</mujoco>\n', "bad-xml"),
    Case("tags-beyond-count.xml", b"<mujoco>\n" + b"<a/>" * 2_600_000 + b"</mujoco>", "too-large", 1),
    Case("attributes-of-millions.xml", b"<mujoco>\n<a " + b'a="" ' * 4_100_000 + b"/></mujoco>", "too-large", 1),
    small("defaults-of-one-kind", "<mujoco>\n<default>\n" + '<geom size="1"/>\n' * 100 + '¦<geom size="1"/>\n</default>\n</mujoco>\n', "too-large"),
    Case("zero-behind-the-beginning.xml", b"<mujoco>\n" + b"<!-- blank -->\n" * 1000 + b"\0</mujoco>\n", "bad-xml", 1002),
    world("attributes-beyond-count", "¦<body " + " ".join(f'a{i}="1"' for i in range(200_000)) + "/>", "unknown-attribute"),
    Case("cut-in-half.xml", BASE[: len(BASE) // 2].encode(), "bad-xml", 1 + BASE[: len(BASE) // 2].count("\n")),
    Case("binary.xml", bytes(range(256)) * 16, "not-text"),
    Case("picture.xml", png(16, 16), "not-text"),
    Case("utf-16.xml", BASE.encode("utf-16"), "not-text"),
    Case("urdf-inside.xml", b'<robot name="r">\n<link name="a"/>\n<link name="b"/>\n</robot>\n', "several-roots", 3),
]
DEEP = [
    Case("bodies-20000-deep.xml", b"<mujoco><worldbody>\n" + b"<body>\n" * 20_000 + b"</body>\n" * 20_000 + b"</worldbody></mujoco>\n", "too-deep", 10_256),
    Case("frames-300-deep.xml", b"<mujoco><worldbody>\n" + b"<frame>\n" * 300 + b"</frame>\n" * 300 + b"</worldbody></mujoco>\n", "too-deep", 256),
    Case("defaults-300-deep.xml", b"<mujoco>\n" + b'<default class="a">\n' * 300 + b"</default>\n" * 300 + b"</mujoco>\n", "too-deep", 257),
    Case("bodies-a-million-deep-and-cut.xml", b"<mujoco><worldbody>" + b"<body>" * 1_000_000, "bad-xml", 1),
]
COPIES = [
    world("replicate-a-billion", '¦<replicate count="1000000000" offset="1 0 0"><geom size="1"/></replicate>', "bad-count"),
    world("replicate-nested", "".join(('¦' if i == 2 else "") + '<replicate count="100">\n' for i in range(6)) + '<geom size="1"/>' + "</replicate>" * 6, "bad-count"),
    world("replicate-of-many", '¦<replicate count="150000">' + '<geom size="1"/>' * 100 + "</replicate>", "bad-count"),
    world("replicate-of-six-found-by-a-fuzzer", '¦<replicate count="150000">Dgeom size="1"/om size="1"/>coefm size="1"/>' + '<geom size="1"/>' * 6 + "></replicate>", "bad-count"),
    world("replicate-many-times", '<replicate count="150000"><geom size="1"/></replicate>\n¦<replicate count="150000"><geom size="1"/></replicate>', "bad-count"),
    world("replicate-negative", '¦<replicate count="-5"><geom size="1"/></replicate>', "bad-count"),
    world("replicate-garbage", '¦<replicate count="5x"><geom size="1"/></replicate>', "bad-number"),
]
HILLS = [
    hill("hfield-without-rows", "", "bad-height-field"),
    hill("hfield-of-one-row", 'nrow="1" ncol="5"', "bad-height-field"),
    hill("hfield-of-a-hundred-million", 'nrow="10000" ncol="10000"', "bad-height-field"),
    hill("hfield-of-2-to-the-62", 'nrow="2147483647" ncol="2147483647"', "bad-height-field"),
    hill("hfield-file-missing", 'file="hill.bin"', "no-such-file"),
    hill("hfield-file-empty", 'file="hill.bin"', "bad-height-field", {"hill.bin": b""}, named="hill.bin"),
    hill("hfield-file-lies", 'file="hill.bin"', "bad-height-field", {"hill.bin": struct.pack("<ii4f", 9999, 9999, 0, 1, 2, 3)}, named="hill.bin"),
    hill("hfield-file-negative", 'file="hill.bin"', "bad-height-field", {"hill.bin": struct.pack("<ii4f", -2, -2, 0, 1, 2, 3)}, named="hill.bin"),
    hill("hfield-file-nan", 'file="hill.bin"', "bad-height-field", {"hill.bin": struct.pack("<ii4f", 2, 2, 0, 1, float("nan"), 3)}, named="hill.bin"),
    hill("hfield-picture-empty", 'file="hill.png"', "bad-png", {"hill.png": b""}, named="hill.png"),
    hill("hfield-picture-cut", 'file="hill.png"', "bad-png", {"hill.png": png(16, 16)[:30]}, named="hill.png"),
    hill("hfield-picture-without-pixels", 'file="hill.png"', "bad-png", {"hill.png": png(16, 16)}, named="hill.png"),
    hill("hfield-picture-of-a-hundred-million", 'file="hill.png"', "bad-png", {"hill.png": png(10_000, 10_000)}, named="hill.png"),
    hill("hfield-picture-too-wide", 'file="hill.png"', "bad-png", {"hill.png": png(2_000_000_000, 2)}, named="hill.png"),
]
MESHES = [
    mesh("mesh-file-missing", 'file="part.obj"', "no-such-file"),
    mesh("mesh-of-unknown-type", 'file="part.xyz"', "unsupported-mesh-format", {"part.xyz": b"x"}),
    mesh("mesh-of-dae", 'file="part.dae"', "unsupported-mesh-format", {"part.dae": b"<COLLADA/>"}),
    mesh("mesh-outside-the-folder", 'file="../../../../../../../../etc/passwd.obj"', "outside-folder"),
    mesh("mesh-at-an-absolute-path", 'file="/etc/hostname.obj"', "outside-folder"),
    mesh("mesh-flat", 'vertex="0 0 0  1 0 0  0 1 0  1 1 0"', "flat-mesh"),
    # The geom is too far, not the mesh, which it might scale.
    Case("mesh-too-far.xml", mesh("", 'vertex="0 0 0  1 0 0  0 1 0  0 0 1e7"', "").content, "too-far", 5),
]
LOOP = b'<mujoco><include file="loop.xml"/></mujoco>\n'
INCLUDES = [
    small("include-missing", '<mujoco>\n¦<include file="nowhere.xml"/>\n</mujoco>\n', "no-such-file"),
    small("include-without-file", "<mujoco>\n¦<include/>\n</mujoco>\n", "missing-attribute"),
    small("include-a-folder", '<mujoco>\n¦<include file="."/>\n</mujoco>\n', "no-such-file"),
    small("include-itself", '<mujoco>\n¦<include file="include-itself.xml"/>\n</mujoco>\n', "include-cycle"),
    Case("include-a-loop.xml", b'<mujoco>\n<include file="loop.xml"/>\n</mujoco>\n', "include-cycle", 1, "loop.xml", {"loop.xml": LOOP}),
    Case("include-broken.xml", b'<mujoco>\n<include file="part.xml"/>\n</mujoco>\n', "bad-xml", 2, "part.xml", {"part.xml": b"<mujoco>\n<body>"}),
    Case("include-a-picture.xml", b'<mujoco>\n<include file="part.xml"/>\n</mujoco>\n', "not-text", 0, "part.xml", {"part.xml": png(2, 2)}),
    small("include-outside-the-folder", '<mujoco>\n¦<include file="../../../../../../../etc/passwd"/>\n</mujoco>\n', "outside-folder"),
    small("include-at-an-absolute-path", '<mujoco>\n¦<include file="/etc/passwd"/>\n</mujoco>\n', "outside-folder"),
    # Ten files, each of which includes the next ten times: ten billion elements.
    Case(
        "include-explodes.xml",
        b'<mujoco>\n<include file="part0.xml"/>\n</mujoco>\n',
        "too-many-includes",
        1,
        "part8.xml",
        {f"part{i}.xml": b"<mujoco>" + (f'<include file="part{i + 1}.xml"/>' * 10 if i < 9 else "<geom/>").encode() + b"</mujoco>" for i in range(10)},
    ),
]
ATTACH = '<mujoco>\n<asset><model name="hand" file="{}"/></asset>\n<worldbody>\n¦<attach model="hand" prefix="h"/>\n</worldbody>\n</mujoco>\n'
ATTACHMENTS = [
    small("attach-a-urdf", ATTACH.format("hand.xml"), "unsupported-attach", {"hand.xml": b'<robot name="r"/>'}),
    small("attach-itself", ATTACH.format("attach-itself.xml"), "too-many-attachments"),
    small("attach-an-unknown-frame", ATTACH.format("hand.xml").replace("prefix", 'frame="palm" prefix'), "unknown-name", {"hand.xml": b'<mujoco><worldbody><frame name="plam"/></worldbody></mujoco>'}),
    small("attach-a-body-and-a-frame", ATTACH.format("hand.xml").replace("prefix", 'body="a" frame="b" prefix'), "unsupported-attach", {"hand.xml": b"<mujoco/>"}),
    small("attach-nothing", ATTACH.format("nowhere.xml"), "no-such-file"),
    small("attach-outside-the-folder", ATTACH.format("/etc/hosts").replace(MARK, "").replace("<asset>", "¦<asset>"), "outside-folder"),
]
FAR = [
    world("geom-too-far", '<body>\n¦<geom size="1" pos="0 0 1e7"/></body>', "too-far"),
    world("geom-too-large", '<body>\n¦<geom size="1e9"/></body>', "too-far"),
    world("mass-overflows", '¦<body><geom size="1e150" density="1e300"/></body>', "impossible-inertia"),
]
CASES = [*SYNTAX, *DEEP, *COPIES, *HILLS, *MESHES, *INCLUDES, *ATTACHMENTS, *FAR]
