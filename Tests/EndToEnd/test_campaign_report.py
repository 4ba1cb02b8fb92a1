"""A scripted campaign, and its report computed by hand."""

import csv
import io
import math
from datetime import datetime, timezone

import pytest

from harness import wire
from harness.campaign import BROWSER, Campaign
from harness.client import assert_misfit, person, unique
from harness.sql import as_bytes


def wilson(count, n):
    """E. B. Wilson's interval, once more and in another form than in the sources: the roots of its quadratic."""
    z = 1.959963984540054
    p = count / n
    a, b, c = 1 + z * z / n, -(2 * p + z * z / n), p * p
    root = math.sqrt(b * b - 4 * a * c)
    low, high = (-b - root) / (2 * a), (-b + root) / (2 * a)
    return {"value": approx(p), "n": n, "low": approx(low), "high": approx(high), "purposes": ["tracking"]}


def approx(share):
    return pytest.approx(share, abs=1e-6)


@pytest.fixture(scope="module")
def campaign(service, operator):
    campaign = Campaign(service, operator.make())
    campaign.act()
    return campaign


CLICKERS = 60
RATES = {
    "coverage": wilson(300, 1000),
    "opensCoverage": wilson(300, 1000),
    "clickers": wilson(CLICKERS, 300),
    "openers": wilson(40, 300),
    "openersAtMost": wilson(40 + 50, 300),
}
BOUNDS = {
    "clickers": {"n": 1000, "low": approx(0.06), "high": approx(0.76), "purposes": ["tracking"]},
    "openers": {"n": 1000, "low": approx(0.04), "high": approx(0.04 + 0.05 + 0.11 + 0.7), "purposes": ["tracking"]},
}


def assert_as_computed(report):
    assert (report["composed"], report["tracked"], report["untracked"]) == (1050, 315, {"noConsentRecord": 735})
    assert report["people"] == {
        "composed": 1000,
        "tracked": 300,
        "untracked": {"noConsentRecord": 700},
        "opens": {"tracked": 300, "untracked": {"noConsentRecord": 700}},
        "clickers": CLICKERS,
        "openers": 40,
        "possibleOpeners": 50,
    }
    assert report["rates"] == RATES
    assert report["bounds"] == BOUNDS
    clicks = 40 + 10 + 20 + 20 * 4 + 10 * 4
    assert report["interactions"] == {
        # What calls itself a scanner follows four links at once, too, so it is suspected besides.
        "PushLinkClicked": {"total": clicks, "unique": CLICKERS, "automated": 80, "suspected": 120},
        "MessageOpened": {"total": 200, "unique": 90, "automated": 110, "suspected": 0},
    }
    assert report["opens"] == {
        "person": {"total": 40, "people": 40},
        "cannotTell": {"total": 50, "people": 50},
        "machine": {"total": 110, "people": 110},
    }
    counts = [(link["index"], link["clicks"], link["unique"]) for link in report["links"]]
    assert counts == [(1, 50, 40), (2, 20, 20), (3, 0, 0), (4, 0, 0)]
    for period in ("days", "hours"):
        # Around midnight, or a full hour, it is two of them.
        for member, total in {"clicks": 70, "opens": 40}.items():
            assert sum(one[member] for one in report[period]) == total
        assert 60 <= sum(one["clickers"] for one in report[period]) <= 70
        assert sum(one["openers"] for one in report[period]) == 40
    assert {one["hour"] for one in report["hours"]} <= {0, 1}


def numbers(row, members):
    """The cells of a row that a rate or bounds in JSON has as members."""
    return {name: row[name].split(" ") if name == "purposes" else float(row[name]) for name in members}


