"""Composing by lines: a payload for a line, in order, its decision stored first; gone on with after a broken connection."""

import itertools
import json
import random
import time

import pytest

from harness import wire
from harness.client import assert_misfit, assert_problem, message, person, unique
from harness.lines import Lines, exchange

HEADERS = {"Content-Type": "application/x-ndjson"}
# Decisions of lines whose answer was lost.
MOST_LOST = 1_000


def order(content=None, **members):
    return json.dumps({"message": content or message(), "format": "plain"} | members).encode()


def quoted(recipients):
    return [json.dumps(who, ensure_ascii=False).encode() for who in recipients]


def compose(org, first, recipients):
    return exchange(org, "/payloads", [first, *quoted(recipients)])


def test_each_line_is_answered_with_a_payload(org):
    people = [person() for _ in range(5)]
    org.record_all([{"recipient": who, "state": "given"} for who in people[::2]])
    content = message()
    answers = compose(org, order(content), people)
    assert [answer["recipient"] for answer in answers] == people
    assert [answer["tracked"] for answer in answers] == [True, False, True, False, True]
    for answer in answers:
        decision = org.expect(200, "GET", org.path(f"/decisions/{answer['decision']['id']}")).json()
        assert decision["recipient"] == answer["recipient"]
        assert (decision["outcome"], decision["reason"]) == (answer["decision"]["outcome"], answer["decision"]["reason"])
    assert answers[1]["payload"] == answers[3]["payload"]
    assert wire.follow(answers[0]["payload"]["link"]).header("Location") == content["link"]


@pytest.mark.parametrize(
    ("format", "content"), [("email", {"html": ""}), ("email", {"text": "x"}), ("plain", {"title": "x"})]
)
def test_payloads_of_a_few_bytes_are_composed_like_any_other(org, format, content):
    """As many lines of them fit into a buffer as may be ahead of a client."""
    people = [person() for _ in range(1_500)]
    first = json.dumps({"message": {"name": unique(), **content}, "format": format}).encode()
    assert [answer["recipient"] for answer in compose(org, first, people)] == people


def test_the_message_stands_in_a_header(org):
    content = message()
    stored = org.make_message(content)
    with Lines(org, "/payloads") as lines:
        lines.send(order(content) + b"\n")
        assert lines.head[0] == 200
        assert lines.head[1]["consentlink-message"] == stored["id"]
        assert lines.head[1]["content-type"] == "application/x-ndjson"
        lines.end()
        assert list(lines.answers()) == []


def test_what_the_format_has_no_place_for_stands_in_a_header(org):
    content = message(actions=[{"id": "a", "title": "A"}], badge=1)
    first = json.dumps({"message": content, "format": "dynamics365", "platform": "android"}).encode()
    whole = org.compose([person()], content=content, format="dynamics365", platform="android").body["unsupportedMembers"]
    assert whole == ["actions", "badge"]
    with Lines(org, "/payloads") as lines:
        lines.send(first + b"\n")
        for name in ("consentlink-unsupported-members", "consentlink-not-carried"):
            assert lines.head[1][name].split(", ") == whole
        lines.end()
        assert list(lines.answers()) == []
    body = json.loads(first) | {"recipients": [person()]}
    answer = org.expect(200, "POST", org.path("/payloads"), body, headers={"Accept": "application/x-ndjson"})
    assert answer.headers["consentlink-unsupported-members"].split(", ") == whole
    with Lines(org, "/payloads") as lines:
        lines.send(order() + b"\n")
        assert "consentlink-unsupported-members" not in lines.head[1]
        assert "consentlink-not-carried" not in lines.head[1]
        lines.end()
        assert list(lines.answers()) == []


def test_a_stored_message_is_composed_by_its_id(org):
    stored = org.make_message(message())
    first = json.dumps({"messageId": stored["id"], "format": "dynamics365", "platform": "ios"}).encode()
    (answer,) = compose(org, first, [person()])
    assert org.decisions(message=stored["id"])[0]["id"] == answer["decision"]["id"]


def test_a_lone_line_is_answered_while_the_stream_stays_open(org):
    with Lines(org, "/payloads") as lines:
        lines.send(order())
        lines.send(b"\n")
        answers = lines.answers()
        for _ in range(3):
            who = person()
            lines.send(quoted([who])[0] + b"\n")
            assert next(answers)["recipient"] == who
        lines.end()
        assert list(answers) == []


