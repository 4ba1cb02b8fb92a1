"""Consent records as JSON lines: a line for a line, in order, durable before it is answered, in constant memory."""

import json
import random
import re
from pathlib import Path

import pytest

from harness import times, wire
from harness.client import Operator, assert_misfit, assert_problem, person, unique
from harness.lines import Lines, exchange

MANY = 50_000


def record(recipient, state="given", **members):
    return json.dumps({"recipient": recipient, "state": state} | members).encode()


def problem(answer):
    assert list(answer) == ["error"], answer
    assert isinstance(answer["error"]["title"], str) and isinstance(answer["error"]["detail"], str)
    return answer["error"]


def test_each_line_is_answered_with_the_stored_record(org):
    people = [person() for _ in range(3)]
    answers = exchange(org, "/consents", [record(who) for who in people])
    assert [answer["recipient"] for answer in answers] == people
    for who, answer in zip(people, answers):
        (stored,) = org.consent(who)["history"]
        assert answer == {name: stored[name] for name in answer}
        assert set(answer) == {"id", "recipient", "purpose", "state", "occurredAt", "recordedAt"}


def test_evidence_is_asked_for_from_the_next_line_on(org):
    evidence = {"method": "form", "notice": {"id": "privacy", "version": "3"}}
    with Lines(org, "/consents") as lines:
        answers = lines.answers()
        lines.send(record(person()) + b"\n")
        assert next(answers)["state"] == "given"
        assert org.set(requireEvidence=True)["requireEvidence"] is True
        refused = person()
        lines.send(record(refused) + b"\n")
        assert [found["pointer"] for found in problem(next(answers))["errors"]] == ["/evidence/method", "/evidence/notice"]
        for members in ({"state": "given", "evidence": evidence}, {"state": "refused"}):
            lines.send(record(person(), **members) + b"\n")
            assert next(answers)["state"] == members["state"]
        lines.end()
        assert list(answers) == []
    assert org.consent(refused)["history"] == []
    assert_misfit(org.call("POST", org.path("/consents"), {"recipient": refused, "state": "given"}), "/evidence/method")


@pytest.mark.parametrize("blank", ["", " ", "\u200b", "\u00a0\ufeff"])
def test_evidence_of_which_nothing_is_seen_is_none(org, blank):
    org.set(requireEvidence=True)
    notice = {"id": "privacy", "version": "3"}
    for evidence, pointer in (
        ({"method": blank, "notice": notice}, "/evidence/method"),
        ({"method": "form", "notice": {"id": blank, "sha256": blank}}, "/evidence/notice"),
    ):
        who = person()
        given = {"recipient": who, "state": "given", "evidence": evidence}
        assert_misfit(org.call("POST", org.path("/consents"), given), pointer)
        assert org.consent(who)["history"] == []


@pytest.mark.parametrize("way", ["lines", "array", "one record"])
def test_a_second_copy_of_a_grant_from_a_fast_clock_does_not_outrank_the_withdrawal_between(org, way):
    send = {
        "lines": lambda who: exchange(org, "/consents", [json.dumps(who).encode()])[0],
        "array": lambda who: org.record_all([who])[0],
        "one record": lambda who: org.record_all(who)[0],
    }[way]
    grant = {"recipient": person(), "state": "given", "occurredAt": times.from_now(minutes=2), "evidence": {"method": "form"}}
    first = send(grant)
    times.next_millisecond()
    no = org.record(grant["recipient"], "withdrawn")
    second = send(grant)
    assert second["occurredAt"] == first["occurredAt"] < no["occurredAt"] <= second["recordedAt"]
    assert org.consent(grant["recipient"])["current"][0]["state"] == "withdrawn"
    times.next_millisecond()
    another = send(grant | {"occurredAt": times.from_now(minutes=2, seconds=1)})
    assert another["occurredAt"] >= no["occurredAt"]
    assert org.consent(grant["recipient"])["current"][0]["state"] == "given"


def test_the_answer_is_json_lines(org):
    with Lines(org, "/consents") as lines:
        lines.end()
        assert list(lines.answers()) == []
        assert lines.head[1]["content-type"] == "application/x-ndjson"
        assert lines.head[1]["transfer-encoding"] == "chunked"


