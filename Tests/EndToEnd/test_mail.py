"""Mail: its links lead through the redirect for those who consented, and it is what came in for everybody else."""

import re

import pytest

from harness import tokens, wire
from harness.client import assert_misfit, message, person

HTML = (
    '\ufeff<!DOCTYPE html>\r\n<html><body>\r\n<p>Spring – “now” & here</p>\r\n'
    '<a href="https://shop.example/sale?a=1&amp;b=%2F#top" data-consentlink-label="Hero">Sale</a>\r\n'
    "<A HREF=https://shop.example/bare>b</A> <a href='https://shop.example/quiet' clicktracking=off>q</a>\r\n"
    '<!--[if mso]><v:roundrect href="https://shop.example/vml?x=1&#38;y=2"></v:roundrect><![endif]-->\r\n'
    '<a href="mailto:shop@shop.example">m</a> <a href="{{unsubscribe}}">u</a> https://shop.example/visible\r\n'
    "</body></html>\r\n"
)
TARGETS = ["https://shop.example/sale?a=1&b=%2F#top", "https://shop.example/bare", "https://shop.example/vml?x=1&y=2"]
TEXT = "See https://shop.example/text. (Or https+notrack://shop.example/quiet) 見てhttps://shop.example/cjk見て\n"
PLAIN = TEXT.replace("+notrack", "")


def mail(**more):
    return message(link=None, html=HTML, text=TEXT, **more)


def two_people(org):
    given, unseen = person("given"), person("unseen")
    org.record(given, "given")
    return given, unseen


def pixel(html):
    (path,) = re.findall(r'<img src="[^"]*(/o/[\w-]{54}\.gif)" width="1" height="1" alt="">', html)
    return path


def ask(org, path, method="GET", headers=()):
    return wire.ask(org.service.listen, method, path, headers)


