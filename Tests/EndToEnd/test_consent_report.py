"""The consent report against a model that goes through every history, and the counts and samples of decisions."""

import csv
import hashlib
import io
import random
import re
from datetime import timedelta

import pytest

from conftest import run_to_the_end
from harness import times
from harness.client import Operator, message, person, unique
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import HOUR, MovingClock
from harness.service import Service

STATES = ["given", "refused", "withdrawn", "revoked", "invalidated"]
STATUSES = [*STATES, "expired"]
EVIDENCE = [
    None,
    {"method": "form", "notice": {"id": "privacy", "version": "1"}},
    {"method": "form", "notice": {"id": "privacy", "version": "2"}},
    {"method": "call"},
    {"notice": {"sha256": "ab" * 32}},
    {"source": "shop"},
    {"method": "rare"},
]


def kind(evidence):
    """How much of the evidence that can be required there is, by its name in the report."""
    evidence = evidence or {}
    notice = evidence.get("notice") or {}
    method, shown = bool(evidence.get("method")), bool(notice.get("id") or notice.get("sha256"))
    return {(True, True): "methodAndNotice", (True, False): "methodOnly", (False, True): "noticeOnly"}.get(
        (method, shown), "other" if evidence else "none")  # fmt: skip


def day_of(moment):
    return moment.date().isoformat()


class Model:
    """Every record as the service answered it, in lives that end with an erasure."""

    def __init__(self):
        self.lives = {}  # by recipient and purpose: a list of (records, time of the erasure)

    def add(self, record):
        lives = self.lives.setdefault((record["recipient"], record["purpose"]), [])
        if not lives or lives[-1][1] is not None:
            lives.append([[], None])
        end = record["validUntil"]
        at = times.parse(record["occurredAt"])
        rank = (at, record["state"] != "given", int(record["id"], 16))
        lives[-1][0].append((rank, at, record["state"], end and times.parse(end), record["evidence"]))

    def erase(self, recipient, at):
        for (who, _), lives in self.lives.items():
            if who == recipient and lives[-1][1] is None:
                lives[-1][1] = at

    def of(self, purpose):
        return [life for (_, name), lives in self.lives.items() if purpose in (None, name) for life in lives]

    @staticmethod
    def in_force(life, at):
        return max((record for record in life[0] if record[1] <= at), default=None)

    def status(self, life, at):
        found = self.in_force(life, at)
        if found is None or (life[1] is not None and life[1] <= at):
            return None
        _, _, state, end, _ = found
        return "expired" if state == "given" and end and end <= at else state

    def ends(self, life):
        """When consents in force ended, or will end, by themselves."""
        for record in life[0]:
            _, _, state, end, _ = record
            if state == "given" and end and self.in_force(life, end) == record and (life[1] is None or end < life[1]):
                yield end

    def report(self, first, days, today, purpose=None):
        lives = self.of(purpose)
        ends = [day_of(end) for life in lives for end in self.ends(life)]
        records = [record for life in lives for record in life[0]]
        told = []
        for number in range(days):
            start = first + timedelta(days=number)
            last = start + timedelta(days=1) - timedelta(milliseconds=1)
            day = {"day": day_of(start)}
            for state in STATES:
                day[state] = sum(day_of(at) == day["day"] and is_ == state for _, at, is_, _, _ in records)
            day["expired"] = ends.count(day["day"])
            day["erased"] = sum(life[1] is not None and day_of(life[1]) == day["day"] for life in lives)
            standing = [self.status(life, last) for life in lives]
            day["stock"] = {status: standing.count(status) for status in STATUSES}
            told.append(day)
        ahead = {
            f"within{n}Days": sum(
                (today + timedelta(days=1)).date().isoformat() <= end <= (today + timedelta(days=n)).date().isoformat()
                for end in ends)
            for n in (30, 60, 90)
        }  # fmt: skip
        shown = {day["day"] for day in told}
        given = [record for record in records if record[2] == "given" and day_of(record[1]) in shown]
        return told, ahead, given


def words(given, word):
    """How many records have which word, and how many have a word that too few have."""
    counted = {}
    for *_, evidence in given:
        if found := word(evidence or {}):
            counted[found] = counted.get(found, 0) + 1
    told = {found: count for found, count in counted.items() if count >= 10}
    return told, sum(counted.values()) - sum(told.values())