class TestOfOneMessage:
    def test_it_equals_what_was_computed_by_hand(self, campaign):
        assert_as_computed(campaign.report())

    def test_a_key_for_reports_reads_the_same_and_nobody_is_in_it(self, campaign):
        reader = campaign.org.with_scopes("report")
        assert campaign.report(reader) == campaign.report()
        assert "people.example" not in str(campaign.report(reader))

    def test_the_table_has_the_same_numbers(self, campaign):
        report = campaign.report()
        path = campaign.org.path(f"/messages/{campaign.message}/report")
        answer = campaign.org.expect(200, "GET", path, headers={"Accept": "text/csv"})
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert {row["message"] for row in rows} == {campaign.message}
        found = {(row["section"], row["name"], row["measure"]): row for row in rows}
        assert len(found) == len(rows)
        for name in ("composed", "tracked", "clickers", "openers", "possibleOpeners"):
            assert int(found["people", name, "count"]["value"]) == report["people"][name]
        for name, rate in report["rates"].items():
            row = found["rates", name, "rate"]
            assert numbers(row, rate) == rate
        for name, bounds in report["bounds"].items():
            row = found["bounds", name, "share"]
            assert numbers(row, bounds) == bounds
        for link in report["links"]:
            row = found["links", str(link["index"]), "clicks"]
            assert (int(row["value"]), row["url"], row["where"]) == (link["clicks"], link["url"], link["where"])


class TestOfTheOrganization:
    def test_of_one_message_it_says_the_same(self, campaign):
        report = campaign.org.expect(200, "GET", campaign.org.path("/report?tag=campaign")).json()
        assert (report["messages"], report["tag"]) == (1, "campaign")
        of_message = campaign.report()
        for member in ("composed", "tracked", "untracked", "people", "rates", "bounds"):
            assert report[member] == of_message[member]
        assert [day["clicks"] for day in report["days"]] == [day["clicks"] for day in of_message["days"]]

    def test_people_in_two_messages_are_people_once(self, campaign):
        org = campaign.org
        again = {"name": unique(), "link": "https://shop.example/", "tags": ["pair"]}
        first = org.compose(campaign.tracked[:20] + campaign.people[-10:], again)
        org.compose(campaign.tracked[10:30] + campaign.people[-5:], again | {"name": unique()})
        who = campaign.tracked[12]
        assert wire.follow(first.link(who), headers={"User-Agent": BROWSER}).status == 302
        org.settle()
        report = org.expect(200, "GET", org.path("/report?tag=pair")).json()
        assert (report["messages"], report["composed"], report["tracked"]) == (2, 55, 40)
        assert (report["people"]["composed"], report["people"]["tracked"]) == (40, 30)
        assert (report["people"]["clickers"], report["interactions"]["PushLinkClicked"]["total"]) == (1, 1)
        assert report["rates"]["coverage"] == wilson(30, 40)

    def test_times_and_tags_that_fit_nothing_are_empty_or_refused(self, campaign):
        org = campaign.org
        empty = org.expect(200, "GET", org.path("/report?to=2026-01-01T00:00:00Z")).json()
        assert (empty["messages"], empty["people"]["composed"], empty["days"]) == (0, 0, [])
        assert empty["rates"]["clickers"] == {"value": None, "n": 0, "low": None, "high": None, "purposes": []}
        assert org.expect(200, "GET", org.path("/report?tag=nothing")).json()["messages"] == 0
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        for query, pointer in {
            "from=2020-01-01T00:00:00Z": "/from",
            f"from={now}&to=2020-01-01T00:00:00Z": "/to",
            "from=2024-01-01T00:00:00Z&to=2025-01-02T00:00:00Z": "/to",
            "tag=": "/tag",
            "tags=campaign": "/tags",
        }.items():
            assert_misfit(org.call("GET", org.path(f"/report?{query}")), pointer)


