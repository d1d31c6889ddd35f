"""How a program ends while threads of it simulate: no crash, no abort, no waiting, nothing on stderr."""

from __future__ import annotations

import time
from pathlib import Path

from recording_scenes import MIXED, finish, python


def test_threads_that_ask_python_when_the_program_ends_do_no_harm(tmp_path: Path) -> None:
    script = """
import atexit, sys, threading, time
import numpy as np

def at_the_end():  # runs after the package's own: registered before
    ss.Simulator(model).advance_to(0.2)
    print("the end", flush=True)

atexit.register(at_the_end)
import stickslip as ss
model = ss.from_string(open(sys.argv[1]).read())

def simulate():
    while True:
        sim = ss.Simulator(model, time_step=1e-3)
        sim.add(ss.Sampled(1000, lambda t, q, v: np.zeros(len(v))))
        sim.advance_to(0.01)

for _ in range(4):
    threading.Thread(target=simulate, daemon=True).start()
time.sleep(0.2)
"""
    (tmp_path / "scene.yaml").write_text(MIXED)
    code, out, err = finish(python(script, tmp_path / "scene.yaml"))
    assert (code, out, err) == (0, "the end\n", "")


def test_a_controller_that_simulates_does_not_delay_the_end(tmp_path: Path) -> None:
    script = """
import sys, threading, time
import numpy as np
import stickslip as ss
model = ss.from_string(open(sys.argv[1]).read())

def control(t, q, v):
    ss.Simulator(model, time_step=1e-3).advance_to(0.05)
    return np.zeros(len(v))

def simulate():
    sim = ss.Simulator(model, time_step=1e-3)
    sim.add(ss.Sampled(1000, control))
    sim.advance_to(1e9)

threading.Thread(target=simulate, daemon=True).start()
time.sleep(0.3)
"""
    (tmp_path / "scene.yaml").write_text(MIXED)
    began = time.monotonic()
    assert finish(python(script, tmp_path / "scene.yaml")) == (0, "", "")
    assert time.monotonic() - began < 8  # who waits for what never comes waits for 10 s


def test_an_older_function_at_the_end_may_wait_for_a_thread_that_steps(tmp_path: Path) -> None:
    script = """
import atexit, sys, threading, time
stop = threading.Event()

def at_the_end():  # runs after the package's own: registered before
    stop.set()
    thread.join()
    print("joined", flush=True)

atexit.register(at_the_end)
import stickslip as ss
sim = ss.Simulator(ss.from_string(open(sys.argv[1]).read()), time_step=1e-3)

def simulate():
    while not stop.is_set():
        sim.step()

thread = threading.Thread(target=simulate, daemon=True)
thread.start()
time.sleep(0.3)
"""
    (tmp_path / "scene.yaml").write_text(MIXED)
    assert finish(python(script, tmp_path / "scene.yaml")) == (0, "joined\n", "")


def test_threads_that_step_for_ever_end_with_the_program(tmp_path: Path) -> None:
    script = """
import sys, threading, time
import stickslip as ss
model = ss.from_string(open(sys.argv[1]).read())

def simulate():
    sim = ss.Simulator(model, time_step=1e-3)
    while True:
        sim.step()

for _ in range(4):
    threading.Thread(target=simulate, daemon=True).start()
time.sleep(0.3)
"""
    (tmp_path / "scene.yaml").write_text(MIXED)
    for _ in range(5):
        assert finish(python(script, tmp_path / "scene.yaml")) == (0, "", "")


def test_a_child_does_not_wait_for_the_functions_of_its_parent(tmp_path: Path) -> None:
    script = """
import os, sys, threading, time
import numpy as np
import stickslip as ss
sim = ss.Simulator(ss.from_string(open(sys.argv[1]).read()), time_step=1e-3)

def control(t, q, v):
    time.sleep(0.2)
    return np.zeros(len(v))

sim.add(ss.Sampled(1000, control))
threading.Thread(target=lambda: sim.advance_to(1e9), daemon=True).start()
time.sleep(0.1)
child = os.fork()
if child == 0:
    sys.exit(0)
began = time.monotonic()
os.waitpid(child, 0)
print(time.monotonic() - began < 8, flush=True)
"""
    (tmp_path / "scene.yaml").write_text(MIXED)
    assert finish(python(script, tmp_path / "scene.yaml")) == (0, "True\n", "")
