"""A message that asks consent for clicks and opens apart: two decisions about everybody, and payloads, interactions and
reports exactly as the two say."""

import csv
import io
import json
import re
import threading
import time

import httpx
import pytest

from harness import times, wire
from harness.campaign import BROWSER
from harness.client import Operator, Organization, assert_misfit, message, person, unique
from harness.forging import Book
from harness.moving_clock import MovingClock
from harness.service import Service
from test_audit import Auditor
from test_hostile_exports import EXCEPTION, FORM, SALE, assert_found, verify

OPENS = "open-tracking"
PURPOSES = {"clicks": "tracking", "opens": OPENS}
FORMATS = [("plain", None), ("email", None)] + [
    (name, platform) for name in ("dynamics365", "adobe-campaign", "bird") for platform in ("ios", "android")
]
# What was said about clicks and about opens, and what follows for each: the table of the policy, twice.
CASES = {
    ("given", "given"): ("consentGiven", "consentGiven"),
    ("given", "refused"): ("consentGiven", "consentRefused"),
    ("given", None): ("consentGiven", "noConsentRecord"),
    ("refused", "given"): ("consentRefused", "consentGiven"),
    (None, "given"): ("noConsentRecord", "consentGiven"),
    ("withdrawn", "refused"): ("consentWithdrawn", "consentRefused"),
    (None, None): ("noConsentRecord", "noConsentRecord"),
}
TRACKED = {"consentGiven"}
LINK = re.compile(r"/r/[\w-]{54}")
PIXEL = re.compile(r'<img src=\\?"[^"]*(/o/[\w-]{54}\.gif)')
NAMES = re.compile(r"(?<![\w-])[\w-]{54}(?![\w-])|h[0-9a-f]{80}")


def say(org, clicks, opens):
    """A person who has said this about clicks and about opens."""
    who = person()
    for purpose, state in (("tracking", clicks), (OPENS, opens)):
        if state:
            org.record(who, state, purpose=purpose)
    return who


def content(**more):
    return message(
        purposes=PURPOSES, title="T", html='<p><a href="https://shop.example/c">c</a></p>',
        text="See https://shop.example/d.", openTracking=True, **more)


def assert_as_decided(text, reasons, format):
    clicks, opens = (reason in TRACKED for reason in reasons)
    assert bool(LINK.search(text)) == clicks, text
    assert bool(PIXEL.search(text)) == (opens and format == "email"), text
    # Of a mail only what is tracked says whom it was sent to; an app is told an ID when anything is.
    assert bool(NAMES.search(text)) == (clicks or opens), text


def assert_decisions(entry, reasons):
    clicks, opens = (entry["decisions"][activity] for activity in ("clicks", "opens"))
    assert entry["decision"] == clicks
    assert (clicks["reason"], opens["reason"]) == reasons
    for decision in (clicks, opens):
        assert decision["outcome"] == ("tracked" if decision["reason"] in TRACKED else "untracked")
    assert entry["tracked"] == any(reason in TRACKED for reason in reasons)
    assert clicks["id"] != opens["id"] or clicks["id"] is None


@pytest.mark.parametrize(("format", "platform"), FORMATS)
def test_links_and_pixel_are_as_the_two_decisions_say(org, format, platform):
    people = {say(org, *states): reasons for states, reasons in CASES.items()}
    body = content()
    composed = org.compose(people, body, format=format, platform=platform)
    for who, reasons in people.items():
        assert_decisions(composed.of(who), reasons)
        assert_as_decided(composed.payload_text(who), reasons, format)
    silent = [composed.payload_text(who) for who, reasons in people.items() if not TRACKED & set(reasons)]
    assert len(silent) == 2 and len(set(silent)) == 1
    # Where nothing is tracked it is the payload of the same message that asks for one purpose.
    other = org.compose([person()], body | {"name": unique(), "purposes": {}}, format=format, platform=platform)
    assert other.payload_text(other.payloads[0]["recipient"]) == silent[0]
    # The two decisions are the stored ones, each for its purpose.
    stored = org.decisions(message=composed.message)
    assert len(stored) == 2 * len(people)
    for clicks, opens in zip(stored[::2], stored[1::2]):
        assert (clicks["activity"], opens["activity"]) == ("clicks", "opens")
        assert (clicks["purpose"], opens["purpose"]) == ("tracking", OPENS)
        assert clicks["recipient"] == opens["recipient"] and clicks["decidedAt"] == opens["decidedAt"]
        entry = composed.of(clicks["recipient"])
        assert (clicks["id"], opens["id"]) == tuple(entry["decisions"][name]["id"] for name in ("clicks", "opens"))
        assert (clicks["reason"], opens["reason"]) == people[clicks["recipient"]]


