"""A backup is made while the service works, and a service that is started on it has everything from before."""

import errno
import itertools
import json
import os
import shutil
import stat
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest

from conftest import run_to_the_end
from harness import postgres, wire
from harness.client import Client, Operator, assert_problem, message, person
from harness.documents import blocks
from harness.eventually import eventually
from harness.faulty_disk import FaultyDisk
from harness.metrics import scrape
from harness.service import ROOT, CommandLine, Service, binary, environment

AUDIENCE = 1_000
NEWEST = "consentlink_backup_last_success_timestamp_seconds"


def back_up(service):
    made = Operator(service).expect(201, "POST", "/v1/backup").json()
    return Path(made["folder"]), made


def keys_of(org):
    """Without their last use: it is written down a minute later, and reading this is a use."""
    return [key | {"lastUsedAt": None} for key in org.expect(200, "GET", org.path("/keys")).json()["keys"]]


def everything(org):
    """What an auditor can read of an organization."""
    return {
        "organization": org.expect(200, "GET", org.path()).json(),
        "keys": keys_of(org),
        "decisions": org.decisions(limit=1000),
        "interactions": org.interactions(limit=1000),
    }


@pytest.fixture
def restore(tmp_path):
    """Starts a service on a backup."""
    running = []

    def restore(folder, at):
        """At the address of the service that the links were made by, or at another."""
        elsewhere = tmp_path / f"restored-{len(running)}"
        elsewhere.mkdir()
        service = Service(elsewhere, data=folder, listen=at.listen if at else None)
        running.append(service.start())
        return service

    yield restore
    for service in running:
        if service.is_running:
            assert service.stop() == 0
        service.assert_log_is_discreet()


class Load:
    """Threads that record, compose and click until they are told to end; what they do not expect fails the test."""

    def __init__(self, *works):
        self._over = threading.Event()
        self.surprises = []
        self._threads = [threading.Thread(target=self._repeat, args=(work,), daemon=True) for work in works]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join(timeout=30)
            assert not thread.is_alive()
        assert self.surprises == []

    def _repeat(self, work):
        try:
            while not self._over.is_set():
                work()
        except Exception as surprise:
            self.surprises.append(surprise)


@pytest.mark.embedded_storage_only  # a server's backup has the database
class Acknowledged:
    """What clients were told, and so may rely on."""

    def __init__(self, service, org):
        self.org = org
        self.service = service
        people = [person("audience") for _ in range(AUDIENCE)]
        org.record_all([{"recipient": who, "state": "given"} for who in people])
        self.sent = org.compose(people, message(link="https://shop.example/followed"))
        self.links = {who: self.sent.link(who) for who in people}
        self._next = itertools.cycle(self.links.items())
        self.consents, self.decisions, self.clicks = [], [], []

    def record(self):
        client = Client(self.service, self.org.key)
        who = person("written")
        body = {"recipient": who, "state": "given"}
        (made,) = client.expect(201, "POST", self.org.path("/consents"), body).json()["consents"]
        self.consents.append((who, made["id"]))
        client.close()

    def compose(self):
        client = Client(self.service, self.org.key)
        body = {"messageId": self.sent.message, "format": "plain", "recipients": [person() for _ in range(20)]}
        made = client.expect(200, "POST", self.org.path("/payloads"), body).json()
        self.decisions += [payload["decision"]["id"] for payload in made["payloads"]]
        client.close()

    def click(self):
        who, link = next(self._next)
        assert wire.follow(link).status == 302
        self.clicks.append(who)

    def so_far(self):
        return list(self.consents), list(self.decisions), list(self.clicks)


@pytest.mark.embedded_storage_only  # a server's backup has the database
def test_under_load_has_everything_acknowledged_before_it_was_asked_for(own_service, own_org, restore):
    told = Acknowledged(own_service, own_org)
    with Load(told.record, told.compose, told.click):
        eventually(lambda: len(told.consents) > 20 and len(told.decisions) > 100 and len(told.clicks) > 100, within=60)
        before = told.so_far()
        folder, _ = back_up(own_service)
        between = told.so_far()
        eventually(lambda: all(len(now) > len(then) for now, then in zip(told.so_far(), between)), within=60)
    assert own_service.stop() == 0

    restored = restore(folder, at=own_service)
    org = type(own_org)(restored, own_org.id, own_org.key)
    consents, decisions, clicks = before
    for who, id in consents:
        assert [record["id"] for record in org.consent(who)["history"]] == [id]
    assert set(decisions) <= {decision["id"] for decision in org.decisions(limit=1000)}
    org.settle()
    found = org.interactions(message=told.sent.message, limit=1000)
    assert len({click["id"] for click in found}) == len(found), "a click is there twice"
    recorded = Counter(click["recipient"] for click in found)
    assert Counter(clicks) <= recorded, "an acknowledged click is missing"
    assert recorded <= Counter(told.clicks), "a click is there that nobody made"
    who = next(iter(told.links))
    assert wire.follow(told.links[who]).status == 302
    assert org.clicks(type("Link", (), {"message": told.sent.message, "recipient": who})) != []


