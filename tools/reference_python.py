#!/usr/bin/env python3
"""The reference of the Python package, as Markdown, from its stub and its sources: every public name with signature and docstring.

Usage: reference_python.py [package folder]; build/python/stickslip by default.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from python_api import Definition, Module, Package

PACKAGE = Path(__file__).resolve().parent.parent / "build" / "python" / "stickslip"
ARRAY = re.compile(r"Annotated\[NDArray\[numpy\.(\w+)\], dict\((?:shape=\(([^()]*)\))?[^()]*\)\]")
WIDTH = 100  # of a signature on one line


def type_text(node: ast.expr | None) -> str:
    """An annotation, with arrays by their number of axes instead of all that a type checker wants to know."""

    def short(match: re.Match[str]) -> str:
        axes = [axis.strip().replace("None", ":") for axis in (match.group(2) or "").split(",") if axis.strip()]
        return f"ndarray[{', '.join(axes)}]" if axes else "ndarray"

    text = ARRAY.sub(short, ast.unparse(node)) if node else ""
    text = text.replace("numpy.typing.NDArray[numpy.void]", "ndarray")
    return text.replace("numpy.typing.", "").replace("os.PathLike[str]", "PathLike").replace("os.PathLike", "PathLike")


def escape(text: str) -> str:
    """Prose of a docstring, so that Markdown takes nothing in it for markup but code spans."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\[\]<*_|])", r"\\\1", part) for part in parts)


def prose(node: ast.ClassDef | ast.FunctionDef | ast.Module) -> str:
    """The docstring; doctest lines become code."""
    text = (ast.get_docstring(node) or "").strip()
    lines: list[str] = []
    code: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith(">>> "):
            code.append(line.removeprefix(">>> "))
            continue
        lines += ["```python", *code, "```"] if code else []
        code = []
        lines.append(escape(line))
    return "\n".join(lines).strip()


def arguments(function: ast.FunctionDef) -> list[str]:
    """With types and defaults; without self and the marks of positional arguments."""
    given = function.args
    places = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(places) - len(given.defaults)) + list(given.defaults)
    words = [argument(a, d) for a, d in zip(places, defaults, strict=True) if a.arg not in ("self", "memo")]
    words += ["*"] if given.kwonlyargs else []
    return words + [argument(a, d) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True)]


def argument(node: ast.arg, default: ast.expr | None) -> str:
    text = f"{node.arg}: {type_text(node.annotation)}" if node.annotation else node.arg
    value = ast.unparse(default).replace("float('inf')", "inf") if default else ""
    return f"{text} = {value}" if default else text


def signature(name: str, function: ast.FunctionDef) -> str:
    """As a block of code: on one line, or with a line an argument."""
    words = arguments(function)
    result = type_text(function.returns)
    end = f") -> {result}" if result not in ("", "None") else ")"
    line = f"{name}({', '.join(words)}{end}"
    if len(line) > WIDTH:
        line = "\n".join([f"{name}(", *(f"    {word}," if word != "*" else "    *," for word in words), end])
    return f"```python\n{line}\n```\n"


def is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(mark) == "property" for mark in node.decorator_list)


def properties(node: ast.ClassDef, functions: list[ast.FunctionDef]) -> list[str]:
    writable = {ast.unparse(mark).removesuffix(".setter") for f in functions for mark in f.decorator_list if ast.unparse(mark).endswith(".setter")}
    rows = []
    for function in filter(is_property, functions):
        words = " ".join(prose(function).split())
        if function.name in writable and "set" not in words:
            words = f"{words.removesuffix('.')}; may be set" if words else "may be set"
        rows.append(f"| `{function.name}` | `{type_text(function.returns).replace('|', chr(92) + '|')}` | {words} |")
    return ["| property | type | |", "|---|---|---|", *rows, ""] if rows else []


def attributes(node: ast.ClassDef, functions: list[ast.FunctionDef]) -> list[str]:
    """What an exception's constructor keeps."""
    starts = [function for function in functions if function.name == "__init__"]
    kept = {ast.unparse(s.targets[0]) for f in starts for s in f.body if isinstance(s, ast.Assign)}
    rows = [f"| `{a.arg}` | `{type_text(a.annotation)}` | |" for f in starts for a in f.args.args if f"self.{a.arg}" in kept]
    return ["| attribute | type | |", "|---|---|---|", *rows, ""] if rows else []


def class_section(title: str, node: ast.ClassDef) -> str:
    functions = [f for f in node.body if isinstance(f, ast.FunctionDef)]
    bases = [ast.unparse(base) for base in node.bases]
    lines = [f"### {title}", "", prose(node), ""]
    lines += [f"A kind of `{bases[0]}`.", ""] if bases else []
    kept = attributes(node, functions)
    lines += kept or [signature(node.name, f) for f in functions if f.name == "__init__" and arguments(f)]
    lines += properties(node, functions)
    for function in functions:
        if not function.name.startswith("_") and not function.decorator_list:
            lines += [f"#### {title}.{function.name}", "", signature(function.name, function), prose(function), ""]
    return "\n".join(lines)


def section(title: str, node: Definition) -> str:
    if isinstance(node, ast.ClassDef):
        return class_section(title, node)
    if isinstance(node, ast.FunctionDef):
        return "\n".join([f"### {title}", "", signature(node.name, node), prose(node), ""])
    kind = f"`{type_text(node.annotation)}`" if isinstance(node, ast.AnnAssign) else ""
    return f"### {title}\n\n{kind}\n".replace("__version__", "\\_\\_version\\_\\_", 1)


def module_part(package: Package, module: Module, prefix: str) -> tuple[str, list[Definition]]:
    names = [name for name in module.exported if not package.is_module(name) or package.module(module.name).origins.get(name) != name]
    nodes = [package.find(module, name) for name in names]
    functions = [(n, d) for n, d in zip(names, nodes, strict=True) if not isinstance(d, ast.ClassDef)]
    classes = [(n, d) for n, d in zip(names, nodes, strict=True) if isinstance(d, ast.ClassDef)]
    head = f"## {prefix}\n\n{prose(module.tree)}\n"
    return "\n".join([head, *(section(n, d) for n, d in functions + classes)]), nodes


def python_reference(folder: Path) -> str:
    package = Package(folder)
    top = package.module("__init__")
    modules = [name for name in top.exported if package.is_module(name) and top.origins.get(name) == name]
    parts, nodes = [], []
    for prefix, module in [("stickslip", top), *((f"stickslip.{name}", package.module(name)) for name in modules)]:
        text, found = module_part(package, module, prefix)
        parts.append(text)
        nodes += found
    known = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    rest = [class_section(node.name, node) for node in package.classes_named_in(nodes, known)]
    head = "# Python: every name\n\nMade from the package's stubs and sources. [Python](../docs/python.md) is a tour with snippets.\n"
    return "\n".join([head, *parts, "## Parts of results\n", *rest] if rest else [head, *parts])


if __name__ == "__main__":
    print(python_reference(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE))
