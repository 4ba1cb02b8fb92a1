"""kill -9 of the service and of PostgreSQL under load: whatever was acknowledged is there afterwards, once, and every
ledger holds.

    CRASH_ROUNDS=100 .venv/bin/pytest Tests/EndToEnd/test_postgres_crash.py -s
"""

import copy
import os
import random
import signal
import subprocess
import time
from collections import Counter

import httpx
import pytest

from conftest import run_to_the_end
from harness.acknowledged import (
    Ledger, Until, check, compose, compose_until_answered, follow, record_consents,
)  # fmt: skip
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.exports import verified_export
from harness.postgres import Server
from harness.service import Service

pytestmark = pytest.mark.crash

ROUNDS = int(os.environ.get("CRASH_ROUNDS", 8))
# What is lost or doubled stays so: with many rounds everything is held against the service ten times only.
CHECKS = min(ROUNDS, 10)
AUDIENCE = 2_000


@pytest.fixture(scope="module")
def server():
    server = Server(durable=True)
    yield server
    server.stop()


@pytest.fixture
def service(tmp_path, server):
    url = server.url(server.make_database())
    yield from run_to_the_end(Service(tmp_path, settings={"CONSENTLINK_STORAGE": url}))


def backends_of(server):
    """Those that serve the service."""
    rows = server.psql("SELECT pid FROM pg_stat_activity WHERE application_name = 'consentlink'")
    return [int(line) for line in rows.split()]


def kill_service(server, service):
    service.kill()
    service.start()


def kill_backend(server, service):
    """PostgreSQL then ends all others too, and recovers."""
    os.kill(random.choice(eventually(lambda: backends_of(server))), signal.SIGKILL)
    eventually(lambda: is_answering(server))


def kill_postmaster(server, service):
    """Its processes notice, and end."""
    server.kill_postmaster()
    server.start()


def kill_cluster(server, service):
    server.kill()
    server.start()


def restart_at_once(server, service):
    server.stop_at_once()
    server.start()


def kill_both(server, service):
    service.kill()
    server.kill()
    server.start()
    service.start()


def terminate_connections(server, service):
    server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'consentlink'")


def cancel_statements(server, service):
    for _ in range(20):
        server.psql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'consentlink'")


FAULTS = [
    kill_service, kill_backend, kill_postmaster, kill_cluster, kill_both, restart_at_once, terminate_connections,
    cancel_statements,
]  # fmt: skip


def is_answering(server):
    try:
        return server.psql("SELECT 1")
    except subprocess.CalledProcessError:
        return False


@pytest.mark.timeout(600 + 30 * ROUNDS)
def test_nothing_acknowledged_is_lost_or_doubled_whatever_is_killed(server, service):
    org = Operator(service).make("nonRestrictive")
    audience = [person("audience") for _ in range(AUDIENCE)]
    org.record_all([{"recipient": who, "state": "given"} for who in audience])
    sent = org.compose(audience, message(link="https://shop.example/followed"))
    links = {sent.link(who): who for who in audience}
    ledger, done, since = Ledger(), Counter(), []

    for number in range(1, ROUNDS + 1):
        work = Until(goes_on=True)
        work.run(record_consents(org, ledger), 1)
        work.run(compose(org, ledger), 1)
        work.run(compose_until_answered(org, ledger), 1)
        work.run(follow(service, list(links), ledger), 2)
        time.sleep(random.uniform(0.2, 1.0))
        fault = FAULTS[(number - 1) % len(FAULTS)]
        fault(server, service)
        done[fault.__name__] += 1
        before = (len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values()))
        # All of it goes on by itself.
        eventually(
            lambda: all(
                now > then for now, then in zip(
                    (len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values())), before, strict=True)
            ), within=60)  # fmt: skip
        work.join()
        eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
        if number % (ROUNDS // CHECKS) == 0:
            check(org, ledger, sent.message, links)
            since = verified_export(service, org, f"export{number}", *since)

    service.restart()
    check(org, ledger, sent.message, links, everybody=True)
    verified_export(service, org, "last", *since)
    print(
        f"{len(ledger.consents)} consent records, {len(ledger.decisions)} decisions and "
        f"{sum(ledger.redirected.values())} redirects were acknowledged in {ROUNDS} rounds: {dict(done)}"
    )


def test_what_is_lost_or_doubled_is_found(server, service):
    """The check itself: each corrupted history fails it."""
    org = Operator(service).make("nonRestrictive")
    audience = [person("audience") for _ in range(5)]
    sent = org.compose(audience, message(link="https://shop.example/followed"))
    links = {sent.link(who): who for who in audience}
    ledger = Ledger()
    work = Until()
    work.run(record_consents(org, ledger), 1)
    work.run(compose(org, ledger), 1)
    work.run(compose_until_answered(org, ledger), 1)
    work.run(follow(service, list(links), ledger), 1)
    eventually(lambda: ledger.consents and ledger.decisions and len(ledger.redirected) > 2)
    work.join()
    check(org, ledger, sent.message, links, everybody=True)
    database = service.settings["CONSENTLINK_STORAGE"].split("/")[3].split("?")[0]
    link = next(iter(ledger.redirected))
    for lost in (
        lambda: ledger.decisions.append((sent.message, audience[0], "0" * 16)),
        lambda: ledger.consents.append((audience[0], "0" * 16)),
        lambda: ledger.redirected.update({link: 1000}),
        lambda: ledger.asked.update({link: -1000}),
        lambda: ledger.recorded.update({ledger.consents[0][0]: -1}),
        lambda: ledger.judged.update({ledger.decisions[0][1]: -1}),
    ):
        before = copy.deepcopy(vars(ledger))
        lost()
        with pytest.raises(AssertionError):
            check(org, ledger, sent.message, links, everybody=True)
        vars(ledger).update(before)
    check(org, ledger, sent.message, links)
    id = int(ledger.decisions[-1][2], 16)
    assert server.change(f"DELETE FROM decisions WHERE id = {id}", database) == 1
    with pytest.raises(AssertionError):
        check(org, ledger, sent.message, links)
