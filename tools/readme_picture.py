#!/usr/bin/env python3
"""The README's picture: clutter that falls into a bin, with contact forces, as the viewer shows it. Needs Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

import stickslip as ss
from stickslip.video import Browser

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    run = ss.simulate(ss.load(ROOT / "cases/C5_hard_clutter/scene.yaml"), until=3.0, sample_rate=60)
    with tempfile.TemporaryDirectory() as folder, Browser(1280, 720) as browser:
        page = Path(folder) / "run.html"
        run.save(page)
        browser.open(page)
        browser.run("window.stickslip.setCamera({position: [1.15, -1.45, 1.0], target: [0, 0, 0.2]})")
        browser.run("window.stickslip.seek(0.62).then(() => true)")
        (ROOT / "docs/images/viewer.png").write_bytes(browser.picture())


if __name__ == "__main__":
    main()
