"""The generated reference of the site says everything that it is made from, and refuses what is not described."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import reference_command_line as command_line  # noqa: E402
import reference_methods as methods  # noqa: E402
import reference_python as python  # noqa: E402
import reference_scene as scene  # noqa: E402
import site_pages  # noqa: E402
from python_api import Missing, Package  # noqa: E402

BUILD = Path(os.environ.get("STICKSLIP_BUILD", ROOT / "build"))
PROGRAM = BUILD / "bin" / "stickslip"
PACKAGE = BUILD / "python" / "stickslip"
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "scene.schema.json").read_text())


def maps(node: Any) -> list[dict[str, Any]]:
    """Every set of properties in a schema that gives them a type, not only a condition."""
    if isinstance(node, list):
        return [found for value in node for found in maps(value)]
    if not isinstance(node, dict):
        return []
    own = [node["properties"]] if "properties" in node and "additionalProperties" in node else []
    return own + [found for value in node.values() for found in maps(value)]


# ------------------------------------------------------------------------------------------------------------ scene files
def test_every_property_of_the_schema_is_described() -> None:
    for properties in maps(SCHEMA):
        for name, node in properties.items():
            assert scene.meaning_of(node.get("description", "")), name


def test_every_property_of_the_schema_has_a_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", scene.scene_reference(SCHEMA), re.MULTILINE)
    wanted = [name for properties in maps(SCHEMA) for name in properties]
    assert sorted(rows) == sorted(wanted)


def test_links_between_maps_lead_to_sections() -> None:
    page = scene.scene_reference(SCHEMA)
    headings = {scene.anchor(title) for title in re.findall(r"^## (.*)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= headings


def test_units_and_defaults_have_columns() -> None:
    page = scene.scene_reference(SCHEMA)
    assert "| `stiffness` | number > 0 | `1000000.0` | N/m | Of the contact; .inf: rigid. |" in page
    assert "| `until` | number >= 0 | 10 | s | End of the simulation. |" in page


@pytest.mark.parametrize("description", [None, "", "[m/s^2]", "Default: 3."])
def test_a_property_without_a_meaning_is_an_error(description: str | None) -> None:
    node = {"type": "number"} | ({"description": description} if description is not None else {})
    with pytest.raises(scene.Incomplete, match="scene: speed has no description"):
        scene.scene_reference({"description": "A scene.", "type": "object", "properties": {"speed": node}})


def test_a_map_without_a_description_is_an_error() -> None:
    with pytest.raises(scene.Incomplete, match="scene: no description"):
        scene.scene_reference({"type": "object", "properties": {}})


# ------------------------------------------------------------------------------------------------------- the command line
def test_every_option_of_every_command_has_a_row() -> None:
    page = command_line.command_line_reference(PROGRAM)
    top = command_line.ask(PROGRAM)
    assert command_line.subcommands(top)
    for words in ([], *([name] for name in command_line.subcommands(top))):
        section = page.split(f"## {' '.join(['stickslip', *words])}\n", 1)[1].split("\n## ")[0]
        for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", command_line.ask(PROGRAM, *words), re.MULTILINE):
            assert re.search(rf"^\| `[^`]*{option}\b", section, re.MULTILINE), option


def test_help_that_runs_over_a_line_is_one_entry() -> None:
    lines = ["  --long TEXT                 begins here", "                              and ends there", "  --short"]
    assert command_line.entries_of(lines) == [("--long TEXT", "begins here and ends there"), ("--short", "")]


# ---------------------------------------------------------------------------------------------------------------- methods
def test_the_table_has_the_methods_that_the_program_knows() -> None:
    rows = re.findall(r"^\| \[`([\w-]+)`\]", methods.methods_of(PROGRAM), re.MULTILINE)
    assert set(rows) == methods.known_methods(command_line.ask(PROGRAM, "run"))


def test_a_method_that_the_table_leaves_out_is_an_error() -> None:
    with pytest.raises(methods.Disagreement, match="rk4"):
        methods.method_reference("| [`sap`](methods/sap.md) | 1 | yes | x |\n", "Options:\n  --method TEXT    sap (default), rk4\n")


# ----------------------------------------------------------------------------------------------------------------- Python
def test_every_public_name_has_a_heading() -> None:
    page = python.python_reference(PACKAGE)
    package = Package(PACKAGE)
    headings = {title.replace("\\", "") for title in re.findall(r"^##+ (.*)$", page, re.MULTILINE)}
    top = package.module("__init__").exported
    for name in top:
        assert name in headings or f"stickslip.{name}" in headings, name
    for module in ("geometry", "systems"):
        assert set(package.module(module).exported) <= headings


def test_every_public_member_of_a_class_is_named() -> None:
    page = python.python_reference(PACKAGE)
    package = Package(PACKAGE)
    top = package.module("__init__")
    for name in top.exported:
        node = None if package.is_module(name) else package.find(top, name)
        for member in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                assert f"`{member.name}`" in page or f"#### {name}.{member.name}\n" in page, f"{name}.{member.name}"


def test_an_exported_name_without_a_definition_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text('"""A package."""\nfrom ._stickslip import load\n__all__ = ["load"]\n')
    (tmp_path / "_stickslip.pyi").write_text("def save() -> None: ...\n")
    with pytest.raises(Missing, match="load"):
        python.python_reference(tmp_path)


def test_signatures_are_readable() -> None:
    page = python.python_reference(PACKAGE)
    assert "Annotated" not in page and "numpy." not in page
    assert "inverse_dynamics(" in page and "load(\n    file: str | PathLike,\n    *,\n    base: str = 'fixed',\n" in page


def test_docstrings_are_no_markup() -> None:
    assert python.escape("[(a, b)]: `[c]` and *d_e*") == r"\[(a, b)\]: `[c]` and \*d\_e\*"


# ------------------------------------------------------------------------------------------------------------------ pages
def test_links_to_sources_and_folders_lead_to_pages() -> None:
    text = "[a](docs/decisions) [b](LICENSE) [c](docs/index.md#methods) [d](https://semver.org)"
    expected = "[a](docs/decisions/README.md) [b](LICENSE.md) [c](docs/index.md#methods) [d](https://semver.org)"
    assert site_pages.relink(text, "README.md") == expected
    assert site_pages.relink("[x](06_gripper.py)", "examples/README.md") == "[x](06_gripper.py.md)"


def test_equations_that_cannot_be_shown_are_errors() -> None:
    pytest.importorskip("latex2mathml")
    import site_math

    page = r'<p>With <span class="arithmatex">\(\lVert v \rVert &lt; 1\)</span>.</p>'
    assert '<mo stretchy="false" lspace="0" rspace="0">' in site_math.render_equations(page)
    with pytest.raises(site_math.BadEquation, match="nonsense is not known"):
        site_math.render_equations(r'<span class="arithmatex">\(\nonsense x\)</span>')


# ------------------------------------------------------------------------------------------------------ commands of pages
def test_commands_of_pages_are_followed_literally(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    good = '```python title="two.py"\nprint(1 + 1)\n```\n\n```sh\npip install nothing-at-all\n.venv/bin/python two.py\n```\n'
    checker = [sys.executable, ROOT / "tools" / "check_commands.py", "--build", BUILD, page]
    page.write_text(good)
    result = subprocess.run(checker, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "commands: 1 ran\n")
    page.write_text(good + "\n```sh\n./stickslip run two.py\n```\n")
    assert subprocess.run(checker, capture_output=True, text=True, check=False).returncode == 1
