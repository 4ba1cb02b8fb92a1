"""Targets: what a link may lead to, and what is refused when the message is made, with a pointer to it."""

import json

import pytest

from harness import wire
from harness.client import Operator, assert_misfit, message, person

REFUSED = {
    "javascript": "javascript:alert(1)",
    "javascript in mixed case": "JavaScript:alert(1)",
    "javascript as a host": "javascript://shop.example/%0Aalert(1)",
    "data": "data:text/html,hello",
    "vbscript": "vbscript:msgbox",
    "file": "file:///etc/passwd",
    "blob": "blob:https://shop.example/1",
    "about": "about:blank",
    "view-source": "view-source:https://shop.example/",
    "a page in an archive": "jar:https://shop.example!/a",
    "a page in a browser's file system": "filesystem:https://shop.example/temporary/a",
    "a feed that is a script": "feed:javascript:alert(1)",
    "a diagnosis of Windows": "ms-msdt:/id",
    "a user and password": "https://user:password@shop.example/",
    "a user": "https://user@shop.example/",
    "an empty user": "https://@shop.example/",
    "a host behind a user": "https://shop.example@evil.example/",
    "an empty host": "https:///path",
    "an empty host with a port": "https://:443/path",
    "no authority": "https:shop.example/path",
    "one slash": "https:/shop.example/path",
    "nothing after the scheme": "https://",
    "a relative path": "/path",
    "a host alone": "shop.example/path",
    "no scheme": "//shop.example/path",
    "nothing": "",
    "a digit before the scheme": "1https://shop.example/",
    "a space": "https://shop.example/a b",
    "a leading space": " https://shop.example/",
    "a trailing space": "https://shop.example/ ",
    "a tab": "https://shop.example/a\tb",
    "a line break": "https://shop.example/a\nb",
    "a carriage return and a header": "https://shop.example/\r\nSet-Cookie: a=b",
    "a NUL": "https://shop.example/\u0000",
    "a delete character": "https://shop.example/\u007f",
    "a backslash": "https://shop.example\\@evil.example/",
    "a backslash in the path": "https://shop.example/a\\b",
    "a line break in an app's link": "shopapp://offer\n",
    "a backslash in an app's link": "shopapp:\\offer",
    "a space in an app's link": "shopapp://an offer",
    "a percent sign alone": "https://shop.example/100%",
    "bad percent-encoding": "https://shop.example/%zz",
    "a cut percent-encoding": "https://shop.example/%4",
    "bad percent-encoding in the fragment": "https://shop.example/#%",
    "bad percent-encoding in an app's link": "shopapp://offer?%G0",
    "a letter that is not ASCII": "https://shop.example/café",
    "a host that is not ASCII": "https://café.example/",
    "angle brackets": "https://shop.example/<b>",
    "a quotation mark": 'https://shop.example/"',
    "braces": "https://shop.example/{name}",
    "a bar": "https://shop.example/a|b",
    "a caret": "https://shop.example/a^b",
    "a backquote": "https://shop.example/`",
    "a port that is no number": "https://shop.example:http/",
    "2,049 bytes": "https://shop.example/".ljust(2_049, "x"),
}

ALLOWED = {
    "http": "http://shop.example/",
    "a port": "https://shop.example:8443/",
    "an IPv4 host": "https://192.0.2.1/a",
    "an IPv6 host": "https://[2001:db8::1]/a",
    "a punycode host": "https://xn--caf-dma.example/",
    "2,048 bytes": "https://shop.example/".ljust(2_048, "x"),
    "an app's scheme": "shopapp://offer/7?x=1#y",
    "an app's scheme without slashes": "shop.app+v2:offer",
    "a telephone number": "tel:+4912345",
    "an address": "mailto:shop@shop.example?subject=Hello%20there",
}


@pytest.mark.parametrize("kind", REFUSED)
class TestRefusedTarget:
    def test_is_pointed_to_in_a_message(self, org, kind):
        assert_misfit(org.call("POST", org.path("/messages"), message(link=REFUSED[kind])), "/link")

    def test_is_pointed_to_in_a_compose_which_decides_nothing(self, org, kind):
        body = {"message": message(link=REFUSED[kind]), "format": "plain", "recipients": [person()]}
        assert_misfit(org.call("POST", org.path("/payloads"), body), "/message/link")
        assert org.decisions() == []

    def test_is_pointed_to_in_an_action(self, org, kind):
        actions = [
            {"id": "good", "title": "Good", "link": "https://shop.example/"},
            {"id": "bad", "title": "Bad", "link": REFUSED[kind]},
        ]
        assert_misfit(org.call("POST", org.path("/messages"), message(actions=actions)), "/actions/1/link")

    def test_is_refused_as_a_deep_link_too(self, org, kind):
        content = message(link=REFUSED[kind], deepLink=True)
        assert_misfit(org.call("POST", org.path("/messages"), content), "/link")


