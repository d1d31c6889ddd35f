"""Runs what pages tell to run, page by page, and counts: what check_snippets.py and check_commands.py share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path


def run_pages(what: str, pages: Iterable[Path], run: Callable[[Path], tuple[int, str]]) -> int:
    """The exit code, after the stories of the pages that failed and how much ran are printed.

    `run` gives how much of a page ran, and the story of what failed, empty if nothing did.
    """
    total, faults = 0, 0
    for page in pages:
        count, story = run(page)
        total += count
        if story:
            faults += 1
            print(story)
    print(f"{what}: {total} ran, {faults} page(s) failed" if faults else f"{what}: {total} ran")
    return 1 if faults else 0
