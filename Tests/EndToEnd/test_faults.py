"""A disk that fails, fills up or hangs while readers click: all of them arrive, what is not recorded is counted
exactly, nothing that was is lost, and the service is whole again afterwards."""

import contextlib
import errno
import os
import signal
import time
from collections import Counter

import httpx
import pytest

from conftest import run_to_the_end
from harness import wire
from harness.clicking import Clicking
from harness.client import Operator, Refused, message, person
from harness.eventually import eventually
from harness.faulty_disk import FaultyDisk
from harness.metrics import scrape
from harness.service import Service
from harness.small_disk import fill, small_disk

pytestmark = pytest.mark.fault
AUDIENCE = 12_000


class Campaign:
    """A message to many, each of whom has a link that is clicked once at most."""

    def __init__(self, service):
        self.org = Operator(service).make("nonRestrictive")
        people = [person("reader") for _ in range(AUDIENCE)]
        composed = self.org.compose(people[:10_000], message(name="followed", link="https://shop.example/followed"))
        more = self.org.compose(people[10_000:], message_id=composed.message)
        self.message = composed.message
        self.links = [entry["payload"]["link"] for part in (composed, more) for entry in part.payloads]
        self.reader = dict(zip(self.links, people))
        self.fresh = iter(self.links)

    def recorded(self):
        """How often each reader's click is in the store, once all that were spooled are there."""
        eventually(lambda: scrape(self.org.service).value("consentlink_spool_depth") == 0, within=30)
        clicks = self.org.interactions(message=self.message, type="PushLinkClicked", limit=1000)
        return Counter(click["recipient"] for click in clicks)

    def click(self):
        """One more reader, alone."""
        link = next(self.fresh)
        assert wire.follow(link).status == 302
        return link


def readiness(service):
    answer = httpx.get(f"{service.api}/readyz")
    return answer.status_code, answer.json()


def unready(service, *words):
    """Waits until the service says that it is not ready, and why."""
    status, body = eventually(lambda: (now := readiness(service))[0] == 503 and now)
    assert any(word in body["detail"] for word in words), body
    assert "shop.example" not in body["detail"] and str(service.data) not in body["detail"]


class Count:
    """What the service says it did with the clicks of this process."""

    def __init__(self, service):
        metrics = scrape(service)
        outcomes = metrics.by("consentlink_redirects_total", "outcome")
        self.recorded, self.unrecorded = outcomes["recorded"], outcomes["unrecorded"]
        self.others = sum(outcomes.values()) - self.recorded - self.unrecorded
        self.reasons = {k: v for k, v in metrics.by("consentlink_clicks_unrecorded_total", "reason").items() if v}
        self.late = metrics.value("consentlink_clicks_recorded_late_total")
        self.spooled = metrics.value("consentlink_clicks_spooled_total")

    def agrees_with(self, clicking):
        """Every 302 that a client saw is either recorded or counted with the reason why not."""
        assert self.others == 0
        assert self.recorded + self.unrecorded == len(clicking.redirected)
        assert sum(self.reasons.values()) == self.unrecorded
        assert self.spooled == self.recorded + self.late


@pytest.fixture
def disk(tmp_path, request):
    """Of the spool, unless a test names another file."""
    yield from run_to_the_end(FaultyDisk(tmp_path, file=getattr(request, "param", "spool.db")))


@pytest.mark.parametrize(
    ("kind", "error"),
    [("sync", errno.EIO), ("write", errno.EIO), ("write", errno.EROFS)],
    ids=["EIO on sync", "EIO on write", "read-only file system"],
)
def test_after_a_failed_call_nothing_is_written_until_a_restart(disk, kind, error):
    campaign = Campaign(disk)
    with Clicking(disk, campaign.fresh) as clicking:
        clicking.until_more(200)
        certain = [link for link, _ in list(clicking.redirected)]
        disk.fail(kind, error)
        clicking.until_more(200)
        unready(disk, "failed")
        # The disk would work again; what is on it nobody knows.
        disk.heal()
        clicking.until_more(200)
    unready(disk, "failed")
    count = Count(disk)
    count.agrees_with(clicking)
    # Each reader's last click before the fault may be answered after it.
    assert set(count.reasons) == {"failed"} and count.unrecorded >= 390
    assert scrape(disk).value("consentlink_ready") == 0
    calls = disk.calls
    failure = next(place for place, call in enumerate(calls) if call[2] != "ok")
    assert calls[failure][::2] == (kind, errno.errorcode[error])
    assert calls[failure + 1 :] == [], "something was tried again on a file that had failed"

    assert disk.stop() == 0
    disk.start()
    assert readiness(disk)[0] == 200
    last = campaign.click()
    recorded = campaign.recorded()
    assert set(recorded.values()) == {1}
    assert recorded[campaign.reader[last]] == 1
    assert all(recorded[campaign.reader[link]] == 1 for link in certain), "an acknowledged click is gone"
    # What was written before a sync failed may have reached the disk all the same; more than is acknowledged is no loss.
    room = count.unrecorded if kind == "sync" else 0
    assert count.recorded <= len(recorded) - 1 <= count.recorded + room