@pytest.mark.parametrize(("format", "platform"), FORMATS)
def test_a_preview_and_lines_say_the_same(org, format, platform):
    people = {say(org, *states): reasons for states, reasons in CASES.items()}
    order = {"message": content(), "format": format} | ({"platform": platform} if platform else {})
    shown = org.expect(200, "POST", org.path("/payloads"), order | {"preview": True, "recipients": list(people)}).json()
    for entry in shown["payloads"]:
        assert_decisions(entry, people[entry["recipient"]])
        assert entry["decisions"]["opens"]["id"] is None
        lines = len(re.findall(r"/r/preview0", json.dumps(entry["payload"])))
        assert bool(lines) == (people[entry["recipient"]][0] in TRACKED)
    assert org.decisions() == []
    lines = [order, *people]
    answer = org.expect(
        200, "POST", org.path("/payloads"), content="".join(json.dumps(line) + "\n" for line in lines).encode(),
        headers={"Content-Type": "application/x-ndjson"})
    answered = [json.loads(line) for line in answer.text.splitlines()]
    assert [entry["recipient"] for entry in answered] == list(people)
    for entry in answered:
        assert_decisions(entry, people[entry["recipient"]])
        assert_as_decided(json.dumps(entry["payload"]), people[entry["recipient"]], format)


def test_a_rewritten_mail_has_links_and_pixel_as_decided(org):
    made = org.make_message(message(purposes=PURPOSES, openTracking=True))
    for states, reasons in CASES.items():
        mail = {
            "messageId": made["id"], "recipient": say(org, *states), "html": '<a href="https://shop.example/x">x</a>',
            "text": "https://shop.example/x"}
        rewritten = org.expect(200, "POST", org.path("/rewrites"), mail).json()
        assert_decisions(rewritten, reasons)
        assert_as_decided(rewritten["html"], reasons, "email")
        assert bool(LINK.search(rewritten["text"])) == (reasons[0] in TRACKED)
        assert [bool(link["index"]) for link in rewritten["links"]] == [reasons[0] in TRACKED] * 2
        line = org.expect(
            200, "POST", org.path("/rewrites"),
            content=(json.dumps({"messageId": made["id"]}) + "\n" + json.dumps(
                {name: mail[name] for name in ("recipient", "html", "text")}) + "\n").encode(),
            headers={"Content-Type": "application/x-ndjson"}).json()
        assert_decisions(line, reasons)
        assert_as_decided(line["html"], reasons, "email")


