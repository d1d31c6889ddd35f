"""A client of the viewer's server that need not keep to any rule: bytes over a socket."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from command_line import PROGRAM

TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9


@contextmanager
def viewing(*arguments: str | Path) -> Iterator[str]:
    """The address of a command that serves until the block ends."""
    with subprocess.Popen([PROGRAM, "view", "--no-browser", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            url = process.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:"), process.stderr and process.stderr.read()
            yield url
        finally:
            process.terminate()
            process.wait(10)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def connect(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=10)


def read_until(stream: socket.socket, mark: bytes, data: bytes = b"") -> tuple[bytes, bytes]:
    while mark not in data:
        more = stream.recv(65536)
        if not more:
            raise ConnectionError("the server hung up")
        data += more
    head, _, rest = data.partition(mark)
    return head, rest


def read_answer(stream: socket.socket) -> Answer:
    head, body = read_until(stream, b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    while len(body) < int(headers.get("content-length", "0")):
        more = stream.recv(65536)
        if not more:
            break
        body += more
    return Answer(int(lines[0].split()[1]), headers, body)


def ask(url: str, address: str | None = None, *, method: str = "GET", **headers: str) -> Answer:
    """`address` stands for the whole path; headers with underscores for dashes."""
    parts = urlsplit(url)
    lines = {"Host": parts.netloc, "Connection": "close", **{name.replace("_", "-"): value for name, value in headers.items()}}
    text = f"{method} {parts.path if address is None else address} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in lines.items()) + "\r\n"
    with connect(url) as stream:
        stream.sendall(text.encode())
        return read_answer(stream)


def encode(payload: bytes, kind: int = TEXT, *, masked: bool = True, flags: int = 0x80, length: int | None = None) -> bytes:
    """A WebSocket frame; `length` is what it claims."""
    n = len(payload) if length is None else length
    mask_bit = 0x80 if masked else 0
    size = bytes([mask_bit | n]) if n < 126 else bytes([mask_bit | 126]) + struct.pack(">H", n) if n < 65536 else bytes([mask_bit | 127]) + struct.pack(">Q", n)
    if not masked:
        return bytes([flags | kind]) + size + payload
    mask = os.urandom(4)
    return bytes([flags | kind]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


class LivePage:
    """What a page is to the server; one that shows its first picture, unless it is said otherwise."""

    def __init__(self, url: str, address: str | None = None, *, ready: bool = True, **headers: str) -> None:
        parts = urlsplit(url)
        self.stream = connect(url)
        lines = {
            "Host": parts.netloc,
            "Origin": f"http://{parts.netloc}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
            **headers,
        }
        target = parts.path + "live" if address is None else address
        self.stream.sendall((f"GET {target} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in lines.items()) + "\r\n").encode())
        head, self._rest = read_until(self.stream, b"\r\n\r\n")
        self.status = int(head.split()[1])
        if ready and self.status == 101:
            self.send({"do": "ready"})

    def __enter__(self) -> LivePage:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def _take(self, count: int) -> bytes:
        while len(self._rest) < count:
            more = self.stream.recv(65536)
            if not more:
                raise ConnectionError("the server hung up")
            self._rest += more
        data, self._rest = self._rest[:count], self._rest[count:]
        return data

    def receive(self) -> tuple[int, bytes]:
        first, second = self._take(2)
        size = second & 127
        if size == 126:
            (size,) = struct.unpack(">H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._take(8))
        return first & 15, self._take(size)

    def send(self, message: object) -> None:
        self.stream.sendall(encode(json.dumps(message).encode()))

    def status_message(self) -> dict[str, object]:
        while True:
            kind, payload = self.receive()
            if kind == TEXT:
                status: dict[str, object] = json.loads(payload)
                return status

    def frame(self) -> Frame:
        while True:
            kind, payload = self.receive()
            if kind == BINARY:
                return Frame(payload)

    def is_closed(self) -> bool:
        """Whether the server ends the connection, whatever it sends before."""
        try:
            while True:
                if self.receive()[0] == CLOSE:
                    return True
        except (ConnectionError, TimeoutError) as error:
            return isinstance(error, ConnectionError)


class Frame:
    """As docs/formats/viewer.md describes it."""

    def __init__(self, data: bytes) -> None:
        magic, bodies, contacts, nq, nv, nu = struct.unpack_from("<6I", data)
        assert magic == 0x31465353
        self.time, self.step, self.kinetic, self.gravity, self.elastic, self.force = struct.unpack_from("<6d", data, 24)
        numbers = struct.unpack_from(f"<{(len(data) - 72) // 4}f", data, 72)
        assert len(numbers) == 7 * bodies + 9 * contacts + nq + nv + nu
        self.poses = [numbers[7 * i : 7 * i + 7] for i in range(bodies)]
        numbers = numbers[7 * bodies :]
        self.contacts = [numbers[9 * i : 9 * i + 9] for i in range(contacts)]
        numbers = numbers[9 * contacts :]
        self.q, self.v, self.ctrl = numbers[:nq], numbers[nq : nq + nv], numbers[nq + nv :]