@pytest.mark.parametrize(
    ("first", "status", "pointer"),
    [
        (b"", 400, None),
        (b"order", 400, None),
        (b'{"format":"plain"', 400, None),
        (b'{"format":"\xff"}', 400, None),
        (b"[]", 422, ""),
        (b'"ana@people.example"', 422, ""),
        (order(recipients=["ana@people.example"]), 422, "/recipients"),
        (order({"name": "m", "trackng": False}), 422, "/message/trackng"),
        (order(format="fax"), 422, "/format"),
        (order(format="bird"), 422, "/platform"),
        (json.dumps({"messageId": "1234567812345678", "format": "plain"}).encode(), 422, "/messageId"),
    ],
)
def test_an_order_that_does_not_fit_is_the_answer_itself_and_nothing_is_decided(org, first, status, pointer):
    for ending in (b"", b"\n", b'\n"ana@people.example"\n'):
        answer = org.call("POST", org.path("/payloads"), content=first + ending, headers=HEADERS)
        assert_problem(answer, status) if pointer is None else assert_misfit(answer, pointer)
    assert org.decisions() == []


BAD_LINES = {
    "no JSON": (b"ana@people.example", 400),
    "empty": (b"", 400),
    "not UTF-8": (b'"\xff"', 400),
    "a lone surrogate": (b'"\\udc00"', 400),
    "deep": (b"[" * 4000, 400),
    "no string": (b"7", 422),
    "an object": (b'{"recipient":"ana"}', 422),
    "a recipient without a letter": (b'""', 422),
    "a recipient too long": (b'"' + b"a" * 257 + b'"', 422),
    "a control character": (b'"a\\u0007b"', 422),
    "too long a line": (b'"' + b"a" * 5_000 + b'"', 413),
}


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_line_that_does_not_fit_is_answered_with_a_problem(org, kind):
    line, status = BAD_LINES[kind]
    people = [person() for _ in range(3)]
    lines = quoted(people)
    answers = exchange(org, "/payloads", [order(), line, lines[0], line, line, lines[1], lines[2], line])
    assert [answer.get("recipient") for answer in answers] == [None, people[0], None, None, *people[1:], None]
    for place in (0, 2, 3, 6):
        assert list(answers[place]) == ["error"]
        assert answers[place]["error"]["status"] == status
    assert [entry["recipient"] for entry in org.decisions()] == people


def test_the_enforcement_of_the_moment_applies(org):
    with Lines(org, "/payloads") as lines:
        lines.send(order() + b"\n")
        answers = lines.answers()
        reasons = []
        for enforcement in ("restrictive", "nonRestrictive", "restrictive"):
            org.set(enforcement=enforcement)
            lines.send(quoted([person()])[0] + b"\n")
            reasons.append(next(answers)["decision"]["reason"])
        assert reasons == ["noConsentRecord", "notOptedOut", "noConsentRecord"]


class TestJSONRequest:
    """A request in one body can be answered by lines, too."""

    def test_is_answered_with_a_line_for_each_recipient(self, org):
        people = [person() for _ in range(1_234)]
        org.record_all([{"recipient": who, "state": "given"} for who in people[::3]])
        body = {"message": message(), "format": "plain", "recipients": people}
        answer = org.expect(200, "POST", org.path("/payloads"), body, headers={"Accept": "application/x-ndjson"})
        assert answer.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert [line["recipient"] for line in lines] == people
        assert answer.headers["consentlink-message"] == org.decisions(limit=1)[0]["message"]
        assert [entry["id"] for entry in org.decisions(limit=1000)] == [line["decision"]["id"] for line in lines]

    def test_that_does_not_fit_is_a_problem(self, org):
        body = {"message": message(), "format": "plain", "recipients": ["fine", ""]}
        answer = org.call("POST", org.path("/payloads"), body, headers={"Accept": "application/x-ndjson"})
        assert_misfit(answer, "/recipients/1")
        assert org.decisions() == []


