#!/usr/bin/env python3
"""Robots of example-robot-data in our viewer and in MeshCat's, side by side: docs/images/robots/NAME.jpg.

Needs Chromium and `pip install meshcat pillow pin example-robot-data`. Usage: robot_pictures.py [NAME...]
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio
from PIL import Image, ImageDraw
from pinocchio.visualize import MeshcatVisualizer

import stickslip as ss
from stickslip.video import Browser

ROOT = Path(__file__).resolve().parent.parent
SIZE = (640, 480)
FIELD = np.tan(np.radians(42 / 2)) / np.tan(np.radians(75 / 2))  # its camera sees more, so it stands closer


@dataclass
class View:
    file: str  # below the package's robots/
    eye: tuple[float, float, float]
    target: tuple[float, float, float]


VIEWS = {
    "panda": View("panda_description/urdf/panda.urdf", (1.9, -1.9, 1.3), (0, 0, 0.55)),
    "ur5": View("ur_description/urdf/ur5_robot.urdf", (1.2, -1.2, 0.9), (0.3, 0, 0.1)),
    "talos": View("talos_data/robots/talos_full_v2.urdf", (2.2, -1.8, 1.0), (0, 0, 0)),
    "solo12": View("solo_description/robots/solo12.urdf", (0.75, -0.75, 0.45), (0, 0, -0.12)),
    "anymal": View("anymal_b_simple_description/robots/anymal.urdf", (1.3, -1.3, 0.7), (0, 0, -0.1)),
    "tiago": View("tiago_description/robots/tiago.urdf", (2.0, -1.6, 1.4), (0.1, 0, 0.6)),
    "hyq": View("hyq_description/robots/hyq_no_sensors.urdf", (1.7, -1.5, 0.8), (0, 0, -0.2)),
}


def robots_folder() -> Path:
    for folder in map(Path, sys.path):
        if (found := folder / "share/example-robot-data/robots").exists():
            return found
        if (found := folder / "cmeel.prefix/share/example-robot-data/robots").exists():
            return found
    raise SystemExit("example-robot-data is not installed")


def our_picture(path: Path, packages: Path, view: View) -> Image.Image:
    model = ss.load(path, package_path=[str(packages)])
    run = ss.simulate(model, until=0.0)
    with tempfile.TemporaryDirectory() as folder, Browser(*SIZE) as browser:
        page = Path(folder) / "robot.html"
        run.save(page)
        browser.open(page)
        browser.run("window.stickslip.hideChrome(true)")
        browser.run(f"window.stickslip.setCamera({{position: {list(view.eye)}, target: {list(view.target)}}})")
        browser.run("window.stickslip.seek(0).then(() => true)")
        return Image.open(io.BytesIO(browser.picture())).convert("RGB")


def meshcat_picture(path: Path, packages: Path, view: View) -> Image.Image:
    model, collision, visual = pinocchio.buildModelsFromUrdf(str(path), [str(packages), str(packages.parent), str(packages.parent.parent)])
    viewer = MeshcatVisualizer(model, collision, visual)
    viewer.initViewer(open=False)
    viewer.loadViewerModel()
    viewer.display(pinocchio.neutral(model))
    # Its camera looks at the origin, in a frame whose y is up: the robot goes there instead.
    place = np.eye(4)
    place[:3, 3] = np.negative(view.target)
    viewer.viewer[viewer.viewerRootNodeName].set_transform(place)
    x, y, z = FIELD * np.subtract(view.eye, view.target)
    viewer.viewer["/Cameras/default/rotated/<object>"].set_property("position", [float(x), float(z), float(-y)])
    with tempfile.TemporaryDirectory() as folder, Browser(*SIZE) as browser:
        page = Path(folder) / "meshcat.html"
        page.write_text(viewer.viewer.static_html())
        browser.send("Page.enable")
        browser.send("Page.navigate", url=page.as_uri())
        time.sleep(8)  # it does not say when it is ready
        return Image.open(io.BytesIO(browser.picture())).convert("RGB")


def main() -> None:
    folder = robots_folder()
    (ROOT / "docs/images/robots").mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or VIEWS:
        view = VIEWS[name]
        path = folder / view.file
        pair = Image.new("RGB", (2 * SIZE[0], SIZE[1]))
        pair.paste(our_picture(path, folder, view), (0, 0))
        pair.paste(meshcat_picture(path, folder, view), (SIZE[0], 0))
        draw = ImageDraw.Draw(pair)
        draw.text((12, SIZE[1] - 24), "stickslip", fill=(60, 60, 60))
        draw.text((SIZE[0] + 12, SIZE[1] - 24), "MeshCat", fill=(60, 60, 60))
        pair.save(ROOT / f"docs/images/robots/{name}.jpg", quality=85, optimize=True)
        print(name, flush=True)


if __name__ == "__main__":
    main()
