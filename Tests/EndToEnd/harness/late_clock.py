"""A service that is restarted after days have passed (see faults/clock.c)."""

from .preload import compiled


def restart_after(service, days):
    assert service.stop() == 0
    return start_after(service, days)


def start_after(service, days):
    """Starts a service that has ended."""
    library = compiled("clock.c", service.folder / "clock.so")
    service.settings = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(days * 86_400)}
    return service.start()
