"""gallery/index.html: every case with its claims, verdicts, plot, replay and time."""

from __future__ import annotations

import html
import re
from pathlib import Path

from cases.catalog import Case, Record
from cases.runner import WORDS

PAPERS = {"T": "TAMSI", "I": "ICF", "E": "Expo", "C": "CENIC"}
BADGES = {"NO": "not all holds", "yes": "holds", "pending": "waits"}  # the first that a claim has is the case's

STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1d2430, #e3e7ee); --dim: light-dark(#5d6878, #98a2b3); --line: light-dark(#dde2ea, #303846);
  --page: light-dark(#fff, #12161d); --yes: light-dark(#1a7f37, #4cc26d); --no: light-dark(#cf222e, #ff7b72) }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 66rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; color: var(--ink); background: var(--page) }
h1 { margin: 0 } h2 { margin: 3rem 0 .3rem } small, .dim { color: var(--dim) }
img { max-width: 100%; background: #fff; border-radius: 6px } iframe { width: 100%; height: 34rem; border: 1px solid var(--line); border-radius: 6px }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .87rem }
td, th { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line) }
nav { display: flex; flex-wrap: wrap; gap: .4rem; margin: .4rem 0 1rem } nav a { padding: .1rem .55rem; border-radius: 1rem; border: 1px solid; text-decoration: none; font-size: .85rem }
.yes { color: var(--yes) } .NO { color: var(--no); font-weight: 600 } .pending { color: var(--dim) }
button { font: inherit; padding: .35rem .9rem; border-radius: 6px; border: 1px solid var(--line); background: none; color: inherit; cursor: pointer }
"""
# A replay is a page of its own of a megabyte and more: it is loaded when asked for.
SCRIPT = """
for (const button of document.querySelectorAll("button[data-replay]")) button.onclick = () => {
  const frame = document.createElement("iframe");
  frame.src = button.dataset.replay; frame.title = button.dataset.title;
  button.replaceWith(frame);
};
"""
HEAD = "<tr><th>claim</th><th>measured</th><th>expected</th><th>holds</th><th>why this range, or why not</th></tr>"


def code(text: str) -> str:
    """Escaped, with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def badge(records: list[Record]) -> str:
    words = {WORDS[r["holds"]] for r in records}
    return next(word for word in BADGES if word in words)


def row(r: Record) -> str:
    word = WORDS[r["holds"]]
    cells = "".join(f"<td>{html.escape(r[key])}</td>" for key in ("claim", "measured", "expected"))
    return f'<tr>{cells}<td class="{word}">{word}</td><td><small>{code(r["reason"])}</small></td></tr>'


def section(case: Case, records: list[Record], gallery: Path) -> str:
    title = html.escape(f"{case.id}: {case.title}")
    word = badge(records)
    took = "" if case.waits else f" · {records[0]['seconds']:.1f} s"
    parts = [f'<h2 id="{case.id}">{title}</h2>', f'<small><span class="{word}">{BADGES[word]}</span>{took}</small>', f"<p>{code(case.summary)}</p>"]
    if (gallery / f"{case.id}.png").exists() and not case.waits:
        parts.append(f'<p><img src="{case.id}.png" alt="{title}" loading="lazy"></p>')
    if (gallery / f"{case.id}_replay.html").exists():
        parts.append(f'<p><button data-replay="{case.id}_replay.html" data-title="{title}">Play it</button></p>')
    parts.append(f"<div class='scroll'><table>{HEAD}{''.join(map(row, records))}</table></div>")
    return "\n".join(parts)


def write_gallery(records: list[Record], chosen: list[Case], gallery: Path) -> Path:
    """One page of the cases that were chosen."""
    mine = {case.id: [r for r in records if r["id"] == case.id] for case in chosen}
    holds = [r["holds"] for r in records]
    navigation = "".join(
        f"<small>{paper}</small><nav>"
        + "".join(f'<a class="{badge(mine[c.id])}" href="#{c.id}" title="{html.escape(c.title)}">{c.id}</a>' for c in chosen if c.id[0] == letter)
        + "</nav>"
        for letter, paper in PAPERS.items()
        if any(c.id[0] == letter for c in chosen)
    )
    page = (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>Stickslip: the papers' experiments</title><style>{STYLE}</style></head><body>"
        "<h1>The papers' experiments</h1><p>What was claimed, what was measured, and whether it holds. Made by <code>stickslip reproduce</code>.</p>"
        f"<p><b class='yes'>{holds.count(True)}</b> claims hold, <b class='NO'>{holds.count(False)}</b> do not, "
        f"<b class='pending'>{holds.count(None)}</b> wait for what does not exist yet.</p>{navigation}"
        + "\n".join(section(case, mine[case.id], gallery) for case in chosen)
        + f"<script>{SCRIPT}</script></body></html>\n"
    )
    (gallery / "index.html").write_text(page)
    return gallery / "index.html"
