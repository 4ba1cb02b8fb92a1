"""Random walks over everything that decides about a recipient, compared with rules that are written from the documents
alone (`oracle/`): records, late reports, ends, purposes apart, both pages, composing, clicks, opens, reports of devices,
erasures, another enforcement, repeated requests, restarts and `kill -9`, in two organizations at once.

    CONSENT_WALKS=200 .venv/bin/pytest -n 2 Tests/EndToEnd/test_consent_walks.py            # the long form
    CONSENT_SEED=17 CONSENT_WALKS=1 .venv/bin/pytest Tests/EndToEnd/test_consent_walks.py   # one walk again
"""

import os

import pytest

from harness.client import Operator
from harness.moving_clock import MovingClock
from harness.service import CommandLine, Service
from oracle.walk import Walk

FIRST = int(os.environ.get("CONSENT_SEED", 1))
WALKS = int(os.environ.get("CONSENT_WALKS", 4))
ACTS = int(os.environ.get("CONSENT_ACTS", 120))


@pytest.mark.crash
@pytest.mark.embedded_storage_only  # the clock of a database server is not moved
@pytest.mark.parametrize("seed", range(FIRST, FIRST + WALKS))
def test_every_answer_follows_from_the_documents(tmp_path, seed):
    clock = MovingClock(tmp_path)
    service = Service(tmp_path, flags=["--link-lifetime", "3650"], settings=clock.settings)
    service.start()
    try:
        walk = Walk(service, Operator(service), clock, seed)
        walk.run(ACTS)
        command = CommandLine(service)
        for tenant in walk.tenants:
            walk.compare_decisions(tenant)
            key = tenant.org.expect(200, "GET", tenant.org.path("/ledger")).json()["verifierKey"]
            archive = str(tmp_path / f"{tenant.org.id}.tar")
            done = command.ask("audit", "export", "--org", tenant.org.id, "--output", archive)
            assert done.returncode == 0, done.stderr
            done = command.run("verify", archive, "--key", key, "--whole")
            assert done.returncode == 0, done.stdout + done.stderr
    finally:
        service.kill()
