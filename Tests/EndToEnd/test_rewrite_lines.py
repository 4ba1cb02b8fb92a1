"""Rewriting by lines: a mail for a line, in order, its decision and its links stored first."""

import json
import re
import time
from pathlib import Path

import pytest

from harness import postgres
from harness import tokens, wire
from harness.client import assert_misfit, assert_problem, message, person
from harness.eventually import eventually
from harness.lines import Lines, exchange

HEADERS = {"Content-Type": "application/x-ndjson"}
OWN = "https://shop.example/offer?a=1&b=2"  # the link of harness.client.message


def page(*paths):
    return "".join(f'<p>Sale “x”\n<a href="https://shop.example/{path}">x</a></p>' for path in paths)


def line(recipient, **bodies):
    return json.dumps({"recipient": recipient} | bodies).encode()


@pytest.fixture
def made(org):
    return org.make_message(message())["id"]


@pytest.fixture
def people(org):
    given = [person("given") for _ in range(3)]
    org.record_all([{"recipient": who, "state": "given"} for who in given])
    return [given[0], person("unseen"), given[1], given[2]]


def rewrite(org, made, *lines, **order):
    return exchange(org, "/rewrites", [json.dumps({"messageId": made} | order).encode(), *lines])


def links_in(org, body):
    return re.findall(rf"{re.escape(org.service.public)}/r/[\w-]{{54}}", body)


def targets(org, body):
    return [wire.follow(link).header("Location") for link in links_in(org, body)]


def test_each_line_is_answered_with_what_a_request_of_its_own_gets(org, made, people):
    mails = [{"html": page("a", "b"), "text": "https://shop.example/t"}, {"html": page("a")}, {"text": "x"}, {"html": page("b", "c")}]
    answers = rewrite(org, made, *(line(who, **mail) for who, mail in zip(people, mails)))
    assert [answer["recipient"] for answer in answers] == people
    assert [answer["tracked"] for answer in answers] == [True, False, True, True]
    for who, mail, answer in zip(people, mails, answers):
        assert set(answer) == {"recipient", "tracked", "decision", "trackingId", "skipped", *mail}
        alone = org.expect(200, "POST", org.path("/rewrites"), {"messageId": made, "recipient": who} | mail).json()
        for name in mail:
            if answer["tracked"]:
                assert targets(org, answer[name]) == targets(org, alone[name])
                assert [tokens.fields(link[-54:]).link for link in links_in(org, answer[name])] == [
                    tokens.fields(link[-54:]).link for link in links_in(org, alone[name])]
            else:
                assert answer[name] == alone[name] == mail[name]
    decided = org.decisions(message=made)[:4]
    assert [(entry["recipient"], entry["id"]) for entry in decided] == [
        (answer["recipient"], answer["decision"]["id"]) for answer in answers]
    assert [link["url"] for link in org.expect(200, "GET", org.path(f"/messages/{made}")).json()["links"]] == [
        OWN, *(f"https://shop.example/{path}" for path in ("a", "b", "t", "c"))]


def test_a_line_without_a_body_gets_the_one_of_the_first_line(org, made, people):
    answers = rewrite(
        org, made, line(people[0]), line(people[2], html=page("own")), line(people[1], html=None),
        html=page("all"), text="https://shop.example/text")
    assert [targets(org, answer["html"]) for answer in answers] == [
        ["https://shop.example/all"], ["https://shop.example/own"], []]
    assert [targets(org, answer["text"]) for answer in answers] == [["https://shop.example/text"]] * 2 + [[]]
    assert answers[2]["html"] == page("all")


def test_only_links_that_stay_as_they_are_are_named(org, made, people):
    html = page("a") + '<a href="mailto:shop@shop.example">m</a>'
    (answer,) = rewrite(org, made, line(people[0], html=html, text="https+notrack://shop.example/q"))
    assert [(link["where"], link["url"], link["reason"]) for link in answer["skipped"]] == [
        ("html", "mailto:shop@shop.example", "otherScheme"), ("text", "https://shop.example/q", "optedOut")]


