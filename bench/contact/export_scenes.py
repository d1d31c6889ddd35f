"""Scenes as files that anybody can run: ours as YAML, MuJoCo's as MJCF."""

from __future__ import annotations

from pathlib import Path

import engines
import robot_scenes as robots
import scene_texts
import scenes
from catalog import Entry


def export(entries: list[Entry], folder: Path) -> list[Path]:
    """Two files a scene; a robot's YAML is its MJCF, converted. Raises ValueError or OSError if that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for name in dict.fromkeys(entry.scene for entry in entries):
        scene = scenes.make(name)
        mjcf, yaml = folder / f"{name}.xml", folder / f"{name}.yaml"
        mjcf.write_text(scene["mjcf"] if "mjcf" in scene else scene_texts.to_mjcf(scene, scenes.TIME_STEP))
        if "mjcf" in scene:
            robots.convert(scene["mjcf"], yaml)
        elif name in scenes.CASES:
            yaml.write_text((engines.ROOT / "cases" / scenes.CASES[name] / "scene.yaml").read_text())
        else:
            yaml.write_text(scene_texts.to_yaml(scene))
        out += [yaml, mjcf]
    return out
