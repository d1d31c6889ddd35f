"""What moves is in the picture, large enough to see, in every example and in scenes that nobody built for.

The page counts by itself how much of the picture moving bodies cover (window.stickslip.coverage); the first test holds its count
against the pixels of a screenshot.
"""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stickslip as ss
from command_line import ROOT
from playwright.sync_api import Page
from test_viewer_page import browser, live, open_page, page, picture, until  # noqa: F401

EXAMPLES = ROOT / "examples"
SCENES = sorted(EXAMPLES.glob("*.yaml"))
# The other scripts simulate one of those scenes.
SCRIPTS = [EXAMPLES / f"{name}.py" for name in ("02_clutter", "05_quadruped", "07_four_bar", "08_own_controller", "09_friction_batch", "10_generated_scene")]
LEAST = 0.01  # of the picture
TIMES = (0, 1, 3)
SMALL = {"width": 560, "height": 360}  # without a graphics card it is the pixels that take time


class _Stop(Exception):
    pass


def model_of(script: Path, monkeypatch: pytest.MonkeyPatch) -> ss.Model:
    """The first model that an example simulates."""
    found: list[ss.Model] = []

    def take(model: ss.Model, *_: object, **__: object) -> None:
        found.append(model)
        raise _Stop

    monkeypatch.setattr(ss, "simulate", take)
    monkeypatch.setattr(ss, "Simulator", take)
    monkeypatch.setattr("sys.argv", [str(script)])
    with pytest.raises(_Stop):
        runpy.run_path(str(script), run_name="__main__")
    monkeypatch.undo()
    return found[0]


def coverages(page: Page, file: Path, times: tuple[float, ...] = TIMES, name: str = "") -> list[float]:
    page.set_viewport_size(SMALL)
    open_page(page, file.as_uri() + "#play=0")
    found = []
    for t in times:
        page.evaluate(f"window.stickslip.seek({t})")
        found.append(page.evaluate("window.stickslip.coverage()"))
        if name:
            picture(page, f"{name}_{t}")
    return found


def saved(model: ss.Model, folder: Path, seconds: float = 3.0) -> Path:
    ss.simulate(model, until=seconds, sample_rate=30).save(folder / "run.html")
    return folder / "run.html"


def yaml_of(bodies: str, rest: str = "") -> ss.Model:
    return ss.from_string(f"bodies:\n  - {{name: floor, fixed: true, geometry: [{{half_space: {{}}}}]}}\n{bodies}\n{rest}")


def body(name: str, position: tuple[float, float, float], shape: str = "sphere: {radius: 0.1}", more: str = "") -> str:
    return f"  - {{name: {name}, density: 1000, pose: {{position: {list(position)}}}, {more} geometry: [{{{shape}}}]}}\n"


def test_what_the_page_counts_is_what_one_sees(page: Page, tmp_path: Path) -> None:
    file = saved(ss.load(EXAMPLES / "bouncing_ball.yaml"), tmp_path)
    counted = coverages(page, file, (1.0,))[0]
    pixels = picture(page)
    orange = (pixels[:, :, 0] > 1.5 * pixels[:, :, 2]) & (pixels[:, :, 0] > 60)
    assert np.mean(orange) == pytest.approx(counted, rel=0.1)  # the rim is a pixel of ninety wide


