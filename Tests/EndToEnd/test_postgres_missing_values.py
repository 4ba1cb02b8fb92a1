"""A NULL in PostgreSQL where the tables allow none, because somebody has taken the constraint away: whoever it is about is
named, and nobody else notices."""

import pytest

from harness import wire
from harness.client import Operator
from harness.eventually import eventually
from harness.postgres import Server
from harness.service import Service

pytestmark = pytest.mark.fault


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.stop()


class Damaged:
    """A service with two organizations, of which one loses values."""

    def __init__(self, server, folder):
        self._server, self._name = server, server.make_database()
        self.service = Service(folder, settings={"CONSENTLINK_STORAGE": server.url(self._name)}).start()
        self.operator = Operator(self.service)
        self.org, self.other = self.operator.make("restrictive"), self.operator.make("restrictive")

    def clear(self, table, column, condition):
        self._server.psql(
            f"ALTER TABLE {table} ALTER {column} DROP NOT NULL; UPDATE {table} SET {column} = NULL WHERE {condition}",
            self._name)


@pytest.fixture
def damaged(server, tmp_path):
    damaged = Damaged(server, tmp_path)
    yield damaged
    damaged.service.kill()


def assert_is_clicked(org, link):
    assert wire.follow(link.url).status == 302
    assert len(org.clicks(link)) == 1


class TestTheRowOfAnOrganization:
    @pytest.mark.parametrize("column", ["erasures", "interactions_purged", "interactions_stored"])
    def test_is_named_by_a_start_that_goes_on_for_the_others(self, damaged, column):
        link = damaged.other.tracked_link()
        damaged.operator.expect(
            200, "PATCH", damaged.org.path(), {"quotas": {"requestsPerMinute": 60_000, "interactions": 1_000}})
        assert damaged.service.stop() == 0
        damaged.clear("organizations", column, f"id = '{damaged.org.id}'")
        damaged.service.start()
        eventually(lambda: f"a setting of {damaged.org.id} cannot be read" in damaged.service.log_text())
        assert f"a setting of {damaged.other.id}" not in damaged.service.log_text()
        assert_is_clicked(damaged.other, link)

    def test_keeps_no_click_from_being_stored_while_the_service_runs(self, damaged):
        link, other_link = damaged.org.tracked_link(), damaged.other.tracked_link()
        damaged.clear("organizations", "interactions_purged", f"id = '{damaged.org.id}'")
        assert_is_clicked(damaged.org, link)
        assert_is_clicked(damaged.other, other_link)