@pytest.mark.parametrize("kind", ALLOWED)
def test_an_allowed_target_is_kept_byte_for_byte(org, kind):
    made = org.expect(201, "POST", org.path("/messages"), message(link=ALLOWED[kind])).json()
    unseen = person()
    links = org.compose([unseen], message_id=made["id"]).links(unseen)
    assert links["link"] == links["originalLink"] == ALLOWED[kind]


class TestTheServiceItself:
    @pytest.mark.parametrize("path", ["", "/", "/r/x", "/healthz?a=b", "#x"])
    def test_is_no_target(self, org, path):
        for origin in (org.service.public, org.service.public.replace("http:", "HTTP:")):
            assert_misfit(org.call("POST", org.path("/messages"), message(link=origin + path)), "/link")

    def test_is_no_target_under_another_public_name(self, start):
        service = start(flags=["--public-url", "https://links.example"])
        org = Operator(service).make()
        for link in ("https://links.example/r/x", "https://LINKS.example:443/", "HTTPS://links.example"):
            assert_misfit(org.call("POST", org.path("/messages"), message(link=link)), "/link")
        # The proxy in front listens for http, too, and sends browsers back.
        for link in ("http://links.example/r/x", "https://links.example:8443/"):
            assert_misfit(org.call("POST", org.path("/messages"), message(link=link)), "/link")
        for link in ("https://links.example.shop.example/", "https://other.example/https://links.example/"):
            assert org.call("POST", org.path("/messages"), message(link=link)).status_code == 201
        tracked = org.tracked_link()
        assert tracked.url.startswith("https://links.example/r/")
        path = tracked.url.removeprefix("https://links.example")
        assert wire.ask(service.listen, "GET", path).header("Location") == message()["link"]


class TestTargetHosts:
    @pytest.fixture
    def narrow_org(self, org):
        org.set(targetHosts=["shop.example", "*.shop.example"])
        return org

    @pytest.mark.parametrize(
        "link",
        [
            "https://shop.example/",
            "http://shop.example:8080/a",
            "https://www.shop.example/",
            "https://a.b.shop.example/",
            "https://SHOP.Example/",
            "shopapp://anywhere",
        ],
    )
    def test_let_their_own_links_pass(self, narrow_org, link):
        assert narrow_org.call("POST", narrow_org.path("/messages"), message(link=link)).status_code == 201

    @pytest.mark.parametrize(
        "link",
        [
            "https://evil.example/",
            "https://notshop.example/",
            "https://shop.example.evil.example/",
            "https://evil.example/shop.example",
            "https://evil.example/?shop.example",
            "https://evil.example#.shop.example",
            "https://192.0.2.1/",
            "intent://evil.example/#Intent;scheme=https;end",
            "googlechrome://navigate?url=https://evil.example/",
        ],
    )
    def test_keep_others_out(self, narrow_org, link):
        assert_misfit(narrow_org.call("POST", narrow_org.path("/messages"), message(link=link)), "/link")

    def test_without_a_wildcard_are_that_host_alone(self, org):
        org.set(targetHosts=["shop.example"])
        answer = org.call("POST", org.path("/messages"), message(link="https://www.shop.example/"))
        assert_misfit(answer, "/link")

    @pytest.mark.parametrize("format", [{"format": "plain"}, {"format": "dynamics365", "platform": "ios"}], ids=["plain", "app"])
    def test_leave_the_same_message_the_same(self, org, format):
        """They hold for messages made from now on: the same content under the same name is not one of them."""
        recipient = person()
        content = message(link="https://elsewhere.example/", actions=[dict(id="a", title="A", link="https://other.example/")])
        made = org.call("POST", org.path("/messages"), content).json()["id"]
        request = {"message": content, **format}
        lines = f"{json.dumps(request)}\n{json.dumps(recipient)}\n".encode()
        org.set(targetHosts=["shop.example"])
        again = org.call("POST", org.path("/messages"), content)
        assert (again.status_code, again.json()["id"]) == (200, made)
        for preview in (False, True):
            body = request | {"recipients": [recipient], "preview": preview}
            composed = org.call("POST", org.path("/payloads"), body)
            assert (composed.status_code, composed.json()["message"]) == (200, made)
        answer = org.call("POST", org.path("/payloads"), content=lines, headers={"Content-Type": "application/x-ndjson"})
        assert (answer.status_code, answer.headers["ConsentLink-Message"]) == (200, made)
        for other in ({"name": content["name"] + "2"}, {"link": "https://elsewhere.example/2"}):
            assert_misfit(org.call("POST", org.path("/messages"), content | other), "/link")
            body = request | {"message": content | other, "recipients": [recipient]}
            assert_misfit(org.call("POST", org.path("/payloads"), body), "/message/link")
        org.set(targetHosts=[])

    def test_leave_messages_made_before_alone(self, org):
        link = org.tracked_link(content=message(link="https://elsewhere.example/"))
        org.set(targetHosts=["shop.example"])
        assert wire.follow(link.url).header("Location") == "https://elsewhere.example/"
        assert org.compose([link.recipient], message_id=link.message).link(link.recipient) == link.url
        org.set(targetHosts=[])
        assert org.call("POST", org.path("/messages"), message(link="https://any.example/")).status_code == 201