def method(evidence):
    return evidence.get("method")


def notice(evidence):
    shown = evidence.get("notice") or {}
    return (shown.get("id"), shown.get("version")) if shown.get("id") or shown.get("version") else None


@pytest.fixture
def clocked(tmp_path):
    clock = MovingClock(tmp_path)
    for service in run_to_the_end(Service(tmp_path, settings=clock.settings)):
        yield service, clock


def ask(org, **query):
    tail = "&".join(f"{name}={value}" for name, value in query.items())
    return org.expect(200, "GET", org.path(f"/consent-report?{tail}")).json()


def act(org, model, rng, people, purposes, now):
    """A batch of records, some of them imported with old times, and now and then an erasure."""
    batch = []
    for _ in range(rng.randint(1, 25)):
        state = "given" if rng.random() < 0.5 else rng.choice(STATES)
        record = {"recipient": rng.choice(people), "purpose": rng.choice(purposes), "state": state}
        said = now
        if rng.random() < 0.6:
            said = now - timedelta(hours=rng.randint(1, 24 * 40))
            record["occurredAt"] = times.render(said)
        if state == "given" and rng.random() < 0.6:
            record["validUntil"] = times.render(max(said, now - timedelta(days=20)) + timedelta(hours=rng.randint(2, 24 * 60)))
        if evidence := rng.choices(EVIDENCE, [4, 6, 4, 4, 4, 2, 0.2])[0]:
            record["evidence"] = evidence
        batch.append(record)
    for sent, record in zip(batch, org.record_all(batch), strict=True):
        model.add(record | {name: sent.get(name) for name in ("validUntil", "evidence")})
    if rng.random() < 0.3:
        recipient = rng.choice(people)
        org.erase(recipient)
        probe = org.record(person("probe"), "refused", purpose="probes")
        model.erase(recipient, times.parse(probe["recordedAt"]))


@pytest.mark.embedded_storage_only  # the clock of a database server is not moved
@pytest.mark.parametrize("seed", range(3))
def test_every_number_is_that_of_a_model_that_goes_through_all_histories(clocked, seed):
    service, clock = clocked
    org, rng, model = Operator(service).make(), random.Random(seed), Model()
    people, purposes = [person("reader") for _ in range(40)], ["news", "shop"]
    start = now = times.now()
    offset = 0
    for _ in range(14):
        act(org, model, rng, people, purposes, now)
        if rng.random() < 0.8:
            offset += rng.randint(2, 70) * HOUR
            steps = scrape(service).total("consentlink_clock_steps_total")
            clock.set(offset)
            eventually(lambda steps=steps: scrape(service).total("consentlink_clock_steps_total") > steps)
        now = times.parse(org.record(person("probe"), "refused", purpose="probes")["recordedAt"])
    midnight = (start - timedelta(days=50)).replace(hour=0, minute=0, second=0, microsecond=0)
    days = (now.date() - midnight.date()).days + 30
    span = {"from": times.render(midnight), "to": times.render(midnight + timedelta(days=days))}
    for purpose in ("news", "shop"):
        told, ending, given = model.report(midnight, days, now, purpose)
        report = ask(org, **span, purpose=purpose)
        assert report["purposes"] == [purpose] and report["purpose"] == purpose
        assert report["days"] == told
        assert report["ending"] == ending
        kinds = [kind(record[4]) for record in given]
        assert report["evidence"] == {name: kinds.count(name) for name in report["evidence"]}
        methods, others = words(given, method)
        if not any(life[1] for life in model.of(purpose)):
            assert {word["method"]: word["given"] for word in report["methods"]} == methods
            assert report["otherMethods"] == others
        assert sum(word["given"] for word in report["methods"]) + report["otherMethods"] == sum(methods.values()) + others
        notices, rest = words(given, notice)
        assert {(word["id"], word["version"]): word["given"] for word in report["notices"]} == notices
        assert report["otherNotices"] == rest
        compare_table(org, span | {"purpose": purpose}, report)
    both = ask(org, **span)
    assert both["purposes"] == ["news", "probes", "shop"]
    apart = [ask(org, **span, purpose=purpose)["days"] for purpose in both["purposes"]]
    assert [day["stock"] for day in both["days"]] == [
        {status: sum(days[number]["stock"][status] for days in apart) for status in STATUSES}
        for number in range(len(both["days"]))
    ]  # fmt: skip


