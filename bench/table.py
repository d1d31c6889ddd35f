"""Prints google-benchmark's JSON as a table: median CPU time of each engine, and ours as a ratio to the fastest oracle."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

OWN = "stickslip"
MICROSECONDS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}  # of a unit that a benchmark asks for


def main() -> None:
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in json.loads(Path(sys.argv[1]).read_text())["benchmarks"]:
        if run.get("run_type") == "iteration" and "error_occurred" not in run:
            stage, scene, engine = [*run["run_name"].split("/"), OWN][:3]
            times[f"{stage} {scene}"][engine].append(run["cpu_time"] * MICROSECONDS[run["time_unit"]])
    print(f"{'benchmark':<22} {'stickslip':>12} {'oracle':>12}  {'ratio':>6}   spread of ours   oracle")
    for name, engines in times.items():
        own = engines.pop(OWN, None)
        if not own:
            continue
        if not engines:  # nobody to compare with
            print(f"{name:<22} {median(own):>9.3f} us")
            continue
        oracle, theirs = min(engines.items(), key=lambda item: median(item[1]))
        spread = (max(own) - min(own)) / median(own)
        ratio = median(own) / median(theirs)
        print(f"{name:<22} {median(own):>9.3f} us {median(theirs):>9.3f} us  {ratio:>6.2f}   {spread:>12.0%}     {oracle}")


main()
