"""Lists as JSON lines and CSV: everything that matches, streamed, the same as page by page."""

import csv
import io
import json

import httpx
import pytest

from harness import wire
from harness.client import assert_problem, message, person
from harness.eventually import eventually

LINES = "application/x-ndjson"
CSV = "text/csv"


def export(org, path, type, query=None, **parameters):
    """The whole answer, as a GET with these parameters or a POST with this query."""
    if query is not None:
        return org.expect(200, "POST", org.path(path), query, headers={"Accept": type})
    return org.expect(200, "GET", str(httpx.URL(org.path(path), params=parameters)), headers={"Accept": type})


def lines_of(answer):
    assert answer.headers["content-type"] == LINES
    assert answer.text == "" or answer.text.endswith("\n")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert ("content-length" in answer.headers) == (len(lines) < 1_000)
    return lines


def test_cells_are_quoted_and_run_nothing(org):
    nasty = ["=cmd|'/C calc'!A0", "a;=1+1", "a|@x", "\uff1d1", 'a;"=1"', "-1", "plain"]
    org.compose(nasty)
    text = export(org, "/decisions", CSV).text
    rows = rows_of(export(org, "/decisions", CSV))
    assert [row["recipient"] for row in rows] == [
        "'=cmd|'/C calc'!A0", "a;'=1+1", "a|'@x", "'\uff1d1", 'a;"\'=1"', "'-1", "plain",
    ]
    for line in text.splitlines():
        assert line.startswith('"')
    assert '"decidedAt"' in text


def rows_of(answer):
    assert answer.headers["content-type"].split(";")[0] == CSV
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def cell(value):
    return "" if value is None else {True: "true", False: "false"}.get(value, value)


@pytest.fixture
def decided(org):
    """Decisions of two messages, more than a page can have, about half of them tracked."""
    people = [person() for _ in range(2_600)]
    org.record_all([{"recipient": who, "state": "given"} for who in people[::2]])
    first = org.compose(people).message
    second = org.compose(people[:10]).message
    return org, first, second, people


class TestDecisions:
    def test_as_lines_are_those_of_the_pages(self, decided):
        org, first, second, people = decided
        everything = org.decisions(limit=1000)
        assert len(everything) == 2_610
        assert lines_of(export(org, "/decisions", LINES)) == everything
        for query in ({"message": first}, {"message": second}, {"outcome": "untracked"}, {"reason": "consentGiven"}):
            assert lines_of(export(org, "/decisions", LINES, **query)) == org.decisions(limit=1000, **query)
        place = everything[1234]["id"]
        assert lines_of(export(org, "/decisions", LINES, after=place)) == everything[1235:]
        assert lines_of(export(org, "/decisions", LINES, after=everything[-1]["id"])) == []

    def test_as_csv_are_the_same(self, decided):
        org, _, _, _ = decided
        everything = org.decisions(limit=1000)
        rows = rows_of(export(org, "/decisions", CSV))
        assert rows == [{name: cell(value) for name, value in item.items()} for item in everything]

    def test_of_one_person_are_asked_for_in_a_body(self, decided):
        org, first, second, people = decided
        query = {"recipient": people[3]}
        assert lines_of(export(org, "/decisions/query", LINES, query)) == org.query_decisions(**query)
        assert [row["message"] for row in rows_of(export(org, "/decisions/query", CSV, query))] == [first, second]

    def test_a_limit_is_of_pages_and_shortens_no_stream(self, decided):
        org, _, second, _ = decided
        assert len(lines_of(export(org, "/decisions", LINES, message=second, limit=3))) == 10


def test_an_empty_list_is_no_lines_and_a_header_alone(org):
    for path in ("/decisions", "/interactions"):
        assert lines_of(export(org, path, LINES)) == []
        assert len(export(org, path, CSV).text.split("\r\n")) == 2
        assert rows_of(export(org, path, CSV)) == []


def test_cells_that_a_spreadsheet_would_run_are_neutralised(org):
    people = ["=HYPERLINK(\"https://evil.example\";\"x\")", "+49 30 123", "-1+1", "@SUM(A1)", "fine, \"quoted\""]
    org.compose(people)
    rows = rows_of(export(org, "/decisions", CSV))
    assert [row["recipient"] for row in rows] == ["'" + who for who in people[:4]] + people[4:]
    assert [item["recipient"] for item in lines_of(export(org, "/decisions", LINES))] == people


def test_interactions_are_those_of_the_pages(org):
    composed = []
    for label in ("Yes", "=No"):
        composed += [org.tracked_link(content=message(link="https://shop.example/a,b", linkLabel=label))]
    for link in composed:
        assert wire.follow(link.url).status == 302
    everything = eventually(lambda: (found := org.interactions()) and len(found) == 2 and found)
    assert lines_of(export(org, "/interactions", LINES)) == everything
    assert lines_of(export(org, "/interactions/query", LINES, {"recipient": composed[1].recipient})) == everything[1:]
    assert lines_of(export(org, "/interactions", LINES, after=everything[0]["id"])) == everything[1:]
    assert [item["link"]["label"] for item in everything] == ["Yes", "=No"]
    rows = rows_of(export(org, "/interactions", CSV))
    assert [row["link.label"] for row in rows] == ["Yes", "'=No"]
    for row, item in zip(rows, everything, strict=True):
        link = item.pop("link")
        expected = item | {f"link.{name}": link[name] for name in ("index", "url", "label")}
        expected |= {"link.index": str(link["index"]), "link.label": row["link.label"]}
        assert row == {name: cell(value) for name, value in expected.items()}


@pytest.mark.parametrize(
    ("accept", "type"),
    [
        ("*/*", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("image/png", "application/json"),
        ("text/csv;q=0.9, application/x-ndjson", LINES),
        ("text/*", CSV),
        ("application/json, text/csv", "application/json"),
    ],
)
@pytest.mark.parametrize("path", ["/decisions", "/interactions"])
def test_the_type_is_negotiated(org, path, accept, type):
    assert export(org, path, accept).headers["content-type"].split(";")[0] == type
    assert export(org, path + "/query", accept, {}).headers["content-type"].split(";")[0] == type


@pytest.mark.parametrize("type", [LINES, CSV])
@pytest.mark.parametrize("query", ["limit=0", "after=nowhere", "from=yesterday", "colour=red", "limit=1&limit=2"])
@pytest.mark.parametrize("path", ["/decisions", "/interactions"])
def test_what_does_not_fit_is_a_problem_in_every_type(org, path, query, type):
    assert_problem(org.call("GET", org.path(f"{path}?{query}"), headers={"Accept": type}), 422)


def test_a_broken_export_does_not_end_like_a_whole_one(own_service, own_org):
    """Enough of it that it cannot stand in the buffers on the way: the service is ended while it writes."""
    people = [person() for _ in range(10_000)]
    for _ in range(6):
        own_org.compose(people)
    headers = {"Authorization": f"Bearer {own_org.key}", "Accept": LINES}
    with wire.Connection(own_service.api_listen) as connection:
        connection.send(wire.request("GET", own_org.path("/decisions"), own_service.api_listen, headers))
        own_service.kill()
        with pytest.raises(ConnectionError):
            connection.receive()
    own_service.start()
    assert len(lines_of(export(own_org, "/decisions", LINES))) == 60_000
