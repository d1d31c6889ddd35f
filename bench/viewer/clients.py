#!/usr/bin/env python3
"""What fifty clients cost a simulation that they look at: some read, some stall, some vanish without a word.

Runs the same simulation alone and watched in turn, and prints the medians of both and their ratio, by the clock and by the processor time
of the thread that simulates.

Usage: clients.py [--clients 50] [--repeats 7] [--until 60]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

import stickslip as ss

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

# In a process of its own: what it takes is not the simulation's.
CROWD = """
import random, socket, struct, sys, threading, time
sys.path.insert(0, sys.argv[1])
from viewer_client import LivePage
url, count = sys.argv[2], int(sys.argv[3])
pages = [LivePage(url) for _ in range(count)]
print("here", flush=True)
def read(page):
    try:
        while True: page.receive()
    except OSError: pass
for page in pages[: count // 5]:
    threading.Thread(target=read, args=(page,), daemon=True).start()
while True:  # the rest stalls, and one of them is always on its way out
    time.sleep(0.05)
    gone = random.randrange(count // 5, count)
    pages[gone].stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    pages[gone].stream.close()
    pages[gone] = LivePage(url)
"""


def simulate(model: ss.Model, until: float, clients: int | None) -> tuple[float, float]:
    sim = ss.Simulator(model)
    viewer = crowd = None
    if clients is not None:
        viewer = sim.view(browser=False)
        assert viewer
        crowd = subprocess.Popen(["nice", sys.executable, "-c", CROWD, ROOT / "tests", viewer.url, str(clients)], stdout=subprocess.PIPE)
        assert crowd.stdout
        crowd.stdout.readline()
    wall, own = time.perf_counter(), time.thread_time()
    sim.advance_to(until)
    taken = time.perf_counter() - wall, time.thread_time() - own
    if crowd and viewer:
        crowd.kill()
        crowd.wait()
        viewer.close()
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--until", type=float, default=60.0)
    arguments = parser.parse_args()
    model = ss.load(ROOT / "cases/C5_hard_clutter/scene.yaml")
    alone, watched = [], []
    for _ in range(arguments.repeats):
        alone.append(simulate(model, arguments.until, None))
        watched.append(simulate(model, arguments.until, arguments.clients))
    for name, k in (("wall", 0), ("thread", 1)):
        a, b = (statistics.median(times[k] for times in runs) for runs in (alone, watched))
        print(f"{name:7s} alone {a:.3f} s, with {arguments.clients} clients {b:.3f} s: {100 * (b / a - 1):+.1f} %")


if __name__ == "__main__":
    main()
