"""What people read: every page in every language, whole and well-formed, and nothing in it that a stranger sent."""

import re

import html5lib
import pytest

from harness import times, wire
from harness.client import person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.pages import CONSENT_PAGE, LANGUAGES, PURPOSES, ask, asked_apart, every_page, page_of


@pytest.fixture(scope="module")
def pages(operator):
    org = operator.make("restrictive")
    return org, every_page(org)


def parsed(answer):
    """The document; a browser would not have to mend anything in it."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False, strict=True)
    return parser.parse(answer.body.decode())


def words(document):
    return ["".join(each.itertext()).strip() for each in document.iter() if each.tag in ("h1", "h2", "p", "button")]


# Who is asked has two for each purpose, as long as their answer would count.
BUTTONS = {
    "on": 1, "silent": 1, "both on": 3, "partly on": 1, "asked": 2, "asked apart": 4, "asked about a notice elsewhere": 2,
    "said yes": 2, "said no": 2, "waits for a confirmation": 2, "to be confirmed": 2,
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_whole_in_every_language(pages, language):
    org, paths = pages
    for state, (path, status) in paths.items():
        answer = ask(org, path, headers={"Accept-Language": f"{language}-XX,zz;q=0.9"})
        assert answer.status == status, state
        assert answer.header("Content-Language") == language
        assert "Accept-Language" in answer.header("Vary")
        assert answer.header("Content-Type") == "text/html; charset=utf-8"
        assert answer.header("Cache-Control") == "no-store"
        assert answer.header("X-Frame-Options") == "DENY"
        document = parsed(answer)
        assert document.attrib["lang"] == language
        (heading,) = document.iter("h1")
        (title,) = document.iter("title")
        assert heading.text and heading.text == title.text
        assert len([*document.iter("main")]) == len([*document.iter("nav")]) == 1
        assert all(words(document)), state
        assert {link.attrib["hreflang"] for link in document.find("body/nav").iter("a")} == set(LANGUAGES)
        assert len([*document.iter("button")]) == BUTTONS.get(state, 0), state


def test_no_page_says_in_one_language_what_it_says_in_another(pages):
    org, paths = pages
    org.set(consentUrl="")
    # The notice is the sender's, in the sender's language.
    shared = {"Links", "Messages", "May we see which links you open?"}
    for state, (path, _) in paths.items():
        seen = {}
        for language in LANGUAGES:
            for text in words(parsed(ask(org, path + f"?lang={language}"))):
                if text not in shared:
                    assert seen.setdefault(text, language) == language, (state, text)


@pytest.mark.parametrize(
    "wanted, language",
    [
        (None, "en"), ("", "en"), ("*", "en"), ("zh-CN,ja;q=0.9", "en"), ("de-AT", "de"), ("DE", "de"), ("de;q=0", "en"),
        ("en;q=0.1, fr;q=0.2", "fr"), ("it;q=0.5,es;q=0.5", "it"), ("nb-NO,nb;q=0.9,sv;q=0.5,en;q=0.1", "sv"),
        ("fr;q=2,pl;q=0.1", "pl"), ("x" * 7000, "en"), ("de-" * 2000, "en"), ("," * 511 + "de", "en"), ("fr," + "," * 7000, "fr"),
        ("<script>alert(1)</script>", "en"), ("de\tAT", "en"), ("../../etc/passwd", "en"), ("de;q=0.5;q=1, fi;q=0.1", "fi"),
    ],
)  # fmt: skip
def test_the_language_is_what_the_browser_wants_most(pages, wanted, language):
    org, paths = pages
    headers = {} if wanted is None else {"Accept-Language": wanted}
    for state in ("on", "no link", "no page", "preferences", "link switched off"):
        answer = ask(org, paths[state][0], headers=headers)
        assert answer.header("Content-Language") == language
        assert b"script" not in answer.body and b"etc" not in answer.body


def test_a_reader_can_switch_without_losing_the_page(pages):
    org, paths = pages
    for state, (path, status) in paths.items():
        document = parsed(ask(org, path + "?utm_source=mail&lang=fi"))
        links = {link.attrib["hreflang"]: link.attrib["href"] for link in document.find("body/nav").iter("a")}
        for language, href in links.items():
            assert href == f"?lang={language}", "a query alone: the path stays what it is"
        answer = ask(org, path + links["pt"], headers={"Accept-Language": "de"})
        assert (answer.status, answer.header("Content-Language")) == (status, "pt"), state


@pytest.mark.parametrize("query", ["lang=xx", "lang=", "lang=%22%3E%3Cscript%3E", "lang=de%00", "x=<script>&lang=en-Latn-GB"])
def test_nothing_of_the_query_stands_in_a_page(pages, query):
    org, paths = pages
    for path, status in paths.values():
        answer, plain = ask(org, f"{path}?{query}"), ask(org, path)
        assert (answer.status, answer.body) == (status, plain.body)


def test_programs_get_problems_in_english(pages):
    org, paths = pages
    for state in ("no link", "no page", "no token", "no path", "no preferences", "link switched off"):
        answer = wire.ask(org.service.listen, "GET", paths[state][0], {"Accept": "*/*", "Accept-Language": "de"})
        assert answer.header("Content-Type") == "application/problem+json"
        assert answer.all("Content-Language") == []


def test_a_link_that_leads_on_is_the_same_in_every_language(org):
    link = org.tracked_link()
    path = "/r/" + link.url.rsplit("/", 1)[1]
    answers = [ask(org, path, headers={"Accept-Language": each}).undated for each in LANGUAGES]
    assert len(set(answers)) == 1 and b" 302 " in answers[0]
    assert b"Language" not in answers[0]


class TestEvidence:
    def history(self, org, who):
        return [(each["purpose"], each["state"], each["evidence"]) for each in org.consent(who)["history"]][-1]

    def test_says_in_which_language_the_person_was_asked(self, org):
        for language in LANGUAGES:
            link = org.tracked_link()
            document = parsed(ask(org, page_of(link.url), headers={"Accept-Language": language}))
            (form,) = document.iter("form")
            answer = ask(org, page_of(link.url) + form.attrib["action"], "POST", {"Accept-Language": "zz"})
            assert answer.header("Content-Language") == language
            evidence = {"method": "withdrawal-page", "actor": "subject", "language": language}
            assert self.history(org, link.recipient) == ("tracking", "withdrawn", evidence)

    def test_has_no_language_where_no_page_was_shown(self, org):
        link = org.tracked_link()
        ask(org, page_of(link.url), "POST", {"Accept-Language": "de"}, b"List-Unsubscribe=One-Click")
        evidence = {"method": "withdrawal-page", "actor": "subject"}
        assert self.history(org, link.recipient) == ("tracking", "withdrawn", evidence)


class TestParts:
    FORM = {"Content-Type": "application/x-www-form-urlencoded"}

    def states(self, org, who):
        return {each["purpose"]: each["state"] for each in org.consent(who)["current"]}

    def press(self, org, path, body):
        answer = ask(org, path, "POST", self.FORM, body)
        assert answer.status == 200
        return answer.body.decode()

    @pytest.mark.parametrize("part, other", [("clicks", "opens"), ("opens", "clicks")])
    def test_one_is_withdrawn_and_the_other_stays(self, org, part, other):
        who = person()
        path = asked_apart(org, who)
        page = self.press(org, path, f"{part}=off".encode())
        assert "Message tracking is partly on" in page
        assert f'name="{other}"' in page and f'name="{part}"' not in page
        assert self.states(org, who) == {PURPOSES[part]: "withdrawn", PURPOSES[other]: "given"}
        assert "Message tracking is off" in self.press(org, path, f"{other}=off".encode())
        assert set(self.states(org, who).values()) == {"withdrawn"}

    BODIES = {
        "nothing": b"", "one click": b"List-Unsubscribe=One-Click", "both": b"clicks=off&opens=off",
        "one click and a part": b"List-Unsubscribe=One-Click&clicks=off", "nonsense": b"\xff\x00{", "too long": b"clicks&" * 10000,
        "a megabyte": b"clicks=" + b"x" * (1 << 20),
    }  # fmt: skip

    @pytest.mark.parametrize("kind", BODIES)
    def test_whatever_names_no_part_withdraws_all(self, org, kind):
        who = person()
        path = asked_apart(org, who)
        with wire.Connection(org.service.listen) as connection:
            head = self.FORM | {"Accept": "text/html", "Content-Length": len(self.BODIES[kind])}
            connection.send(wire.request("POST", path, org.service.listen, head, self.BODIES[kind]))
            assert connection.receive().status == 200
        assert set(self.states(org, who).values()) == {"withdrawn"}
        records = [each["recordedAt"] for each in org.consent(who)["history"] if each["state"] == "withdrawn"]
        assert len(records) == 2 and len(set(records)) == 1, "at one instant"


class TestPreferences:
    def test_are_the_same_for_everybody_and_record_nothing(self, org):
        link = org.tracked_link()
        before = scrape(org.service).value("consentlink_clicks_spooled_total")
        answers = [ask(org, f"/preferences/{org.id}").undated for _ in range(10)]
        assert len(set(answers)) == 1
        assert ask(org, f"/preferences/{org.id}", "HEAD").body == b""
        assert scrape(org.service).value("consentlink_clicks_spooled_total") == before
        assert [each["state"] for each in org.consent(link.recipient)["history"]] == ["given"]

    def test_lead_to_the_page_that_the_organization_names(self, org):
        path = f"/preferences/{org.id}"

        def target():
            links = [link.attrib["href"] for link in parsed(ask(org, path)).find("body/main").iter("a")]
            return links[0] if links else None

        assert target() is None
        assert org.set(consentUrl=CONSENT_PAGE)["consentUrl"] == CONSENT_PAGE
        eventually(lambda: target() == CONSENT_PAGE)
        assert org.set(consentUrl=None)["consentUrl"] == CONSENT_PAGE, "null says nothing"
        assert org.set(consentUrl="")["consentUrl"] is None
        eventually(lambda: target() is None)

    def test_name_the_sender_and_no_markup_of_theirs(self, org):
        org.set(name="<b>\"Acme\" & 'Söhne'\u202e")
        escaped = "<bdi><strong>&lt;b&gt;&quot;Acme&quot; &amp; &#39;Söhne&#39;</strong></bdi>"

        def page():
            answer = ask(org, f"/preferences/{org.id}")
            return answer if escaped in answer.body.decode() else None

        answer = eventually(page)
        assert b"<b>" not in answer.body and parsed(answer).find("body/main") is not None

    @pytest.mark.parametrize("name", ["nobody", "a" * 64, "a" * 65, "%2e%2e", "a%20b", "-", "<b>", "%00"])
    def test_of_nobody_are_not_found(self, org, name):
        answer = ask(org, f"/preferences/{name}")
        assert answer.status == 404
        assert name.encode() not in answer.body or len(name) < 3

    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    def test_have_no_other_methods(self, org, method):
        answer = ask(org, f"/preferences/{org.id}", method)
        assert (answer.status, answer.header("Allow")) == (405, "GET, HEAD")

    @pytest.mark.parametrize("suffix", ["/", "?utm_source=mail", "/?x=%2F", "?"])
    def test_bear_what_a_gateway_adds(self, org, suffix):
        assert ask(org, f"/preferences/{org.id}{suffix}").status == 200


def test_no_sentence_of_the_person_or_message_stands_in_a_page(pages):
    org, paths = pages
    for path, _ in paths.values():
        page = ask(org, path).body.decode()
        page = re.sub(r"(?s)<style>.*</style>", "", page)
        assert not re.search(r"@|people\.example|shop\.example", page)


def test_what_ends_by_itself_can_be_ended_for_good(org):
    who = person()
    org.record(who, "given", validUntil=times.from_now(seconds=1))
    path = page_of(org.compose([who]).link(who))
    page = eventually(lambda: (found := ask(org, path).body.decode()) and "Keep tracking off" in found and found)
    assert "You have not said yet" in page
    ask(org, path, "POST")
    assert "Keep tracking off" not in ask(org, path).body.decode()
