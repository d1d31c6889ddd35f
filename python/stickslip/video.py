"""Trajectory.video: pictures by a browser without a window, joined by ffmpeg."""

from __future__ import annotations

import base64
import importlib
import json
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from . import viewing
from ._stickslip import Trajectory

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_ENDED = "the browser ended; is there enough memory, and may it run without a window?"
_PATIENCE = 120.0  # s, for an answer
_MAKERS = {
    ".mp4": ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart"],
    ".gif": ["-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse"],
}


def find_browser() -> str:
    for name in _BROWSERS:
        if path := shutil.which(name):
            return path
    raise RuntimeError("a video needs Chromium, and there is none; on Debian: apt install chromium")


def find_ffmpeg() -> str:
    if path := shutil.which("ffmpeg"):
        return path
    try:
        return str(importlib.import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        raise RuntimeError("a video needs ffmpeg, and there is none; apt install ffmpeg, or pip install imageio-ffmpeg") from None


class Browser:
    """Chromium without a window, told what to do over a pipe."""

    def __init__(self, width: int, height: int) -> None:
        self._profile = tempfile.TemporaryDirectory()
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        options = [
            "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self._profile.name}", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage",
            "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--mute-audio",
            f"--window-size={width},{height}", "about:blank",
        ]  # fmt: skip
        if os.geteuid() == 0:
            options.insert(0, "--no-sandbox")  # which root has no use for
        # The browser reads descriptor 3 and writes descriptor 4; sh copies only descriptors of one digit.
        self._process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3</dev/fd/{to_read} 4>/dev/fd/{to_write}', "sh", find_browser(), *options],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._count, self._rest = 0, b""
        self._session: str | None = None
        try:
            self._attach(width, height)
        except BaseException:
            self.close()
            raise

    def _attach(self, width: int, height: int) -> None:
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self._to, data) :]
        except BrokenPipeError:
            raise RuntimeError(_ENDED) from None
        while True:
            answer = self._receive()
            if answer.get("id") != self._count:
                continue  # an event
            if "error" in answer:
                raise RuntimeError(f"the browser refused {method}: {answer['error'].get('message')}")
            result: dict[str, Any] = answer["result"]
            return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._from], [], [], _PATIENCE)[0]:
                raise RuntimeError(f"the browser said nothing for {_PATIENCE:.0f} s")
            data = os.read(self._from, 1 << 16)
            if not data:
                raise RuntimeError(_ENDED)
            self._rest += data
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def run(self, script: str) -> Any:
        """The value of a script in the page, when what it promises is there."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(f"the page failed: {details.get('exception', {}).get('description', details.get('text'))}")
        return answer["result"].get("value")

    def open(self, path: Path) -> None:
        self.send("Page.enable")
        self.send("Page.navigate", url=path.as_uri())
        self.run(
            "new Promise((done, failed) => { const began = Date.now(); const look = () => { "
            "if (window.stickslip) window.stickslip.ready.then(() => done(true), failed); "
            "else if (Date.now() - began > 30000) failed(new Error('the page did not start')); "
            "else setTimeout(look, 20); }; look(); })"
        )

    def picture(self) -> bytes:
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._to)  # the browser ends by itself
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._from)
        try:
            self._profile.cleanup()
        except OSError:
            pass  # a process of the browser still writes there


def _pictures(
    run: Trajectory, fps: float, size: tuple[int, int], speed: float, camera: Sequence[Sequence[float]] | None
) -> Iterator[bytes]:
    with tempfile.TemporaryDirectory() as folder, Browser(*size) as browser:
        page = Path(folder) / "run.html"
        page.write_text(viewing.page_of(run, max(60.0, fps / speed)), encoding="utf-8")
        browser.open(page)
        browser.run("window.stickslip.hideChrome(true)")
        if camera is not None:
            position, target = ([float(x) for x in point] for point in camera)
            browser.run(f"window.stickslip.setCamera({json.dumps({'position': position, 'target': target})})")
        start, duration = float(run.t[0]), float(run.t[-1] - run.t[0])
        for k in range(int(duration / speed * fps) + 1):
            browser.run(f"window.stickslip.seek({start + k * speed / fps!r}).then(() => true)")
            yield browser.picture()


def video(
    run: Trajectory,
    path: str | os.PathLike[str],
    *,
    fps: float = 30.0,
    size: tuple[int, int] = (1280, 720),
    speed: float = 1.0,
    camera: Sequence[Sequence[float]] | None = None,
) -> None:
    """Writes the run as .mp4 or .gif; `camera` is where it stands and what it looks at. Needs Chromium and ffmpeg."""
    suffix = Path(path).suffix.lower()
    if suffix not in _MAKERS:
        raise ValueError(f"cannot make {os.fspath(path)!r}: name it .mp4 or .gif")
    if not (fps > 0 and speed > 0 and min(size) >= 16 and all(n % 2 == 0 for n in size)):
        raise ValueError("fps and speed must be positive, and the two sides of size even numbers of pixels")
    command = [find_ffmpeg(), "-loglevel", "error", "-y", "-f", "image2pipe", "-framerate", str(fps), "-c:v", "png", "-i", "-"]
    find_browser()
    with tempfile.TemporaryFile() as complaints:
        maker = subprocess.Popen([*command, *_MAKERS[suffix], os.fspath(path)], stdin=subprocess.PIPE, stderr=complaints)
        assert maker.stdin
        try:
            for picture in _pictures(run, fps, size, speed, camera):
                maker.stdin.write(picture)
            maker.stdin.close()
        except BrokenPipeError:
            pass  # ffmpeg ended, and says why
        except BaseException:
            maker.kill()
            maker.wait()
            raise
        failed = maker.wait() != 0
        complaints.seek(0)
        if failed:
            raise RuntimeError(f"ffmpeg could not write {os.fspath(path)!r}: {complaints.read().decode(errors='replace').strip()}")
