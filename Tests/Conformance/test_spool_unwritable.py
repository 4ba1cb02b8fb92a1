"""Adobe's retry rule: a hit that cannot be made durable gets 503, waits in the SDK's queue, and is recorded once.

The spool is made unwritable from outside, in two ways:

- its file system is full: a small tmpfs that is mounted as the data folder and filled up. Needs to be allowed to mount.
- the service's process may not write to files (`RLIMIT_FSIZE` 0): what a failing disk looks like. Needs Linux alone.
"""

import contextlib
import os
import resource
import shutil
import subprocess
import sys

import pytest

from clients.adobe_campaign import AndroidApp
from clients.adobe_campaign_hits import LEGACY_POSTBACK, SDK, HitQueue
from clients.device import Device
from conftest import run_behind
from harness import wire
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.service import Service
from stage import feed
from stage.feed import Interaction
from stage.people import GIVEN, send

SOURCE = "adobe-campaign"
RECEIVED = Interaction(feed.RECEIVED, SOURCE)
SIZE = 48 * 1024 * 1024
# Hits that a file may still have room for when its file system has none: pages that it has already.
ROOM = 3_000


class FullDisk:
    """The service's data on a file system of its own that can be filled up."""

    # "A full disk is tried again": nothing else is needed once there is room.
    needs_restart = False

    def __init__(self, folder):
        self.folder = folder
        self.filler = folder / "filler"

    @contextlib.contextmanager
    def mounted(self):
        self.folder.mkdir()
        mount = shutil.which("mount")
        done = mount and subprocess.run(
            [mount, "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(self.folder)], capture_output=True, text=True
        )
        if not done or done.returncode:
            pytest.skip(f"needs to mount a tmpfs: run as root ({done.stderr.strip() if done else 'no mount'})")
        try:
            yield
        finally:
            subprocess.run(["umount", str(self.folder)], check=True)

    def break_it(self, service):
        with self.filler.open("wb", buffering=0) as filler:
            for piece in (1 << 20, 1 << 12):
                with contextlib.suppress(OSError):
                    while True:
                        filler.write(b"x" * piece)
        room = os.statvfs(self.folder)
        assert room.f_bavail == 0

    def mend_it(self, service):
        self.filler.unlink()


class NoWriting:
    """A limit of 0 bytes on every file that the service writes to, taken back later."""

    # What a failed write left on the disk nobody knows: nothing more is written until a restart.
    needs_restart = True

    def __init__(self, folder):
        self.folder = folder

    @contextlib.contextmanager
    def mounted(self):
        if not sys.platform.startswith("linux"):
            pytest.skip("prlimit is Linux's")
        yield

    def limit(self, service, soft):
        _, hard = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (soft, hard))

    def break_it(self, service):
        # A soft limit of 0 would end the process by SIGXFSZ; ignored, the write fails with EFBIG.
        (ignored,) = [
            line.split()[1] for line in open(f"/proc/{service.process.pid}/status") if line.startswith("SigIgn")
        ]
        assert int(ignored, 16) & (1 << 24), "the service was not started with SIGXFSZ ignored"
        self.limit(service, 0)

    def mend_it(self, service):
        self.limit(service, resource.RLIM_INFINITY)


class ServiceThatIgnoresXFSZ(Service):
    @property
    def command(self):
        return ["sh", "-c", 'trap "" XFSZ; exec "$@"', "sh", *super().command]


@pytest.fixture(params=[FullDisk, NoWriting], ids=["a full disk", "no writing"])
def trouble(request, tmp_path):
    trouble = request.param(tmp_path / "data")
    with trouble.mounted():
        yield trouble


@pytest.fixture
def service(trouble, tmp_path, own_door):
    make = ServiceThatIgnoresXFSZ if isinstance(trouble, NoWriting) else Service
    yield from run_behind(own_door, tmp_path, make)


@pytest.fixture
def org(service):
    return Operator(service).make("restrictive")


@pytest.fixture(params=[SDK, LEGACY_POSTBACK], ids=["SDK", "legacy postback"])
def form(request):
    return request.param


# What a process says at its end where a file that failed kept it from storing, signing or noting what it should.
UNDONE = (
    "the last entries of the ledgers are not signed",
    "it cannot be noted that the ledgers are signed",
    "a part of consentlink.db or spool.db could not be",
)


def end(service):
    """A process does not write again to a file that has failed. Its end is orderly (0) unless the log says what it left
    undone (1)."""
    known = len(service.log_text())
    code = service.stop()
    said = service.log_text()[known:]
    assert code == 0 or code == 1 and any(text in said for text in UNDONE), (code, said)
    service.forget_last_words()


def app_of(door, form):
    device = Device("android")
    return AndroidApp(device, HitQueue(device, door.origin, form=form))


def test_a_hit_gets_503_while_the_spool_cannot_be_written_and_its_retry_is_recorded_once(
    trouble, service, org, own_door, form
):
    # Before: the same hit of other people is taken. One message for many, so that nothing has to be composed later.
    people = [person() for _ in range(ROOM)]
    org.record_all([{"recipient": who, "state": "given"} for who in people])
    composed = org.compose(people, message(), format=SOURCE, platform="android")
    contents = iter([entry["payload"]["data"] for entry in composed.payloads])
    early = app_of(own_door, form)
    early.notification_arrived(next(contents))
    assert [post.status for post in early.device.posts] == [200]
    taken = 1

    trouble.break_it(service)
    for content in contents:
        late = app_of(own_door, form)
        late.notification_arrived(content)
        (post,) = late.device.posts
        if post.status == 503:
            break
        # Still room in pages that the file has already: then it is durable, and must be in the feed.
        assert post.status == 200
        taken += 1
    else:
        pytest.fail(f"{ROOM} hits were taken while nothing could be written")
    assert len(late.hits.waiting) == 1

    # The SDK's next attempts, while it lasts; and people are led on all the same.
    for _ in range(2):
        late.hits.flush()
    assert [post.status for post in late.device.posts] == [503] * 3
    answer = wire.follow(content["uri"])
    assert (answer.status, answer.header("Location")) == (302, content["originalLink"])

    trouble.mend_it(service)
    if trouble.needs_restart:
        end(service)
        service.start()
    eventually(lambda: late.hits.flush() or not late.hits.waiting, within=15, every=0.2)
    assert late.hits.dropped == []
    assert late.device.posts[-1].status == 200

    # And once more, as after an answer that was lost on the way.
    late.notification_arrived(content)
    assert late.device.posts[-1].status == 200
    found = [seen for seen in feed.recorded(org, composed.message) if seen == RECEIVED]
    assert len(found) == taken + 1


def test_with_room_to_write_the_same_hits_are_taken_at_once(trouble, service, org, own_door, form):
    """The negative control: what is mounted and how the service is started make no 503."""
    delivery = send(org, GIVEN, message(), SOURCE, "android")
    app = app_of(own_door, form)
    app.notification_arrived(delivery.content)
    assert [post.status for post in app.device.posts] == [200]
    assert feed.recorded(org, delivery.message) == [RECEIVED]
