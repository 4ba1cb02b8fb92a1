"""Retention: what an organization keeps no longer is forgotten, and what was decided stays."""

import contextlib
import sqlite3

import pytest

from harness import wire
from harness.client import Operator, person
from harness.eventually import eventually
from harness.late_clock import restart_after, start_after
from harness.metrics import scrape

DAYS = 40


def decisions(org):
    return org.expect(200, "GET", org.path("/decisions")).json()["decisions"]


def interactions(org):
    return org.expect(200, "GET", org.path("/interactions")).json()["interactions"]


def test_has_an_end_unless_forever_is_written(org):
    silent = {"interactionsDays": 760, "decisionsDays": 1825}
    assert org.expect(200, "GET", org.path()).json()["retention"] == silent
    forever = {"interactionsDays": "forever", "decisionsDays": "forever"}
    assert org.set(retention=forever)["retention"] == forever
    assert org.set(retention=None)["retention"] == forever
    assert org.set(retention=silent | {"decisionsDays": "forever"})["retention"] == silent | {"decisionsDays": "forever"}


def test_stays_as_it_is_where_nothing_is_said(org):
    both = {"interactionsDays": 30, "decisionsDays": 365}
    assert org.set(retention=both)["retention"] == both
    assert org.set(name="Other")["retention"] == both
    assert org.set(retention={"decisionsDays": 7})["retention"] == both | {"decisionsDays": 7}
    assert org.set(retention={})["retention"] == both | {"decisionsDays": 7}


class Clicked:
    """An organization in which somebody was tracked and clicked."""

    def __init__(self, service):
        self.org = Operator(service).make("restrictive")
        self.link = self.org.tracked_link(person("kept"))
        assert wire.follow(self.link.url).status == 302
        eventually(lambda: interactions(self.org))

    def keep(self, days):
        self.org.set(retention={"interactionsDays": days, "decisionsDays": days})


@pytest.mark.embedded_storage_only
def test_what_is_older_is_forgotten_and_what_is_younger_stays(own_service):
    old, young = Clicked(own_service), Clicked(own_service)
    old.keep(DAYS - 1)
    young.keep(DAYS + 1)
    restart_after(own_service, DAYS)

    eventually(lambda: not interactions(old.org))
    [decision] = eventually(lambda: [item for item in decisions(old.org) if item["recipient"] is None])
    assert (decision["outcome"], decision["reason"], decision["consent"]) == ("tracked", "consentGiven", None)
    asked = {"recipient": old.link.recipient}
    assert old.org.expect(200, "POST", old.org.path("/decisions/query"), asked).json()["decisions"] == []
    assert "forgot data whose retention ended" in own_service.log_text()

    assert [item["recipient"] for item in interactions(young.org)] == [young.link.recipient]
    assert [item["recipient"] for item in decisions(young.org)] == [young.link.recipient]


@pytest.mark.embedded_storage_only
def test_links_go_on_and_what_is_clicked_from_then_on_is_recorded(own_service):
    clicked = Clicked(own_service)
    clicked.keep(DAYS - 1)
    target = wire.follow(clicked.link.url).header("Location")
    restart_after(own_service, DAYS)
    eventually(lambda: not interactions(clicked.org))

    assert wire.follow(clicked.link.url).header("Location") == target
    # Consent is not a matter of days: their next click is theirs.
    assert [item["recipient"] for item in eventually(lambda: interactions(clicked.org))] == [clicked.link.recipient]


@pytest.mark.embedded_storage_only
def test_a_click_that_waited_for_its_store_for_longer_is_not_stored_and_counted(own_service):
    short, long = Clicked(own_service), Clicked(own_service)
    short.keep(DAYS - 1)
    long.keep(DAYS + 1)
    with contextlib.closing(sqlite3.connect(own_service.data / "consentlink.db", isolation_level=None)) as store:
        store.execute("BEGIN IMMEDIATE")
        for clicked in (short, long):
            assert wire.follow(clicked.link.url).status == 302
        own_service.kill()
    start_after(own_service, DAYS)

    eventually(lambda: len(interactions(long.org)) == 2)
    eventually(lambda: not interactions(short.org))
    dropped = scrape(own_service).by("consentlink_clicks_dropped_total", "reason")
    assert dropped == {"consentEnded": 0, "retentionEnded": 1}


@pytest.mark.embedded_storage_only
@pytest.mark.patience
def test_what_is_set_while_the_service_runs_counts_within_a_round(own_service):
    clicked = Clicked(own_service)
    restart_after(own_service, DAYS)
    assert len(interactions(clicked.org)) == 1
    clicked.keep(1)
    eventually(lambda: not interactions(clicked.org), within=90)
