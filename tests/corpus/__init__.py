"""Files with one defect each, and the code and line by which each must be refused. A family is a valid file and a table of edits.

A new format is a module with CASES, and a line here."""

from __future__ import annotations

from corpus import dae, gltf, mjcf, mjcf_limits, obj, ply, recording, scene_files, sdf, stl, urdf, urdf_tree, yaml_elements, yaml_limits, yaml_syntax
from corpus.case import Case

FORMATS: dict[str, list[Case]] = {
    "yaml": [*yaml_syntax.CASES, *yaml_elements.CASES, *yaml_limits.CASES],
    "mjcf": [*mjcf.CASES, *mjcf_limits.CASES],
    "urdf": [*urdf.CASES, *urdf_tree.CASES],
    "sdf": sdf.CASES,
    "obj": obj.CASES,
    "ply": ply.CASES,
    "stl": stl.CASES,
    "dae": dae.CASES,
    "gltf": gltf.CASES,
    "recording": recording.CASES,
    "files": scene_files.CASES,
}
ALL: list[Case] = [case for cases in FORMATS.values() for case in cases]
