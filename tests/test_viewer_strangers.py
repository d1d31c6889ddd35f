"""The viewer's server: whom it refuses, and what it does not believe."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import stickslip as ss
from command_line import ROOT
from viewer_client import BINARY, PING, LivePage, ask, connect, encode, read_answer, viewing

BALL = ROOT / "examples/bouncing_ball.yaml"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with viewing(BALL) as address:
        yield address


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