@pytest.mark.embedded_storage_only  # a server's backup has the database
@pytest.mark.fault
def test_whose_name_cannot_be_made_durable_is_none(tmp_path):
    for disk in run_to_the_end(FaultyDisk(tmp_path, file="data-backups")):
        operator = Operator(disk)
        operator.make()
        disk.fail_once("sync", errno.EIO)
        assert operator.call("POST", "/v1/backup").status_code == 503
        disk.heal()
        assert list((tmp_path / "data-backups").iterdir()) == []
        assert operator.call("POST", "/v1/backup").status_code == 201


# What is written of a copy to the disk of the backups: its databases, and the keys.
@pytest.mark.fault
@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("file", ["spool.db", "consentlink.db", "erasure.key.new"])
def test_that_cannot_be_written_is_a_fault_of_the_disk_of_the_backups(tmp_path, file):
    for disk in run_to_the_end(FaultyDisk(tmp_path, file=f".unfinished/{file}")):
        operator = Operator(disk)
        org = operator.make()
        disk.fail("sync", errno.EIO)
        answer = operator.call("POST", "/v1/backup")
        assert answer.status_code == 503 and "folder for backups" in answer.json()["detail"]
        assert '"a backup cannot be written"' in disk.log_text() and '"storage failed"' not in disk.log_text()
        disk.heal()
        org.record(person(), "given")
        assert operator.call("POST", "/v1/backup").status_code == 201


def test_of_a_quiet_service_says_all_that_the_service_says(own_service, own_org, restore):
    link = own_org.tracked_link()
    assert wire.follow(link.url).status == 302
    own_org.settle()
    before = everything(own_org)
    folder, _ = back_up(own_service)
    assert own_service.stop() == 0
    restored = restore(folder, at=own_service)
    assert everything(type(own_org)(restored, own_org.id, own_org.key)) == before
    assert restored.operator_key == own_service.operator_key


@pytest.mark.embedded_storage_only
def test_has_clicks_that_are_only_in_the_spool(own_service, own_org, restore):
    """A click is in the store a moment after its 302; a backup at once has it all the same."""
    links = [own_org.tracked_link() for _ in range(5)]
    for link in links:
        assert wire.follow(link.url).status == 302
    folder, _ = back_up(own_service)
    own_service.kill()
    org = type(own_org)(restore(folder, at=own_service), own_org.id, own_org.key)
    # What was in the spool is stored soon after the start.
    for link in links:
        eventually(lambda link=link: len(org.interactions(message=link.message)) == 1)


@pytest.mark.embedded_storage_only  # a server's backup has the database
def test_is_a_folder_that_only_its_owner_can_read(own_service, own_org):
    eventually((own_service.data / "checkpoints" / f"{own_org.id}.txt").exists)
    folder, made = back_up(own_service)
    assert folder.parent == own_service.folder / "data-backups"
    files = {str(file.relative_to(folder)): file for file in folder.rglob("*") if file.is_file()}
    databases = {"spool.db"} if postgres.is_asked_for() else {"consentlink.db", "spool.db"}
    assert made["includesDatabase"] == ("consentlink.db" in databases)
    assert set(files) == databases | {
        "keyring.json", "erasure.key", "ledger.key", "operator.key", "manifest.json",
        f"checkpoints/{own_org.id}.txt",
    }
    assert {file["name"]: file["bytes"] for file in made["files"]} == {
        name: file.stat().st_size for name, file in files.items()
    }
    assert {stat.S_IMODE(file.stat().st_mode) for file in files.values()} == {0o600}
    assert {stat.S_IMODE(above.stat().st_mode) for above in (folder, folder / "checkpoints", folder.parent)} == {0o700}


