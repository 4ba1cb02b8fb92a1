"""The command line: an operator's commands, and what `serve` refuses to start with."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import threading
import time
from datetime import datetime
from pathlib import Path

import pytest

from harness import times, tokens, wire
from harness.client import EVERY_SCOPE, Operator, Organization, message, person, unique
from harness.eventually import eventually
from harness.service import CommandLine, Service, binary, environment, free_port

COMMANDS = [
    (),
    ("serve",),
    ("init",),
    ("doctor",),
    ("org",),
    ("org", "create"),
    ("org", "key"),
    ("keys",),
    ("keys", "list"),
    ("keys", "rotate"),
    ("keys", "retire"),
    ("inspect",),
    ("backup",),
    ("compose",),
    ("audit",),
    ("audit", "export"),
    ("audit", "show"),
    ("consents",),
    ("consents", "import"),
    ("endpoint",),
    ("endpoint", "create"),
    ("endpoint", "attempts"),
    ("endpoint", "secret"),
    ("endpoint", "delete"),
    ("relay",),
    ("verify",),
]


class TestHelp:
    def test_the_version_is_one_line(self):
        done = CommandLine().run("--version")
        assert done.returncode == 0
        assert re.fullmatch(r"(consentlink )?\d+\.\d+(\.\d+)?\S*\n", done.stdout), done.stdout

    @pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["serve", "--help"], ["help", "serve"]])
    def test_needs_no_settings(self, arguments):
        done = CommandLine().run(*arguments, settings={"CONSENTLINK_DATA": '"/srv/data"'})
        assert (done.returncode, done.stderr) == (0, "")
        assert "consentlink" in done.stdout

    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command) or "alone")
    def test_every_command_explains_itself(self, command):
        done = CommandLine().run(*command, "--help")
        assert done.returncode == 0
        assert "USAGE" in done.stdout.upper()
        if command and command[0] not in ("org", "keys") or len(command) == 2:
            assert re.search(r"^\s*\$?\s*consentlink " + " ".join(command), done.stdout, re.MULTILINE), "no example"

    @pytest.mark.parametrize("columns", [80, 100])
    def test_no_line_of_any_commands_help_is_wider_than_the_terminal(self, columns):
        """Also of those that the list above does not have."""
        wide, waiting, seen = [], [()], set()
        while waiting:
            command = waiting.pop()
            seen.add(command)
            said = CommandLine().run(*command, "--help", settings={"COLUMNS": str(columns)}).stdout
            wide += [(command, line) for line in said.splitlines() if len(line) > columns]
            # An example that is wrapped cannot be pasted.
            whole = CommandLine().run(*command, "--help", settings={"COLUMNS": "1000"}).stdout
            _, _, examples = whole.partition("\nUSAGE: ")[0].partition("\nEXAMPLE\n")
            wide += [(command, line) for line in examples.splitlines() if len(line) > columns]
            _, _, below = said.partition("\nSUBCOMMANDS:\n")
            names = re.findall(r"^  ([a-z-]+)", below.partition("\n\n")[0], re.MULTILINE)
            waiting += [(*command, name) for name in names if name != "help"]
        assert seen > set(COMMANDS), "not every command was found"
        assert wide == []

    def test_without_a_terminal_a_line_has_80_columns_also_where_the_usage_is_wrong(self):
        wrong = CommandLine().run("compose").stderr
        usage = re.search(r"^Usage: .*\n(?: {7}\S.*\n)+", wrong, re.MULTILINE)[0]
        assert max(map(len, usage.splitlines())) <= 80
        (whole,) = re.findall(r"^USAGE: .*(?:\n {7}\S.*)*", CommandLine().run("compose", "--help").stdout, re.MULTILINE)
        assert whole.split()[1:] == usage.split()[1:]

    @pytest.mark.parametrize(
        "arguments",
        [
            ("fly",),
            ("serve", "--fly"),
            ("init", "--new-operator-key", "--replace-spool"),
            ("init", "somewhere"),
            ("doctor", "--api", "nowhere"),
            ("org", "create"),
            ("org", "create", "acme"),
            ("keys", "retire"),
            ("inspect",),
            ("backup", "here"),
            ("compose", "message.json", "recipients.txt"),
            ("audit",),
            ("audit", "--org", "acme", "--csv", "--json"),
            ("audit", "--org", "acme", "--limit", "0"),
            ("audit", "export", "--org", "acme"),
            ("audit", "show", "--org", "acme"),
            ("consents", "import", "consents.csv"),
            ("verify",),
            ("verify", "nowhere.tar"),
            ("verify", "nowhere.tar", "--key", "nonsense"),
            ("verify", "nowhere.tar", "--key", "links.example.com/acme+a0316f89+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"),
            ("org", "create", "acme", "--enforcement", "sometimes"),
        ],
        ids=" ".join,
    )
    def test_wrong_usage_is_2_and_says_so_on_standard_error(self, arguments, tmp_path):
        done = CommandLine().run(*arguments, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        assert done.stdout == "" and done.stderr != ""


class TestOrganizations:
    def test_are_created_for_programs(self, service, command_line):
        id = unique("org")
        made = command_line.json("org", "create", id, "--enforcement", "restrictive")
        assert (made["id"], made["enforcement"]) == (id, "restrictive")
        assert sorted(made["key"]["scopes"]) == sorted(EVERY_SCOPE)
        org = Organization(service, id, made["key"]["key"])
        assert org.compose([person()]).payloads[0]["decision"]["reason"] == "noConsentRecord"

    def test_are_created_for_people(self, service, command_line):
        id = unique("org")
        done = command_line.ask("org", "create", id, "--enforcement", "nonRestrictive")
        assert done.returncode == 0, done.stderr
        (key,) = re.findall(r"clk_[A-Za-z0-9_-]+", done.stdout)
        assert id in done.stdout
        assert Organization(service, id, key).compose([person()]).payloads[0]["decision"]["reason"] == "notOptedOut"

    def test_are_not_created_twice(self, org, command_line):
        done = command_line.ask("org", "create", org.id, "--enforcement", "restrictive")
        assert done.returncode == 1
        assert done.stdout == "" and done.stderr != ""

    def test_get_keys_with_the_scopes_named(self, org, command_line):
        made = command_line.json("org", "key", org.id, "--scope", "compose", "--scope", "read")
        assert sorted(made["scopes"]) == ["compose", "read"]
        key = Organization(org.service, org.id, made["key"])
        assert key.call("GET", org.path("/decisions")).status_code == 200
        assert key.call("GET", org.path("/keys")).status_code == 403
        done = command_line.ask("org", "key", org.id, "--scope", "consent")
        assert done.returncode == 0 and len(re.findall(r"clk_[A-Za-z0-9_-]+", done.stdout)) == 1

    def test_unknown_get_no_keys(self, command_line):
        name = unique("nobody")
        done = command_line.ask("org", "key", name, "--scope", "read")
        assert done.returncode == 1 and done.stdout == ""
        assert f"there is no organization {name}" in done.stderr


class TestEndpoints:
    def test_get_another_secret_and_are_deleted(self, org, command_line):
        made = command_line.json("endpoint", "create", org.id, "https://crm.example/hooks", "--kind", "consent.recorded")
        rotated = command_line.json("endpoint", "secret", org.id, made["id"])
        assert rotated["secret"].startswith("whsec_") and rotated["secret"] != made["secret"]
        told = command_line.ask("endpoint", "secret", org.id, made["id"])
        assert told.returncode == 0 and re.search(r"shown once: whsec_\S{44}\n.*valid until 20\d\d-", told.stdout), told
        assert command_line.ask("endpoint", "delete", org.id, made["id"]).stdout == f"Endpoint {made['id']} is deleted.\n"
        assert command_line.json("endpoint", "list", org.id)["endpoints"] == []
        for command in ("delete", "secret"):
            gone = command_line.ask("endpoint", command, org.id, made["id"])
            assert (gone.returncode, gone.stdout) == (1, "") and made["id"] in gone.stderr


class TestWrongAddresses:
    """What is wrong with them is said, and not only that something is."""

    COMMANDS = [("keys", "retire", "250"), ("org", "key", "acme", "--scope", "read"), ("audit", "--org", "acme"), ("keys", "list")]

    @pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
    def test_the_public_listener_is_told_from_the_private_one(self, service, command_line, command):
        done = command_line.run(*command, "--api", service.public, "--data", str(service.data))
        assert done.returncode == 1 and "is the public listener" in done.stderr and service.public in done.stderr

    @pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
    def test_nobody_there_is_said_in_words(self, service, command_line, command):
        nowhere = f"http://127.0.0.1:{free_port()}"
        done = command_line.run(*command, "--api", nowhere, "--data", str(service.data))
        assert done.returncode == 1
        assert done.stderr.strip() == f"consentlink: cannot reach {nowhere}: connection refused"

    def test_a_host_that_there_is_not_is_said_in_words(self, service, command_line):
        done = command_line.run("keys", "list", "--api", "http://nowhere.invalid:1", "--data", str(service.data))
        assert done.returncode == 1 and "cannot reach http://nowhere.invalid:1: " in done.stderr
        assert "Error" not in done.stderr and "(" not in done.stderr

    def test_what_is_missing_has_a_name(self, command_line):
        done = command_line.ask("keys", "retire", "250")
        assert done.returncode == 1 and "there is no key 250" in done.stderr
        done = command_line.ask("audit", "export", "--org", "nobody-here", "--output", "/tmp/never.tar")
        assert done.returncode == 1 and "there is no organization nobody-here" in done.stderr


class TestCredentials:
    def test_come_from_the_environment_too(self, service, command_line, tmp_path):
        done = command_line.run(
            "keys",
            "list",
            "--json",
            "--api",
            service.api,
            cwd=tmp_path,
            settings={"CONSENTLINK_KEY": service.operator_key},
        )
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)

    def test_that_are_wrong_are_refused(self, service, command_line, tmp_path):
        done = command_line.run(
            "keys", "list", "--api", service.api, cwd=tmp_path, settings={"CONSENTLINK_KEY": "clk_wrong"}
        )
        assert done.returncode == 1 and done.stdout == ""
        assert f"The service at {service.api} does not know the key in CONSENTLINK_KEY." in done.stderr
        assert "clk_wrong" not in done.stderr

    def test_of_another_folder_are_told_with_its_file(self, service, command_line, tmp_path):
        assert command_line.run("init", "--data", str(tmp_path / "other")).returncode == 0
        done = command_line.run("keys", "list", "--api", service.api, "--data", "other", cwd=tmp_path)
        assert done.returncode == 1
        assert f"The service at {service.api} does not know the key in other/operator.key." in done.stderr

    def test_of_an_organization_do_not_open_the_key_ring(self, org, command_line, tmp_path):
        done = command_line.run(
            "keys", "rotate", "--api", org.service.api, cwd=tmp_path, settings={"CONSENTLINK_KEY": org.key}
        )
        assert done.returncode == 1 and done.stdout == ""

    def test_without_a_service_say_what_is_missing(self, service, command_line):
        nowhere = f"http://127.0.0.1:{free_port()}"
        done = command_line.run("keys", "list", "--api", nowhere, "--data", str(service.data))
        assert done.returncode == 1 and done.stdout == ""
        assert nowhere.removeprefix("http://") in done.stderr


class TestInspect:
    def test_says_what_a_token_says(self, org, command_line):
        link = org.tracked_link()
        token = tokens.of_link(link.url)
        for told in (command_line.ask("inspect", token), command_line.ask("inspect", token, "--json")):
            assert told.returncode == 0, told.stderr
            for known in (org.id, link.message, "https://shop.example/offer?a=1&b=2"):
                assert known in told.stdout.replace("\\/", "/")
        assert isinstance(json.loads(told.stdout), dict)

    def test_records_nothing(self, org, command_line):
        link = org.tracked_link()
        assert command_line.ask("inspect", tokens.of_link(link.url)).returncode == 0
        assert org.clicks(link) == []

    def test_refuses_a_forged_token(self, org, command_line):
        token = tokens.of_link(org.tracked_link().url)
        for forged in (token[:-2] + ("A" if token[-2] != "A" else "B") + token[-1], token[:-1], "nonsense"):
            done = command_line.ask("inspect", forged)
            assert done.returncode == 1
            assert org.id not in done.stdout and "shop.example" not in done.stdout

    def test_of_an_erased_person_names_nobody(self, org, command_line):
        link = org.tracked_link()
        org.erase(link.recipient)
        done = command_line.ask("inspect", tokens.of_link(link.url), "--json")
        assert link.recipient not in done.stdout + done.stderr


WRONG_SETTINGS = {
    "listen": ["nonsense", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:http", ""],
    "api-listen": ["nonsense", "127.0.0.1:65536"],
    "console-listen": ["", "nonsense", "Off", "127.0.0.1:65536"],
    "console-url": ["", "http://console.example", "console.example", "https://console.example/x", "https://a@b.example"],
    "public-url": [
        "links.example",
        "ftp://links.example",
        "https://links.example/path",
        "https://links.example?x=1",
        "https://user@links.example",
        "https://",
    ],
    "link-lifetime": ["0", "-1", "1.5", "forever", ""],
    "min-ask-again-days": ["-1", "181", "1.5", "never", ""],
    "disk-floor": ["-1", "1.5", "much", "1048577"],
    "threads": ["0", "-2", "many"],
    "missing-data": ["", "true", "Refuse", "init"],
    "storage": ["", "SQLite", "mysql://db/links", "postgres://user:hunter2@db/links", "postgres://db:0/links"],
    "durability": ["", "some", "Quorum"],
    "node-name": ["", "a b", "a/b", "ä", "a" * 64],
    "roles": ["", "links;api", "links,links", "link", "api,"],
    "stale-clicks": ["", "judge", "Skip"],
    "peer-address": ["", "10.0.0.2:8081", "ftp://10.0.0.2", "http://10.0.0.2:8081/v1", "http://user@10.0.0.2"],
    "log-level": ["loud", "7", ""],
    "backups": ["", "data", "data/backups", "./x/../data/backups"],
}
# What YAML can hold besides, and no flag: other types, and what is no setting at all.
WRONG_YAML = {
    "data": ["[a]", "{a: b}", "null", "''"],
    "backups": ["[a]", "{a: b}", "null", "''"],
    "listen": ["8080", "[127.0.0.1:8080]", "{host: 127.0.0.1}", "null", "true"],
    "api-listen": ["8081", "[127.0.0.1:8081]"],
    "console-listen": ["8082", "[127.0.0.1:8082]", "true"],
    "console-url": ["true", "[https://console.example]", "http://console.example"],
    "public-url": ["8080", "[https://links.example]", "true"],
    "min-ask-again-days": ["-1", "1.5", "true", "[180]", "181", "99999999999999999999", "never", "null"],
    "link-lifetime": ["0", "1.5", "true", "[180]", "3651", "99999999999999999999", "many", "null"],
    "disk-floor": ["-1", "[256]", "true"],
    "threads": ["0", "-1", "[2]", "{n: 2}", "2.5", "1025"],
    "missing-data": ["true", "[make]", "null", "1"],
    "storage": ["true", "[sqlite]", "null", "5432"],
    "durability": ["true", "[local]", "null", "1"],
    "node-name": ["[a]", "{a: b}", "a b"],
    "roles": ["[links]", "true"],
    "stale-clicks": ["true", "[skip]"],
    "peer-address": ["8081", "[http://10.0.0.2:8081]", "true"],
    "log-level": ["7", "[info]", "true", "INFO!"],
    "threds": ["2"],
    "serve": ["{threads: 2}"],
}
WRONG_IN_A_FILE = [(setting, value) for setting, values in WRONG_YAML.items() for value in values]

WRONG = [(setting, value) for setting, values in WRONG_SETTINGS.items() for value in values]


class TestSettings:
    """A wrong setting is named on standard error before anything is bound or written."""

    def assert_refused(self, tmp_path, setting, flags=(), settings=None, named=None):
        """`serve` with otherwise good settings ends with 2, naming the one that is wrong."""
        good = {
            "data": tmp_path / "data",
            "listen": f"127.0.0.1:{free_port()}",
            "api-listen": f"127.0.0.1:{free_port()}",
        }
        if setting == "backups":
            good["data"] = "data"
        others = [f"--{name}={value}" for name, value in good.items() if name != setting]
        try:
            done = CommandLine().run("serve", *others, *flags, settings=settings, cwd=tmp_path, timeout=15)
        except subprocess.TimeoutExpired as running:
            pytest.fail(f"it started instead: {running.stdout}")
        assert done.returncode == 2, done.stderr
        assert any(name in done.stderr for name in named or [setting]), done.stderr
        assert done.stdout == ""
        assert not (tmp_path / good["data"]).exists(), "the data folder was made although a setting was wrong"

    @pytest.mark.parametrize(("setting", "value"), WRONG)
    def test_wrong_in_a_flag(self, tmp_path, setting, value):
        self.assert_refused(tmp_path, setting, flags=[f"--{setting}={value}"])

    @pytest.mark.parametrize(("setting", "value"), [wrong for wrong in WRONG if wrong[1]])
    def test_wrong_in_the_environment(self, tmp_path, setting, value):
        variable = "CONSENTLINK_" + setting.upper().replace("-", "_")
        self.assert_refused(tmp_path, setting, settings={variable: value}, named=[setting, variable])

    @pytest.mark.parametrize("wrapped", ['"{}"', "'{}'", "{}\n", "{}\r\n", " {}", "{} "])
    def test_wrapped_in_a_flag_and_the_environment(self, tmp_path, wrapped):
        """A folder in quotation marks would be another folder, and the service would begin with an empty one."""
        value = wrapped.format("data")
        for given in ({"flags": [f"--data={value}"]}, {"settings": {"CONSENTLINK_DATA": value}}):
            named = ["data: must ", "CONSENTLINK_DATA in the environment must "]
            self.assert_refused(tmp_path, "data", named=named, **given)
            assert os.listdir(tmp_path) == []

    def test_a_folder_is_the_whole_path(self, tmp_path):
        """A shell leaves ~ behind = as it is, and the folder would be made here."""
        for setting in ("data", "backups"):
            for path in ("~/folder", "$HOME/folder"):
                named = [f"{setting}: must be the whole path"]
                self.assert_refused(tmp_path, setting, flags=[f"--{setting}={path}"], named=named)
                assert os.listdir(tmp_path) == []

    def test_of_two_files_are_not_one_ignored(self, tmp_path):
        for name in ("a.yaml", "b.yaml"):
            (tmp_path / name).write_text("threads: 1\n")
        flags = [f"--config={tmp_path / name}" for name in ("a.yaml", "b.yaml")]
        self.assert_refused(tmp_path, "config", flags=flags, named=["Give --config once"])

    def test_unknown_in_the_environment(self, tmp_path):
        self.assert_refused(tmp_path, "LISEN", settings={"CONSENTLINK_LISEN": "127.0.0.1:8080"})

    def test_unknown_in_a_file(self, tmp_path):
        file = tmp_path / "settings.yaml"
        file.write_text("lisen: 127.0.0.1:8080\n")
        self.assert_refused(tmp_path, "lisen", flags=[f"--config={file}"])

    @pytest.mark.parametrize(("setting", "value"), WRONG_IN_A_FILE)
    def test_wrong_in_a_file(self, tmp_path, setting, value):
        file = tmp_path / "settings.yaml"
        file.write_text(f"{setting}: {value}\n")
        self.assert_refused(tmp_path, setting, flags=[f"--config={file}"])

    @pytest.mark.parametrize("text", ["", "- threads\n", "threads\n", "threads: 2\nthreads: 3\n", "a: [1\n", "\x00"])
    def test_of_a_file_that_holds_none(self, tmp_path, text):
        file = tmp_path / "settings.yaml"
        file.write_text(text)
        self.assert_refused(tmp_path, "config", flags=[f"--config={file}"])

    @pytest.mark.parametrize(
        ("text", "finding"),
        [
            ("threads: 2\nlisten: [1\n", "config: line 3: "),
            ("threads: 2\n  listen: x: y\n", "config: line 2: "),
            ("threads: 2\nthreads: 3\n", "config: threads: set twice"),
        ],
    )
    def test_of_a_file_with_a_fault_names_the_line(self, tmp_path, text, finding):
        file = tmp_path / "settings.yaml"
        file.write_text(text)
        self.assert_refused(tmp_path, "config", flags=[f"--config={file}"], named=[finding])

    @pytest.mark.parametrize(
        ("name", "reason"), [("missing.yaml", "No such file or directory"), ("folder", "it is a folder")]
    )
    def test_of_a_file_that_cannot_be_read_says_why(self, tmp_path, name, reason):
        (tmp_path / "folder").mkdir()
        path = tmp_path / name
        self.assert_refused(tmp_path, "config", flags=[f"--config={path}"], named=[f"{path} cannot be read: {reason}"])

    def test_of_a_file_that_the_environment_names(self, start, tmp_path):
        file = tmp_path / "settings.yaml"
        file.write_text("link-lifetime: 7\n")
        assert self.lifetime(start(settings={"CONSENTLINK_CONFIG": str(file)})) == 7
        other = tmp_path / "other.yaml"
        other.write_text("link-lifetime: 9\n")
        assert self.lifetime(start(flags=["--config", str(other)], settings={"CONSENTLINK_CONFIG": str(file)})) == 9
        self.assert_refused(tmp_path, "config", settings={"CONSENTLINK_CONFIG": str(tmp_path / "missing.yaml")})

    @pytest.mark.parametrize("flag", ["--durability=quorum", "--peer-address=http://10.0.0.2:8081"])
    def test_that_count_only_on_a_server_are_refused_without_one(self, tmp_path, flag):
        setting = flag.removeprefix("--").partition("=")[0]
        self.assert_refused(tmp_path, setting, flags=[flag], named=[f"{setting}: must "])

    @pytest.mark.parametrize("host", ["0.0.0.0", "[::]"])
    def test_of_every_address_need_a_public_url(self, tmp_path, host):
        """Or mail would go out with links that nobody can follow."""
        flags = [f"--listen={host}:{free_port()}"]
        self.assert_refused(tmp_path, "listen", flags=flags, named=["public-url: must be set if listen is every"])

    @pytest.mark.parametrize(
        ("listen", "api"),
        [
            ("127.0.0.1:{}", "127.0.0.1:{}"), ("0.0.0.0:{}", "127.0.0.1:{}"), ("127.0.0.1:{}", "0.0.0.0:{}"),
            ("127.0.0.1:{}", "[::]:{}"),
        ],
    )  # fmt: skip
    def test_of_two_listeners_at_one_address_are_refused(self, tmp_path, listen, api):
        port = free_port()
        data = tmp_path / "data"
        flags = [f"--listen={listen.format(port)}", f"--api-listen={api.format(port)}", "--public-url=http://x.example"]
        done = CommandLine().run("serve", "--data", str(data), *flags, cwd=tmp_path, timeout=15)
        assert done.returncode == 2, done.stderr
        assert done.stderr == "consentlink: api-listen: must be another address than listen\n"
        assert not data.exists()

    @pytest.mark.parametrize("setting", ["listen", "api-listen"])
    def test_of_a_port_that_is_taken_are_named_in_one_line(self, tmp_path, setting):
        with socket.socket() as squatter:
            squatter.bind(("127.0.0.1", 0))
            squatter.listen()
            taken = f"127.0.0.1:{squatter.getsockname()[1]}"
            ports = {"listen": f"127.0.0.1:{free_port()}", "api-listen": f"127.0.0.1:{free_port()}", setting: taken}
            flags = [f"--{name}={value}" for name, value in ports.items()]
            done = CommandLine().run(
                "serve", "--data", str(tmp_path / "data"), "--log-level", "error", *flags, timeout=15
            )
        assert done.returncode == 1
        assert done.stderr == (
            f"consentlink: address in use: {taken} ({setting}); end the program that has it, or choose another address\n"
        )

    def test_wrong_one_leaves_both_ports_alone(self, tmp_path):
        """The ports are somebody else's: the setting is what is complained of, not they."""
        with socket.socket() as one, socket.socket() as other:
            taken = []
            for squatter in (one, other):
                squatter.bind(("127.0.0.1", 0))
                squatter.listen()
                taken.append(f"127.0.0.1:{squatter.getsockname()[1]}")
            flags = [f"--listen={taken[0]}", f"--api-listen={taken[1]}", "--threads=none"]
            done = CommandLine().run("serve", "--data", str(tmp_path / "data"), *flags, cwd=tmp_path)
        assert done.returncode == 2 and "threads" in done.stderr, done.stderr
        assert all(address not in done.stderr for address in taken)

    def test_in_a_file_that_is_missing_or_no_yaml(self, tmp_path):
        self.assert_refused(tmp_path, "config", flags=[f"--config={tmp_path / 'missing.yaml'}"])
        broken = tmp_path / "broken.yaml"
        broken.write_text("listen: [1\n")
        self.assert_refused(tmp_path, "config", flags=[f"--config={broken}"])

    def lifetime(self, service):
        """The setting `link-lifetime` as the links of a service show it."""
        link = Operator(service).make().tracked_link()
        return int((tokens.fields(tokens.of_link(link.url)).expires - time.time()) / 86_400)

    def test_of_a_flag_win_over_the_environment_and_that_over_a_file(self, start, tmp_path):
        file = tmp_path / "settings.yaml"
        file.write_text("link-lifetime: 5\n")
        in_file, in_environment = ["--config", str(file)], {"CONSENTLINK_LINK_LIFETIME": "50"}
        assert self.lifetime(start(flags=in_file)) == 5
        assert self.lifetime(start(flags=in_file, settings=in_environment)) == 50
        flags = [*in_file, "--link-lifetime", "500"]
        assert self.lifetime(start(flags=flags, settings=in_environment)) == 500

    def test_that_make_the_lifetime_shorter_retire_no_key_earlier(self, start):
        service = start(flags=["--link-lifetime", "500"])
        link = Operator(service).make().tracked_link()
        service.stop()
        service.flags = ["--link-lifetime", "5"]
        service.start()
        operator = Operator(service)
        operator.expect(201, "POST", "/v1/keyring/rotate")
        first, second = operator.expect(200, "GET", "/v1/keyring").json()["keys"]
        days = (datetime.fromisoformat(first["linksAliveUntil"]).timestamp() - time.time()) / 86_400
        assert 499 < days < 502
        assert operator.call("POST", f"/v1/keyring/{first['id']}/retire", {"force": False}).status_code == 409
        assert wire.follow(link.url).status == 302

    def test_of_the_public_url_show_in_links(self, start):
        service = start(settings={"CONSENTLINK_PUBLIC_URL": "https://links.example"})
        assert Operator(service).make().tracked_link().url.startswith("https://links.example/r/")


