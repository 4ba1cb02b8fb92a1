"""pgBackRest with the configuration of Deploy/postgres, as docs/postgresql.md has it: what was backed up comes back, and a
database that is older than its folder is noticed."""

import datetime
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from harness import wire
from harness.client import Operator, Organization, message, person
from harness.eventually import eventually
from harness.exports import verified_export
from harness.postgres import Server
from harness.service import ROOT, CommandLine, Service

pytestmark = [pytest.mark.embedded_storage_only, pytest.mark.fault]


class Repository:
    """A server that archives its log of writes, and the program that backs it up."""

    def __init__(self, folder):
        self.file = folder / "pgbackrest.conf"
        self.server = Server(
            archive_mode="on", archive_command=f"pgbackrest --config={self.file} --stanza=consentlink archive-push %p")
        configuration = (ROOT / "Deploy/postgres/pgbackrest.conf").read_text()
        configuration = configuration.replace("/var/lib/postgresql/15/main", str(self.server.folder / "data"))
        configuration = configuration.replace("/var/lib/pgbackrest", str(folder / "repository"))
        (folder / "repository").mkdir()
        self.file.write_text(
            configuration + f"pg1-socket-path={self.server.folder}\npg1-user=test\n"
            f"[global]\nlock-path={folder}/lock\nspool-path={folder}/spool\n")
        if os.geteuid() == 0:
            subprocess.run(["chown", "-R", "postgres:", folder], check=True)

    def run(self, *arguments):
        command = ["pgbackrest", f"--config={self.file}", "--stanza=consentlink", *arguments]
        done = subprocess.run(
            [*self.server.as_user, *command], cwd="/", capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def repository():
    # The server's user must be able to enter.
    folder = Path(tempfile.mkdtemp(prefix="repository", dir="/tmp"))
    repository = Repository(folder)
    yield repository
    repository.server.stop()
    shutil.rmtree(folder)


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(sep=" ", timespec="milliseconds")


def test_what_was_backed_up_comes_back_to_the_moment(repository, tmp_path):
    server = repository.server
    settings = {"CONSENTLINK_STORAGE": server.url(server.make_database())}
    service = Service(tmp_path, settings=settings).start()
    restored = Service(tmp_path, data=tmp_path / "restored", settings=settings, listen=service.listen,
                       api_listen=service.api_listen)
    try:
        org = Operator(service).make("nonRestrictive")
        repository.run("stanza-create")
        repository.run("check")
        first = org.tracked_link(person("full"))
        repository.run("--type=full", "backup")
        withdrawn = org.tracked_link(person("incremental"))
        org.record(withdrawn.recipient, "withdrawn")
        repository.run("--type=incr", "backup")
        last = org.tracked_link(person("archived"))
        eventually(lambda: "\n— " in org.call("GET", org.path("/ledger/checkpoint")).text)
        verified_export(service, org, "before")
        assert service.stop() == 0
        shutil.copytree(service.data, restored.data)
        target = now()
        time.sleep(0.1)
        # What came later is not to come back.
        service.start()
        checkpoint = org.call("GET", org.path("/ledger/checkpoint")).text
        later = org.tracked_link(person("later"), message())
        eventually(lambda: org.call("GET", org.path("/ledger/checkpoint")).text != checkpoint)
        assert service.stop() == 0
        segment = server.psql("SELECT pg_walfile_name(pg_switch_wal())").strip()
        eventually(lambda: server.psql("SELECT last_archived_wal FROM pg_stat_archiver").strip() >= segment)
        server.kill()
        (server.folder / "data/postmaster.pid").unlink()
        repository.run("--delta", "--type=time", f"--target={target}", "--target-action=promote", "restore")
        server.start()
        eventually(lambda: server.psql("SELECT pg_is_in_recovery()") == "f\n")
        check = CommandLine().run("database", "check", "--storage", settings["CONSENTLINK_STORAGE"])
        assert check.stdout == "All is well.\n", check.stdout + check.stderr

        restored.start()
        org = Organization(restored, org.id, org.key)
        for link in (first, last):
            assert wire.follow(link.url).status == 302
            assert len(org.clicks(link)) == 1
        assert wire.follow(withdrawn.url).status == 302
        assert org.clicks(withdrawn) == []
        assert org.query_decisions(recipient=later.recipient) == []
        verified_export(restored, org, "after")
        assert restored.stop() == 0

        # The folder has signed more than this database knows.
        service.start()
        org = Organization(service, org.id, org.key)
        eventually(lambda: org.call("POST", org.path("/payloads"), {
            "format": "plain", "message": message(), "recipients": [person()]}).status_code == 503)
        assert wire.follow(first.url).status == 302
        assert service.stop() == 0
    finally:
        for one in (service, restored):
            if one.is_running:
                one.kill()
