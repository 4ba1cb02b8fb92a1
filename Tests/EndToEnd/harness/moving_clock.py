"""A service, or a PostgreSQL server, whose wall clock the test moves while it runs (see faults/moving_clock.c)."""

from pathlib import Path

from .eventually import eventually
from .metrics import scrape
from .preload import SharedNumber, compiled

HOUR = 3_600_000
DAY = 24 * HOUR


class MovingClock:
    """The clock of one process; make it before that starts."""

    def __init__(self, folder):
        self.library = compiled("moving_clock.c", Path(folder) / "moving_clock.so")
        self._offset = SharedNumber(Path(folder) / "clock offset")

    @property
    def settings(self):
        return {"LD_PRELOAD": str(self.library), "CLOCK_OFFSET_FILE": str(self._offset.file)}

    def set(self, milliseconds):
        """From now on the wall clock is ahead of the right time by so much; behind when negative."""
        self._offset.set(milliseconds)


def step(service, clock, milliseconds):
    """Moves the clock, and returns when the service has noticed."""
    before = scrape(service).total("consentlink_clock_steps_total")
    clock.set(milliseconds)
    eventually(lambda: scrape(service).total("consentlink_clock_steps_total") > before)
