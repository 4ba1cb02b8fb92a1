"""The service as a process among others: signals, streams that take nothing, and starting again with other settings."""

import concurrent.futures
import contextlib
import fcntl
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from harness import wire
from harness.client import Operator
from harness.eventually import eventually
from harness.relay import Relay
from harness.service import CommandLine, Service, binary, environment, free_port

STARTED = '"the service starts"'
REFUSED = "the service cannot start again"


class Configured(Service):
    """A service whose settings are all in a file."""

    def __init__(self, folder, program=None):
        folder.mkdir(exist_ok=True)
        super().__init__(folder)
        self.program = program or binary()
        self.file = self.folder / "settings.yaml"
        self.starts_again = True
        self.write()

    def write(self, **further):
        settings = {
            "data": self.data, "listen": self.listen, "api-listen": self.api_listen, "console-listen": "off",
        } | further
        self.file.write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))

    @property
    def command(self):
        return [str(self.program), "serve", "--config", str(self.file)]

    def starts(self):
        return self.log_text().count(STARTED)

    def ask(self, number):
        os.kill(self.process.pid, number)


class Limited(Configured):
    """A service that starts with limits: flags of bash's `ulimit`."""

    def __init__(self, folder, *limits):
        super().__init__(folder)
        self.limits = limits

    @property
    def command(self):
        return ["bash", "-c", "".join(f"ulimit {limit} && " for limit in self.limits) + 'exec "$@"', "bash",
                *super().command]

    def run(self):
        """Runs it to its end, which it must come to by itself."""
        return subprocess.run(
            self.command, stdin=subprocess.DEVNULL, capture_output=True, env=self.environment, timeout=60, text=True)


def address_space(mebibytes):
    """Limits of the address space, and of the stack that each thread takes of it."""
    return "-s 8192", f"-v {mebibytes * 1024}"


@pytest.fixture
def configured(tmp_path):
    service = Configured(tmp_path).start()
    yield service
    if service.is_running:
        assert service.stop() == 0
    service.assert_log_is_discreet()


