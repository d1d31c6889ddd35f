"""The viewer as a person sees it: its page in Chromium, on the real server, and as a file of its own.

Screenshots stay in build/viewer/.
"""

from __future__ import annotations

import io
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stickslip as ss
from command_line import ROOT
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from viewer_client import viewing

PICTURES = ROOT / "build/viewer"
CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
SCRIPT_NAME = "<img src=x onerror=document.title=`owned`><script>document.title='owned'</script>"

ARM = """
bodies:
  - {name: arm, mass: 1, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}, center: [0, 0, -0.5],
     geometry: [{box: {size: [0.1, 0.1, 1]}, pose: {position: [0, 0, -0.5]}, collides: false, color: [0.8, 0.2, 0.2]}]}
joints: [{name: hinge, type: revolute, parent: world, child: arm, axis: [0, 1, 0], pose: {position: [0, 0, 1.5]}, damping: 0.5}]
actuators: [{name: motor, type: motor, joint: hinge, control_limits: {lower: -20, upper: 20}}]
"""

BOX = """
bodies:
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
  - {name: box, mass: 1, pose: {position: [0, 0, 0.1]}, geometry: [{box: {size: [0.2, 0.2, 0.2]}, color: [0.2, 0.4, 0.8]}]}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.fail("these tests need Chromium: apt install chromium")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*options, "--disable-dev-shm-usage", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that must not complain."""
    context = browser.new_context(viewport={"width": 1000, "height": 640})
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    # The software renderer's own remarks on reading pixels back are not the page's.
    assert [text for text in complaints if "GPU stall" not in text and "GL Driver Message" not in text] == []


def until(page: Page, condition: str) -> None:
    """Waits for it from outside: the page's policy allows no scripts but its own."""
    deadline = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"never: {condition}; {page.evaluate('window.stickslip?.state()')}"
        page.wait_for_timeout(20)


def open_page(page: Page, url: str) -> None:
    page.goto(url)
    until(page, "window.stickslip !== undefined")
    page.evaluate("window.stickslip.ready")


@contextmanager
def live(page: Page, scene: Path, *options: str) -> Iterator[None]:
    """The page shows the scene, and looks elsewhere before its server goes."""
    with viewing(scene, *options) as url:
        open_page(page, url)
        yield
        page.goto("about:blank")


def picture(page: Page, name: str | None = None) -> np.ndarray[Any, Any]:
    data = page.locator("canvas").first.screenshot()
    if name:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png")
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=float)


def differs(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """The part of the pixels that changed."""
    return float(np.mean(np.abs(a - b).max(axis=2) > 24))


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("window.stickslip.state()")
    return found


def write(folder: Path, text: str) -> Path:
    path = folder / "scene.yaml"
    path.write_text(text)
    return path


def test_a_scene_loads_and_plays(page: Page) -> None:
    with live(page, ROOT / "cases/C5_hard_clutter/scene.yaml", "--paused"):
        until(page, "window.stickslip.state().frames > 0")
        before = picture(page, "clutter_start")
        assert state(page)["mode"] == "live" and not state(page)["playing"]
        page.keyboard.press("Space")
        until(page, "window.stickslip.state().time > 0.5")
        assert differs(before, picture(page, "clutter_falls")) > 0.005


def test_a_click_drags_a_body(page: Page, tmp_path: Path) -> None:
    with live(page, write(tmp_path, ARM)):
        until(page, "window.stickslip.state().time > 0.2")
        x, y = page.evaluate("window.stickslip.bodyScreenPosition('arm')")
        page.keyboard.down("Shift")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y, steps=4)
        page.mouse.move(x + 160, y, steps=8)
        until(page, "Math.abs(window.stickslip.value('q', 0)) > 0.1")
        picture(page, "drag")
        page.mouse.up()
        page.keyboard.up("Shift")


def test_a_slider_moves_an_actuator(page: Page, tmp_path: Path) -> None:
    with live(page, write(tmp_path, ARM)):
        until(page, "window.stickslip.state().time > 0.2")
        slider = page.get_by_role("slider", name="motor")
        slider.focus()
        for _ in range(30):
            page.keyboard.press("ArrowRight")
        until(page, "Math.abs(window.stickslip.value('q', 0)) > 0.05")
        assert page.evaluate("window.stickslip.value('ctrl', 0)") > 0


def test_contacts_have_arrows(page: Page, tmp_path: Path) -> None:
    run = ss.simulate(ss.load(write(tmp_path, BOX)), until=1, sample_rate=60)
    run.save(tmp_path / "run.html")
    open_page(page, (tmp_path / "run.html").as_uri())
    page.evaluate("window.stickslip.seek(0.9)")
    shown = picture(page, "contacts")
    page.keyboard.press("c")
    page.evaluate("window.stickslip.seek(0.9)")
    hidden = picture(page)
    assert differs(shown, hidden) > 0.001


def test_a_file_of_its_own_plays_and_scrubs(page: Page, tmp_path: Path) -> None:
    run = ss.simulate(ss.load(ROOT / "examples/bouncing_ball.yaml"), until=2, sample_rate=60)
    run.save(tmp_path / "run.html")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    open_page(page, (tmp_path / "run.html").as_uri())
    assert page.evaluate("window.stickslip.duration()") == pytest.approx(2)
    page.evaluate("window.stickslip.seek(0)")
    start = picture(page)
    page.evaluate("window.stickslip.seek(1.5)")
    assert state(page)["time"] == pytest.approx(1.5)
    assert differs(start, picture(page, "ball")) > 1e-4
    page.evaluate("window.stickslip.seek(0)")
    page.wait_for_timeout(100)
    if not state(page)["playing"]:
        page.keyboard.press("Space")
    until(page, "window.stickslip.state().time > 0.3")
    assert all(url.startswith(("file:", "blob:", "data:")) for url in requests)


