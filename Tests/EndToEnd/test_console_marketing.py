"""The marketers' pages of the console: which messages, what became of one, and what people say. Every number is the one
that the API reports."""

import csv
import datetime
import html
import io
import itertools
import re

import pytest
from conftest import run_to_the_end

from harness import times, wire
from harness.campaign import BROWSER, CONSENTED, PEOPLE, Campaign
from harness.client import Operator, message, person, unique
from harness.console import ConsoleBrowser, facts_of, tables_of
from harness.eventually import eventually
from harness.metrics import scrape
from harness.service import Service

HOSTILE = '"><script>alert(1)</script>=HYPERLINK("x")\u202e{{title}}{{{content}}}'


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    yield from run_to_the_end(Service(tmp_path_factory.mktemp("marketing"), has_console=True))


@pytest.fixture(scope="module")
def campaign(service):
    campaign = Campaign(service, Operator(service).make("restrictive"))
    campaign.act()
    return campaign


@pytest.fixture(scope="module")
def org(campaign):
    return campaign.org


@pytest.fixture
def marketer(service, org):
    return ConsoleBrowser(service).sign_in(org.with_scopes("report").key)


@pytest.fixture
def manager(service, org):
    return ConsoleBrowser(service).sign_in(org.with_scopes("report", "manage").key)


def page_of(org, tail):
    return f"/orgs/{org.id}/{tail}"


def said(answer):
    """The text of a page, without tags."""
    return said_of(answer.text)


def said_of(page):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


def approx(share):
    return None if share is None else pytest.approx(share, abs=1e-6)


def numbers(rows, names=1):
    """Rows of a page as numbers, but for what names them."""
    return [row[:names] + [None if cell == "–" else int(cell.replace(",", "")) for cell in row[names:]] for row in rows]


def by(rows, *names):
    return {tuple(row[name] for name in names) if len(names) > 1 else row[names[0]]: row for row in rows}


