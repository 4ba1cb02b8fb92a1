"""A NULL in PostgreSQL where the tables allow none, because somebody has taken the constraint away: whoever it is about is
named, and nobody else notices."""

import pytest

from harness import wire
from harness.client import Operator, person
from harness.eventually import eventually
from harness.service import Service

pytestmark = pytest.mark.fault


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


def test_a_recipient_without_a_reference_is_named_when_somebody_composes_for_them(damaged):
    one, two = person(), person()
    for recipient in (one, two):
        damaged.org.record(recipient, "given")
    other_link = damaged.other.tracked_link()
    damaged.clear("recipients", "reference", "number = (SELECT min(number) FROM recipients)")
    body = {"format": "plain", "recipients": [one, two], "message": {"name": "a", "link": "https://shop.example/"}}
    assert damaged.org.call("POST", damaged.org.path("/payloads"), body).status_code == 503
    eventually(lambda: f"of the recipients of {damaged.org.id} is not the one" in damaged.service.log_text())
    assert_is_clicked(damaged.other, other_link)


@pytest.mark.parametrize("column", ["created_at", "is_disabled"])
def test_a_message_that_cannot_be_read_is_named_by_a_start_and_holds_up_no_clicks(damaged, column):
    message = damaged.org.tracked_link().message
    link = damaged.other.tracked_link()
    assert damaged.service.stop() == 0
    damaged.clear("messages", column, f"organization = (SELECT number FROM organizations WHERE id = '{damaged.org.id}')")
    damaged.service.start()
    said = f"message {message} of {damaged.org.id} has a value that cannot be read"
    eventually(lambda: said in damaged.service.log_text())
    assert_is_clicked(damaged.other, link)


def test_an_interaction_that_cannot_be_read_is_named_where_it_is_asked_for(damaged):
    link = damaged.org.tracked_link()
    assert_is_clicked(damaged.org, link)
    damaged.clear("interactions", "visitor", "true")
    assert damaged.org.call("GET", damaged.org.path("/interactions")).status_code == 503
    eventually(lambda: " has a value that cannot be read" in damaged.service.log_text())
    assert "interaction " in damaged.service.log_text()


def test_a_key_that_cannot_be_read_is_named_when_somebody_uses_it(damaged):
    one, other = damaged.org.with_scopes("read"), damaged.org.with_scopes("read")
    damaged.clear("access_keys", "scopes", f"id = {int(one.made['id'], 16)}")
    assert one.call("GET", one.path("/consents")).status_code == 503
    eventually(lambda: f"key {one.made['id']} has a value that cannot be read" in damaged.service.log_text())
    other.expect(200, "GET", other.path("/consents"))
