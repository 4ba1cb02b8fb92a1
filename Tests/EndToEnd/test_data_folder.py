"""A data folder that has lost something, is of two folders, or is open to others is refused, and nothing in it is
changed; `consentlink init` makes one and mends what can be mended. docs/data-folder.md has this table for operators."""

import contextlib
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess

import pytest

from harness import postgres, wire
from harness.client import Client, Operator, assert_problem, message, person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.service import CommandLine, Service

KEYS = ["keyring.json", "erasure.key", "ledger.key", "operator.key"]
DATABASES = ["spool.db"] if postgres.is_asked_for() else ["consentlink.db", "spool.db"]
FILES = [*KEYS, *DATABASES]
NOBODY = 65534
RESTORE = "Restore the newest backup"


class Kept:
    """A data folder that was used and stopped, and what was given away while it was used."""

    def __init__(self, folder):
        folder.mkdir()
        self.service = Service(folder).start()
        self.org = Operator(self.service).make("restrictive")
        self.link = self.org.tracked_link()
        assert wire.follow(self.link.url).status == 302
        self.org.settle()
        assert self.service.stop() == 0

    @property
    def data(self):
        return self.service.data


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    """Two folders of two services."""
    folder = tmp_path_factory.mktemp("originals")
    return Kept(folder / "one"), Kept(folder / "other")


@pytest.fixture
def kept(originals, tmp_path):
    """A copy of the first one, at the addresses of its service, and already known to be a copy."""
    one, _ = originals
    copy = Service(tmp_path, listen=one.service.listen, api_listen=one.service.api_listen)
    copy.copy_from(one.service)
    copy.start()
    assert copy.stop() == 0
    copy.log.unlink()
    yield copy
    if copy.is_running:
        assert copy.stop() == 0
    copy.assert_log_is_discreet()


