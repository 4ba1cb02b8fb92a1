"""Signing in to the console, and what nobody gets without."""

import base64
import hmac
import re
import urllib.parse

import pytest
from conftest import run_to_the_end

from harness import wire
from harness.client import Operator
from harness.console import ATTRIBUTES, ConsoleBrowser, cookie_of
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import MovingClock
from harness.raw import HeldBack
from harness.service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("console"), has_console=True).start()
    yield service
    service.stop()


@pytest.fixture
def browser(service):
    return ConsoleBrowser(service)


@pytest.fixture(scope="module")
def org(service):
    return Operator(service).make("restrictive")


def test_a_key_signs_in_and_out(browser, org):
    browser.sign_in(org.key)
    answer = browser.page("/")
    assert "Messages" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    session = browser.cookies[browser.session]
    assert browser.submit("/sessions", "/sign-out").status_code == 303
    assert browser.session not in browser.cookies
    browser.cookies[browser.session] = session
    assert browser.get("/sessions").headers["Location"].startswith("/sign-in")


@pytest.mark.parametrize("ending", ["sign-out", "deleted key"])
def test_a_form_that_comes_after_the_end_of_its_session_does_nothing(browser, org, ending):
    account = org.with_scopes("manage", "read")
    browser.sign_in(account.key)
    path = f"/orgs/{org.id}/keys"
    fields = browser.form(path, path).fields | {"name": "child", "scope-manage": "on"}
    head = [
        f"POST {path} HTTP/1.1", f"Origin: {browser.service.console}", "Sec-Fetch-Site: same-origin",
        f"Cookie: {'; '.join(f'{name}={value}' for name, value in browser.cookies.items())}",
        "Content-Type: application/x-www-form-urlencoded",
    ]  # fmt: skip
    before = org.expect(200, "GET", org.path("/keys")).json()["keys"]
    request = HeldBack(browser.service.console_listen, head, urllib.parse.urlencode(fields).encode())
    # Requests that came later are answered: the session of the form was very likely looked up by now.
    browser.page(path)
    if ending == "sign-out":
        assert browser.submit("/sessions", "/sign-out").status_code == 303
    else:
        org.expect(204, "DELETE", org.path(f"/keys/{account.made['id']}"))
    status, answer = request.finish()
    assert status == 303 and "/sign-in" in answer and "clk_" not in answer
    after = org.expect(200, "GET", org.path("/keys")).json()["keys"]
    assert {key["id"] for key in after} <= {key["id"] for key in before}


def test_a_session_is_always_a_new_one(browser, org):
    """A session that somebody else put into the browser is not the one that is signed in."""
    planted = "A" * 43
    browser.cookies[browser.session] = planted
    form = browser.form("/sign-in", "/sign-in")
    answer = browser.post("/sign-in", form.fields | {"key": org.key})
    assert answer.status_code == 303
    assert browser.cookies[browser.session] != planted
    stranger = ConsoleBrowser(browser.service)
    stranger.cookies[stranger.session] = planted
    assert stranger.get("/sessions").status_code == 303


def test_the_session_is_a_cookie_of_this_host_that_ends_with_the_browser(browser, org):
    form = browser.form("/sign-in", "/sign-in")
    answer = browser.post("/sign-in", form.fields | {"key": org.key})
    (cookie,) = [cookie for cookie in answer.headers.get_list("Set-Cookie") if cookie.startswith(f"{browser.session}=")]
    name, value, attributes = cookie_of(cookie)
    # Neither a domain nor a time.
    port = browser.service.console.rsplit(":", 1)[1]
    assert (name, attributes) == (f"__Host-session-{port}", ATTRIBUTES)
    assert attributes == {"path": "/", "secure": "", "httponly": "", "samesite": "lax"}
    assert len(base64.urlsafe_b64decode(value + "=")) == 32


def test_the_consoles_of_two_services_on_one_host_leave_each_other_s_sessions_and_forms(service, tmp_path):
    """Browsers send the cookies of a host to each of its ports."""
    for other in run_to_the_end(Service(tmp_path, has_console=True)):
        here, there = ConsoleBrowser(service), ConsoleBrowser(other)
        there.cookies = here.cookies
        form = there.form("/sign-in", "/sign-in")
        here.sign_in(service.operator_key)
        assert there.post(form.action, form.fields | {"key": other.operator_key}).status_code == 303
        assert [browser.get("/health").status_code for browser in (here, there)] == [200, 200]
        assert there.submit("/health", "/sign-out").status_code == 303
        assert [browser.get("/health").status_code for browser in (here, there)] == [200, 303]


