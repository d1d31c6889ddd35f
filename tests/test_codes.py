"""Every code that the sources can give is in the one table, has its place on the page, and is in the corpus."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from command_line import PROGRAM, ROOT, run
from corpus import ALL

sys.path.insert(0, str(ROOT / "tools"))

import codes_page  # noqa: E402

CODES = codes_page.codes_of(PROGRAM)
NAMES = {code["code"] for code in CODES}
WORD = r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"'
KEBAB = r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)+)"'
GIVEN = [
    rf"ModelError\(\s*{WORD}",
    rf"\b(?:notes_?\.add|warn|warn_once)\(\s*{WORD}",
    rf"\b(?:fail|note|refuse_negative|refuse)\((?:[^;\"]*,)?\s*{KEBAB}",
    rf"(?:push_back|return)\s*\(?\s*\{{+\s*{KEBAB}\s*,",
    r"\brefuse\(source,[^;\"]*\"(doctype)\"",
    rf"\"[a-z]+\", {KEBAB}\);",  # an attribute and its code
]
FORMED = {"unknown-body", "unknown-joint", "unknown-tendon"}  # "unknown-{}" in model/
# They depend on the machine, or on files too large to make: tested where they arise.
NOT_IN_CORPUS = {"file-too-large", "not-a-file", "out-of-memory", "needs-decomposition", "bad-parts", "unwritable-cache"}
# Readers refuse these before the model is compiled; scenes made in C++ can still have them.
ONLY_FROM_CODE = {"fixed-and-jointed", "world-has-joint"}


def sources() -> list[Path]:
    files = [*(ROOT / "src").rglob("*.cc"), *(ROOT / "src").rglob("*.h"), *(ROOT / "cli").glob("*.cc")]
    return [f for f in files if not f.name.endswith(("_test.cc", "_testing.h")) and not f.name.startswith("codes")]


def given_codes() -> set[str]:
    found = set(FORMED)
    for file in sources():
        text = file.read_text()
        for pattern in GIVEN:
            found |= set(re.findall(pattern, text))
    return found


def test_every_code_of_the_sources_is_in_the_table() -> None:
    assert sorted(given_codes() - NAMES) == []


def test_every_code_of_the_table_is_given_somewhere() -> None:
    everything = "".join(file.read_text() for file in sources())
    unused = {name for name in NAMES - FORMED if f'"{name}"' not in everything}
    assert sorted(unused) == []


def test_the_page_is_what_the_program_says() -> None:
    assert codes_page.PAGE.read_text() == codes_page.page(CODES), "run tools/codes_page.py --write"


def test_every_code_of_an_error_is_in_the_corpus() -> None:
    errors = {code["code"] for code in CODES if code["severity"] == "error"}
    assert sorted(errors - {case.code for case in ALL} - NOT_IN_CORPUS - ONLY_FROM_CODE) == []


def test_explain_says_what_a_code_means() -> None:
    done = run("explain", "bad-number")
    assert done.returncode == 0 and "1.0abc" in done.stdout and "fix:" in done.stdout
    assert all(name in run("explain").stdout for name in NAMES)
    unknown = run("explain", "bad-numbr")
    assert unknown.returncode == 2 and "'bad-number'" in unknown.stderr