@pytest.mark.embedded_storage_only
def test_does_not_bring_back_who_was_erased_before(own_service, own_org, restore):
    link = own_org.tracked_link()
    assert wire.follow(link.url).status == 302
    own_org.settle()
    earlier, _ = back_up(own_service)
    own_org.erase(link.recipient)
    later, _ = back_up(own_service)
    assert link.recipient.encode() in (earlier / "consentlink.db").read_bytes(), "the search finds nobody"
    for file in (file for file in later.rglob("*") if file.is_file()):
        assert link.recipient.encode() not in file.read_bytes(), file.name
    assert own_service.stop() == 0
    org = type(own_org)(restore(later, at=own_service), own_org.id, own_org.key)
    assert org.compose([link.recipient]).payloads[0]["decision"]["reason"] == "recipientErased"
    assert wire.follow(link.url).status == 302
    assert org.clicks(link) == []


def rewritten(org, message_id, who, url):
    """The link to `url` in a mail for one recipient."""
    mail = {"messageId": message_id, "recipient": who, "text": url}
    return org.expect(200, "POST", org.path("/rewrites"), mail).json()["text"]


@pytest.mark.embedded_storage_only  # a server's backup has the database
def test_does_not_have_a_link_that_was_added_since_lead_where_a_later_one_does(own_service, own_org, restore):
    ana, bob = person("ana"), person("bob")
    for who in (ana, bob):
        own_org.record(who, "given")
    made = own_org.make_message(message())["id"]
    kept = rewritten(own_org, made, ana, "https://shop.example/first")
    folder, _ = back_up(own_service)
    lost = rewritten(own_org, made, ana, "https://shop.example/basket")
    assert wire.follow(lost).header("Location") == "https://shop.example/basket"
    assert own_service.stop() == 0
    service = restore(folder, at=own_service)
    org = type(own_org)(service, own_org.id, own_org.key)
    bobs = rewritten(org, made, bob, "https://shop.example/unsubscribe?u=bob")
    assert wire.follow(bobs).header("Location") == "https://shop.example/unsubscribe?u=bob"
    assert wire.follow(kept).header("Location") == "https://shop.example/first"
    assert wire.follow(lost).status == 404
    # The check of the ledgers takes the gap between the indexes for what it is.
    service.restart()
    assert httpx.get(f"{service.api}/readyz").status_code == 200
    for link in (bobs, rewritten(org, made, ana, "https://shop.example/unsubscribe?u=bob")):
        assert wire.follow(link).header("Location") == "https://shop.example/unsubscribe?u=bob"


@pytest.mark.embedded_storage_only  # a server's backup has the database
def paste(block, service, org, folder):
    """Runs a block of the guide where `./data` is the service's data folder."""
    (folder / "data").unlink(missing_ok=True)
    (folder / "data").symlink_to(service.data)
    command = folder / "consentlink"
    command.write_text(f'#!/bin/sh\nexec {binary()} "$@" --api {service.api}\n')
    command.chmod(0o755)
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.commands.replace("http://127.0.0.1:8081", service.api)],
        cwd=folder,
        env=environment(ORG=org.id, PATH=f"{folder}:{environment()['PATH']}"),
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.embedded_storage_only  # a server's backup has the database
def test_a_withdrawal_from_after_the_backup_comes_back_as_the_guide_says(own_service, own_org, restore, tmp_path):
    keep, record_again = [block for block in blocks(ROOT / "docs/backup.md") if "-since.tar" in block.commands]
    who = person()
    own_org.record(who, "given")
    folder, _ = back_up(own_service)
    own_org.record(who, "withdrawn", evidence={"method": "withdrawal-page", "actor": "subject"})
    said = own_org.consent(who)["history"][-1]
    shell = tmp_path / "shell"
    shell.mkdir()
    assert paste(keep, own_service, own_org, shell).returncode == 0
    assert own_service.stop() == 0

    restored = restore(folder, at=own_service)
    org = type(own_org)(restored, own_org.id, own_org.key)
    assert org.compose([who]).of(who)["decision"]["reason"] == "consentGiven", "what the guide warns of"
    done = paste(record_again, restored, org, shell)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert org.compose([who]).of(who)["decision"]["reason"] == "consentWithdrawn"
    again = org.consent(who)["history"][-1]
    for member in ("state", "occurredAt", "evidence", "purpose"):
        assert again[member] == said[member], member