def test_a_spool_without_room_is_tried_again(disk):
    campaign = Campaign(disk)
    with Clicking(disk, campaign.fresh) as clicking:
        clicking.until_more(200)
        disk.fail("write", errno.ENOSPC)
        clicking.until_more(200)
        unready(disk, "full")
        disk.heal()
        eventually(lambda: readiness(disk)[0] == 200)
        clicking.until_more(200)
    count = Count(disk)
    count.agrees_with(clicking)
    assert set(count.reasons) == {"full"} and count.unrecorded >= 100
    assert readiness(disk)[0] == 200
    recorded = campaign.recorded()
    assert set(recorded.values()) == {1}
    assert len(recorded) == count.recorded


def refused_start(service):
    """Starts a service that must not become ready; says its exit code and what it added to its log."""
    known = len(service.log_text())
    service.launch()
    code = service.process.wait(timeout=30)
    return code, service.log_text()[known:]


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize(
    ("file", "kind", "error", "said"),
    [
        ("spool.db", "open", errno.EMFILE, "too many files are open"),
        ("consentlink.db", "open", errno.EMFILE, "too many files are open"),
        ("spool.db", "open", errno.ENOMEM, "spool.db in the data folder cannot be read: Cannot allocate memory"),
        ("consentlink.db", "read", errno.EIO, "consentlink.db in the data folder cannot be read: Input/output error"),
        ("manifest.json", "open", errno.EMFILE, "too many files are open"),
        ("manifest.json", "read", errno.EIO, "manifest.json in the data folder cannot be read: Input/output error"),
        ("keyring.json", "read", errno.EIO, "keyring.json in the data folder cannot be read: Input/output error"),
        ("lock", "open", errno.EMFILE, "too many files are open"),
    ],
)
def test_a_call_that_fails_at_a_start_is_not_called_damage_and_a_later_start_may_succeed(
    tmp_path, file, kind, error, said
):
    disk = FaultyDisk(tmp_path, file=file)
    disk.start()
    assert disk.stop() == 0
    disk.fail(kind, error)
    code, log = refused_start(disk)
    assert code == 1 and said in log, log
    assert not any(word in log for word in ("damaged", "Restore", "restore", "--replace-spool", "is not a data folder"))
    disk.heal()
    disk.start()
    assert readiness(disk)[0] == 200
    assert disk.stop() == 0


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("disk", ["consentlink.db"], indirect=True)
def test_a_page_that_cannot_be_read_while_the_service_runs_does_not_end_it_as_damaged(disk):
    campaign = Campaign(disk)
    link = campaign.click()
    campaign.recorded()
    assert disk.stop() == 0
    # What was just started has few pages in memory.
    disk.start()
    disk.fail("read", errno.EIO)
    with contextlib.suppress(Refused, httpx.HTTPError):
        for reader in (campaign.reader[link], person()):
            campaign.org.record(reader, "given")
    disk.heal()
    # It stays in the spool: the store takes nothing more.
    second = campaign.click()
    known = len(disk.log_text())
    assert disk.stop() == 1
    assert "a part of consentlink.db or spool.db could not be read" in disk.log_text()[known:]
    assert "damaged:" not in disk.log_text()[known:] and "Restore" not in disk.log_text()[known:]
    disk.forget_last_words()
    disk.start()
    assert campaign.recorded() == {campaign.reader[link]: 1, campaign.reader[second]: 1}


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("disk", ["consentlink.db"], indirect=True)
def test_what_a_full_disk_keeps_from_the_store_waits_in_the_spool_and_the_end_is_in_order(disk):
    campaign = Campaign(disk)
    disk.fail("write", errno.ENOSPC)
    link = campaign.click()
    eventually(lambda: scrape(disk).value("consentlink_spool_depth") == 1)
    assert disk.stop() == 0
    disk.heal()
    disk.start()
    assert campaign.recorded() == {campaign.reader[link]: 1}


