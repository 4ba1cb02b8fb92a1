"""kill -9 in the middle of the work: whatever the service had acknowledged is there after a restart, once.

    CRASH_ROUNDS=100 .venv/bin/pytest Tests/EndToEnd/test_crash.py -k lost_or_doubled -s
"""

import os
import random
import re
import sqlite3
import time

import httpx
import pytest

from harness import wire
from harness.acknowledged import (
    Ledger, Until, check, compose, compose_until_answered, follow, record_consents,
)  # fmt: skip
from harness.client import Operator, message, person
from harness.eventually import eventually

ROUNDS = int(os.environ.get("CRASH_ROUNDS", 5))
# What is lost or doubled stays so: with many rounds the whole ledger is held against the service ten times only.
CHECKS = min(ROUNDS, 10)
AUDIENCE = 2_000


@pytest.mark.crash
@pytest.mark.timeout(600 + 20 * ROUNDS)
def test_nothing_acknowledged_is_lost_or_doubled_by_kill_9(own_service):
    operator = Operator(own_service)
    org = operator.make("nonRestrictive")
    audience = [person("audience") for _ in range(AUDIENCE)]
    org.record_all([{"recipient": who, "state": "given"} for who in audience])
    sent = org.compose(audience, message(link="https://shop.example/followed"))
    links = {sent.link(who): who for who in audience}
    assert len(links) == AUDIENCE
    ledger = Ledger()

    for number in range(1, ROUNDS + 1):
        before = (len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values()))
        work = Until()
        work.run(record_consents(org, ledger), 1)
        work.run(compose(org, ledger), 1)
        work.run(compose_until_answered(org, ledger), 1)
        work.run(follow(own_service, list(links), ledger), 2)
        time.sleep(random.uniform(0.4, 1.2))
        own_service.kill()
        work.join()
        after = (len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values()))
        assert all(now > then for now, then in zip(after, before)), f"round {number} was ended before its work began"
        own_service.start()
        if number % (ROUNDS // CHECKS) == 0:
            check(org, ledger, sent.message, links)

    own_service.restart()
    check(org, ledger, sent.message, links, everybody=True)
    print(
        f"{len(ledger.consents)} consent records, {len(ledger.decisions)} decisions and "
        f"{sum(ledger.redirected.values())} redirects were acknowledged in {ROUNDS} rounds"
    )


@pytest.mark.crash
def test_a_withdrawal_acknowledged_an_instant_before_kill_9_counts(own_service, own_org):
    for _ in range(3):
        link = own_org.tracked_link()
        own_org.record(link.recipient, "withdrawn")
        own_service.kill()
        own_service.start()
        assert wire.follow(link.url).status == 302
        assert own_org.clicks(link) == []


@pytest.mark.crash
def test_a_click_answered_an_instant_before_kill_9_counts_once(own_service, own_org):
    for _ in range(3):
        link = own_org.tracked_link()
        assert wire.follow(link.url).status == 302
        own_service.kill()
        own_service.start()
        assert len(own_org.clicks(link)) == 1


@pytest.mark.crash
def test_a_click_before_a_withdrawal_stays_and_a_later_one_does_not_come_by_kill_9(own_service, own_org):
    link = own_org.tracked_link()
    assert wire.follow(link.url).status == 302
    time.sleep(0.05)
    own_org.record(link.recipient, "withdrawn")
    assert wire.follow(link.url).status == 302
    own_service.kill()
    own_service.start()
    assert len(own_org.clicks(link)) == 1


def follow_and_close_the_ledger(own_service, own_org, links):
    """Follows the links, kills the service, and changes every yes of the organization. Gives the organization as a
    condition in SQL, and how many of the clicks the drain had stored."""
    own_org.settle()
    before = len(own_org.interactions())
    for link in links:
        assert wire.follow(link.url).status == 302
    own_service.kill()
    early = int(own_service.stored("SELECT count(*) FROM interactions")[0][0]) - before
    assert early < len(links)
    own = f"organization = (SELECT number FROM organizations WHERE id = '{own_org.id}')"
    assert own_service.change(f"UPDATE consents SET state = 3 WHERE state = 1 AND {own}") >= len(links) + before
    return own, early


@pytest.mark.crash
def test_clicks_of_a_ledger_that_is_closed_are_kept_until_it_is_whole(own_service, own_org):
    """Whoever changes a row of an organization must not make its recorded clicks disappear."""
    links = [own_org.tracked_link() for _ in range(5)]
    other = own_org.tracked_link()
    assert wire.follow(other.url).status == 302
    own, early = follow_and_close_the_ledger(own_service, own_org, links)
    own_service.start()

    def metric(name):
        return float(re.search(rf"^{name} (\S+)$", httpx.get(f"{own_service.api}/metrics").text, re.M)[1])

    eventually(lambda: metric("consentlink_spool_parked") == 5 - early)
    assert metric("consentlink_spool_depth") == 0
    own_service.kill()
    assert own_service.change(f"UPDATE consents SET state = 1 WHERE state = 3 AND {own}") >= 6
    own_service.start()
    eventually(lambda: [len(own_org.clicks(link)) for link in links] == [1] * 5)
    assert metric("consentlink_spool_parked") == 0


@pytest.mark.crash
def test_damaged_clicks_that_were_set_aside_stay_in_the_spool_when_the_others_are_stored(own_service, own_org):
    links = [own_org.tracked_link() for _ in range(5)]
    own, early = follow_and_close_the_ledger(own_service, own_org, links)
    own_service.start()

    def parked():
        metrics = httpx.get(f"{own_service.api}/metrics").text
        return float(re.search(r"^consentlink_spool_parked (\S+)$", metrics, re.M)[1])

    def spool(statement):
        with sqlite3.connect(own_service.data / "spool.db") as database:
            rows = database.execute(statement).fetchall()
        database.close()
        return rows

    eventually(lambda: parked() == 5 - early)
    own_service.kill()
    spool("INSERT INTO parked SELECT min(position), 2, x'07FF' FROM parked")
    assert own_service.change(f"UPDATE consents SET state = 1 WHERE state = 3 AND {own}") >= 5
    own_service.start()
    eventually(lambda: [len(own_org.clicks(link)) for link in links] == [1] * 5)
    eventually(lambda: "recorded clicks cannot be read from the spool" in own_service.log_text())
    own_service.kill()
    assert spool("SELECT count(*) FROM parked") == [(0,)]
    assert spool("SELECT hex(content) FROM unreadable") == [("07FF",)]
    own_service.start()


@pytest.mark.crash
def test_an_erasure_acknowledged_an_instant_before_kill_9_is_whole(own_service, own_org):
    link = own_org.tracked_link()
    assert wire.follow(link.url).status == 302
    own_org.erase(link.recipient)
    own_service.kill()
    assert own_service.files_with(link.recipient) == set()
    own_service.start()
    assert own_service.files_with(link.recipient) == set()
    assert own_org.compose([link.recipient]).of(link.recipient)["decision"]["reason"] == "recipientErased"