class TestAMessage:
    def test_every_number_is_the_reports(self, marketer, campaign, org):
        report = campaign.report()
        shown = marketer.data(page_of(org, f"campaigns/{campaign.message}"))
        people = report["people"]
        assert {row["measure"]: row["count"] for row in shown["people"]} == {
            "composed": people["composed"], "tracked": people["tracked"], "trackedOpens": people["opens"]["tracked"],
            "clickers": people["clickers"], "openers": people["openers"], "possibleOpeners": people["possibleOpeners"],
        }  # fmt: skip
        assert {row["reason"]: row["people"] for row in shown["untracked"]} == people["untracked"]
        assert {row["reason"]: row["opens"] for row in shown["untracked"]} == people["opens"]["untracked"]
        rates = by(shown["rates"], "rate")
        assert set(rates) == set(report["rates"])
        for name, rate in report["rates"].items():
            for member in ("value", "low", "high"):
                assert rates[name][member] == approx(rate[member]), (name, member)
            assert (rates[name]["n"], rates[name]["purposes"].split()) == (rate["n"], rate["purposes"])
        bounds = by(shown["bounds"], "rate")
        assert set(bounds) == set(report["bounds"])
        for name, bound in report["bounds"].items():
            assert (bounds[name]["n"], bounds[name]["low"], bounds[name]["high"]) == (
                bound["n"], approx(bound["low"]), approx(bound["high"]))  # fmt: skip
        assert sum(row["count"] for row in shown["decisions"]) == report["composed"]
        assert {row["reason"]: row["count"] for row in shown["decisions"] if row["reason"] in report["untracked"]} == report["untracked"]
        counted = [(row["index"], row["clicks"], row["unique"], row["url"]) for row in shown["links"]]
        assert counted == [(link["index"], link["clicks"], link["unique"], link["url"]) for link in report["links"]]
        for period, name in (("days", "day"), ("hours", "hour")):
            assert by(shown[period], name) == by(report[period], name)
        assert {row["visitor"]: {"total": row["total"], "people": row["people"]} for row in shown["opens"]} == report["opens"]
        assert by(shown["interactions"], "kind") == {
            kind: {"kind": kind} | counts for kind, counts in report["interactions"].items()}  # fmt: skip

    def test_the_tables_of_its_charts_have_the_reports_numbers(self, marketer, campaign, org):
        page = marketer.page(page_of(org, f"campaigns/{campaign.message}")).text
        report, tables = campaign.report(), tables_of(page)
        people, opens = report["people"], report["people"]["opens"]
        assert set(people["untracked"]) == {"noConsentRecord"}
        assert numbers(tables.pop("Composed, tracked, clicked")) == [
            ["Composed for", people["composed"], people["composed"]], ["Tracked", people["tracked"], opens["tracked"]],
            ["Clicked", people["clickers"], None],
            ["Not tracked: not asked, or no answer", people["untracked"]["noConsentRecord"], opens["untracked"]["noConsentRecord"]],
        ]  # fmt: skip
        links = sorted(report["links"], key=lambda link: -link["clicks"])
        place = [link["url"].removeprefix("https://") for link in links]
        assert tables.pop("Links") == [
            [place[number], str(link["index"]), "In the mail", place[number], str(link["clicks"]), str(link["unique"])]
            for number, link in enumerate(links)
        ]
        for period, caption in (("hours", "Clicks by hour since the message was created"), ("days", "Clicks by day")):
            expected = [[str(row[period[:-1]]), *(row[each] for each in ("clicks", "clickers", "opens", "openers"))] for row in report[period]]
            assert numbers(tables.pop(caption)) == expected and sum(row[1] for row in expected) > 0
        shown = {"By people": "person", "By a person or a machine": "cannotTell", "By machines": "machine"}
        assert numbers(tables.pop("Opens by people and by machines")) == [
            [words, report["opens"][visitor]["total"], report["opens"][visitor]["people"]] for words, visitor in shown.items()
        ]
        assert tables == {}, "a chart that is not compared"
        kinds = {"Link followed": "PushLinkClicked", "Message opened": "MessageOpened"}
        rows = numbers(tables_of(page, "main//table")["All recorded interactions"])
        assert {kinds[row[0]]: row[1:] for row in rows} == {kind: list(counts.values()) for kind, counts in report["interactions"].items()}

    def test_says_the_rate_and_its_bounds_in_one_look(self, marketer, campaign, org):
        page = said(marketer.page(page_of(org, f"campaigns/{campaign.message}")))
        report = campaign.report()
        rate, bounds, opens = report["rates"]["clickers"], report["bounds"]["clickers"], report["bounds"]["openers"]
        assert f"{rate['value']:.1%}" in page
        assert f"between {rate['low']:.1%} and {rate['high']:.1%}, with 95% confidence" in page
        assert f"{bounds['low']:.1%} to {bounds['high']:.1%}" in page
        assert f"{opens['low']:.1%} to {opens['high']:.1%}" in page
        assert f"{PEOPLE - CONSENTED} people are not tracked." in page
        german = said(marketer.page(page_of(org, f"campaigns/{campaign.message}?lang=de")))
        # White space of every kind is one space here.
        assert f"{rate['value'] * 100:.1f} %".replace(".", ",") in german

    def test_a_new_one_guesses_nothing(self, marketer, org):
        made = org.make_message(message())["id"]
        page = said(marketer.page(page_of(org, f"campaigns/{made}")))
        assert "The message has not been composed yet." in page and "NaN" not in page
        org.compose([person()], message_id=made)
        page = said(marketer.page(page_of(org, f"campaigns/{made}")))
        assert "No person is tracked in this message, so it is not known how many clicked." in page and "NaN" not in page

    def test_is_switched_off_and_on_by_a_manager_alone(self, marketer, manager, org):
        link = org.tracked_link()
        page = page_of(org, f"campaigns/{link.message}")
        assert "/disable" not in marketer.page(page).text
        assert manager.submit(page, f"{page}/disable").status_code == 303
        assert wire.follow(link.url).status == 410
        assert "Switched off" in manager.page(page).text
        assert org.expect(200, "GET", org.path(f"/messages/{link.message}")).json()["disabled"] is True
        assert manager.submit(page, f"{page}/enable").status_code == 303
        assert wire.follow(link.url).status == 302

    def test_says_until_when_clicks_are_recorded_and_not_that_links_end(self, marketer, org):
        link = org.tracked_link(content=message(expiresAt=times.from_now(seconds=4)))
        page = page_of(org, f"campaigns/{link.message}")
        assert "Clicks and opens are recorded until" in said(marketer.page(page))
        over = eventually(lambda: "No longer recorded" in (found := said(marketer.page(page))) and found)
        assert wire.follow(link.url).status == 302 and "Links work until" not in over and "Expired" not in over
        endless = said(marketer.page(page_of(org, f"campaigns/{org.make_message(message())['id']}")))
        assert "Clicks and opens are recorded until the end of each link’s lifetime" in endless

    def test_nothing_in_it_is_markup_or_a_formula(self, marketer, org):
        made = org.make_message({"name": HOSTILE, "link": "https://shop.example/?x=1&y=%3Cscript%3E", "tags": ["a&b"]})["id"]
        shown = HOSTILE.replace("\u202e", "⟨U+202E⟩")
        for path in (page_of(org, f"campaigns/{made}"), page_of(org, "campaigns")):
            page = marketer.page(path).text
            assert "<script>alert" not in page and "{{" not in html.unescape(re.sub(re.escape(html.escape(shown)), "", page)).replace(shown, "")
            assert "\u202e" not in page and shown in html.unescape(page)
        file = marketer.get(page_of(org, "campaigns") + "?as=csv&table=messages").text
        (row,) = [row for row in csv.DictReader(io.StringIO(file)) if row["id"] == made]
        assert row["name"].lstrip("'") == HOSTILE and row["name"][0] not in "=+-@\t"

    def test_of_another_organization_is_not_there(self, service, marketer, org):
        other = Operator(service).make("restrictive")
        theirs = other.make_message(message())["id"]
        assert marketer.get(page_of(org, f"campaigns/{theirs}")).status_code == 404
        assert marketer.get(page_of(org, "campaigns/0")).status_code == 404

    def test_has_links_of_single_recipients_as_one_sum(self, service, marketer, org):
        made, who = org.make_message(message())["id"], person("given")
        org.record(who, "given")
        mail = '<a href="https://shop.example/basket/given?user=given">x</a><a href="https://shop.example/other/given">y</a>'
        rewritten = org.expect(200, "POST", org.path("/rewrites"), {"messageId": made, "recipient": who, "html": mail}).json()
        for link in re.findall(r'<a href="([^"]+)"', rewritten["html"]):
            assert wire.follow(link, headers={"User-Agent": BROWSER}).status == 302
        org.settle()
        path = page_of(org, f"campaigns/{made}")
        auditor = ConsoleBrowser(service).sign_in(org.with_scopes("read").key)
        for browser in (marketer, auditor):
            own, added = browser.data(path)["links"]
            assert own["where"] == "link" and own["clicks"] == 0
            assert added == {"index": None, "where": "added", "label": None, "url": None, "clicks": 2, "unique": None}
            page = browser.page(path).text
            rows = tables_of(page)["Links"]
            assert rows[-1][0] == "Links that single recipients have" and rows[-1][4] == "2"
            assert "Links that single recipients have were followed 2 times in all." in said_of(page)
            for answer in (page, browser.get(f"{path}?as=csv&table=links").text, browser.get(f"{path}?as=json").text):
                assert "basket" not in answer and "/other/" not in answer

    @pytest.mark.parametrize("tail", ["campaigns", "campaigns/MESSAGE", "consent"])
    def test_no_file_is_saved_for_another_site(self, marketer, campaign, org, tail):
        path = page_of(org, tail.replace("MESSAGE", str(campaign.message)))
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
            for file in ("?as=json", "?as=csv"):
                assert marketer.get(path + file, **{"Sec-Fetch-Site": site}).status_code == status, (site, file)
            assert marketer.get(path, **{"Sec-Fetch-Site": site}).status_code == 200, "the page itself can be linked to"

    def test_names_nobody(self, marketer, campaign, org):
        for path in (page_of(org, "campaigns"), page_of(org, f"campaigns/{campaign.message}"), page_of(org, "consent")):
            for answer in (marketer.page(path), marketer.get(path, Accept="application/json")):
                assert "people.example" not in answer.text