class TestRelaySettings:
    @pytest.mark.parametrize(
        ("flags", "settings", "keys", "said"), [
            ([], {"CONSENTLINK_RELAY_ALOW": "x"}, "acme clk_1", "CONSENTLINK_RELAY_ALOW is not a setting"),
            ([], {"CONSENTLINK_RELAY_ALLOW": "http://x:80"}, "acme clk_1", "must name hosts alone"),
            (["--relay-allow", "x:80"], {}, "acme clk_1", "must name hosts alone"),
            (["--data=~/relay"], {}, "acme clk_1", "must be the whole path"),
        ])
    def test_what_means_nothing_is_refused(self, tmp_path, flags, settings, keys, said):
        file = tmp_path / "keys"
        file.touch(0o600)
        file.write_text(keys)
        done = subprocess.run(
            [binary(), "relay", "--data", tmp_path / "relay", "--keys", file, *flags], stdin=subprocess.DEVNULL,
            capture_output=True, env=environment(**settings), timeout=60, text=True)
        assert done.returncode == 2
        assert said in done.stderr


class TestTheLog:
    """What the log says of a life from start to stop."""

    def lines(self, service):
        return [json.loads(line) for line in service.log_text().splitlines()]

    def line(self, service, message):
        found = [line for line in self.lines(service) if line["message"] == message]
        assert len(found) == 1, self.lines(service)
        return found[0]

    def test_of_a_start_has_the_version_and_every_setting(self, start):
        service = start(flags=["--public-url", "https://links.example", "--link-lifetime", "30"])
        line = self.line(service, "the service starts")
        manifest = json.loads((service.data / "manifest.json").read_text())
        version = CommandLine().run("--version").stdout.split()[-1]
        expected = {
            "level": "info", "version": version, "folder": manifest["folder"], "data": str(service.data),
            "backups": str(service.folder / "data-backups"), "listen": service.listen, "log-level": "info",
            "api-listen": service.api_listen, "public-url": "https://links.example", "link-lifetime": "30",
            "min-ask-again-days": "180",
        }  # fmt: skip
        assert {name: line[name] for name in expected} == expected

    @pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
    def test_of_a_stop_has_its_beginning_and_its_end(self, own_service, by):
        own_service.stop(by)
        asked = self.line(own_service, "a signal asked the service to stop: it finishes the requests in flight")
        stopped = self.line(own_service, "the service has stopped")
        assert asked["time"] <= stopped["time"]
        assert self.lines(own_service)[-1] == stopped

    def test_warns_of_a_private_listener_that_others_can_reach(self, tmp_path, start):
        port = free_port()
        assert "other machines" not in start().log_text()
        service = Service(tmp_path, api_listen=f"0.0.0.0:{port}").start()
        assert self.line(service, [m["message"] for m in self.lines(service) if "other machines" in m["message"]][0])
        assert service.stop() == 0


    @pytest.mark.parametrize(("limit", "warns"), [(4096, True), (10_000, True), (15_000, False)])
    def test_warns_of_few_file_descriptors_where_they_are_few(self, tmp_path, limit, warns):
        class Limited(Service):
            @property
            def command(self):
                return ["sh", "-c", f'ulimit -n {limit} && exec "$@"', "sh", *super().command]

        service = Limited(tmp_path).start()
        assert service.stop() == 0
        found = [line for line in self.lines(service) if line["message"].startswith("the limit of open files")]
        assert len(found) == warns and all(int(line["connections"]) < limit - 256 for line in found)


