"""Deploy/run: it ends in a running service, and what it prints works when pasted."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness import tokens
from harness.console import ConsoleBrowser
from harness.eventually import eventually
from harness.service import ROOT, CommandLine, environment, free_port

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
            return "/sign-in/link/" in self.text

        eventually(there, within=800, every=0.2)
        time.sleep(0.2)

    def commands(self):
        """What is printed to be pasted: everything that is indented below the guide's first line."""
        guide = self.lines[self.lines.index("Paste the indented lines into another terminal, with bash or zsh:") :]
        return "\n".join(line[4:] for line in guide if line.startswith("    ")) + "\n"

    def end(self, by=signal.SIGINT):
        """Ctrl-C reaches every process of the terminal."""
        os.killpg(self.process.pid, by)
        code = self.process.wait(timeout=15)
        self._reader.join(timeout=5)
        return code


@pytest.fixture
def ports():
    listeners = ("--listen", "--api-listen", "--console-listen")
    return [part for flag in listeners for part in (flag, f"127.0.0.1:{free_port()}")]


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data of the demo"


SHELLS = {
    "bash": ["bash", "-euo", "pipefail"],
    # As a terminal has it, without prompts.
    "zsh": ["zsh", "-f", "-i", "-o", "no_prompt_sp", "-euo", "pipefail"],
}


def paste(commands, folder, shell="bash"):
    return subprocess.run(
        SHELLS[shell],
        input=commands,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        env=environment(PS1="", PS2=""),
    )


def assert_console_opens(running, address):
    """It prints where the console is, and a link that signs the operator in there, once."""
    assert f"Or look at it in a browser: {address}" in running.text
    (path,) = re.findall(rf"^{re.escape(address)}(/sign-in/link/\S+)$", running.text, re.MULTILINE)
    browsers = [ConsoleBrowser(SimpleNamespace(console=address)) for _ in range(2)]
    assert [browser.submit(path, path).status_code for browser in browsers] == [303, 410]
    assert browsers[0].page("/health").status_code == 200


def test_what_it_prints_works_when_pasted_and_a_second_run_too(tmp_path, data, ports):
    for shell in SHELLS:
        running = Running(data, *ports)
        try:
            running.wait_for_guide()
            elsewhere = tmp_path / "another terminal"
            elsewhere.mkdir(exist_ok=True)
            done = paste(running.commands(), elsewhere, shell)
            assert done.returncode == 0, done.stderr
            answers = done.stdout
            assert re.search(rf"http://{ports[1]}/r/[A-Za-z0-9_-]{{{tokens.LENGTH}}}\"", answers)
            assert tokens.ZERO_GUID in answers
            assert "302 Found" in answers
            assert re.search(r"(?mi)^location: https://shop\.example/spring\?a=1&b=2\r?$", answers)
            assert answers.count('"consentGiven"') == 2 and answers.count('"noConsentRecord"') == 2
            assert answers.count('"PushLinkClicked"') == 1
            assert '"automated": false' in answers, "the click is told to be a person's"
            assert "error" not in answers and done.stderr == ""
            assert_console_opens(running, f"http://{ports[5]}")
            time.sleep(1)  # An organization's name has the second in it.
        finally:
            assert running.end() == 0, running.text


