#!/usr/bin/env python3
"""Checks that what the Markdown pages point to exists: relative links and their anchors, and paths of this repository in code spans.

Usage: check_docs.py [repository root]. Prints one line a fault, exits 1 if there is any.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SKIPPED = {".git", ".venv", ".cache", "node_modules", "gallery", "dist"}
MADE = re.compile(r"(build[^/]*|\.venv|\.cache|gallery)(/|$)")  # exist only after a build


def pages(root: Path) -> list[Path]:
    found = (p for p in root.rglob("*.md") if not SKIPPED & set(p.relative_to(root).parts))
    return sorted(p for p in found if not MADE.match(str(p.relative_to(root))))


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ +(.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def missing_links(page: Path, text: str) -> list[str]:
    faults = []
    for target in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            faults.append(f"link to {target}")
    return faults


def missing_paths(page: Path, text: str, root: Path) -> list[str]:
    """Code spans that begin with one of our top folders and have no placeholder in them must be files here."""
    tops = {p.name for p in root.iterdir() if p.is_dir()} - SKIPPED
    faults = []
    for span in CODE.findall(FENCE.sub("", text)):
        path = re.sub(r":\d+$", "", span)
        if not re.fullmatch(r"[\w.\-/]+", path) or path.split("/")[0] not in tops or "/" not in path or MADE.match(path):
            continue
        if not (root / path).exists() and not (page.parent / path).exists():
            faults.append(f"path {span}")
    return faults


def main() -> int:
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    faults = []
    for page in pages(root):
        text = page.read_text()
        faults += [f"{page.relative_to(root)}: {f} does not exist" for f in missing_links(page, text) + missing_paths(page, text, root)]
    for fault in faults:
        print(fault)
    print(f"docs: {len(faults)} fault(s)" if faults else f"docs: every name on {len(pages(root))} pages exists")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