class TestDoctor:
    def doctor(self, service, *arguments, settings=None):
        listeners = {"CONSENTLINK_LISTEN": service.listen, "CONSENTLINK_API_LISTEN": service.api_listen}
        return CommandLine(service).run(
            "doctor", "--data", str(service.data), *arguments, settings=listeners | service.storage | (settings or {})
        )

    def entries(self, service, **options):
        done = self.doctor(service, "--json", **options)
        assert done.returncode in (0, 1), done.stderr
        answer = json.loads(done.stdout)
        assert answer["well"] == (done.returncode == 0)
        assert answer["well"] == all(entry["remedy"] is None for entry in answer["entries"])
        return answer

    def findings(self, service, subject):
        """What needs to be done about one thing."""
        entries = self.entries(service)["entries"]
        return [entry for entry in entries if entry["subject"] == subject and entry["remedy"]]

    def test_finds_nothing_wrong_with_a_service_that_is_backed_up(self, own_service, own_org):
        own_org.tracked_link()
        assert CommandLine(own_service).ask("backup").returncode == 0
        answer = self.entries(own_service)
        wrong = [entry for entry in answer["entries"] if entry["remedy"] and entry["subject"] != "disk"]
        assert wrong == []
        said = {entry["subject"]: entry["text"] for entry in answer["entries"]}
        assert said["service"] == f"it runs as process {own_service.process.pid}"
        assert said["readiness"] == "it is ready"
        assert said["checkpoints"]
        assert {"folder", "size", "disk", "clock", "backup"} <= set(said)

    def test_changes_nothing_and_works_while_the_service_is_stopped(self, own_service, own_org):
        assert CommandLine(own_service).ask("backup").returncode == 0
        assert own_service.stop() == 0
        before = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in own_service.data.rglob("*") if file.is_file()}
        answer = self.entries(own_service)
        assert {"subject": "service", "text": "it does not run", "remedy": None} in answer["entries"]
        after = {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in own_service.data.rglob("*") if file.is_file()}
        assert after == before

    def test_says_which_setting_comes_from_where(self, own_service, tmp_path):
        file = tmp_path / "settings.yaml"
        file.write_text("link-lifetime: 5\nthreads: 3\n")
        answer = json.loads(
            self.doctor(
                own_service, "--json", "--config", str(file), settings={"CONSENTLINK_THREADS": "2"}
            ).stdout
        )  # fmt: skip
        found = {setting["name"]: (setting["value"], setting["source"]) for setting in answer["settings"]}
        assert found["data"] == (str(own_service.data), "flag")
        assert found["threads"] == ("2", "environment")
        assert found["link-lifetime"] == ("5", "file")
        assert found["log-level"] == ("info", "default")
        assert found["public-url"] == (own_service.public, "default")
        flags = set(re.findall(r"^  --([a-z-]+) <", CommandLine().run("serve", "--help").stdout, re.MULTILINE))
        assert set(found) == flags - {"config"}

    def test_tells_apart_what_is_set_here_and_what_the_process_was_started_with(self, own_service):
        def said():
            return [entry["text"] for entry in self.entries(own_service)["entries"] if entry["subject"] == "settings"]

        (text,) = said()
        assert "not those of the running process" in text and "the service starts" in text
        assert "the service starts" in own_service.log_text()
        assert own_service.stop() == 0
        assert said() == []

    def test_names_what_is_lost_and_what_others_can_read(self, own_service):
        assert own_service.stop() == 0
        (own_service.data / "erasure.key").unlink()
        (own_service.data / "operator.key").chmod(0o644)
        found = {entry["text"]: entry["remedy"] for entry in self.findings(own_service, "folder")}
        assert set(found) == {"erasure.key is missing", "operator.key is open to other users (mode 0644)"}
        assert "backup" in found["erasure.key is missing"]
        assert "chmod -R go=" in found["operator.key is open to other users (mode 0644)"]

    def test_asks_for_a_backup_where_there_is_none(self, own_service):
        (found,) = self.findings(own_service, "backup")
        assert "consentlink backup" in found["remedy"]

    def test_tells_of_a_backup_that_is_old(self, own_service):
        made = Path(Operator(own_service).expect(201, "POST", "/v1/backup").json()["folder"])
        made.rename(made.with_name("2026-01-01T00-00-00.000Z"))
        (found,) = self.findings(own_service, "backup")
        assert "2026-01-01T00:00:00.000Z" in found["text"] and "timer" in found["remedy"]

    def test_tells_of_a_clock_that_has_gone_back(self, own_service):
        assert own_service.stop() == 0
        later = time.time() + 3600
        os.utime(own_service.data / "spool.db", (later, later))
        (found,) = self.findings(own_service, "clock")
        assert "NTP" in found["remedy"]

    @pytest.mark.embedded_storage_only
    def test_tells_why_a_service_is_not_ready(self, own_service, own_org):
        own_org.tracked_link()
        assert own_service.stop() == 0
        (own_service.data / "ledger.key").write_bytes(os.urandom(32))
        # Or it would be refused.
        (own_service.data / "manifest.json").unlink()
        own_service.start()
        (found,) = self.findings(own_service, "readiness")
        assert "not signed with this ledger's key" in found["text"]

    def test_tells_of_a_folder_that_is_in_use_by_a_service_that_does_not_answer_there(self, own_service):
        done = self.doctor(own_service, "--json", "--api", f"http://127.0.0.1:{free_port()}")
        assert done.returncode == 1
        (found,) = [entry for entry in json.loads(done.stdout)["entries"] if entry["subject"] == "service"]
        assert str(own_service.process.pid) in found["text"] and "--api" in found["remedy"]

    @pytest.mark.parametrize("runs", [True, False])
    def test_does_not_take_the_service_of_another_folder_for_this_ones(self, own_service, service, runs):
        if not runs:
            assert own_service.stop() == 0
        done = self.doctor(own_service, "--json", "--api", service.api)
        assert done.returncode == 1
        entries = json.loads(done.stdout)["entries"]
        (found,) = [entry for entry in entries if entry["subject"] == "service"]
        here = f"process {own_service.process.pid} has this folder" if runs else "no process has this folder"
        assert found["text"].startswith(f"{here}; process {service.process.pid} answers at {service.api} ")
        assert found["text"].endswith(f"and has the folder {service.data}")
        assert f"--data {service.data}" in found["remedy"] and "--api" in found["remedy"]
        assert not {"readiness", "metrics", "spool"} & {entry["subject"] for entry in entries}

    def test_does_not_take_the_public_listener_for_the_private_one(self, own_service):
        done = self.doctor(own_service, "--json", "--api", own_service.public)
        assert done.returncode == 1
        (found,) = [entry for entry in json.loads(done.stdout)["entries"] if entry["subject"] == "metrics"]
        assert found["text"].startswith(f"{own_service.public}/metrics ") and "--api" in found["remedy"]

    @pytest.mark.embedded_storage_only
    def test_finds_a_damaged_database_of_a_service_that_is_stopped(self, own_service, own_org):
        own_org.tracked_link()
        assert own_service.stop() == 0
        assert self.findings(own_service, "database") == []
        with open(own_service.data / "consentlink.db", "r+b") as file:
            file.seek(5 * 4096)
            file.write(b"\xff" * 4096)
        (found,) = self.findings(own_service, "database")
        assert found["text"].startswith("consentlink.db is damaged: ") and "newest backup" in found["remedy"]

    def test_of_no_folder_says_how_to_make_one(self, tmp_path):
        done = CommandLine().run("doctor", "--data", str(tmp_path / "data"), cwd=tmp_path)
        assert done.returncode == 1
        assert "consentlink init" in done.stdout and done.stderr == ""
        assert not (tmp_path / "data").exists()

    def test_of_wrong_settings_is_2(self, tmp_path):
        done = CommandLine().run("doctor", settings={"CONSENTLINK_THREADS": "many"}, cwd=tmp_path)
        assert done.returncode == 2 and "threads" in done.stderr

    def test_speaks_to_people(self, own_service):
        done = self.doctor(own_service)
        assert done.returncode == 1
        assert "!!   backup: there is no backup of this data folder" in done.stdout and "ok   readiness: it is ready" in done.stdout
        assert re.search(r"\d+ things? needs? to be done\.$", done.stdout.strip())


