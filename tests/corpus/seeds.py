"""What the fuzzers begin with: the corpus, the files that its defects are made in, and for those that take numbers a few random ones.

Usage: python -m corpus.seeds FOLDER, in tests/: writes FOLDER/NAME/ for each fuzzer fuzz_NAME, and FOLDER/NAME.dict with words of the format, which
mutations alone would hardly find. A new format is a line in SUFFIXES and one in WHOLE.
"""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path

from corpus import ALL, dae, gltf, mjcf, obj, ply, sdf, stl, urdf, yaml_elements

SUFFIXES = {".yaml": "yaml", ".xml": "mjcf", ".urdf": "urdf", ".sdf": "sdf", ".obj": "obj", ".ply": "ply", ".stl": "stl", ".dae": "dae", ".gltf": "gltf", ".glb": "gltf"}
WHOLE = {
    "whole.yaml": yaml_elements.BASE.encode(),
    "whole.xml": mjcf.BASE.encode(),
    "whole.urdf": urdf.BASE.encode(),
    "whole.sdf": sdf.BASE.encode(),
    "whole.obj": obj.BASE.encode(),
    "whole.ply": ply.BASE.encode(),
    "text.stl": stl.BASE.encode(),
    "binary.stl": stl.binary(4),
    "whole.dae": dae.BASE.encode(),
    "whole.gltf": json.dumps(gltf.BASE).encode(),
    "whole.glb": gltf.glb(),
}
OF_NUMBERS = {"collision": 400, "recording": 60, "simulation": 600}  # bytes
LARGEST = 8192  # bytes: what is large only to be large teaches a fuzzer nothing


def main(folder: Path) -> None:
    files = [*WHOLE.items(), *((case.name, case.content) for case in ALL), *(pair for case in ALL for pair in case.others.items())]
    for i, (name, content) in enumerate(files):
        target = SUFFIXES.get(Path(name).suffix)
        is_slow = "explode" in name  # on purpose: a minute under the sanitizers
        if target and content and len(content) <= LARGEST and not is_slow:
            (folder / target).mkdir(parents=True, exist_ok=True)
            (folder / target / f"{i}-{Path(name).name}").write_bytes(content)
    for target in set(SUFFIXES.values()):
        text = " ".join(content.decode("latin-1") for name, content in WHOLE.items() if SUFFIXES[Path(name).suffix] == target)
        words = sorted(set(re.findall(r"[A-Za-z_:]{3,}", text)))
        (folder / f"{target}.dict").write_text("".join(f'"{word}"\n' for word in words))
    source = random.Random(1)
    for target, size in OF_NUMBERS.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for i in range(40):
            (folder / target / str(i)).write_bytes(source.randbytes(size))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
