"""Where the programs are that the hosts run."""

import fcntl
import subprocess
from pathlib import Path

# Patroni is the same for every cluster of this machine. PostgreSQL's user must be able to enter.
SHARED = Path("/var/lib/consentlink-cluster")
REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements.txt"


def postgres_programs():
    """The folder of the newest PostgreSQL from 15 on."""
    for version in range(30, 14, -1):
        if Path(f"/usr/lib/postgresql/{version}/bin/postgres").exists():
            return Path(f"/usr/lib/postgresql/{version}/bin")
    raise FileNotFoundError("there is no PostgreSQL 15 or later; run Deploy/install postgresql")


def patroni_programs():
    """The folder of Patroni, which is installed with pip where it is missing or another version is wanted."""
    SHARED.mkdir(mode=0o755, parents=True, exist_ok=True)
    venv = SHARED / "patroni"
    installed = venv / "requirements.txt"
    with (SHARED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = REQUIREMENTS.read_text()
        if not installed.exists() or installed.read_text() != wanted:
            # Debian's Python, which PostgreSQL's user can run; another one may be in root's folder.
            subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", venv], check=True)
            pip = [venv / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "--use-pep517", "--requirement", REQUIREMENTS], check=True)
            installed.write_text(wanted)
    return venv / "bin"
