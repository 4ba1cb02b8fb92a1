"""The redirect: where a link leads, what is recorded, and every line of the contract's table."""

import time

import pytest

from harness import times, tokens, wire
from harness.client import message, person
from harness.eventually import eventually

BROWSER = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}

TRICKY_TARGETS = {
    "an ampersand": "https://shop.example/?a=1&b=2&amp;c=3",
    "a plus": "https://shop.example/a+b?q=c+d",
    "an encoded slash": "https://shop.example/a%2Fb%2fc?next=%2Fd",
    "an encoded space": "https://shop.example/a%20b?q=%20",
    "a fragment": "https://shop.example/page?x=1#section-2",
    "non-ASCII, percent-encoded": "https://shop.example/caf%C3%A9/%E2%98%83?q=%F0%9F%98%80",
    "an encoded line break": "https://shop.example/?q=%0D%0ASet-Cookie:%20a=b",
    "dots that a normaliser would fold": "https://shop.example/a/../b/./c//d?x=/../",
    "an upper-case host and a default port": "HTTPS://SHOP.example:443/A?B=c",
    "no path": "https://shop.example",
    "an empty query and fragment": "https://shop.example/?#",
    "a URL inside": "https://shop.example/?u=https://other.example/?v=1%26w=2",
    "sub-delimiters": "https://shop.example/a;b=(c)!$'*,d:@e?f[g]=h".replace("[", "%5B").replace("]", "%5D"),
    "2,048 bytes": "https://shop.example/".ljust(2_048, "x"),
    "an IPv6 host": "http://[2001:db8::1]:8443/a",
}


def assert_redirects(answer, target):
    """A 302 exactly as the contract has it."""
    assert answer.status == 302, answer.raw
    assert f"\r\nlocation: {target}\r\n".encode() in answer.raw.replace(b"\r\nLocation: ", b"\r\nlocation: ")
    assert answer.header("Location") == target
    assert answer.header("Cache-Control") == "no-store"
    assert answer.header("Referrer-Policy") == "no-referrer"
    assert answer.header("X-Robots-Tag") == "noindex, nofollow"
    assert answer.header("Content-Length") == "0"
    assert answer.header("Date")
    assert answer.all("Set-Cookie") == []
    assert answer.body == b""


def assert_not_a_redirect(answer, status):
    assert answer.status == status, answer.raw
    assert answer.all("Location") == []
    assert answer.all("Set-Cookie") == []


class TestTarget:
    @pytest.mark.parametrize("kind", TRICKY_TARGETS)
    def test_is_reached_byte_for_byte(self, org, kind):
        target = TRICKY_TARGETS[kind]
        link = org.tracked_link(content=message(link=target))
        assert_redirects(wire.follow(link.url), target)

    def test_never_comes_from_the_request(self, org):
        link = org.tracked_link(content=message(link="https://shop.example/mine"))
        suffix = "?url=https://evil.example/&link=https://evil.example/&target=//evil.example"
        answer = wire.follow(
            link.url, headers={"X-Forwarded-Host": "evil.example", "Referer": "https://evil.example/"}, suffix=suffix
        )
        assert_redirects(answer, "https://shop.example/mine")


