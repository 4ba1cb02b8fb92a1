"""Signing in to the console, and what nobody gets without."""

import pytest
from harness.client import Operator
from harness.console import SESSION, ConsoleBrowser
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