def compare_table(org, query, report):
    """The table has each number of the report in a row, and no other."""
    tail = "&".join(f"{name}={value}" for name, value in query.items())
    text = org.expect(200, "GET", org.path(f"/consent-report?{tail}"), headers={"Accept": "text/csv"}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["purpose"] for row in rows} == {report["purpose"]}
    found = {(row["section"], row["name"], row["measure"], row["label"] or None): int(row["value"]) for row in rows}
    expected = {}
    for day in report["days"]:
        expected |= {("days", day["day"], name, None): day[name] for name in [*STATES, "expired", "erased"]}
        expected |= {("stock", day["day"], name, None): count for name, count in day["stock"].items()}
    for section in ("ending", "evidence"):
        expected |= {(section, name, "count", None): count for name, count in report[section].items()}
    expected |= {("methods", word["method"], "given", None): word["given"] for word in report["methods"]}
    expected |= {("notices", word["id"], "given", word["version"]): word["given"] for word in report["notices"]}
    expected[("otherMethods", "", "given", None)] = report["otherMethods"]
    expected[("otherNotices", "", "given", None)] = report["otherNotices"]
    assert found == expected and len(rows) == len(expected)


class TestTheConsentReport:
    def test_has_all_days_of_the_last_thirty_without_a_time(self, org):
        report = ask(org)
        assert len(report["days"]) == 31 and report["days"][-1]["day"] == times.render(times.now())[:10]
        assert report["purposes"] == [] and set(report["days"][0]["stock"].values()) == {0}

    def test_is_of_366_days_at_most(self, org):
        for query, pointer in (
            ("from=2026-01-01T00:00:00Z&to=2027-01-03T00:00:00Z", "to"),
            ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to"),
            ("from=2020-01-01T00:00:00Z", "from"), ("purpose=A+b", "purpose"), ("other=1", "other"),
        ):  # fmt: skip
            answer = org.call("GET", org.path(f"/consent-report?{query}"))
            assert answer.status_code == 422 and pointer in answer.text

    def test_names_no_evidence_that_few_records_have(self, org):
        secret = unique("wish of ana")
        org.record(person(), "given", evidence={"method": secret, "notice": {"id": secret, "version": secret}})
        report = org.expect(200, "GET", org.path("/consent-report"))
        assert secret not in report.text
        assert report.json()["otherMethods"] == report.json()["otherNotices"] == 1

    def test_counts_a_withdrawal_by_the_person_on_their_page(self, org):
        link = org.tracked_link()
        assert org.expect(200, "GET", org.path("/consent-report")).json()["days"][-1]["stock"]["given"] == 1
        org.record(link.recipient, "withdrawn")
        last = org.expect(200, "GET", org.path("/consent-report")).json()["days"][-1]
        assert last["withdrawn"] == 1 and last["stock"]["withdrawn"] == 1 and last["stock"]["given"] == 0


@pytest.fixture(scope="class")
def decided(operator):
    """Decisions of several reasons about two messages."""
    org = operator.make()
    people = [person("decided") for _ in range(300)]
    org.record_all([{"recipient": who, "state": "given"} for who in people[:200]])
    org.record_all([{"recipient": who, "state": "refused"} for who in people[200:220]])
    org.first = org.compose(people, message()).message
    org.second = org.compose(people[150:], message()).message
    return org


def listed(org, **query):
    return org.query_decisions(**query, limit=1000)


class TestTheSummaryOfDecisions:
    def test_is_that_of_the_list(self, decided):
        for tail, query in (("", {}), (f"?message={decided.first}", {"message": decided.first})):
            summary = decided.expect(200, "GET", decided.path(f"/decisions/summary{tail}")).json()
            found = listed(decided, **query)
            reasons = [decision["reason"] for decision in found]
            assert summary["decisions"] == len(found) > 100
            assert summary["reasons"] == {reason: reasons.count(reason) for reason in set(reasons)}
            assert summary["tracked"] == sum(decision["outcome"] == "tracked" for decision in found)
            assert summary["untracked"] == len(found) - summary["tracked"]
            days = {decision["decidedAt"][:10] for decision in found}
            assert summary["days"] is None if query else {day["day"] for day in summary["days"]} == days

    def test_of_a_message_has_no_time(self, decided):
        query = f"message={decided.first}&from=2026-01-01T00:00:00Z"
        assert decided.call("GET", decided.path(f"/decisions/summary?{query}")).status_code == 422
        assert decided.call("GET", decided.path("/decisions/summary?message=1")).status_code == 404


