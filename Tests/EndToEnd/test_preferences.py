"""The address of the recipient's page in place of `{{consentlink.preferences}}`: their own, or the one for all."""

import html as html_entities
import json
import re

import pytest

from harness import tokens, wire
from harness.client import assert_misfit, message, person, unique
from harness.lines import exchange

PLACEHOLDER = "{{consentlink.preferences}}"
ENCODED = "%7B%7Bconsentlink.preferences%7D%7D"
HTML = (
    '<p><a href="https://shop.example/sale">Sale</a> <a href="{{unsubscribe}}">u</a></p>'
    f'<a href="{PLACEHOLDER}">Preferences</a> <a href="{ENCODED}">again</a> {{{{ consentlink.preferences }}}}</body>'
)
TEXT = f"Sale: https://shop.example/text\nPreferences: {PLACEHOLDER}\n"
CUSTOM = {"page": PLACEHOLDER, "note": f'"{PLACEHOLDER}"\n'}
PUSH = [
    {"format": format, "platform": platform}
    for format in ("dynamics365", "adobe-campaign", "bird") for platform in ("ios", "android")
]
RENDERINGS = [*PUSH, {"format": "email", "platform": None}, {"format": "plain", "platform": None}]


def content(**more):
    actions = [{"id": "buy", "title": "Buy", "link": "https://shop.example/buy"}]
    return message(title="Sale", html=HTML, text=TEXT, custom=CUSTOM, actions=actions, openTracking=True, **more)


def common(org):
    return f"{org.service.public}/preferences/{org.id}"


def own(org, tracking_id):
    return f"{org.service.public}/p/{tracking_id}"


def written(text, page):
    return text.replace(PLACEHOLDER, page).replace(ENCODED, page).replace("{{ consentlink.preferences }}", page)


def two_people(org):
    given, unseen = person("given"), person("unseen")
    org.record(given, "given")
    return given, unseen


def addresses(payload):
    """Every address in a payload, those in strings of JSON too."""
    if isinstance(payload, dict):
        return [found for value in payload.values() for found in addresses(value)]
    if isinstance(payload, list):
        return [found for value in payload for found in addresses(value)]
    if not isinstance(payload, str):
        return []
    try:
        inner = json.loads(payload)
    except ValueError:
        inner = None
    if isinstance(inner, (dict, list)):
        return addresses(inner)
    return re.findall(r"https?://[^\s\"'<>)]+", html_entities.unescape(payload))


def custom_values(payload):
    """The values of `custom`, wherever a format has them."""
    bird = payload.get("bird") or payload.get("data", {}).get("bird")
    if bird:
        return json.loads((json.loads(bird) if isinstance(bird, str) else bird)["payload"])
    return payload if "page" in payload else payload["data"]


class TestMail:
    def test_has_the_page_of_its_reader(self, org):
        given, unseen = two_people(org)
        composed = org.compose([given, unseen], content(), format="email")
        for who, page in ((given, own(org, composed.payload(given)["trackingId"])), (unseen, common(org))):
            payload = composed.payload(who)
            assert payload["preferencesUrl"] == page
            assert payload["html"].count(page) == 3 and payload["text"].count(page) == 1
            assert "consentlink.preferences" not in composed.payload_text(who)
        assert composed.payload(unseen) == {
            "html": written(HTML, common(org)), "text": written(TEXT, common(org)),
            "trackingId": tokens.ZERO_GUID, "preferencesUrl": common(org), "headers": {}}
        tracked = composed.payload(given)
        fields = tokens.fields(tracked["trackingId"])
        assert fields.link == 0 and f"/o/{tracked['trackingId']}.gif" in tracked["html"]
        assert tracked["html"].count("/r/") == 1, "the address itself is no link through the redirect"

    def test_names_its_reader_and_no_page_without_the_placeholder(self, org):
        given, unseen = two_people(org)
        composed = org.compose([given, unseen], message(html="<p>x</p>"), format="email")
        assert composed.payload(unseen) == {"html": "<p>x</p>", "trackingId": tokens.ZERO_GUID, "headers": {}}
        assert org.service.public not in composed.payload_text(given)
        page = wire.ask(org.service.listen, "GET", f"/p/{composed.payload(given)['trackingId']}")
        assert page.status == 200

    def test_lists_the_address_among_the_links_that_stay_as_they_are(self, org):
        made = org.expect(201, "POST", org.path("/messages"), content()).json()
        assert [link["url"] for link in made["links"]] == [
            "https://shop.example/offer?a=1&b=2", "https://shop.example/buy", "https://shop.example/sale",
            "https://shop.example/text"]
        skipped = {link["url"]: link["reason"] for link in made["skipped"]}
        assert skipped == {"{{unsubscribe}}": "placeholder", PLACEHOLDER: "placeholder", ENCODED: "placeholder"}


def name(rendering):
    return "-".join(filter(None, rendering.values()))


