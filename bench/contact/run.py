#!/usr/bin/env python3
"""Measures a step with contact beside MuJoCo and Drake on the same scenes.

    bench/contact/run.py [case ...] [--repetitions 5] [--json FILE] [--markdown] [--settled FOLDER] [--budget 8]

Engines alternate; times are CPU times of one thread, medians over the repetitions; a ratio is taken within each repetition. --markdown
writes the tables into docs/performance.md. --features measures our own solver instead, with each of its parts switched off. STICKSLIP_DRAKE_PYTHON names a Python that has Drake, if this one has not; without Drake its
columns stay empty. --settled keeps the settled piles between runs (they take minutes; old ones are wrong once contact forces change).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import engines
import features
import scenes
from drake_process import drake_python
from machine import machine

PAGE = engines.ROOT / "docs" / "performance.md"
ENGINES: dict[str, Callable[..., engines.Result]] = {
    "ours": engines.ours,
    "MuJoCo Newton": engines.mujoco,
    "MuJoCo CG": partial(engines.mujoco, solver="CG"),
    "Drake Lagged": engines.drake,
}
OURS, NEWTON, CG, DRAKE = ENGINES


@dataclass(frozen=True)
class Case:
    scene: str
    engines: tuple[str, ...]
    settled: int = 0  # steps from a settled state; 0: all of the scene from its start
    once: bool = False  # takes so long that it runs once, to its end

    @property
    def name(self) -> str:
        return self.scene + ("_settled" if self.settled else "")


CASES = [
    Case("I7", (OURS, NEWTON, DRAKE)),
    Case("C5", (OURS, NEWTON, DRAKE)),
    Case("pile_20", (OURS, NEWTON, DRAKE)),
    Case("pile_80", (OURS, NEWTON, DRAKE)),
    Case("pile_320", (OURS, NEWTON, CG), once=True),
    Case("pile_1000", (OURS, CG), once=True),  # MuJoCo's Newton takes several minutes
    Case("pile_80", (OURS, NEWTON, DRAKE), settled=50),
    Case("pile_320", (OURS, NEWTON, CG, DRAKE), settled=50),
    Case("pile_1000", (OURS, NEWTON, CG, DRAKE), settled=50),
    Case("pile_4000", (OURS, CG), settled=50),  # the others take many seconds a step
    Case("solo12", (OURS, NEWTON)),
    Case("panda", (OURS, NEWTON)),
    Case("romeo", (OURS, NEWTON)),
]

# What is asked for: case, engine to compare with, largest ratio.
TARGETS = [
    ("I7", NEWTON, 0.5),
    ("I7", DRAKE, 0.1),
    ("pile_80", NEWTON, 0.5),
    ("pile_320_settled", NEWTON, 0.1),
    ("pile_1000_settled", NEWTON, 0.03),
    ("pile_320_settled", CG, 1.0),
    ("pile_1000_settled", CG, 1.0),
    ("pile_320", NEWTON, 0.1),
    ("pile_320", CG, 1.0),
    ("pile_1000", CG, 1.0),
    ("solo12", NEWTON, 1.0),
    ("panda", NEWTON, 1.0),
    ("romeo", NEWTON, 1.0),
]
# Time a body: case, smaller case, largest ratio.
GROWTH = [("pile_1000_settled", "pile_80_settled", 3.0), ("pile_4000_settled", "pile_1000_settled", 2.0)]


# -------------------------------------------------------------------------------------------------------------- measure
def prepare(case: Case, folder: Path | None) -> tuple[scenes.Scene, int, engines.Start | None]:
    """Scene, number of steps, start. A settled scene tells in `settling` how many seconds a step took until then."""
    scene = scenes.make(case.scene)
    if not case.settled:
        return scene, round(scene["T"] / scenes.TIME_STEP), None
    file = folder / f"{case.scene}.npz" if folder else None
    if file and file.exists():
        saved = np.load(file)
        scene["settling"] = float(saved["settling"])
        return scene, case.settled, (saved["q"], saved["v"])
    start, scene["settling"] = engines.settle(scene, engines.SETTLE)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(file, q=start[0], v=start[1], settling=scene["settling"])
    return scene, case.settled, start


def measure(case: Case, repetitions: int, budget: float, folder: Path | None) -> dict[str, Any]:
    scene, steps, start = prepare(case, folder)
    warm_up = engines.WARM_UP if case.settled else 0
    if case.once:
        repetitions, budget = 1, 1e9
    runs: dict[str, list[engines.Result]] = {name: [] for name in case.engines}
    for repetition in range(repetitions):
        for name in case.engines:
            if name == DRAKE and drake_python() is None:
                continue
            previous = runs[name]
            if repetition >= 2 and previous[-1].seconds > 0.5 * budget:
                continue  # long runs are averages already
            previous.append(ENGINES[name](scene, steps, start, warm_up, budget))
    record: dict[str, Any] = dict(case=case.name, objects=len(scene["objects"]), settling_us=1e6 * scene.get("settling", 0), engines={})
    for name, results in runs.items():
        if not results:
            continue
        times = [1e6 * r.a_step for r in results]
        entry = asdict(results[0]) | dict(us_a_step=statistics.median(times), us_low=min(times), us_high=max(times), repetitions=len(times))
        ratios = [ours.a_step / other.a_step for ours, other in zip(runs[OURS], results, strict=False)]
        entry |= dict(ratio=statistics.median(ratios), ratio_low=min(ratios), ratio_high=max(ratios))
        record["engines"][name] = entry
    return record


# ---------------------------------------------------------------------------------------------------------------- tables
def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def digits(x: float) -> str:
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def times_table(records: list[dict[str, Any]]) -> str:
    rows = []
    for r in records:
        for name, e in r["engines"].items():
            iterations = "" if np.isnan(e["iterations"]) else f"{e['iterations']:.1f}"
            ratio = "" if name == OURS else f"{digits(e['ratio'])} ({digits(e['ratio_low'])} to {digits(e['ratio_high'])})"
            residual = "" if e["residual"] is None else f"{e['residual']:.0e}"
            rows.append([
                r["case"], name, f"{digits(e['us_a_step'])} ({digits(e['us_low'])} to {digits(e['us_high'])})", ratio, f"{e['repetitions']} x {e['steps']}",
                f"{e['contacts']:.0f}", f"{1e3 * e['penetration']:.2f}", iterations, residual,
            ])  # fmt: skip
    header = ["case", "engine", "µs a step (range)", "ours / this (range)", "runs x steps", "contacts", "deepest, mm", "iterations a step", "residual"]
    return table(header, rows)


def stages_table(records: list[dict[str, Any]]) -> str:
    stages = ("geometry", "dynamics", "assembly", "factorization", "line_search", "other")
    rows = []
    for r in records:
        extra = r["engines"].get(OURS, {}).get("extra", {})
        total = extra.get("us_total", 0)
        if total:
            shares = [f"{100 * extra['us_' + s] / total:.0f} %" for s in stages]
            rows.append([r["case"], *shares, f"{extra['line_search_iterations']:.0f}", f"{extra['gradient_iterations']:.0f}"])
    return table(["case", *(s.replace("_", " ") for s in stages), "line search evaluations a step", "gradient iterations a step"], rows)


def targets_table(records: list[dict[str, Any]]) -> str:
    by_name = {r["case"]: r for r in records}
    rows = []
    for case, other, limit in TARGETS:
        entry = by_name.get(case, {}).get("engines", {}).get(other)
        if entry:
            rows.append([f"{case}: time beside {other}", f"{limit:g}", digits(entry["ratio"]), "yes" if entry["ratio"] <= limit else "**no**"])
    for large, small, limit in GROWTH:
        if large in by_name and small in by_name:
            a, b = by_name[large], by_name[small]
            per_body = b["objects"] / a["objects"]
            settled = per_body * a["engines"][OURS]["us_a_step"] / b["engines"][OURS]["us_a_step"]
            settling = per_body * a["settling_us"] / b["settling_us"]
            for what, ratio in [("", settled), (", while both settle (2 s)", settling)]:
                rows.append([f"time a body, {large} beside {small}{what}", f"{limit:g}", f"{ratio:.2f}", "yes" if ratio <= limit else "**no**"])
    return table(["figure", "at most", "measured", "reached"], rows)


def growth_table(records: list[dict[str, Any]]) -> str:
    rows = []
    for r in records:
        if r["settling_us"]:
            settled, ours = r["engines"][OURS]["us_a_step"], r["engines"][OURS]
            rows.append([
                str(r["objects"]), digits(r["settling_us"]), digits(r["settling_us"] / r["objects"]), digits(settled),
                digits(settled / r["objects"]), f"{ours['iterations']:.1f}",
            ])  # fmt: skip
    header = ["spheres", "µs a step, while they settle", "a body", "µs a step, settled", "a body", "Newton iterations a step, settled"]
    return table(header, rows)


def machine_lines(about: dict[str, str]) -> str:
    return (
        f"Measured {about['date']} at {about['commit']} on {about['cpu']}, {about['cores']} cores, {about['system']}, load {about['load']} at the start; "
        f"MuJoCo {about['mujoco']}, Drake {about['drake'] or 'not measured'}."
    )


def page_parts(about: dict[str, str], records: list[dict[str, Any]]) -> dict[str, str]:
    return {
        "machine": machine_lines(about), "targets": targets_table(records), "times": times_table(records), "stages": stages_table(records),
        "growth": growth_table(records),
    }  # fmt: skip


def write_page(parts: dict[str, str]) -> None:
    text = PAGE.read_text()
    for name, part in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        head, _, rest = text.partition(begin)
        _, _, tail = rest.partition(end)
        if not tail:
            raise ValueError(f"{PAGE} has no part '{name}'")
        text = f"{head}{begin}\n{part}\n{end}{tail}"
    PAGE.write_text(text)


def in_order(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """New records instead of old ones of the same case, in the order of CASES."""
    by_name = {r["case"]: r for r in old + new}
    return [by_name[case.name] for case in CASES if case.name in by_name]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="*", help="such as I7, pile_80_settled; the results of others are kept. All without any")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--budget", type=float, default=8.0, help="seconds of CPU a run may take; longer ones take fewer steps")
    parser.add_argument("--json", type=Path, default=engines.ROOT / ".cache" / "contact_bench" / "results.json")
    parser.add_argument("--markdown", action="store_true", help="write the tables into docs/performance.md")
    parser.add_argument("--settled", type=Path, help="folder to keep settled piles in")
    parser.add_argument("--from-json", action="store_true", help="do not measure: tables of the last results")
    parser.add_argument("--features", action="store_true", help="our solver alone, with each of its parts switched off")
    parser.add_argument("--steps", type=int, default=10**6, help="at most, of --features")
    arguments = parser.parse_args()
    if arguments.features:
        part = features.table([asdict(row) for row in features.measure(arguments.repetitions, arguments.steps)])
        print(part)
        if arguments.markdown:
            write_page({"features": f"{machine_lines(machine())}\n\n{part}"})
        return 0
    if arguments.from_json:
        saved = json.loads(arguments.json.read_text())
        about, records = saved["machine"], saved["cases"]
    else:
        about, records = machine(), []
        kept = json.loads(arguments.json.read_text())["cases"] if arguments.cases and arguments.json.exists() else []
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        for case in CASES:
            if not arguments.cases or case.name in arguments.cases:
                record = measure(case, arguments.repetitions, arguments.budget, arguments.settled)
                print(times_table([record]), flush=True)
                records = in_order(kept + records, [record])
                arguments.json.write_text(json.dumps(dict(machine=about, cases=records), indent=1))
    print("\n".join([machine_lines(about), "", targets_table(records), "", growth_table(records), "", stages_table(records)]))
    if arguments.markdown:
        write_page(page_parts(about, records))
    return 0


if __name__ == "__main__":
    sys.exit(main())
