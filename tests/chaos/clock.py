"""A clock of the system that jumps, for the programs that are started under it: the time of day alone, as
when someone sets it. What measures how long something takes goes on as before."""

import mmap
import os
import shutil
import struct
import subprocess
from pathlib import Path

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *ahead;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CHAOS_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  real = dlsym(RTLD_NEXT, "clock_gettime");
  if (file < 0) return;
  void *found = mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (found != MAP_FAILED) ahead = found;
}

int clock_gettime(clockid_t which, struct timespec *at) {
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(which, at);
  if (!failed && ahead && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
    at->tv_sec += *ahead;
  return failed;
}

int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return failed;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
"""


class Clock:
    """One clock, shared by every program whose environment holds `environment`."""

    def __init__(self, path: Path, library: Path) -> None:
        path.write_bytes(bytes(8))
        path.chmod(0o644)
        with path.open("r+b") as file:
            self._ahead = mmap.mmap(file.fileno(), 8)
        self.environment = {"LD_PRELOAD": str(library), "CHAOS_CLOCK": str(path)}

    def set_ahead(self, seconds: int) -> None:
        """How far the clock is before the true one; negative: behind it."""
        self._ahead[:] = struct.pack("q", seconds)


def make_library(folder: Path) -> Path | None:
    """The library that lets clocks jump; None where no C compiler makes one."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source, library = folder / "clock.c", folder / "clock.so"
    source.write_text(_SOURCE)
    made = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=False
    )
    if made.returncode:
        return None
    library.chmod(0o755)
    return library


def under_clock(binaries: Path, folder: Path, clock: Clock) -> Path:
    """A folder of programs like `binaries`, whose server tells the time by the clock."""
    programs = folder / "bin"
    programs.mkdir(parents=True)
    for entry in binaries.iterdir():
        if entry.name != "bin":
            (folder / entry.name).symlink_to(entry)
    for program in (binaries / "bin").iterdir():
        if program.name != "postgres":
            (programs / program.name).symlink_to(program)
    script = programs / "postgres"
    settings = " ".join(f"{name}='{value}'" for name, value in clock.environment.items())
    script.write_text(f"#!/bin/sh\n{settings} exec '{binaries / 'bin' / 'postgres'}' \"$@\"\n")
    for path in (script, programs, folder):
        path.chmod(0o755)
    assert os.access(script, os.X_OK)
    return folder
