"""The viewer's server: what it tells its pages, and whom it refuses."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import signal
import socket
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
from viewer_client import BINARY, PING, Frame, LivePage, ask, connect, encode, read_answer, viewing

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


# ------------------------------------------------------------------------------------------------------ what it tells


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


# --------------------------------------------------------------------------------------------------- whom it refuses


def test_wrong_token(url: str) -> None:
    token = urlsplit(url).path.strip("/")
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    for address in ("/", "/scene.json", f"/{wrong}/", f"/{wrong}/scene.json", f"/{token[:-1]}/", f"/{token}", f"//{token}/", f"/x/{token}/"):
        assert ask(url, address).status == 403, address
    assert LivePage(url, f"/{wrong}/live").status == 403
    assert LivePage(url, "/live").status == 403


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org", "localhost.example.org:80", "10.0.0.1", ""])
def test_wrong_host(url: str, host: str) -> None:
    assert ask(url, Host=host).status == 403
    assert LivePage(url, Host=host, Origin=f"http://{host}").status == 403


@pytest.mark.parametrize("origin", ["http://example.org", "null", "https://127.0.0.1", "file://", ""])
def test_wrong_origin(url: str, origin: str) -> None:
    assert ask(url, Origin=origin).status == 403
    assert LivePage(url, Origin=origin).status == 403


def raw_status(url: str, *headers: str) -> int:
    with connect(url) as stream:
        stream.sendall("\r\n".join([f"GET {urlsplit(url).path} HTTP/1.1", "Connection: close", *headers, "", ""]).encode())
        return read_answer(stream).status


def test_what_is_said_twice_is_not_believed(url: str) -> None:
    ours = urlsplit(url).netloc
    host, origin = f"Host: {ours}", f"Origin: http://{ours}"
    assert raw_status(url, host) == raw_status(url, host, origin) == 200
    for headers in ((host, origin, origin), (host, origin, "Origin: http://example.org"), (host, origin, "origin:"), (host, host), (host, "Host: example.org"), ()):
        assert raw_status(url, *headers) >= 400, headers


def test_every_answer_says_which_script_may_run(url: str) -> None:
    """That of the page, by its hash, and in other answers none."""
    path = urlsplit(url).path
    page = ask(url)
    policies = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    script = re.findall(rb"<script>(.*?)</script>", page.body, re.DOTALL)[-1]
    assert policies["script-src"] == f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'"
    assert policies["default-src"] == policies["frame-ancestors"] == "'none'"
    for address in (path + "scene.json", path + "nothing", "/"):
        assert "script-src 'none'" in ask(url, address).headers["content-security-policy"]


def test_a_saved_page_says_which_script_may_run(tmp_path: Path) -> None:
    ss.simulate(ss.load(BALL), until=0.1).save(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_bytes()
    script = re.findall(rb"<script>(.*?)</script>", page, re.DOTALL)[-1]
    policy = page.index(b"http-equiv=\"Content-Security-Policy\"")
    assert policy < page.index(b"<script")
    assert base64.b64encode(hashlib.sha256(script).digest()) in page[policy : page.index(b">", policy)]


def test_a_tunnel_may_change_the_port(url: str) -> None:
    assert ask(url, Host="localhost:9999").status == 200
    with LivePage(url, Host="localhost:9999", Origin="http://localhost:9999") as page:
        assert page.status == 101


def test_listens_on_this_machine_alone(url: str) -> None:
    port = urlsplit(url).port
    for *_, address in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET, socket.SOCK_STREAM):
        if not str(address[0]).startswith("127."):
            with pytest.raises(OSError):
                socket.create_connection((str(address[0]), port or 0), timeout=2).close()


@pytest.mark.parametrize(
    "address",
    ["../../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/x", "/etc/passwd", "mesh/../scene.json", "mesh/0", "mesh/-1", "mesh/99999999999999999999",
     "mesh/0x0", "frames/0-1", "times", "series/0", "scene.json%00", "scene.json?x", "\\..\\x", "live"],
)  # fmt: skip
def test_only_what_the_model_has(url: str, address: str) -> None:
    answer = ask(url, urlsplit(url).path + address)
    assert answer.status == 404
    assert b"root:" not in answer.body


def test_only_get(url: str) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
        assert ask(url, method=method).status in (400, 405), method


def test_large_and_broken_requests_end_the_connection(url: str) -> None:
    host = urlsplit(url).netloc
    for request in (
        b"GET / HTTP/1.1\r\nX: " + b"a" * 20000 + b"\r\n\r\n",
        b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
        b"\x00\xff" * 5000,
        b"GET  HTTP/9.9\r\n\r\n",
        f"POST {urlsplit(url).path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000000\r\n\r\n".encode(),
    ):
        with connect(url) as stream:
            stream.sendall(request)
            try:
                assert read_answer(stream).status >= 400
            except ConnectionError:
                pass
    assert ask(url).status == 200


def broken_messages() -> dict[str, bytes]:
    return {
        "too long": encode(b'{"do": "play", "x": "' + b"a" * 5000 + b'"}'),
        "claims a gigabyte": encode(b"{}", length=1 << 30),
        "not masked": encode(b'{"do": "play"}', masked=False),
        "unknown kind": encode(b"{}", kind=5),
        "reserved bits": encode(b"{}", flags=0xF0),
        "not text": encode(b"\xff\xfe{}"),
        "binary": encode(b'{"do": "play"}', kind=BINARY),
        "not JSON": encode(b"play"),
        "a list": encode(b"[1, 2]"),
        "nested": encode(b"[" * 4000),
        "a ping that is too long": encode(b"a" * 200, kind=PING),
        "many fragments": encode(b"a" * 1000, flags=0) + b"".join(encode(b"a" * 1000, kind=0, flags=0) for _ in range(10)),
    }


@pytest.mark.parametrize("name", broken_messages())
def test_malformed_messages_end_the_connection(url: str, name: str) -> None:
    with LivePage(url) as page:
        assert page.status == 101
        page.stream.sendall(broken_messages()[name])
        assert page.is_closed()
    assert ask(url).status == 200


def test_messages_without_sense_are_ignored(url: str) -> None:
    with LivePage(url) as page:
        for message in ({}, {"do": "fly"}, {"do": "speed", "value": -1}, {"do": "control", "index": -3, "value": 1}, {"do": "drag", "body": "x"}):
            page.send(message)
        page.send({"do": "play"})
        for _ in range(3):
            page.frame()


def test_clients_that_stall_and_vanish(url: str) -> None:
    stalled = [LivePage(url) for _ in range(50)]  # none reads
    silent = [connect(url) for _ in range(50)]  # none asks
    for page in stalled[:25]:
        page.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # no goodbye
        page.stream.close()
    with LivePage(url) as page:
        assert [page.frame().time for _ in range(10)]
        assert page.status == 101
    for other in silent:
        other.close()
    for page in stalled[25:]:
        page.stream.close()
    assert ask(url).status == 200


def test_strangers_make_room(url: str) -> None:
    """Who sends a byte now and then without ever showing the token keeps nobody out."""
    crowd = [connect(url) for _ in range(300)]
    for stream in crowd[44:]:  # as many as there are places
        try:
            stream.sendall(b"G")
        except ConnectionError:
            pass
    began = time.monotonic()
    with LivePage(url) as page:
        assert page.status == 101 and page.frame()
        assert ask(url).status == 200
    assert time.monotonic() - began < 5  # they would hold their places for 20 s
    for stream in crowd:
        stream.close()


def test_who_knows_the_token_keeps_his_place() -> None:
    with viewing(BALL) as url:
        pages = [LivePage(url, ready=False) for _ in range(256)]
        with pytest.raises((ConnectionError, TimeoutError)):
            ask(url)
        assert pages[0].frame().time == 0
        for page in pages:
            page.stream.close()
        deadline = time.time() + 10
        while time.time() < deadline:
            try:
                if ask(url).status == 200:
                    return
            except ConnectionError:
                time.sleep(0.05)
        pytest.fail("the server did not come back")


def test_a_port_that_is_taken_is_said(url: str) -> None:
    with pytest.raises(RuntimeError, match="cannot listen on port"):
        ss.Simulator(ss.load(BALL)).view(port=urlsplit(url).port, browser=False)


def test_closing_says_goodbye(url: str) -> None:
    sim = ss.Simulator(ss.load(BALL))
    viewer = sim.view(browser=False)
    with LivePage(viewer.url) as page:
        page.frame()
        viewer.close()
        assert page.is_closed()