@pytest.mark.parametrize("scene", SCENES + SCRIPTS, ids=lambda path: path.name)
def test_what_moves_is_seen_in_every_example(page: Page, tmp_path: Path, scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ss.load(scene) if scene.suffix == ".yaml" else model_of(scene, monkeypatch)
    found = coverages(page, saved(model, tmp_path), name=f"example_{scene.stem}")
    assert min(found) >= LEAST, found


def test_no_example_is_left_out() -> None:
    """A script that has a scene of its own is looked at by itself."""
    for script in sorted(EXAMPLES.glob("*.py")):
        text = script.read_text()
        shown = script in SCRIPTS or "arm.urdf" in text or any(scene.name in text for scene in SCENES)
        assert shown, script.name


@pytest.mark.parametrize("scene", ["bouncing_ball", "gripper"])
def test_what_moves_is_seen_in_a_simulation(page: Page, scene: str) -> None:
    page.set_viewport_size(SMALL)
    with live(page, EXAMPLES / f"{scene}.yaml"):
        for t in TIMES:
            until(page, f"window.stickslip.state().time >= {t}")
            assert page.evaluate("window.stickslip.coverage()") >= LEAST, t
            picture(page, f"live_{scene}_{t}")


def odd_scenes() -> dict[str, ss.Model]:
    dice = random.Random(1)
    scattered = "".join(body(f"b{i}", (dice.uniform(-8, 8), dice.uniform(-8, 8), 0.1 + dice.random())) for i in range(100))
    walls = "".join(
        f"  - {{name: wall{i}, fixed: true, pose: {{position: [{x}, {y}, 0.3]}}, geometry: [{{box: {{size: [{0.02 if x else 0.4}, {0.02 if y else 0.4}, 0.6]}}}}]}}\n"
        for i, (x, y) in enumerate([(0.2, 0), (-0.2, 0), (0, 0.2), (0, -0.2)])
    )
    room = "".join(
        f"  - {{name: side{i}, fixed: true, pose: {{position: {list(p)}}}, geometry: [{{box: {{size: {[0.1 if x else 2.1 for x in (p[0], p[1], p[2] - 1)]}}}}}]}}\n"
        for i, p in enumerate([(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1), (0, 0, 2), (0, 0, 0)])
    )
    soft = "materials: {default: {stiffness: 1.0e3}}"
    return {
        "falls_forever": ss.from_string("bodies:\n" + body("rock", (0, 0, 0))),
        "thrown_far": yaml_of(body("bullet", (0, 0, 1), more="velocity: {linear: [100, 0, 20]},")),
        "one_flies_off": yaml_of(body("a", (0, 0, 0.1)) + body("b", (0.3, 0, 0.1)) + body("bullet", (0, 0.3, 1), more="velocity: {linear: [0, 100, 0]},")),
        "scattered": yaml_of(scattered),
        "tiny": yaml_of(body("grain", (0, 0, 0.002), "sphere: {radius: 0.0005}", "velocity: {linear: [0.01, 0, 0]},"), soft),
        "huge": yaml_of(body("block", (0, 0, 600), "box: {size: [1000, 1000, 1000]}")),
        "far_away": yaml_of(body("cube", (50000, -20000, 1), "box: {size: [0.3, 0.3, 0.3]}", "velocity: {linear: [1, 0, 0]},")),
        "between_walls": yaml_of(walls + body("ball", (0, 0, 1))),
        "walled_in": yaml_of(room + body("ball", (0, 0, 1), "sphere: {radius: 0.2}")),
    }


@pytest.mark.parametrize("name", odd_scenes())
def test_what_moves_is_seen_in_scenes_that_nobody_built_for(page: Page, tmp_path: Path, name: str) -> None:
    page.set_viewport_size(SMALL)
    found = coverages(page, saved(odd_scenes()[name], tmp_path), name=f"odd_{name}")
    assert min(found) >= LEAST, found


def test_a_scene_without_motion_is_seen_whole(page: Page, tmp_path: Path) -> None:
    file = saved(yaml_of("  - {name: tower, fixed: true, pose: {position: [30, 0, 2]}, geometry: [{box: {size: [1, 1, 4]}}]}"), tmp_path, 0.1)
    open_page(page, file.as_uri())
    x, y = page.evaluate("window.stickslip.bodyScreenPosition('tower')")
    box = page.locator("#canvas").bounding_box()
    assert box
    assert abs(x - box["x"] - box["width"] / 2) < 0.1 * box["width"]
    assert abs(y - box["y"] - box["height"] / 2) < 0.1 * box["height"]


def test_a_long_recording_over_the_server_is_followed(page: Page) -> None:
    """Its frames do not all come to the page; the camera's course is made from some."""
    run = ss.simulate(ss.load(EXAMPLES / "bouncing_ball.yaml"), until=5, sample_rate=1000)
    with run.play(browser=False) as viewer:
        page.set_viewport_size(SMALL)
        open_page(page, viewer.url + "#play=0")
        for t in (0, 1, 3, 4.9):
            page.evaluate(f"window.stickslip.seek({t})")
            assert page.evaluate("window.stickslip.coverage()") >= LEAST, t


# ----------------------------------------------------------------------------------------------- who holds the camera


def camera(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("window.stickslip.camera()")
    return found


def way(place: dict[str, Any]) -> np.ndarray[Any, Any]:
    """From what is looked at to the camera, of unit length."""
    offset = np.subtract(place["position"], place["target"])
    return np.asarray(offset / np.linalg.norm(offset))


def settled(page: Page) -> dict[str, Any]:
    """The camera when it no longer swings."""
    before, now = {}, camera(page)
    while before != now:
        page.wait_for_timeout(300)
        before, now = now, camera(page)
    return now


def drag_on_canvas(page: Page, dx: float) -> None:
    box = page.locator("#canvas").bounding_box()
    assert box
    x, y = box["x"] + 0.2 * box["width"], box["y"] + 0.2 * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y, steps=4)
    page.mouse.up()


def test_a_hand_on_the_camera_keeps_it_and_a_reset_gives_it_back(page: Page) -> None:
    page.set_viewport_size(SMALL)
    with live(page, EXAMPLES / "bouncing_ball.yaml", "--paused"):
        first = camera(page)
        drag_on_canvas(page, 0)  # a click
        assert camera(page)["automatic"]
        drag_on_canvas(page, 80)
        turned = settled(page)
        assert not turned["automatic"]
        assert np.dot(way(turned), way(first)) < 0.99
        page.keyboard.press("Space")
        until(page, "window.stickslip.state().time > 1")
        assert np.allclose(camera(page)["position"], turned["position"], atol=1e-3)  # it stays, and the ball goes
        page.keyboard.press("r")
        until(page, "window.stickslip.state().time < 0.5")
        assert camera(page)["automatic"]
        assert np.allclose(way(camera(page)), way(first), atol=1e-6)
        assert page.evaluate("window.stickslip.coverage()") >= LEAST


def test_following_brings_a_body_that_left_back_into_the_picture(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size(SMALL)
    open_page(page, saved(ss.load(EXAMPLES / "bouncing_ball.yaml"), tmp_path).as_uri() + "#play=0")
    page.evaluate("window.stickslip.setCamera({position: [0, -2, 1], target: [0, 0, 0.5]})")
    page.evaluate("window.stickslip.seek(2.5)")
    assert page.evaluate("window.stickslip.coverage()") == 0  # it left
    page.keyboard.press("i")
    page.get_by_text("ball", exact=True).click()
    page.keyboard.press("f")
    for t in (2.5, 1.0, 3.0):
        page.evaluate(f"window.stickslip.seek({t})")
        assert page.evaluate("window.stickslip.coverage()") >= LEAST, t


def test_a_view_from_a_side_keeps_to_what_moves(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size(SMALL)
    open_page(page, saved(ss.load(EXAMPLES / "bouncing_ball.yaml"), tmp_path).as_uri() + "#play=0")
    for key, axis in (("1", (0, -1, 0)), ("2", (1, 0, 0)), ("3", (0, 0, 1))):
        page.keyboard.press(key)
        for t in (0, 2):
            page.evaluate(f"window.stickslip.seek({t})")
            assert page.evaluate("window.stickslip.coverage()") >= LEAST, (key, t)
            assert np.dot(way(camera(page)), axis) > 0.99


def test_a_time_has_one_picture_however_one_comes_there(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size(SMALL)
    open_page(page, saved(ss.load(EXAMPLES / "bouncing_ball.yaml"), tmp_path).as_uri() + "#play=0")
    places = []
    for before in (0, 2.9, 1.4):
        page.evaluate(f"window.stickslip.seek({before})")
        page.evaluate("window.stickslip.seek(1.5)")
        places.append(camera(page)["position"])
    assert np.allclose(places[0], places[1:], atol=1e-9)  # the sines of its direction are rounded
