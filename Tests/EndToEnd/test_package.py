"""The Debian package that Deploy/package makes: what is in it, and its life on a machine, as docs/deploying.md says."""

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.machine import Machine, Unit, commands, paste
from harness.service import ROOT, CommandLine, binary

# It makes no difference to a package what the service stores its data in.
pytestmark = [pytest.mark.patience, pytest.mark.embedded_storage_only, pytest.mark.timeout(900)]


def make(folder, program=None, **variables):
    """Makes the package of a program, and returns its file."""
    command = [ROOT / "Deploy/package", "--binary", program or binary(), "--output", folder]
    # How well it is packed makes no difference to what is in it, and takes most of the time.
    variables = {"DPKG_DEB_COMPRESSOR_LEVEL": "1"} | variables
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=os.environ | variables)
    return done if done.returncode else Path(done.stdout.strip())


def output(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    made = make(tmp_path_factory.mktemp("package"))
    assert isinstance(made, Path), made.stderr
    return made


@pytest.fixture(scope="module")
def content(package, tmp_path_factory):
    """The files of the package, in a folder."""
    folder = tmp_path_factory.mktemp("content")
    output("dpkg-deb", "--extract", package, folder)
    return folder


@pytest.fixture
def machine(package, tmp_path):
    machine = Machine(tmp_path / "machine")
    try:
        shutil.copy(package, machine.root / "tmp")
        # Who pastes the commands answers that question.
        (machine.root / "etc/apt/apt.conf.d/99yes").write_text('APT::Get::Assume-Yes "true";\n')
        yield machine
    finally:
        machine.end()


def install(machine):
    """Installs the package as documented, and returns the service that runs then."""
    (service,) = paste(machine, commands("From a Debian package"))
    service.wait_for("consentlink ready")
    return service


def ask(machine, *arguments):
    return machine.run("curl", "--silent", "--show-error", "--max-time", "10", *arguments)


def follow_a_link(machine):
    """Makes an organization and a tracked link, and says where the link leads."""
    made = machine.run(
        "consentlink", "org", "create", "acme", "--enforcement", "nonRestrictive", "--data", "/var/lib/consentlink",
        "--json",
    )  # fmt: skip
    request = {
        "message": {"name": "sale", "link": "https://shop.example/"},
        "format": "plain",
        "recipients": ["ana@example.com"],
    }
    key = re.search(r'"key" *: *"([^"]{20,})"', made)[1]
    answer = ask(
        machine, "http://127.0.0.1:8081/v1/orgs/acme/payloads", "--header", f"Authorization: Bearer {key}",
        "--header", "Content-Type: application/json", "--data", json.dumps(request),
    )  # fmt: skip
    link = re.search(r"https://links\.example\.com/r/[\w-]+", answer)[0]
    return leads(machine, link)


def leads(machine, link):
    link = link.replace("https://links.example.com", "http://127.0.0.1:8080")
    return link, ask(machine, "--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", link)


OURS = ("var/lib/consentlink", "var/lib/consentlink-backups", "etc/consentlink")


class TestLife:
    def test_is_installed_serves_makes_a_backup_and_leaves_nothing_when_it_is_purged(self, machine):
        nothing = machine.changes()
        service = install(machine)
        assert ask(machine, "http://127.0.0.1:8080/healthz", "--write-out", "%{http_code}").endswith("200")
        link, answer = follow_a_link(machine)
        assert answer == "302 https://shop.example/"
        # What it keeps of people is its user's alone.
        assert machine.run("stat", "--format", "%U %a", "/var/lib/consentlink").split() == ["consentlink", "700"]
        assert machine.run("find", "/var/lib/consentlink", "!", "-user", "consentlink") == ""
        links = {path for path in machine.changes() if path.startswith("etc/systemd/")}
        assert {path.rsplit("/", 1)[1] for path in links if path.endswith(".service")} == {"consentlink.service"}

        # What runs goes on over an upgrade, and takes the new program when it is asked to.
        paste(machine, commands("Upgrading the package"))
        assert len(list((machine.root / "var/lib/consentlink-backups").iterdir())) == 1
        assert leads(machine, link)[1] == "302 https://shop.example/"
        service.reload()
        service.wait_for("consentlink ready")
        assert leads(machine, link)[1] == "302 https://shop.example/"
        assert service.stop() == 0

        remove, purge = commands("Removing the package")
        paste(machine, [remove])
        left = machine.changes()
        assert "usr/bin/consentlink" not in left and set(OURS) < left
        assert (machine.root / "var/lib/consentlink/operator.key").exists()
        paste(machine, [purge])
        assert machine.changes() == nothing
        assert machine.attempt("getent", "passwd", "consentlink").returncode == 2
        assert machine.attempt("getent", "group", "consentlink").returncode == 2

    @pytest.mark.slow
    def test_keeps_data_and_settings_when_it_comes_back(self, machine):
        service = install(machine)
        link, _ = follow_a_link(machine)
        assert service.stop() == 0
        settings = machine.root / "etc/consentlink/environment"
        with settings.open("a") as file:
            file.write("CONSENTLINK_LOG_LEVEL=warning\n")
        said = settings.read_text()
        remove, _ = commands("Removing the package")
        upgrade = [line for line in commands("Upgrading the package") if line.startswith("apt-get")]
        paste(machine, [remove, *upgrade])
        assert settings.read_text() == said
        (start,) = [line for line in commands("From a Debian package") if line.startswith("systemctl enable")]
        (service,) = paste(machine, [start])
        service.wait_for("consentlink ready")
        assert leads(machine, link)[1] == "302 https://shop.example/"
        assert service.stop() == 0

    def test_purges_what_is_in_a_folder_on_a_disk_of_its_own(self, machine):
        """Also what an operator made as documented for the relay; not what is elsewhere, nor what an auditor has."""
        machine.run("mkdir", "-p", "/srv/backups", "/var/lib/consentlink", "/etc/consentlink")
        machine.run("mount", "-t", "tmpfs", "tmpfs", "/var/lib/consentlink")
        machine.run("ln", "-s", "/srv/backups", "/var/lib/consentlink-backups")
        paste(machine, [commands("From a Debian package")[0]])
        for folder in ("/var/lib/consentlink", "/srv/backups"):
            assert machine.run("stat", "--format", "%U %a", folder).split() == ["consentlink", "700"]
        kept = ["/srv/backups/kept", "/var/lib/private/consentlink-checkpoints/acme/1.txt", "/etc/consentlink/own.pem"]
        gone = ["/var/lib/consentlink/x", "/var/lib/private/consentlink-relay/x", "/etc/consentlink/relay.keys"]
        for file in kept + gone:
            machine.run("bash", "-c", f"mkdir -p {file.rpartition('/')[0]} && touch {file}")
        paste(machine, commands("Removing the package"))
        assert [file for file in kept + gone if machine.attempt("test", "-e", file).returncode == 0] == kept
        assert machine.run("ls", "-A", "/var/lib/consentlink") == ""
        assert machine.attempt("test", "-L", "/var/lib/consentlink-backups").returncode == 1

    def test_starts_nothing_before_there_is_a_data_folder(self, machine):
        paste(machine, [commands("From a Debian package")[0]])
        assert not any(path.startswith("etc/systemd/system/") for path in machine.changes())
        (command,) = Unit(machine, "consentlink.service").commands()
        done = machine.attempt(*command)
        assert done.returncode == 3 and "consentlink init" in done.stderr

    def test_its_units_are_those_of_deploy_and_systemd_reads_them_without_a_complaint(self, machine):
        paste(machine, [commands("From a Debian package")[0]])
        installed = machine.root / "lib/systemd/system"
        for unit in (ROOT / "Deploy/systemd").iterdir():
            assert (installed / unit.name).read_bytes() == unit.read_bytes()
            done = machine.attempt("systemd-analyze", "verify", "--recursive-errors=no", f"/lib/systemd/system/{unit.name}")
            assert "consentlink" not in done.stdout + done.stderr, done.stderr
        service = "/lib/systemd/system/consentlink.service"
        said = machine.run("systemd-analyze", "security", "--offline=true", "--no-pager", service)
        assert float(re.search(r"Overall exposure level for \S+: ([\d.]+)", said)[1]) < 2.0


class TestContent:
    @pytest.mark.slow
    def test_lintian_finds_nothing(self, package):
        command = ["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", package]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr

    @pytest.mark.slow
    def test_is_the_same_bytes_when_it_is_made_again(self, package, tmp_path):
        again = make(tmp_path, DEB_BUILD_OPTIONS="noautodbgsym")
        assert again.name == package.name and again.read_bytes() == package.read_bytes()

    def test_another_package_has_the_names_for_debuggers(self, package, content):
        (symbols,) = package.parent.glob("consentlink-dbgsym_*.deb")
        (number,) = re.findall(r"Build ID: (\w+)", output("readelf", "--notes", content / "usr/bin/consentlink"))
        assert f"/usr/lib/debug/.build-id/{number[:2]}/{number[2:]}.debug" in output("dpkg-deb", "--contents", symbols)

    def test_has_the_files_of_deploy_that_a_machine_needs_as_examples(self, content):
        """docs/postgresql.md says where; what starts a server from the sources is left out."""
        folder, sources = content / "usr/share/doc/consentlink/examples", ROOT / "Deploy"
        names = ("grafana", "haproxy", "nginx", "patroni", "postgres", "prometheus")
        left_out = {"postgres/cluster", "postgres/compose.yaml"}
        kept = {str(path.relative_to(sources)) for name in names for path in (sources / name).iterdir()} - left_out
        there = [path for name in names for path in (folder / name).rglob("*") if path.is_file()]
        assert {str(path.relative_to(folder)) for path in there} == kept
        # docs/examples has the others.
        assert {path.name for path in folder.iterdir()} == {*names, *(path.name for path in (ROOT / "docs/examples").iterdir())}
        assert len([name for name in kept if name.startswith("postgres/")]) >= 5
        document = (content / "usr/share/doc/consentlink/postgresql.md").read_text()
        assert "/usr/share/doc/consentlink/examples/postgres`" in document

    def test_needs_libraries_of_debian_alone(self, content):
        needed = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "--dynamic", "--wide", content / "usr/bin/consentlink"))
        assert needed and not [name for name in needed if "swift" in name.lower()]
        assert "RUNPATH" not in output("readelf", "--dynamic", content / "usr/bin/consentlink")

    def test_a_program_that_needs_swift_is_refused(self, tmp_path):
        swift = Path(shutil.which("swift")).resolve().parents[1] / "lib/swift/linux"
        (tmp_path / "empty.c").write_text("int main(void) { return 0; }\n")
        program = tmp_path / "program"
        output("gcc", tmp_path / "empty.c", "-o", program, f"-L{swift}", "-Wl,--no-as-needed", "-lswiftCore")
        done = make(tmp_path, program)
        assert done.returncode == 1 and "Deploy/build" in done.stderr

    def test_the_settings_are_those_of_serve(self, content):
        """All but those that the unit gives as flags; each line that has a value is taken as it stands."""
        settings = (content / "etc/consentlink/environment").read_text()
        assert settings.replace("\n#CONSENTLINK_", "\n").count("CONSENTLINK_") == 0, "something is set"
        there = {name.lower().replace("_", "-") for name in re.findall(r"^#CONSENTLINK_(\w+)=", settings, re.MULTILINE)}
        flags = set(re.findall(r"^  --([a-z-]+) <", CommandLine().run("serve", "--help").stdout, re.MULTILINE))
        # And one that commands read.
        assert there == flags - {"data", "backups", "missing-data"} | {"api"}
        values = dict(re.findall(r"^#(CONSENTLINK_\w+)=(\S+)$", settings, re.MULTILINE))
        assert len(values) > 8
        # Settings are looked at before the data folder.
        done = CommandLine().run("serve", "--data", "/nowhere", "--missing-data", "refuse", settings=values)
        assert done.returncode == 3, done.stderr

    @pytest.mark.parametrize("folder, file, shell", [
        ("bash-completion/completions", "consentlink", "bash"),
        ("zsh/vendor-completions", "_consentlink", "zsh"),
        ("fish/vendor_completions.d", "consentlink.fish", "fish"),
    ])  # fmt: skip
    def test_completions_are_there_and_their_shell_reads_them(self, content, folder, file, shell):
        completion = content / "usr/share" / folder / file
        assert "rotate" in completion.read_text()
        output(shell, "-n", completion)

    def test_says_the_licence_of_each_package_in_the_program(self, content):
        text = (content / "usr/share/doc/consentlink/copyright").read_text()
        for line in (ROOT / "Deploy/dependencies.txt").read_text().splitlines():
            if not line.startswith("#"):
                name, repository, version = line.split()
                part = text.partition(f"\n{name} {version}\n{repository}\n")[2].partition("-" * 80)[0]
                assert "Apache License 2.0" in part or "Permission is hereby granted" in part, name


