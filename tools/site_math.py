"""Equations of the site: LaTeX becomes MathML when a page is built, so that pages need no script to show them."""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert

# What Arithmatex makes of $...$ and $$...$$.
INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
DISPLAY = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)
BARS = re.compile(r"<mo>(&#x02016;|&#x0007C;)</mo>")  # of norms; those of \left and \right have attributes, and grow
UNKNOWN = re.compile(r">\\([A-Za-z]+)<")


class BadEquation(ValueError):
    """LaTeX that has no MathML here."""


def to_mathml(latex: str, display: str) -> str:
    """`display` is "block" or "inline"."""
    known = latex.replace("{aligned}", "{align*}")  # the same thing to the converter, which knows only the latter
    try:
        result = str(convert(known, display=display))
    except Exception as error:
        raise BadEquation(f"{latex.strip()}: {type(error).__name__} {error}") from error
    unknown = UNKNOWN.search(result)
    if unknown:
        raise BadEquation(f"{latex.strip()}: \\{unknown.group(1)} is not known")
    return BARS.sub(r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>', result)


def render_equations(page: str) -> str:
    """The HTML of a page with its equations as MathML."""
    page = DISPLAY.sub(lambda m: f'<div class="equation">{to_mathml(html.unescape(m.group(1)), "block")}</div>', page)
    return INLINE.sub(lambda m: to_mathml(html.unescape(m.group(1)), "inline"), page)
