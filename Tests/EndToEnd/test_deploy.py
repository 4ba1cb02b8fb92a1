"""Deploy/run: it ends in a running service, and what it prints works when pasted."""

import os
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

from harness import tokens
from harness.eventually import eventually
from harness.service import ROOT, environment, free_port

pytestmark = pytest.mark.timeout(900)


class Running:
    """A `Deploy/run` and what it has printed so far."""

    def __init__(self, data, *arguments):
        self.process = subprocess.Popen(
            [ROOT / "Deploy/run", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=data.parent,
            env=environment(CONSENTLINK_DATA=str(data)),
            start_new_session=True,
        )
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def text(self):
        return "\n".join(self.lines)

    def wait_for_guide(self):
        def there():
            assert self.process.poll() is None, self.text
            return "interactions" in self.text

        eventually(there, within=800, every=0.2)
        time.sleep(0.2)

    def commands(self):
        """What is printed to be pasted: everything that is indented below the guide's first line."""
        guide = self.lines[self.lines.index("Paste this into another terminal:") :]
        return "\n".join(line[4:] for line in guide if line.startswith("    ")) + "\n"

    def end(self, by=signal.SIGINT):
        """Ctrl-C reaches every process of the terminal."""
        os.killpg(self.process.pid, by)
        code = self.process.wait(timeout=15)
        self._reader.join(timeout=5)
        return code


@pytest.fixture
def ports():
    return ["--listen", f"127.0.0.1:{free_port()}", "--api-listen", f"127.0.0.1:{free_port()}"]


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data of the demo"


def paste(commands, folder):
    return subprocess.run(
        ["bash", "-euo", "pipefail"],
        input=commands,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        env=environment(),
    )


def test_what_it_prints_works_when_pasted_and_a_second_run_too(tmp_path, data, ports):
    for _ in range(2):
        running = Running(data, *ports)
        try:
            running.wait_for_guide()
            elsewhere = tmp_path / "another terminal"
            elsewhere.mkdir(exist_ok=True)
            done = paste(running.commands(), elsewhere)
            assert done.returncode == 0, done.stderr
            answers = done.stdout
            assert re.search(rf"http://{ports[1]}/r/[A-Za-z0-9_-]{{{tokens.LENGTH}}}\"", answers)
            assert tokens.ZERO_GUID in answers
            assert "302 Found" in answers
            assert re.search(r"(?mi)^location: https://shop\.example/spring\?a=1&b=2\r?$", answers)
            assert answers.count('"consentGiven"') == 2 and answers.count('"noConsentRecord"') == 2
            assert answers.count('"PushLinkClicked"') == 1
            assert "error" not in answers and done.stderr == ""
            time.sleep(1)  # An organization's name has the second in it.
        finally:
            assert running.end() == 0, running.text


def test_says_plainly_that_a_port_is_taken(data, ports):
    with socket.socket() as squatter:
        host, port = ports[1].split(":")
        squatter.bind((host, int(port)))
        squatter.listen()
        running = Running(data, *ports)
        assert running.process.wait(timeout=600) == 1
        eventually(lambda: "choose others" in running.text)
        assert port in running.text


def test_passes_its_arguments_on_to_the_service(data):
    running = Running(data, "--listen", "nonsense")
    assert running.process.wait(timeout=600) == 2
    eventually(lambda: "choose others" in running.text)
    assert not data.exists()


@pytest.mark.parametrize("script", ["Deploy/run", "Deploy/test", "Deploy/install", ".ci/run"])
def test_scripts_can_be_executed(script):
    assert os.access(ROOT / script, os.X_OK)
    assert subprocess.run(["bash", "-n", ROOT / script]).returncode == 0