class TestClick:
    def test_shows_as_one_interaction_within_a_second(self, org, record_property):
        target = TRICKY_TARGETS["an ampersand"]
        link = org.tracked_link(content=message(link=target))
        before = times.now()
        assert_redirects(wire.follow(link.url, headers=BROWSER), target)
        answered = time.monotonic()
        (click,) = eventually(lambda: org.interactions(message=link.message))
        record_property("seconds_until_visible", round(time.monotonic() - answered, 3))

        assert click["type"] == "PushLinkClicked"
        assert click["recipient"] == link.recipient
        assert click["message"] == link.message
        assert click["link"] == {"index": 1, "url": target, "label": None}
        assert click["source"] == "redirect"
        assert click["automated"] is False
        assert click["action"] is None
        # The click's time is the service's, in whole milliseconds.
        occurred, recorded = times.parse(click["occurredAt"]), times.parse(click["recordedAt"])
        assert before.timestamp() - 0.001 <= occurred.timestamp() <= recorded.timestamp() <= times.now().timestamp()
        org.settle()
        assert org.interactions(message=link.message) == [click]

    def test_is_recorded_every_time(self, org):
        link = org.tracked_link()
        for _ in range(3):
            assert wire.follow(link.url).status == 302
        clicks = org.clicks(link)
        assert len(clicks) == 3 and len({click["id"] for click in clicks}) == 3

    def test_is_told_apart_by_recipient(self, org):
        ana, bo = person("ana"), person("bo")
        org.record_all([{"recipient": who, "state": "given"} for who in (ana, bo)])
        composed = org.compose([ana, bo])
        assert wire.follow(composed.link(ana)).status == 302
        org.settle()
        assert [click["recipient"] for click in org.interactions(message=composed.message)] == [ana]
        assert len(org.query_interactions(recipient=ana)) == 1
        assert org.query_interactions(recipient=bo) == []

    def test_is_marked_when_a_machine_made_it(self, org):
        link = org.tracked_link()
        for agent in (
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "facebookexternalhit/1.1",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        ):
            assert wire.follow(link.url, headers={"User-Agent": agent}).status == 302
        assert wire.follow(link.url, headers=BROWSER).status == 302
        assert [click["automated"] for click in org.clicks(link)] == [True, True, True, False]
        assert [(click["visitor"], click["visitorReason"]) for click in org.clicks(link)] == [
            ("machine", "crawlerAgent"), ("machine", "previewerAgent"), ("machine", "previewerAgent"),
            ("person", "browserAgent"),
        ]

    def test_tells_no_more_of_a_bare_agent_than_can_be_known(self, org):
        """Apple Mail fetches pictures with it. A click with it comes from a browser that hides, or from a program."""
        link = org.tracked_link()
        for agent in ("Mozilla/5.0", "Mozilla/5.0 (via ggpht.com GoogleImageProxy)"):
            assert wire.follow(link.url, headers={"User-Agent": agent}).status == 302
        assert [(click["visitor"], click["visitorReason"], click["automated"]) for click in org.clicks(link)] == [
            ("cannotTell", "bareAgent", False), ("machine", "scannerAgent", True)]

    def test_counts_in_the_messages_report(self, org):
        ana, bo, cy = person("ana"), person("bo"), person("cy")
        org.record_all([{"recipient": who, "state": "given"} for who in (ana, bo, cy)])
        composed = org.compose([ana, bo, cy], message(link="https://shop.example/r"))
        for who in (ana, ana, bo):
            assert wire.follow(composed.link(who), headers=BROWSER).status == 302
        org.settle()
        report = org.expect(200, "GET", org.path(f"/messages/{composed.message}/report")).json()
        clicks = report["interactions"]["PushLinkClicked"]
        assert (clicks["total"], clicks["unique"], clicks["automated"], clicks["suspected"]) == (3, 2, 0, 0)
        (link,) = report["links"]
        assert (link["index"], link["url"], link["clicks"], link["unique"]) == (1, "https://shop.example/r", 3, 2)

    def test_is_read_once_by_a_reader_that_keeps_its_cursor(self, org):
        first = org.tracked_link()
        assert wire.follow(first.url).status == 302
        org.settle()
        page = org.expect(200, "GET", org.path("/interactions")).json()
        empty = org.expect(200, "GET", org.path(f"/interactions?after={page['cursor']}")).json()
        assert empty["interactions"] == [] and empty["next"] is None
        second = org.tracked_link()
        assert wire.follow(second.url).status == 302
        later = eventually(
            lambda: org.expect(200, "GET", org.path(f"/interactions?after={empty['cursor']}")).json()["interactions"]
        )
        assert [click["message"] for click in later] == [second.message]

    def test_is_found_by_message_type_and_time(self, org):
        first, second = org.tracked_link(), org.tracked_link()
        for link in (first, second):
            assert wire.follow(link.url).status == 302
            time.sleep(0.02)
        org.settle()
        (one,), (two,) = org.interactions(message=first.message), org.interactions(message=second.message)
        assert org.interactions(message=first.message, type="PushLinkClicked") == [one]
        assert org.interactions(message=first.message, type="MessageOpened") == []
        moments = one["occurredAt"], two["occurredAt"]
        for ask in (org.interactions, org.query_interactions):
            assert ask(**{"from": moments[0], "to": moments[1]}) == [one]
            assert two in ask(**{"from": moments[1]})


