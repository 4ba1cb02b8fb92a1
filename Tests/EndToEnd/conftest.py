"""Fixtures: the service as a process of its own, and organizations in it."""

import httpx
import pytest

from harness import evidence, postgres
from harness.client import AUTHORITIES, Operator
from harness.service import CommandLine, Service


@pytest.fixture(scope="session", autouse=True)
def no_server_is_left():
    yield
    postgres.stop()


@pytest.fixture(scope="session", autouse=True)
def no_downloads_by_selenium():
    """Selenium asks the network for drivers and statistics unless told not to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        patch.setenv("SE_AVOID_STATS", "true")
        yield


@pytest.fixture(scope="session", autouse=True)
def requests_without_a_client_trust_nobody():
    """They are plain HTTP, as those of the harness are, and read no authorities either."""
    create = httpx.create_ssl_context

    def trusting_nobody(verify, **more):
        return create(verify=AUTHORITIES if verify is True else verify, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", trusting_nobody)
        yield


def run_to_the_end(service):
    """Starts a service, lends it to the tests, and holds its end to the contract, too."""
    service.start()
    yield service
    if service.is_running:
        if evidence.folder():
            evidence.keep_text("metrics", httpx.get(f"{service.api}/metrics").text)
        assert service.stop() == 0
    service.assert_log_is_discreet()


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A running service that the tests of one file share: they must leave it running."""
    yield from run_to_the_end(Service(tmp_path_factory.mktemp("service")))


@pytest.fixture(scope="module")
def server():
    """A PostgreSQL server of one file's own, which its tests may end and start again."""
    server = postgres.Server()
    yield server
    server.stop()


@pytest.fixture
def own_nodes(tmp_path):
    """Two nodes of one test's own, to end and start again."""
    # Imported here, because it imports from this file.
    from harness.nodes import Nodes

    nodes = Nodes(tmp_path, 2)
    yield nodes
    nodes.end()


@pytest.fixture
def own_service(tmp_path):
    """A running service of one test's own, to stop, end by force and start again."""
    yield from run_to_the_end(Service(tmp_path))


@pytest.fixture
def start(tmp_path):
    """Starts further services, with the options of `Service`; they end with the test."""
    endings = []

    def start(**options):
        folder = tmp_path / f"started-{len(endings)}"
        folder.mkdir()
        ending = run_to_the_end(Service(folder, **options))
        endings.append(ending)
        return next(ending)

    yield start
    for ending in endings:
        next(ending, None)


@pytest.fixture(scope="module")
def operator(service):
    return Operator(service)


@pytest.fixture
def org(operator):
    """A new organization that tracks nobody without consent."""
    return operator.make("restrictive")


@pytest.fixture
def lenient_org(operator):
    """A new organization that tracks every recipient who has not opted out."""
    return operator.make("nonRestrictive")


@pytest.fixture
def own_org(own_service):
    return Operator(own_service).make("restrictive")


@pytest.fixture(scope="module")
def command_line(service):
    return CommandLine(service)