def test_signing_out_everywhere_ends_every_session_of_an_account_and_no_other(service, org):
    key = org.with_scopes("report", "read").key
    here, there, elsewhere = (ConsoleBrowser(service).sign_in(key) for _ in range(3))
    other = ConsoleBrowser(service).sign_in(org.with_scopes("report").key)
    for browser in (here, there):
        assert sorted(row["state"] for row in browser.data("/sessions")["sessions"]) == ["open", "open", "thisBrowser"]
    page = here.page("/sessions").text
    assert page.count("This browser") == 1 and page.count('action="/sessions/end"') == 3
    # One of them alone, which is not this one.
    rows = re.findall(r'<tr role="row">.*?</tr>', page.split("<tbody", 1)[1], re.DOTALL)
    (token, session), *_ = [re.findall(r'name="(?:form|session)" value="([^"]+)"', row) for row in rows if "This browser" not in row]
    assert here.post("/sessions/end", {"form": token, "session": session}).status_code == 303
    assert sorted(browser.get("/sessions").status_code for browser in (there, elsewhere)) == [200, 303]
    assert len(here.data("/sessions")["sessions"]) == 2
    assert here.submit("/sessions", "/sessions/end-all").status_code == 303
    assert here.session not in here.cookies
    for browser in (there, elsewhere):
        answer = browser.get(f"/orgs/{org.id}/campaigns")
        assert answer.status_code == 303 and answer.headers["Location"].startswith("/sign-in")
    assert other.get("/sessions").status_code == 200


@pytest.mark.parametrize("target", ["//evil.example/x", "///evil.example/x", "//evil.example/%2e%2e?lang=de", "/\\evil.example/x"])
@pytest.mark.parametrize("is_signed_in", [False, True], ids=["signed out", "signed in"])
def test_no_address_makes_a_page_that_leads_elsewhere(service, org, target, is_signed_in):
    """Browsers take what begins with two slashes, or with a backslash, for another host."""
    browser = ConsoleBrowser(service)
    if is_signed_in:
        browser.sign_in(org.key)
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    for method in ("GET", "POST"):
        answer = wire.ask(service.console_listen, method, target, {"Accept": "text/html", "Cookie": cookies, "Content-Length": 0})
        assert answer.status in (303, 400, 403, 404), answer
        found = re.findall(r'(?:href|action|src|value)="([^"]*)"', answer.body.decode()) + answer.all("Location")
        for link in found:
            host = urllib.parse.urlsplit(urllib.parse.urljoin(service.console, link.replace("\\", "/"))).netloc
            assert host == service.console_listen, link


