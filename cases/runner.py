"""Runs cases in processes of their own, tells how far it is, and remembers what is done, so that an interrupted run goes on."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from cases.catalog import CASES, Case, Record, waiting_records

WORDS = {True: "yes", False: "NO", None: "pending"}
BAR = 24  # characters
REPLAY_RATE = 30.0  # 1/s, frames of a replay


def run_case(case: Case, gallery: Path) -> list[Record]:
    """A check that raises is a claim that does not hold."""
    began = time.perf_counter()
    records: list[Record] = []
    try:
        results = importlib.import_module(f"cases.{case.folder}.check").check(gallery / f"{case.id}.png")
        records += [{"id": case.id, **asdict(result)} for result in results]
        write_replay(case, gallery / f"{case.id}_replay.html")
    except Exception as error:
        traceback.print_exc()
        reason = f"{type(error).__name__}: {error}"
        records.append({"id": case.id, "claim": "the case runs", "measured": "it raised", "expected": "", "holds": False, "reason": reason})
    seconds = round(time.perf_counter() - began, 2)
    return [record | {"seconds": seconds} for record in records]


def write_replay(case: Case, page: Path) -> None:
    """A page that plays the case's scene as its file says; of a case whose check.py has `replay()`, what that returns. Other cases
    measure the scenes of others."""
    import stickslip as ss
    from stickslip.viewing import PAGE

    if not Path(PAGE).exists():
        return  # the viewer's page is built by npm; where that was not done there are no replays
    check = importlib.import_module(f"cases.{case.folder}.check")
    scene = case.path / "scene.yaml"
    if hasattr(check, "replay"):
        run = check.replay()
    elif scene.exists():
        run = ss.simulate(ss.load(str(scene)), sample_rate=REPLAY_RATE)
    else:
        return
    run.save(page)


def stamp() -> str:
    """Of all that results depend on: the library and the cases."""
    import stickslip

    digest = hashlib.sha256()
    library = sorted(Path(stickslip.__file__).parent.rglob("*"))
    for file in [*library, *sorted(CASES.glob("*.py")), *sorted(CASES.glob("*/*.py")), *sorted(CASES.glob("*/scene.yaml"))]:
        if file.is_file() and file.suffix in (".py", ".so", ".yaml"):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


class Unfinished:
    """What an interrupted run has done: a file in the gallery, gone once all is done."""

    def __init__(self, gallery: Path, chosen: list[Case]) -> None:
        self._file = gallery / "unfinished.json"
        self._stamp = stamp()
        self.done: dict[str, list[Record]] = {}
        with contextlib.suppress(OSError, ValueError):
            kept = json.loads(self._file.read_text()).get(self._stamp, {})
            self.done = {case.id: kept[case.id] for case in chosen if case.id in kept}

    def add(self, id: str, records: list[Record]) -> None:
        self.done[id] = records
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps({self._stamp: self.done}))

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)


def run_cases(chosen: list[Case], jobs: int, gallery: Path) -> list[Record]:
    """All records, in order. Interrupted, it raises KeyboardInterrupt and leaves behind what is done."""
    gallery.mkdir(parents=True, exist_ok=True)
    to_run = [case for case in chosen if not case.waits]
    unfinished = Unfinished(gallery, to_run)
    if unfinished.done:
        print(f"going on where it was interrupted; done before: {', '.join(unfinished.done)}", file=sys.stderr)
    for id, records in finish([case for case in to_run if case.id not in unfinished.done], jobs, gallery):
        unfinished.add(id, records)
    unfinished.forget()
    return [record for case in chosen for record in (waiting_records(case) if case.waits else unfinished.done[case.id])]


def finish(todo: list[Case], jobs: int, gallery: Path) -> Iterator[tuple[str, list[Record]]]:
    """ID and records of each as it ends."""
    bar = ProgressBar(len(todo))
    # Spawned, not forked: a fresh process has no threads of others and gives the same result whatever ran before.
    pool = ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn"))
    try:
        # No more are handed over than run, so that what is shown as running does run, and an interrupt ends at once.
        waiting, running = list(todo), dict[Future[list[Record]], str]()
        while waiting or running:
            while waiting and len(running) < jobs:
                case = waiting.pop(0)
                running[pool.submit(run_case, case, gallery)] = case.id
            ended, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in ended:
                id = running.pop(future)
                bar.say(id, future.result())
                yield id, future.result()
            bar.show(list(running.values()))
    finally:
        bar.clear()
        pool.shutdown(wait=True, cancel_futures=True)


class ProgressBar:
    """A line for every case that ended; on a terminal below them a bar, with what runs and for how long."""

    def __init__(self, cases: int) -> None:
        self._began = time.monotonic()
        self._cases, self._done = cases, 0
        self._on = sys.stderr.isatty()

    def say(self, id: str, records: list[Record]) -> None:
        self._done += 1
        verdicts = [WORDS[r["holds"]] for r in records]
        counts = ", ".join(f"{verdicts.count(word)} {word}" for word in WORDS.values() if word in verdicts)
        self.clear()
        print(f"{id}: {counts} ({records[0]['seconds']:.1f} s)", file=sys.stderr, flush=True)

    def show(self, running: list[str]) -> None:
        if not self._on:
            return
        filled = BAR * self._done // max(1, self._cases)
        minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
        names = f", now {', '.join(running)}" if running else ""
        print(f"\r\x1b[K[{'#' * filled}{'.' * (BAR - filled)}] {self._done} of {self._cases} cases, {minutes}:{seconds:02}{names}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._on:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
