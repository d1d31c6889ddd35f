"""Pipes, devices and links among the files of a model: nothing waits for them, and nothing is read that a model may not name."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

import stickslip as ss
from command_line import PROGRAM, run

MOST_SECONDS = 30  # of what ends in some milliseconds, on a machine with other things to do
MESH = "bodies: [{name: a, fixed: true, geometry: [{mesh: {file: %s}}]}]\n"
TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
SECRET = "root:x:0:0:not to be seen\n"


def checked(path: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, "check", path], capture_output=True, text=True, timeout=MOST_SECONDS, check=False)


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)


def of_yaml(folder: Path) -> Path:
    os.mkfifo(folder / "scene.yaml")
    return folder / "scene.yaml"


def of_urdf(folder: Path) -> Path:
    os.mkfifo(folder / "scene.urdf")
    return folder / "scene.urdf"


def of_xacro(folder: Path) -> Path:
    os.mkfifo(folder / "scene.xacro")
    return folder / "scene.xacro"


def of_include(folder: Path) -> Path:
    os.mkfifo(folder / "part.yaml")
    write(folder, scene__yaml="include: [{file: part.yaml}]\n")
    return folder / "scene.yaml"


def of_mjcf_include(folder: Path) -> Path:
    os.mkfifo(folder / "part.xml")
    write(folder, scene__xml='<mujoco><include file="part.xml"/></mujoco>')
    return folder / "scene.xml"


def of_mesh(folder: Path) -> Path:
    os.mkfifo(folder / "part.obj")
    write(folder, scene__yaml=MESH % "part.obj")
    return folder / "scene.yaml"


def of_table(folder: Path) -> Path:
    os.mkfifo(folder / "hill.csv")
    write(folder, scene__yaml="bodies: [{name: a, fixed: true, geometry: [{height_field: {size: [1, 1], heights: hill.csv}}]}]\n")
    return folder / "scene.yaml"


def of_picture(folder: Path) -> Path:
    os.mkfifo(folder / "hill.png")
    write(folder, scene__xml='<mujoco><asset><hfield name="h" file="hill.png" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>')
    return folder / "scene.xml"


@pytest.mark.parametrize("make", [of_yaml, of_urdf, of_xacro, of_include, of_mjcf_include, of_mesh, of_table, of_picture])
def test_a_pipe_is_refused_at_once(make: Callable[[Path], Path], tmp_path: Path) -> None:
    done = checked(make(tmp_path))
    assert done.returncode == 2
    assert "a pipe" in done.stderr and "[not-a-file]" in done.stderr, done.stderr


def test_materials_and_pictures_of_a_mesh_that_are_pipes_are_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mtl")
    os.mkfifo(tmp_path / "pipe.png")
    write(tmp_path, part__obj=f"mtllib pipe.mtl\n{TRIANGLES}", scene__yaml=MESH % "part.obj")
    assert checked(tmp_path / "scene.yaml").returncode == 0
    write(tmp_path, part__obj=f"mtllib part.mtl\nusemtl m\n{TRIANGLES}", part__mtl="newmtl m\nmap_Kd pipe.png\n")
    assert checked(tmp_path / "scene.yaml").returncode == 0


@pytest.mark.parametrize("name", ["run.h5", "run.h5.journal"])
@pytest.mark.parametrize("command", ["replay", "convert"])
def test_a_pipe_under_the_name_of_a_recording_is_refused_at_once(name: str, command: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    words = [PROGRAM, command, tmp_path / name, *([tmp_path / "out.csv"] if command == "convert" else [])]
    done = subprocess.run(words, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    assert done.returncode == 2 and "a pipe" in done.stderr, done.stderr


def test_templates_that_include_a_pipe_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("xacro")
    os.mkfifo(tmp_path / "part.xacro")
    os.mkfifo(tmp_path / "package.xml")
    for inside, says in {"part.xacro": "not a file but", "$(find other)/part.xacro": "there is no package"}.items():
        include = f'<xacro:include filename="{inside}"/>'
        write(tmp_path, scene__xacro=f'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{include}<link name="a"/></robot>')
        done = checked(tmp_path / "scene.xacro")
        assert done.returncode == 2 and says in done.stderr, done.stderr


def test_devices_and_what_a_shell_pipes_in_are_refused(tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").symlink_to("/dev/zero")
    assert "a device" in checked(tmp_path / "scene.yaml").stderr
    for command in (f"{PROGRAM} check <(echo 'bodies: []')", f"echo 'bodies: []' | {PROGRAM} check /dev/stdin"):
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
        assert done.returncode == 2
        assert "a pipe" in done.stderr and "to a file first" in done.stderr


def model_in(folder: Path, secret: Path, link: str) -> None:
    """A model, deep enough that folders above it are not near, and a link in it."""
    folder.mkdir(parents=True)
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text(SECRET)
    (folder / link).symlink_to(secret)


FAR = "a/b/c/d/e/f/g"  # more folders down than a model may climb
LEAKS = {
    "part.xml": ("scene.xml", '<mujoco><include file="part.xml"/></mujoco>'),
    "part.yaml": ("scene.yaml", "include: [{file: part.yaml}]\n"),
    "hill.csv": ("scene.yaml", "bodies: [{name: a, fixed: true, geometry: [{height_field: {size: [1, 1], heights: hill.csv}}]}]\n"),
    "part.obj": ("scene.yaml", MESH % "part.obj"),
    "part.sdf": ("scene.sdf", '<sdf version="1.7"><world name="w"><include><uri>part.sdf</uri></include></world></sdf>'),
    "hand.xml": ("scene.xml", '<mujoco><asset><model name="m" file="hand.xml"/></asset><worldbody><attach model="m" prefix="p"/></worldbody></mujoco>'),
}


@pytest.mark.parametrize("link", LEAKS)
def test_a_link_out_of_the_folder_is_neither_followed_nor_quoted(link: str, tmp_path: Path) -> None:
    folder, secret = tmp_path / FAR, tmp_path / "secret" / "passwd"
    model_in(folder, secret, link)
    name, text = LEAKS[link]
    (folder / name).write_text(text)
    done = checked(folder / name)
    assert done.returncode == 2
    assert "[outside-folder]" in done.stderr and "not to be seen" not in done.stderr, done.stderr
    assert checked(folder / name).stderr.count("is a link") == 1
    bare = subprocess.run([PROGRAM, "check", name], cwd=folder, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    assert "[outside-folder]" in bare.stderr and "not to be seen" not in bare.stderr, bare.stderr


@pytest.mark.parametrize("uri", ["model:///var/tmp/{}", "model://var/tmp/{}", "model://tmp/{}"])
def test_no_folder_near_the_root_is_a_package_by_its_name_alone(uri: str, tmp_path: Path) -> None:
    """Else /etc were one of every model's packages."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as other:
        (Path(other) / "model.sdf").write_text('<sdf version="1.7"><model name="secret"/></sdf>')
        text = f'<sdf version="1.7"><world name="w"><include><uri>{uri.format(Path(other).name)}</uri></include></world></sdf>'
        with tempfile.TemporaryDirectory(dir="/var/tmp") as own:
            (Path(own) / "scene.sdf").write_text(text)
            assert "[no-such-file]" in checked(Path(own) / "scene.sdf").stderr


