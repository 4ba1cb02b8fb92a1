"""Rotations and retirements of signing keys at the same time, and on a disk that fails: what was answered holds, now and
after a restart."""

import errno
import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from conftest import run_to_the_end
from harness import wire
from harness.client import Operator
from harness.faulty_disk import FaultyDisk

# On a server the ring is in the database, and the file is a copy.
pytestmark = pytest.mark.embedded_storage_only


class Ring:
    """The signing keys of a service."""

    def __init__(self, service):
        self.service = service
        self.operator = Operator(service)

    def rotate(self):
        return self.operator.call("POST", "/v1/keyring/rotate")

    def retire(self, id):
        return self.operator.call("POST", f"/v1/keyring/{id}/retire", {"force": True})

    @property
    def listed(self):
        keys = self.operator.expect(200, "GET", "/v1/keyring").json()["keys"]
        return {key["id"]: key["createdAt"] for key in keys}

    @property
    def stored(self):
        keys = json.loads((self.service.data / "keyring.json").read_text())["keys"]
        return {key["id"]: key["createdAt"] for key in keys}


@pytest.fixture
def disk(tmp_path, request):
    """Of the file that a test names."""
    yield from run_to_the_end(FaultyDisk(tmp_path, file=request.param))


@pytest.mark.parametrize("disk", ["keyring.json"], indirect=True)
def test_changes_at_the_same_time_are_done_one_after_another(disk):
    ring = Ring(disk)
    old = ring.rotate().json()["id"]
    assert ring.rotate().status_code == 201
    disk.delay("sync", 1)
    with ThreadPoolExecutor() as threads:
        rotations = [threads.submit(ring.rotate) for _ in range(2)]
        retirement = threads.submit(ring.retire, old)
    disk.heal()
    made = [rotation.result() for rotation in rotations]
    assert [answer.status_code for answer in (*made, retirement.result())] == [201, 201, 204]
    assert len({answer.json()["id"] for answer in made}) == 2
    assert len(ring.listed) == 4 and ring.listed == ring.stored
    assert all(ring.listed[answer.json()["id"]] == answer.json()["createdAt"] for answer in made)


# The folder is synced after the file in it was replaced.
@pytest.mark.fault
@pytest.mark.parametrize("disk", ["data"], indirect=True)
def test_a_change_that_fails_after_the_file_was_replaced_is_taken_back(disk):
    ring = Ring(disk)
    old = ring.rotate().json()["id"]
    assert ring.rotate().status_code == 201
    org = ring.operator.make("nonRestrictive")
    for change in (ring.rotate, lambda: ring.retire(old)):
        before = ring.listed
        disk.fail_once("sync", errno.EIO)
        assert change().status_code == 503
        disk.heal()
        assert ring.listed == ring.stored == before
    links = [org.tracked_link().url]
    assert ring.operator.call("POST", "/v1/backup").status_code == 201
    disk.stop()
    disk.start()
    assert [wire.follow(link).status for link in links] == [302]


@pytest.mark.fault
@pytest.mark.parametrize("disk", ["data"], indirect=True)
def test_a_change_that_cannot_be_taken_back_is_told_until_the_next_one(disk):
    ring = Ring(disk)
    before = ring.listed
    disk.fail("sync", errno.EIO)
    assert ring.rotate().status_code == 503
    assert ring.listed == before
    answer = httpx.get(f"{disk.api}/readyz")
    assert answer.status_code == 503 and "keyring.json" in answer.json()["detail"]
    disk.heal()
    assert ring.rotate().status_code == 201
    assert httpx.get(f"{disk.api}/readyz").status_code == 200
    assert ring.listed == ring.stored and before.items() <= ring.listed.items()