@pytest.mark.parametrize("headers", [
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"},
    {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": None, "Sec-Fetch-Site": None},
    {"Sec-Fetch-Site": None, "Origin": "https://evil.example"}, {"Origin": None, "Sec-Fetch-Site": "cross-site"},
])  # fmt: skip
def test_a_form_of_another_site_is_refused(browser, org, headers):
    browser.sign_in(org.key)
    form = browser.form("/sessions", "/sessions/end-all")
    assert browser.post("/sessions/end-all", form.fields, **headers).status_code == 403
    assert browser.get("/sessions").status_code == 200


@pytest.mark.parametrize("named", ["ledger/export", "ledger/export?from=2026-11-01", "ledger?as=csv", "ledger"])
def test_a_sign_in_that_another_site_links_to_leads_on_to_no_file(browser, org, named):
    query = urllib.parse.urlencode({"next": f"/orgs/{org.id}/{named}"})
    for path in ("/sign-in", "/confirm"):
        answer = browser.submit(f"{path}?{query}", path, key=org.key)
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/orgs/{org.id}/ledger"), path
    form = browser.form("/confirm", "/confirm")
    answer = browser.post("/confirm", form.fields | {"key": org.key, "next": f"/orgs/{org.id}/{named}"})
    assert answer.headers["Location"] == f"/orgs/{org.id}/ledger"


def test_a_form_counts_once_for_one_address_and_one_browser(browser, org):
    browser.sign_in(org.key)
    form = browser.form("/sessions", "/sessions/end-all")
    other = ConsoleBrowser(browser.service).sign_in(org.key)
    for sender, path, fields, status in [
        (other, "/sessions/end-all", form.fields, 403),
        (browser, "/sessions/end", form.fields, 403),
        (browser, "/sessions/end-all", {"other": "field"}, 403),
        (browser, "/sessions/end-all", {"form": form.fields["form"][:-2]}, 403),
        (browser, "/sessions/end-all", {"form": "B" + form.fields["form"][1:]}, 403),
    ]:
        assert sender.post(path, fields).status_code == status, (path, fields)
    again = browser.form("/sign-in/link/x", "/sign-in/link/x")
    assert browser.post("/sign-in/link/x", again.fields).status_code == 410
    assert browser.post("/sign-in/link/x", again.fields).status_code == 409


def test_another_host_has_no_console(browser):
    answer = browser.get("/sign-in", Host="console.evil.example")
    assert answer.status_code == 421
    assert "__Host-session" not in answer.headers.get("Set-Cookie", "")


@pytest.mark.parametrize("target", ["/sign-in?" + "a=b&" * 15_000, "/sign-in?next=" + "a" * 9_000, "/" + "a" * 9_000])
def test_an_address_longer_than_any_of_the_console_is_refused(browser, target):
    answer = browser.get(target)
    assert answer.status_code == 414 and "no address that is so long" in answer.text
    assert len(answer.content) < 10_000


def test_cookies_of_others_do_not_matter_however_many_they_are(browser, org):
    browser.sign_in(org.key)
    browser.cookies = {f"c{number}": "" for number in range(8_000)} | browser.cookies
    assert browser.get("/sessions").status_code == 200


def test_a_form_of_a_stranger_has_no_more_than_a_key(browser):
    fields = browser.form("/sign-in", "/sign-in").fields
    assert browser.post("/sign-in", fields | {"key": "x" * 4_096}).status_code == 413
    assert browser.post("/sign-in", fields | {f"f{number}": "" for number in range(64)}).status_code == 413
    assert browser.post("/sign-in", fields | {"key": "x" * 200}).status_code == 403


@pytest.fixture
def guessed(tmp_path):
    """A service at which somebody guessed keys, each another one, until they had to wait."""
    for service in run_to_the_end(Service(tmp_path, has_console=True)):
        browser = ConsoleBrowser(service)
        statuses = [guess(browser, f"clk_{number}{'x' * 42}").status_code for number in range(7)]
        assert statuses[:5] == [403] * 5 and 429 in statuses[5:]
        yield service


def guess(browser, key):
    form = browser.form("/sign-in", "/sign-in")
    return browser.post("/sign-in", form.fields | {"key": key})


def test_failed_attempts_with_one_key_are_slowed_down(tmp_path):
    for service in run_to_the_end(Service(tmp_path, has_console=True)):
        answers = [guess(ConsoleBrowser(service), "clk_" + "x" * 43) for _ in range(7)]
        assert [answer.status_code for answer in answers[:5]] == [403] * 5
        slowed = [answer for answer in answers[5:] if answer.status_code == 429]
        assert slowed and all(int(answer.headers["Retry-After"]) >= 1 for answer in slowed)


def test_failed_attempts_of_an_address_hold_up_nobody_who_has_the_right_key(guessed):
    operator = Operator(guessed)
    org, keys = operator.make("restrictive"), [guessed.operator_key]
    keys += [org.key, org.with_scopes("report").key]
    for key in keys:
        assert guess(ConsoleBrowser(guessed), "clk_" + "y" * 43).status_code in (403, 429)
        assert ConsoleBrowser(guessed).sign_in(key).get("/sessions").status_code == 200


def test_failed_attempts_of_an_address_hold_up_no_link(guessed):
    path = Operator(guessed).expect(201, "POST", "/v1/console/sign-in-links").json()["url"].removeprefix(guessed.console)
    browser = ConsoleBrowser(guessed)
    assert browser.submit(path, path).status_code == 303
    assert browser.get("/health").status_code == 200


def test_a_deleted_key_ends_its_sessions(browser, org):
    made = org.with_scopes("report").made
    browser.sign_in(made["key"])
    assert browser.get("/sessions").status_code == 200
    org.expect(204, "DELETE", org.path(f"/keys/{made['id']}"))
    assert browser.get("/sessions").status_code == 303


@pytest.mark.embedded_storage_only  # the clock of a database server is not moved
class TestTime:
    MINUTE = 60_000

    @pytest.fixture
    def clocked(self, tmp_path):
        clock = MovingClock(tmp_path)
        for service in run_to_the_end(Service(tmp_path, has_console=True, settings=clock.settings)):
            yield service, clock

    def go_to(self, service, clock, minutes):
        steps = scrape(service).total("consentlink_clock_steps_total")
        clock.set(minutes * self.MINUTE)
        eventually(lambda: scrape(service).total("consentlink_clock_steps_total") > steps)

    def test_a_session_ends_thirty_minutes_after_its_last_use(self, clocked):
        service, clock = clocked
        browser = ConsoleBrowser(service).sign_in(service.operator_key)
        for minutes in (29, 58):
            self.go_to(service, clock, minutes)
            assert browser.get("/sessions").status_code == 200
        self.go_to(service, clock, 89)
        assert browser.get("/sessions").status_code == 303

    def test_a_page_that_asks_for_itself_keeps_no_session_open(self, clocked):
        service, clock = clocked
        browser = ConsoleBrowser(service).sign_in(service.operator_key)
        for minutes in (10, 20, 29):
            self.go_to(service, clock, minutes)
            assert browser.get("/health", **{"X-Live": "1"}).status_code == 200
            assert browser.get("/health?refresh=2").status_code == 200
        self.go_to(service, clock, 31)
        assert browser.get("/health", **{"X-Live": "1"}).status_code == 303
        assert browser.get("/health").status_code == 303

    def test_what_was_made_with_the_clock_a_year_ahead_has_ended_after_a_start_with_the_right_one(self, clocked):
        service, clock = clocked
        assert service.stop() == 0
        clock.set(365 * 24 * 60 * self.MINUTE)
        service.start()
        link = Operator(service).expect(201, "POST", "/v1/console/sign-in-links").json()["url"]
        browser = ConsoleBrowser(service).sign_in(service.operator_key)
        assert browser.get("/sessions").status_code == 200
        assert service.stop() == 0
        clock.set(0)
        service.start()
        assert scrape(service).value("consentlink_clock_lead_seconds") == 0
        assert browser.get("/sessions").status_code == 303
        path, other = link.removeprefix(service.console), ConsoleBrowser(service)
        assert other.submit(path, path).status_code != 303
        assert other.get("/sessions").status_code == 303

    def test_a_session_ends_after_twelve_hours(self, clocked):
        service, clock = clocked
        browser = ConsoleBrowser(service).sign_in(service.operator_key)
        for minutes in range(25, 720, 25):
            self.go_to(service, clock, minutes)
            assert browser.get("/sessions").status_code == 200, minutes
        self.go_to(service, clock, 721)
        assert browser.get("/sessions").status_code == 303

    def test_a_form_is_too_old_after_half_an_hour(self, clocked):
        service, clock = clocked
        browser = ConsoleBrowser(service)
        form = browser.form("/sign-in", "/sign-in")
        self.go_to(service, clock, 31)
        answer = browser.post(form.action, form.fields | {"key": service.operator_key})
        assert answer.status_code == 409 and "too old" in answer.text


def test_a_page_that_asks_for_itself_sets_no_language_back(browser, org):
    browser.sign_in(org.key)
    browser.get("/sessions?lang=de")
    browser.get("/sessions?lang=en")
    browser.get("/sessions?lang=de", **{"X-Live": "1"})
    browser.get("/sessions?lang=de&refresh=1")
    assert '<html lang="en">' in browser.get("/sessions", **{"Accept-Language": "de"}).text


def test_head_answers_as_get_without_a_page(browser, org):
    browser.sign_in(org.key)
    for path in ("/sign-in", "/sessions", f"/orgs/{org.id}/campaigns", "/nowhere"):
        got, asked = browser.get(path), browser.head(path)
        assert (asked.status_code, asked.content) == (got.status_code, b""), path


def test_a_form_that_a_browser_made_by_itself_is_none(service, browser):
    """Whoever knows all but the service's secret makes no form, also none whose time is at the end of its range."""
    browser.get("/sign-in")
    holder = base64.urlsafe_b64decode(browser.cookies[browser.cookie("visitor")] + "=")
    for info in (b"consentlink console form v1", b"consentlink console form key v1"):
        for time in (b"\x80", b"\x7f\xff\xff\xff\xff\xff\xff\xff", b"\xff" * 8):
            head = time.ljust(8, b"\0") + bytes(16)
            extracted = hmac.digest(bytes(32), holder, "sha256")
            key = hmac.digest(extracted, info + b"\x01", "sha256")
            token = base64.urlsafe_b64encode(head + hmac.digest(key, head + b"/sign-in", "sha256")).rstrip(b"=").decode()
            assert browser.post("/sign-in", {"form": token, "key": "x"}).status_code == 403
    assert service.is_running and browser.get("/sign-in").status_code == 200

