"""The auditors' pages of the console: why was this person tracked on that day, how many decisions and why, was anything
changed, and who looked at whom. Nobody is named in an address, a title or the log."""

import contextlib
import html
import io
import json
import re
import shutil
import socket
import sqlite3
import subprocess
import tarfile
import time
import urllib.parse

import pytest
from conftest import run_to_the_end
from harness import postgres, times, wire
from harness.client import Operator, person
from harness.console import ConsoleBrowser, facts_of, form_of
from harness.eventually import eventually
from harness.moving_clock import MovingClock, step
from harness.service import Service, binary

MINUTE = 60_000
REASON = "complaint 4711"
WHY = "Tracked because the person had given consent, and it was in force."


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    yield from run_to_the_end(Service(tmp_path_factory.mktemp("auditing"), has_console=True))


@pytest.fixture(scope="module")
def org(service):
    return Operator(service).make("restrictive")


class RecordingBrowser(ConsoleBrowser):
    """Keeps what a browser's history and a proxy would: addresses, titles and where it was sent."""

    def __init__(self, service, **headers):
        super().__init__(service, **headers)
        self.seen = []

    def _send(self, method, path, headers, **more):
        answer = super()._send(method, path, headers, **more)
        title = re.search(r"<title>(.*?)</title>", answer.text) if "html" in answer.headers.get("Content-Type", "") else None
        named = ("Location", "Content-Disposition", "Set-Cookie")
        self.seen += [str(answer.url), html.unescape(title[1]) if title else ""]
        self.seen += [value for name in named for value in answer.headers.get_list(name)]
        assert answer.status_code in (303, 308) or answer.headers["Cache-Control"] == "no-store", answer.url
        return answer


@pytest.fixture
def auditor(service, org):
    return RecordingBrowser(service).sign_in(org.with_scopes("read").key)


@pytest.fixture(scope="module")
def ana(org):
    """Somebody with a consent, a decision and a click, who withdrew later."""
    ana = person("ana")
    org.ask_for_consent(ana)
    link = org.tracked_link(ana)
    assert len(follow(org, link)) == 1
    org.record(ana, "withdrawn")
    org.compose([ana])
    return ana


def follow(org, link):
    assert wire.follow(link.url).status == 302
    return org.clicks(link)


def page_of(org, tail=""):
    return f"/orgs/{org.id}/{tail}"


