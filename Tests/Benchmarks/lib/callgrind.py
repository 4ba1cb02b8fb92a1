"""Instructions of a process in user space, counted by Valgrind's callgrind, thread by thread.

The counts do not depend on what else the machine does. They leave the kernel out, and Valgrind shows programs a processor
without SHA instructions and AVX-512, so libcrypto takes another way than on most servers.

Debian 12's Valgrind needs help twice: it gives up on Swift's debug information (DWARF 5), so a copy without it is run; and
for `sigsuspend` it writes to the caller's mask, which is constant in libdispatch, so a library hands over a copy.
"""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

COMMAND = ["valgrind", "--tool=callgrind", "--separate-threads=yes", "--instr-atstart=no", "--log-file=/dev/null"]
SIGSUSPEND = """
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return syscall(SYS_rt_sigsuspend, &copy, 8);
}
"""
# Mangled names of what event loops alone run, and of what the spool's commits run in.
LOOP, SPOOL = "19SelectableEventLoopC3run", "11SpoolWriterC3run"
ANSWER, COMMITS, OTHERS = "event loops", "the spool's commits", "other threads"


@dataclass
class Count:
    """Of one window: instructions by part of the service, by library, and by function, callees not included."""

    parts: Counter = field(default_factory=Counter)
    libraries: Counter = field(default_factory=Counter)
    functions: Counter = field(default_factory=Counter)

    @property
    def total(self):
        return self.parts.total()

    def __sub__(self, other):
        """Less what was counted while there was no work."""
        return Count(*(
            Counter({name: max(0, count - less[name]) for name, count in here.items()})
            for here, less in ((self.parts, other.parts), (self.libraries, other.libraries), (self.functions, other.functions))))


class Callgrind:
    """Starts a stopped service again under callgrind. Windows follow each other without a gap."""

    def __init__(self, service, folder):
        self.folder, self.dumps = folder, 0
        subprocess.run(["strip", "--strip-debug", "-o", folder / "consentlink", service.binary], check=True)
        library = folder / "sigsuspend.so"
        subprocess.run(["clang", "-shared", "-fPIC", "-O", "-x", "c", "-o", library, "-"], input=SIGSUSPEND, text=True, check=True)
        service.binary = folder / "consentlink"
        service.wrapper = ["env", f"LD_PRELOAD={library}", *COMMAND, f"--callgrind-out-file={folder}/callgrind.out"]
        service.start()
        self.pid = service.process.pid

    def begin(self):
        """Everything is slower by half from here on."""
        self._control("--instr=on")

    def window(self):
        """What was counted since the last call, or since `begin`."""
        self._control("--dump")
        self.dumps += 1
        count = Count()
        for path in self.folder.glob(f"callgrind.out.{self.dumps}-*"):
            add(path, count)
        if not count.total:
            raise SystemExit("callgrind wrote nothing")
        return count

    def _control(self, order):
        done = subprocess.run(["callgrind_control", order, str(self.pid)], capture_output=True, text=True, timeout=600)
        if done.returncode or "Error" in done.stdout + done.stderr:
            raise SystemExit(f"callgrind_control {order}: {done.stdout}{done.stderr}")


def add(path, count):
    """Reads one thread's file: `ob=` and `fn=` name the place, a line of numbers is its cost, and the line behind `calls=`
    is the cost of a callee and of all that it calls, which stands under its own name, too."""
    names, library, function, is_call = {}, "", "", False
    libraries, functions, commits, is_loop = Counter(), Counter(), Counter(), False
    with path.open() as lines:
        for line in lines:
            if found := re.match(r"(c?)(ob|fn|fi|fe|fl)=\((\d+)\)(?: (.*))?", line):
                kind = found[2] if found[2] in ("ob", "fn") else "fl"
                if found[4] is not None:
                    names[kind, found[3]] = found[4]
                name = names[kind, found[3]]
                is_loop |= LOOP in name
                if not found[1] and kind == "ob":
                    library = Path(name).name
                elif not found[1] and kind == "fn":
                    function = name
            elif line.startswith("calls="):
                is_call = True
            elif line[0].isdigit() or line[0] in "+-*":
                cost = int(line.split()[1])
                if SPOOL in function:
                    commits[function] += cost
                if not is_call:
                    libraries[library] += cost
                    functions[function] += cost
                is_call = False
    # One of these functions calls the others.
    spooling = 0 if is_loop else max(commits.values(), default=0)
    count.parts[COMMITS] += spooling
    count.parts[ANSWER if is_loop else OTHERS] += libraries.total() - spooling
    count.libraries += libraries
    count.functions.update({(ANSWER if is_loop else OTHERS, name): cost for name, cost in functions.items()})