def test_under_erasures_has_nobody_who_was_erased_before_it_was_finished(own_service, own_org):
    told = Acknowledged(own_service, own_org)
    people = list(told.links)
    erased = []

    def erase():
        if not people:
            return time.sleep(0.1)
        who = people.pop()
        client = Client(own_service, own_org.key)
        # While a backup reads, an erasure may have to be asked for again; what was written stays written.
        eventually(
            lambda: client.call("POST", own_org.path("/recipients/erase"), {"recipient": who}).status_code == 200
        )
        erased.append(who)
        client.close()

    finished = 0
    with Load(erase):
        eventually(lambda: len(erased) > 3, within=30)
        for _ in range(8):
            before = list(erased)
            answer = Operator(own_service).call("POST", "/v1/backup")
            if answer.status_code == 503:
                assert "erased" in assert_problem(answer, 503)["detail"]
                continue
            assert answer.status_code == 201, answer.text
            finished += 1
            files = (file for file in Path(answer.json()["folder"]).rglob("*") if file.is_file())
            content = b"".join(file.read_bytes() for file in files)
            assert [who for who in before if who.encode() in content] == []
    assert finished > 0, "no backup came to an end"


class TestRefusals:
    def test_of_everybody_but_the_operator(self, own_service, own_org):
        assert_problem(own_org.call("POST", "/v1/backup"), 403)
        assert_problem(Client(own_service, None).call("POST", "/v1/backup"), 401)
        assert not (own_service.folder / "data-backups").exists()

    def test_where_the_folder_cannot_be_made_leave_nothing_and_the_service_working(self, start, tmp_path):
        file = tmp_path / "a file"
        service = start(flags=["--backups", str(file)])
        file.write_text("")
        operator = Operator(service)
        problem = assert_problem(operator.call("POST", "/v1/backup"), 503)
        assert str(tmp_path) not in json.dumps(problem)
        assert file.read_text() == ""
        org = operator.make()
        assert len(org.clicks(self.followed(org))) == 1

    @staticmethod
    def followed(org):
        link = org.tracked_link()
        assert wire.follow(link.url).status == 302
        return link

    @pytest.mark.embedded_storage_only  # the copy of its database fills the disk
    def test_of_a_disk_that_is_full_leave_no_half_backup_and_the_service_working(self, start, tmp_path):
        small = tmp_path / "small disk"
        small.mkdir()
        if os.system(f"mount -t tmpfs -o size=64k tmpfs '{small}' 2>/dev/null") != 0:
            pytest.skip("needs the right to mount a small disk")
        try:
            service = start(flags=["--backups", str(small / "backups")])
            operator = Operator(service)
            problem = assert_problem(operator.call("POST", "/v1/backup"), 503)
            assert "no room for a backup" in problem["detail"]
            assert list((small / "backups").iterdir()) == []
            org = operator.make()
            assert len(org.clicks(self.followed(org))) == 1
            assert wire.ask(service.listen, "GET", "/readyz").status == 200
        finally:
            os.system(f"umount -l '{small}'")

    def test_of_a_second_backup_at_the_same_time(self, own_service, own_org):
        people = [person() for _ in range(10_000)]
        for _ in range(3):
            own_org.compose(people)
        answers = []

        def ask():
            answers.append(Operator(own_service).call("POST", "/v1/backup").status_code)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(answers) <= {201, 409} and 201 in answers
        kept = list((own_service.folder / "data-backups").iterdir())
        assert len(kept) == answers.count(201)
        assert not any(folder.name.startswith(".") for folder in kept)


def test_without_the_folder_of_the_checkpoints_is_none_and_it_is_named(own_service):
    older, _ = back_up(own_service)
    kept = own_service.folder / "kept"
    (own_service.data / "checkpoints").rename(kept)
    problem = assert_problem(Operator(own_service).call("POST", "/v1/backup"), 503)
    assert "checkpoints is missing" in problem["detail"]
    assert list(older.parent.iterdir()) == [older]
    kept.rename(own_service.data / "checkpoints")
    back_up(own_service)