class TestWhatIsNotMeasured:
    def test_openers_of_a_message_that_measures_no_opens_are_null(self, own_service, own_org):
        link = own_org.tracked_link()
        assert wire.follow(link.url, headers={"User-Agent": BROWSER}).status == 302
        own_org.settle()
        report = own_org.expect(200, "GET", own_org.path(f"/messages/{link.message}/report")).json()
        assert (report["people"]["clickers"], report["people"]["openers"], report["people"]["possibleOpeners"]) == (1, None, None)
        nothing = {"value": None, "n": 1, "low": None, "high": None, "purposes": ["tracking"]}
        assert (report["rates"]["openers"], report["rates"]["openersAtMost"]) == (nothing, nothing)
        assert report["bounds"]["openers"] == {"n": 1, "low": None, "high": None, "purposes": ["tracking"]}
        whole = own_org.expect(200, "GET", own_org.path("/report")).json()
        assert (whole["people"]["clickers"], whole["people"]["openers"], whole["rates"]["openers"]["value"]) == (1, None, None)

    def test_of_a_mail_with_a_picture_that_nobody_fetched_nobody_opened(self, own_service, own_org):
        mail = {"name": unique(), "html": "<p>hello</p>", "openTracking": True}
        who = person("reader")
        own_org.record(who, "given")
        message = own_org.compose([who], mail, format="email").message
        report = own_org.expect(200, "GET", own_org.path(f"/messages/{message}/report")).json()
        assert (report["people"]["openers"], report["rates"]["openers"]["value"]) == (0, 0)


NOTHING = as_bytes("''")


class TestTooManyPeople:
    def test_a_report_that_would_take_long_is_refused_and_a_tag_makes_it_short(self, own_service, own_org):
        few = own_org.compose([person("one")], {"name": unique(), "tags": ["few"]}).message
        many = own_org.compose([person("one")], {"name": unique()}).message
        own_service.stop()
        own_service.change(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
            f" INSERT INTO message_people SELECT {int(many, 16)}, i, {NOTHING} FROM n"
        )
        own_service.start()
        answer = own_org.call("GET", own_org.path("/report"))
        assert_misfit(answer, "/from")
        assert "tag" in answer.json()["errors"][0]["detail"]
        assert own_org.expect(200, "GET", own_org.path("/report?tag=few")).json()["people"]["composed"] == 1
        for message in (few, many):
            own_org.expect(200, "GET", own_org.path(f"/messages/{message}/report"))


class TestWhatComesLater:
    """Last: it changes the campaign that the tests above look at."""

    def test_withdrawals_and_erasures_change_no_number(self, campaign):
        org, before = campaign.org, campaign.report()
        whole = org.expect(200, "GET", org.path("/report?tag=campaign")).json()
        org.record_all([{"recipient": who, "state": "withdrawn"} for who in campaign.tracked[:90] + campaign.people[-10:]])
        for who in [*campaign.tracked[:3], *campaign.tracked[50:55], *campaign.people[-2:]]:
            assert org.erase(who)["decisions"] >= 1
        assert campaign.report() == before
        assert_as_computed(campaign.report())
        # The erased are in one message of this tag, so they still count once.
        after = org.expect(200, "GET", org.path("/report?tag=campaign")).json()
        assert after | {"from": whole["from"], "to": whole["to"]} == whole

    def test_what_is_clicked_after_a_withdrawal_or_an_erasure_is_in_no_report(self, campaign):
        before = campaign.report()
        for who in (campaign.tracked[0], campaign.tracked[80]):
            campaign.click(who, 3)
        campaign.org.settle()
        assert campaign.report() == before

    def test_an_erased_person_who_comes_back_counts_as_another_one(self, campaign):
        org, who = campaign.org, campaign.tracked[1]
        org.record(who, "given")
        composed = org.compose([who], message_id=campaign.message, format="email")
        campaign.payloads[who] = composed.payload(who)
        campaign.click(who, 1)
        org.settle()
        people = campaign.report()["people"]
        assert (people["composed"], people["tracked"], people["clickers"]) == (1001, 301, CLICKERS + 1)

    def test_counts_are_the_same_after_a_restart(self, own_service, own_org):
        link = own_org.tracked_link()
        assert wire.follow(link.url, headers={"User-Agent": BROWSER}).status == 302
        own_org.settle()
        path = own_org.path(f"/messages/{link.message}/report")
        before = own_org.expect(200, "GET", path).json()
        assert before["people"]["clickers"] == 1
        own_service.restart()
        assert own_org.expect(200, "GET", path).json() == before