class TestRecordedOrNot:
    """The answers for people whose click is recorded and for those whose is not are the same bytes but for the date."""

    def twins(self, org, content=None):
        """Two links of one message: the first one's reader has consent in force, the second's has withdrawn it."""
        ana, bo = person("ana"), person("bo")
        org.record_all([{"recipient": who, "state": "given"} for who in (ana, bo)])
        composed = org.compose([ana, bo], content or message(link=TRICKY_TARGETS["a fragment"]))
        org.record(bo, "withdrawn")
        return [(who, composed.message, composed.link(who)) for who in (ana, bo)]

    @pytest.mark.parametrize("headers", [{}, BROWSER, {"Connection": "close"}], ids=["bare", "browser", "closing"])
    def test_the_bytes_do_not_tell(self, org, headers):
        (ana, sent, recorded), (_, _, unrecorded) = self.twins(org)
        answers = [wire.follow(link, headers=headers) for link in (recorded, unrecorded)]
        assert answers[0].status == 302
        assert answers[0].undated == answers[1].undated
        org.settle()
        assert [click["recipient"] for click in org.interactions(message=sent)] == [ana]

    @pytest.mark.parametrize(
        "headers",
        [{"Sec-Purpose": "prefetch"}, {"Sec-GPC": "1"}],
        ids=["a prefetch", "a refusal by the browser"],
    )
    def test_nor_does_a_header_that_keeps_a_click_from_being_recorded(self, org, headers):
        link = org.tracked_link()
        assert wire.follow(link.url, headers=headers).undated == wire.follow(link.url).undated
        assert len(org.clicks(link)) == 1

    def test_nor_does_http_1_0(self, org):
        (_, _, recorded), (_, _, unrecorded) = self.twins(org)
        answers = []
        for link in (recorded, unrecorded):
            with wire.Connection(org.service.listen) as connection:
                target = f"/r/{tokens.of_link(link)}"
                connection.send(wire.request("GET", target, org.service.listen, version="HTTP/1.0"))
                answers.append(connection.receive())
        assert answers[0].status == 302
        assert answers[0].undated == answers[1].undated