@pytest.mark.parametrize("suffix", ["?a=b", "#x", "/", "/?a=b", "%E2%80%9D", "”", "/。", "/%E2", "/%80/x?a=b"])
def test_the_page_is_found_whatever_may_stand_behind_its_address(org, suffix):
    given, unseen = two_people(org)
    composed = org.compose([given, unseen], content(), format="email")
    for who in (given, unseen):
        assert wire.follow(composed.payload(who)["preferencesUrl"], suffix=suffix).status == 200


@pytest.mark.parametrize("end", [".", "--"])
def test_behind_the_slash_that_a_name_gets_text_that_is_not_ascii_is_ignored(operator, end):
    org = operator.make(id=unique("org") + end)
    page = org.compose([person()], content(), format="email").payloads[0]["payload"]["preferencesUrl"]
    assert page == common(org) + "/"
    for suffix in ("", "%E3%80%8D", "」", "?a=b"):
        assert wire.follow(page, suffix=suffix).status == 200
    for suffix in ("x", ".%E3%80%8D", "x%E3%80%8D"):
        assert wire.follow(page, suffix=suffix).status == 404


@pytest.mark.parametrize("rendering", PUSH, ids=name)
def test_push_has_it_in_the_values_of_custom(org, rendering):
    given, unseen = two_people(org)
    composed = org.compose([given, unseen], content(), **rendering)
    assert custom_values(composed.payload(unseen))["page"] == common(org)
    values = custom_values(composed.payload(given))
    (token,) = re.fullmatch(rf"{re.escape(org.service.public)}/p/([\w-]{{54}})", values["page"]).groups()
    assert values["note"] == f'"{own(org, token)}"\n'
    assert tokens.fields(token).link == 0
    assert wire.ask(org.service.listen, "GET", f"/p/{token}").status == 200


@pytest.mark.parametrize("rendering", RENDERINGS, ids=name)
class TestPayloads:
    def test_of_the_untracked_are_the_same_bytes_and_have_one_address_of_the_service(self, org, rendering):
        given, unseen = two_people(org)
        refused = person("refused")
        org.record(refused, "refused")
        composed = org.compose([given, unseen, refused], content(), **rendering)
        text = composed.payload_text(unseen)
        assert composed.payload_text(refused) == text
        of_service = {url for url in addresses(composed.payload(unseen)) if url.startswith(org.service.public)}
        assert of_service == (set() if rendering["format"] == "plain" else {common(org)})
        assert re.search(r"[\w-]{54}|[0-9a-f]{80}", text.replace(tokens.ZERO_GUID, "")) is None
        off = org.compose([given], content(tracking=False), **rendering)
        assert off.payload_text(given) == text

    def test_of_a_preview_lead_nowhere(self, org, rendering):
        given, unseen = two_people(org)
        body = {"message": content(), "preview": True, "recipients": [given, unseen]} | {
            name: value for name, value in rendering.items() if value}
        entries = org.expect(200, "POST", org.path("/payloads"), body).json()["payloads"]
        composed = org.compose([given, unseen], body["message"], **rendering)
        assert entries[1]["payload"] == composed.payload(unseen)
        for url in addresses(entries[0]["payload"]):
            if "/p/" in url:
                assert wire.ask(org.service.listen, "GET", url.removeprefix(org.service.public)).status == 404


class TestRewriting:
    def test_gives_what_a_mail_for_all_gets(self, org):
        given, unseen = two_people(org)
        made = org.make_message(message(openTracking=True))["id"]
        for who, is_tracked in ((given, True), (unseen, False)):
            body = {"messageId": made, "recipient": who, "html": HTML, "text": TEXT}
            answer = org.expect(200, "POST", org.path("/rewrites"), body).json()
            page = own(org, answer["trackingId"]) if is_tracked else common(org)
            assert (answer["trackingId"] == tokens.ZERO_GUID) != is_tracked
            assert answer["preferencesUrl"] == page
            assert answer["html"].count(page) == 3 and answer["text"].count(page) == 1
            if not is_tracked:
                assert (answer["html"], answer["text"]) == (written(HTML, page), written(TEXT, page))
            assert [link["index"] for link in answer["links"] if "consentlink" in link["url"]] == [None, None]

    def test_by_lines_gives_the_same_also_in_a_body_for_all(self, org):
        given, unseen = two_people(org)
        made = org.make_message(message())["id"]
        order = {"messageId": made, "text": TEXT}
        lines = [{"recipient": given}, {"recipient": unseen}, {"recipient": unseen, "text": "x"}]
        lines += [{"recipient": given, "text": "{{consentlink.preference}}"}]
        first, second, plain, refused = exchange(org, "/rewrites", [json.dumps(it).encode() for it in (order, *lines)])
        assert first["text"].endswith(f"Preferences: {own(org, first['trackingId'])}\n")
        assert first["preferencesUrl"] == own(org, first["trackingId"])
        assert (second["text"], second["preferencesUrl"]) == (written(TEXT, common(org)), common(org))
        assert (plain["text"], plain["trackingId"]) == ("x", tokens.ZERO_GUID) and "preferencesUrl" not in plain
        assert [error["pointer"] for error in refused["error"]["errors"]] == ["/text"]