def test_it_makes_a_postgresql_server_which_ends_with_the_service_and_keeps_what_is_stored(ports):
    # The server's user must be able to enter, and a socket's path is short.
    with tempfile.TemporaryDirectory(prefix="demo ", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        data = Path(folder) / "data"
        for _ in range(2):
            running = Running(data, "--postgres", *ports)
            try:
                running.wait_for_guide()
                done = paste(running.commands(), folder)
                assert done.returncode == 0 and done.stderr == "", done.stderr
                assert done.stdout.count('"consentGiven"') == 2
                assert (data.parent / "data-postgres/data/postmaster.pid").exists()
                assert not (data / "consentlink.db").exists()
                second = Running(data, "--postgres", *ports)
                assert second.process.wait(timeout=600) == 3, "the data folder is in use"
                eventually(lambda: "ran before, and goes on" in second.text)
                assert (data.parent / "data-postgres/data/postmaster.pid").exists()
                time.sleep(1)  # An organization's name has the second in it.
                done = paste(running.commands(), folder)
                assert done.returncode == 0 and done.stderr == "", done.stderr
                time.sleep(1)
            finally:
                assert running.end() == 0, running.text
            assert not (data.parent / "data-postgres/data/postmaster.pid").exists()


def test_says_plainly_that_a_port_is_taken(data, ports):
    with socket.socket() as squatter:
        host, port = ports[1].split(":")
        squatter.bind((host, int(port)))
        squatter.listen()
        running = Running(data, *ports)
        assert running.process.wait(timeout=600) == 1
        said = "consentlink: address in use: 127.0.0.1:8080 (listen); end the program that has it, or choose another address"
        assert f"`{said}`" in (ROOT / "README.md").read_text()
        eventually(lambda: said.replace("127.0.0.1:8080", ports[1]) in running.text)


def test_says_that_there_is_no_console_where_its_port_is_taken(data, ports):
    with socket.socket() as squatter:
        squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            squatter.bind(("127.0.0.1", 8082))
            squatter.listen()
        except OSError:
            pass  # Another program has it already.
        running = Running(data, *ports[:4])
        try:
            eventually(lambda: "There is no console" in running.text, within=800, every=0.2)
            assert "in a browser" not in running.text and "address in use: 127.0.0.1:8082" in running.text
            assert "Deploy/run --console-listen 127.0.0.1:0" in running.text
        finally:
            assert running.end() == 0, running.text


def test_shows_the_console_at_the_port_that_it_was_given(data, ports):
    running = Running(data, *ports[:4], "--console-listen", "127.0.0.1:0")
    try:
        running.wait_for_guide()
        (address,) = re.findall(r"^consentlink console (http://127\.0\.0\.1:[1-9]\d*)$", running.text, re.MULTILINE)
        assert_console_opens(running, address)
    finally:
        assert running.end() == 0, running.text


def test_paths_among_its_arguments_are_relative_to_the_callers_folder(data):
    """Its own folder is the project's, where it looked for them before."""
    (data.parent / "settings.yaml").write_text("listen: nonsense\n")
    running = Running(data, "--config", "settings.yaml", "--backups", "backups here")
    assert running.process.wait(timeout=600) == 2
    eventually(lambda: "listen: must be HOST:PORT" in running.text)
    assert "config:" not in running.text


def test_passes_its_arguments_on_to_the_service(data):
    running = Running(data, "--listen", "nonsense")
    assert running.process.wait(timeout=600) == 2
    eventually(lambda: "listen: must be HOST:PORT" in running.text)
    assert "address" not in running.text
    assert not data.exists()


class TestBeforeItBuilds:
    """What is only asked, or asked wrongly, is answered at once, on a machine without Swift, too."""

    @pytest.fixture
    def run(self, tmp_path):
        bare = tmp_path / "bin"
        bare.mkdir()
        for tool in ("bash", "dirname", "sed", "realpath"):
            (bare / tool).symlink_to(shutil.which(tool))

        def run(*arguments):
            return subprocess.run(
                [ROOT / "Deploy/run", *arguments],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=tmp_path, timeout=60,
                env={"PATH": str(bare)},
            )  # fmt: skip

        return run

    @pytest.mark.parametrize("flag", ["--help", "-h"])
    def test_help_is_printed(self, run, flag):
        done = run(flag)
        assert done.returncode == 0, done.stderr
        assert "Deploy/run --listen" in done.stdout and "swift" not in done.stderr

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--lisen", "x"], ["--lisen=x"], ["serve"], ["--listen"], ["--data"],
            ["--postgres=yes"], ["--postgres", "--storage=x"],
        ],
    )  # fmt: skip
    def test_a_wrong_flag_is_named(self, run, arguments):
        done = run(*arguments)
        assert done.returncode == 2, done.stderr
        assert arguments[0].split("=")[0] in done.stderr and "swift" not in done.stderr
        assert done.stdout == ""

    @pytest.mark.parametrize(
        "text, is_refused",
        [
            ("data: here\n", True), ("threads: 2\n'data' : here\n", True), ("{threads: 2, data: here}\n", True),
            ("# data: here\nnode-name: data\n", False), ("backups: data\nconsole-url: https://data:443\n", False),
        ],
    )  # fmt: skip
    def test_a_settings_file_that_says_where_the_data_is_is_refused_by_name(self, run, tmp_path, text, is_refused):
        """The script passes the folder on, and a flag wins over a file."""
        (tmp_path / "settings.yaml").write_text(text)
        done = run("--config", "settings.yaml")
        assert ("settings.yaml holds data" in done.stderr) == is_refused, done.stderr
        assert (done.returncode, "swift" in done.stderr) == ((2, False) if is_refused else (1, True))
        assert "swift" in run("--config=settings.yaml", "--data", "there").stderr

    @pytest.mark.parametrize(
        "made_for, arguments, way_on",
        [
            ([], ["--postgres"], "--postgres --data FOLDER"), ([], [], None), ([], ["--storage", "sqlite"], None),
            (["--storage", "postgres://user@host/name"], [], "give --postgres"),
            (["--storage", "postgres://user@host/name"], ["--postgres"], None),
            (["--storage", "postgres://user@host/name"], ["--storage", "postgres://user@host/name"], None),
        ],
    )  # fmt: skip
    def test_a_folder_that_was_made_for_the_other_storage_is_named_with_the_way_on(
        self, run, tmp_path, made_for, arguments, way_on
    ):
        assert CommandLine().run("init", "--data", str(tmp_path / "there"), *made_for).returncode == 0
        done = run(*arguments, "--data", "there")
        if way_on:
            assert done.returncode == 3 and str(tmp_path / "there") in done.stderr and way_on in done.stderr, done.stderr
        assert ("swift" in done.stderr) == (way_on is None)

    @pytest.mark.parametrize("name", ["data", "data of the demo", "Ana's data", 'a "b" $HOME `id`'])
    def test_what_it_prints_finds_the_key_whatever_the_folder_is_called(self, tmp_path, name):
        (tmp_path / name).mkdir()
        (tmp_path / name / "operator.key").write_text("the key\n")
        (guide,) = re.findall(r"^print_guide\(\) {$.*?^}$", (ROOT / "Deploy/run").read_text(), re.MULTILINE | re.DOTALL)
        printed = subprocess.run(
            ["bash", "-c", f"data=$1\n{guide}\nprint_guide http://127.0.0.1:8081", "bash", str(tmp_path / name)],
            capture_output=True, check=True, text=True).stdout
        (line,) = re.findall(r"^    KEY=\$\(cat .*$", printed, re.MULTILINE)
        pasted = subprocess.run(["bash", "-c", f"{line}\necho \"$KEY\""], capture_output=True, text=True)
        assert (pasted.stdout, pasted.stderr) == ("the key\n", "")

    def test_it_knows_the_flags_that_serve_has(self):
        script = (ROOT / "Deploy/run").read_text()
        (known,) = re.findall(r"^flags=\((.*?)\)$", script, re.MULTILINE | re.DOTALL)
        help = CommandLine().run("serve", "--help").stdout
        assert set(known.split()) == set(re.findall(r"^  (--[a-z-]+) <", help, re.MULTILINE))


SCRIPTS = ["run", "build", "test", "install", "package", "package.d/licences", "dependencies", "docker/digests", "checkpoints/collect", "postgres/cluster"]


@pytest.mark.parametrize("script", [*(f"Deploy/{name}" for name in SCRIPTS), ".ci/run"])
def test_scripts_can_be_executed(script):
    assert os.access(ROOT / script, os.X_OK)
    assert subprocess.run(["bash", "-n", ROOT / script]).returncode == 0