def test_a_robots_link_out_of_the_folder_is_left_out(tmp_path: Path) -> None:
    folder, secret = tmp_path / FAR, tmp_path / "secret" / "passwd"
    model_in(folder, secret, "part.obj")
    for uri in ("part.obj", "package://g/part.obj"):  # the folder is called g
        text = f'<robot name="r"><link name="a"><collision><geometry><mesh filename="{uri}"/></geometry></collision></link></robot>'
        (folder / "robot.urdf").write_text(text)
        assert [w.code for w in ss.load(folder / "robot.urdf").warnings] == ["outside-folder"]


def test_an_absolute_name_of_a_link_is_judged_by_what_it_leads_to(tmp_path: Path) -> None:
    folder, secret = tmp_path / FAR, tmp_path / "secret" / "passwd"
    model_in(folder, secret, "part.yaml")
    other = tmp_path / "x" / FAR
    other.mkdir(parents=True)
    (other / "scene.yaml").write_text(f"include: [{{file: {folder / 'part.yaml'}}}]\n")
    assert "[outside-folder]" in checked(other / "scene.yaml").stderr


def test_installed_packages_that_are_links_to_their_sources_load(tmp_path: Path) -> None:
    """As `colcon build --symlink-install` leaves them: each file a link into a source folder far away."""
    source, install = tmp_path / "src" / FAR / "arm", tmp_path / "install" / "arm" / "share" / "arm"
    for name, text in {
        "meshes/part.obj": TRIANGLES,
        "config/part.yaml": MESH % "../meshes/part.obj",
        "config/scene.yaml": "include: [{file: part.yaml}]\n",
        "mjcf/part.xml": '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>',
        "mjcf/scene.xml": '<mujoco><include file="part.xml"/></mujoco>',
        "urdf/arm.urdf": '<robot name="r"><link name="a"><collision><geometry><mesh filename="package://arm/meshes/part.obj"/></geometry></collision></link></robot>',
    }.items():
        for folder in (source, install):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
        (install / name).symlink_to(source / name)
    for scene in ("config/scene.yaml", "mjcf/scene.xml", "urdf/arm.urdf"):
        assert ss.load(install / scene).warnings == [], scene