class TestTheList:
    @pytest.fixture(scope="class")
    def own(self, service):
        """Three messages: many people and few who agreed, few and all, none."""
        org = Operator(service).make("restrictive")
        agreed = [person() for _ in range(2)]
        org.record_all([{"recipient": who, "state": "given"} for who in agreed])
        wide = org.compose([person() for _ in range(6)] + agreed, message(f"b {unique()}", tags=["wide"])).message
        narrow = org.compose(agreed, message(f"a {unique()}", tags=["narrow"]))
        assert wire.follow(narrow.link(agreed[0]), headers={"User-Agent": BROWSER}).status == 302
        none = org.make_message(message(f"c {unique()}"))["id"]
        # A page does not hurry the drain.
        eventually(lambda: scrape(service).total("consentlink_spool_depth") == 0)
        return org, wide, narrow.message, none

    @pytest.fixture
    def browser(self, service, own):
        return ConsoleBrowser(service).sign_in(own[0].with_scopes("report").key)

    def ids(self, browser, own, query=""):
        return [row["id"] for row in browser.data(page_of(own[0], f"campaigns{query}"))["messages"]]

    def test_numbers_are_the_reports(self, browser, own):
        org, *ids = own
        rows = by(browser.data(page_of(org, "campaigns"))["messages"], "id")
        assert set(rows) == set(ids)
        for made in ids:
            report = org.expect(200, "GET", org.path(f"/messages/{made}/report")).json()
            row = rows[made]
            assert (row["composed"], row["tracked"]) == (report["people"]["composed"], report["people"]["tracked"])
            assert row["coverage"] == approx(report["rates"]["coverage"]["value"])
            assert row["clickers"] == report["people"]["clickers"]
            for name, member in (("clickRate", "value"), ("clickRateLow", "low"), ("clickRateHigh", "high")):
                assert row[name] == approx(report["rates"]["clickers"][member])

    @pytest.mark.parametrize(("query", "places"), [
        ("", "012"), ("?sort=made&order=ascending", "210"), ("?sort=name&order=ascending", "120"),
        ("?sort=name&order=descending", "021"), ("?sort=people&order=descending", "210"), ("?sort=people&order=ascending", "012"),
        ("?sort=coverage&order=descending", "120"), ("?sort=clicks&order=descending", "120"),
        ("?tag=wide", "2"), ("?tag=none", ""), ("?from=2020-01-01&to=2020-02-01", ""), ("?from=2020-01-01", "012"),
    ])  # fmt: skip
    def test_is_sorted_and_filtered(self, browser, own, query, places):
        newest_first = own[:0:-1]
        assert self.ids(browser, own, query) == [newest_first[int(place)] for place in places]

    @pytest.mark.parametrize("query", ["?sort=magic", "?order=up", "?from=yesterday", "?from=2026-02-02&to=2026-02-01", "?tag=" + "x" * 65, "?after=x"])
    def test_refuses_what_does_not_fit(self, browser, own, query):
        answer = browser.get(page_of(own[0], f"campaigns{query}"))
        assert answer.status_code == 422 and "Please correct" in answer.text

    def test_pages_have_every_message_once(self, service):
        org = Operator(service).make("restrictive")
        made = [org.make_message(message())["id"] for _ in range(60)]
        browser = ConsoleBrowser(service).sign_in(org.with_scopes("report").key)
        for first, order in (("campaigns", made[::-1]), ("campaigns?sort=made&order=ascending", made)):
            found, path = [], page_of(org, first)
            while path:
                page = browser.page(path).text
                found += self.shown(page, org)
                assert [row["id"] for row in browser.data(path)["messages"]] == order, "a file has all pages"
                assert "The files have all messages of this selection, but not more than the newest 500." in said_of(page)
                pages = re.search(r'<nav class="pages".*?</nav>', page, re.DOTALL)[0]
                onward = re.findall(r'<a href="([^"]+)">(?:Older messages|Next page)', pages)
                path = html.unescape(onward[0]) if onward else None
            assert found == order

    def test_a_page_beyond_the_end_is_the_last_one(self, browser, own):
        org = own[0]
        page = browser.page(page_of(org, "campaigns?sort=name&order=ascending&page=500")).text
        assert self.shown(page, org) == [own[2], own[1], own[3]] and 'class="pages"' not in page

    @pytest.mark.parametrize("name", [" ", "\u200b", "\u202e"])
    def test_a_message_whose_name_shows_nothing_has_a_link_with_words(self, service, name):
        org = Operator(service).make("restrictive")
        made = org.make_message(message(name=name))["id"]
        browser = ConsoleBrowser(service).sign_in(org.with_scopes("report").key)
        page = browser.page(page_of(org, "campaigns")).text
        assert f'<a href="{page_of(org, "campaigns")}/{made}">Without a name</a>' in page
        assert "<h1>Without a name</h1>" in browser.page(page_of(org, f"campaigns/{made}")).text

    def shown(self, page, org):
        """The ids of the messages that a page shows, in its order."""
        return re.findall(rf'<a href="{page_of(org, "campaigns")}/([^"?/]+)"', page)

    def test_the_form_sorts_where_the_headings_do_not_show(self, browser, own):
        org = own[0]
        form = browser.form(page_of(org, "campaigns"))
        assert form.method == "get"
        page = browser.page(f"{form.action}?from=&to=&tag=&sort=name&order=ascending").text
        assert self.shown(page, org) == [own[2], own[1], own[3]]
        assert re.search(r'<option value="name" selected>', page) and re.search(r'<option value="ascending" selected>', page)

    def test_one_page_has_no_way_to_others(self, browser, own):
        page = browser.page(page_of(own[0], "campaigns")).text
        assert 'class="pages"' not in page and "The files have" not in page

    @pytest.mark.parametrize(("language", "words"), [("en", "1 click by 1 person"), ("de", "1 Klick von 1 Menschen")])
    def test_words_agree_with_their_numbers(self, browser, own, language, words):
        page = said(browser.page(page_of(own[0], f"campaigns/{own[2]}?lang={language}")))
        assert words in page
        assert not re.search(r"\b1 (?:clicks|people|times|Klicks(?! nach)|Öffnungen)\b", page)


