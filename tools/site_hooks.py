"""Hooks of mkdocs: which pages there are, how their headings and equations come out, and that the site needs nothing from elsewhere."""

from __future__ import annotations

import fnmatch
import re
import sys
from importlib import resources
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parent))

from python_api import Missing  # noqa: E402
from reference_methods import Disagreement  # noqa: E402
from reference_scene import Incomplete  # noqa: E402
from site_math import BadEquation, render_equations  # noqa: E402
from site_pages import ROOT, reference_pages, relink, repository_files, source_files, source_page  # noqa: E402

ASSETS = {
    "site.css": ROOT / "tools" / "site.css",
    "iframe-worker.js": ROOT / "tools" / "frame_worker.js",
    "math.ttf": resources.files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf",  # browsers need a font with a table for mathematics
}
LOADED = re.compile(r"<(?:script|img|iframe|link rel=\"(?:stylesheet|preconnect|icon)\")[^>]*\b(?:src|href)=\"?(https?:[^\"\s>]*)")


def github_anchor(heading: str, separator: str) -> str:
    """The anchor that GitHub gives a heading, which links in the pages use."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", separator)


def numbers_by_value(path: str) -> list[tuple[str, int]]:
    """To sort C3 before C11."""
    return [(word, int(digits or 0)) for word, digits in re.findall(r"([^\d]*)(\d*)", path)]


def expand(entry: Any, pages: list[str]) -> list[Any]:
    """An entry of the navigation; a pattern stands for all pages that match."""
    if isinstance(entry, str):
        return sorted(fnmatch.filter(pages, entry), key=numbers_by_value) if "*" in entry else [entry]
    (title, inner), *_ = entry.items()
    return [{title: inner if isinstance(inner, str) else [page for part in inner for page in expand(part, pages)]}]


def on_config(config: MkDocsConfig) -> None:
    pages = [path for path in repository_files() if path.endswith(".md")] + [f"{path}.md" for path in source_files()]
    config.nav = [page for entry in config.nav or [] for page in expand(entry, pages)]
    config.mdx_configs["toc"]["slugify"] = github_anchor


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(file)
    for path in repository_files():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    for path in source_files():
        files.append(File.generated(config, f"{path}.md", content=source_page(path)))
    for address, asset in ASSETS.items():
        files.append(File.generated(config, address, abs_src_path=str(asset)))
    for path, text in made_pages(config).items():
        files.append(File.generated(config, path, content=text))
    return files


def made_pages(config: MkDocsConfig) -> dict[str, str]:
    try:
        return reference_pages(Path(config.extra["build"]))
    except (Incomplete, Disagreement, Missing) as error:
        raise PluginError(f"reference: {error}") from error


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    return relink(markdown, page.file.src_uri)


def on_page_content(html: str, page: Page, **_: Any) -> str:
    try:
        return render_equations(html)
    except BadEquation as error:
        raise PluginError(f"{page.file.src_uri}: {error}") from error


def on_post_page(output: str, page: Page, **_: Any) -> str:
    found = LOADED.search(output)
    if found:
        raise PluginError(f"{page.file.src_uri} loads {found.group(1)}; the site has to work without a network")
    return output
