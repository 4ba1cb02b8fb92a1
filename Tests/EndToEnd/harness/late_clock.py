"""A service that is restarted after days have passed (see faults/clock.c)."""

from .preload import compiled


def restart_after(service, days):
    library = compiled("clock.c", service.folder / "clock.so")
    assert service.stop() == 0
    service.settings = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(days * 86_400)}
    return service.start()
