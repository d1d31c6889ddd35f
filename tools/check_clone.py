#!/usr/bin/env python3
"""Does what a visitor does first: clones this checkout, installs it both ways, and follows the README's first screen to the letter.

Usage: check_clone.py FOLDER     makes FOLDER anew, of the last commit. Ends at the first thing that does not work.

Nothing of this checkout is in the environment but the caches of the compiler and of the installers.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = re.compile(r"HOME|LANG|TERM|TMPDIR|STICKSLIP_JOBS|CCACHE_DIR|PIP_.*|npm_config_.*|https?_proxy|no_proxy|SSL_CERT_.*", re.IGNORECASE)
# As in build/, and as deep in the tree, so that the compiler's cache has the objects already.
LIKE_BUILD = {"CXX": "c++", "SKBUILD_BUILD_DIR": "build-wheel", "SKBUILD_CMAKE_DEFINE": "STICKSLIP_WERROR=ON"}


class Visitor:
    """A shell in a clone, with one Python environment or none."""

    def __init__(self, clone: Path, own: Path | None = None, **more: str) -> None:
        self.clone = clone
        self.environment = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)} | more
        paths = [folder for folder in os.environ["PATH"].split(os.pathsep) if not Path(folder).is_relative_to(ROOT)]
        self.environment["PATH"] = os.pathsep.join([str(own / "bin"), *paths] if own else paths)

    def does(self, command: str) -> None:
        print("$", command if len(command) < 200 else f"{command.splitlines()[0]} ...", flush=True)
        result = subprocess.run(["bash", "-c", command], cwd=self.clone, env=self.environment, capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"failed with {result.returncode}:\n{result.stdout}{result.stderr}")

    def writes(self, command: str, *files: str) -> None:
        for file in files:
            (self.clone / file).unlink(missing_ok=True)
        self.does(command)
        for file in files:
            path = self.clone / file
            if not path.is_file() or path.stat().st_size < 10_000:
                sys.exit(f"it made no {file}")


def readme_code(clone: Path, pattern: str) -> str:
    match = re.search(pattern, (clone / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    if not match:
        sys.exit(f"the README has nothing like {pattern}")
    return match.group(1)


def follow_readme(python: str, visitor: Visitor) -> None:
    """The README's Python, which plots and writes a page that plays."""
    code = readme_code(visitor.clone, r"^```python\n(.*?)^```$")
    visitor.writes(f"{python} - <<'END'\n{code}END", "ball.png", "ball.html")


def install_package(clone: Path) -> None:
    """The package in an environment of one's own: library, command and viewer."""
    own = clone.with_name(f"{clone.name}-venv")
    venv.create(own, clear=True, with_pip=True)
    visitor = Visitor(clone, own, MPLBACKEND="Agg", **LIKE_BUILD)
    visitor.does(readme_code(clone, r"`(pip install [^`]*)`"))
    follow_readme("python", visitor)
    visitor.writes("stickslip run examples/bouncing_ball.yaml --record ball.h5", "ball.h5")
    visitor.writes("stickslip view ball.h5 --html replay.html", "replay.html")
    visitor.does("stickslip convert ball.h5 ball.csv")
    visitor.does(f"cd / && python {ROOT}/tests/consumer/sample.py")


def use_checkout(clone: Path) -> None:
    """The checkout's own commands, and its own environment."""
    visitor = Visitor(clone, MPLBACKEND="Agg")
    visitor.does(readme_code(clone, r"^```sh\n([^#\n]*)"))
    follow_readme(readme_code(clone, r"Run it with `([^`]*)`"), visitor)
    shown = Path(readme_code(clone, r"To see it move: `\./stickslip view ([^`]*)`"))
    look = f"{ROOT}/tests/test_viewer_camera.py -k 'in_a_simulation and {shown.stem}'"
    visitor.does(f"STICKSLIP_COMMAND={clone}/stickslip {ROOT}/.venv/bin/python -m pytest -q {look}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    clone = parser.parse_args().folder.resolve()
    if clone.exists() and not (clone / ".git").is_dir() or ROOT.is_relative_to(clone):
        sys.exit(f"{clone} is no clone that may be made anew; name a new folder")
    shutil.rmtree(clone, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    install_package(clone)
    use_checkout(clone)


if __name__ == "__main__":
    main()