def test_meshes_that_are_kept_elsewhere_load_through_their_links(tmp_path: Path) -> None:
    store = tmp_path / "store" / "4f" / "part.obj"
    store.parent.mkdir(parents=True)
    store.write_text(TRIANGLES)
    folder = tmp_path / FAR
    folder.mkdir(parents=True)
    (folder / "mesh.obj").symlink_to(store)
    (folder / "scene.yaml").write_text(MESH % "mesh.obj")
    assert ss.load(folder / "scene.yaml").warnings == []


def test_links_within_the_model_and_allowed_folders_are_followed(tmp_path: Path) -> None:
    folder, shared = tmp_path / FAR, tmp_path / "shared"
    for place in (folder / "parts", shared):
        place.mkdir(parents=True)
        (place / "part.yaml").write_text("bodies: []\n")
    (folder / "near.yaml").symlink_to("parts/part.yaml")
    (folder / "far.yaml").symlink_to(shared / "part.yaml")
    (folder / "scene.yaml").write_text("include: [{file: near.yaml}]\n")
    ss.load(folder / "scene.yaml")
    (folder / "scene.yaml").write_text("include: [{file: far.yaml}]\n")
    with pytest.raises(ss.ModelError, match="outside-folder"):
        ss.load(folder / "scene.yaml")
    (tmp_path / "alias").symlink_to(shared)  # the allowed folder may be a link, too
    assert run("check", "--package-path", str(folder), str(folder / "scene.yaml")).returncode == 2
    (folder / "far.yaml").unlink()
    (folder / "far.yaml").symlink_to(shared / "part.yaml")
    ss.load(folder / "scene.yaml", package_path=[str(shared)])
    ss.load(folder / "scene.yaml", package_path=[str(tmp_path / "alias")])


def test_zeros_behind_a_robot_are_no_part_of_it(tmp_path: Path) -> None:
    """As programs leave them that write XML with its end in memory; within a text they are refused."""
    path, text = tmp_path / "robot.urdf", b'<robot name="r"><link name="a"/></robot>\r\n'
    path.write_bytes(text + b"\0\0")
    assert ss.load(path).body_names == ["world", "a"]
    path.write_bytes(text[:-2] + b"\0" + text[-2:])
    assert checked(path).returncode == 2
