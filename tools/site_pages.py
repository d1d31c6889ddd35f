"""What the site is made of: pages and pictures of the repository at their own paths, so that links between them hold as they
are, pages that show a source file, and the generated reference."""

from __future__ import annotations

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath

from reference_command_line import command_line_reference
from reference_methods import methods_of
from reference_python import python_reference
from reference_scene import scene_reference

ROOT = Path(__file__).resolve().parent.parent
COPIED = ["*.md", "docs/**/*.md", "docs/**/*.png", "docs/**/*.jpg", "docs/*.json", "examples/*.md", "cases/*/*.md", "cases/*/*.png"]
SHOWN = ["LICENSE", "examples/*.py", "examples/*.yaml", "examples/*.urdf", "examples/*.obj"]
LANGUAGES = {".py": "python", ".yaml": "yaml", ".urdf": "xml"}
LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")


def repository_files() -> list[str]:
    """Paths of the pages and pictures that are taken as they are."""
    return sorted({file.relative_to(ROOT).as_posix() for pattern in COPIED for file in ROOT.glob(pattern)})


def source_files() -> list[str]:
    return sorted({file.relative_to(ROOT).as_posix() for pattern in SHOWN for file in ROOT.glob(pattern)})


def source_page(path: str) -> str:
    """A page that shows a file."""
    file = ROOT / path
    return f"# {file.name}\n\n`{path}`\n\n```{LANGUAGES.get(file.suffix, 'text')}\n{file.read_text().rstrip()}\n```\n"


def reference_pages(build: Path) -> dict[str, str]:
    program = build / "bin" / "stickslip"
    return {
        "reference/scene.md": scene_reference(json.loads((ROOT / "docs" / "scene.schema.json").read_text())),
        "reference/command_line.md": command_line_reference(program),
        "reference/python.md": python_reference(build / "python" / "stickslip"),
        "reference/methods.md": methods_of(program),
    }


def page_of(path: str) -> str:
    """The page of the site that stands for a path of the repository."""
    if path in source_files():
        return f"{path}.md"
    if (ROOT / path / "README.md").is_file():
        return f"{path}/README.md"
    return path


def relink(text: str, page: str) -> str:
    """Links to source files and folders lead to their pages."""

    def replace(match: re.Match[str]) -> str:
        target = normpath(join(dirname(page), match.group(2)))
        added = page_of(target).removeprefix(target)
        return f"{match.group(1)}{match.group(2).rstrip('/')}{added}{match.group(3)}"

    return LINK.sub(replace, text)