def go_on_until_all_is_answered(org, first, people, cut):
    """Sends what is left on one connection after the other; `cut` says after how many answers each ends. The answers,
    and how many connections there were."""
    answers = []
    connections = 0
    while len(answers) < len(people):
        connections += 1
        end = len(answers) + cut()
        with Lines(org, "/payloads", receive_buffer=32768) as lines:
            lines.send_all([first, *quoted(people[len(answers) :])])
            for answer in lines.answers():
                answers.append(answer)
                if len(answers) == end:
                    break
    return answers, connections


@pytest.mark.timeout(300)
def test_goes_on_after_a_broken_connection_with_the_line_after_the_last_answered(org):
    people = [f"{number}-{unique('resumed')}@people.example" for number in range(12_000)]
    org.record_all([{"recipient": who, "state": "given"} for who in people[:6_000]])
    content = message()
    answers, connections = go_on_until_all_is_answered(org, order(content), people, lambda: random.randint(500, 4_000))
    assert connections > 2
    assert [answer["recipient"] for answer in answers] == people, "a payload twice, or none"
    ids = {answer["decision"]["id"] for answer in answers}
    assert len(ids) == len(people)
    decided = {entry["id"] for entry in org.decisions(limit=1000)}
    assert ids <= decided
    assert len(decided - ids) <= MOST_LOST * (connections - 1)


@pytest.mark.parametrize("receive_buffer", [4096, None], ids=["small buffers", "buffers as they are"])
def test_decisions_run_no_more_than_a_thousand_ahead_of_a_client_that_stops_reading(org, receive_buffer):
    people = [person() for _ in range(20_000)]
    with Lines(org, "/payloads", receive_buffer=receive_buffer) as lines:
        lines.send_all([order(), *quoted(people)])
        answers = lines.answers()
        read = [next(answers)["recipient"] for _ in range(10)]
        ahead = 0
        while (now := len(org.decisions(limit=1000))) != ahead:
            ahead = now
    assert read == people[:10]
    assert 0 < ahead - len(read) <= MOST_LOST


def decided_at_last(org):
    """How many decisions there are once there are no more."""
    count = -1
    while count != (count := len(org.decisions(limit=1000))):
        time.sleep(0.3)
    return count


@pytest.mark.parametrize("work", [0, 0.0001, 0.001], ids=["fast", "slow", "very slow"])
@pytest.mark.parametrize("count", [500, 3_000])
def test_a_client_that_is_cut_off_while_it_works_on_its_lines_loses_no_more_than_a_thousand(org, work, count):
    people = [person() for _ in range(30_000)]
    # As large as Linux has it (which it doubles), and so fixed: how far it would let it grow is the machine's affair.
    with Lines(org, "/payloads", receive_buffer=65_536) as lines:
        lines.send_all([order(), *quoted(people)])
        for _ in itertools.islice(lines.answers(), count):
            time.sleep(work)
    assert 0 <= decided_at_last(org) - count <= MOST_LOST


def test_who_withdraws_while_a_client_does_not_read_is_not_tracked(org):
    people = [person() for _ in range(10_000)]
    org.record_all([{"recipient": who, "state": "given"} for who in people])
    with Lines(org, "/payloads", receive_buffer=4096) as lines:
        lines.send_all([order(), *quoted(people)])
        answers = lines.answers()
        next(answers)
        decided = decided_at_last(org)
        org.record_all([{"recipient": who, "state": "withdrawn"} for who in people])
        tracked = [True, *(answer["tracked"] for answer in answers)]
    assert len(tracked) == len(people)
    assert tracked == [place < decided for place in range(len(people))]


@pytest.mark.crash
@pytest.mark.timeout(300)
def test_no_payload_leaves_without_its_decision_over_kill_9(own_service, own_org):
    for _ in range(4):
        people = [person() for _ in range(20_000)]
        content = message()
        answers = []
        end = random.randint(1, 12_000)
        with Lines(own_org, "/payloads") as lines:
            lines.send_all([order(content), *quoted(people)])
            with pytest.raises(OSError):
                for answer in lines.answers():
                    answers.append(answer)
                    if len(answers) == end:
                        own_service.kill()
        own_service.start()
        assert [answer["recipient"] for answer in answers] == people[: len(answers)]
        stored = own_org.make_message(content)["id"]
        decided = [entry["id"] for entry in own_org.decisions(message=stored, limit=1000)]
        assert [answer["decision"]["id"] for answer in answers] == decided[: len(answers)]
