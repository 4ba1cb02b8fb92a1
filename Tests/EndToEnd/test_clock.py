"""A wall clock that is wrong: it steps back, it steps ahead, the service starts with it behind. A recipient who said no
before, in the order in which the service acknowledged, is never tracked."""

import json
import os
import random
import time
from datetime import UTC, datetime

import httpx
import pytest

from conftest import run_to_the_end
from harness import times, tokens, wire
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import DAY, HOUR, MovingClock, step
from harness.service import CommandLine, Service

STEPS = int(os.environ.get("CLOCK_WALK_STEPS", "150"))
ENFORCEMENTS = ["restrictive", "nonRestrictive"]


@pytest.fixture
def clocked(tmp_path):
    """A running service and its clock."""
    clock = MovingClock(tmp_path)
    for service in run_to_the_end(Service(tmp_path, settings=clock.settings)):
        yield service, clock


def reason(org, recipient):
    """Composes for one recipient: the reason, after a look at what the payload says."""
    composed = org.compose([recipient]).of(recipient)
    decision = composed["decision"]
    assert composed["tracked"] == (decision["outcome"] == "tracked")
    assert ("/r/" in composed["payload"]["link"]) == composed["tracked"]
    return decision["reason"]


def verified(org, folder, name="export.tar"):
    """What `consentlink verify` says of the organization's export."""
    line, asking = CommandLine(org.service), {"CONSENTLINK_KEY": org.key, "CONSENTLINK_API": org.service.api}
    export = line.run("audit", "export", "--org", org.id, "--output", str(folder / name), settings=asking)
    assert export.returncode == 0, export.stderr
    key = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
    done = line.run("verify", str(folder / name), "--key", key, "--json", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def ready(service):
    return httpx.get(f"{service.api}/readyz")


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_a_step_back_tracks_nobody_who_withdrew(clocked, enforcement, tmp_path):
    service, clock = clocked
    org, ana = Operator(service).make(enforcement), person("ana")
    org.record(ana, "given", occurredAt=times.from_now(days=-1))
    org.record(ana, "withdrawn")
    assert reason(org, ana) == "consentWithdrawn"
    for milliseconds in (-HOUR, -2 * DAY):
        clock.set(milliseconds)
        assert reason(org, ana) == "consentWithdrawn"
    decisions = org.query_decisions(recipient=ana)
    [withdrawal] = [record for record in org.consent(ana)["history"] if record["state"] == "withdrawn"]
    assert len(decisions) == 3
    assert all(decision["decidedAt"] >= withdrawal["occurredAt"] for decision in decisions)
    assert verified(org, tmp_path)["holds"]


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_a_withdrawal_recorded_while_the_clock_is_behind_ends_what_was_given_before(clocked, enforcement):
    service, clock = clocked
    org, ana, bo, cy = Operator(service).make(enforcement), person("ana"), person("bo"), person("cy")
    links = {who: org.tracked_link(who) for who in (ana, bo, cy)}
    step(service, clock, -HOUR)
    org.record(ana, "withdrawn")
    assert httpx.post(f"{service.public}/p/{tokens.of_link(links[bo].url)}").status_code == 200
    # The sender's clock is as wrong as this one: what it says happened an hour before the grant.
    org.record(cy, "withdrawn", occurredAt=times.from_now(hours=-1))
    for milliseconds in (-HOUR, 0, HOUR):
        clock.set(milliseconds)
        assert [reason(org, who) for who in (ana, bo, cy)] == ["consentWithdrawn"] * 3
    for who in (ana, bo, cy):
        assert wire.follow(links[who].url).status == 302
        assert org.clicks(links[who]) == []


@pytest.mark.embedded_storage_only
def test_times_go_on_after_the_clock_went_ahead_and_back(clocked, tmp_path):
    service, clock = clocked
    org, ana = Operator(service).make("restrictive"), person("ana")
    org.record(ana, "given")
    step(service, clock, HOUR)
    assert reason(org, ana) == "consentGiven"
    step(service, clock, 0)
    for _ in range(5):
        times.next_millisecond()
        times.next_millisecond()
        reason(org, ana)
    decided = [decision["decidedAt"] for decision in org.query_decisions(recipient=ana)]
    assert len(set(decided)) == len(decided) == 6
    assert decided == sorted(decided)
    # A sender whose clock is right says no now, by its own time; the yes was recorded when the clock was ahead.
    bo = person("bo")
    clock.set(HOUR)
    org.record(bo, "given")
    clock.set(0)
    org.record(bo, "withdrawn", occurredAt=times.from_now())
    assert reason(org, bo) == "consentWithdrawn"
    assert verified(org, tmp_path)["holds"]


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_a_start_with_the_clock_behind_goes_on_where_the_store_ends(clocked, enforcement, tmp_path):
    service, clock = clocked
    org, ana, bo = Operator(service).make(enforcement), person("ana"), person("bo")
    link, other = org.tracked_link(ana), org.tracked_link(bo)
    assert wire.follow(other.url).status == 302
    [before] = eventually(lambda: org.interactions())
    org.record(ana, "withdrawn")
    assert reason(org, ana) == "consentWithdrawn"
    last = org.query_decisions(recipient=ana)[-1]["decidedAt"]

    assert service.stop() == 0
    clock.set(-HOUR)
    service.start()
    assert reason(org, ana) == "consentWithdrawn"
    assert org.query_decisions(recipient=ana)[-1]["decidedAt"] >= last
    assert wire.follow(link.url).status == 302
    assert wire.follow(other.url).status == 302
    after = eventually(lambda: [item for item in org.interactions() if item["id"] != before["id"]])
    assert [(item["recipient"], item["occurredAt"] >= last) for item in after] == [(bo, True)]
    assert int(after[0]["id"], 16) > int(before["id"], 16)
    assert scrape(service).value("consentlink_clock_steps_total", direction="back") == 1
    assert verified(org, tmp_path)["holds"]


@pytest.mark.embedded_storage_only
def test_a_step_is_logged_counted_and_beyond_a_minute_not_ready(clocked):
    service, clock = clocked
    assert scrape(service).by("consentlink_clock_steps_total", "direction") == {"ahead": 0, "back": 0}
    assert scrape(service).value("consentlink_clock_lead_seconds") == 0

    step(service, clock, -20_000)
    assert ready(service).status_code == 200, "a small correction takes no service down"
    assert 0 < scrape(service).value("consentlink_clock_lead_seconds") <= 20
    step(service, clock, -HOUR)
    refused = ready(service)
    assert refused.status_code == 503
    assert "clock" in refused.json()["detail"]
    assert 3000 < scrape(service).value("consentlink_clock_lead_seconds") <= 3600
    step(service, clock, HOUR)
    assert ready(service).status_code == 200
    assert scrape(service).value("consentlink_clock_lead_seconds") == 0
    assert scrape(service).by("consentlink_clock_steps_total", "direction") == {"ahead": 1, "back": 2}

    lines = [json.loads(line) for line in service.log_text().splitlines()]
    steps = [line for line in lines if "the system's clock went" in line["message"]]
    assert [line["message"].split(";")[0].split()[-1] for line in steps] == ["back", "back", "ahead"]
    assert [round(int(line["milliseconds"]), -4) for line in steps] == [20_000, 3_580_000, 7_200_000]


@pytest.mark.embedded_storage_only
def test_a_backup_counts_while_service_time_leads(clocked):
    service, clock = clocked
    org = Operator(service).make("restrictive")
    step(service, clock, 7 * DAY)
    org.record(person(), "given")
    step(service, clock, 0)
    assert scrape(service).value("consentlink_clock_lead_seconds") > 6 * 24 * 3600
    for _ in range(2):
        made = Operator(service).expect(201, "POST", "/v1/backup").json()
        begun = datetime.fromisoformat(made["startedAt"])
        assert abs((datetime.now(UTC) - begun).total_seconds()) < 60
        newest = scrape(service).value("consentlink_backup_last_success_timestamp_seconds")
        assert newest == pytest.approx(begun.timestamp(), abs=0.0005)
    found = json.loads(CommandLine(service).run("doctor", "--data", str(service.data), "--json").stdout)
    told = [entry for entry in found["entries"] if entry["subject"] == "backup"]
    assert [entry["remedy"] for entry in told] == [None], told


@pytest.mark.embedded_storage_only
def test_a_clock_that_went_years_ahead_deletes_nothing(clocked):
    service, clock = clocked
    org = Operator(service).make("restrictive")
    assert wire.follow(org.tracked_link().url).status == 302
    eventually(lambda: org.interactions())
    org.set(retention={"interactionsDays": 30, "decisionsDays": 30})
    for _ in range(2):
        assert service.stop() == 0
        clock.set(5 * 365 * DAY)
        service.start()
        eventually(lambda: "retention deletes nothing" in service.log_text())
    assert len(org.interactions()) == 1
    assert "forgot data whose retention ended" not in service.log_text()


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("ahead", [20 * HOUR, 2 * DAY])
def test_a_clock_that_is_ahead_for_a_moment_makes_no_repeated_yes_outlive_the_no_after_it(clocked, ahead):
    service, clock = clocked
    org, ana = Operator(service).make("restrictive"), person("ana")
    body, key = [{"recipient": ana, "state": "given"}], {"Idempotency-Key": '"sign-up"'}
    [first] = org.expect(201, "POST", org.path("/consents"), body, headers=key).json()["consents"]
    org.record(ana, "withdrawn")
    step(service, clock, ahead)
    org.expect(201, "POST", org.path("/consents"), [{"recipient": person(), "state": "given"}],
               headers={"Idempotency-Key": '"another"'})  # fmt: skip
    if ahead > DAY:
        eventually(lambda: "retention deletes nothing" in service.log_text(), within=90)
    step(service, clock, 0)
    [again] = org.expect(201, "POST", org.path("/consents"), body, headers=key).json()["consents"]
    assert again["id"] == first["id"]
    assert reason(org, ana) == "consentWithdrawn"


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_step_of_months_and_a_restart_after_it_delete_nothing(clocked, end):
    service, clock = clocked
    org = Operator(service).make("restrictive")
    org.set(retention={"interactionsDays": 30, "decisionsDays": 30})
    assert wire.follow(org.tracked_link().url).status == 302
    eventually(lambda: org.interactions())
    step(service, clock, 300 * DAY)
    if end == "stop":
        assert service.stop() == 0
    else:
        eventually(lambda: "retention deletes nothing" in service.log_text(), within=5)
        time.sleep(0.5)
        service.kill()
    service.start()
    eventually(lambda: "retention deletes nothing" in service.log_text())
    time.sleep(3)
    assert len(org.interactions()) == 1
    assert "forgot data whose retention ended" not in service.log_text()


@pytest.mark.embedded_storage_only
def test_a_signing_key_whose_links_are_alive_is_not_retired_while_the_clock_is_ahead(clocked):
    service, clock = clocked
    link, line = Operator(service).make("restrictive").tracked_link(), CommandLine(service)
    assert line.ask("keys", "rotate").returncode == 0
    step(service, clock, 200 * DAY)
    refused = line.ask("keys", "retire", "1")
    assert refused.returncode == 1 and "clock went ahead" in refused.stderr
    step(service, clock, 0)
    refused = line.ask("keys", "retire", "1")
    assert refused.returncode == 1 and "alive until" in refused.stderr
    assert wire.follow(link.url).status == 302
    assert line.ask("keys", "retire", "1", "--force").returncode == 0
    assert wire.follow(link.url).status == 404


@pytest.mark.embedded_storage_only
def test_nobody_is_asked_again_because_the_clock_is_ahead(clocked):
    service, clock = clocked
    org, ana, bo, cy = Operator(service).make("restrictive"), person("ana"), person("bo"), person("cy")
    org.ask_for_consent(ana)
    org.record(bo, "refused")
    notice = {"id": "privacy", "version": "3", "language": "en", "text": "May we see which links you open?"}

    def ask(who):
        return org.call("POST", org.path("/consent-requests"), {"recipient": who, "notice": notice}).status_code

    step(service, clock, 181 * DAY)
    assert [ask(who) for who in (ana, bo, cy)] == [409, 409, 201]
    step(service, clock, 0)
    assert [ask(who) for who in (ana, bo, cy)] == [409, 409, 409]


def lead_is_gone(service):
    return scrape(service).value("consentlink_clock_lead_seconds") == 0


def said_yes_ahead(service, clock, milliseconds):
    """An organization, and a recipient whose yes was recorded while the clock was ahead by so much."""
    org, ana = Operator(service).make("restrictive"), person("ana")
    step(service, clock, milliseconds)
    org.record(ana, "given")
    return org, ana


@pytest.mark.embedded_storage_only
@pytest.mark.parametrize("end", ["none", "stop", "kill"])
def test_a_no_that_is_reported_when_the_clock_has_long_been_right_ends_the_yes_before_it(clocked, end):
    service, clock = clocked
    org, ana = said_yes_ahead(service, clock, 10_000)
    step(service, clock, 0)
    time.sleep(1)
    said = times.from_now()
    if end == "stop":
        assert service.stop() == 0
    elif end == "kill":
        service.kill()
    if end != "none":
        service.start()
    eventually(lambda: lead_is_gone(service), within=60)
    org.record(ana, "withdrawn", occurredAt=said)
    assert reason(org, ana) == "consentWithdrawn"


@pytest.mark.embedded_storage_only
def test_a_step_ahead_is_remembered_by_a_process_that_starts_when_the_clock_is_right_again(clocked):
    service, clock = clocked
    org, ana = said_yes_ahead(service, clock, 5_000)
    time.sleep(1)
    service.kill()
    clock.set(0)
    said = times.from_now()
    time.sleep(6)
    service.start()
    assert lead_is_gone(service)
    org.record(ana, "withdrawn", occurredAt=said)
    assert reason(org, ana) == "consentWithdrawn"


@pytest.mark.embedded_storage_only
def test_a_second_step_ahead_does_not_make_the_first_one_forgotten(clocked):
    service, clock = clocked
    org, ana = said_yes_ahead(service, clock, 20_000)
    step(service, clock, 0)
    time.sleep(1)
    said = times.from_now()
    time.sleep(3)
    step(service, clock, 1_500)
    time.sleep(20)
    org.record(ana, "withdrawn", occurredAt=said)
    assert reason(org, ana) == "consentWithdrawn"


class Walk:
    """What was acknowledged, in order, and whether each decision follows from what was acknowledged before it."""

    def __init__(self, org, rng):
        self.org = org
        self.rng = rng
        self.people = [person() for _ in range(6)]
        self.last = {}
        self.ids = set()

    def note(self, recipient, record):
        self.last[recipient] = record["state"]
        self.remember(record["id"])

    def remember(self, id):
        assert id not in self.ids, "an id was given twice"
        self.ids.add(id)

    def act(self):
        recipient = self.rng.choice(self.people)
        if self.rng.random() < 0.4:
            state = self.rng.choice(["given", "given", "withdrawn", "refused", "revoked"])
            self.note(recipient, self.org.record(recipient, state))
            return
        for entry in self.org.compose(self.people, message("walk")).payloads:
            self.remember(entry["decision"]["id"])
            said = self.last.get(entry["recipient"])
            if entry["tracked"]:
                assert said in ("given", None), f"tracked after {said}"
                assert said == "given" or self.org.made["enforcement"] == "nonRestrictive"
            else:
                assert said != "given" and (said or self.org.made["enforcement"] == "restrictive")


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_a_walk_of_the_clock_tracks_nobody_who_said_no(clocked, enforcement, tmp_path):
    """CLOCK_WALK_STEPS sets how far it goes."""
    service, clock = clocked
    rng = random.Random(f"walk {enforcement} {STEPS}")
    walk = Walk(Operator(service).make(enforcement), rng)
    for number in range(STEPS):
        shift = rng.choice([0, 1, 999, 60_000, HOUR, DAY, 400 * DAY])
        clock.set(rng.choice([-1, 1]) * rng.randint(0, shift))
        if rng.random() < 10 / STEPS:
            service.kill() if rng.random() < 0.5 else service.stop()
            service.start()
        walk.act()
    assert verified(walk.org, tmp_path)["holds"]
