"""The viewer's server: what it tells its pages."""

from __future__ import annotations

import json
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
import stickslip as ss
from command_line import ROOT
from viewer_client import Frame, LivePage, ask, viewing

BALL = ROOT / "examples/bouncing_ball.yaml"

ARM = """
gravity: [0, 0, 0]
bodies:
  - {name: arm, mass: 1, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}, geometry: [{box: {size: [0.1, 0.1, 1]}, collides: false}]}
  - {name: puck, mass: 2, geometry: [{sphere: {radius: 0.1}, collides: false}], pose: {position: [3, 0, 0]}}
joints: [{name: hinge, type: revolute, parent: world, child: arm, axis: [0, 1, 0], damping: 0.1}]
actuators: [{name: motor, type: motor, joint: hinge, control_limits: {lower: -1, upper: 1}}]
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with viewing(BALL) as address:
        yield address


@pytest.fixture
def arm(tmp_path: Path) -> Iterator[str]:
    scene = tmp_path / "arm.yaml"
    scene.write_text(ARM)
    with viewing(scene) as address:
        yield address


def test_page_and_scene(url: str) -> None:
    page = ask(url)
    assert page.status == 200 and b"<html" in page.body.lower()
    scene = json.loads(ask(url, urlsplit(url).path + "scene.json").body)
    assert [body["name"] for body in scene["bodies"]] == ["world", "ball", "floor"]
    assert scene["mode"] == "live"


def test_answers_forbid_framing_sniffing_and_keeping(url: str) -> None:
    headers = ask(url).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers


def test_frames_follow_the_simulation(url: str) -> None:
    with LivePage(url) as page:
        page.send({"do": "reset"})
        page.send({"do": "play"})
        times = [page.frame().time for _ in range(20)]
    assert max(times) - min(times) > 0.05


def test_nothing_moves_before_a_page_shows_its_first_picture(arm: str) -> None:
    with LivePage(arm, ready=False) as page:
        time.sleep(0.3)
        page.send({"do": "control", "index": 0, "value": 0.5})  # which is obeyed before
        frame = page.frame()
        while frame.ctrl != (0.5,):
            frame = page.frame()
        assert frame.time == 0
        page.send({"do": "ready"})
        while page.frame().time < 0.1:
            pass


def test_pause_step_reset_and_speed(arm: str) -> None:
    with LivePage(arm) as page:
        page.send({"do": "pause"})
        while page.status_message()["playing"]:
            pass
        page.send({"do": "reset"})
        page.send({"do": "step"})
        frame = page.frame()
        while frame.time != 0:
            frame = page.frame()
        while frame.time == 0:
            frame = page.frame()
        assert frame.step == pytest.approx(frame.time)
        page.send({"do": "speed", "value": 2})
        while page.status_message()["speed"] != 2:
            pass
        page.send({"do": "play"})
        while not page.status_message()["playing"]:
            pass


def test_a_control_moves_the_arm(arm: str) -> None:
    with LivePage(arm) as page:
        assert page.frame().ctrl == (0.0,)
        page.send({"do": "control", "index": 0, "value": 0.5})
        frame = page.frame()
        while abs(frame.q[0]) < 0.1:
            frame = page.frame()
        assert frame.ctrl == (0.5,)
        page.send({"do": "control", "index": 7, "value": 0.5})  # which there is not
        page.frame()


def test_controls_are_numbers_that_can_be_shown(arm: str) -> None:
    with LivePage(arm) as page:
        page.send({"do": "control", "index": 0, "value": 1e308})
        page.send({"do": "control", "index": 0, "value": -5})  # the motor's least is -1
        frame = page.frame()
        while frame.ctrl == (0.0,):
            frame = page.frame()
        assert frame.ctrl == (-1.0,)


def test_a_reset_forgets_the_controls_that_ended_a_simulation(tmp_path: Path) -> None:
    scene = tmp_path / "arm.yaml"
    scene.write_text(ARM.replace(", control_limits: {lower: -1, upper: 1}", ""))
    with viewing(scene) as url, LivePage(url) as page:
        page.send({"do": "control", "index": 0, "value": 1e38})
        while not page.status_message()["message"]:
            pass
        page.send({"do": "reset"})
        page.send({"do": "play"})
        frame = page.frame()
        while not 0.05 < frame.time < 1 or frame.ctrl != (0.0,):
            frame = page.frame()
        page.send({"do": "control", "index": 0, "value": 0.25})
        page.send({"do": "reset"})  # which keeps what did no harm
        while page.frame().ctrl != (0.25,):
            pass


def test_dragging_brings_a_body_there(arm: str) -> None:
    with LivePage(arm) as page:
        page.frame()
        page.send({"do": "drag", "body": 2, "point": [0, 0, 0], "target": [3, 1, 0]})
        frame = page.frame()
        while abs(frame.poses[2][1] - 1) > 0.01:
            frame = page.frame()
        page.send({"do": "drop"})
        page.send({"do": "drag", "body": 99, "point": [0, 0, 0], "target": [3, 1, 0]})
        page.send({"do": "drag", "body": 0, "point": [0, 0, 0], "target": [3, 1, 0]})
        page.frame()


def test_a_page_that_vanishes_lets_go(arm: str) -> None:
    with LivePage(arm) as page:
        page.frame()
        page.send({"do": "drag", "body": 2, "point": [0, 0, 0], "target": [3, 1000, 0]})
        while page.frame().v[2] < 1:
            pass
    with LivePage(arm) as page:
        first, last = page.frame(), page.frame()
        while last.time < first.time + 0.3:
            last = page.frame()
        assert last.v[2] == pytest.approx(page.frame().v[2])  # nothing pulls any more


def test_watching_a_script(tmp_path: Path) -> None:
    sim = ss.Simulator(ss.load(BALL))
    with sim.view(browser=False) as viewer:
        scene = json.loads(ask(viewer.url, urlsplit(viewer.url).path + "scene.json").body)
        assert scene["mode"] == "watch"
        with LivePage(viewer.url) as page:
            assert page.frame().time == 0
            while viewer.watchers == 0:
                time.sleep(0.01)
            sim.advance_to(0.2)
            frame = page.frame()
            assert 0 < frame.time <= 0.2
            assert len(frame.q) == 7
    assert viewer.url == ""
    sim.advance_to(0.3)  # nobody looks


def push_on_the_floor(until: float) -> float:
    """The impulse that the frames of a script add up to."""
    sim = ss.Simulator(ss.load(BALL))
    with sim.view(browser=False) as viewer, LivePage(viewer.url) as page:
        frames = [page.frame()]
        while viewer.watchers == 0:
            time.sleep(0.01)
        sim.advance_to(until)
        while frames[-1].time < until:
            frames.append(page.frame())
    return sum(contact[5] * (b.time - a.time) for a, b in pairwise(frames) for contact in b.contacts)


def test_a_hit_between_two_frames_is_in_the_force_of_the_second() -> None:
    every = ss.simulate(ss.load(BALL), until=0.4)  # it hits the floor at 0.3 s, for 5 ms
    impulse = sum(c["force"][2] * every.steps["h"][c["sample"] - 1] for c in every.contacts)
    # A page that is slow misses frames: of five tries one is not. Forces are in single precision.
    assert any(push_on_the_floor(0.4) == pytest.approx(impulse, rel=1e-4) for _ in range(5))


def test_a_page_that_comes_late_sees_where_the_script_stopped() -> None:
    sim = ss.Simulator(ss.load(BALL))
    with sim.view(browser=False) as viewer:
        time.sleep(0.05)
        sim.advance_to(0.5)
        with LivePage(viewer.url) as page:
            assert page.frame().time == 0.5


def test_a_viewer_that_nobody_keeps_stays() -> None:
    sim = ss.Simulator(ss.load(BALL))
    sim.view(browser=False)
    url = ss.viewing._open[-1].url
    assert ask(url).status == 200
    ss.viewing._open[-1].close()


def test_options_of_live_views_are_theirs() -> None:
    with pytest.raises(ValueError, match="live=True"):
        ss.Simulator(ss.load(BALL)).view(paused=True)


LIVE_SCRIPT = """
import sys, stickslip as ss
sim = ss.Simulator(ss.load(sys.argv[1]))
recorder = sim.record(sys.argv[2]) if len(sys.argv) > 2 else None
sim.view(live=True, browser=False)
if recorder: recorder.close()
print("ended", sim.time, len(sim.state.z), abs(sim.state.z).max() if len(sim.state.z) else 0.0)
"""


@contextmanager
def live_script(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen([sys.executable, "-c", LIVE_SCRIPT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        yield process, process.stderr.readline().split()[-1]
        process.kill()


def ended(process: subprocess.Popen[str]) -> list[float]:
    process.send_signal(signal.SIGINT)
    out, complaint = process.communicate(timeout=20)
    assert out.startswith("ended"), complaint
    return [float(word) for word in out.split()[1:]]


def test_one_interrupt_ends_a_live_view_that_nobody_opened() -> None:
    with live_script(BALL) as (process, _):
        time.sleep(0.3)
        assert ended(process)[0] == 0  # nothing moved


def test_the_hand_lets_go_at_the_end(tmp_path: Path) -> None:
    scene = tmp_path / "arm.yaml"
    scene.write_text(ARM)
    with live_script(scene) as (process, url), LivePage(url) as page:
        page.frame()
        page.send({"do": "drag", "body": 2, "point": [0, 0, 0], "target": [3, 1, 0]})
        while page.frame().v[2] < 0.1:
            pass
        assert ended(process)[2] == 0  # all of its states


def test_a_live_view_can_be_recorded_until_something_is_dragged(tmp_path: Path) -> None:
    with live_script(BALL, tmp_path / "run.h5") as (process, url), LivePage(url) as page:
        while page.frame().time < 0.3:
            pass
        assert ended(process)[0] > 0.3
    assert ss.load_recording(tmp_path / "run.h5").verify()


def test_watching_changes_nothing() -> None:
    plain, watched = ss.Simulator(ss.load(BALL)), ss.Simulator(ss.load(BALL))
    with watched.view(browser=False) as viewer, LivePage(viewer.url) as page:
        page.frame()
        plain.advance_to(2)
        watched.advance_to(2)
    assert np.array_equal(plain.q, watched.q) and np.array_equal(plain.v, watched.v)


def test_replay_gives_what_was_recorded(tmp_path: Path) -> None:
    run = ss.simulate(ss.load(BALL), until=1, sample_rate=100)
    with run.play(browser=False) as viewer:
        path = urlsplit(viewer.url).path
        times = np.frombuffer(ask(viewer.url, path + "times").body)
        assert np.array_equal(times, run.t)
        data = ask(viewer.url, path + "frames/40-42").body
        sizes, frames = [], []
        while data:
            (size,) = struct.unpack_from("<I", data)
            sizes.append(size)
            frames.append(Frame(data[4 : 4 + size]))
            data = data[4 + size :]
        assert np.allclose([frame.q for frame in frames], run.q[40:43], atol=1e-6)
        assert np.allclose(np.frombuffer(ask(viewer.url, path + "series/3").body, "f4"), run.energy.total, rtol=1e-6)