class TestRefusals:
    @pytest.mark.parametrize(
        ("members", "pointer"),
        [
            ({"title": PLACEHOLDER}, "/title"), ({"body": "{{consentlink.page}}"}, "/body"),
            ({"link": f"https://shop.example/?u={ENCODED}"}, "/link"), ({"link": PLACEHOLDER}, "/link"),
            ({"actions": [{"id": "a", "title": PLACEHOLDER}]}, "/actions/0/title"),
            ({"actions": [{"id": "a", "title": "A", "link": f"https://shop.example/{ENCODED}"}]}, "/actions/0/link"),
            ({"custom": {"k": "{{consentlink.preference}}"}}, "/custom/k"), ({"custom": {PLACEHOLDER: ""}}, f"/custom/{PLACEHOLDER}"),
            ({"html": "{{ConsentLink.preferences}}"}, "/html"), ({"html": "{{<b>consentlink.preferences</b>}}"}, "/html"),
            ({"html": f"<a href='https://{PLACEHOLDER}'>"}, "/html"),
            ({"html": f"<a href='https://editor.example/{PLACEHOLDER}'>"}, "/html"), ({"text": "{{{consentlink.preferences}}}"}, "/text"),
            ({"text": f"{PLACEHOLDER}[[x]]"}, "/text"), ({"text": f"{PLACEHOLDER}/x"}, "/text"),
            ({"html": f"<a href='{PLACEHOLDER}&amp;a=b'>"}, "/html"), ({"custom": {"k": f"{PLACEHOLDER}.html"}}, "/custom/k"),
        ])
    def test_a_placeholder_that_would_reach_its_reader_is_refused_where_it_stands(self, org, members, pointer):
        assert_misfit(org.call("POST", org.path("/messages"), message(**members)), pointer)
        request = {"message": message(**members), "format": "plain", "recipients": [person()]}
        assert_misfit(org.call("POST", org.path("/payloads"), request), "/message" + pointer)

    def test_also_in_a_rewritten_mail(self, org):
        made = org.make_message(message())["id"]
        body = {"messageId": made, "recipient": person(), "html": "{{consentlink.preference}}"}
        problem = assert_misfit(org.call("POST", org.path("/rewrites"), body), "/html")
        assert body["recipient"] not in json.dumps(problem)
        assert org.decisions(message=made) == []

    def test_other_placeholders_stay_as_they_are(self, org):
        given, unseen = two_people(org)
        mail = message(html="<p>{{name}} {% if consentlink %} %%unsubscribe%%</p>", title="{{name}}")
        composed = org.compose([given, unseen], mail, format="email")
        assert {composed.payload(who)["html"] for who in (given, unseen)} == {mail["html"]}

    @pytest.mark.parametrize("platform", ["ios", "android"])
    def test_a_carriers_limit_is_that_of_the_larger_address_whoever_reads(self, org, platform):
        unseen = person("unseen")
        count = 4096 // len(own(org, "x" * 54)) + 1
        body = {"message": message(custom={"k": f"{PLACEHOLDER} " * count}), "format": "bird", "platform": platform,
                "recipients": [unseen]}
        assert_misfit(org.call("POST", org.path("/payloads"), body), "/message")


def consents(org, people):
    return [org.consent(who) for who in people]


def test_a_scanner_that_follows_every_link_of_a_thousand_mails_changes_no_consent(org):
    """Formats mixed, tracked and untracked, by GET and by HEAD."""
    people = [person(f"reader{number}") for number in range(1000)]
    states = [{"recipient": who, "state": "given"} for who in people[::2]]
    states += [{"recipient": who, "state": "refused"} for who in people[1::4]]
    org.record_all(states)
    mail = content()
    followed = 0
    before = consents(org, people[::7])
    with wire.Connection(org.service.listen) as connection:
        for start, rendering in zip(range(0, 1000, 125), RENDERINGS):
            readers = people[start:start + 125]
            composed = org.compose(readers, mail, **rendering)
            for who in readers:
                found = {url for url in addresses(composed.payload(who)) if url.startswith(org.service.public)}
                for url in found:
                    for method in ("GET", "HEAD"):
                        path = url.removeprefix(org.service.public)
                        connection.send(wire.request(method, path, org.service.listen, {"User-Agent": "Scanner/1.0"}))
                        assert connection.receive(head=method == "HEAD").status in (200, 302), url
                        followed += 1
    assert followed > 2000
    assert consents(org, people[::7]) == before
    assert all(len(history["history"]) <= 1 for history in consents(org, people))


def test_the_page_counts_in_no_report(org):
    given, unseen = two_people(org)
    composed = org.compose([given, unseen], content(), format="email")

    def report():
        return org.expect(200, "GET", org.path(f"/messages/{composed.message}/report")).json()

    before = report()
    for who in (given, unseen):
        path = composed.payload(who)["preferencesUrl"].removeprefix(org.service.public)
        for method in ("GET", "HEAD"):
            assert wire.ask(org.service.listen, method, path).status == 200
    org.settle()
    assert report() == before
    assert PLACEHOLDER not in json.dumps(before) and "/preferences/" not in json.dumps(before)
