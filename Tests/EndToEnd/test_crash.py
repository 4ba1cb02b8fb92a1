"""kill -9 in the middle of the work: whatever the service had acknowledged is there after a restart, once.

    CRASH_ROUNDS=100 .venv/bin/pytest Tests/EndToEnd/test_crash.py -k lost_or_doubled -s
"""

import os
import random
import time

import pytest

from harness import wire
from harness.acknowledged import (
    Ledger, Until, check, compose, compose_until_answered, follow, record_consents,
)  # fmt: skip
from harness.client import Operator, message, person

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