def test_a_lone_line_is_answered_while_the_stream_stays_open(org, made, people):
    with Lines(org, "/rewrites") as lines:
        lines.send(json.dumps({"messageId": made}).encode() + b"\n")
        answers = lines.answers()
        for number in range(3):
            lines.send(line(people[0], html=page(f"{number}")) + b"\n")
            assert targets(org, next(answers)["html"]) == [f"https://shop.example/{number}"]
        org.set(targetHosts=["elsewhere.example"])
        lines.send(line(people[0], html=page("late")) + b"\n")
        assert next(answers)["skipped"][0]["reason"] == "notATarget", "rules of the moment apply"
        org.set(targetHosts=[])
        org.record(people[0], "withdrawn")
        lines.send(line(people[0], html=page("0")) + b"\n")
        assert next(answers)["html"] == page("0")
        lines.end()
        assert list(answers) == []


def test_the_mail_of_the_first_line_is_judged_by_the_rules_of_the_moment_too(org, made, people):
    html = page("a") + '<a href="https://elsewhere.example/x">x</a>'
    with Lines(org, "/rewrites") as lines:
        lines.send(json.dumps({"messageId": made, "html": html}).encode() + b"\n")
        answers = lines.answers()
        lines.send(line(people[1]) + b"\n")
        assert next(answers)["skipped"] == []
        org.set(targetHosts=["shop.example"])
        lines.send(line(people[0]) + b"\n")
        answer = next(answers)
        assert targets(org, answer["html"]) == ["https://shop.example/a"]
        assert [link["reason"] for link in answer["skipped"]] == ["notATarget"]
        org.set(targetHosts=[])
        lines.send(line(people[0]) + b"\n")
        assert targets(org, next(answers)["html"]) == ["https://shop.example/a", "https://elsewhere.example/x"]
        lines.end()
        assert list(answers) == []


def test_mails_that_wait_for_the_client_are_judged_by_the_rules_of_the_moment_too(org, made):
    who, filler, count = person("given"), "y" * 300, 4_000
    org.record(who, "given")

    def links():
        return len(org.expect(200, "GET", org.path(f"/messages/{made}")).json()["links"])

    def unchanging():
        before = links()
        time.sleep(0.5)
        return before == links() and before

    with Lines(org, "/rewrites", receive_buffer=4096) as lines:
        lines.send(json.dumps({"messageId": made}).encode() + b"\n")
        mails = [line(who, html=page(f"{n}") + filler) for n in range(count)]
        lines.send_all(mails)
        eventually(lambda: links() > 1)
        eventually(unchanging)
        org.set(targetHosts=["elsewhere.example"])
        stored = links()
        assert stored < count, "nothing waited for the client"
        skipped = [answer["skipped"] for answer in lines.answers()]
    # The mails that were stored when the rules changed are answered as they were stored.
    assert links() == stored
    tracked = [one for one in skipped if not one]
    assert len(skipped) == count and skipped[: len(tracked)] == tracked
    assert {one["reason"] for (one,) in skipped[len(tracked) :]} == {"notATarget"}


def test_a_thousand_mails_of_many_links_arrive_in_order(org, made):
    everybody = [person() for _ in range(1_000)]
    org.record_all([{"recipient": who, "state": "given"} for who in everybody[::2]])
    filler = "<p class=\"x\">" + "lorem ipsum " * 200 + "</p>"
    answers = rewrite(org, made, *(line(who, html=filler + page(f"{n % 40}", f"own/{n}")) for n, who in enumerate(everybody)))
    assert [answer["recipient"] for answer in answers] == everybody
    assert [answer["tracked"] for answer in answers] == [n % 2 == 0 for n in range(1_000)]
    assert targets(org, answers[998]["html"]) == ["https://shop.example/38", "https://shop.example/own/998"]
    assert answers[999]["html"] == filler + page("39", "own/999")


