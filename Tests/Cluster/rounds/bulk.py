"""Composes for many recipients, in a process of its own with cheap clients: bodies are made once, and of an answer only
the ids of decisions are looked at. A request is repeated with its Idempotency-Key until it is answered.

    bulk.py SETTINGS.json

reads the commands `go`, `pause` and `end` from standard input. `pause` is answered with `paused` when no request is
unanswered. The ids go to a file, 8 bytes each."""

import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time
import uuid
from array import array
from pathlib import Path

ID = re.compile(rb'"decision":\{"id":"([0-9a-f]{1,16})"')
TIMEOUT = 15


class Composer(threading.Thread):
    def __init__(self, settings, number, crew):
        super().__init__(daemon=True)
        self._crew = crew
        self._addresses = settings["addresses"]
        self._path = f"/v1/orgs/{settings['organization']}/payloads"
        self._key = settings["key"]
        self._count = settings["recipients"]
        self._interval = self._count * settings["threads"] / settings["rate"]
        self._bodies = [
            json.dumps({
                "format": "plain", "messageId": settings["messages"][number % len(settings["messages"])],
                "recipients": [f"bulk-{number}-{part}-{person}@people.example" for person in range(self._count)],
            }).encode()
            for part in range(settings["audiences"])
        ]  # fmt: skip
        self._connections = {}

    def run(self):
        try:
            due = time.monotonic()
            while True:
                if not self._crew.goes_on.is_set():
                    self._crew.rest()
                    due = time.monotonic()
                time.sleep(max(0, due - time.monotonic()))
                # What was missed is not made up for at once.
                due = max(due, time.monotonic() - 1) + self._interval
                self._crew.note(self._compose(random.choice(self._bodies)))
        except Exception as problem:
            self._crew.surprise(problem)
            raise

    def _compose(self, body):
        key = f'"{uuid.uuid4()}"'
        while True:
            status, answer = self._ask(random.choice(self._addresses), body, key)
            if status == 200:
                ids = [int(text, 16) for text in ID.findall(answer)]
                if len(ids) != self._count:
                    raise ValueError(f"{len(ids)} decisions in the answer for {self._count} recipients")
                return ids
            if status not in (0, 409, 429, 503):
                raise ValueError(f"{status}: {answer[:1000]!r}")
            time.sleep(random.uniform(0.02, 0.2))

    def _ask(self, address, body, key):
        """The status, 0 where there was no whole answer, and the answer."""
        try:
            if address not in self._connections:
                self._connections[address] = http.client.HTTPConnection(address, timeout=TIMEOUT)
            connection = self._connections[address]
            headers = {
                "Authorization": f"Bearer {self._key}", "Content-Type": "application/json", "Idempotency-Key": key,
            }  # fmt: skip
            connection.request("POST", self._path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self._connections.pop(address).close()
            return 0, b""


class Crew:
    """All composers of the process."""

    def __init__(self, file, threads):
        self.goes_on = threading.Event()
        self._file = file
        self._threads = threads
        self._resting = 0
        self._changed = threading.Condition()
        self._problem = None

    def note(self, ids):
        with self._changed:
            array("q", ids).tofile(self._file)
            self._file.flush()

    def rest(self):
        with self._changed:
            self._resting += 1
            self._changed.notify_all()
        self.goes_on.wait()
        with self._changed:
            self._resting -= 1

    def pause(self):
        self.goes_on.clear()
        with self._changed:
            self._changed.wait_for(lambda: self._resting == self._threads or self._problem)
            return self._problem or "paused"

    def surprise(self, problem):
        with self._changed:
            self._problem = f"{type(problem).__name__}: {problem}".replace("\n", " ")
            self._changed.notify_all()


def main(settings):
    with open(settings["file"], "ab") as file:
        crew = Crew(file, settings["threads"])
        for number in range(settings["threads"]):
            Composer(settings, number, crew).start()
        for line in sys.stdin:
            match line.strip():
                case "go":
                    crew.goes_on.set()
                case "pause":
                    print(crew.pause(), flush=True)
                case "end":
                    return


class Bulk:
    """The process, for the one that runs the rounds."""

    def __init__(self, folder, org, places, messages, *, rate, threads=3, recipients=1000, audiences=8):
        self._file = Path(folder) / "acknowledged"
        self._file.touch()
        settings = Path(folder) / "bulk.json"
        settings.write_text(json.dumps({
            "addresses": [place.api.removeprefix("http://") for place in places], "organization": org.id,
            "key": org.key, "messages": messages, "recipients": recipients, "audiences": audiences, "threads": threads,
            "rate": rate, "file": str(self._file),
        }))  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).resolve(), settings],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    @property
    def count(self):
        """How many decisions were acknowledged so far."""
        return self._file.stat().st_size // 8

    def go(self):
        self._tell("go")

    def pause(self):
        """Returns when every request was answered."""
        self._tell("pause")
        said = self._process.stdout.readline().strip()
        assert said == "paused", said or "the bulk load has ended"

    def acknowledged(self, start=0):
        """The ids from this one of them on, in the order in which they came."""
        ids = array("q")
        with self._file.open("rb") as file:
            file.seek(8 * start)
            ids.frombytes(file.read(8 * (self.count - start)))
        return ids

    def end(self):
        self._process.kill()
        self._process.wait()

    def _tell(self, command):
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))
