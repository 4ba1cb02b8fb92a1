"""Signing in to the console, and what nobody gets without."""

import base64
import hmac

import pytest
from conftest import run_to_the_end

from harness.client import Operator
from harness.console import SESSION, ConsoleBrowser
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import MovingClock
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
    session = browser.cookies[SESSION]
    assert browser.submit("/sessions", "/sign-out").status_code == 303
    assert SESSION not in browser.cookies
    browser.cookies[SESSION] = session
    assert browser.get("/sessions").headers["Location"].startswith("/sign-in")


def test_a_session_is_always_a_new_one(browser, org):
    """A session that somebody else put into the browser is not the one that is signed in."""
    planted = "A" * 43
    browser.cookies[SESSION] = planted
    form = browser.form("/sign-in", "/sign-in")
    answer = browser.post("/sign-in", form.fields | {"key": org.key})
    assert answer.status_code == 303
    assert browser.cookies[SESSION] != planted
    stranger = ConsoleBrowser(browser.service)
    stranger.cookies[SESSION] = planted
    assert stranger.get("/sessions").status_code == 303


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
    assert SESSION not in answer.headers.get("Set-Cookie", "")


def test_failed_attempts_are_slowed_down(tmp_path):
    service = Service(tmp_path, has_console=True).start()
    browser = ConsoleBrowser(service)
    statuses = []
    for _ in range(7):
        form = browser.form("/sign-in", "/sign-in")
        statuses.append(browser.post("/sign-in", form.fields | {"key": "clk_" + "x" * 43}).status_code)
    assert statuses[:5] == [403] * 5
    assert 429 in statuses[5:]
    assert service.stop() == 0


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


def test_head_answers_as_get_without_a_page(browser, org):
    browser.sign_in(org.key)
    for path in ("/sign-in", "/sessions", f"/orgs/{org.id}/campaigns", "/nowhere"):
        got, asked = browser.get(path), browser.head(path)
        assert (asked.status_code, asked.content) == (got.status_code, b""), path


def test_a_form_that_a_browser_made_by_itself_is_none(service, browser):
    """Whoever knows all but the service's secret makes no form, also none whose time is at the end of its range."""
    browser.get("/sign-in")
    holder = base64.urlsafe_b64decode(browser.cookies["__Host-visitor"] + "=")
    for info in (b"consentlink console form v1", b"consentlink console form key v1"):
        for time in (b"\x80", b"\x7f\xff\xff\xff\xff\xff\xff\xff", b"\xff" * 8):
            head = time.ljust(8, b"\0") + bytes(16)
            extracted = hmac.digest(bytes(32), holder, "sha256")
            key = hmac.digest(extracted, info + b"\x01", "sha256")
            token = base64.urlsafe_b64encode(head + hmac.digest(key, head + b"/sign-in", "sha256")).rstrip(b"=").decode()
            assert browser.post("/sign-in", {"form": token, "key": "x"}).status_code == 403
    assert service.is_running and browser.get("/sign-in").status_code == 200

