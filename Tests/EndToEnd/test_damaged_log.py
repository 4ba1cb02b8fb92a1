"""A write-ahead log that was damaged after a kill: what it lost is told, and without lost consent nothing starts."""

import json

import pytest

from harness import postgres, wire
from harness.client import Operator, message, person
from harness.metrics import scrape
from harness.service import CommandLine

HEADER, FRAME_HEADER = 32, 24


def damage(file, at=HEADER + FRAME_HEADER + 3000):
    """Changes a bit of the page in the first frame."""
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)


def doctor(service):
    done = CommandLine(service).run(
        "doctor", "--data", str(service.data), "--api", service.api, settings=service.storage)
    return done.returncode, " ".join(done.stdout.split())


def follow_four(service):
    org = Operator(service).make("nonRestrictive")
    for _ in range(4):
        assert wire.follow(org.tracked_link().url).status == 302
    service.kill()


def test_clicks_in_a_damaged_log_of_the_spool_are_missed_aloud(own_service):
    follow_four(own_service)
    log = own_service.data / "spool.db-wal"
    damage(log)
    said = doctor(own_service)
    assert said[0] == 1 and "spool.db-wal is damaged" in said[1] and "acknowledged commits" in said[1], said
    own_service.start()
    lines = [json.loads(line) for line in own_service.log_text().splitlines()]
    [line] = [line for line in lines if "spool.db-wal is damaged" in line["message"]]
    assert line["level"] == "critical" and "dmesg" in line["remedy"], line
    lost = scrape(own_service).value("consentlink_spool_commits_lost_total")
    # The last commit may have been interrupted, as far as can be told.
    assert lost >= 3 and f"damaged: {int(lost)} or more" in line["message"]
    code, text = doctor(own_service)
    assert code == 1 and f"{int(lost)} commits of recorded clicks were lost when it started" in text
    own_service.restart()
    assert scrape(own_service).value("consentlink_spool_commits_lost_total") == 0
    # An interrupted last commit is normal after a kill.
    follow_four(own_service)
    log.write_bytes(log.read_bytes()[:-100])
    own_service.start()
    assert scrape(own_service).value("consentlink_spool_commits_lost_total") == 0


@pytest.mark.skipif(postgres.is_asked_for(), reason="the database's log is on the server")
def test_without_acknowledged_consent_nothing_starts(own_service):
    org = Operator(own_service).make("nonRestrictive")
    who = person()
    org.compose([who], message("log"))
    for _ in range(3):
        org.record(who, "withdrawn")
    own_service.kill()
    log = own_service.data / "consentlink.db-wal"
    whole = log.read_bytes()
    damage(log)
    damaged = log.read_bytes()
    own_service.launch()
    assert own_service.process.wait(10) == 3
    text = own_service.log_text()
    assert "consentlink.db-wal is damaged" in text and "Restore the newest backup" in text
    assert log.read_bytes() == damaged
    said = doctor(own_service)
    assert said[0] == 1 and "consentlink.db-wal is damaged" in said[1]
    log.write_bytes(whole)
    own_service.log.unlink()
    own_service.start()
    assert "consentlink.db-wal" not in doctor(own_service)[1].replace("consentlink.db-wal has", "")