def test_a_notebook_plays_it_in_a_cell(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ss.viewing, "_in_notebook", lambda: True)
    run = ss.simulate(ss.load(write(tmp_path, BOX)), until=0.5, sample_rate=60)
    player = run.play()
    assert isinstance(player, ss.viewing.Player)
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body>{player._repr_html_()}</body>")
    page.goto((tmp_path / "notebook.html").as_uri())
    cell = page.frames[1]
    deadline = time.monotonic() + 30
    while not cell.evaluate("window.stickslip !== undefined") and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    cell.evaluate("window.stickslip.ready")
    cell.evaluate("window.stickslip.seek(0.4)")
    assert cell.evaluate("window.stickslip.state().time") == pytest.approx(0.4)


def test_a_recording_over_the_server_scrubs(page: Page, tmp_path: Path) -> None:
    run = ss.simulate(ss.load(ROOT / "examples/bouncing_ball.yaml"), until=5)
    with run.play(browser=False) as viewer:
        open_page(page, viewer.url)
        page.evaluate("window.stickslip.seek(4.5)")
        assert state(page)["time"] == pytest.approx(4.5)
        sample = int(np.searchsorted(run.t, 4.5, side="right")) - 1
        assert page.evaluate("window.stickslip.value('q', 0)") == pytest.approx(run.q[sample, 0], rel=1e-6)


def test_the_timeline_is_a_slider(page: Page, tmp_path: Path) -> None:
    run = ss.simulate(ss.load(ROOT / "examples/bouncing_ball.yaml"), until=2, sample_rate=60)
    run.save(tmp_path / "run.html")
    open_page(page, (tmp_path / "run.html").as_uri())
    page.keyboard.press("Space")
    page.keyboard.press("End")
    until(page, "Math.abs(window.stickslip.state().time - 2) < 1e-6")
    page.keyboard.press("Home")
    until(page, "window.stickslip.state().time === 0")


def test_names_are_inert(page: Page, tmp_path: Path) -> None:
    scene = BOX.replace("name: box", f'name: "{SCRIPT_NAME}"')
    run = ss.simulate(ss.load(write(tmp_path, scene)), until=0.2, sample_rate=60)
    run.save(tmp_path / "run.html")
    for url in ((tmp_path / "run.html").as_uri(), None):
        with run.play(browser=False) as viewer:
            open_page(page, url or viewer.url)
            page.keyboard.press("l")  # labels
            page.get_by_text("onerror").first.click()
            page.wait_for_timeout(300)
            assert page.title() != "owned"
            assert page.locator("img[src=x]").count() == 0


def test_small_screens_and_the_dark(browser: Browser, tmp_path: Path) -> None:
    run = ss.simulate(ss.load(write(tmp_path, BOX)), until=0.5, sample_rate=60)
    run.save(tmp_path / "run.html")
    context = browser.new_context(viewport={"width": 400, "height": 800}, color_scheme="dark")
    page = context.new_page()
    open_page(page, (tmp_path / "run.html").as_uri())
    page.evaluate("window.stickslip.seek(0.3)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert picture(page, "small_dark").mean() < 128
    context.close()


def test_a_thousand_bodies_in_few_draw_calls(page: Page, tmp_path: Path) -> None:
    shapes = ({"sphere": {"radius": 0.1}}, {"box": {"size": [0.2, 0.2, 0.2]}}, {"capsule": {"radius": 0.05, "length": 0.1}}, {"cylinder": {"radius": 0.1, "length": 0.2}})
    scene = ss.Scene()
    scene.body("floor", fixed=True, geometry=[{"half_space": {}}])
    for i in range(1000):
        place = [0.25 * (i % 10), 0.25 * (i // 10 % 10), 0.1 + 0.25 * (i // 100)]
        scene.body(f"body{i}", mass=1, pose={"position": place}, geometry=[shapes[i % 4]])
    run = ss.simulate(scene.compile(), until=0.1, sample_rate=60, method="lagged", time_step=0.01)
    run.save(tmp_path / "run.html")
    open_page(page, (tmp_path / "run.html").as_uri() + "#t=0.1")  # at rest: without a graphics card a picture takes seconds
    picture(page, "thousand")
    stats = page.evaluate("window.stickslip.stats()")
    assert len(run.contacts_at(-1)) > 50
    assert stats["drawCalls"] <= 20


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_video(tmp_path: Path, suffix: str) -> None:
    run = ss.simulate(ss.load(ROOT / "examples/bouncing_ball.yaml"), until=0.4, sample_rate=60)
    run.video(tmp_path / f"run{suffix}", fps=10, size=(160, 120))
    data = (tmp_path / f"run{suffix}").read_bytes()
    assert data[:6] == b"GIF89a" if suffix == ".gif" else b"ftyp" in data[:16]


def test_video_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ss.simulate(ss.load(ROOT / "examples/bouncing_ball.yaml"), until=0.1)
    with pytest.raises(ValueError, match="name it .mp4 or .gif"):
        run.video(tmp_path / "run.avi")
    with pytest.raises(ValueError, match="even numbers"):
        run.video(tmp_path / "run.mp4", size=(161, 120))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="Chromium"):
        run.video(tmp_path / "run.mp4")
