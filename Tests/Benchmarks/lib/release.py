"""The release binary that a script measures: its options, what must be installed, and the build."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = ROOT / ".build/release/consentlink"
# What the build needs.
LIBRARIES = (ROOT / "Deploy/libraries").read_text().split()


def add_options(parser):
    parser.add_argument("--no-build", action="store_true", help="measure the release binary that is there")
    parser.add_argument("--binary", type=Path, default=BINARY, help="measure another program, and build nothing")


def prepare(options, *packages):
    """Installs the packages, and builds the release binary unless the options name one."""
    builds = not options.no_build and options.binary == BINARY
    subprocess.run([ROOT / "Deploy/install", *packages, "util-linux", *LIBRARIES], check=True)
    if builds:
        subprocess.run([ROOT / "Deploy/build"], check=True)
    options.binary = options.binary.resolve()
    if not options.binary.exists():
        raise SystemExit(f"there is no {options.binary}: build it, or leave out --no-build")