class TestDataFolder:
    def test_of_a_running_service_is_closed_to_a_second_one(self, own_service, tmp_path):
        second = Service(tmp_path / "second", data=own_service.data)
        done = CommandLine().run(*second.command[1:], cwd=tmp_path)
        assert done.returncode == 3, done.stderr
        assert done.stdout == "" and "in use" in done.stderr
        assert wire.ask(own_service.listen, "GET", "/healthz").status == 200

    def test_is_free_again_after_the_service_has_ended_or_was_killed(self, own_service):
        own_service.restart()
        own_service.kill()
        own_service.start()

    def test_keeps_its_secrets_to_its_owner(self, own_service, own_org):
        own_org.tracked_link()
        key = own_service.data / "operator.key"
        assert re.fullmatch(r"clk_\S+\n?", key.read_text())
        secret = [file for file in own_service.data.rglob("*") if file.is_file() and "key" in file.name]
        assert len(secret) >= 2, "no key ring beside the operator's key"
        assert {stat.S_IMODE(file.stat().st_mode) for file in secret} == {0o600}

    def test_keeps_the_operators_key_over_restarts(self, own_service):
        before = own_service.operator_key
        own_service.restart()
        assert own_service.operator_key == before
        Operator(own_service).make()

    def test_keeps_organizations_messages_decisions_and_links_over_restarts(self, own_service, own_org):
        link = own_org.tracked_link()
        before = (
            own_org.expect(200, "GET", own_org.path()).json(),
            own_org.expect(200, "GET", own_org.path(f"/messages/{link.message}")).json(),
            own_org.decisions(),
            own_org.consent(link.recipient),
        )
        own_service.restart()
        assert before == (
            own_org.expect(200, "GET", own_org.path()).json(),
            own_org.expect(200, "GET", own_org.path(f"/messages/{link.message}")).json(),
            own_org.decisions(),
            own_org.consent(link.recipient),
        )
        assert wire.follow(link.url).status == 302
        assert len(own_org.clicks(link)) == 1

    def test_under_a_working_folder_that_was_removed_is_told_as_such(self, tmp_path):
        (gone := tmp_path / "gone").mkdir()
        command = ["sh", "-c", 'rmdir "$PWD" && exec "$0" init --data data', str(binary())]
        done = subprocess.run(command, cwd=gone, env=environment(), capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and "the working folder of this command was removed" in done.stderr


class TestPorts:
    @pytest.mark.parametrize("which", ["listen", "api_listen"])
    def test_that_are_taken_are_said_plainly(self, tmp_path, which):
        with socket.socket() as squatter:
            squatter.bind(("127.0.0.1", 0))
            squatter.listen()
            taken = f"127.0.0.1:{squatter.getsockname()[1]}"
            service = Service(tmp_path, **{which: taken})
            done = CommandLine().run(*service.command[1:], cwd=tmp_path)
        assert done.returncode == 1
        assert done.stdout == ""
        setting = which.replace("_", "-")
        assert f"consentlink: address in use: {taken} ({setting}); end the program that has it, or choose" in done.stderr

    def test_that_two_services_take_at_once_are_said_plainly(self, tmp_path):
        """Both can bind an address before one of them listens: whichever comes second has the same words for it."""
        wanted = f"127.0.0.1:{free_port()}"
        services = []
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            services.append(Service(tmp_path / name, listen=wanted))
        try:
            for service in services:
                service.launch()
            eventually(lambda: not all(service.is_running for service in services))
            (lost,) = [service for service in services if not service.is_running]
            (won,) = [service for service in services if service.is_running]
            assert won.wait_until_ready().stop() == 0
        finally:
            for service in services:
                if service.is_running:
                    service.kill()
        assert lost.process.returncode == 1
        said = f"consentlink: address in use: {wanted} (listen); end the program that has it, or choose another address"
        assert lost.log_text().splitlines()[-1] == said


class TestStopping:
    @pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT], ids=lambda by: by.name)
    def test_is_clean_by_either_signal(self, own_service, own_org, by):
        link = own_org.tracked_link()
        assert wire.follow(link.url).status == 302
        assert own_service.stop(by) == 0
        own_service.start()
        assert len(own_org.clicks(link)) == 1

    def test_does_not_wait_for_idle_or_slow_connections(self, own_service, own_org):
        link = own_org.tracked_link()
        with (
            wire.Connection(own_service.listen) as idle,
            wire.Connection(own_service.listen) as slow,
            wire.Connection(own_service.api_listen) as silent,
        ):
            idle.send(wire.request("GET", f"/r/{tokens.of_link(link.url)}", own_service.listen))
            assert idle.receive().status == 302
            slow.send(f"GET /r/{tokens.of_link(link.url)} HTTP/1.1\r\nHost".encode())
            silent.send(b"")
            assert own_service.stop() == 0

    def test_finishes_requests_in_flight(self, own_service, own_org):
        people = [person() for _ in range(10_000)]
        own_org.record_all([{"recipient": who, "state": "given"} for who in people])
        answers = []
        composing = threading.Thread(target=lambda: answers.append(own_org.compose(people)))
        composing.start()
        eventually(lambda: answers or own_org.query_decisions(limit=1))
        assert own_service.stop() == 0
        composing.join()
        (composed,) = answers
        own_service.start()
        stored = {decision["id"] for decision in own_org.decisions(limit=1000)}
        assert {entry["decision"]["id"] for entry in composed.payloads} == stored
        assert wire.follow(composed.link(people[-1])).status == 302

    def test_finishes_a_compose_whose_body_is_still_on_its_way(self, own_service, own_org):
        who = person()
        own_org.record(who, "given")
        body = json.dumps({"message": message(), "format": "plain", "recipients": [who]}).encode()
        sent = {
            "Authorization": f"Bearer {own_org.key}",
            "Content-Type": "application/json",
            "Content-Length": len(body),
        }
        ending = []
        with wire.Connection(own_service.api_listen) as slow:
            slow.send(wire.request("POST", own_org.path("/payloads"), own_service.api_listen, sent) + body[:-10])
            time.sleep(0.2)
            stopping = threading.Thread(target=lambda: ending.append(own_service.stop()))
            stopping.start()
            time.sleep(0.5)
            slow.send(body[-10:])
            composed = slow.receive()
            assert composed.status == 200
            stopping.join()
        assert ending == [0]
        own_service.start()
        (payload,) = json.loads(composed.body)["payloads"]
        assert [decision["id"] for decision in own_org.query_decisions(recipient=who)] == [payload["decision"]["id"]]

    def test_answers_clicks_whole_or_not_at_all_and_has_recorded_what_it_answered(self, own_service, own_org):
        people = [person() for _ in range(200)]
        own_org.record_all([{"recipient": who, "state": "given"} for who in people])
        sent = own_org.compose(people)
        connections = [wire.Connection(own_service.listen) for _ in people]
        for who, connection in zip(people, connections):
            connection.send(wire.request("GET", f"/r/{tokens.of_link(sent.link(who))}", own_service.listen))
        assert connections[0].receive().status == 302
        assert own_service.stop() == 0
        answered = {people[0]}
        for who, connection in list(zip(people, connections))[1:]:
            try:
                answer = connection.receive()
            except ConnectionError as closed:
                assert "closed after b''" in str(closed) or "reset" in str(closed), closed
            else:
                assert answer.status == 302
                answered.add(who)
        for connection in connections:
            connection.close()
        own_service.start()
        own_org.settle()
        recorded = [click["recipient"] for click in own_org.interactions(message=sent.message, limit=1000)]
        assert len(set(recorded)) == len(recorded)
        assert answered <= set(recorded)