def test_a_lone_line_is_answered_while_the_stream_stays_open(org):
    with Lines(org, "/consents") as lines:
        answers = lines.answers()
        for state in ("given", "withdrawn", "given"):
            who = person()
            lines.send(record(who, state) + b"\n")
            assert next(answers)["recipient"] == who
            assert org.consent(who)["current"][0]["state"] == state
        lines.end()
        assert list(answers) == []


def test_a_line_may_arrive_in_any_pieces(org):
    people = [person() for _ in range(3)]
    body = b"\r\n".join(record(who) for who in people)
    with Lines(org, "/consents") as lines:
        for byte in body:
            lines.send(bytes([byte]))
        lines.end()
        assert [answer["recipient"] for answer in lines.answers()] == people


BAD_LINES = {
    "not JSON": (b"recipient", 400, None),
    "cut": (b'{"recipient":"a"', 400, None),
    "empty": (b"", 400, None),
    "white space": (b" \r", 400, None),
    "not UTF-8": (b'{"recipient":"\xff","state":"given"}', 400, None),
    "two values": (b'{"recipient":"a","state":"given"} {"recipient":"b","state":"given"}', 400, None),
    "a hundred thousand levels": (b"[" * 60_000, 400, None),
    "a lone surrogate": (b'{"recipient":"\\ud800","state":"given"}', 400, None),
    "an array": (b'[{"recipient":"a","state":"given"}]', 422, ""),
    "a NUL": (b'{"recipient":"a\\u0000","state":"given"}', 422, "/recipient"),
    "an unknown member": (b'{"recipient":"a","state":"given","stat":1}', 422, "/stat"),
    "a duplicate member": (b'{"recipient":"a","state":"given","state":"given"}', 422, "/state"),
    "another state": (b'{"recipient":"a","state":"maybe"}', 422, "/state"),
    "no recipient": (b'{"state":"given"}', 422, "/recipient"),
    "the far future": (b'{"recipient":"a","state":"given","occurredAt":"2999-01-01T00:00:00.000Z"}', 422, "/occurredAt"),
    "too long": (b'{"recipient":"' + b"a" * 70_000 + b'","state":"given"}', 413, None),
    "far too long": (b"x" * 20_000_000, 413, None),
}


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_line_that_does_not_fit_is_answered_with_a_problem_and_the_others_are_stored(org, kind):
    line, status, pointer = BAD_LINES[kind]
    people = [person() for _ in range(4)]
    lines = [record(people[0]), record(people[1]), line, record(people[2]), line, record(people[3])]
    answers = exchange(org, "/consents", lines)
    assert len(answers) == len(lines)
    assert [answers[place]["recipient"] for place in (0, 1, 3, 5)] == people
    for place in (2, 4):
        told = problem(answers[place])
        assert told["status"] == status
        assert [error["pointer"] for error in told.get("errors", [])] == ([] if pointer is None else [pointer])
    assert all(len(org.consent(who)["history"]) == 1 for who in people)


def test_of_two_lines_at_the_same_instant_the_later_is_in_force(org):
    who, moment = person(), "2026-01-01T00:00:00.000Z"
    lines = [record(who, validUntil=f"20{year}-01-01T00:00:00.000Z", occurredAt=moment) for year in range(30, 60)]
    answers = exchange(org, "/consents", lines)
    assert [answer["id"] for answer in answers] == sorted(answer["id"] for answer in answers)
    assert org.consent(who)["current"][0]["validUntil"] == "2059-01-01T00:00:00.000Z"


def test_a_withdrawal_in_a_line_works_on_the_next_click(org):
    link = org.tracked_link()
    (answer,) = exchange(org, "/consents", [record(link.recipient, "withdrawn")])
    assert answer["state"] == "withdrawn"
    assert wire.follow(link.url).status == 302
    assert org.clicks(link) == []


def test_needs_the_scope_and_the_organization(org, operator):
    headers = {"Content-Type": "application/x-ndjson"}
    reader = org.with_scopes("read")
    assert_problem(reader.call("POST", org.path("/consents"), content=record(person()), headers=headers), 403)
    unknown = f"/v1/orgs/{unique('org')}/consents"
    assert_problem(operator.call("POST", unknown, content=record(person()), headers=headers), 404)