class TestConsent:
    def test_every_number_is_the_reports(self, marketer, org):
        who = person()
        org.record(who, "given", evidence={"method": "form", "notice": {"id": "privacy", "version": "1"}})
        org.record(person(), "refused")
        org.record(who, "withdrawn")
        for query in ("", "?purpose=tracking"):
            report = org.expect(200, "GET", org.path(f"/consent-report{query}")).json()
            shown = marketer.data(page_of(org, f"consent{query}"))
            assert [{name: value for name, value in day.items() if name != "stock"} for day in report["days"]] == shown["days"]
            assert [day["stock"] | {"day": day["day"]} for day in report["days"]] == shown["stock"]
            assert {f"within{row['days']}Days": row["count"] for row in shown["ending"]} == report["ending"]
            assert {row["evidence"]: row["given"] for row in shown["evidence"]} == report["evidence"]
            methods = {row["method"]: row["given"] for row in shown["methods"]}
            assert methods == {word["method"]: word["given"] for word in report["methods"]} | {None: report["otherMethods"]}
            notices = {(row["id"], row["version"]): row["given"] for row in shown["notices"]}
            assert notices == {(word["id"], word["version"]): word["given"] for word in report["notices"]} | {
                (None, None): report["otherNotices"]}  # fmt: skip

    @pytest.fixture(scope="class")
    def long_org(self, service):
        """Whose people answered in the course of a year, by several methods and to several notices."""
        org = Operator(service).make("restrictive")
        ways = itertools.cycle([("form", "1"), ("form", "2"), ("telephone", "1"), (None, None)])
        for days in (1, 2, 9, 40, 100, 300):
            for number, (method, version) in zip(range(24), ways):
                evidence = {"method": method, "notice": {"id": "privacy", "version": version}} if method else {}
                end = {"validUntil": times.from_now(days=45)} if number == 0 else {}
                org.record(person(), "given", occurredAt=times.from_now(days=-days), evidence=evidence, **end)
            for state in ("refused", "withdrawn"):
                org.record(person(), state, occurredAt=times.from_now(days=-days))
        org.erase(person())
        return org

    @pytest.mark.parametrize(("days", "first_of"), [
        (20, lambda day: day), (150, lambda day: day - datetime.timedelta(days=day.weekday())), (350, lambda day: day.replace(day=1)),
    ], ids=["by day", "by week", "by month"])  # fmt: skip
    def test_the_tables_of_its_charts_have_the_reports_numbers(self, service, long_org, days, first_of):
        dawn = times.from_now(days=-days)[:10]
        report = long_org.expect(200, "GET", long_org.path(f"/consent-report?from={dawn}T00:00:00Z")).json()
        browser = ConsoleBrowser(service).sign_in(long_org.with_scopes("report").key)
        page = browser.page(page_of(long_org, f"consent?from={dawn}")).text
        tables = {caption: numbers(rows) for caption, rows in tables_of(page).items()}
        statuses = ["given", "refused", "withdrawn", "revoked", "invalidated", "expired"]
        groups = {}
        for day in report["days"]:
            groups.setdefault(str(first_of(datetime.date.fromisoformat(day["day"]))), []).append(day)
        assert len(groups) > 5 and sum(day["given"] for day in report["days"]) >= 48
        assert tables.pop("Changes in this time") == [
            [first, *(sum(day[status] for day in group) for status in [*statuses, "erased"])] for first, group in groups.items()
        ]
        assert tables.pop("Consents at the end of each day") == [
            [first, *(group[-1]["stock"][status] for status in statuses)] for first, group in groups.items()
        ]
        names = ["Method and notice", "Method alone", "Notice alone", "Other evidence", "No evidence"]
        assert tables.pop("Evidence of the consents given") == [[name, count] for name, count in zip(names, report["evidence"].values(), strict=True)]
        methods = [[word["method"], word["given"]] for word in report["methods"]]
        notices = [[f"{word['id']}, version {word['version']}", word["given"]] for word in report["notices"]]
        assert len(methods) == len(notices) == 2
        others = ([["Other methods", report["otherMethods"]]], [["Other notices", report["otherNotices"]]])
        assert tables.pop("By method") == methods + [row for row in others[0] if row[1]]
        assert tables.pop("By notice") == notices + [row for row in others[1] if row[1]]
        assert tables == {}, "a chart that is not compared"
        facts, last = facts_of(page), report["days"][-1]
        for name, status in (("Given", "given"), ("Refused", "refused"), ("Withdrawn", "withdrawn"), ("Expired", "expired")):
            assert facts[name] == [str(last["stock"][status]), f"+{sum(day[status] for day in report['days'])} in this time"]
        for ahead in (30, 60, 90):
            assert facts[f"Ending within {ahead} days"][0] == str(report["ending"][f"within{ahead}Days"])
        assert report["ending"] == {"within30Days": 0, "within60Days": 6, "within90Days": 6}
        complete, given = report["evidence"]["methodAndNotice"], sum(report["evidence"].values())
        assert facts["Given with evidence"] == [f"{complete / given:.1%}", f"{complete} of {given}, with method and notice"]

    def test_says_what_stands_in_one_look(self, marketer, org):
        last = org.expect(200, "GET", org.path("/consent-report")).json()["days"][-1]
        page = said(marketer.page(page_of(org, "consent")))
        assert f"{last['stock']['given']}" in page
        assert CONSENTED <= last["stock"]["given"]

    def test_says_that_nobody_consented_where_somebody_refused(self, service):
        org = Operator(service).make("restrictive")
        org.record(person(), "refused")
        page = said(ConsoleBrowser(service).sign_in(org.with_scopes("report").key).page(page_of(org, "consent")))
        assert "In this time, 0 consents were given, 1 refused and 0 withdrawn; 0 expired." in page
        assert "No consent was given in this time." in page and "Nothing changed in this time." not in page

    @pytest.mark.parametrize("query", ["?from=2026-13-01", "?from=2026-02-02&to=2026-02-01", "?from=1990-01-01", "?purpose=" + "x" * 300])
    def test_refuses_what_does_not_fit(self, marketer, org, query):
        answer = marketer.get(page_of(org, f"consent{query}"))
        assert answer.status_code == 422, answer.text


@pytest.mark.parametrize("path", ["campaigns", "campaigns/MESSAGE", "consent"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_pages_are_small_and_keep_to_their_policy(marketer, campaign, org, path, language):
    answer = marketer.page(page_of(org, path.replace("MESSAGE", campaign.message)) + f"?lang={language}")
    assert f'<html lang="{language}">' in answer.text
    assert len(answer.content) < 100_000
    assert "style=" not in answer.text and "unsafe-inline" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"
