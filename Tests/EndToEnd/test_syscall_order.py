"""Record, then redirect: what the kernel was asked for, and in which order.

Each click is of a message of its own, so that it is recognised by its bytes wherever they go: by the message's id in
what is written to the spool's log, and by its target in the answer."""

import shutil
import threading

import pytest

from harness import tokens, wire
from harness.client import Operator, message, person
from harness.traced import Traced, available

pytestmark = pytest.mark.fault
CLICKS = 40


@pytest.fixture
def traced(tmp_path):
    if not available():
        pytest.skip("strace may not trace here")
    started = []

    def start(**options):
        service = Traced(tmp_path, **options)
        started.append(service)
        return service.start(within=60)

    yield start
    for service in started:
        if service.is_running:
            service.kill()


def click_all(service):
    """Readers of many messages, several at a time; the messages' ids and where their links lead."""
    org = Operator(service).make("nonRestrictive")
    links = {}
    for number in range(CLICKS):
        target = f"https://shop.example/traced/{number}/end"
        composed = org.compose([person()], message(link=target))
        (entry,) = composed.payloads
        links[entry["payload"]["link"]] = (bytes.fromhex(composed.message), target.encode())

    def read(mine):
        with wire.Connection(service.listen, timeout=60) as connection:
            for link in mine:
                connection.send(wire.request("GET", f"/r/{tokens.of_link(link)}", service.listen))
                assert connection.receive().status == 302

    every = list(links)
    threads = [threading.Thread(target=read, args=(every[number::4],)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert service.stop(within=60) == 0
    return list(links.values())


def uncovered(calls, clicks):
    """The clicks whose redirect did not wait for a sync that covers them."""
    answers = [call for call in calls if call.data.startswith(b"HTTP/1.1 302") or b"\r\nHTTP/1.1 302" in call.data]
    log = [call for call in calls if call.file.endswith("/spool.db-wal")]
    writes = [call for call in log if call.name == "pwrite64" and call.ended is not None]
    syncs = [call for call in log if call.name in ("fdatasync", "fsync") and call.result == 0]
    found = []
    for identifier, target in clicks:
        (answer,) = [call for call in answers if b"Location: " + target + b"\r\n" in call.data]
        written = [write.ended for write in writes if identifier in write.data]
        assert written, "a click was answered that was never written to the spool"
        if not any(min(written) < sync.began and sync.ended < answer.began for sync in syncs):
            found.append(target)
    return found


def test_the_sync_that_covers_a_click_returns_before_its_redirect_is_written(traced):
    service = traced()
    clicks = click_all(service)
    assert uncovered(service.calls(), clicks) == []


@pytest.mark.embedded_storage_only
def test_the_note_of_what_was_signed_is_gone_from_the_disk_before_anything_is_appended(traced):
    service = traced()
    Operator(service).make("nonRestrictive")
    assert service.stop(within=60) == 0
    assert (service.data / "signed.json").exists()
    service.start(within=60)
    assert not (service.data / "signed.json").exists()
    assert service.stop(within=60) == 0
    calls = service.calls()
    (removal,) = [call for call in calls if call.name == "unlink" and call.file.endswith("/signed.json")]
    later = [call for call in calls if call.began > removal.ended and call.name != "write"]
    # The thread that removes it does nothing else before the sync.
    (sync, *_) = [call for call in later if call.thread == removal.thread]
    assert (sync.name, sync.file, sync.result) == ("fsync", str(service.data), 0)
    assert not any(call.began < sync.ended for call in later if call.file.endswith("/consentlink.db-wal"))


def test_without_syncs_the_same_check_finds_every_click(traced):
    """The negative control: eatmydata makes every sync return at once without asking the kernel."""
    eatmydata = shutil.which("eatmydata")
    assert eatmydata, "eatmydata is missing"
    service = traced(around=[eatmydata])
    clicks = click_all(service)
    assert len(uncovered(service.calls(), clicks)) == CLICKS
