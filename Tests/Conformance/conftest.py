"""Fixtures: the service behind a door that sees every request, and a website that its links lead to.

`harness` is that of the end-to-end tests (see `pythonpath` in pytest.ini).
"""

import pytest

from harness import postgres
from harness.client import Operator
from harness.service import Service
from stage.door import Door
from stage.website import Website


@pytest.fixture(scope="session", autouse=True)
def no_server_is_left():
    yield
    postgres.stop()


def run_behind(door, folder, make=Service):
    """Starts a service whose public origin is the door, lends it to the tests, and holds its end to the contract."""
    service = make(folder, flags=["--public-url", door.origin])
    door.service = service.listen
    service.start()
    yield service
    if service.is_running:
        assert service.stop() == 0
    service.assert_log_is_discreet()


@pytest.fixture(scope="module")
def door():
    with Door() as door:
        yield door


@pytest.fixture(scope="module")
def website():
    with Website() as website:
        yield website


@pytest.fixture(scope="module")
def service(tmp_path_factory, door):
    """A running service that the tests of one file share: they must leave it running."""
    yield from run_behind(door, tmp_path_factory.mktemp("service"))


@pytest.fixture
def own_door():
    with Door() as door:
        yield door


@pytest.fixture
def own_service(tmp_path, own_door):
    """A running service of one test's own, to stop and start again."""
    yield from run_behind(own_door, tmp_path)


@pytest.fixture(scope="module")
def operator(service):
    return Operator(service)


@pytest.fixture(scope="module")
def organizations(operator):
    """One organization for each enforcement, shared by a file: its tests have messages of their own."""
    return {enforcement: operator.make(enforcement) for enforcement in ("restrictive", "nonRestrictive")}


@pytest.fixture(scope="module")
def org(organizations):
    """An organization that tracks nobody without consent."""
    return organizations["restrictive"]
