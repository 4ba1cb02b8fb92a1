"""Processor time of the service in three parts: answering, the spool, and the drain.

The kernel counts each thread's time in nanoseconds (`schedstat`).

- Answer: the event loops, whose names begin with `NIO-ELT`. They read, open the tracking ID, decide, and write.
- Spool: its commits run on a serial queue, and the threads that queues run on (`…-qos.overcommit`) serve the spool, the
  drain and the store in turns. So the spool's part is measured while the drain rests: in samples in which clicks are
  spooled and nothing is stored, these threads work for the spool alone. What they take for a click then is taken for
  every click.
- Drain: all else that the process takes. What a commit beside a busy drain takes beyond that is the drain's, and so is
  removing from the spool what is stored.

What kernel threads do for a file system is counted for no part. Asking for metrics takes 0.5 % of the processor, which is
the drain's here.
"""

import os
import threading
import time
from pathlib import Path

from . import servers

LOOP = "NIO-ELT"
QUEUE = "overcommit"


def processor_seconds(pid):
    """By thread: its name and its seconds of the processor."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            # A thread gets its name after it began.
            found[int(task.name)] = (
                (task / "comm").read_text().strip(), int((task / "schedstat").read_text().split()[0]) / 1e9)
        except OSError:
            continue  # It ended meanwhile.
    return found


class Parts(threading.Thread):
    """Samples the service's threads from `start()` to `finish()`, which returns the seconds of each part."""

    def __init__(self, service, interval=2):
        super().__init__(daemon=True)
        self.service, self.interval = service, interval
        self._over = threading.Event()
        # While the drain rested: seconds of the queues' threads, and clicks that were spooled.
        self._quiet_seconds, self._quiet_clicks = 0.0, 0

    def start(self):
        self._begin, self._counts = servers.cpu_seconds(self.service.pids), self._read_counts()
        self._first = self._loops()
        super().start()

    def run(self):
        before, counts = self._queues(), self._read_counts()
        while not self._over.wait(self.interval):
            now, new = self._queues(), self._read_counts()
            spooled, stored = (at - was for at, was in zip(new, counts))
            if spooled > 0 and stored == 0:
                self._quiet_seconds += sum(seconds - before.get(thread, 0) for thread, seconds in now.items())
                self._quiet_clicks += spooled
            before, counts = now, new

    def finish(self):
        self._over.set()
        self.join()
        if not self._quiet_clicks:
            raise SystemExit("the drain never rested, so the spool's part cannot be told: click for longer")
        total = servers.cpu_seconds(self.service.pids) - self._begin
        answering = self._loops() - self._first
        clicks = self._read_counts()[0] - self._counts[0]
        spooling = self._quiet_seconds / self._quiet_clicks * clicks
        return {"answer": answering, "spool": spooling, "drain": total - answering - spooling}

    def _loops(self):
        threads = processor_seconds(self.service.process.pid).values()
        return sum(seconds for name, seconds in threads if name.startswith(LOOP))

    def _queues(self):
        threads = processor_seconds(self.service.process.pid).items()
        return {thread: seconds for thread, (name, seconds) in threads if name.endswith(QUEUE)}

    def _read_counts(self):
        page = self.service.metrics()
        return page["consentlink_clicks_spooled_total"], page["consentlink_interactions_stored_total"]


class CoreUse:
    """What one core did from here to `shares()`: how much it rested, and how much of it the host took away."""

    def __init__(self, core):
        self._core = core
        self._begin, self._since = self._read(), time.monotonic()

    def _read(self):
        line = next(line for line in Path("/proc/stat").read_text().splitlines() if line.startswith(f"cpu{self._core} "))
        return list(map(int, line.split()[1:]))

    def shares(self, begin):
        """`begin`: of the work, as `time.monotonic()` has it. Until then the core rested."""
        spent = [now - then for now, then in zip(self._read(), self._begin)]
        rested = (begin - self._since) * os.sysconf("SC_CLK_TCK")
        total = sum(spent[:8]) - rested
        return {"idle": max(0, spent[3] + spent[4] - rested) / total, "stolen": spent[7] / total}
