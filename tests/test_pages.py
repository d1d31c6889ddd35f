"""Sentences and figures of the pages that no snippet runs are as the program has them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import stickslip as ss
from command_line import ROOT, run
from corpus import FORMATS

sys.path.insert(0, str(ROOT / "tools"))


def page(name: str) -> str:
    return (ROOT / name).read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_quick_start_shows_the_report_that_its_first_command_prints() -> None:
    shown = [line.split() for line in blocks(page("docs/quickstart.md"), "text")[0].splitlines() if line != "..."]
    said = [line.split() for line in run("run", "examples/bouncing_ball.yaml").stdout.splitlines()]
    assert len(shown) >= 4
    for line in shown:
        same = next((other for other in said if other[:1] == line[:1] and len(other) == len(line)), None)
        assert same, f"the report has no line {' '.join(line)!r}"
        for ours, theirs in zip(line, same, strict=True):
            if ours.isdigit():  # counts move a little with the compiler's version
                assert int(ours) == pytest.approx(int(theirs), rel=0.05), f"{' '.join(line)!r} is {' '.join(same)!r}"
            else:
                assert ours == theirs


def test_lists_are_taken_for_arrays_as_the_python_page_says() -> None:
    model = ss.load(str(ROOT / "examples/double_pendulum.yaml"))
    q, v = [0.3, -0.2], [1.0, 0.5]
    assert "such as lists" in page("docs/python.md")
    assert np.array_equal(model.mass_matrix(q), model.mass_matrix(np.array(q)))
    assert np.array_equal(model.bias_force(q, v), model.bias_force(np.array(q), np.array(v)))


def test_the_page_on_cpp_names_every_library_that_the_package_finds_again() -> None:
    wanted = re.findall(r"^stickslip_package\((\w+)", page("CMakeLists.txt"), re.MULTILINE)
    assert len(wanted) >= 11
    told = set(re.findall(r"[\w-]+", page("docs/cpp.md")))
    assert set(wanted) - told == set()


def test_the_programs_on_the_page_on_cpp_are_those_that_the_consumer_builds() -> None:
    assert blocks(page("docs/cpp.md"), "cpp") == [page(f"tests/consumer/{name}.cc") for name in ("swing", "mass_matrix")]


@pytest.mark.parametrize("text", [ss.__doc__ or "", page("README.md"), page("docs/cpp.md"), page("src/stickslip/stickslip.h")])
def test_first_pages_begin_with_a_method_that_knows_contact(text: str) -> None:
    assert "accuracy" in text
    assert not re.search(r"rk4|semi-implicit-euler", text)


def test_sap_creeps_as_its_page_says() -> None:
    import plot_methods

    said = re.search(r"([\d.]+) um/s at 1 ms and ([\d.]+) um/s at 10 ms", page("docs/methods/sap.md"))
    assert said
    for speed, time_step in zip(said.groups(), (1e-3, 1e-2), strict=True):
        assert 1e6 * plot_methods.creep("sap", np.radians(20), time_step) == pytest.approx(float(speed), rel=0.05)  # the page has two digits


def test_the_page_on_bad_files_counts_the_corpus() -> None:
    text = page("docs/robustness.md")
    said = re.search(r"`tests/corpus` makes (\d+) files", text)
    assert said and int(said.group(1)) == sum(map(len, FORMATS.values()))
    rows = dict(re.findall(r"^\| (\w+) \| (\d+) \| \d+ MB", text, re.MULTILINE))
    assert rows == {name: str(len(cases)) for name, cases in FORMATS.items()}
