"""Runs commands one after another, and says of each how it ended, what it said, and the most memory it took.

A program of its own, and small: the peak that the system reports of a child is at least that of the process which started it.
Reads lines of JSON (a list of words each), writes lines of JSON.
"""

import json
import os
import resource
import sys
import time

MOST_CPU = 20  # seconds: then it hangs
MOST_ADDRESSES = 4 << 30  # bytes, so that a runaway does not take the machine with it


def run(words, folder):
    err_path = os.path.join(folder, "stderr")
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU, MOST_CPU))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        out = os.open(os.path.join(folder, "stdout"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        err = os.open(err_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(err, 2)
        try:
            os.execv(words[0], words)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(child, 0)
    with open(err_path, errors="replace") as file:
        said = file.read(4000)
    return {
        "exit": os.waitstatus_to_exitcode(status),
        "said": said,
        "megabytes": usage.ru_maxrss / 1024,
        "cpu": usage.ru_utime + usage.ru_stime,
        "seconds": time.monotonic() - began,
    }


for line in sys.stdin:
    print(json.dumps(run(json.loads(line), sys.argv[1])), flush=True)
