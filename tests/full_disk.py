"""Disks that are full after so many bytes, for programs that need no disk of their own for it: neither root nor a mount."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

# Writes to plain files succeed until a budget is spent, over all files, and then fail as on a full disk.
_SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long spent;

static long room(int file, size_t size) {
  struct stat info;
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return (long)size;
  long left = atol(getenv("DISK_ROOM")) - atomic_fetch_add(&spent, (long)size);
  return left < 0 ? 0 : left < (long)size ? left : (long)size;
}

static ssize_t full(void) {
  errno = ENOSPC;
  return -1;
}

ssize_t write(int file, const void* bytes, size_t size) {
  ssize_t (*real)(int, const void*, size_t) = (ssize_t(*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write");
  long most = room(file, size);
  return size && !most ? full() : real(file, bytes, (size_t)most);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  ssize_t (*real)(int, const void*, size_t, off_t) = (ssize_t(*)(int, const void*, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  long most = room(file, size);
  return size && !most ? full() : real(file, bytes, (size_t)most, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off_t at) { return pwrite(file, bytes, size, at); }
"""


def shim(folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.fail("these tests need a C compiler: apt install gcc")
    source, library = folder / "full_disk.c", folder / "full_disk.so"
    source.write_text(_SHIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True, capture_output=True)
    return library


def settings(library: Path, room: int) -> dict[str, str]:
    """What the environment of a process needs that may write `room` bytes."""
    return {"LD_PRELOAD": str(library), "DISK_ROOM": str(room)}
