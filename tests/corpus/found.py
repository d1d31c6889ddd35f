"""What the fuzzers found, as they found it."""

from __future__ import annotations

from corpus.case import Case

CASES: list[Case] = []