class TestComposing:
    def test_an_untracked_mail_is_what_came_in(self, org):
        given, unseen = two_people(org)
        payload = org.compose([given, unseen], mail(openTracking=True), format="email").payload(unseen)
        assert payload == {"html": HTML, "text": PLAIN, "trackingId": tokens.ZERO_GUID, "headers": {}}

    def test_every_link_of_a_tracked_mail_arrives_at_its_target_and_is_told_apart(self, org):
        given, _ = two_people(org)
        composed = org.compose([given], mail(openTracking=True), format="email")
        payload = composed.payload(given)
        public = re.escape(org.service.public)
        links = re.findall(rf"{public}/r/[\w-]{{54}}", payload["html"] + payload["text"])
        arrived = [wire.follow(link).header("Location") for link in links]
        assert arrived == [*TARGETS, "https://shop.example/text", "https://shop.example/cjk"]
        assert [tokens.fields(link.rpartition("/")[2]).link for link in links] == [1, 2, 3, 4, 5]
        org.settle()
        clicks = org.interactions(message=composed.message, type="PushLinkClicked")
        assert [(click["link"]["index"], click["link"]["label"]) for click in clicks] == [
            (1, "Hero"), (2, None), (3, None), (4, None), (5, None)]

    def test_nothing_but_links_and_the_pixel_differs(self, org):
        given, _ = two_people(org)
        payload = org.compose([given], mail(openTracking=True), format="email").payload(given)
        html = re.sub(r"<img [^>]*>", "", payload["html"])
        parts = re.split(rf"{re.escape(org.service.public)}/r/[\w-]{{54}}", html)
        written = ["https://shop.example/sale?a=1&amp;b=%2F#top", TARGETS[1], "https://shop.example/vml?x=1&#38;y=2"]
        assert "".join(a + b for a, b in zip(parts, [*written, ""])) == HTML

    def test_what_another_system_fills_in_is_never_glued_to_a_tracking_id(self, org):
        given, _ = two_people(org)
        text = " ".join(
            f"https://shop.example/a{field}"
            for field in ("<<f>>", "<first name>", "‹f›", "«F»", "{{f}}", "[[f]]", "%%f%%", "*|F|*", "${f}", "/$F$", "$NAME$", "<%= f %>",
                          "#{f}", "@{f}", "–{{f}}"))
        payload = org.compose([given], message(link=None, text=text + " https://shop.example/b"), format="email").payload(given)
        assert payload["text"].startswith(text + f" {org.service.public}/r/")

    def test_dollar_signs_around_a_name_that_is_the_target_s_own_do_not_keep_a_link_raw(self, org):
        given, _ = two_people(org)
        targets = ["shoe?$product_large$", "shoe?$lg$&fmt=jpg", "Map$Map1$.html", "Outer$Inner$Builder.html", "$web$/index.html", "a$b$c", "a$B$c"]
        text = " ".join(f"https://shop.example/{target}" for target in targets)
        payload = org.compose([given], message(link=None, text=text), format="email").payload(given)
        arrived = [wire.follow(link).header("Location") for link in payload["text"].split()]
        assert arrived == text.split()

    def test_a_mail_that_ends_in_a_comment_has_its_picture_before_it(self, org):
        given, _ = two_people(org)
        content = message(link=None, html="<p>x</p><!-- y </body>", openTracking=True)
        html = org.compose([given], content, format="email").payload(given)["html"]
        assert re.sub(r"<img [^>]*>", "|", html) == "<p>x</p>|<!-- y </body>"

    def test_a_message_lists_its_links_and_stays_the_same_message(self, org):
        content = mail()
        made = org.expect(201, "POST", org.path("/messages"), content).json()
        assert [(link["index"], link["where"], link["url"], link["label"]) for link in made["links"]] == [
            (1, "html", TARGETS[0], "Hero"), (2, "html", TARGETS[1], None), (3, "html", TARGETS[2], None),
            (4, "text", "https://shop.example/text", None), (5, "text", "https://shop.example/cjk", None)]
        assert org.expect(200, "POST", org.path("/messages"), content).json()["id"] == made["id"]
        given, _ = two_people(org)
        assert org.compose([given], message_id=made["id"], format="email").of(given)["tracked"]

    def test_other_formats_say_that_they_do_not_carry_it(self, org):
        given, _ = two_people(org)
        composed = org.compose([given], mail(openTracking=True), format="dynamics365", platform="ios")
        assert composed.body["unsupportedMembers"] == ["html", "text", "openTracking"]

    def test_links_work_after_a_restart(self, own_service, own_org):
        given, _ = two_people(own_org)
        html = own_org.compose([given], mail(), format="email").payload(given)["html"]
        (link, *_) = re.findall(r"http://[^\"> ]+/r/[\w-]{54}", html)
        own_service.restart()
        assert wire.follow(link).header("Location") == TARGETS[0]

    @pytest.mark.parametrize(
        ("html", "detail"),
        [("<div>" * 100_000, "nested"), ("".join(f"<a href=https://a.example/{n}>" + "x</a>" for n in range(65_536)), "65535")],
        ids=["nested 100,000 deep", "65,536 links"],
    )
    def test_a_mail_that_would_keep_a_parser_busy_is_refused(self, org, html, detail):
        answer = org.call("POST", org.path("/messages"), message(html=html))
        assert_misfit(answer, "/html")
        assert detail in answer.text

    def test_a_thousand_links_are_a_thousand_targets(self, org):
        html = "".join(f'<a href="https://shop.example/{n}">x</a>' for n in range(1000))
        given, _ = two_people(org)
        payload = org.compose([given], message(html=html), format="email").payload(given)
        links = re.findall(r'href="([^"]+)"', payload["html"])
        assert [wire.follow(link).header("Location") for link in links[::111]] == [
            f"https://shop.example/{n}" for n in range(0, 1000, 111)]