def answers(url):
    try:
        return httpx.get(f"{url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


@contextlib.contextmanager
def unread(folder):
    """A service whose log is a pipe of 4 KiB: the service, its process, and the end of the pipe that nobody reads."""
    service = Service(folder)
    service.temporary.mkdir()
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    process = subprocess.Popen(
        service.command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writing,
        env=service.environment)
    os.close(writing)
    try:
        eventually(lambda: answers(service.api))
        yield service, process, reading
    finally:
        process.kill()
        process.wait()


def test_no_other_process_gets_the_folder_while_the_program_starts_again(own_service):
    def is_free(path):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(descriptor)
        return True

    own_service.starts_again = True
    own_service.process.send_signal(signal.SIGUSR2)
    found = set()
    while own_service.log_text().count(STARTED) < 2:
        found |= {path.name for path in (own_service.data, own_service.data / "lock") if is_free(path)}
    assert found == set()
    eventually(lambda: answers(own_service.api))


class TestStreams:
    @pytest.mark.parametrize("redirection", [">/dev/full", ">&-", "2>/dev/full >&-", "<&- >&- 2>&-"])
    def test_a_service_that_nobody_listens_to_serves_all_the_same(self, tmp_path, redirection):
        service = Service(tmp_path)
        service.temporary.mkdir()
        with service.log.open("wb") as log:
            process = subprocess.Popen(
                ["bash", "-c", f'exec "$@" {redirection}', "bash", *service.command], cwd=tmp_path,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=service.environment)
        try:
            eventually(lambda: answers(service.api))
            assert process.poll() is None
            assert b"{" not in (service.data / "lock").read_bytes(), "the log is in the lock"
            if "2>" not in redirection:
                process.send_signal(signal.SIGUSR2)
                eventually(lambda: service.log_text().count(STARTED) == 2)
                eventually(lambda: answers(service.api))
            process.terminate()
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
            process.wait()

    def test_a_service_whose_ready_line_nobody_takes_serves_all_the_same(self, tmp_path):
        service = Service(tmp_path)
        service.temporary.mkdir()
        reading, writing = os.pipe()
        before = b"x" * fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
        os.write(writing, before)
        with service.log.open("wb") as log:
            process = subprocess.Popen(
                service.command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=writing, stderr=log,
                env=service.environment)
        os.close(writing)
        try:
            eventually(lambda: answers(service.public))
            eventually(lambda: answers(service.api))
            with open(reading, "rb") as waiting:
                assert waiting.read(len(before)) == before
                assert waiting.readline().startswith(b"consentlink ready public=")
            process.terminate()
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
            process.wait()

    def test_a_service_whose_log_nobody_takes_serves_all_the_same_and_ends(self, tmp_path):
        with unread(tmp_path) as (service, process, reading):
            operator = Operator(service)
            # Each of them is a line of the log.
            organizations = [operator.make().id for _ in range(60)]
            assert answers(service.public) and answers(service.api)
            process.terminate()
            assert process.wait(timeout=20) == 0
        with open(reading, "rb") as rest:
            whole = rest.read().split(b"\n")[:-1]
        assert 0 < len([json.loads(line) for line in whole]) < len(organizations)

    def test_lines_that_nobody_took_come_later_whole_and_in_order(self, tmp_path):
        with unread(tmp_path) as (service, process, reading):
            operator = Operator(service)
            organizations = [operator.make().id for _ in range(60)]
            with open(reading, "rb") as log, concurrent.futures.ThreadPoolExecutor() as pool:
                text = pool.submit(log.read)
                process.terminate()
                assert process.wait(timeout=20) == 0
                lines = [json.loads(line) for line in text.result().splitlines()]
        made = [line["organization"] for line in lines if line.get("act") == "organization.create"]
        assert made == organizations

    def test_a_list_whose_reader_has_gone_ends_quietly(self, service):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [binary(), "keys", "list", "--api", service.api, "--data", service.data], stdin=subprocess.DEVNULL,
            stdout=writing, stderr=subprocess.PIPE, env=environment(), timeout=60)
        os.close(writing)
        assert done.returncode == -signal.SIGPIPE
        assert done.stderr == b""

    def test_a_key_whose_reader_has_gone_is_told_by_its_id(self, service, org):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [binary(), "org", "key", org.id, "--scope", "read", "--api", service.api, "--data", service.data],
            stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, env=environment(), timeout=60, text=True)
        os.close(writing)
        assert done.returncode == 1
        (key,) = re.findall(r"^The key (\S+) of organization", done.stderr, re.MULTILINE)
        listed = Operator(service).call("GET", f"/v1/orgs/{org.id}/keys").json()["keys"]
        assert key in [each["id"] for each in listed]
        assert "clk_" not in done.stderr

    def test_commands_find_the_service_by_the_setting_of_its_listener(self, service):
        done = CommandLine(service).run(
            "keys", "list", "--data", str(service.data), settings={"CONSENTLINK_API_LISTEN": service.api_listen})
        assert done.returncode == 0, done.stderr


