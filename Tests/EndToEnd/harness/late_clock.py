"""A service that is restarted after days have passed (see faults/clock.c)."""

import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "faults" / "clock.c"


def restart_after(service, days):
    library = service.folder / "clock.so"
    compiling = ["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-O1", "-o", library, SOURCE]
    subprocess.run(compiling, check=True)
    assert service.stop() == 0
    service.settings = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(days * 86_400)}
    return service.start()