@pytest.mark.parametrize("disk", [".txt"], indirect=True)
def test_checkpoints_are_signed_again_once_there_is_room_for_their_names(disk):
    org = Operator(disk).make("restrictive")
    disk.fail("rename", errno.ENOSPC)
    org.record(person(), "given")
    eventually(lambda: readiness(disk)[0] == 503)
    disk.heal()
    eventually(lambda: readiness(disk)[0] == 200, within=30)
    assert "nothing more is signed until a restart" not in disk.log_text()


@contextlib.contextmanager
def running(service):
    try:
        yield service.start()
        assert service.stop() == 0
        service.assert_log_is_discreet()
    finally:
        if service.is_running:
            service.kill()


def test_a_full_disk_is_whole_again_by_itself_once_there_is_room(tmp_path):
    data = tmp_path / "data"
    # No floor: otherwise a click may be left out for that reason, before the disk is full or after it is emptied.
    service = Service(tmp_path, data=data, flags=["--disk-floor", "0"])
    with small_disk(data, 64 << 20), running(service):
        campaign = Campaign(service)
        filler = data / "filler"
        with Clicking(service, campaign.fresh) as clicking:
            clicking.until_more(200)
            fill(filler)
            eventually(lambda: Count(service).unrecorded > 100, within=60)
            unready(service, "full")
        # Nobody clicks any more, as behind a load balancer that asks /readyz: it has to become ready by itself.
        filler.unlink()
        eventually(lambda: readiness(service)[0] == 200, within=15)
        eventually(lambda: "the disk has room again" in service.log_text())
        assert "the disk is full: nothing is recorded until there is room" in service.log_text()
        last = campaign.click()
        count = Count(service)
        clicking.redirected.append((last, 0))
        count.agrees_with(clicking)
        assert set(count.reasons) == {"full"}
        recorded = campaign.recorded()
        assert set(recorded.values()) == {1}
        assert recorded[campaign.reader[last]] == 1
        assert len(recorded) == count.recorded


@pytest.mark.embedded_storage_only
def test_a_service_starts_on_a_full_disk_after_an_orderly_end_and_leads_readers_on(tmp_path):
    data = tmp_path / "data"
    service = Service(tmp_path, data=data, flags=["--disk-floor", "0"])
    with small_disk(data, 64 << 20), running(service):
        campaign = Campaign(service)
        link = campaign.click()
        campaign.recorded()
        assert service.stop() == 0
        fill(data / "filler")
        service.start()
        assert wire.follow(link).status == 302
        (data / "filler").unlink()
        eventually(lambda: readiness(service)[0] == 200, within=30)


def test_below_the_floor_of_free_disk_clicks_are_not_stored_and_consent_is(tmp_path):
    data = tmp_path / "data"
    service = Service(tmp_path, data=data, flags=["--disk-floor", "256"])
    with small_disk(data, 64 << 20), running(service):
        campaign = Campaign(service)
        first = campaign.click()
        space = os.statvfs(data)
        # A twentieth of this disk is 3.2 MiB.
        left = space.f_bavail * space.f_frsize - (2 << 20)
        filler = data / "filler"
        filler.write_bytes(b"x" * left)
        eventually(lambda: "the disk is nearly full: clicks are not stored" in service.log_text())
        left_out = campaign.click()
        assert Count(service).reasons == {"diskFloor": 1}
        recipient = person()
        campaign.org.record(recipient, "given")
        assert campaign.org.compose([recipient], message_id=campaign.message).of(recipient)["tracked"] is True
        filler.unlink()
        eventually(lambda: "the disk has room again: clicks are stored" in service.log_text())
        last = campaign.click()
        assert Count(service).reasons == {"diskFloor": 1}
        recorded = campaign.recorded()
        assert recorded == {campaign.reader[first]: 1, campaign.reader[last]: 1}
        assert campaign.reader[left_out] not in recorded