@pytest.mark.parametrize("path", ["/keys", "/messages", "/consents/query", "/recipients/erase", "/decisions/query"])
def test_what_takes_no_lines_says_so(org, path):
    headers = {"Content-Type": "application/x-ndjson"}
    assert_problem(org.call("POST", org.path(path), content=b"{}\n", headers=headers), 415)


def resident_megabytes(service):
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) // 1024


class TestMany:
    def test_are_answered_in_order_and_in_constant_memory(self, own_service, own_org):
        people = [person() for _ in range(MANY)]
        lines = Lines(own_org, "/consents")
        with lines:
            lines.send_all([record(who) for who in people])
            greatest = 0
            for place, answer in enumerate(lines.answers()):
                assert answer["recipient"] == people[place]
                if place % 5000 == 0:
                    greatest = max(greatest, resident_megabytes(own_service))
            assert place == MANY - 1
        # The page cache of the database is 64 MB of it; the records themselves would be many times their 5 MB of text.
        assert greatest < 250
        assert all(len(own_org.consent(who)["history"]) == 1 for who in random.sample(people, 50))

    def test_wait_for_a_client_that_does_not_read(self, own_service, own_org):
        """What the service takes in from somebody who reads no answers is bounded by buffers, not by what they send."""
        with Lines(own_org, "/consents", receive_buffer=65536) as lines:
            lines._socket.settimeout(3)
            sent = 0
            block = b"".join(record(f"{unique('p')}@people.example") + b"\n" for _ in range(500))
            with pytest.raises(TimeoutError):
                while sent < 200 << 20:
                    lines.send(block)
                    sent += len(block)
            assert sent < 100 << 20
            assert resident_megabytes(own_service) < 250


def stored(org, people):
    """Which of these people have a record, asked through decisions so that it takes one call for thousands. The last
    are asked about first: what is stored meanwhile must not look as if something had been skipped."""
    found = set()
    for start in reversed(range(0, len(people), 10_000)):
        composed = org.compose(people[start : start + 10_000])
        found |= {entry["recipient"] for entry in composed.payloads if entry["tracked"]}
    return found


class TestCutOff:
    @pytest.mark.parametrize("round", range(4))
    def test_every_answered_line_is_there(self, org, round):
        people = [person() for _ in range(20_000)]
        answered = self.cut_after(org, people, random.randint(1, 15_000))
        there = stored(org, people)
        assert set(answered) <= there
        assert answered == people[: len(answered)]
        # What is stored is a beginning of what was sent: nothing was skipped.
        assert there == set(people[: len(there)])

    def test_a_line_cut_in_the_middle_is_not_stored(self, org):
        whole, cut = person(), person()
        with Lines(org, "/consents") as lines:
            lines.send(record(whole) + b"\n" + record(cut)[:-1])
            assert next(lines.answers())["recipient"] == whole
        assert org.consent(cut)["history"] == []

    @staticmethod
    def cut_after(org, people, count):
        answered = []
        with Lines(org, "/consents") as lines:
            lines.send_all([record(who) for who in people])
            for answer in lines.answers():
                answered.append(answer["recipient"])
                if len(answered) == count:
                    break
        return answered

    @pytest.mark.crash
    def test_kill_9_loses_no_answered_line(self, own_service, own_org):
        for _ in range(4):
            people = [person() for _ in range(20_000)]
            answered = []
            end = random.randint(1, 15_000)
            with Lines(own_org, "/consents") as lines:
                lines.send_all([record(who) for who in people], ends=False)
                with pytest.raises(OSError):
                    for answer in lines.answers():
                        answered.append(answer["recipient"])
                        if len(answered) == end:
                            own_service.kill()
            own_service.start()
            assert len(answered) >= end
            assert answered == people[: len(answered)]
            assert set(answered) <= stored(own_org, people)


def test_an_open_stream_does_not_keep_the_service_from_ending(own_service):
    org = Operator(own_service).make("restrictive")
    with Lines(org, "/consents") as lines:
        who = person()
        lines.send(record(who) + b"\n")
        assert next(lines.answers())["recipient"] == who
        assert own_service.stop() == 0
        with pytest.raises(OSError):
            next(lines.answers())
    own_service.start()
    assert len(org.consent(who)["history"]) == 1