def snapshot(folder):
    """Everything about every file: kind, owner, mode, target, content."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.lstat()
        content = ""
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file() and not path.name.endswith("-shm"):
            # The index of a log is made anew by whoever opens its database first.
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        name = str(path.relative_to(folder))
        found[name] = (stat.S_IFMT(status.st_mode), status.st_uid, stat.S_IMODE(status.st_mode), content)
    return found


def start(service):
    """`consentlink serve` that must end by itself."""
    try:
        return subprocess.run(
            service.command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, cwd=service.folder,
            env=service.environment,
        )
    except subprocess.TimeoutExpired:
        pytest.fail("it started")


def assert_refused(service, *words):
    """Exit 3, saying which file and what to do; the folder is as it was, to the last bit of every file."""
    before = snapshot(service.data)
    done = start(service)
    assert done.returncode == 3, done.stdout + done.stderr
    assert done.stdout == ""
    for word in (str(service.data), *words):
        assert word in done.stderr, done.stderr
    # The URL of a database, which the log of a start shows, has a user's name.
    said = done.stderr.replace(service.storage.get("CONSENTLINK_STORAGE", "-"), "")
    assert "clk_" not in said and "@" not in said
    assert snapshot(service.data) == before
    return done.stderr


REMEDY = {
    "keyring.json": "backup",
    "erasure.key": "backup",
    "ledger.key": "backup",
    "operator.key": "--new-operator-key",
    "consentlink.db": "Restore the newest backup",
    "spool.db": "--replace-spool",
}


def cut(path):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])


class TestAStartIsRefused:
    @pytest.mark.parametrize("file", FILES)
    def test_when_a_file_is_lost(self, kept, file):
        (kept.data / file).unlink()
        assert_refused(kept, f"{file} is missing", REMEDY[file])

    @pytest.mark.parametrize("file", FILES)
    def test_when_a_file_is_emptied(self, kept, file):
        (kept.data / file).write_bytes(b"")
        assert_refused(kept, f"{file} is empty", REMEDY[file])

    @pytest.mark.parametrize("file", FILES)
    def test_when_a_file_is_cut(self, kept, file):
        cut(kept.data / file)
        assert_refused(kept, f"{file} is damaged", REMEDY[file])

    @pytest.mark.parametrize("file", FILES)
    def test_when_a_file_is_overwritten(self, kept, file):
        (kept.data / file).write_bytes(b"\0garbage" * 700)
        assert_refused(kept, f"{file} is damaged", REMEDY[file])

    @pytest.mark.parametrize("file", ["keyring.json", "erasure.key", "ledger.key", *DATABASES])
    def test_when_a_file_is_of_another_folder(self, kept, originals, file):
        _, other = originals
        shutil.copy2(other.data / file, kept.data / file)
        assert_refused(kept, f"{file} belongs to another data folder")

    def test_when_both_databases_are_of_another_folder(self, kept, originals):
        for file in DATABASES:
            shutil.copy2(originals[1].data / file, kept.data / file)
        assert_refused(kept, *(f"{file} belongs to another data folder" for file in DATABASES))

    @pytest.mark.parametrize(
        "file, added",
        [
            ("consentlink.db", "TRIGGER t BEFORE INSERT ON consents WHEN new.state = 3 BEGIN SELECT raise(ignore); END"),
            ("spool.db", "VIEW v AS SELECT 1"),
        ],
    )
    def test_when_a_trigger_or_a_view_was_added_to_a_database(self, kept, file, added):
        if file not in DATABASES:
            pytest.skip("there is no such file")
        with sqlite3.connect(kept.data / file) as database:
            database.execute(f"CREATE {added}")
        database.close()
        assert_refused(kept, file, "has a trigger or a view, which this service never makes", "restore the newest backup")
        doctor = CommandLine(kept).run("doctor", "--data", str(kept.data))
        assert f"{file} has a trigger or a view" in doctor.stdout, doctor.stdout

    @pytest.mark.parametrize(
        "file, change, words, remedy",
        [
            ("consentlink.db", "DROP INDEX consents_in_force", "the index consents_in_force is missing",
             "CREATE INDEX consents_in_force ON consents"),
            ("consentlink.db", "ALTER TABLE purposes RENAME COLUMN name TO names", "the table purposes is different",
             RESTORE),
            ("consentlink.db", "CREATE TABLE songs (title TEXT)", "the table songs is not known", "DROP TABLE songs;"),
            ("consentlink.db", "CREATE INDEX mine ON interactions (occurred_at)", "the index mine is not known",
             "DROP INDEX mine;"),
            ("consentlink.db", "PRAGMA user_version = 1", "the table access_keys is different", RESTORE),
            ("spool.db", "ALTER TABLE batches ADD COLUMN note TEXT", "the table batches is different", RESTORE),
            ("spool.db", "PRAGMA user_version = -1", "no version of the service has schema version -1", RESTORE),
        ],
    )
    def test_when_the_tables_of_a_database_were_changed(self, kept, file, change, words, remedy):
        if file not in DATABASES:
            pytest.skip("there is no such file")
        with sqlite3.connect(kept.data / file) as database:
            database.execute(change)
        database.close()
        assert_refused(kept, f"{file} is not as this service makes it", words, remedy)
        doctor = CommandLine(kept).run("doctor", "--data", str(kept.data))
        assert f"{file} is not as this service makes it" in doctor.stdout, doctor.stdout

    def test_when_a_later_version_wrote_a_database(self, kept):
        with sqlite3.connect(kept.data / "spool.db") as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
        assert_refused(kept, "spool.db was written by a later version")
        doctor = CommandLine(kept).run("doctor", "--data", str(kept.data))
        assert "spool.db was written by a later version" in doctor.stdout, doctor.stdout

    def test_when_a_database_is_of_another_program(self, kept):
        (kept.data / "spool.db").unlink()
        with sqlite3.connect(kept.data / "spool.db") as database:
            database.execute("CREATE TABLE songs (title TEXT)")
            database.execute("PRAGMA user_version = 7")
        database.close()
        (kept.data / "spool.db").chmod(0o600)
        assert_refused(kept, "spool.db belongs to another data folder")

    @pytest.mark.parametrize("file", [*FILES, "manifest.json", "lock"])
    def test_when_a_folder_stands_in_the_place_of_a_file(self, kept, file):
        (kept.data / file).unlink()
        (kept.data / file).mkdir()
        assert_refused(kept, f"{file} is not a regular file")

    @pytest.mark.parametrize("file", [*FILES, "manifest.json", "lock"])
    def test_when_a_file_is_a_link(self, kept, tmp_path, file):
        shutil.move(kept.data / file, tmp_path / "elsewhere")
        (kept.data / file).symlink_to(tmp_path / "elsewhere")
        before = (tmp_path / "elsewhere").read_bytes()
        assert_refused(kept, f"{file} is a symbolic link")
        assert (tmp_path / "elsewhere").read_bytes() == before

    @pytest.mark.parametrize("file", FILES)
    def test_when_a_file_has_a_second_name(self, kept, tmp_path, file):
        os.link(kept.data / file, tmp_path / "second")
        assert_refused(kept, f"{file} has a second name")

    @pytest.mark.parametrize("mode", [0o640, 0o620, 0o604, 0o644, 0o666])
    @pytest.mark.parametrize("file", [*FILES, "manifest.json", "lock"])
    def test_when_a_file_is_open_to_others(self, kept, file, mode):
        (kept.data / file).chmod(mode)
        assert_refused(kept, f"{file} is open to other users (mode 0{mode:o})", "chmod -R go=")

    @pytest.mark.parametrize("mode", [0o750, 0o705, 0o711, 0o777, 0o1777])
    @pytest.mark.parametrize("folder", ["", "checkpoints"])
    def test_when_the_folder_is_open_to_others(self, kept, folder, mode):
        (kept.data / folder).chmod(mode)
        assert_refused(kept, f"{folder or 'the folder'} is open to other users", "chmod -R go=")

    @pytest.mark.parametrize("file", ["", "checkpoints", *FILES])
    def test_when_a_file_belongs_to_somebody_else(self, kept, file):
        if os.geteuid() != 0:
            pytest.skip("only root can give files away")
        os.chown(kept.data / file, NOBODY, -1)
        remedy = "chown -R 0" if file else "Run as the owner: runuser --user NAME"
        assert_refused(kept, f"{file or 'the folder'} belongs to user {NOBODY}", remedy)

    @pytest.mark.parametrize("file", ["", "checkpoints", "lock", *DATABASES])
    def test_when_its_owner_may_not_write_it(self, kept, file):
        """SQLite opens such a file all the same, and refuses to write: a service on it would record nothing."""
        path = kept.data / file
        path.chmod(0o500 if path.is_dir() else 0o400)
        said = f"{file or 'the folder'} does not let its owner read and write (mode 0{path.stat().st_mode & 0o777:o})"
        try:
            if os.geteuid() != 0:
                assert_refused(kept, said, "chmod -R u+rwX")
                return
            # Permissions do not limit root. As root the doctor inspects the folder for its owner.
            for each in [kept.data, *kept.data.rglob("*")]:
                os.chown(each, NOBODY, -1)
            done = CommandLine(kept).run("doctor", "--data", str(kept.data))
            assert done.returncode == 1 and f"!!   folder: {said}\n" in done.stdout, done.stdout
            assert f"chmod -R u+rwX {kept.data}" in done.stdout
        finally:
            path.chmod(0o700 if path.is_dir() else 0o600)

    @pytest.mark.parametrize("file", [*KEYS, "manifest.json"])
    def test_when_a_link_was_planted_where_a_key_is_written_next(self, kept, tmp_path, file):
        planted = kept.data / f"{file}.new"
        planted.symlink_to(tmp_path / "stolen")
        assert_refused(kept, f"{file}.new was not made by this service", "Find out who")
        assert not (tmp_path / "stolen").exists()

    def test_when_a_file_was_planted_that_others_can_read(self, kept):
        planted = kept.data / "operator.key.new"
        planted.write_text("clk_" + "A" * 43)
        planted.chmod(0o666)
        assert_refused(kept, "operator.key.new was not made by this service")

    def test_when_a_checkpoint_is_there_and_its_ledger_is_not(self, kept, originals):
        one, _ = originals
        known = kept.data / "checkpoints" / f"{one.org.id}.txt"
        shutil.copy2(known, known.with_name("ghost.txt"))
        assert_refused(kept, "checkpoints/ghost.txt is the checkpoint of a ledger that the database does not have")

    def test_when_only_the_checkpoints_and_keys_are_left(self, kept):
        for file in DATABASES:
            (kept.data / file).unlink()
        said = assert_refused(kept, *(f"{file} is missing" for file in DATABASES))
        assert "ready" not in said

    @pytest.mark.embedded_storage_only  # without its manifest no folder on PostgreSQL is known as one
    def test_when_everything_is_gone_but_the_lock(self, kept):
        for file in kept.data.iterdir():
            if file.name != "lock":
                shutil.rmtree(file) if file.is_dir() else file.unlink()
        assert_refused(kept, *(f"{file} is missing" for file in FILES))

    @pytest.mark.skipif(not postgres.is_asked_for(), reason="an embedded store gets a new manifest")
    def test_when_the_manifest_is_gone_which_says_that_the_database_is_on_a_server(self, kept):
        (kept.data / "manifest.json").unlink()
        said = assert_refused(kept, "manifest.json is missing", "whether the database is on a server")
        assert "consentlink.db is missing" not in said

    def test_when_the_folder_is_somebody_elses_things(self, tmp_path):
        service = Service(tmp_path)
        service.data.mkdir(mode=0o700)
        (service.data / "thesis.txt").write_text("mine")
        assert_refused(service, "not empty, and is not a data folder")

    def test_when_the_folder_is_a_file(self, tmp_path):
        service = Service(tmp_path)
        service.data.write_text("")
        assert_refused(service, "the folder is not a folder")

    def test_and_the_process_that_has_it_is_named(self, kept, tmp_path):
        kept.start()
        second = Service(tmp_path / "second", data=kept.data)
        (tmp_path / "second").mkdir()
        done = start(second)
        assert done.returncode == 3
        assert f"data folder {kept.data} is in use by process {kept.process.pid}" in done.stderr

    # As a volume that is not mounted leaves it: an empty folder, none, or what a file system brings along.
    @pytest.mark.parametrize("left", ["an empty folder", "no folder", "lost+found"])
    @pytest.mark.parametrize("known", ["by the backups", "by the setting"])
    def test_when_all_of_it_is_lost_and_something_tells_that_it_was_there(self, tmp_path, known, left):
        service = Service(tmp_path)
        if known == "by the backups":
            (tmp_path / "data-backups" / "2026-01-01T00-00-00.000Z").mkdir(parents=True)
        else:
            service.flags = ["--missing-data", "refuse"]
        if left != "no folder":
            (service.data if left == "an empty folder" else service.data / "lost+found").mkdir(parents=True)
        before = sorted(str(path) for path in tmp_path.rglob("*"))
        done = start(service)
        assert (done.returncode, done.stdout) == (3, ""), done.stderr
        for word in (str(service.data), "check that it is mounted", "Restore the newest backup", "consentlink init"):
            assert word in done.stderr, done.stderr
        assert sorted(str(path) for path in tmp_path.rglob("*")) == before
        # The operator says that there never was one, or that it is lost for good.
        assert CommandLine(service).run("init", "--data", str(service.data), settings=service.storage).returncode == 0
        service.start()
        assert service.stop() == 0
        service.start()
        assert service.stop() == 0

    @pytest.mark.embedded_storage_only
    def test_when_a_table_of_a_database_was_overwritten(self, kept):
        file = kept.data / "consentlink.db"
        with sqlite3.connect(f"file:{file}?immutable=1", uri=True) as database:
            (size,) = database.execute("PRAGMA page_size").fetchone()
            query = "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'organizations' AND rootpage > 1"
            pages = [page for (page,) in database.execute(query)]
        database.close()
        with file.open("r+b") as content:
            for page in pages:
                content.seek((page - 1) * size)
                content.write(b"\xa5" * size)
        done = start(kept)
        assert done.returncode == 3, done.stderr
        assert "is damaged" in done.stderr and "Restore" in done.stderr, done.stderr

    @pytest.mark.embedded_storage_only
    def test_when_all_of_it_is_lost_and_the_folder_for_backups_cannot_be_read(self, tmp_path):
        service = Service(tmp_path)
        backups = tmp_path / "data-backups"
        backups.symlink_to(tmp_path / "not-mounted")
        done = start(service)
        assert (done.returncode, done.stdout) == (3, ""), done.stderr
        for word in (str(service.data), f"the folder for backups {backups} cannot be read", "consentlink init"):
            assert word in done.stderr, done.stderr
        assert not service.data.exists()
        (tmp_path / "not-mounted").mkdir()
        service.start()
        assert service.stop() == 0

    def test_when_a_backup_was_copied_over_a_folder_whose_service_was_killed(self, kept, originals):
        kept.start()
        org = TestAStartGoesOn().works(kept, originals[0])
        backup = CommandLine(kept).json("backup")["folder"]
        org.record(person(), "given")
        kept.kill()
        assert (kept.data / "consentlink.db-wal").stat().st_size > 0
        shutil.copytree(backup, kept.data, dirs_exist_ok=True)
        assert_refused(kept, "consentlink.db-wal is left over from another database", "empty folder")
        shutil.rmtree(kept.data)
        shutil.copytree(backup, kept.data)
        # What is in the log after that is its own.
        for _ in range(2):
            kept.start()
            TestAStartGoesOn().works(kept, originals[0]).record(person(), "given")
            kept.kill()

    def test_every_fault_is_told_at_once(self, kept):
        (kept.data / "keyring.json").unlink()
        (kept.data / "ledger.key").write_bytes(b"short")
        (kept.data / "spool.db").chmod(0o644)
        assert_refused(kept, "keyring.json is missing", "ledger.key is damaged", "spool.db is open to other users")


class TestAStartGoesOn:
    """What can be lost without losing anything; what happens then to links, composing and readiness."""

    def works(self, service, original):
        org = type(original.org)(service, original.org.id, original.org.key)
        assert wire.follow(original.link.url).status == 302
        assert org.compose([person()]).payloads[0]["tracked"] is False
        assert wire.ask(service.api_listen, "GET", "/readyz").status == 200
        return org

    @pytest.mark.embedded_storage_only  # on PostgreSQL it is refused
    def test_without_its_manifest_which_is_written_again(self, kept, originals):
        manifest = kept.data / "manifest.json"
        before = json.loads(manifest.read_text())
        manifest.unlink()
        kept.start()
        self.works(kept, originals[0])
        assert json.loads(manifest.read_text())["folder"] == before["folder"]
        assert "has no manifest" in kept.log_text()

    @pytest.mark.embedded_storage_only  # that version had no other
    def test_on_a_folder_that_the_version_before_made(self, kept, originals):
        self.make_older(kept.data)
        kept.start()
        self.works(kept, originals[0])
        id = json.loads((kept.data / "manifest.json").read_text())["folder"]
        assert json.loads((kept.data / "keyring.json").read_text())["folder"] == id
        kept.restart()
        # From now on nothing of it can be exchanged.
        assert kept.stop() == 0
        shutil.copy2(originals[1].data / "spool.db", kept.data / "spool.db")
        assert_refused(kept, "spool.db belongs to another data folder")

    @pytest.mark.embedded_storage_only  # that version had no other
    @pytest.mark.parametrize("file", FILES)
    def test_but_not_on_one_of_the_version_before_that_has_lost_something(self, kept, file):
        self.make_older(kept.data)
        (kept.data / file).unlink()
        assert_refused(kept, f"{file} is missing", REMEDY[file])
        assert not (kept.data / "manifest.json").exists()

    @staticmethod
    def make_older(data):
        (data / "manifest.json").unlink()
        for file in DATABASES:
            database = sqlite3.connect(data / file)
            database.executescript("DELETE FROM folder")
            database.close()
        ring = json.loads((data / "keyring.json").read_text())
        del ring["folder"]
        (data / "keyring.json").write_text(json.dumps(ring))

    def test_with_the_operator_key_of_another_folder_and_says_so(self, kept, originals):
        """The operator may have one key for several folders. That it was exchanged must not go unnoticed."""
        shutil.copy2(originals[1].data / "operator.key", kept.data / "operator.key")
        kept.start()
        self.works(kept, originals[0])
        assert "operator.key is not the one of the last start" in kept.log_text()
        kept.log.unlink()
        kept.restart()
        assert "operator.key is not" not in kept.log_text()

    @pytest.mark.embedded_storage_only
    def test_not_with_an_older_ring_of_keys_unless_the_operator_accepts_it(self, kept, originals):
        older = (kept.data / "keyring.json").read_bytes()
        kept.start()
        assert Operator(kept).call("POST", "/v1/keyring/rotate").status_code in (200, 201)
        assert kept.stop() == 0
        newest = (kept.data / "keyring.json").read_bytes()
        (kept.data / "keyring.json").write_bytes(older)
        assert_refused(kept, "keyring.json does not have the signing keys", "missing: 2", "--accept-keyring")
        (kept.data / "keyring.json").write_bytes(newest)
        kept.start()
        assert kept.stop() == 0
        (kept.data / "keyring.json").write_bytes(older)
        done = CommandLine(kept).run("init", "--data", str(kept.data), "--accept-keyring")
        assert done.returncode == 0, done.stderr
        kept.start()
        assert wire.follow(originals[0].link.url).status == 302

    def test_of_a_version_that_noted_no_keys_and_notes_those_that_signed(self, kept, originals):
        manifest = kept.data / "manifest.json"
        noted = json.loads(manifest.read_text())
        assert set(noted.pop("fingerprints")) == {"ledger.key", "operator.key"}
        manifest.write_text(json.dumps(noted))
        own = (kept.data / "ledger.key").read_bytes()
        (kept.data / "ledger.key").write_bytes((originals[1].data / "ledger.key").read_bytes())
        kept.start()
        assert "is not signed with this ledger's key" in wire.ask(kept.api_listen, "GET", "/readyz").body.decode()
        assert kept.stop() == 0
        assert "fingerprints" not in json.loads(manifest.read_text())
        (kept.data / "ledger.key").write_bytes(own)
        kept.start()
        self.works(kept, originals[0])
        assert "fingerprints" in json.loads(manifest.read_text())

    def test_without_a_checkpoint_which_is_told_counted_and_written_again(self, kept, originals):
        file = kept.data / "checkpoints" / f"{originals[0].org.id}.txt"
        before = file.read_text()
        file.unlink()
        kept.start()
        self.works(kept, originals[0])
        assert "a ledger with entries has no checkpoint in the folder" in kept.log_text()
        assert scrape(kept).value("consentlink_checkpoints_missing_total") == 1
        done = CommandLine(kept).run("doctor", "--data", str(kept.data), "--api", kept.api, settings=kept.storage)
        assert done.returncode == 1 and "1 checkpoint files were missing" in done.stdout, done.stdout
        assert kept.stop() == 0
        assert int(file.read_text().split()[1]) >= int(before.split()[1])
        kept.log.unlink()
        kept.start()
        assert "has no checkpoint" not in kept.log_text()
        assert scrape(kept).value("consentlink_checkpoints_missing_total") == 0

    def test_with_an_unfinished_file_of_its_own_which_is_removed(self, kept, originals):
        leftovers = [kept.data / "keyring.json.new", kept.data / "checkpoints" / f"{originals[0].org.id}.txt.new"]
        for left in leftovers:
            left.touch(0o600)
        kept.start()
        self.works(kept, originals[0])
        # The next checkpoint, which is being signed, has an unfinished file of the same name for a moment.
        assert eventually(lambda: not any(left.exists() for left in leftovers))
        assert all(left.name in kept.log_text() for left in leftovers)

    def test_without_the_companions_of_its_databases_after_it_was_killed(self, kept, originals):
        kept.start()
        self.works(kept, originals[0])
        kept.kill()
        for shm in kept.data.glob("*-shm"):
            shm.unlink()
        kept.start()
        self.works(kept, originals[0])

    def test_on_a_link_to_the_folder(self, kept, originals, tmp_path):
        there = tmp_path / "there"
        shutil.move(kept.data, there)
        kept.data.symlink_to(there)
        kept.start()
        self.works(kept, originals[0])

    def test_on_an_empty_folder_that_others_could_reach_which_is_closed_to_them(self, tmp_path):
        service = Service(tmp_path)
        service.data.mkdir()
        service.data.chmod(0o755)
        service.start()
        assert stat.S_IMODE(service.data.stat().st_mode) == 0o700
        assert service.stop() == 0

    def test_after_it_was_killed_while_the_folder_was_made(self, tmp_path):
        """The manifest says that nothing was ever served from the folder, so what is there may be made again."""
        service = Service(tmp_path).start()
        first = service.operator_key
        assert service.stop() == 0
        manifest = service.data / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"complete":true', '"complete":false'))
        for file in (*DATABASES, "ledger.key"):
            (service.data / file).unlink()
        if postgres.is_asked_for():
            postgres.server().replace_database(str(service.data))
        service.start()
        assert service.operator_key != first
        assert json.loads(manifest.read_text())["complete"] is True
        assert service.stop() == 0


class TestAServiceThatRuns:
    """It finds out within a second that its files are gone or exchanged. From then on it acknowledges nothing, for no
    later start would find that."""

    def acknowledges_nothing(self, service, original, *words):
        detail = eventually(lambda: not_ready(service))
        for word in words:
            assert word in detail, detail
        org = type(original.org)(service, original.org.id, original.org.key)
        refused = org.call("POST", org.path("/consents"), [{"recipient": person(), "state": "given"}])
        assert_problem(refused, 503)
        recorded = scrape(service).total("consentlink_clicks_spooled_total")
        assert wire.follow(original.link.url).status == 302
        assert scrape(service).total("consentlink_clicks_spooled_total") == recorded
        assert "the data folder was changed under the running service" in service.log_text()

    def ends(self, service, *words):
        """With a code that says that something may be lost."""
        assert service.stop() == 1
        last = service.log_text().splitlines()[-1]
        for word in words:
            assert word in last, last
        # That line is no JSON.
        service.log.unlink()

    @pytest.mark.parametrize("file", [*DATABASES, "lock"])
    def test_when_a_file_is_removed(self, kept, originals, file):
        kept.start()
        for path in [kept.data / file, *kept.data.glob(f"{file}-*")]:
            path.unlink()
        self.acknowledges_nothing(kept, originals[0], file, "is not in its place")
        self.ends(kept, file)

    def test_when_a_link_takes_the_place_of_the_checkpoints(self, kept, originals, tmp_path):
        kept.start()
        shutil.move(kept.data / "checkpoints", tmp_path / "elsewhere")
        (kept.data / "checkpoints").symlink_to(tmp_path / "elsewhere")
        self.acknowledges_nothing(kept, originals[0], "checkpoints", "another file or folder")
        self.ends(kept, "checkpoints")

    @pytest.mark.embedded_storage_only
    def test_when_the_folder_is_moved_away_and_a_copy_takes_its_place(self, kept, originals, tmp_path):
        original, copy = originals[0], tmp_path / "copy"
        shutil.copytree(kept.data, copy)
        kept.start()
        # Nothing that is signed now may get into the copy, which does not have it.
        TestAStartGoesOn().works(kept, original).record(person(), "given")
        checkpoint = kept.data / "checkpoints" / f"{original.org.id}.txt"
        before = (copy / "checkpoints" / checkpoint.name).read_bytes()
        eventually(lambda: checkpoint.read_bytes() != before)
        shutil.move(kept.data, tmp_path / "aside")
        shutil.copytree(copy, kept.data)
        self.acknowledges_nothing(kept, original, "the folder", "another file or folder")
        self.ends(kept, "the folder")
        assert checkpoint.read_bytes() == before
        kept.start()
        TestAStartGoesOn().works(kept, original)

    def test_when_its_lock_is_removed_and_no_second_process_gets_in(self, kept, tmp_path):
        kept.start()
        (kept.data / "lock").unlink()
        second = Service(tmp_path / "second", data=kept.data)
        second.folder.mkdir()
        done = start(second)
        assert done.returncode == 3 and "is in use by another process" in done.stderr, done.stderr
        eventually(lambda: not_ready(kept))
        self.ends(kept, "lock")


def not_ready(service):
    """Why a service is not ready; empty while it is."""
    answer = wire.ask(service.api_listen, "GET", "/readyz")
    return answer.body.decode() if answer.status == 503 else ""


def open_files(service):
    for file in glob.glob(f"/proc/{service.process.pid}/fd/*"):
        # Some are closed meanwhile.
        with contextlib.suppress(FileNotFoundError):
            yield os.readlink(file)


@pytest.mark.parametrize("name", DATABASES)
def test_another_program_may_look_at_a_database_and_nothing_is_lost(tmp_path, name):
    """SQLite writes the log back and removes it when the last program closes a database. It must not take another one for
    the last while the service has it open: what the service writes afterwards would be in a file without a name."""
    service = Service(tmp_path).start()
    org = Operator(service).make("restrictive")
    for _ in range(2):
        database = sqlite3.connect(service.data / name)
        assert database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] > 0
        database.close()
        who, link = person(), org.tracked_link()
        org.record(who, "given")
        assert wire.follow(link.url).status == 302
        assert [file for file in open_files(service) if ".db" in file and file.endswith("(deleted)")] == []
        service.kill()
        service.start()
        assert [each["state"] for each in org.consent(who)["current"]] == ["given"]
        assert len(org.clicks(link)) == 1
    assert service.stop() == 0


class TestInit:
    @pytest.fixture
    def run(self, tmp_path):
        def run(*arguments):
            storage = Service(tmp_path).storage
            return CommandLine().run(
                "init", "--data", str(tmp_path / "data"), *arguments, cwd=tmp_path, settings=storage)

        return run

    def test_makes_a_folder_that_a_service_starts_on(self, run, tmp_path):
        done = run("--json")
        assert done.returncode == 0, done.stderr
        made = json.loads(done.stdout)
        service = Service(tmp_path)
        manifest = json.loads((service.data / "manifest.json").read_text())
        assert made == {"folder": str(service.data), "id": manifest["folder"]}
        assert re.fullmatch("[0-9a-f]{32}", manifest["folder"])
        assert set(manifest["files"]) == set(FILES)
        files = [file for file in service.data.rglob("*") if file.is_file()]
        assert {file.name for file in files} == {*FILES, "manifest.json", "lock", "key-fingerprints.json"}
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert stat.S_IMODE(service.data.stat().st_mode) == 0o700
        key = service.operator_key
        service.start()
        assert service.operator_key == key
        Operator(service).make()
        assert service.stop() == 0
        assert "a new one was made" not in service.log_text()

    def test_refuses_a_folder_that_has_anything_in_it(self, run, tmp_path):
        data = tmp_path / "data"
        data.mkdir(mode=0o700)
        (data / "thesis.txt").write_text("mine")
        before = snapshot(data)
        done = run()
        assert done.returncode == 1 and "thesis.txt" in done.stderr, done.stderr
        assert snapshot(data) == before

    def test_refuses_a_folder_that_is_made_already(self, kept):
        before = snapshot(kept.data)
        done = CommandLine(kept).run("init", "--data", str(kept.data))
        assert done.returncode == 1 and "keyring.json" in done.stderr, done.stderr
        assert snapshot(kept.data) == before

    @pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277, 0o777])
    def test_makes_it_for_its_user_alone_whatever_the_umask(self, tmp_path, umask):
        command = f"umask {umask:04o}; exec \"$@\""
        from harness.service import binary, environment

        subprocess.run(
            ["sh", "-c", command, "sh", str(binary()), "init", "--data", str(tmp_path / "data")],
            check=True, env=environment(), capture_output=True,
        )  # fmt: skip
        modes = {name: mode for name, (_, _, mode, _) in snapshot(tmp_path / "data").items()}
        assert set(modes.values()) == {0o700, 0o600}, modes


class TestANewOperatorKey:
    @pytest.mark.parametrize("state", ["leaked", "lost", "empty", "damaged"])
    def test_takes_the_place_of_one_that_was(self, kept, originals, state):
        file = kept.data / "operator.key"
        old = file.read_text().strip()
        if state == "lost":
            file.unlink()
        elif state != "leaked":
            file.write_text("" if state == "empty" else "clk_")
        done = CommandLine(kept).run("init", "--data", str(kept.data), "--new-operator-key")
        assert done.returncode == 0, done.stderr
        assert kept.operator_key != old and "clk_" not in done.stdout + done.stderr
        kept.start()
        assert "operator.key is not the one" not in kept.log_text(), "the operator made it"
        assert_problem(Client(kept, old).call("GET", "/v1/keyring"), 401)
        assert Client(kept, kept.operator_key).call("GET", "/v1/keyring").status_code == 200
        TestAStartGoesOn().works(kept, originals[0])

    def test_is_not_made_while_the_service_runs(self, kept):
        kept.start()
        before = kept.operator_key
        done = CommandLine(kept).run("init", "--data", str(kept.data), "--new-operator-key")
        assert done.returncode == 3 and f"process {kept.process.pid}" in done.stderr, done.stderr
        assert kept.operator_key == before

    def test_is_not_made_in_a_folder_that_has_lost_something_else(self, kept):
        (kept.data / "erasure.key").unlink()
        before = snapshot(kept.data)
        done = CommandLine(kept).run("init", "--data", str(kept.data), "--new-operator-key")
        assert done.returncode == 3 and "erasure.key is missing" in done.stderr, done.stderr
        assert snapshot(kept.data) == before

    def test_is_not_made_where_there_is_no_folder(self, tmp_path):
        done = CommandLine().run("init", "--data", str(tmp_path / "data"), "--new-operator-key")
        assert done.returncode == 1 and "no data folder" in done.stderr
        assert list(tmp_path.iterdir()) == []


class TestANewSpool:
    @pytest.mark.parametrize("state", ["lost", "empty"])
    def test_takes_the_place_of_a_lost_one(self, kept, originals, state):
        spool = kept.data / "spool.db"
        spool.unlink()
        if state == "empty":
            spool.touch(0o600)
        done = CommandLine(kept).run("init", "--data", str(kept.data), "--replace-spool")
        assert done.returncode == 0, done.stderr
        kept.start()
        org = TestAStartGoesOn().works(kept, originals[0])
        link = org.tracked_link(content=message("after the loss"))
        assert wire.follow(link.url).status == 302
        assert len(org.clicks(link)) == 1

    def test_is_not_made_where_the_spool_is_there(self, kept):
        before = snapshot(kept.data)
        done = CommandLine(kept).run("init", "--data", str(kept.data), "--replace-spool")
        assert done.returncode == 1 and "spool.db is there" in done.stderr, done.stderr
        after = snapshot(kept.data)
        del before["lock"], after["lock"]
        assert after == before

    def test_is_not_made_beside_what_is_left_of_the_old_one(self, kept):
        (kept.data / "spool.db").unlink()
        (kept.data / "spool.db-wal").write_bytes(b"clicks")
        done = CommandLine(kept).run("init", "--data", str(kept.data), "--replace-spool")
        assert done.returncode == 1 and "spool.db-wal" in done.stderr, done.stderr
        assert not (kept.data / "spool.db").exists()


def test_no_core_file_is_ever_written(own_service):
    """It would have every key in it."""
    pid = own_service.process.pid
    assert re.search(r"^Max core file size +0 +0 ", open(f"/proc/{pid}/limits").read(), re.MULTILINE)
    os.kill(pid, signal.SIGABRT)
    # What a shell shows as "core dumped".
    _, status = os.waitpid(pid, 0)
    assert os.WTERMSIG(status) == signal.SIGABRT and not os.WCOREDUMP(status)
    own_service.process.returncode = -signal.SIGABRT
    assert list(own_service.folder.rglob("core*")) == []