class TestCompletions:
    """What `consentlink --generate-completion-script` prints, in the shells that read it."""

    def script(self, shell, tmp_path):
        done = CommandLine().run("--generate-completion-script", shell)
        assert done.returncode == 0 and done.stderr == ""
        file = tmp_path / "completion"
        file.write_text(done.stdout)
        (tmp_path / "consentlink").symlink_to(binary())
        return file

    def ask(self, tmp_path, *command):
        path = f"{tmp_path}:{environment()['PATH']}"
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment(PATH=path, HOME=str(tmp_path)), timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def test_of_bash(self, tmp_path):
        file = self.script("bash", tmp_path)
        ask = f"""
            source {file}
            COMP_WORDS=(consentlink ke) COMP_CWORD=1 COMP_LINE='consentlink ke' COMP_POINT=14 COMP_TYPE=9
            _consentlink consentlink ke consentlink
            printf '%s\\n' "${{COMPREPLY[@]}}"
            """
        assert self.ask(tmp_path, "bash", "-c", ask).split() == ["keys"]

    def test_of_zsh(self, tmp_path):
        file = self.script("zsh", tmp_path)
        self.ask(tmp_path, "zsh", "-n", str(file))
        for command in ("serve", "org", "keys", "inspect", "backup", "compose"):
            assert re.search(rf"\b{command}\b", file.read_text())

    def test_of_fish(self, tmp_path):
        file = self.script("fish", tmp_path)
        said = self.ask(tmp_path, "fish", "-c", f"source {file}; complete --do-complete 'consentlink ke'")
        assert [line.split()[0] for line in said.splitlines()] == ["keys"]


class TestLog:
    def test_names_no_person_no_token_and_no_target_at_any_level(self, start):
        service = start(flags=["--log-level", "trace"])
        org = Operator(service).make()
        link = org.tracked_link(content=message(link="https://shop.example/secret"))
        wire.follow(link.url)
        wire.follow(link.url[:-1])
        wire.follow(link.url, "HEAD")
        wire.follow(link.url, "POST", {"Content-Length": "0"})
        org.call("POST", org.path("/consents"), {"recipient": link.recipient, "state": "maybe"})
        org.call("POST", org.path("/messages"), message(link="javascript:shop.example"))
        org.record(link.recipient, "given", validUntil=times.from_now(days=1))
        org.record(link.recipient, "withdrawn")
        org.query_decisions(recipient=link.recipient)
        org.clicks(link)
        org.erase(link.recipient)
        assert service.stop() == 0
        assert len(service.log_text().splitlines()) > 0
        service.assert_log_is_discreet()