def test_a_stuck_disk_keeps_nobody_for_long_and_what_it_takes_later_is_counted_as_such(disk):
    campaign = Campaign(disk)
    with Clicking(disk, campaign.fresh) as clicking:
        clicking.until_more(200)
        disk.delay("sync", 10)
        # Answers to what was committed just before may still come, so it is asked until there is one that was not.
        during = eventually(lambda: (now := Count(disk)).reasons and now)
        assert set(during.reasons) == {"stuck"} and during.late == 0, "the disk has not answered yet"
        disk.heal()
        eventually(lambda: Count(disk).late > 0)
        clicking.until_more(200)
    count = Count(disk)
    count.agrees_with(clicking)
    assert set(count.reasons) == {"stuck"}
    recorded = campaign.recorded()
    assert set(recorded.values()) == {1}
    assert len(recorded) == count.recorded + count.late


def test_a_stuck_disk_keeps_a_picture_no_longer_than_a_link_and_the_opening_is_counted_as_a_click_is(disk):
    org = Operator(disk).make("nonRestrictive")
    composed = org.compose([person("reader")], message(html="<p>Hello</p>", openTracking=True), format="email")
    (entry,) = composed.payloads
    disk.delay("sync", 15)
    picture = wire.ask(disk.listen, "GET", f"/o/{entry['payload']['trackingId']}.gif")
    assert picture.status == 200 and len(picture.body) == 43
    count = Count(disk)
    assert count.reasons == {"stuck": 1} and count.late == 0
    disk.heal()
    eventually(lambda: Count(disk).late == 1)
    assert Count(disk).reasons == {"stuck": 1}
    eventually(lambda: len(org.interactions(message=composed.message, type="MessageOpened")) == 1)


def test_a_process_that_stood_still_for_ten_seconds_loses_nothing(own_service):
    campaign = Campaign(own_service)
    with Clicking(own_service, campaign.fresh) as clicking:
        clicking.until_more(200)
        own_service.process.send_signal(signal.SIGSTOP)
        time.sleep(10)
        own_service.process.send_signal(signal.SIGCONT)
        clicking.until_more(200)
    count = Count(own_service)
    count.agrees_with(clicking)
    recorded = campaign.recorded()
    assert set(recorded.values()) == {1}
    assert len(recorded) == count.recorded + count.late
    assert readiness(own_service)[0] == 200


def test_without_a_fault_every_click_is_recorded(disk):
    """The negative control: neither the library nor the load makes a click go missing."""
    campaign = Campaign(disk)
    with Clicking(disk, campaign.fresh) as clicking:
        clicking.until_more(400)
    count = Count(disk)
    count.agrees_with(clicking)
    assert (count.unrecorded, count.late, count.reasons) == (0, 0, {})
    assert {call[2] for call in disk.calls} == {"ok"}
    assert len(campaign.recorded()) == len(clicking.redirected) == count.recorded


@pytest.mark.parametrize("disk", ["signed.json"], indirect=True)
@pytest.mark.embedded_storage_only
def test_a_stop_that_cannot_note_what_is_signed_says_so(disk):
    org = Operator(disk).make()
    org.record(person(), "given")
    disk.fail("write", errno.ENOSPC)
    assert disk.stop() == 0
    assert not (disk.data / "signed.json").exists()
    assert disk.log_text().count("it cannot be noted that the ledgers are signed") == 1
    disk.heal()
    disk.start()
    assert disk.stop() == 0
    assert (disk.data / "signed.json").exists()


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize(("disk", "kind", "said", "name"), [
    (".txt", "rename", "the last entries of the ledgers are not signed", ".txt"),
    ("signed.json", "write", "it cannot be noted that the ledgers are signed", "signed.json"),
], indirect=["disk"])
def test_a_stop_that_a_failing_disk_keeps_from_signing_is_no_orderly_one(disk, kind, said, name):
    org = Operator(disk).make()
    disk.fail(kind, errno.EIO)
    org.record(person(), "given")
    known = len(disk.log_text())
    assert disk.stop() == 1
    log = disk.log_text()[known:]
    assert said in log and f"{name} in the data folder cannot be written: Input/output error" in log
    disk.forget_last_words()
    disk.heal()
    disk.start()
    assert readiness(disk)[0] == 200
    assert disk.stop() == 0
    assert (disk.data / "signed.json").exists()