def handles(process, number):
    (caught,) = re.findall(r"^SigCgt:\s+(\w+)$", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    return int(caught, 16) >> (number - 1) & 1


class TestSignals:
    def test_those_that_mean_nothing_are_ignored(self, configured):
        for number in (signal.SIGUSR1, signal.SIGALRM):
            configured.ask(number)
            eventually(lambda name=number.name: f'"signal":"{name}"' in configured.log_text())
        assert answers(configured.api) and configured.starts() == 1

    @pytest.mark.skipif(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN, reason="nohup has it ignored")
    def test_a_hangup_starts_the_service_again(self, configured):
        configured.ask(signal.SIGHUP)
        eventually(lambda: configured.starts() == 2)
        eventually(lambda: answers(configured.api))

    @pytest.mark.embedded_storage_only
    def test_a_start_that_waits_for_its_database_can_be_ended(self, tmp_path):
        url = f"postgres://consentlink@127.0.0.1:{free_port()}/consentlink"
        service = Service(tmp_path, flags=("--storage", url))
        made = CommandLine(service).run("init", "--data", str(service.data), "--storage", url)
        assert made.returncode == 0, made.stderr
        service.launch()

        eventually(lambda: handles(service.process.pid, signal.SIGTERM))
        assert service.stop() == 0

    def test_a_relay_that_waits_for_a_pipe_of_keys_can_be_ended(self, tmp_path):
        keys = tmp_path / "keys"
        os.mkfifo(keys, 0o600)
        with subprocess.Popen(
            [binary(), "relay", "--keys", keys, "--data", tmp_path / "relay"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
        ) as process:  # fmt: skip
            try:
                eventually(lambda: handles(process.pid, signal.SIGTERM))
                # Time to open the pipe, which waits for a writer.
                time.sleep(1)
                assert process.poll() is None
                process.terminate()
                assert process.wait(timeout=20) == 0
            finally:
                process.kill()

    def test_a_relay_goes_on_after_a_hangup(self, service, org, tmp_path):
        relay = Relay(service, tmp_path / "relay", [org]).start()
        os.kill(relay.process.pid, signal.SIGHUP)
        eventually(lambda: '"signal":"SIGHUP"' in relay.log.read_text())
        assert relay.process.poll() is None
        relay.end()


class TestThreads:
    def test_a_service_that_gets_too_few_is_refused_by_name_before_it_makes_a_folder(self, tmp_path):
        service = Limited(tmp_path / "service", *address_space(300))
        done = service.run()
        assert (done.returncode, done.stdout) == (1, "")
        assert re.fullmatch(
            r"consentlink: the process can have \d+ threads and needs \d+ at least: raise the limit of threads "
            r"\(TasksMax=, --pids-limit, ulimit -u\) or of memory \(ulimit -v\)\n", done.stderr), done.stderr
        assert not service.data.exists()

    def test_those_of_a_library_that_ends_without_them_begin_with_the_service(self, configured):
        tasks = Path(f"/proc/{configured.process.pid}/task")
        assert any("SGLTN-TP" in (task / "comm").read_text() for task in tasks.iterdir())

    def test_a_relay_that_gets_too_few_is_refused_by_name(self, tmp_path):
        (tmp_path / "keys").touch(0o600)
        done = subprocess.run(
            ["bash", "-c", 'ulimit -s 8192 && ulimit -v 307200 && exec "$@"', "bash", str(binary()), "relay",
             "--keys", str(tmp_path / "keys"), "--data", str(tmp_path / "relay")],
            stdin=subprocess.DEVNULL, capture_output=True, env=environment(), timeout=60, text=True)
        assert done.returncode == 1
        assert "threads and needs" in done.stderr


class TestSizeOfFiles:
    WARNING = "the size of files is limited"

    @pytest.mark.embedded_storage_only
    def test_a_limit_that_is_reached_is_named(self, tmp_path):
        done = Limited(tmp_path / "service", "-f 40").run()
        assert (done.returncode, done.stdout) == (1, "")
        warning, *_, last = done.stderr.splitlines()
        assert json.loads(warning)["message"].startswith(self.WARNING) and json.loads(warning)["bytes"] == "40960"
        assert "a file has the greatest size that the process (LimitFSIZE=, ulimit -f)" in last

    def test_a_soft_limit_is_raised(self, tmp_path):
        service = Limited(tmp_path / "service", "-S -f 40").start()
        assert service.stop() == 0
        assert self.WARNING not in service.log_text()

    def test_an_answer_that_goes_beyond_it_is_told(self, tmp_path):
        done = subprocess.run(
            ["bash", "-c", 'ulimit -f 0 && exec "$@" >help.txt', "bash", str(binary()), "--help"], cwd=tmp_path,
            stdin=subprocess.DEVNULL, capture_output=True, env=environment(), timeout=60, text=True)
        assert (done.returncode, done.stderr) == (1, "consentlink: standard output takes no more: File too large\n")


class TestListeners:
    def test_two_at_one_address_are_a_wrong_setting(self, tmp_path):
        port = free_port()
        done = subprocess.run(
            [binary(), "serve", "--data", tmp_path / "data", "--listen", f"127.0.0.1:{port}",
             "--api-listen", f"localhost:{port}", "--console-listen", "off"],
            stdin=subprocess.DEVNULL, capture_output=True, env=environment(), timeout=60, text=True)
        assert done.returncode == 2
        assert done.stderr.endswith("consentlink: api-listen: must be another address than listen\n")


def inherited(process):
    """The open files that the program leaves to the one that replaces it: those that do not close on `exec`."""
    files = []
    for number in os.listdir(f"/proc/{process}/fd"):
        with contextlib.suppress(FileNotFoundError):
            flags = re.search(r"^flags:\s*(\d+)", Path(f"/proc/{process}/fdinfo/{number}").read_text(), re.M)[1]
            if not int(flags, 8) & os.O_CLOEXEC:
                files.append(os.readlink(f"/proc/{process}/fd/{number}"))
    return sorted(files)


class TestReload:
    def test_a_wrong_setting_is_told_and_the_service_goes_on(self, configured):
        configured.write(threads="many")
        configured.ask(signal.SIGUSR2)
        eventually(lambda: REFUSED in configured.log_text())
        assert "threads: must be an integer" in configured.log_text()
        assert answers(configured.api) and configured.starts() == 1
        configured.write(threads=2)
        configured.ask(signal.SIGUSR2)
        eventually(lambda: configured.starts() == 2)
        eventually(lambda: answers(configured.api))

    @pytest.mark.parametrize(("text", "reason"), [
        ("data: {{ data_dir }}", "data: must be one value, not a list or a group of values"),
        ("? {a: 1}", "config: line 1: the name of a setting must be a text"),
        ("link-lifetime: 9223372036854775807:59", "link-lifetime: must be an integer from 1"),
    ])
    def test_a_file_that_is_no_list_of_settings_is_told_and_the_service_goes_on(self, configured, text, reason):
        configured.file.write_text(text + "\n")
        configured.ask(signal.SIGUSR2)
        eventually(lambda: REFUSED in configured.log_text())
        assert reason in configured.log_text()
        assert answers(configured.api) and configured.starts() == 1

    def test_an_address_in_use_is_told_and_the_service_goes_on(self, configured):
        with socket.create_server(("127.0.0.1", 0)) as other:
            configured.write(listen=f"127.0.0.1:{other.getsockname()[1]}")
            configured.ask(signal.SIGUSR2)
            eventually(lambda: REFUSED in configured.log_text())
        assert answers(configured.public) and configured.starts() == 1

    def test_what_the_next_start_would_refuse_is_told_and_the_service_goes_on(self, configured, tmp_path):
        other = tmp_path / "other"
        other.mkdir()
        (other / "notes.txt").write_text("mine")
        key = configured.data / "operator.key"
        own_port = configured.listen.rpartition(":")[2]
        refused = 0
        for change in (
            {"api-listen": f"localhost:{own_port}"}, {"listen": f"0:{free_port()}"}, {"data": other},
            {"storage": "postgres://consentlink@127.0.0.1/consentlink"}, "open key",
        ):
            configured.write(**(change if isinstance(change, dict) else {}))
            key.chmod(0o640 if change == "open key" else 0o600)
            configured.ask(signal.SIGUSR2)
            refused += 1
            eventually(lambda: configured.log_text().count(REFUSED) == refused)
            assert answers(configured.public) and configured.starts() == 1, change
        key.chmod(0o600)

    @pytest.mark.embedded_storage_only
    @pytest.mark.parametrize(("name", "added", "what", "removed"), [
        ("consentlink.db", "CREATE INDEX my_report ON interactions (occurred_at)", "the index my_report is not known",
         "DROP INDEX my_report"),
        ("spool.db", "CREATE TABLE t (a)", "the table t is not known", "DROP TABLE t"),
        ("consentlink.db", "CREATE VIEW v AS SELECT 1", "has a trigger or a view", "DROP VIEW v"),
    ])
    def test_a_database_that_another_program_changed_is_told_and_the_service_goes_on(
            self, configured, name, added, what, removed):
        """A start would refuse it. So is a backup, on which no service could start either."""
        operator = Operator(configured)
        org = operator.make("restrictive")
        first = operator.expect(201, "POST", "/v1/backup").json()["folder"]

        def change(statement):
            with contextlib.closing(sqlite3.connect(configured.data / name, isolation_level=None)) as theirs:
                theirs.execute(statement)

        def doctor():
            return CommandLine(configured).run("doctor", "--data", str(configured.data)).stdout

        change(added)
        configured.ask(signal.SIGUSR2)
        eventually(lambda: REFUSED in configured.log_text())
        assert what in configured.log_text()
        assert answers(configured.public) and configured.starts() == 1
        org.record("ana@people.example", "given")

        refusal = operator.call("POST", "/v1/backup")
        assert refusal.status_code == 503
        for text in (name, what, removed.rpartition(" ")[0]):
            assert text in refusal.json()["detail"]
        assert '"no backup was made"' in configured.log_text()
        assert [str(path) for path in Path(first).parent.iterdir()] == [first]
        assert f"{name} " in doctor() and what in doctor()

        change(removed)
        assert what not in doctor()
        operator.expect(201, "POST", "/v1/backup")
        configured.ask(signal.SIGUSR2)
        eventually(lambda: configured.starts() == 2)
        eventually(lambda: answers(configured.api))

    def test_a_start_that_is_refused_leaves_the_databases_locked(self, configured):
        org = Operator(configured).make("restrictive")
        with socket.create_server(("127.0.0.1", 0)) as other:
            configured.write(listen=f"127.0.0.1:{other.getsockname()[1]}")
            configured.ask(signal.SIGUSR2)
            eventually(lambda: REFUSED in configured.log_text())
        # Another program takes the log with it when it believes that it is the last one.
        for name in ("spool.db", "consentlink.db"):
            with contextlib.closing(sqlite3.connect(configured.data / name)) as theirs:
                theirs.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            assert (configured.data / f"{name}-wal").exists(), f"{name} was not locked"
        org.record("ana@people.example", "given")

    def test_who_asks_it_to_end_while_it_starts_again_is_obeyed(self, configured):
        for wait in (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8):
            if not configured.is_running:
                configured.start()
            configured.ask(signal.SIGUSR2)
            time.sleep(wait)
            configured.ask(signal.SIGTERM)
            assert configured.process.wait(timeout=15) == 0, f"{wait} s after the other signal"

    def test_no_file_stays_open_when_it_starts_again(self, configured):
        first = None
        for starts in range(2, 6):
            configured.ask(signal.SIGUSR2)
            eventually(lambda: configured.starts() == starts)
            eventually(lambda: answers(configured.api))
            # Those that are open for a moment would hide one that stays.
            first = first or min((inherited(configured.process.pid) for _ in range(50) if not time.sleep(0.02)), key=len)
        assert len(first) >= 3, "standard input, output and error go on"
        eventually(lambda: inherited(configured.process.pid) == first)

    def test_a_program_that_was_written_half_is_told_and_the_service_goes_on(self, tmp_path):
        program, next_one = tmp_path / "consentlink", tmp_path / "next"

        def put(share):
            """Replaces the program by the beginning of itself."""
            whole = Path(binary()).read_bytes()
            next_one.write_bytes(whole[: int(len(whole) * share)])
            next_one.chmod(0o755)
            next_one.replace(program)

        put(1)
        service = Configured(tmp_path / "service", program=program).start()
        try:
            put(0.1)
            service.ask(signal.SIGUSR2)
            eventually(lambda: REFUSED in service.log_text())
            assert "called with --version" in service.log_text()
            assert answers(service.public) and service.starts() == 1
            put(1)
            service.ask(signal.SIGUSR2)
            eventually(lambda: service.starts() == 2)
            eventually(lambda: answers(service.api))
        finally:
            assert service.stop() == 0

    def test_more_threads_than_the_system_gives_are_told_and_the_service_goes_on(self, tmp_path):
        service = Limited(tmp_path / "service", *address_space(6000)).start()
        try:
            service.write(threads=1024)
            service.ask(signal.SIGUSR2)
            eventually(lambda: REFUSED in service.log_text())
            assert "lower the setting threads" in service.log_text()
            assert answers(service.public) and service.starts() == 1
        finally:
            assert service.stop() == 0

    def test_listeners_move_to_where_the_settings_say(self, configured):
        before = configured.public
        moved = f"127.0.0.1:{free_port()}"
        configured.write(listen=moved)
        configured.ask(signal.SIGUSR2)
        eventually(lambda: answers(f"http://{moved}"))
        assert not answers(before)
        eventually(lambda: answers(configured.api))

    def test_listeners_can_change_places(self, configured):
        configured.write(**{"listen": configured.api_listen, "api-listen": configured.listen})
        configured.ask(signal.SIGUSR2)
        eventually(lambda: configured.starts() == 2)
        # The metrics are on the private listener alone.
        eventually(lambda: answers(configured.public) and httpx.get(f"{configured.public}/metrics").status_code == 200)


def test_a_socket_that_is_passed_must_be_where_the_setting_says(tmp_path):
    service = Service(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as passed:
        number = passed.fileno()
        script = f'exec 3<&{number}; LISTEN_FDS=1 LISTEN_FDNAMES=public LISTEN_PID=$$ exec "$@"'
        done = subprocess.run(
            ["bash", "-c", script, "bash", *service.command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            cwd=tmp_path, env=service.environment, pass_fds=(number,), timeout=60)
        assert done.returncode == 2, done.stderr
        assert f"listen is {service.listen}" in done.stderr
        assert f"127.0.0.1:{passed.getsockname()[1]}" in done.stderr


@pytest.mark.parametrize(("count", "names", "surplus"), [(1, "metrics", "metrics"), (2, "public:public", "public")])
def test_a_socket_that_no_listener_takes_is_refused(tmp_path, count, names, surplus):
    with socket.create_server(("127.0.0.1", 0)) as passed:
        number = passed.fileno()
        service = Service(tmp_path, listen=f"127.0.0.1:{passed.getsockname()[1]}")
        script = f'exec 3<&{number} 4<&{number}; LISTEN_FDS={count} LISTEN_FDNAMES={names} LISTEN_PID=$$ exec "$@"'
        done = subprocess.run(
            ["bash", "-c", script, "bash", *service.command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            cwd=tmp_path, env=service.environment, pass_fds=(number,), timeout=60)
        assert done.returncode == 2, done.stderr
        assert f'a socket named "{surplus}" that no listener takes' in done.stderr


class TestFronts:
    def test_a_front_that_asks_is_told_of_the_end_before_anything_closes(self, configured):
        def ask(listener, path):
            return wire.ask(listener, "GET", path)

        for _ in range(3):
            assert ask(configured.api_listen, "/readyz?for=links").status == 200
            time.sleep(0.2)
        configured.ask(signal.SIGTERM)
        eventually(lambda: ask(configured.api_listen, "/readyz").status == 503, every=0)
        for query in ("", "?for=links", "?for=api"):
            answer = ask(configured.api_listen, f"/readyz{query}")
            assert answer.status == 503 and json.loads(answer.body)["detail"] == "the service is being stopped"
        # It asks once more, as one that wants two failures does, and those who did not hear of it are answered.
        time.sleep(0.5)
        assert ask(configured.listen, "/readyz?for=links").status == 503
        assert ask(configured.listen, "/r/unknown").status == 404
        assert ask(configured.api_listen, "/healthz").status == 200
        assert configured.process.wait(timeout=30) == 0

    def test_who_asks_during_a_reload_is_told_nothing_of_it(self, configured):
        said = []

        def has_started_again():
            said.append(httpx.get(f"{configured.api}/readyz").status_code)
            return configured.starts() == 2

        configured.ask(signal.SIGUSR2)
        eventually(has_started_again, every=0)
        assert set(said) == {200}


def test_without_its_arguments_nothing_is_done_and_nothing_is_said_to_be(tmp_path):
    """As in a chroot without /proc, where Swift finds no arguments: no help, and no exit code of a success."""
    script = 'mount --make-rprivate / && umount --lazy /proc && exec "$@"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", str(binary()), "backup", "--data", str(tmp_path)],
        capture_output=True, text=True, timeout=20,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, ""), done
    assert done.stderr == "consentlink: the arguments cannot be read: /proc is not mounted\n"
