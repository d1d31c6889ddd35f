"""How things look: colours of what has none, arrows, robots at rest, dark pages."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
import stickslip as ss
from command_line import ROOT
from playwright.sync_api import Page
from test_viewer_page import browser, open_page, page, picture, until  # noqa: F401
from viewer_client import LivePage, ask, viewing

SERVO_MJCF = """<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
<actuator>{}</actuator></mujoco>"""
HINGE_MJCF = SERVO_MJCF.replace("<actuator>{}</actuator>", "")
BALL_MJCF = '<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'


def scene_of(url: str) -> dict[str, object]:
    scene: dict[str, object] = json.loads(ask(url, urlsplit(url).path + "scene.json").body)
    return scene


def colors_of(picture: np.ndarray) -> set[tuple[int, int, int]]:  # type: ignore[type-arg]
    """Hues that cover much: of each of a thousand pixels, which of its colours is the strongest, and by how much."""
    pixels = picture.reshape(-1, 3)
    lively = pixels[np.ptp(pixels, axis=1) > 40]
    kinds, counts = np.unique(np.round(lively / lively.max(axis=1, keepdims=True) * 3).astype(int), axis=0, return_counts=True)
    return {tuple(kind) for kind, count in zip(kinds, counts, strict=True) if count > len(pixels) / 500}


def test_bodies_without_colours_differ(page: Page, tmp_path: Path) -> None:
    boxes = "".join(f"  - {{name: b{i}, density: 500, pose: {{position: [{0.3 * i}, 0, 0.1]}}, geometry: [{{box: {{size: [0.2, 0.2, 0.2]}}}}]}}\n" for i in range(4))
    model = ss.from_string("bodies:\n" + boxes)
    ss.simulate(model, until=0.0).save(tmp_path / "run.html")
    open_page(page, (tmp_path / "run.html").as_uri() + "#t=0")
    assert len(colors_of(picture(page, "palette"))) >= 4


def test_a_colour_that_nobody_gave_is_none(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(
        "bodies: [{name: a, mass: 1, geometry: [{sphere: {radius: 0.1}}, {sphere: {radius: 0.1}, color: [0.1, 0.2, 0.3]}]}]\nsimulation: {until: 1}\n"
    )
    with viewing(path) as url:
        bodies = scene_of(url)["bodies"]
    assert isinstance(bodies, list)
    assert [geometry["color"] for geometry in bodies[1]["geometry"]] == [None, [0.1, 0.2, 0.3, 1]]


def test_bodies_without_shapes_show_their_inertia(tmp_path: Path) -> None:
    """A box of 1 kg with sides 0.2, 0.3 and 0.6 m has these moments."""
    path = tmp_path / "scene.yaml"
    sides = np.array([0.2, 0.3, 0.6])
    ixx, iyy, izz = (np.sum(sides**2) - sides**2) / 12
    path.write_text(f"bodies: [{{name: a, mass: 1, center: [1, 2, 3], inertia: {{ixx: {ixx}, iyy: {iyy}, izz: {izz}}}}}]\nsimulation: {{until: 1}}\n")
    with viewing(path) as url:
        bodies = scene_of(url)["bodies"]
    assert isinstance(bodies, list)
    (box,) = bodies[1]["geometry"]
    assert box["shape"] == "box" and not box["collides"] and box["visible"]
    assert sorted(box["size"]) == pytest.approx(sides)
    assert box["pose"][:3] == pytest.approx([1, 2, 3])


def test_arrows_stay_in_the_picture(page: Page, tmp_path: Path) -> None:
    """The fingers press with forty times the weight of a usual body of this scene."""
    run = ss.simulate(ss.load(ROOT / "examples/gripper.yaml"), until=1.0, sample_rate=30)
    run.save(tmp_path / "run.html")
    open_page(page, (tmp_path / "run.html").as_uri() + "#t=1.0")
    pixels = picture(page, "arrows")
    teal = (pixels[:, :, 1] > 1.5 * pixels[:, :, 0]) & (pixels[:, :, 2] > 1.5 * pixels[:, :, 0])
    height, width = teal.shape
    assert teal.sum() > 50
    rows, columns = np.nonzero(teal)
    assert rows.min() > 0.03 * height and rows.max() < 0.97 * height
    assert columns.min() > 0.03 * width and columns.max() < 0.97 * width


def test_dark_pages_keep_their_values_at_rest(page: Page, tmp_path: Path) -> None:
    run = ss.simulate(ss.load(ROOT / "examples/bouncing_ball.yaml"), until=1, sample_rate=60)
    run.save(tmp_path / "run.html")
    page.set_viewport_size({"width": 1200, "height": 640})
    open_page(page, (tmp_path / "run.html").as_uri() + "#t=0.5")
    legend = page.locator("#plots-panel .u-legend .u-value")
    texts = "[...document.querySelectorAll('#plots-panel .u-legend .u-value')].map(value => value.textContent)"
    until(page, f"{texts}[0] === '0.5'")  # at first they are those of the start
    values = legend.all_text_contents()
    for _ in range(2):
        page.keyboard.press("n")
        until(page, f"JSON.stringify({texts}) === {json.dumps(json.dumps(values, separators=(',', ':'), ensure_ascii=False))}")


@pytest.mark.parametrize(
    "name, text, plays",
    [
        ("hinge.xml", HINGE_MJCF, False),
        ("motor.xml", SERVO_MJCF.format('<motor joint="j"/>'), False),
        ("servo.xml", SERVO_MJCF.format('<position joint="j" kp="10"/>'), True),
        ("ball.xml", BALL_MJCF, True),
        ("arm.urdf", (ROOT / "examples/arm.urdf").read_text(), False),
        ("arm.yaml", f"include: [{{file: {ROOT}/examples/arm.urdf}}]\nsimulation: {{until: 1}}\n", True),
    ],
)
def test_robots_that_would_collapse_open_paused(tmp_path: Path, name: str, text: str, plays: bool) -> None:
    path = tmp_path / name
    path.write_text(text)
    with viewing(path) as url, LivePage(url) as page:
        assert page.status_message()["playing"] is plays
    if not plays:
        with viewing(path, "--play") as url, LivePage(url) as page:
            assert page.status_message()["playing"]


def test_a_robot_at_rest_says_how_to_start_it(page: Page) -> None:
    with viewing(ROOT / "examples/arm.urdf") as url:
        open_page(page, url)
        page.get_by_text("Paused: Space").wait_for()
        page.keyboard.press("Space")
        until(page, "window.stickslip.state().time > 0.1")
        assert page.get_by_text("Paused: Space").is_hidden()
        page.goto("about:blank")
