"""A real browser: both kinds of link arrive, and only the tracked one ever asks the service anything."""

import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By

from harness import wire
from harness.browsing import chromium, wait
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.service import Service, free_port

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict


class Site:
    """A small web server, and every request that it was sent."""

    def __init__(self, port):
        site = self
        self.requests = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.requests.append(Request(self.path, dict(self.headers)))
                site.answer(self)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.origin = f"http://127.0.0.1:{port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, request):
        raise NotImplementedError

    def paths(self, prefix="/"):
        return [request.path for request in list(self.requests) if request.path.startswith(prefix)]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Pages(Site):
    """Serves the pages that it is given, by path."""

    def __init__(self, port):
        super().__init__(port)
        self.pages = {}

    def answer(self, request):
        page = self.pages.get(urlsplit(request.path).path)
        body = (page or "not here").encode()
        request.send_response(200 if page else 404)
        request.send_header("Content-Type", "text/html; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


class Front(Site):
    """Stands where the service's links lead, notes every request, and passes it on to the service unchanged."""

    def __init__(self, port):
        super().__init__(port)
        self.service = None

    def answer(self, request):
        headers = {name: value for name, value in request.headers.items() if name.lower() != "host"}
        with wire.Connection(self.service.listen) as connection:
            connection.send(wire.request("GET", request.path, self.service.listen, headers))
            request.wfile.write(connection.receive().raw)


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    front = Front(free_port())
    front.service = Service(tmp_path_factory.mktemp("browser"), flags=["--public-url", front.origin]).start()
    yield front
    assert front.service.stop() == 0
    front.service.assert_log_is_discreet()
    front.close()


@pytest.fixture
def org(front):
    front.requests.clear()
    return Operator(front.service).make()


@pytest.fixture(scope="module")
def shop():
    """Where the links lead."""
    shop = Pages(free_port())
    shop.pages["/spring"] = "<!doctype html><title>The shop</title><h1>Spring sale</h1>"
    yield shop
    shop.close()


@pytest.fixture(scope="module")
def mail():
    """Where the page with the links is."""
    mail = Pages(free_port())
    yield mail
    mail.close()


@pytest.fixture
def browser(tmp_path):
    browser = chromium(tmp_path / "profile")
    yield browser
    browser.quit()


@pytest.fixture
def sent(org, mail, shop):
    """A page with the link of somebody who gave consent and that of somebody whom nobody asked."""
    shop.requests.clear()
    mail.requests.clear()
    return Sent(org, mail, shop)


class Sent:
    def __init__(self, org, mail, shop):
        self.org = org
        self.target = f"{shop.origin}/spring?a=1&b=%2F#top"
        self.reader, stranger = person("reader"), person("stranger")
        org.record(self.reader, "given")
        composed = org.compose([self.reader, stranger], message(link=self.target))
        self.message = composed.message
        self.tracked, self.untracked = composed.link(self.reader), composed.link(stranger)
        assert (self.tracked != self.target) and (self.untracked == self.target)
        self.mail = mail
        self.page = f"{mail.origin}/mail"
        self.write()

    def write(self, head=""):
        """Lays out the page, with `head` among its metadata."""
        self.mail.pages["/mail"] = (
            f"<!doctype html><title>The mail</title>{head}"
            f'<a id="tracked" href="{self.tracked}">tracked</a> '
            f'<a id="untracked" href="{self.untracked.replace("&", "&amp;")}">untracked</a>'
        )

    def clicks(self):
        self.org.settle()
        return self.org.interactions(message=self.message)


def click(browser, link):
    browser.find_element(By.ID, link).click()
    wait(browser).until(lambda browser: browser.title == "The shop")


def back(browser):
    browser.back()
    wait(browser).until(lambda browser: browser.title == "The mail")


def test_both_links_arrive_and_the_service_is_asked_for_the_tracked_one_alone(browser, front, shop, sent):
    browser.get(sent.page)
    click(browser, "untracked")
    assert browser.current_url == sent.target
    assert shop.paths("/spring") == ["/spring?a=1&b=%2F"]
    assert front.paths() == [], "a reader without consent touched the service"

    back(browser)
    click(browser, "tracked")
    assert browser.current_url == sent.target
    assert len(front.paths("/r/")) == 1
    assert [seen["recipient"] for seen in sent.clicks()] == [sent.reader]


def test_what_arrives_at_the_target_does_not_name_the_link(browser, front, shop, sent):
    browser.get(sent.page)
    click(browser, "tracked")
    (arrival,) = [request for request in shop.requests if request.path.startswith("/spring")]
    assert "/r/" not in str(arrival.headers)
    assert "Referer" not in arrival.headers and "Cookie" not in arrival.headers
    assert browser.execute_script("return document.referrer") == ""
    assert browser.get_cookies() == []


def test_going_back_and_reloading_asks_the_service_nothing(browser, front, shop, sent):
    browser.get(sent.page)
    click(browser, "tracked")
    browser.refresh()
    assert browser.current_url == sent.target
    back(browser)
    browser.refresh()
    browser.forward()
    eventually(lambda: browser.title == "The shop", within=30)
    assert len(front.paths("/r/")) == 1
    assert len(sent.clicks()) == 1


def test_a_second_click_is_a_second_request_since_nothing_was_cached(browser, front, shop, sent):
    browser.get(sent.page)
    for count in (1, 2):
        click(browser, "tracked")
        assert len(front.paths("/r/")) == count
        back(browser)
    assert len(sent.clicks()) == 2


PREFETCHES = {
    "link rel=prefetch": '<link rel="prefetch" href="{link}">',
    "speculation rules": '<script type="speculationrules">{{"prefetch":[{{"source":"list","urls":["{link}"],'
    '"eagerness":"immediate"}}]}}</script>',
}


def is_prefetch(request):
    return "prefetch" in request.headers.get("Sec-Purpose", "") + request.headers.get("Purpose", "")


@pytest.mark.parametrize("kind", PREFETCHES)
def test_a_prefetch_records_nothing(browser, front, shop, sent, kind):
    sent.write(head=PREFETCHES[kind].format(link=sent.tracked))
    browser.get(sent.page)
    eventually(lambda: front.paths("/r/"), within=30)
    (request,) = [request for request in front.requests if request.path.startswith("/r/")]
    assert is_prefetch(request)
    eventually(lambda: shop.paths("/spring"), within=30)
    assert sent.clicks() == []


def test_a_click_after_a_prefetch_by_link_is_recorded(browser, front, shop, sent):
    sent.write(head=PREFETCHES["link rel=prefetch"].format(link=sent.tracked))
    browser.get(sent.page)
    eventually(lambda: shop.paths("/spring"), within=30)
    time.sleep(0.5)
    click(browser, "tracked")
    assert browser.current_url == sent.target
    assert len(front.paths("/r/")) == 2
    assert len(sent.clicks()) == 1


def test_a_click_that_chromium_answers_from_its_prefetch_arrives_and_is_not_made_up(browser, front, shop, sent):
    """Chromium may use a page that speculation rules have prefetched: then the service sees no click to record."""
    sent.write(head=PREFETCHES["speculation rules"].format(link=sent.tracked))
    browser.get(sent.page)
    eventually(lambda: shop.paths("/spring"), within=30)
    click(browser, "tracked")
    assert browser.current_url == sent.target
    plain = [request for request in front.requests if request.path.startswith("/r/") and not is_prefetch(request)]
    assert len(sent.clicks()) == len(plain)