def test_decisions_and_links_of_a_batch_are_committed_together(own_service, own_org):
    made = own_org.make_message(message())["id"]
    everybody = [person() for _ in range(300)]
    own_org.record_all([{"recipient": who, "state": "given"} for who in everybody])
    sent = [json.dumps({"messageId": made}).encode(), *(line(who, html=page(f"{n}")) for n, who in enumerate(everybody))]
    before = commits(own_service)
    body = b"\n".join(sent) + b"\n"
    answer = own_org.call("POST", own_org.path("/rewrites"), content=body, headers=HEADERS)
    assert len(answer.text.splitlines()) == 300
    assert commits(own_service) - before < 60, "a commit for each mail"


def commits(service):
    """How often the storage was changed: the transactions of the server that wrote, or those in the log of the main file,
    where each commit ends with a frame that says so."""
    if postgres.is_asked_for():
        return int(service.stored("SELECT txid_snapshot_xmax(txid_current_snapshot())")[0][0])
    log = (Path(service.data) / "consentlink.db-wal").read_bytes()
    page_size = int.from_bytes(log[8:12], "big")
    frames = range(32, len(log), 24 + page_size)
    salt = log[16:24]
    return sum(log[at + 4 : at + 8] != b"\0\0\0\0" and log[at + 8 : at + 16] == salt for at in frames)


def test_links_of_answered_lines_survive_kill_9_an_instant_later(own_service, own_org):
    made = own_org.make_message(message())["id"]
    who = person()
    own_org.record(who, "given")
    with Lines(own_org, "/rewrites") as lines:
        lines.send(json.dumps({"messageId": made}).encode() + b"\n" + line(who, html=page("new")) + b"\n")
        answer = next(lines.answers())
        own_service.kill()
    own_service.start()
    assert targets(own_org, answer["html"]) == ["https://shop.example/new"]
    assert own_org.decisions(message=made)[-1]["id"] == answer["decision"]["id"]


def test_a_full_message_leaves_new_links_raw(org, made, people):
    text = " ".join(f"https://shop.example/{number}" for number in range(65_534))
    full, more = rewrite(org, made, line(people[0], text=text), line(people[2], html=page("1", "more")))
    assert full["skipped"] == []
    assert [link["reason"] for link in more["skipped"]] == ["full"]
    assert targets(org, more["html"]) == ["https://shop.example/1"]


BAD_LINES = {
    "no JSON": (b"x", 400, None),
    "a string": (b'"ana@people.example"', 422, ""),
    "no body": (line("ana@people.example"), 422, "/html"),
    "no recipient": (b'{"html":"x"}', 422, "/recipient"),
    "an unknown member": (line("ana@people.example", html="x", messageId="1"), 422, "/messageId"),
    "HTML that cannot be searched": (line("ana@people.example", html="<div>" * 100_000), 422, "/html"),
}


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_line_that_does_not_fit_is_answered_with_a_problem(org, made, people, kind):
    bad, status, pointer = BAD_LINES[kind]
    answers = rewrite(org, made, bad, line(people[0], html=page("a")), bad)
    assert [answer.get("recipient") for answer in answers] == [None, people[0], None]
    for answer in (answers[0], answers[2]):
        assert answer["error"]["status"] == status
        assert [error["pointer"] for error in answer["error"].get("errors", [])] == ([] if pointer is None else [pointer])
    assert [entry["recipient"] for entry in org.decisions()] == [people[0]]


@pytest.mark.parametrize(
    ("first", "status", "pointer"),
    [
        (b"", 400, None),
        (b"[]", 422, ""),
        (b"{}", 422, "/messageId"),
        (b'{"messageId":"1234567812345678"}', 422, "/messageId"),
        (b'{"messageId":"1234567812345678","recipient":"ana@people.example"}', 422, "/recipient"),
    ],
)
def test_an_order_that_does_not_fit_is_the_answer_itself(org, first, status, pointer):
    for ending in (b"", b"\n", b"\n" + line("ana@people.example", html="x") + b"\n"):
        answer = org.call("POST", org.path("/rewrites"), content=first + ending, headers=HEADERS)
        assert_problem(answer, status) if pointer is None else assert_misfit(answer, pointer)
    assert org.decisions() == []