UNRECORDED_HEADERS = [
    {"Sec-Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"Sec-Purpose": "prefetch;anonymous-client-ip"},
    {"Purpose": "prefetch"},
    {"X-Moz": "prefetch"},
    {"X-Purpose": "preview"},
    {"sec-purpose": "prefetch"},
]

RECORDED_HEADERS = [
    {},
    {"Sec-GPC": "0"},
    {"Sec-Purpose": "something-else"},
    {"Purpose": "none"},
    {"DNT": "0"},
    {"X-Requested-With": "com.example.shop"},
]


def named(headers):
    return ", ".join(f"{name}: {value}" for name, value in headers.items()) or "no header"


class TestTable:
    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
    def test_other_methods_are_405_whatever_the_token(self, org, method):
        link = org.tracked_link()
        for url in (link.url, link.url[:-1]):
            answer = wire.follow(url, method, {"Content-Length": "0"})
            assert_not_a_redirect(answer, 405)
            assert {part.strip() for part in answer.header("Allow").split(",")} == {"GET", "HEAD"}
        assert org.clicks(link) == []

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_the_tracking_id_of_the_message_itself_is_no_link(self, org, method):
        recipient = person()
        org.record(recipient, "given")
        composed = org.compose([recipient])
        tracking_id = composed.links(recipient)["trackingId"]
        assert_not_a_redirect(wire.ask(org.service.listen, method, f"/r/{tracking_id}"), 404)

    @pytest.mark.parametrize(
        "path", ["/r/", "/r", "/r/x", f"/r/{'A' * 54}", f"/r/{tokens.ZERO_GUID}", "/r/%00", "/R/x"]
    )
    def test_what_is_no_token_is_404(self, service, path):
        assert_not_a_redirect(wire.ask(service.listen, "GET", path), 404)

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_a_disabled_message_is_410_until_it_is_enabled_again(self, org, method):
        link = org.tracked_link()
        disabled = org.expect(200, "POST", org.path(f"/messages/{link.message}/disable")).json()
        assert disabled["id"] == link.message and disabled["disabled"] is True
        assert_not_a_redirect(wire.follow(link.url, method), 410)
        assert_not_a_redirect(wire.follow(link.url, method, {"Sec-Purpose": "prefetch"}), 410)
        assert org.clicks(link) == []
        enabled = org.expect(200, "POST", org.path(f"/messages/{link.message}/enable")).json()
        assert enabled["disabled"] is False
        assert_redirects(wire.follow(link.url), "https://shop.example/offer?a=1&b=2")
        assert len(org.clicks(link)) == 1

    def test_a_disabled_message_takes_only_its_own_links_along(self, org):
        link, other = org.tracked_link(), org.tracked_link()
        org.expect(200, "POST", org.path(f"/messages/{link.message}/disable"))
        assert wire.follow(other.url).status == 302

    def test_head_redirects_and_records_nothing(self, org):
        link = org.tracked_link()
        answer = wire.follow(link.url, "HEAD", BROWSER)
        assert_redirects(answer, "https://shop.example/offer?a=1&b=2")
        assert org.clicks(link) == []
        assert wire.follow(link.url, "GET", BROWSER).undated == answer.undated

    @pytest.mark.parametrize("headers", UNRECORDED_HEADERS, ids=named)
    def test_a_prefetch_or_preview_redirects_and_records_nothing(self, org, headers):
        link = org.tracked_link()
        assert_redirects(wire.follow(link.url, headers=BROWSER | headers), "https://shop.example/offer?a=1&b=2")
        assert org.clicks(link) == []

    @pytest.mark.parametrize("headers", RECORDED_HEADERS, ids=named)
    def test_other_headers_keep_nothing_from_being_recorded(self, org, headers):
        link = org.tracked_link()
        assert_redirects(wire.follow(link.url, headers=BROWSER | headers), "https://shop.example/offer?a=1&b=2")
        assert len(org.clicks(link)) == 1

    def test_global_privacy_control_is_honoured_where_the_organization_honours_it(self, org):
        link = org.tracked_link()
        assert org.expect(200, "GET", org.path()).json()["honorGPC"] is True
        assert wire.follow(link.url, headers={"Sec-GPC": "1"}).status == 302
        assert org.clicks(link) == []
        org.set(honorGPC=False)
        assert wire.follow(link.url, headers={"Sec-GPC": "1"}).status == 302
        assert len(org.clicks(link)) == 1
        org.set(honorGPC=True)
        assert wire.follow(link.url, headers={"Sec-GPC": "1"}).status == 302
        assert len(org.clicks(link)) == 1

    @pytest.mark.parametrize("milliseconds", [0, 900])
    def test_a_link_past_its_lifetime_redirects_and_records_nothing(self, org, milliseconds):
        expires = int(time.time()) + 6
        expires_at = times.render(times.moment(expires * 1_000 + milliseconds))
        link = org.tracked_link(content=message(expiresAt=expires_at))
        assert tokens.fields(tokens.of_link(link.url)).expires == expires
        assert wire.follow(link.url).status == 302
        assert len(org.clicks(link)) == 1
        time.sleep(max(0.0, expires + 1.2 - time.time()))
        assert_redirects(wire.follow(link.url), "https://shop.example/offer?a=1&b=2")
        assert len(org.clicks(link)) == 1

    @pytest.mark.parametrize("state", ["refused", "withdrawn", "revoked", "invalidated"])
    def test_consent_no_longer_in_force_redirects_and_records_nothing(self, org, lenient_org, state):
        for organization in (org, lenient_org):
            link = organization.tracked_link()
            organization.record(link.recipient, state)
            assert_redirects(wire.follow(link.url), "https://shop.example/offer?a=1&b=2")
            assert organization.clicks(link) == []


class TestWhatGatewaysDo:
    @pytest.mark.parametrize(
        "suffix",
        ["?utm_source=mail&x=%2F", "?", "/", "/?fbclid=abc", "?a=b?c=d/e/", "?" + "q" * 2_000, "?a=café", "#top", "/#a?b"],
    )
    def test_a_query_or_one_trailing_slash_is_ignored(self, org, suffix):
        link = org.tracked_link()
        assert_redirects(wire.follow(link.url, suffix=suffix), "https://shop.example/offer?a=1&b=2")
        assert len(org.clicks(link)) == 1

    @pytest.mark.parametrize(
        "suffix",
        ["%E2%80%9D", "%e2%80%9c", "%C2%BB", "%E3%80%82", "%E2%80%9D/x?a=b", "/%E2%80%9D", "%80", "”", "。", "をご覧", "ü?a=ö"],
    )
    def test_text_beyond_ascii_that_a_mail_program_took_for_a_part_of_the_link_is_ignored(self, org, suffix):
        link = org.tracked_link()
        assert_redirects(wire.follow(link.url, suffix=suffix), "https://shop.example/offer?a=1&b=2")
        assert len(org.clicks(link)) == 1

    @pytest.mark.parametrize(
        "suffix",
        ["//", "/x", "/index.html", "//?a=b", "%2F", ".", ";x=1", "&utm_source=mail", "%41", "%7F", "%8", ".%E2%80%9D"],
    )
    def test_more_than_that_breaks_the_link(self, org, suffix):
        link = org.tracked_link()
        assert_not_a_redirect(wire.follow(link.url, suffix=suffix), 404)
        assert org.clicks(link) == []

    def test_another_host_name_does_not_break_the_link(self, org):
        link = org.tracked_link()
        with wire.Connection(org.service.listen) as connection:
            connection.send(wire.request("GET", f"/r/{tokens.of_link(link.url)}", "links.example"))
            assert_redirects(connection.receive(), "https://shop.example/offer?a=1&b=2")


class TestErrorsForReaders:
    @pytest.mark.parametrize("status", [404, 410])
    def test_are_a_page_for_people_and_a_problem_for_programs(self, org, status):
        link = org.tracked_link()
        url = link.url
        if status == 410:
            org.expect(200, "POST", org.path(f"/messages/{link.message}/disable"))
        else:
            url = url[:-1]
        page = wire.follow(url, headers=BROWSER)
        assert_not_a_redirect(page, status)
        assert page.header("Content-Type").startswith("text/html")
        assert b"<" in page.body and len(page.body) < 8_192
        for headers in ({}, {"Accept": "application/json"}, {"Accept": "image/avif,image/webp"}):
            problem = wire.follow(url, headers=headers)
            assert_not_a_redirect(problem, status)
            assert problem.header("Content-Type").startswith("application/problem+json")
            assert f'"status":{status}'.encode() in problem.body.replace(b" ", b"")
        for answer in (page, problem):
            for secret in (tokens.of_link(url), link.recipient, "shop.example", org.id, link.message):
                assert secret.encode() not in answer.body

    def test_of_head_have_no_body(self, org):
        link = org.tracked_link()
        with wire.Connection(org.service.listen) as connection:
            connection.send(wire.request("HEAD", f"/r/{tokens.of_link(link.url)[:-1]}", org.service.listen))
            assert connection.receive(head=True).status == 404
            connection.send(wire.request("GET", f"/r/{tokens.of_link(link.url)}", org.service.listen))
            assert connection.receive().status == 302


class TestConnections:
    def paths(self, org, count):
        """Links of different messages with different targets, and those targets."""
        targets = [f"https://shop.example/{place}" for place in range(count)]
        links = [org.tracked_link(content=message(link=target)) for target in targets]
        return links, [f"/r/{tokens.of_link(link.url)}" for link in links], targets

    def test_are_kept_alive(self, org):
        links, paths, targets = self.paths(org, 3)
        with wire.Connection(org.service.listen) as connection:
            for path, target in zip(paths, targets):
                connection.send(wire.request("GET", path, org.service.listen))
                assert_redirects(connection.receive(), target)
        assert [len(org.clicks(link)) for link in links] == [1, 1, 1]

    def test_answer_pipelined_requests_in_order(self, org):
        links, paths, targets = self.paths(org, 4)
        host = org.service.listen
        with wire.Connection(host) as connection:
            connection.send(
                wire.request("GET", paths[0], host)
                + wire.request("GET", paths[1][:-1], host)
                + wire.request("GET", paths[1], host, {"Sec-Purpose": "prefetch"})
                + wire.request("GET", paths[2], host)
                + wire.request("POST", paths[2], host, {"Content-Length": "4"}, b"body")
                + wire.request("HEAD", paths[3], host)
                + wire.request("GET", paths[3], host)
            )
            assert_redirects(connection.receive(), targets[0])
            assert_not_a_redirect(connection.receive(), 404)
            assert_redirects(connection.receive(), targets[1])
            assert_redirects(connection.receive(), targets[2])
            assert_not_a_redirect(connection.receive(), 405)
            assert_redirects(connection.receive(head=True), targets[3])
            assert_redirects(connection.receive(), targets[3])
        assert [len(org.clicks(link)) for link in links] == [1, 0, 1, 1]

    def test_answer_pipelined_clicks_and_other_requests_in_order(self, org):
        links, paths, targets = self.paths(org, 2)
        host = org.service.listen
        with wire.Connection(host) as connection:
            connection.send(
                wire.request("GET", paths[0], host)
                + wire.request("GET", "/healthz", host)
                + wire.request("GET", "/nothing", host)
                + wire.request("GET", paths[1], host)
                + wire.request("GET", "/readyz", host)
            )
            assert_redirects(connection.receive(), targets[0])
            assert connection.receive().status == 200
            assert connection.receive().status == 404
            assert_redirects(connection.receive(), targets[1])
            assert connection.receive().status == 200
        assert [len(org.clicks(link)) for link in links] == [1, 1]

    def test_answer_a_hundred_pipelined_clicks_each_once(self, org):
        people = [person() for _ in range(100)]
        org.record_all([{"recipient": who, "state": "given"} for who in people])
        composed = org.compose(people, message(link="https://shop.example/hundred"))
        host = org.service.listen
        requests = [wire.request("GET", f"/r/{tokens.of_link(composed.link(who))}", host) for who in people]
        with wire.Connection(host) as connection:
            connection.send(b"".join(requests))
            for _ in requests:
                assert_redirects(connection.receive(), "https://shop.example/hundred")
        org.settle()
        clicks = org.interactions(message=composed.message)
        assert sorted(click["recipient"] for click in clicks) == sorted(people)

    def test_end_when_the_client_says_so(self, org):
        _, (path,), (target,) = self.paths(org, 1)
        with wire.Connection(org.service.listen) as connection:
            connection.send(wire.request("GET", path, org.service.listen, {"Connection": "close"}))
            assert_redirects(connection.receive(), target)
            assert connection.is_closed()

    def test_of_http_1_0_end_after_the_answer(self, org):
        (link,), (path,), (target,) = self.paths(org, 1)
        with wire.Connection(org.service.listen) as connection:
            connection.send(wire.request("GET", path, org.service.listen, version="HTTP/1.0"))
            assert_redirects(connection.receive(), target)
            assert connection.is_closed()
        assert len(org.clicks(link)) == 1

    @pytest.mark.parametrize(
        ("headers", "body"),
        [
            ({"Content-Length": "11"}, b"hello world"),
            ({"Transfer-Encoding": "chunked"}, b"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"),
        ],
        ids=["with a length", "chunked"],
    )
    def test_ignore_the_body_of_a_get(self, org, headers, body):
        links, paths, targets = self.paths(org, 2)
        with wire.Connection(org.service.listen) as connection:
            connection.send(wire.request("GET", paths[0], org.service.listen, headers, body))
            connection.send(wire.request("GET", paths[1], org.service.listen))
            assert_redirects(connection.receive(), targets[0])
            assert_redirects(connection.receive(), targets[1])
        assert [len(org.clicks(link)) for link in links] == [1, 1]

    def test_take_a_request_that_arrives_byte_by_byte(self, org):
        (link,), (path,), (target,) = self.paths(org, 1)
        with wire.Connection(org.service.listen) as connection:
            for byte in wire.request("GET", path, org.service.listen):
                connection.send(bytes([byte]))
            assert_redirects(connection.receive(), target)
        assert len(org.clicks(link)) == 1


class TestTwoDoors:
    """The public listener serves readers alone, the private one backends alone."""

    @pytest.mark.parametrize("path", ["/v1/orgs", "/v1/orgs/acme", "/v1/orgs/acme/decisions", "/metrics"])
    def test_the_private_api_is_not_on_the_public_listener(self, service, path):
        headers = {"Authorization": f"Bearer {service.operator_key}"}
        assert wire.ask(service.listen, "GET", path, headers).status == 404

    def test_links_do_not_open_on_the_private_listener(self, org):
        link = org.tracked_link()
        answer = wire.ask(org.service.api_listen, "GET", f"/r/{tokens.of_link(link.url)}")
        assert answer.status in (401, 404) and answer.all("Location") == []
        assert org.clicks(link) == []

    @pytest.mark.parametrize("path", ["/healthz", "/nothing", "/v1/orgs"])
    def test_neither_sends_a_body_to_head(self, service, path):
        """What follows a HEAD on its connection would be read as the next answer (RFC 9110, 9.3.2)."""
        for listener in (service.listen, service.api_listen):
            with wire.Connection(listener) as connection:
                connection.send(wire.request("HEAD", path, listener))
                connection.receive(head=True)
                connection.send(wire.request("GET", "/healthz", listener, {"Connection": "close"}))
                assert connection.receive().status == 200
                assert connection.is_closed()

    @pytest.mark.parametrize("path", ["/healthz", "/readyz"])
    def test_both_say_that_they_are_well(self, service, path):
        assert wire.ask(service.listen, "GET", path).status == 200
        assert wire.ask(service.api_listen, "GET", path).status == 200