class TestMessages:
    def test_equal_purposes_are_one_and_make_the_same_message(self, org):
        body = message()
        one = org.make_message(body | {"purpose": "news"})
        assert org.make_message(body | {"purposes": {"clicks": "news", "opens": "news"}})["id"] == one["id"]
        plain = org.make_message(body)
        for purposes in ({}, {"clicks": "tracking"}, {"opens": "tracking"}, PURPOSES | {"opens": "tracking"}):
            assert org.make_message(body | {"purposes": purposes})["id"] == plain["id"]
        assert org.make_message(body | {"purposes": {"opens": OPENS}})["id"] == org.make_message(body | {"purposes": PURPOSES})["id"]
        composed = org.compose([person()], message_id=one["id"])
        assert "decisions" not in composed.payloads[0]
        (decision,) = org.decisions(message=one["id"])
        assert (decision["purpose"], decision["activity"]) == ("news", None)

    def test_a_message_shows_its_purposes(self, org):
        apart, together = org.make_message(message(purposes=PURPOSES)), org.make_message(message(purpose="news"))
        shown = org.expect(200, "GET", org.path(f"/messages/{apart['id']}")).json()
        assert shown["content"]["purposes"] == PURPOSES and "purpose" not in shown["content"]
        listed = {one["id"]: one for one in org.expect(200, "GET", org.path("/messages")).json()["messages"]}
        assert (listed[apart["id"]]["purpose"], listed[apart["id"]]["purposes"]) == ("tracking", PURPOSES)
        assert listed[together["id"]]["purpose"] == "news" and "purposes" not in listed[together["id"]]

    @pytest.mark.parametrize(
        ("members", "pointer"),
        [
            ({"purpose": "tracking", "purposes": PURPOSES}, "/purposes"),
            ({"purpose": "tracking", "purposes": {}}, "/purposes"),
            ({"purposes": {"clicks": "Tracking"}}, "/purposes/clicks"),
            ({"purposes": {"opens": ""}}, "/purposes/opens"),
            ({"purposes": {"opens": "a" * 65}}, "/purposes/opens"),
            ({"purposes": {"opens": 1}}, "/purposes/opens"),
            ({"purposes": {"views": "tracking"}}, "/purposes/views"),
            ({"purposes": ["tracking"]}, "/purposes"),
            ({"purposes": "tracking"}, "/purposes"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, org, members, pointer):
        assert_misfit(org.call("POST", org.path("/messages"), message(**members)), pointer)


class TestRecording:
    """Each kind of interaction needs the consent that its own activity was asked for."""

    def report(self, org, token, status):
        body = {"TrackingId": token, "DeviceToken": "d", "PushNotificationStatus": status}
        answer = httpx.post(f"{org.service.public}/api/v1.0/orgs/{org.id}/pushdatareceiver/events", json=body)
        assert answer.status_code < 300, answer.text

    def kinds(self, org, composed):
        org.settle()
        return sorted(item["type"] for item in org.interactions(message=composed.message))

    @pytest.mark.parametrize(
        ("states", "expected"),
        [
            (("given", "given"), ["PushLinkClicked", "PushNotificationClicked", "PushNotificationOpened"]),
            (("given", "refused"), ["PushLinkClicked", "PushNotificationClicked"]),
            (("given", None), ["PushLinkClicked", "PushNotificationClicked"]),
            (("refused", "given"), ["PushNotificationOpened"]),
            ((None, "given"), ["PushNotificationOpened"]),
        ],
    )
    def test_an_app_that_reports_all_has_recorded_what_was_agreed_to(self, org, states, expected):
        who = say(org, *states)
        composed = org.compose([who], message(purposes=PURPOSES), format="dynamics365", platform="ios")
        data = composed.payload(who)["data"]
        for status in ("Clicked", "Opened"):
            self.report(org, data["trackingId"], status)
        if "/r/" in data["link"]:
            assert wire.follow(data["link"]).status == 302
        assert self.kinds(org, composed) == expected

    def test_somebody_tracked_for_one_activity_alone_has_the_other_refused_at_once_and_after_a_restart(self, own_service):
        org = Operator(own_service).make()
        who = say(org, "given", None)
        composed = org.compose([who], message(purposes=PURPOSES), format="dynamics365", platform="ios")
        token = composed.payload(who)["data"]["trackingId"]

        def dropped():
            text = httpx.get(f"{own_service.api}/metrics").text
            return float(re.search(r'consentlink_clicks_dropped_total\{reason="consentEnded"\} (\S+)', text)[1])

        self.report(org, token, "Opened")
        assert self.kinds(org, composed) == [] and dropped() == 0, "it never reached the spool"
        own_service.restart()
        self.report(org, token, "Opened")
        assert self.kinds(org, composed) == [] and dropped() == 0
        org.record(who, "given", purpose=OPENS)
        self.report(org, token, "Opened")
        assert self.kinds(org, composed) == ["PushNotificationOpened"]

    def test_a_withdrawal_of_one_leaves_the_other(self, org):
        who = say(org, "given", "given")
        composed = org.compose([who], content(), format="email")
        html = composed.payload(who)["html"]
        link, pixel = re.search(r'href="([^"]+/r/[^"]+)"', html)[1], re.search(r'src="([^"]+/o/[^"]+)"', html)[1]
        org.record(who, "withdrawn", purpose=OPENS)
        assert (wire.follow(pixel).status, wire.follow(link).status) == (200, 302)
        assert self.kinds(org, composed) == ["PushLinkClicked"]
        org.record(who, "given", purpose=OPENS)
        org.record(who, "withdrawn")
        assert (wire.follow(pixel).status, wire.follow(link).status) == (200, 302)
        assert self.kinds(org, composed) == ["MessageOpened", "PushLinkClicked"]

    def test_a_withdrawal_from_the_page_ends_both(self, org):
        who = say(org, "given", "given")
        composed = org.compose([who], message(purposes=PURPOSES))
        answer = httpx.post(f"{org.service.public}/p/{composed.payload(who)['trackingId']}")
        assert answer.status_code == 200
        assert {one["purpose"]: one["state"] for one in org.consent(who)["current"]} == {
            "tracking": "withdrawn", OPENS: "withdrawn"}  # fmt: skip
        again = org.compose([who], message_id=composed.message).of(who)
        assert not again["tracked"] and again["decisions"]["opens"]["reason"] == "consentWithdrawn"

    def test_inspecting_an_id_says_what_is_recorded_of_each(self, org, operator):
        who = say(org, "given", "refused")
        composed = org.compose([who], message(purposes=PURPOSES))
        found = operator.expect(200, "POST", "/v1/inspect", {"token": composed.payload(who)["trackingId"]}).json()
        assert (found["consent"], found["recorded"]) == ("consentGiven", True)
        assert found["opens"] == {"consent": "consentRefused", "recorded": False}
        token = composed.link(who).rsplit("/", 1)[1]
        assert "opens" not in operator.expect(200, "POST", "/v1/inspect", {"token": token}).json()


def test_a_repeated_request_permits_what_is_still_agreed_to(org):
    who, other = say(org, "given", "given"), say(org, "given", "given")
    body = {"message": content(), "format": "email", "recipients": [who, other]}
    key = {"Idempotency-Key": f'"{unique()}"'}

    def compose():
        return org.expect(200, "POST", org.path("/payloads"), body, headers=key).json()["payloads"]

    first = compose()
    assert compose() == first
    org.record(who, "withdrawn", purpose=OPENS)
    changed, same = compose()
    assert same == first[1]
    assert changed["decision"] == first[0]["decision"] and "ended" not in changed and changed["tracked"]
    assert changed["decisions"]["opens"] == first[0]["decisions"]["opens"] | {"ended": "consentWithdrawn"}
    assert changed["decisions"]["clicks"] == first[0]["decisions"]["clicks"]
    assert_as_decided(json.dumps(changed["payload"]), ("consentGiven", "consentWithdrawn"), "email")
    org.record(who, "withdrawn")
    changed = compose()[0]
    assert changed["ended"] == changed["decisions"]["clicks"]["ended"] == "consentWithdrawn"
    assert not changed["tracked"] and not NAMES.search(json.dumps(changed["payload"]))
    assert len(org.decisions()) == 4


def test_a_report_names_its_denominators(org):
    people = [say(org, "given", "given"), say(org, "given", "refused"), say(org, None, "given"), say(org, None, None)]
    composed = org.compose(people, content(), format="email")
    for who in people[:2]:
        assert wire.follow(re.search(r'href="([^"]+)"', composed.payload(who)["html"])[1]).status == 302
    pixel = re.search(r'src="([^"]+)"', composed.payload(people[2])["html"])[1]
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    assert wire.follow(pixel, headers={"User-Agent": agent}).status == 200
    org.settle()
    report = org.expect(200, "GET", org.path(f"/messages/{composed.message}/report")).json()
    assert report["people"] == {
        "composed": 4, "tracked": 2, "untracked": {"noConsentRecord": 2},
        "opens": {"tracked": 2, "untracked": {"noConsentRecord": 1, "consentRefused": 1}},
        "clickers": report["people"]["clickers"], "openers": 1, "possibleOpeners": 0,
    }  # fmt: skip
    assert (report["composed"], report["tracked"]) == (8, 4), "decisions: two about each"
    rates = {name: (rate["n"], rate["purposes"]) for name, rate in report["rates"].items()}
    assert rates == {
        "coverage": (4, ["tracking"]), "opensCoverage": (4, [OPENS]), "clickers": (2, ["tracking"]),
        "openers": (2, [OPENS]), "openersAtMost": (2, [OPENS]),
    }  # fmt: skip
    assert report["rates"]["openers"]["value"] == 0.5
    assert {name: one["purposes"] for name, one in report["bounds"].items()} == {"clickers": ["tracking"], "openers": [OPENS]}
    org.compose(people[:1], message(purpose="news"))
    whole = org.expect(200, "GET", org.path("/report")).json()
    assert whole["rates"]["clickers"]["purposes"] == ["news", "tracking"]
    assert whole["rates"]["openers"]["purposes"] == ["news", OPENS, "tracking"]
    table = org.expect(200, "GET", org.path(f"/messages/{composed.message}/report"), headers={"Accept": "text/csv"}).text
    rows = {(row["section"], row["name"]): row for row in csv.DictReader(io.StringIO(table))}
    assert rows["rates", "openers"]["purposes"] == OPENS and rows["rates", "openers"]["n"] == "2"
    assert rows["peopleOfOpens", "tracked"]["value"] == "2" and rows["people", "tracked"]["purposes"] == ""


class TestEvidence:
    @pytest.fixture
    def audited(self, own_service, tmp_path):
        org = Operator(own_service).make()
        people = {states: say(org, *states) for states in CASES}
        composed = org.compose(people.values(), message(purposes=PURPOSES))
        org.compose(people.values(), message())
        org.erase(people["given", "refused"])
        folder = tmp_path / "auditor"
        folder.mkdir()
        return org, Auditor(org, folder), composed

    def test_an_export_with_both_holds_and_every_decision_is_recomputed(self, audited):
        org, auditor, _ = audited
        auditor.export("all.tar")
        found = auditor.holds("all.tar")
        assert found["entries"]["decisions"] == 3 * len(CASES)
        assert found["recomputation"]["exceptions"] == 0
        assert found["recomputation"]["closed"] == 3
        assert found["recomputation"]["recomputed"] == 3 * (len(CASES) - 1)

    def test_both_decisions_are_proved(self, audited):
        org, auditor, composed = audited
        for decision in org.decisions(message=composed.message):
            answer = org.expect(200, "GET", org.path(f"/decisions/{decision['id']}"))
            (auditor.folder / "decision.json").write_bytes(answer.content)
            assert auditor.holds("decision.json")
            document = answer.json()
            for activity in ("clicks", "opens", None):
                if activity != document["activity"]:
                    (auditor.folder / "lie.json").write_text(json.dumps(document | {"activity": activity}))
                    assert "activity" in auditor.fault("lie.json")
            shown = auditor.run("audit", "show", decision["id"], "--org", org.id)
            assert f", for {decision['activity']} alone" in shown.stdout, shown.stderr

    def test_lists_and_tables_name_the_activity(self, audited):
        org, _, composed = audited
        table = org.expect(200, "GET", org.path("/decisions"), headers={"Accept": "text/csv"}).text
        rows = list(csv.DictReader(io.StringIO(table)))
        assert [row["activity"] for row in rows] == ["clicks", "opens"] * len(CASES) + [""] * len(CASES)
        lines = org.expect(200, "GET", org.path("/decisions"), headers={"Accept": "application/x-ndjson"}).text
        assert [json.loads(line)["activity"] for line in lines.splitlines()] == [row["activity"] or None for row in rows]

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE decisions SET activity = 2 WHERE activity = 1",
            "UPDATE decisions SET activity = 0 WHERE activity <> 0",
            "UPDATE decisions SET activity = 3 - activity WHERE activity <> 0",
            "UPDATE decisions SET activity = 1 WHERE activity = 0",
            "UPDATE decisions SET activity = 7 WHERE activity = 2",
            "UPDATE messages SET opens_purpose = NULL",
            "UPDATE messages SET opens_purpose = purpose WHERE opens_purpose IS NULL",
            "UPDATE messages SET opens_purpose = purpose, purpose = opens_purpose WHERE opens_purpose IS NOT NULL",
        ],
    )
    def test_what_was_changed_in_the_database_is_found_at_the_start(self, audited, change):
        org, _, _ = audited
        service = org.service
        assert service.stop() == 0
        assert service.change(change) > 0
        service.start()
        ready = httpx.get(f"{service.api}/readyz")
        assert ready.status_code == 503 and org.id in ready.text, ready.text
        assert org.call("POST", org.path("/payloads"), {
            "message": message(), "format": "plain", "recipients": [person()]}).status_code == 503


