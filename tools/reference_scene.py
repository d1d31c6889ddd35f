#!/usr/bin/env python3
"""The reference of scene files, as Markdown, from docs/scene.schema.json: a section for every map, a table row for every key.

Usage: reference_scene.py [schema]. A key that the schema does not describe is an error.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).resolve().parent.parent / "docs" / "scene.schema.json"
UNITS = {"m", "s", "kg", "N", "rad", "Hz", "m/s", "m/s^2", "rad/s", "N/m", "s/m", "m/rad", "kg/m^3", "m^2", "s/rad", "or"}
BRACKETS = re.compile(r" ?\[([^\[\]]+)\]")
DEFAULT = re.compile(r" ?Default: ([^.]+(?:\.\w[^.]*)*)\.")

Node = dict[str, Any]
Sections = dict[str, Node]  # by title, in the order of the page


class Incomplete(ValueError):
    """The schema leaves something unsaid."""


def unit_of(description: str) -> str:
    """What stands in brackets, if it is made of units."""
    for text in BRACKETS.findall(description):
        if all(word in UNITS for word in text.split()):
            return str(text)
    return ""


def meaning_of(description: str) -> str:
    """A description without what has a column of its own."""
    unit = unit_of(description)
    text = DEFAULT.sub("", description)
    text = re.sub(rf" ?\[{re.escape(unit)}\]", "", text) if unit else text
    return re.sub(r"^[.;,: ]+", "", text).replace("|", "\\|").strip()


def default_of(name: str, node: Node, required: list[str]) -> str:
    if name in required:
        return "required"
    if "default" in node:
        return f"`{json.dumps(node['default'])}`"
    told = DEFAULT.search(node.get("description", ""))
    return told.group(1) if told else ""


def anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def bounds(node: Node) -> str:
    said = [("minimum", ">="), ("exclusiveMinimum", ">"), ("maximum", "<=")]
    return ", ".join(f"{sign} {node[key]:g}" for key, sign in said if key in node and node[key] != 2147483647)


def numbers(node: Node) -> str:
    least, most = node.get("minItems", 0), node.get("maxItems")
    count = f"{least} " if least == most else f"{least} to {most} " if most else ""
    return f"{count}numbers {bounds(node['items'])}".strip()


def type_of(node: Node, title: str) -> str:
    """In words; maps are links to the section `title`."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{anchor(name)})"
    if "enum" in node:
        return ", ".join(f"`{value}`" for value in node["enum"])
    if "oneOf" in node and "type" not in node:
        return " or ".join(type_of(choice, title) for choice in node["oneOf"])
    kind = node["type"] if isinstance(node["type"], str) else node["type"][0]
    if kind == "array":
        items = node["items"]
        return f"list of {type_of(items, title)}" if "$ref" in items else "table" if items["type"] == "array" else numbers(node)
    if kind == "object" and isinstance(node.get("additionalProperties"), dict):
        return f"map of names to {type_of(node['additionalProperties'], title)}"
    if kind == "object":
        return f"[map](#{anchor(title)})" if "properties" in node else "`{}`"
    words = {"boolean": "true, false", "string": "text"}.get(kind, kind)
    return f"{words} {bounds(node)}".strip()


def maps_in(node: Node) -> list[Node]:
    """The maps that stand in a value itself: the value, or some of its choices."""
    return [choice for choice in [node, *node.get("oneOf", [])] if "properties" in choice]


def collect(title: str, node: Node, sections: Sections) -> None:
    """The map and those inside of it, each with a title."""
    sections[title] = node
    for name, value in node["properties"].items():
        for inner in maps_in(value):
            said = inner.get("description", value.get("description", ""))
            collect(f"{title} {name}", {**inner, "description": said}, sections)


def exclusions(node: Node) -> list[str]:
    """What may not stand together, and of what there must be one."""
    rules = [node, *node.get("allOf", [])]
    lines = []
    for rule in rules:
        pair = rule.get("not", {}).get("required", [])
        if len(pair) == 2:
            lines.append(f"Not both `{pair[0]}` and `{pair[1]}`.")
        choices = [choice.get("required", []) for choice in rule.get("oneOf", [])]
        if choices and all(choices):
            lines.append("Exactly one of " + ", ".join(" with ".join(f"`{key}`" for key in keys) for keys in choices) + ".")
    return lines


def section(title: str, node: Node) -> str:
    if not node.get("description"):
        raise Incomplete(f"{title}: no description")
    lines = [f"## {title}", "", node["description"], ""]
    lines += [" ".join(exclusions(node)), ""] if exclusions(node) else []
    lines += ["| key | type | default | unit | meaning |", "|---|---|---|---|---|"]
    for name, value in node["properties"].items():
        meaning = meaning_of(value.get("description", ""))
        if not meaning:
            raise Incomplete(f"{title}: {name} has no description")
        cells = [f"`{name}`", type_of(value, f"{title} {name}"), default_of(name, value, node.get("required", []))]
        unit = unit_of(value["description"]).replace(" ", "\N{NO-BREAK SPACE}").replace("\N{NO-BREAK SPACE}or\N{NO-BREAK SPACE}", " or ")
        lines.append("| " + " | ".join([*cells, unit, meaning]) + " |")
    return "\n".join(lines) + "\n"


def scene_reference(schema: Node) -> str:
    sections: Sections = {}
    collect("scene", schema, sections)
    for name, node in schema.get("$defs", {}).items():
        collect(name, node, sections)
    head = "# Scene files: every key\n\nMade from `docs/scene.schema.json`. [Scene files](../docs/formats/scene_yaml.md) explains, with examples.\n"
    return "\n".join([head, *(section(title, node) for title, node in sections.items())])


if __name__ == "__main__":
    print(scene_reference(json.loads((Path(sys.argv[1]) if len(sys.argv) > 1 else SCHEMA).read_text())))
