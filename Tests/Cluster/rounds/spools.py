"""Watches the spools of the nodes for clicks that nobody may know how to judge, in a process of its own.

    spools.py SETTINGS.json

A batch stays in the file until a later one is appended, so it is seen however soon it is drained. Reads only. Writes
each click on one of the messages to a file, as a line of JSON; answers the command `count` with what was seen."""

import json
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

from checking import Sighting

# How a click stands in a batch: see Sources/SQLiteSpool/OccurrenceBatch.swift.
FRESH, UNJUDGED = 1, 2
LENGTH = 38
PAUSE = 0.008


def clicks(batch):
    """The message of each click of a batch, as a number."""
    place = 1
    while place < len(batch):
        yield int.from_bytes(batch[place + 8 : place + 16], "big")
        place += LENGTH + batch[place + 37]


class Spool:
    """The spool of one node, which may be away."""

    def __init__(self, node, file):
        self.node = node
        self._file = file
        self._database = None
        self._after = 0
        self.seen = self.unjudged = 0

    def batches(self):
        """Those that came since the last call."""
        try:
            if self._database is None:
                if not Path(self._file).exists():
                    return []
                self._database = sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=0.1)
            rows = self._database.execute(
                "SELECT position, content FROM batches WHERE position > ? ORDER BY position", [self._after]
            ).fetchall()
        except sqlite3.Error:
            if self._database is not None:
                self._database.close()
            self._database = None
            return []
        if rows:
            self._after = rows[-1][0]
        for _, batch in rows:
            assert batch[0] in (FRESH, UNJUDGED), batch
            count = sum(1 for _ in clicks(batch))
            self.seen += count
            self.unjudged += count if batch[0] == UNJUDGED else 0
        return [batch for _, batch in rows]


def main(settings):
    spools = [Spool(node, file) for node, file in settings["spools"].items()]
    wanted = {int(message, 16) for message in settings["messages"]}

    def answer():
        for _ in sys.stdin:
            said = {spool.node: [spool.seen, spool.unjudged] for spool in spools}
            print(json.dumps(said), flush=True)

    threading.Thread(target=answer, daemon=True).start()
    with open(settings["file"], "a", buffering=1) as file:
        while True:
            for spool in spools:
                for batch in spool.batches():
                    for message in wanted.intersection(clicks(batch)):
                        seen = {"node": spool.node, "message": f"{message:x}", "is_unjudged": batch[0] == UNJUDGED}
                        file.write(json.dumps(seen) + "\n")
            time.sleep(PAUSE)


class Spools:
    """The process, for the one that runs the rounds."""

    def __init__(self, folder, nodes, messages):
        self._file = Path(folder) / "sightings"
        self._file.touch()
        settings = Path(folder) / "spools.json"
        settings.write_text(json.dumps({
            "spools": {node.name: str(node.data / "spool.db") for node in nodes}, "messages": messages,
            "file": str(self._file),
        }))  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rounds.spools", settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            cwd=Path(__file__).resolve().parents[1],
        )  # fmt: skip

    def sightings(self):
        """Each click on the messages that was seen in a spool."""
        return [Sighting(**json.loads(line)) for line in self._file.read_text().splitlines()]

    def counts(self):
        """For each node how many clicks of any message were seen, and how many of them were unjudged."""
        self._process.stdin.write("count\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the observer of the spools has ended"
        return json.loads(line)

    def end(self):
        self._process.kill()
        self._process.wait()


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))
