"""The harness of the end-to-end suite is used here too."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "EndToEnd"))