@pytest.mark.parametrize("file", ["keyring.json", "erasure.key", "ledger.key", "operator.key"])
@pytest.mark.parametrize("content", [b"", b"clk_another"])
def test_with_another_key_than_the_service_has_is_none_and_older_ones_stay(own_service, file, content):
    older, _ = back_up(own_service)
    operator = Operator(own_service)
    key = (own_service.data / file).read_bytes()
    (own_service.data / file).write_bytes(content)
    problem = assert_problem(operator.call("POST", "/v1/backup"), 503)
    assert file in problem["detail"] and "from an older backup" in problem["detail"]
    assert list(older.parent.iterdir()) == [older]
    (own_service.data / file).write_bytes((older / file).read_bytes())
    assert (own_service.data / file).read_bytes() == key
    back_up(own_service)


@pytest.mark.embedded_storage_only  # a node has an id of its own
def test_beside_that_of_another_service_leaves_it_alone(own_service, start, tmp_path):
    backups = own_service.folder / "data-backups"
    other = start(flags=["--backups", str(backups)])
    # On its way.
    under_way = backups / f".unfinished-{manifest(other)['folder']}-2026-01-01T00-00-00.000Z"
    under_way.mkdir(parents=True)
    assert scrape(own_service).value(NEWEST) == 0
    folder, _ = back_up(other)
    assert not under_way.exists()
    assert scrape(own_service).value(NEWEST) == 0, "the backup of another service"
    assert scrape(other).value(NEWEST) > 0
    under_way.mkdir()
    own, _ = back_up(own_service)
    assert set(backups.iterdir()) == {own, folder, under_way}
    assert scrape(own_service).value(NEWEST) > 0


def manifest(service):
    return json.loads((service.data / "manifest.json").read_text())


@pytest.mark.parametrize("is_started_again", [False, True], ids=["by the next", "at the next start"])
def test_that_was_cut_off_is_cleared_away(own_service, own_org, is_started_again):
    backups = own_service.folder / "data-backups"
    # Of a version that named no owner, and of a removal of an old backup.
    for owner in ["", f"{manifest(own_service)['folder']}-"]:
        left = backups / f".unfinished-{owner}2026-01-01T00-00-00.000Z"
        left.mkdir(parents=True)
        (left / "consentlink.db").write_text("half of it")
    if is_started_again:
        own_service.stop()
        own_service.start()
        assert list(backups.iterdir()) == []
    folder, _ = back_up(own_service)
    assert list(folder.parent.iterdir()) == [folder]


def test_by_the_command_line(own_service, own_org):
    made = CommandLine(own_service).json("backup")
    assert (Path(made["folder"]) / "spool.db").exists()
    done = CommandLine(own_service).ask("backup")
    assert done.returncode == 0, done.stderr
    help = " ".join(CommandLine().run("backup", "--help").stdout.split())
    assert "put a copy of it into an empty folder" in help and "on it, or on a copy" not in help
    assert str(own_service.folder / "data-backups") in done.stdout and "spool.db" in done.stdout
    assert ("consentlink.db" in done.stdout) != postgres.is_asked_for()
    assert ("The database is on a server and is not in this backup" in done.stdout) == postgres.is_asked_for()


def test_the_command_deletes_old_backups_of_its_own_data_folder_alone(own_service, start):
    folder, _ = back_up(own_service)
    foreign, _ = back_up(start())
    for days in range(1, 10):
        day = f"2025-01-0{days}T03-30-00.000Z"
        shutil.copytree(folder, folder.parent / day)
        shutil.copytree(foreign, folder.parent / day.replace("T03", "T04"))
    done = CommandLine(own_service).ask("backup", "--keep-days", "14", "--keep", "3")
    assert done.returncode == 0 and done.stdout.count("deleted ") == 8, done.stderr
    # The new one, the one before it, and one of January.
    left = sorted(path.name for path in folder.parent.iterdir())
    assert len(left) == 12 and [name for name in left if "T04-30" not in name][0].startswith("2025-01-09")
    for wrong in (["--keep", "3"], ["--keep-days", "0"], ["--keep-days", "14", "--keep", "0"]):
        assert CommandLine(own_service).ask("backup", *wrong).returncode in (2, 64)


def test_is_refused_a_place_in_the_data_folder(tmp_path):
    for flags in (["--backups", "data"], ["--backups", "data/backups"], ["--backups", "./x/../data/backups"]):
        done = CommandLine().run("serve", "--data", "data", *flags, cwd=tmp_path)
        assert done.returncode == 2 and "backups" in done.stderr, done.stderr
        assert list(tmp_path.iterdir()) == []