UNPAIRED = "is about clicks or opens alone, and the decision about the other for the same recipient is not beside it"


def of_pairs():
    """A ledger, written by the rules: two agreed to one of the two each, one said nothing."""
    book = Book()
    book.enforce("restrictive")
    book.consent("ana@people.example", "given")
    book.consent("bo@people.example", "given", purpose=OPENS)
    book.consent("bo@people.example", "refused")
    for who in ("ana@people.example", "bo@people.example", "cy@people.example"):
        book.decide_apart(who, SALE)
    return book


def swap_last(book):
    book.entries[-1], book.entries[-2] = book.entries[-2], book.entries[-1]


def last(**members):
    def change(book):
        book.entries[-1].public |= members

    return change


def without(index):
    return lambda book: book.entries.pop(index)


FORGED_PAIRS = {
    "the opens left out": (without(-1), UNPAIRED),
    "the clicks left out": (without(-2), UNPAIRED),
    "opens left out in the middle": (without(-3), UNPAIRED),
    "clicks twice": (last(activity="clicks"), UNPAIRED),
    "opens before clicks": (swap_last, "has an id that does not come after|" + UNPAIRED),
    "another activity": (last(activity="views"), FORM),
    "no word": (last(activity=None), FORM),
    "one of a pair without its activity": (lambda book: book.entries[-1].public.pop("activity"), UNPAIRED),
    "of another person": (lambda book: book.entries[-1].private.update(recipient="di@people.example"), UNPAIRED),
    "of another message": (lambda book: book.entries[-1].private.update(message="33d0000000000002"), UNPAIRED),
    "a yes for the other purpose": (
        lambda book: (book.entries[5].public.update(reason="consentGiven", outcome="tracked"),
                      book.entries[5].private.update(consent=book.entries[1].public["id"])), EXCEPTION),
    "one decision about both in the place of a pair": (
        lambda book: book.decide("ana@people.example", SALE), EXCEPTION),
    "a pair for one purpose": (
        lambda book: book.decide_apart("ana@people.example", SALE, opens="tracking"), UNPAIRED + "|" + EXCEPTION),
    "a pair for one purpose, of a message of its own": (
        lambda book: book.decide_apart("ana@people.example", "33d0000000000009", opens="tracking"), UNPAIRED),
    "an activity of a consent record": (lambda book: book.entries[1].public.update(activity="clicks"), FORM),
    "an activity of an enforcement": (lambda book: book.entries[0].public.update(activity="clicks"), FORM),
}  # fmt: skip


