"""tools/setup.sh says what is missing and what failed, and does nothing twice."""

import importlib
import subprocess
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(folder: Path, script: str) -> "subprocess.CompletedProcess[str]":
    """Runs the script after sourcing the set-up, with logs and environment under `folder`."""
    begin = f"""
        source "{ROOT}/tools/setup.sh"
        cache="{folder}/cache"; logs="$cache/logs"; venv="{folder}/venv"; venv_python="$venv/bin/python"
        unset STICKSLIP_SKIP_PACKAGES
        mkdir -p "$logs" "$venv"
    """
    return subprocess.run(["bash", "-c", begin + script], cwd=folder, capture_output=True, text=True, check=False)


def test_missing_packages_are_named_in_a_line_to_run(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("# tools\nhere\nmissing-b  # why\nmissing-a\n")
    result = run(tmp_path, "id() { echo 1000; }; dpkg-query() { echo 'installed here'; }; install_packages list.txt")
    assert result.returncode == 2
    assert "\nsudo apt-get install missing-a missing-b\n" in result.stderr


def test_root_installs_just_the_missing_packages(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("here\nmissing\n")
    fakes = "id() { echo 0; }; dpkg-query() { echo 'installed here'; }; apt-get() { echo \"$@\" >>asked; };"
    result = run(tmp_path, fakes + "install_packages list.txt")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "asked").read_text() == "update\ninstall -y --no-install-recommends missing\n"


def test_nothing_is_said_when_nothing_is_missing(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("here\n")
    result = run(tmp_path, "dpkg-query() { echo 'installed here'; }; install_packages list.txt")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_failed_step_shows_its_log_and_the_remedy(tmp_path: Path) -> None:
    result = run(tmp_path, "noise() { seq 100; echo 'the last line'; return 1; }; run_step name 'making noise' 'be quiet' noise")
    assert result.returncode == 3
    for words in ("FAILED: making noise", "the last line", str(tmp_path / "cache/logs/name.log"), "what to do: be quiet"):
        assert words in result.stderr
    assert "| 50\n" not in result.stderr


def test_python_packages_are_installed_once_for_each_content_of_the_list(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("numpy\n")
    fake = 'mkdir -p "$venv/bin"; printf "#!/bin/sh\\necho called >>%s/calls\\n" "$PWD" >"$venv_python"; chmod +x "$venv_python";'
    install = "install_python build list.txt;"
    result = run(tmp_path, fake + install + install + "echo scipy >>list.txt;" + install + 'rm -r "$venv";' + fake + install)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "calls").read_text().count("called") == 3


def test_second_setup_waits_for_the_first(tmp_path: Path) -> None:
    first = "(lock_setup; touch locked; sleep 1; echo first >>order; unlock_setup) &"
    second = "while [[ ! -e locked ]]; do sleep 0.01; done; lock_setup; echo second >>order; wait"
    result = run(tmp_path, first + second)
    assert (tmp_path / "order").read_text() == "first\nsecond\n"
    assert "waiting for another set-up" in result.stderr


NODE = """#!/bin/sh
echo {version}
"""


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "python" / "backend"))
    monkeypatch.chdir(ROOT)
    return importlib.import_module("stickslip_backend")


def test_a_source_distribution_has_what_a_wheel_is_made_of_and_nothing_that_was_built(backend: ModuleType, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / backend.build_sdist(str(tmp_path))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for file in ("cli/main.cc", "viewer/src/main.ts", "viewer/package-lock.json", "tools/requirements-node.txt", "python/backend/stickslip_backend.py"):
        assert file in names
    assert {name.split("/")[0] for name in names} & {"build", ".venv", ".cache", "tests", "docs"} == set()
    assert not [name for name in names if "node_modules" in name or name.endswith("viewer.html")]


@pytest.mark.parametrize(("version", "asked"), [(None, True), ("v16.20.2", True), ("v20.1.0", False), ("nonsense", True)])
def test_a_wheel_asks_for_a_node_only_where_none_is_new_enough(version: str | None, asked: bool, backend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("node", "npm") if version else ():
        (tmp_path / name).write_text(NODE.format(version=version))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for wants in (backend.get_requires_for_build_wheel, backend.get_requires_for_build_editable):
        assert any(name.startswith("nodejs") for name in wants()) == asked