def look(browser, org, recipient, reason=REASON, **fields):
    """Looks a person up: the address of the case."""
    answer = browser.submit(page_of(org, "person"), recipient=recipient, reason=reason, **fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def looks_of(org, key):
    """What was recorded of the looks with a key, oldest first."""
    who = f"key:{key.made['id']}"
    return [access for access in org.pages("/accesses", "accesses") if access["who"] == who][::-1]


def links(page, ending):
    return [html.unescape(found) for found in re.findall(r'href="([^"]*)"', page) if found.endswith(ending)]


def verify(org, folder, content):
    key = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
    file = folder / "evidence"
    file.write_bytes(content)
    return subprocess.run([str(binary()), "verify", str(file), "--key", key], capture_output=True, text=True, timeout=60)


class TestAPerson:
    def test_why_they_were_tracked_is_answered_in_four_steps_with_a_proof(self, service, org, ana, tmp_path):
        key = org.with_scopes("read")
        browser = RecordingBrowser(service)
        browser.sign_in(key.key)  # 1
        form = browser.form(page_of(org, "person"))  # 2
        day = times.render(times.now())[:10]
        answer = browser.post(form.action, form.fields | {"recipient": ana, "reason": REASON, "day": day})  # 3
        page = browser.follow(answer).text
        assert WHY in html.unescape(page)
        assert "It rests on this record: “Consent given”" in html.unescape(page)
        tracked = [found for found in org.query_decisions(recipient=ana) if found["outcome"] == "tracked"][0]
        proof = browser.get(links(page, f"/decisions/{tracked['id']}/proof")[0])  # 4
        assert proof.status_code == 200
        assert proof.headers["Content-Disposition"].startswith("attachment")
        done = verify(org, tmp_path, proof.content)
        assert done.returncode == 0 and done.stdout.split("\n")[0].endswith(" holds."), done
        assert tracked["id"] in done.stdout and ana in done.stdout
        consent = browser.get(links(page, f"/consents/{tracked['consent']}/proof")[0])
        assert verify(org, tmp_path, consent.content).returncode == 0

    def test_the_timeline_has_everything_newest_first(self, auditor, org, ana):
        rows = auditor.data(look(auditor, org, ana))["timeline"]
        assert [row["at"] for row in rows] == sorted((row["at"] for row in rows), reverse=True)
        assert {row["kind"] for row in rows} == {"consent", "request", "decision", "interaction"}
        decided = {row["id"] for row in rows if row["kind"] == "decision"}
        assert decided == {found["id"] for found in org.query_decisions(recipient=ana)}
        recorded = {row["id"] for row in rows if row["kind"] == "consent"}
        assert recorded == {found["id"] for found in org.consent(ana)["history"]}
        clicked = {row["id"] for row in rows if row["kind"] == "interaction"}
        assert clicked == {found["id"] for found in org.query_interactions(recipient=ana)}
        page = html.unescape(auditor.page(look(auditor, org, ana)).text)
        assert "Not tracked because the person had withdrawn their consent." in page
        assert "Followed a link" in page

    def test_a_day_without_anything_is_said_to_be_one(self, auditor, org, ana):
        case = auditor.page(look(auditor, org, ana, day="2020-02-02"))
        assert "Nothing happened on this day." in case.text

    @pytest.mark.parametrize("reason", ["", " ", "\u200b", "\ufeff\u00ad"])
    def test_is_not_shown_for_a_reason_of_which_nothing_is_seen(self, auditor, org, ana, reason):
        before = org.pages("/accesses", "accesses")
        answer = auditor.follow(auditor.submit(page_of(org, "person"), recipient=ana, reason=reason))
        assert answer.status_code == 422 and ana not in answer.text
        assert org.pages("/accesses", "accesses") == before

    def test_is_named_in_no_address_title_header_or_log(self, service, auditor, org, ana):
        case = look(auditor, org, ana)
        page = auditor.page(case).text
        assert ana in page
        auditor.get(links(page, "/proof")[0])
        auditor.get(f"{case}/export")
        assert auditor.get(f"{case}/nowhere").status_code == 404
        refused = auditor.submit(page_of(org, "person"), recipient=ana, reason="")
        assert auditor.follow(refused).status_code == 422
        for seen in auditor.seen:
            for needle in (ana, urllib.parse.quote(ana), ana.split("@")[0], REASON):
                assert needle not in seen, seen
        for private in (ana, ana.split("@")[0], REASON):
            assert private not in service.log_text()

    def test_every_look_is_recorded_with_who_and_why_before_it_is_shown(self, auditor, service, org, ana):
        key = org.with_scopes("read")
        browser = ConsoleBrowser(service).sign_in(key.key)
        reason = f"case {person()}"
        page = browser.page(look(browser, org, ana, reason=reason)).text
        browser.get(links(page, "/proof")[0])
        browser.get(links(page, "/export")[0])
        found = [access for access in org.pages("/accesses", "accesses") if access["reason"] == reason]
        assert [access["what"] for access in found][::-1] in (
            ["timeline", "decisions", "export"], ["timeline", "consents", "export"])  # fmt: skip
        assert {access["who"] for access in found} == {f"key:{key.made['id']}"}
        assert {access["recipient"] for access in found} == {ana}

    def test_saving_the_timeline_is_a_look_of_its_own(self, service, org, ana):
        key = org.with_scopes("read")
        browser = ConsoleBrowser(service).sign_in(key.key)
        case = look(browser, org, ana)
        browser.page(case)
        assert [access["what"] for access in looks_of(org, key)] == ["timeline"]
        browser.data(case)
        assert browser.get(f"{case}?as=csv").headers["Content-Type"].startswith("text/csv")
        assert [(access["what"], access["recipient"]) for access in looks_of(org, key)] == [("timeline", ana)] * 3

    def test_of_whom_something_is_held_only_later_is_named_by_a_new_look(self, service, org):
        late, key = person("late"), org.with_scopes("read")
        browser = ConsoleBrowser(service).sign_in(key.key)
        case = look(browser, org, late)
        assert "Nothing is stored about this person." in browser.page(case).text
        assert [access["recipient"] for access in looks_of(org, key)] == [None]
        org.tracked_link(late)
        for _ in range(2):
            assert WHY in html.unescape(browser.page(case).text)
            assert [access["recipient"] for access in looks_of(org, key)] == [None, late]

    def test_who_comes_back_after_an_erasure_is_named_by_a_new_look(self, service, org):
        who, key = person("back"), org.with_scopes("read")
        org.tracked_link(who)
        browser = ConsoleBrowser(service).sign_in(key.key)
        case = look(browser, org, who)
        looked = page_of(org, "access/" + looks_of(org, key)[0]["id"])
        of_looks = browser.submit(looked, reason="who was it").headers["Location"]
        org.erase(who)
        assert [access["recipient"] for access in looks_of(org, key)] == [None, None]
        org.tracked_link(who)
        for _ in range(2):
            assert WHY in html.unescape(browser.page(case).text)
            assert [access["recipient"] for access in looks_of(org, key)] == [None, None, who]
        for _ in range(2):
            browser.page(of_looks)
            assert [access["recipient"] for access in looks_of(org, key)] == [None, None, who, who]
    @pytest.mark.parametrize("site", ["cross-site", "same-site"])
    def test_nothing_is_saved_for_another_site(self, auditor, org, ana, site):
        case = look(auditor, org, ana)
        page = auditor.page(case).text
        files = [links(page, "/proof")[0], f"{case}/export", f"{case}?as=csv", page_of(org, "ledger/export")]
        before = len(org.pages("/accesses", "accesses"))
        for file in files:
            assert auditor.get(file, **{"Sec-Fetch-Site": site}).status_code == 403, file
        assert len(org.pages("/accesses", "accesses")) == before
        for file in files:
            assert auditor.get(file, **{"Sec-Fetch-Site": "same-origin"}).status_code == 200, file

    def test_is_found_by_an_identifier_with_a_replacement_character(self, auditor, org):
        spoilt = person("jos\ufffd")
        org.record(spoilt, "withdrawn", evidence={"method": "letter"})
        page = auditor.page(look(auditor, org, spoilt)).text
        assert spoilt in page and "letter" in page

    @pytest.mark.parametrize("sent", ["%FF", "%zz", "%E2%82"])
    def test_is_not_looked_up_by_bytes_that_are_no_text(self, service, auditor, org, sent):
        before = org.pages("/accesses", "accesses")
        form = auditor.form(page_of(org, "person"))
        fields = urllib.parse.urlencode(form.fields | {"recipient": "", "reason": REASON})
        own = {"Origin": service.console, "Sec-Fetch-Site": "same-origin"}
        headers = own | {"Content-Type": "application/x-www-form-urlencoded"}
        content = fields.replace("recipient=", f"recipient={sent}")
        answer = auditor._send("POST", form.action, headers, content=content)
        assert answer.status_code == 400
        assert org.pages("/accesses", "accesses") == before

    def test_does_not_look_like_another_by_characters_that_are_not_seen(self, auditor, org):
        turned = "\u202e" + person("eve")[::-1]
        evidence = {"method": "form\u2066", "source": "a\u202eb"}
        org.record(turned, "given", evidence=evidence)
        case = look(auditor, org, turned, reason="why\u202e")
        page = auditor.page(case).text
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
        for shown in ("⟨U+202E⟩" + turned[1:], "why⟨U+202E⟩", "form⟨U+2066⟩", "a⟨U+202E⟩b"):
            assert shown in html.unescape(page)
        hidden = person("ana").replace("ana", "an\u200ba\u200e\u00ad")
        org.record(hidden, "given")
        page = html.unescape(auditor.page(look(auditor, org, hidden)).text)
        assert hidden.replace("\u200b", "⟨U+200B⟩").replace("\u200e", "⟨U+200E⟩").replace("\u00ad", "⟨U+AD⟩") in page
        assert not re.search("[\u200b\u200e\u00ad]", page)
        # A form sends again what was typed.
        assert 'value="a\u202eb"' in auditor.get(page_of(org, "access?who=a%E2%80%AEb")).text

    def test_a_decision_leads_to_the_record_that_it_rests_on(self, auditor, org):
        bo = person("bo")
        consent = org.record(bo, "given", occurredAt=times.from_now(days=-3))["id"]
        org.compose([bo])
        anchor = f"#consent-{consent}"
        page = auditor.page(look(auditor, org, bo)).text
        assert f'href="{anchor}"' in page and f'id="{anchor[1:]}"' in page
        # The day hides the record.
        case = look(auditor, org, bo, day=times.render(times.now())[:10])
        page = auditor.page(case).text
        (link,) = links(page, anchor)
        assert link.startswith("/") and f'id="{anchor[1:]}"' not in page
        assert f'id="{anchor[1:]}"' in auditor.page(link).text

    def test_a_record_on_another_page_is_found(self, auditor, org):
        bo = person("bo")
        consent = org.record(bo, "given", occurredAt=times.from_now(days=-3))["id"]
        for _ in range(51):
            org.compose([bo])
        page = auditor.page(look(auditor, org, bo)).text
        (link,) = set(links(page, f"#consent-{consent}"))
        assert "page=2" in link and f'id="consent-{consent}"' in auditor.page(link).text

    @pytest.mark.parametrize("fields", [
        {"reason": ""}, {"recipient": ""}, {"reason": "x" * 501}, {"recipient": "x" * 257}, {"recipient": "é" * 129},
        {"reason": "a\x07b"}, {"day": "yesterday"}, {"day": "2026-02-30"},
    ])  # fmt: skip
    def test_is_not_shown_for_what_does_not_fit(self, auditor, org, ana, fields):
        """A browser keeps a form that a page answers, so there is a redirect, whose page says it without the person."""
        before = len(org.pages("/accesses", "accesses"))
        answer = auditor.submit(page_of(org, "person"), **({"recipient": ana, "reason": REASON} | fields))
        assert answer.status_code == 303
        answer = auditor.follow(answer)
        assert answer.status_code == 422 and ana not in answer.text
        assert form_of(answer.text, page_of(org, "person")).fields["form"]
        (field,) = fields
        assert re.search(rf'<input id="{field}"[^>]* aria-invalid="true"[^>]* aria-describedby="failure ', answer.text)
        assert '<p class="failure" id="failure" role="alert">' in answer.text
        assert len(org.pages("/accesses", "accesses")) == before

    def test_of_whom_nothing_is_held_is_told_apart_by_nothing_else(self, auditor, org):
        nobody = person("nobody")
        case = look(auditor, org, nobody)
        assert "Nothing is stored about this person." in auditor.page(case).text
        assert auditor.data(case) == {"timeline": []}
        (access,) = [found for found in org.pages("/accesses", "accesses") if found["recipient"] is None][:1]
        assert access["what"] == "timeline"

    def test_export_is_the_api_s(self, auditor, org, ana):
        mine = auditor.get(look(auditor, org, ana) + "/export").json()
        own = org.expect(200, "POST", org.path("/recipients/export"), {"recipient": ana}).json()
        assert mine.pop("exportedAt") <= own.pop("exportedAt")
        assert mine == own

    @pytest.mark.parametrize("spelling", [" {}", "{} ", "  {}\u2003", "{}\u00a0"], ids=ascii)
    def test_white_space_at_an_end_is_part_of_an_identifier(self, service, org, spelling):
        """Whom the API knows under such a name is found and erased under that name, and nobody else is."""
        namesake = person("spaced")
        spaced = spelling.format(namesake)
        org.tracked_link(spaced)
        browser = RecordingBrowser(service).sign_in(org.key)
        assert "Nothing is stored about this person." in browser.page(look(browser, org, namesake)).text
        case = look(browser, org, spaced)
        assert WHY in html.unescape(browser.page(case).text)
        mistyped = browser.follow(browser.submit(case, f"{case}/erase", recipient=namesake))
        assert mistyped.status_code == 422 and org.consent(spaced)["history"] != []
        done = browser.follow(browser.submit(case, f"{case}/erase", recipient=spaced))
        assert "The person was erased." in done.text
        assert org.consent(spaced)["history"] == []
        assert all(namesake not in seen for seen in browser.seen)

    def test_nothing_says_that_somebody_was_erased_but_an_erasure(self, service, org):
        """An address that was typed, or changed, claims nothing."""
        who, browser = person("erased"), ConsoleBrowser(service).sign_in(org.key)
        org.tracked_link(who)
        case = look(browser, org, who)
        typed = "erase?consents=7001&decisions=7002&interactions=7003"
        addresses = [f"{case}/{typed}", page_of(org, f"person/{CASE}/{typed}")]
        for address in addresses:
            assert "The person was erased." not in browser.follow(browser.get(address)).text, address
        told = browser.follow(browser.submit(case, f"{case}/erase", recipient=who)).text
        assert "The person was erased." in told
        assert facts_of(told) == {"Consent records": ["1"], "Decisions": ["1"], "Interactions": ["0"]}
        for address in addresses:
            assert "7,00" not in browser.follow(browser.get(address)).text, address

    @pytest.mark.embedded_storage_only  # a server keeps its own files
    def test_an_erasure_whose_files_are_not_cleared_is_logged_and_can_be_repeated(self, service, org):
        who, browser = person("uncleared"), ConsoleBrowser(service).sign_in(org.key)
        org.tracked_link(who)
        case = look(browser, org, who)
        before = service.log_text().count('"act":"recipient.erase"')
        with contextlib.closing(sqlite3.connect(f"file:{service.data / 'consentlink.db'}?mode=ro", uri=True)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM organizations").fetchone()
            told = browser.submit(case, f"{case}/erase", recipient=who)
            assert told.status_code == 303
            lines = [line for line in service.log_text().splitlines() if '"act":"recipient.erase"' in line][before:]
            assert [json.loads(line)["decisions"] for line in lines] == ["1"]
            told = browser.follow(told)
            assert told.status_code == 503 and "The person is erased." in told.text
        again = browser.page(look(browser, org, who))
        assert "Clear the files again" in again.text and "The person is erased." not in again.text
        done = browser.follow(browser.submit(case, f"{case}/erase", recipient=who))
        assert done.status_code == 200 and "the files are cleared" in done.text
        assert facts_of(done.text) == {"Consent records": ["0"], "Decisions": ["0"], "Interactions": ["0"]}

    def test_nobody_else_s_address_says_that_files_are_not_cleared(self, service, org):
        who, browser = person("claimed"), ConsoleBrowser(service).sign_in(org.key)
        org.erase(who)
        case = look(browser, org, who)
        answer = browser.get(f"{case}?erase=uncleared")
        assert answer.status_code == 200 and "older state" not in answer.text
        auditor = ConsoleBrowser(service).sign_in(org.with_scopes("read").key)
        assert "/erase" not in auditor.page(look(auditor, org, who)).text

    def test_is_shown_in_german(self, auditor, org, ana):
        page = html.unescape(auditor.get(look(auditor, org, ana), **{"Accept-Language": "de"}).text)
        assert "Gemessen, weil die Person eingewilligt hatte und die Einwilligung galt." in page

    def test_what_somebody_called_them_is_no_markup(self, auditor, org):
        hostile = f"<script>alert(1)</script>{person()}"
        page = auditor.page(look(auditor, org, hostile, reason="<img src=x>")).text
        assert "<script>alert" not in page and "<img" not in page


class TestACase:
    @pytest.fixture
    def case(self, auditor, org, ana):
        return look(auditor, org, ana)

    def test_opens_in_no_other_session(self, service, auditor, org, ana, case):
        other = ConsoleBrowser(service).sign_in(org.with_scopes("read").key)
        for cookies in ({}, {name: value for name, value in auditor.cookies.items() if name != auditor.session}):
            other.cookies |= cookies
            answer = other.get(case)
            assert answer.status_code == 410
            assert ana not in answer.text
            assert form_of(answer.text, page_of(org, "person"))
            for tail in ("/export", "/decisions/01J00000000000000000000000/proof"):
                assert other.get(case + tail).status_code == 410

    def test_opens_in_no_other_organization(self, service, org, ana):
        other = Operator(service).make("restrictive")
        browser = ConsoleBrowser(service).sign_in(service.operator_key)
        case = look(browser, org, ana)
        assert browser.get(case).status_code == 200
        assert browser.get(case.replace(org.id, other.id)).status_code == 410
        auditor = ConsoleBrowser(service).sign_in(org.with_scopes("read").key)
        assert auditor.get(case.replace(org.id, other.id)).status_code == 404

    def test_opens_no_other_page_of_people_and_nothing_of_others(self, auditor, org, case):
        bo = person("bo")
        link = org.tracked_link(bo)
        decision = org.query_decisions(recipient=bo)[0]
        assert auditor.get(f"{case}/decisions/{decision['id']}/proof").status_code == 404
        assert auditor.get(f"{case}/consents/{decision['consent']}/proof").status_code == 404
        assert auditor.get(case.replace("/person/", "/access/of/")).status_code == 410
        assert link

    def test_closes_the_oldest_of_more_than_four(self, auditor, org, ana, case):
        later = [look(auditor, org, ana) for _ in range(4)]
        assert auditor.get(case).status_code == 410
        assert [auditor.get(address).status_code for address in later] == [200] * 4

    def test_cookies_stay_small(self, auditor, org, case):
        longest = {"recipient": "x" * 256, "reason": "\U0001F600" * 500}
        for _ in range(3):
            last = look(auditor, org, **longest)
        sent = [f"{name}={value}; " for name, value in auditor.cookies.items() if name.startswith(auditor.cookie("case"))]
        assert sent and sum(map(len, sent)) <= 6 << 10
        assert auditor.get(case).status_code == 410
        assert auditor.get(last).status_code == 200

    @pytest.mark.parametrize("change", [lambda text: text[:-4], lambda text: "A" + text[1:], lambda _: "", lambda _: "é"])
    def test_opens_for_no_changed_cookie(self, auditor, case, change):
        name = auditor.cookie("case") + "-" + case.rsplit("/", 1)[1]
        value = auditor.cookies[name]
        changed = change(value)
        if changed == value or not changed.isascii():
            changed = ("C" if value.startswith("B") else "B") + value[1:]
        auditor.cookies[name] = changed
        assert auditor.get(case).status_code == 410


@pytest.mark.embedded_storage_only  # the clock of a database server is not moved
class TestTime:
    @pytest.fixture
    def clocked(self, tmp_path):
        clock = MovingClock(tmp_path)
        for service in run_to_the_end(Service(tmp_path, settings=clock.settings, has_console=True)):
            yield service, clock

    def test_a_case_closes_after_a_quarter_of_an_hour(self, clocked):
        service, clock = clocked
        org = Operator(service).make("restrictive")
        ana = person("ana")
        org.tracked_link(ana)
        browser = ConsoleBrowser(service).sign_in(org.key)
        case = look(browser, org, ana)
        step(service, clock, 14 * MINUTE)
        assert browser.get(case).status_code == 200
        step(service, clock, 16 * MINUTE)
        answer = browser.get(case)
        assert answer.status_code == 410
        assert browser.get(answer.headers.get("Location", page_of(org, "person"))).status_code == 200

    def test_erasing_asks_again_who_they_are(self, clocked):
        service, clock = clocked
        org = Operator(service).make("restrictive")
        ana = person("ana")
        org.tracked_link(ana)
        browser = ConsoleBrowser(service).sign_in(org.key)
        step(service, clock, 6 * MINUTE)
        case = look(browser, org, ana)
        erase = f"{case}/erase"
        asked = browser.submit(case, erase, recipient=ana)
        assert asked.status_code == 303
        asked = browser.follow(asked)
        assert asked.status_code == 200 and ana not in asked.text
        assert org.consent(ana)["history"] != []
        confirm = form_of(asked.text, "/confirm")
        wrong = browser.post("/confirm", confirm.fields | {"key": "clk_" + "x" * 43})
        assert wrong.status_code == 403
        confirm = form_of(wrong.text, "/confirm")
        answer = browser.post("/confirm", confirm.fields | {"key": org.key})
        assert answer.status_code == 303 and answer.headers["Location"] == case
        mistyped = browser.follow(browser.submit(case, erase, recipient=ana + "x"))
        assert mistyped.status_code == 422 and org.consent(ana)["history"] != []
        assert 'aria-describedby="erase-failure"' in mistyped.text and "Nothing was erased." in mistyped.text
        done = browser.submit(case, erase, recipient=ana)
        assert done.status_code == 303
        done = browser.follow(done)
        assert done.status_code == 200 and "The person was erased." in done.text
        assert org.consent(ana)["history"] == []
        assert browser.get(case).status_code == 410
        assert "This person was erased" in browser.page(look(browser, org, ana)).text
        assert "recipient.erase" in service.log_text()
        service.assert_log_is_discreet()

    def test_an_auditor_does_not_erase(self, clocked):
        service, _ = clocked
        org = Operator(service).make("restrictive")
        ana = person("ana")
        org.tracked_link(ana)
        browser = ConsoleBrowser(service).sign_in(org.with_scopes("read").key)
        case = look(browser, org, ana)
        page = browser.page(case).text
        assert "/erase" not in page
        assert browser.post(f"{case}/erase", {"recipient": ana}).status_code == 403
        assert org.consent(ana)["history"] != []


class TestDecisions:
    def test_numbers_are_the_api_s(self, auditor, org, ana):
        mine = auditor.data(page_of(org, "decisions"))
        own = org.expect(200, "GET", org.path("/decisions/summary")).json()
        assert {row["reason"]: row["decisions"] for row in mine["reasons"]} == own["reasons"]
        assert [(day["day"], day["decisions"], day["tracked"], day["untracked"]) for day in mine["days"]] == [
            (day["day"], day["decisions"], day["tracked"], day["untracked"]) for day in own["days"]
        ]
        page = html.unescape(auditor.page(page_of(org, "decisions")).text)
        assert f"{own['decisions']} decisions: {own['tracked']} tracked, {own['untracked']} not tracked." in page

    def test_times_are_filtered(self, auditor, org, ana):
        page = page_of(org, "decisions")
        assert auditor.data(f"{page}?from=2020-01-01&to=2020-02-01") == {"reasons": [], "days": []}
        assert "Nothing was decided" in auditor.page(f"{page}?from=2020-01-01&to=2020-02-01").text
        for query, field in [
            ("from=2026-01-02&to=2026-01-01", "to"), ("from=2019-01-01&to=2021-01-01", "to"), ("from=yesterday", "from"),
            ("message=x", "message"), ("message=0000000000000001", "message"),
        ]:  # fmt: skip
            answer = auditor.get(f"{page}?{query}")
            assert answer.status_code == 422
            assert re.search(rf'<input id="{field}"[^>]* aria-invalid="true"', answer.text), query

    def test_a_message_is_counted_as_a_whole(self, auditor, org, ana):
        message = org.query_decisions(recipient=ana)[0]["message"]
        address = page_of(org, f"decisions?message={message}")
        own = org.expect(200, "GET", org.path(f"/decisions/summary?message={message}")).json()
        mine = auditor.data(address)
        assert {row["reason"]: row["decisions"] for row in mine["reasons"]} == own["reasons"] and "days" not in mine
        page = auditor.page(address).text
        files = [html.unescape(link) for link in re.findall(r'href="([^"]*as=csv[^"]*)"', page)]
        assert files and all(f"message={message}" in link for link in files)
        assert auditor.get(f"{address}&from=2026-01-01").status_code == 422
        sample = auditor.get(page_of(org, f"decisions/sample?seed=1&size=1000&message={message}"))
        rows = auditor.data(sample.headers["Location"])["sample"]
        assert len(rows) == own["decisions"] and {row["message"] for row in rows} == {message}

    def test_days_without_decisions_are_shown(self, auditor, org, ana):
        page = auditor.page(page_of(org, "decisions"))
        assert times.from_now(days=-5)[:10] in page.text
        assert len(page.content) < 100_000

    def test_a_year_is_shown_by_month(self, auditor, org, ana):
        begin, end = times.from_now(days=-360)[:10], times.from_now(days=1)[:10]
        page = auditor.page(page_of(org, f"decisions?from={begin}&to={end}"))
        assert len(page.content) < 100_000 and "Month" in page.text
        mine = auditor.data(page_of(org, f"decisions?from={begin}&to={end}"))["days"]
        own = org.expect(200, "GET", org.path(f"/decisions/summary?from={begin}T00:00:00Z&to={end}T00:00:00Z")).json()
        assert [day["day"] for day in mine] == [day["day"] for day in own["days"]]

    def test_a_large_sample_is_whole_in_its_files_alone(self, service):
        org = Operator(service).make("nonRestrictive")
        org.compose([person() for _ in range(120)])
        browser = ConsoleBrowser(service).sign_in(org.with_scopes("read").key)
        address = browser.get(page_of(org, "decisions/sample?seed=1&size=120")).headers["Location"]
        page = browser.page(address)
        assert "The page shows the first 100 of 120 decisions." in page.text and len(page.content) < 100_000
        assert page.text.count("/campaigns/") == 100
        assert len(browser.data(address)["sample"]) == 120

    @pytest.mark.parametrize("seed", ["4%206%202", "4+6+2"], ids=["link", "form"])
    def test_the_sample_is_the_api_s_and_stays(self, auditor, org, ana, seed):
        answer = auditor.get(page_of(org, f"decisions/sample?seed={seed}&size=3"))
        assert answer.status_code == 303
        address = answer.headers["Location"]
        through = int(urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["through"][0])
        mine = auditor.data(address)["sample"]
        assert mine and set(mine[0]) == {"leaf", "id", "decidedAt", "outcome", "reason", "message"}
        org.tracked_link()
        own = org.expect(200, "GET", org.path(f"/decisions/sample?seed=4%206%202&size=3&through={through}")).json()
        assert [(row["leaf"], row["id"], row["reason"]) for row in mine] == [
            (row["leaf"], row["decision"]["id"], row["decision"]["reason"]) for row in own["sample"]
        ]
        assert auditor.data(address)["sample"] == mine
        page = html.unescape(auditor.page(address).text)
        assert f"in {own['draws']} draws from the entries {own['firstLeaf']} " in page
        assert "@people.example" not in page

    @pytest.mark.parametrize("query", ["size=0", "size=1001", "through=-1", "through=999999999"])
    def test_no_other_sample_is_drawn(self, auditor, org, query):
        assert auditor.get(page_of(org, f"decisions/sample?seed=1&{query}")).status_code == 422


class TestTheLedger:
    @staticmethod
    def compare(browser, org, text):
        return browser.submit(page_of(org, "ledger"), page_of(org, "ledger/compare"), checkpoint=text)

    @staticmethod
    def checkpoint(org):
        return org.expect(200, "GET", org.path("/ledger/checkpoint")).text

    def test_shows_what_the_api_says(self, auditor, org, ana):
        eventually(lambda: auditor.page(page_of(org, "ledger")).text.count("Not yet") == 0)
        page = html.unescape(auditor.page(page_of(org, "ledger")).text)
        own = org.expect(200, "GET", org.path("/ledger")).json()
        assert self.checkpoint(org) in page
        assert own["verifierKey"] in page and "Holds" in page
        assert f'<dd class="big">{own["size"]}</dd>' in page

    @pytest.mark.parametrize("shape", [
        lambda text: text, lambda text: text.rstrip("\n"), lambda text: text.replace("\n", "\r\n"),
        lambda text: f"\n\n  {text}\n\n",
    ])  # fmt: skip
    def test_continues_an_older_checkpoint_however_it_is_pasted(self, auditor, org, ana, shape):
        old = self.checkpoint(org)
        org.tracked_link()
        answer = self.compare(auditor, org, shape(old))
        assert answer.status_code == 200
        # The service signs in the background: this may be the checkpoint of the first entry alone.
        entries = "the one entry" if size_in(old) == 1 else f"all {size_in(old)} entries"
        assert f"Nothing was changed: {entries}" in html.unescape(answer.text)

    @pytest.mark.parametrize("change, said", [
        (lambda text: swap(text, f"\n{size_in(text)}\n", f"\n{size_in(text) + 1}\n"), "The signature does not hold"),
        (lambda text: swap(text, text.split("\n")[2][:8], "AAAAAAAA"), "The signature does not hold"),
        (lambda text: text[:-30], "This is not a whole checkpoint"),
        (lambda text: text.split("\n\n")[0], "This is not a whole checkpoint"),
        (lambda text: text.replace("\n", "\u2028"), "This is not a whole checkpoint"),
        (lambda text: "<script>alert(1)</script>", "This is not a whole checkpoint"),
        (lambda text: "x" * 60_000, "This is not a whole checkpoint"),
        (lambda text: "\x00\x01\x02", "This is not a whole checkpoint"),
        (lambda text: "", "This is not a whole checkpoint"),
    ])  # fmt: skip
    def test_says_what_a_text_is_that_is_none(self, auditor, org, ana, change, said):
        answer = self.compare(auditor, org, change(self.checkpoint(org)))
        assert answer.status_code == (422 if "whole" in said else 200)
        assert ('aria-invalid="true"' in answer.text) == ("whole" in said)
        assert said in html.unescape(answer.text)
        assert "<script>alert" not in answer.text and "Nothing was changed" not in answer.text

    def test_refuses_a_megabyte(self, auditor, org):
        assert self.compare(auditor, org, "x" * (1 << 20)).status_code == 413

    def test_names_another_ledger(self, service, auditor, org):
        other = Operator(service).make("restrictive")
        answer = self.compare(auditor, org, self.checkpoint(other))
        assert f"a checkpoint of another ledger: {self.checkpoint(other).splitlines()[0]}" in html.unescape(answer.text)

    def test_export_verifies(self, auditor, org, ana, tmp_path):
        answer = auditor.get(page_of(org, "ledger/export"))
        assert answer.headers["Content-Type"] == "application/x-tar"
        with tarfile.open(fileobj=io.BytesIO(answer.content)) as archive:
            assert "README.txt" in archive.getnames()
            manifest = json.load(archive.extractfile("manifest.json"))
        assert manifest
        assert verify(org, tmp_path, answer.content).returncode == 0
        empty = auditor.get(page_of(org, "ledger/export?from=2020-01-01&to=2020-01-02"))
        assert empty.status_code == 200 and len(empty.content) < len(answer.content)
        assert verify(org, tmp_path, empty.content).returncode == 0

    def test_export_of_a_time_has_the_entries_of_that_time(self, auditor, org, ana, tmp_path):
        def entries(content):
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                names = [name for name in archive.getnames() if name.startswith("entries/")]
                return [json.loads(line) for name in names for line in archive.extractfile(name).read().splitlines()]

        dawn, dusk = times.from_now(days=-1)[:10], times.from_now(days=2)[:10]
        for query, is_there in [(f"from={dawn}&to={dusk}", True), (f"from={dawn}", True), (f"to={dawn}", False),
                               (f"from={dusk}", False)]:  # fmt: skip
            part = auditor.get(page_of(org, f"ledger/export?{query}"))
            assert verify(org, tmp_path, part.content).returncode == 0, query
            whole = entries(auditor.get(page_of(org, "ledger/export")).content)
            assert entries(part.content) == (whole if is_there else []), query

    def test_export_is_an_act_that_says_who(self, service, org, ana):
        key = org.with_scopes("read")
        browser = ConsoleBrowser(service).sign_in(key.key)
        assert browser.get(page_of(org, "ledger/export")).status_code == 200
        acts = [json.loads(line) for line in service.log_text().splitlines() if "audit.export" in line]
        assert [act for act in acts if act.get("by") == key.made["id"] and act.get("organization") == org.id], acts
        assert looks_of(org, key) == []

    def test_a_stalled_export_ends_with_its_session_and_holds_up_no_other(self, service):
        org = Operator(service).make("restrictive")
        evidence = {"method": "web-form", "source": "https://people.example/" + "a" * 200}
        # More than the buffers of a connection hold.
        org.record_all([{"recipient": person(), "state": "given", "evidence": evidence} for _ in range(10_000)])
        stalled, other = (ConsoleBrowser(service).sign_in(org.with_scopes("read").key) for _ in range(2))
        path = page_of(org, "ledger/export")
        host, port = service.console_listen.split(":")
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((host, int(port)))
            cookies = "; ".join(f"{name}={value}" for name, value in stalled.cookies.items())
            request = f"GET {path} HTTP/1.1\r\nHost: {service.console_listen}\r\nCookie: {cookies}\r\n\r\n"
            connection.sendall(request.encode())
            assert connection.recv(15) == b"HTTP/1.1 200 OK"
            # Until the buffers are full, and the service waits for the client.
            time.sleep(3)
            assert other.get(path).status_code == 429
            assert stalled.submit("/sessions", "/sessions/end-all").status_code == 303
            eventually(lambda: other.get(f"{path}?from=2020-01-01&to=2020-01-02").status_code == 200, within=60)

    def test_no_export_over_the_old_version(self, auditor, org):
        """As a proxy that speaks HTTP/1.0 asks for it: a part would look whole."""
        cookies = "; ".join(f"{name}={value}" for name, value in auditor.cookies.items())
        host, port = auditor.service.console_listen.split(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            head = f"GET {page_of(org, 'ledger/export')} HTTP/1.0\r\nHost: {host}:{port}\r\nCookie: {cookies}\r\n\r\n"
            connection.sendall(head.encode())
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert b" 426 " in answer.splitlines()[0] and b"speaks HTTP/1.0" in answer, answer

    def test_no_export_of_a_day_that_is_none(self, auditor, org):
        answer = auditor.get(page_of(org, "ledger/export?from=yesterday"))
        assert answer.status_code == 422
        assert re.search(r'<input id="from"[^>]* aria-invalid="true"', answer.text)

    @pytest.mark.parametrize("page", ["access?", "decisions/sample?seed=1&through=1&", "ledger/export?", "campaigns?"])
    def test_nothing_is_listed_or_saved_of_a_time_that_ends_before_it_begins(self, auditor, org, ana, page):
        answer = auditor.get(page_of(org, f"{page}from=2026-02-02&to=2026-02-01"))
        assert answer.status_code == 422 and "is before the beginning" in answer.text
        assert auditor.get(page_of(org, f"{page}from=2026-02-02&to=2026-02-02")).status_code == 200

    def test_buttons_that_copy_have_names_of_their_own(self, auditor, org):
        names = re.findall(r'data-copy="([^"]*)"', auditor.page(page_of(org, "ledger")).text)
        assert len(names) == len(set(names)) == 2


def size_in(checkpoint):
    return int(checkpoint.split("\n")[1])


def swap(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


class TestAChangedLedger:
    """What an operator with the database changed while the service was down."""

    @pytest.fixture
    def changed(self, tmp_path):
        service = Service(tmp_path, has_console=True).start()
        org = Operator(service).make("restrictive")
        ana = person("ana")
        org.tracked_link(ana)
        kept = org.expect(200, "GET", org.path("/ledger/checkpoint")).text
        org.tracked_link()
        assert service.stop() == 0

        def change(statement, *, checkpoints=True):
            assert service.change(statement) > 0
            if not checkpoints:
                shutil.rmtree(service.data / "checkpoints")
                service.change("UPDATE ledgers SET checkpoint = NULL")
            service.start()
            return ConsoleBrowser(service).sign_in(org.key), org, ana, kept

        yield change
        service.kill()

    def test_is_closed_and_nothing_of_people_is_shown(self, changed):
        browser, org, ana, kept = changed(
            "UPDATE decisions SET reason = 6 WHERE id = (SELECT min(id) FROM decisions)")
        eventually(lambda: "Closed" in browser.page(page_of(org, "ledger")).text)
        answer = TestTheLedger.compare(browser, org, kept)
        assert answer.status_code == 200, answer.text
        said = html.unescape(answer.text)
        assert "Nothing was changed" not in said, said
        assert "Ask the operator for the entry that differs" in said and "page Health" not in said
        answer = browser.follow(browser.submit(page_of(org, "person"), recipient=ana, reason=REASON))
        assert answer.status_code == 503 and ana not in answer.text
        assert "No look can be recorded" in answer.text


def test_a_ledger_that_was_put_back_lacks_what_a_newer_checkpoint_has(tmp_path):
    (tmp_path / "before").mkdir()
    service = Service(tmp_path / "before", has_console=True).start()
    org = Operator(service).make("restrictive")
    org.tracked_link()
    assert service.stop() == 0
    old = tmp_path / "old"
    shutil.copytree(service.data, old)
    if postgres.is_asked_for():
        pytest.skip("the data folder is all there is to put back")
    service.start()
    for _ in range(3):
        org.tracked_link()
    last = org.query_decisions()[-1]["id"]
    org.expect(200, "GET", org.path(f"/decisions/{last}/proof"))
    newer = org.expect(200, "GET", org.path("/ledger/checkpoint")).text
    assert service.stop() == 0
    shutil.rmtree(service.data)
    shutil.copytree(old, service.data)
    service.start()
    browser = ConsoleBrowser(service).sign_in(org.key)
    said = html.unescape(TestTheLedger.compare(browser, org, newer).text)
    assert f"Entries are missing: the checkpoint was signed over {newer.splitlines()[1]} entries" in said
    for _ in range(9):
        org.tracked_link()
    said = html.unescape(TestTheLedger.compare(browser, org, newer).text)
    assert "The ledger was changed" in said and "Nothing was changed" not in said
    service.kill()


class TestAccess:
    def test_names_nobody_until_a_reason_is_given_which_is_a_look(self, service, org):
        bo, key = person("bo"), org.with_scopes("read")
        org.tracked_link(bo)
        browser = RecordingBrowser(service).sign_in(key.key)
        look(browser, org, bo, reason="dispute 17")
        who = f"key:{key.made['id']}"
        mine = browser.data(page_of(org, f"access?who={urllib.parse.quote(who)}"))["looks"]
        own = [found for found in org.pages("/accesses", "accesses") if found["who"] == who]
        assert [(row["id"], row["who"], row["what"], row["reason"]) for row in mine] == [
            (row["id"], row["who"], row["what"], row["reason"]) for row in own
        ]
        assert bo not in browser.page(page_of(org, "access")).text
        address = page_of(org, f"access/{mine[0]['id']}")
        assert bo not in browser.page(address).text
        assert browser.follow(browser.submit(address, reason="")).status_code == 422
        answer = browser.submit(address, reason="who was it")
        assert answer.status_code == 303
        page = browser.page(answer.headers["Location"]).text
        assert bo in page and "dispute 17" in page and "who was it" in page
        latest = org.pages("/accesses", "accesses")[0]
        assert (latest["what"], latest["reason"], latest["recipient"]) == ("accesses", "who was it", bo)
        stranger = ConsoleBrowser(service).sign_in(org.with_scopes("read").key)
        assert stranger.get(answer.headers["Location"]).status_code == 410
        assert all(bo not in seen for seen in browser.seen)

    def test_is_paged_and_filtered_by_time(self, auditor, org, ana):
        for _ in range(51):
            look(auditor, org, ana)
        page = auditor.page(page_of(org, "access")).text
        (older,) = [link for link in re.findall(r'href="([^"]*)"', page) if "before=" in link and "lang=" not in link
                    and "as=" not in link]  # fmt: skip
        first = auditor.data(page_of(org, "access"))["looks"]
        second = auditor.data(html.unescape(older))["looks"]
        assert len(first) == 50 and second and not {row["id"] for row in first} & {row["id"] for row in second}
        assert auditor.data(page_of(org, "access?to=2020-01-01"))["looks"] == []
        answer = auditor.get(page_of(org, "access?who=somebody"))
        assert answer.status_code == 422
        assert 'aria-invalid="true" aria-describedby="failure who-hint"' in answer.text

    def test_names_a_key_while_there_is_one(self, service, auditor, org, ana):
        key = org.with_scopes("read")
        look(ConsoleBrowser(service).sign_in(key.key), org, ana)
        who = f"key:{key.made['id']}"
        address = page_of(org, f"access?who={urllib.parse.quote(who)}")
        assert f"{who} (scoped)" in auditor.page(address).text
        (row,) = auditor.data(address)["looks"]
        assert row["who"] == who
        assert f"{who} (scoped)" in auditor.page(page_of(org, f"access/{row['id']}")).text
        org.expect(204, "DELETE", org.path(f"/keys/{key.made['id']}"))
        page = auditor.page(address).text
        assert who in page and "(scoped)" not in page

    def test_of_an_unknown_look_there_is_no_page(self, service, auditor, org):
        other = Operator(service).make("restrictive")
        bo = person("bo")
        other.tracked_link(bo)
        look(ConsoleBrowser(service).sign_in(other.key), other, bo)
        foreign = other.pages("/accesses", "accesses")[0]["id"]
        for id in (foreign, "01J00000000000000000000000", "x"):
            assert auditor.get(page_of(org, f"access/{id}")).status_code == 404


CASE = "0" * 32
ROUTES = [
    ("GET", "person"), ("POST", "person"), ("GET", f"person/{CASE}"), ("POST", f"person/{CASE}/erase"),
    ("GET", f"person/{CASE}/decisions/1/proof"), ("GET", f"person/{CASE}/consents/1/proof"),
    ("GET", f"person/{CASE}/export"), ("GET", "decisions"), ("GET", "decisions/sample?seed=1"), ("GET", "ledger"),
    ("POST", "ledger/compare"), ("GET", "ledger/export"), ("GET", "access"), ("GET", "access/1"), ("POST", "access/1"),
    ("GET", f"access/of/{CASE}"),
]  # fmt: skip


@pytest.mark.parametrize("method, path", ROUTES)
def test_a_marketer_gets_none_of_it(service, org, method, path):
    browser = ConsoleBrowser(service).sign_in(org.with_scopes("report").key)
    send = {"GET": browser.get, "POST": lambda path: browser.post(path, {"recipient": "x", "reason": "y"})}[method]
    assert send(page_of(org, path)).status_code == 403
    other = ConsoleBrowser(service).sign_in(Operator(service).make("restrictive").key)
    send = {"GET": other.get, "POST": lambda path: other.post(path, {"recipient": "x", "reason": "y"})}[method]
    assert send(page_of(org, path)).status_code == 404


def test_pages_are_small_and_keep_to_their_policy(auditor, org, ana):
    for path in ("person", "decisions", "decisions/sample", "ledger", "access"):
        answer = auditor.page(page_of(org, path))
        assert len(answer.content) < 100_000
        assert " style=" not in answer.text and "onclick" not in answer.text
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_the_log_is_discreet(service, ana):
    service.assert_log_is_discreet()
