"""The command stickslip convert: notes, files that are written or spared, exit codes."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

from command_line import run
from convert_scenes import ROOT, fixed_body, jointed_body


def convert(*arguments: str, cwd: Path) -> CompletedProcess[str]:
    return run("convert", *arguments, cwd=cwd)


def test_the_command_prints_notes_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text(jointed_body("type: revolute, limits: {velocity: 1}"))
    done = convert("in.yaml", "out.xml", cwd=tmp_path)
    assert done.returncode == 0
    first, last = done.stdout.splitlines()
    assert first.startswith("in.yaml:2:10: ") and "'j'" in first and first.endswith("[velocity-limit]")
    assert last == "wrote out.xml; 1 note above"


def test_the_command_writes_over_nothing_unasked(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text("name: empty\n")
    (tmp_path / "out.yaml").write_text("mine")
    done = convert("in.yaml", "out.yaml", cwd=tmp_path)
    assert done.returncode == 2 and "--force" in done.stderr and (tmp_path / "out.yaml").read_text() == "mine"
    assert convert("in.yaml", "out.yaml", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "out.yaml").read_text() == "name: empty\n"
    done = convert("in.yaml", "in.yaml", "--force", cwd=tmp_path)
    assert done.returncode == 2 and "both IN and OUT" in done.stderr


def test_the_command_spares_the_meshes_of_its_own_input(tmp_path: Path) -> None:
    """The scene scales a mesh that stands where the scaled one would go."""
    (tmp_path / "out_assets").mkdir()
    mesh = tmp_path / "out_assets" / "wedge.obj"
    mesh.write_text((ROOT / "examples" / "wedge.obj").read_text())
    before = mesh.read_text()
    (tmp_path / "in.yaml").write_text(fixed_body("{mesh: {file: out_assets/wedge.obj, scale: 0.5}}"))
    done = convert("in.yaml", "out.xml", cwd=tmp_path)
    assert done.returncode == 2 and "wedge.obj" in done.stderr and mesh.read_text() == before
    assert not (tmp_path / "out.xml").exists()


def test_the_command_knows_its_formats(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text("name: empty\n")
    done = convert("in.yaml", "out.sdf", cwd=tmp_path)
    assert done.returncode == 2 and ".xml (MJCF)" in done.stderr and ".yaml (scene file)" in done.stderr
    assert convert("nowhere.yaml", "out.xml", cwd=tmp_path).returncode == 2
    assert convert("in.yaml", "no/such/folder/out.xml", cwd=tmp_path).returncode == 0
    assert "--force" in convert("--help", cwd=tmp_path).stdout