class TestForgedPairs:
    def test_begin_with_a_ledger_that_holds(self, tmp_path):
        done = verify(tmp_path, of_pairs().archive().pack(), "--json")
        found = json.loads(done.stdout)
        assert found["holds"] is True, done.stdout
        assert (found["entries"]["decisions"], found["recomputation"]["recomputed"]) == (6, 6)

    @pytest.mark.parametrize("what", FORGED_PAIRS)
    def test_are_found_although_the_key_signed_them(self, tmp_path, what):
        forge, expected = FORGED_PAIRS[what]
        book = of_pairs()
        forge(book)
        assert_found(what, verify(tmp_path, book.archive().pack()), expected)

    @pytest.mark.parametrize("change", [("clicks", "opens"), ("opens", "clicks")])
    def test_an_activity_that_was_changed_in_an_export_is_found(self, tmp_path, change):
        archive = of_pairs().archive()
        old, new = (f'"activity":"{name}"'.encode() for name in change)
        place = next(i for i, line in enumerate(archive.lines) if old in line)
        archive.lines[place] = archive.lines[place].replace(old, new)
        assert_found(change, verify(tmp_path, archive.pack()), r"a field of it was changed")


class TestOpensOfOnePurpose:
    """A no to opens counts where it was said, also for a message that asks for links and opens together."""

    def open_and_click(self, org, who, **more):
        mail = org.compose(
            [who], message(html='<a href="https://shop.example/">s</a>', openTracking=True, **more), format="email")
        text = mail.payload_text(who)
        pixel, link = PIXEL.search(text).group(1), LINK.search(text).group()
        assert wire.ask(org.service.listen, "GET", pixel, {"User-Agent": BROWSER}).status == 200
        assert wire.ask(org.service.listen, "GET", link, {"User-Agent": BROWSER}).status == 302
        org.settle()
        return [seen["type"] for seen in org.interactions(message=mail.message)], mail.of(who)["payload"]["trackingId"]

    def test_a_no_to_opens_ends_opens_in_a_message_of_one_purpose(self, org):
        who = say(org, "given", "refused")
        assert self.open_and_click(org, who)[0] == ["PushLinkClicked"]
        times.next_millisecond()
        org.record(who, "given", purpose=OPENS)
        assert sorted(self.open_and_click(org, who)[0]) == ["MessageOpened", "PushLinkClicked"]

    def report_opened(self, org, who):
        composed = org.compose([who], format="dynamics365", platform="ios")
        body = {"TrackingId": composed.links(who)["trackingId"], "DeviceToken": "d", "PushNotificationStatus": "Opened"}
        path = f"/api/v1.0/orgs/{org.id}/pushdatareceiver/events"
        assert httpx.post(f"{org.service.public}{path}", json=body).status_code < 300
        org.settle()
        return [seen["type"] for seen in org.interactions(message=composed.message)]

    @pytest.mark.parametrize("enforcement", ["restrictive", "nonRestrictive"])
    def test_silence_about_opens_ends_none_of_a_message_of_one_purpose(self, own_service, enforcement):
        org = Operator(own_service).make(enforcement)
        silent, refused = say(org, "given", None), say(org, "given", "refused")
        ended = say(org, "given", None)
        org.record(ended, "refused", purpose=OPENS, occurredAt=times.from_now(seconds=-9))
        past = {"occurredAt": times.from_now(seconds=-5), "validUntil": times.from_now(seconds=-1)}
        org.record(ended, "given", purpose=OPENS, **past)
        # A message that asks apart notes who said nothing.
        org.compose([silent, refused, ended], message(purposes=PURPOSES))

        def recorded():
            found = {who: (sorted(self.open_and_click(org, who)[0]), self.report_opened(org, who))
                     for who in (silent, refused, ended)}
            opens = (["MessageOpened", "PushLinkClicked"], ["PushNotificationOpened"])
            assert found == {silent: opens, refused: (["PushLinkClicked"], []), ended: opens}

        recorded()
        own_service.restart()
        recorded()
        for other in ("nonRestrictive", "restrictive"):
            org.set(enforcement=other)
            recorded()

    @pytest.mark.embedded_storage_only  # the clock of a database server is not moved
    def test_opens_are_recorded_after_a_yes_to_them_has_ended(self, tmp_path):
        clock = MovingClock(tmp_path)
        service = Service(tmp_path, settings=clock.settings)
        service.start()
        try:
            org = Operator(service).make()
            who = say(org, "given", None)
            org.record(who, "given", purpose=OPENS, validUntil=times.from_now(seconds=40))
            assert sorted(self.open_and_click(org, who)[0]) == ["MessageOpened", "PushLinkClicked"]
            clock.set(70_000)
            assert sorted(self.open_and_click(org, who)[0]) == ["MessageOpened", "PushLinkClicked"]
        finally:
            service.stop()

    def test_a_no_on_a_page_about_both_is_about_opens_too(self, org, lenient_org):
        for where, said in ((org, "given"), (lenient_org, None)):
            who = say(where, "given", said)
            _, id = self.open_and_click(where, who)
            answer = wire.ask(where.service.listen, "POST", f"/p/{id}", {"Content-Length": "0"}, b"")
            assert answer.status == 200
            assert {(one["purpose"], one["state"]) for one in where.consent(who)["current"]} == {
                ("tracking", "withdrawn"), (OPENS, "withdrawn")}

    def test_a_no_on_a_page_ends_a_yes_to_opens_that_was_recorded_just_before(self, org):
        people = [person() for _ in range(80)]
        org.record_all([{"recipient": who, "purpose": "tracking", "state": "given"} for who in people])
        composed = org.compose(people)
        other = Organization(org.service, org.id, org.key)
        for number, who in enumerate(people):
            start = threading.Barrier(2)

            def agree():
                start.wait()
                time.sleep(number % 9 / 5000)
                other.record(who, "given", purpose=OPENS)

            yes = threading.Thread(target=agree)
            yes.start()
            start.wait()
            id = composed.links(who)["trackingId"]
            assert wire.ask(org.service.listen, "POST", f"/p/{id}", {"Content-Length": "0"}, b"").status == 200
            yes.join()
            history = sorted(org.consent(who)["history"], key=lambda record: record["id"])
            said = [(record["purpose"], record["state"]) for record in history]
            if (OPENS, "given") in said[: said.index(("tracking", "withdrawn"))]:
                assert (OPENS, "withdrawn") in said, said