def draws(seed, first, end, count):
    """The leaves that a seed draws, once more and in another language than in the sources."""
    seen = []
    for n in range(count):
        digest = hashlib.sha256(f"{seed}:{n}".encode()).digest()
        leaf = first + int.from_bytes(digest[:8], "big") % (end - first)
        if leaf not in seen:
            seen.append(leaf)
    return seen


class TestASampleOfDecisions:
    def sample(self, org, **query):
        tail = "&".join(f"{name}={value}" for name, value in query.items())
        return org.expect(200, "GET", org.path(f"/decisions/sample?{tail}")).json()

    def leaf(self, org, decision):
        proof = org.expect(200, "GET", org.path(f"/decisions/{decision['id']}/proof")).text
        return int(re.search(r"^index (\d+)$", proof, re.MULTILINE)[1])

    def test_follows_from_the_seed_and_the_ledger_alone(self, decided):
        sample = self.sample(decided, seed="dice-4711", size=40)
        ledger = decided.expect(200, "GET", decided.path("/ledger")).json()
        assert (sample["firstLeaf"], sample["endLeaf"], sample["through"]) == (0, ledger["size"], ledger["size"])
        assert sample["isComplete"] and len(sample["sample"]) == 40
        drawn = draws("dice-4711", 0, ledger["size"], sample["draws"])
        leaves = [item["leaf"] for item in sample["sample"]]
        assert [leaf for leaf in drawn if leaf in set(leaves)] == leaves
        for item in sample["sample"][:5]:
            assert self.leaf(decided, item["decision"]) == item["leaf"]
        # What was drawn and is not in the sample is no decision.
        of = {self.leaf(decided, decision) for decision in listed(decided)[:30]}
        assert not (of & set(drawn)) - set(leaves)

    def test_is_the_same_again_after_the_ledger_has_grown(self, decided):
        before = self.sample(decided, seed="again", size=30, reason="consentRefused")
        assert {item["decision"]["reason"] for item in before["sample"]} == {"consentRefused"}
        decided.compose([person() for _ in range(50)], message_id=decided.first)
        again = self.sample(decided, seed="again", size=30, reason="consentRefused", through=before["through"])
        assert again == before
        now = self.sample(decided, seed="again", size=30, reason="consentRefused")
        assert now["through"] == before["through"] + 50

    def test_has_all_that_fit_where_fewer_do(self, decided):
        sample = self.sample(decided, seed="all", size=1000, reason="consentRefused")
        fitting = {decision["id"] for decision in listed(decided, reason="consentRefused")}
        assert {item["decision"]["id"] for item in sample["sample"]} == fitting
        assert sample["isComplete"]

    def test_of_a_time_and_a_message_has_no_other(self, decided):
        late = listed(decided, message=decided.second)[0]["decidedAt"]
        sample = self.sample(decided, seed="late", size=1000, message=decided.second, outcome="tracked", **{"from": late})
        fitting = {d["id"] for d in listed(decided, message=decided.second, outcome="tracked")}
        assert {item["decision"]["id"] for item in sample["sample"]} == fitting
        assert sample["firstLeaf"] > 300
        none = self.sample(decided, seed="early", to="2020-01-01T00:00:00Z")
        assert none["sample"] == [] and none["isComplete"] and none["endLeaf"] == none["firstLeaf"] == 0

    def test_refuses_what_cannot_be_drawn(self, decided):
        for query in ("", "seed=", "seed=a&size=0", "seed=a&size=1001", "seed=a&through=-1", "seed=a&through=99999999",
                      f"seed={'a' * 129}", "seed=a&other=1"):  # fmt: skip
            assert decided.call("GET", decided.path(f"/decisions/sample?{query}")).status_code == 422, query