class TestOpening:
    @pytest.fixture
    def opened(self, org):
        """A composed mail, its recipient, and where its pixel is."""
        given, _ = two_people(org)
        composed = org.compose([given], mail(openTracking=True), format="email")
        return composed.message, given, pixel(composed.payload(given)["html"])

    def opens(self, org, message):
        org.settle()
        return org.interactions(message=message, type="MessageOpened")

    def test_fetching_the_picture_is_an_opening(self, org, opened):
        message, given, path = opened
        answer = ask(org, path, headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Thunderbird/115.0"})
        assert answer.status == 200
        assert answer.header("Content-Type") == "image/gif"
        assert answer.header("Cache-Control") == "no-store"
        assert answer.header("X-Content-Type-Options") == "nosniff"
        assert len(answer.body) == 43 and answer.body.startswith(b"GIF89a")
        (found,) = self.opens(org, message)
        assert (found["recipient"], found["link"], found["automated"]) == (given, None, False)
        assert (found["visitor"], found["visitorReason"]) == ("person", "browserAgent")

    def test_says_whether_a_person_or_a_program_fetched_it(self, org, opened):
        message, _, path = opened
        agents = {
            "Mozilla/5.0": ("machine", "appleMailPrivacy"),
            "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)": (
                "cannotTell", "gmailImageProxy"),
            "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html": ("cannotTell", "yahooMailProxy"),
            "Mozilla/4.0 (compatible; ms-office; MSOffice 16)": ("person", "browserAgent"),
            "Barracuda Sentinel (EE)": ("machine", "scannerAgent"),
            "": ("machine", "noUserAgent"),
        }
        for agent in agents:
            assert ask(org, path, headers={"User-Agent": agent}).status == 200
        found = self.opens(org, message)
        assert [(seen["visitor"], seen["visitorReason"]) for seen in found] == list(agents.values())
        assert [seen["automated"] for seen in found] == [kind == "machine" for kind, _ in agents.values()]
        for kind in ("person", "machine", "cannotTell"):
            assert org.interactions(message=message, visitor=kind) == [seen for seen in found if seen["visitor"] == kind]
        report = org.expect(200, "GET", org.path(f"/messages/{message}/report")).json()
        assert report["interactions"]["MessageOpened"] == {"total": 6, "unique": 1, "automated": 3, "suspected": 0}

    @pytest.mark.parametrize(
        "headers", [{"Purpose": "prefetch"}, {"Sec-Purpose": "prefetch;prerender"}, {"X-Moz": "prefetch"},
                    {"X-Purpose": "preview"}, {"Sec-GPC": "1"}])
    def test_what_is_fetched_ahead_or_objected_to_is_no_opening(self, org, opened, headers):
        message, _, path = opened
        assert ask(org, path, headers=headers).status == 200
        assert ask(org, path, method="HEAD").status == 200
        assert self.opens(org, message) == []

    def test_it_has_the_same_bytes_whatever_else_the_request_says(self, org, opened):
        """A plain request is answered before the decoder, and any other by the route."""
        message, _, path = opened
        with wire.Connection(org.service.listen) as reader:
            answers = []
            for fields in ("", "TE: trailers\r\n", "Purpose: prefetch\r\n", "TE: trailers\r\nPurpose: prefetch\r\n", ""):
                reader.send(f"GET {path} HTTP/1.1\r\nHost: x\r\n{fields}\r\n".encode())
                answers.append(reader.receive())
        assert {answer.status for answer in answers} == {200} and len({answer.undated for answer in answers}) == 1
        assert len(self.opens(org, message)) == 3

    def test_after_a_withdrawal_the_picture_comes_and_nothing_is_recorded(self, org, opened):
        message, given, path = opened
        org.record(given, "withdrawn")
        assert len(ask(org, path).body) == 43
        assert self.opens(org, message) == []

    def test_a_forged_one_is_not_found_and_a_link_is_no_picture(self, org, opened):
        message, given, path = opened
        for forged in (path[:-6] + ("A" if path[-6] != "A" else "B") + path[-5:], path[:-4], "/o/x.gif", "/o/.gif"):
            assert ask(org, forged).status == 404
        link = org.compose([given], mail(), format="email").payload(given)["html"]
        (token, *_) = re.findall(r"/r/([\w-]{54})", link)
        assert ask(org, f"/o/{token}.gif").status == 404
        assert ask(org, path, method="POST").status == 405
        assert self.opens(org, message) == []

    def test_a_message_that_did_not_ask_is_not_told(self, org):
        given, _ = two_people(org)
        composed = org.compose([given], mail())
        token = composed.payload(given)["trackingId"]
        assert len(ask(org, f"/o/{token}.gif").body) == 43
        assert self.opens(org, composed.message) == []

    def test_a_disabled_message_has_none(self, org, opened):
        message, _, path = opened
        org.expect(200, "POST", org.path(f"/messages/{message}/disable"))
        assert ask(org, path).status == 410
        assert self.opens(org, message) == []
