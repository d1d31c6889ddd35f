"""Facts about the repository that are written in more than one place agree."""

import json
import re
import subprocess
import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10; pytest brings it
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent


def version() -> str:
    match = re.search(r"project\(stickslip VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert match
    return match.group(1)


def test_python_package_takes_its_version_from_cmake() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    setting = project["tool"]["scikit-build"]["metadata"]["version"]
    match = re.search(setting["regex"], (ROOT / setting["input"]).read_text())
    assert match
    assert match.group("value") == version()
    assert project["project"]["dynamic"] == ["version"]


def test_changelog_has_a_section_for_the_version() -> None:
    sections = re.findall(r"^## \[?([\w.]+)\]?", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == "Unreleased"
    assert sections[1] == version()


def test_package_lists_name_each_package_once() -> None:
    names: list[str] = []
    for file in sorted((ROOT / "tools").glob("packages*-apt.txt")):
        names += [line for line in file.read_text().split("\n") if line and not line.startswith("#")]
    assert len(names) == len(set(names))


def test_presets_cover_the_builds_of_the_scripts() -> None:
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    folders = {p["name"]: p["binaryDir"] for p in presets if not p.get("hidden")}
    assert folders == {
        "release": "${sourceDir}/build",
        "debug": "${sourceDir}/build-debug",
        "asan": "${sourceDir}/build-asan",
    }


def test_docs_name_only_what_exists() -> None:
    result = subprocess.run([sys.executable, ROOT / "tools" / "check_docs.py"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_every_example_is_listed_short_and_checks_something() -> None:
    listed = set(re.findall(r"^\| \[`([^`]+)`\]", (ROOT / "examples" / "README.md").read_text(), re.MULTILINE))
    scripts = sorted((ROOT / "examples").glob("*.py"))
    assert listed == {file.name for file in [*scripts, *(ROOT / "examples").glob("*.yaml")]}
    for file in scripts:
        text = file.read_text()
        assert text.startswith('"""') and len(text.splitlines()) <= 40, file.name
        assert not file.name[0].isdigit() or "\nassert " in text, file.name
