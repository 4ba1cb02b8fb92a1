"""What is printed."""

import os
import resource
import time
from pathlib import Path

from .costs import cpu_of_processes


def part(values, share):
    """A quantile; of few values the greatest comes soon."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def milliseconds(values):
    """One line about durations in seconds."""
    return (
        f"{len(values):6,}   p50 {part(values, 0.5) * 1000:8.1f}   p99 {part(values, 0.99) * 1000:8.1f}   "
        f"longest {max(values) * 1000:8.1f} ms")


class Quiet:
    """How much of the processor others had while something was measured: what is slow may be slow because of them."""

    def __init__(self, bed):
        self._bed = bed

    def __enter__(self):
        self._began, self._busy, self._own = time.monotonic(), busy_seconds(), self._ours()
        return self

    def __exit__(self, *_):
        passed, busy = time.monotonic() - self._began, busy_seconds() - self._busy
        # The time that a killed process has used is counted for no process.
        own = sum(max(0, spent - self._own.get(process, 0)) for process, spent in self._ours().items())
        self.note = (
            f"[{passed:.0f} s; of {os.cpu_count()} processors {busy / passed:.2f} were busy, "
            f"{max(0, busy - own) / passed:.2f} of it with other work; load {os.getloadavg()[0]:.1f}]")

    def _ours(self):
        """Seconds of the processor by process; those that were waited for are this one's."""
        processes = {process for host in self._bed.cluster.network.hosts.values() for process in host.processes()}
        processes |= set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))
        usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        ours = {process: cpu_of_processes([process], reaped=True) for process in processes}
        return ours | {os.getpid(): sum(use.ru_utime + use.ru_stime for use in usage)}


def busy_seconds():
    fields = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]))
    idle = fields[3] + fields[4]
    return (sum(fields[:8]) - idle) / os.sysconf("SC_CLK_TCK")


def heading(text):
    print(f"\n== {text}   ({time.strftime('%H:%M:%S')}, load {os.getloadavg()[0]:.1f})", flush=True)


def say(text):
    print(text, flush=True)