class TestManual:
    @pytest.fixture(scope="class")
    @classmethod
    def pages(cls, content):
        """Each page as a terminal shows it, in one line."""
        shown = {}
        for file in sorted((content / "usr/share/man/man1").iterdir()):
            source = gzip.decompress(file.read_bytes())
            said = subprocess.run(
                ["man", "--warnings", "--encoding=UTF-8", "--local-file", "-"],
                input=source, capture_output=True, check=True, env=os.environ | {"MANWIDTH": "1000", "LANG": "C.UTF-8"},
            )  # fmt: skip
            assert said.stderr == b"", file
            shown[file.name.removesuffix(".1.gz")] = " ".join(re.sub(r".\x08", "", said.stdout.decode()).split())
        return shown

    def test_every_command_has_a_page_with_all_that_its_help_says(self, pages):
        dump = json.loads(CommandLine().run("--experimental-dump-help").stdout)
        seen = set()

        def look(command, above=()):
            names = [*above, command["commandName"]]
            if names[-1] == "help":
                return
            page = pages["-".join(names)]
            seen.add("-".join(names))
            assert command["abstract"].rstrip(".") in page
            for line in command.get("discussion", "").splitlines():
                assert " ".join(line.split()) in page or line == "EXAMPLE", line
            for argument in (each for each in command["arguments"] if each["shouldDisplay"]):
                if argument["kind"] != "positional":
                    assert f"--{argument['preferredName']['name']}" in page
                assert " ".join(argument["abstract"].split()) in page
            for each in command.get("subcommands", []):
                look(each, names)

        look(dump["command"])
        assert seen == set(pages)
