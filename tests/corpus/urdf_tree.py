"""URDF: names, trees, and what is no URDF at all."""

from __future__ import annotations

from corpus.case import MARK, Case, family
from corpus.urdf import BASE

LINES = BASE.splitlines()


def line_of(text: str) -> int:
    return 1 + BASE[: BASE.index(text)].count("\n")


def cut(name: str, upto: str, code: str, line: int) -> Case:
    """The file ends in the middle."""
    return Case(name, BASE[: BASE.index(upto)].encode(), code, line)


TREES = family(
    BASE,
    ".urdf",
    [
        ("link-twice", '<link name="tip">', '<link name="rod">', "duplicate-name"),
        ("joint-twice", '<joint name="slide" type="prismatic">', '<joint name="hinge" type="fixed">', "duplicate-name"),
        ("parent-unknown", 'link="base"', 'link="bases"', "unknown-link"),
        ("child-unknown", 'link="tip"', 'link="tipp"', "unknown-link"),
        ("name-by-case", 'parent link="rod"', 'parent link="Rod"', "unknown-link"),
        ("two-parents", 'child link="tip"', 'child link="rod"', "two-parents"),
        ("loop-on-itself", '<joint name="hinge" type="revolute">\n    <parent link="base"/>', '<joint name="hinge" type="revolute">\n    <parent link="rod"/>', "cycle"),
        ("several-roots", "</robot>", '<link name="lost"/></robot>', "several-roots"),
        ("doctype", "<robot", '<!DOCTYPE robot>\n<robot', "doctype"),
        ("doctype-entities", "<robot", '<!DOCTYPE robot [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<robot', "doctype"),
        ("doctype-external", "<robot", '<!DOCTYPE robot SYSTEM "file:///etc/passwd">\n<robot', "doctype"),
    ],
)


def small(name: str, text: str, code: str) -> Case:
    """The line is where the mark is; without one, the first."""
    before, _, after = text.partition(MARK) if MARK in text else ("", "", text)
    return Case(f"{name}.urdf", (before + after).encode(), code, 1 + before.count("\n"))


JOINT = '<joint name="{0}" type="fixed"><parent link="{1}"/><child link="{2}"/></joint>\n'
LOOPS = [
    small("loop-of-one", '<robot name="r">\n<link name="a"/>\n¦' + JOINT.format("j", "a", "a") + "</robot>\n", "no-root"),
    small("loop-of-two", '<robot>\n<link name="a"/>\n<link name="b"/>\n¦' + JOINT.format("j", "a", "b") + JOINT.format("k", "b", "a") + "</robot>\n", "no-root"),
    small(
        "loop-beside-a-root",
        '<robot>\n<link name="r"/><link name="a"/><link name="b"/>\n¦' + JOINT.format("j", "a", "b") + JOINT.format("k", "b", "a") + "</robot>\n",
        "cycle",
    ),
    small("world-and-another-root", '<robot>\n<link name="a"/>\n<link name="b"/>\n¦' + JOINT.format("j", "world", "b") + "</robot>\n", "several-roots"),
    small("world-as-child", '<robot>\n<link name="a"/>\n¦<link name="world"/>\n' + JOINT.format("j", "a", "world") + "</robot>\n", "reserved-name"),
]
SYNTAX = [
    small("no-links", '<robot name="nobody"/>\n', "no-links"),
    small("root-is-sdf", '<sdf version="1.6"><model name="m"/></sdf>\n', "not-urdf"),
    small("root-is-mjcf", "<mujoco/>\n", "not-urdf"),
    small("root-is-html", "<html><body>404</body></html>\n", "not-urdf"),
    small("xacro-include", '<robot xmlns:xacro="x">\n  ¦<xacro:include filename="arm.xacro"/>\n</robot>\n', "xacro"),
    small("xacro-condition", '<robot>\n<link name="a"/>\n¦<xacro:if value="1"><link name="b"/></xacro:if>\n</robot>\n', "xacro"),
    small("xacro-call-that-matters", '<robot>\n<link name="a"/>\n¦<xacro:hand/>\n' + JOINT.format("j", "a", "hand") + "</robot>\n", "xacro"),
    small("not-xml", "just words\n", "bad-xml"),
    small("empty", "", "bad-xml"),
    small("blank", "\n\n", "bad-xml"),
    small("only-a-comment", "<!-- robot -->\n", "bad-xml"),
    small("unclosed-comment", '<robot>\n<link name="a"/>\n¦<!-- never closed\n</robot>\n', "bad-xml"),
    small("wrong-closing-tag", '<robot>\n<link name="a">\n¦</lnik>\n</robot>\n', "bad-xml"),
    small("entity-of-nobody", '<robot>\n¦<link name="&lol;"/>\n</robot>\n', "bad-reference"),
    small("character-zero", '<robot>\n<link\nname="a¦&#0;b"/>\n</robot>\n', "bad-reference"),
    small("character-zero-in-words", '<robot>\n<link name="a"/>¦&#x0;</robot>\n', "bad-reference"),
    small("half-a-character", '<robot>\n¦<link name="&#xD800;"/>\n</robot>\n', "bad-reference"),
    small("character-beyond-unicode", '<robot>\n¦<link name="&#x110000;"/>\n</robot>\n', "bad-reference"),
    small("attribute-without-quotes", "<robot>\n¦<link name=a/>\n</robot>\n", "bad-xml"),
    small("attribute-without-value", "<robot>\n¦<link name/>\n</robot>\n", "bad-xml"),
    small("two-roots", '<robot><link name="a"/></robot>\n¦<robot><link name="b"/></robot>\n', "bad-xml"),
    small("words-after-the-root", '<robot><link name="a"/></robot>\n¦leftover\n', "bad-xml"),
    cut("cut-in-a-tag.urdf", 'radius="0.05"', "bad-xml", line_of('radius="0.05"')),
    cut("cut-between-tags.urdf", "<collision>", "bad-xml", line_of("<collision>")),
    cut("cut-in-a-value.urdf", '.5"/>', "bad-xml", line_of('.5"/>')),
    Case("nul-in-the-middle.urdf", BASE.replace('"tip"', '"t\0ip"').encode(), "not-text"),
    Case("utf-16.urdf", BASE.encode("utf-16"), "not-text"),
]
DEEP = [Case("nested-300-deep.urdf", b"<robot>\n" + b"<link>\n" * 300 + b"</link>\n" * 300 + b"</robot>\n", "too-deep", 257)]
DEEP += [Case("nested-100000-deep.urdf", b"<robot>" + b"<link>" * 100_000, "bad-xml", 1)]
CASES = [*TREES, *LOOPS, *SYNTAX, *DEEP]
