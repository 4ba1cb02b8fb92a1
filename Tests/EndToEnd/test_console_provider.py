"""Signing in to the console through an OpenID provider that this project did not write (oidc-provider-mock), which also
answers as none should."""

import re
import time
import urllib.parse

import httpx
import pytest
from conftest import run_to_the_end

from harness import provider as providers
from harness.client import Operator, person
from harness.console import ConsoleBrowser
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import HOUR, MovingClock
from harness.service import Service

ACCOUNTS = {
    "ana": {"roles": ["marketing"]}, "otto": {"roles": ["staff", "root"]}, "both": {"roles": ["marketing", "audit"]},
    "eve": {}, "stranger": {"roles": ["staff"]}, "odd": {"roles": "marketing"},
}  # fmt: skip
ORG = "acme"
ROLES = f"marketing=marketer@{ORG};audit=auditor@{ORG};root=operator;audit=auditor@other"


@pytest.fixture(scope="module")
def provider():
    provider = providers.Provider(ACCOUNTS)
    yield provider
    provider.stop()


def settings(folder, issuer):
    secret = folder / "client-secret"
    secret.write_text("s:e c/r+e%t\n")
    secret.chmod(0o600)
    return {
        "CONSENTLINK_CONSOLE_OIDC_CLIENT_SECRET_FILE": str(secret),
        "CONSENTLINK_CONSOLE_OIDC_ISSUER": issuer, "CONSENTLINK_CONSOLE_OIDC_CLIENT_ID": "console",
        "CONSENTLINK_CONSOLE_OIDC_ROLES_CLAIM": "roles", "CONSENTLINK_CONSOLE_OIDC_ROLES": ROLES,
    }  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory, provider):
    folder = tmp_path_factory.mktemp("provider")
    for service in run_to_the_end(Service(folder, has_console=True, settings=settings(folder, provider.issuer))):
        Operator(service).make("restrictive", id=ORG)
        yield service


@pytest.fixture(autouse=True)
def honest(provider, service):
    """Each test begins with a provider that does not lie, and without failures that slow the next sign-in down."""
    yield
    provider.honest()
    ConsoleBrowser(service).sign_in(service.operator_key)


@pytest.fixture
def browser(service):
    return ConsoleBrowser(service)


def begin(browser, path="/sign-in/provider"):
    """Where the provider asks who it is."""
    answer = browser.get(path)
    assert answer.status_code in (302, 303, 307), answer.text
    return answer.headers["Location"]


def agree(address, account):
    """Signs in there: the path of the console that the browser is sent to."""
    answer = httpx.post(address, data={"sub": account}, timeout=30)
    assert answer.status_code == 302, answer.text
    return answer.headers["Location"]


def sign_in(browser, account, path="/sign-in/provider"):
    return browser.get(agree(begin(browser, path), account))


def is_in(browser):
    return browser.get("/sessions").status_code == 200


def reasons(service):
    return re.findall(r'"reason":"([^"]+)"', service.log_text())


def test_an_account_has_the_roles_that_are_mapped_and_no_others(browser):
    answer = sign_in(browser, "ana")
    assert answer.status_code == 303 and answer.headers["Location"] == f"/orgs/{ORG}/campaigns"
    assert browser.page(f"/orgs/{ORG}/campaigns").status_code == 200
    for path, status in [(f"/orgs/{ORG}/person", 403), (f"/orgs/{ORG}/keys", 403), ("/health", 403), ("/orgs/other/campaigns", 404)]:
        assert browser.get(path).status_code == status, path


def test_an_operator_of_the_provider_is_one(browser):
    assert sign_in(browser, "otto").headers["Location"] == "/health"
    assert browser.page("/organizations").status_code == 200


@pytest.mark.parametrize("account", ["eve", "stranger"])
def test_nobody_is_let_in_without_a_mapping(service, browser, account):
    answer = sign_in(browser, account)
    assert answer.status_code == 403 and not is_in(browser) and browser.session not in browser.cookies
    assert "no value of the roles claim is mapped to a role" in reasons(service)


def test_a_claim_may_be_one_text(browser):
    assert sign_in(browser, "odd").status_code == 303 and is_in(browser)


def test_pkce_state_and_nonce_are_new_each_time(browser):
    asked = [urllib.parse.parse_qs(urllib.parse.urlsplit(begin(browser)).query) for _ in range(5)]
    for one in asked:
        assert one["response_type"] == ["code"] and one["code_challenge_method"] == ["S256"]
        assert one["redirect_uri"] == [f"{browser.service.console}/sign-in/provider/answer"]
    for name in ("state", "nonce", "code_challenge"):
        assert len({one[name][0] for one in asked}) == 5
        assert all(len(one[name][0]) >= 43 for one in asked), name


WRONG = {
    "nonce": lambda claims: claims | {"nonce": "A" * 43},
    "no nonce": lambda claims: {name: value for name, value in claims.items() if name != "nonce"},
    "audience": lambda claims: claims | {"aud": "another-client"},
    "audiences": lambda claims: claims | {"aud": ["console", "another-client"]},
    "issuer": lambda claims: claims | {"iss": "https://id.evil.example"},
    "issuer with a slash": lambda claims: claims | {"iss": claims["iss"] + "/"},
    "expired": lambda claims: claims | {"exp": int(time.time()) - 120},
    "of the future": lambda claims: claims | {"iat": int(time.time()) + 3600},
    "authenticated in milliseconds": lambda claims: claims | {"auth_time": int(time.time() * 1000)},
    "authorized party": lambda claims: claims | {"azp": "another-client"},
    "no subject": lambda claims: {name: value for name, value in claims.items() if name != "sub"},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_token_lets_nobody_in(service, provider, browser, what):
    before = len(reasons(service))
    provider.claims = WRONG[what]
    answer = sign_in(browser, "otto")
    assert answer.status_code == 403, answer.text
    assert not is_in(browser) and browser.session not in browser.cookies
    assert reasons(service)[before].startswith("ID token: ")


@pytest.mark.parametrize("sign", [providers.unsigned, providers.by_the_public_key, providers.by_another_key])
def test_a_wrong_signature_lets_nobody_in(service, provider, browser, sign):
    before = len(reasons(service))
    provider.sign = sign
    assert sign_in(browser, "otto").status_code == 403
    assert not is_in(browser)
    assert reasons(service)[before].startswith("ID token: ")


def test_an_answer_counts_once_and_in_its_browser_alone(service, browser):
    answer = agree(begin(browser), "otto")
    other = ConsoleBrowser(service)
    begin(other)
    assert other.get(answer).status_code == 403 and not is_in(other)
    kept = dict(browser.cookies)
    assert browser.get(answer).status_code == 303 and is_in(browser)
    again = ConsoleBrowser(service)
    again.cookies = kept
    assert again.get(answer).status_code == 403 and not is_in(again)


def test_a_session_that_was_there_before_is_not_the_one_that_is_signed_in(service, browser):
    planted = "A" * 43
    browser.cookies[browser.session] = planted
    assert sign_in(browser, "otto").headers["Location"] == "/health"
    assert browser.cookies[browser.session] != planted and browser.get("/health").status_code == 200
    other = ConsoleBrowser(service)
    other.cookies[other.session] = planted
    assert other.get("/health").status_code == 303, "what somebody else knows opens nothing"


def test_a_live_session_of_somebody_else_gets_no_more_by_a_sign_in(service, browser):
    other = ConsoleBrowser(service)
    sign_in(other, "ana")
    answer = agree(begin(browser), "otto")
    browser.cookies[browser.session] = other.cookies[other.session]
    assert browser.get(answer).status_code == 403
    # Nor does a link to the provider replace it.
    assert begin(browser) == f"/orgs/{ORG}/campaigns"
    assert is_in(other) and other.get("/health").status_code == 403


def test_answers_to_no_sign_in_of_the_browser_hold_nobody_up(tmp_path, provider):
    """Any site can send a browser to this address, as often as it likes."""
    for service in run_to_the_end(Service(tmp_path, has_console=True, settings=settings(tmp_path, provider.issuer))):
        org, browser = Operator(service).make("restrictive", id=ORG), ConsoleBrowser(service)
        for is_begun in (False, True):
            for _ in range(10):
                if is_begun:
                    begin(browser)
                assert browser.get(f"/sign-in/provider/answer?state={'A' * 43}&code=x").status_code == 403
        browser.sign_in(org.key)
        assert sign_in(ConsoleBrowser(service), "ana").status_code == 303


def test_an_answer_to_another_sign_in_leaves_the_one_under_way_as_it_is(browser):
    """Any page can send a browser there; and a second tab begins a sign-in of its own."""
    older = agree(begin(browser), "otto")
    newer = agree(begin(browser), "otto")
    for stray in (older, f"/sign-in/provider/answer?state={'A' * 43}&code=x", "/sign-in/provider/answer"):
        assert browser.get(stray).status_code == 403 and not is_in(browser)
    assert browser.get(newer).status_code == 303 and is_in(browser)


def test_a_provider_that_gives_no_answer_makes_no_failed_attempts(tmp_path):
    provider = providers.Provider(ACCOUNTS)
    for service in run_to_the_end(Service(tmp_path, has_console=True, settings=settings(tmp_path, provider.issuer))):
        browsers = [ConsoleBrowser(service) for _ in range(8)]
        answers = [agree(begin(browser), "otto") for browser in browsers]
        provider.stop()
        assert [browser.get(answer).status_code for browser, answer in zip(browsers, answers)] == [503] * 8
        assert "token endpoint: no connection, or it broke" in reasons(service)
        # A wrong key is the first failed attempt.
        assert ConsoleBrowser(service).submit("/sign-in", "/sign-in", key="clk_" + "x" * 43).status_code == 403


MAINTENANCE = {
    "a page with 503": (503, "text/html", "<h1>Maintenance</h1>"),
    "a page with 200": (200, "text/html", "<h1>Maintenance</h1>"),
    "a page with 404": (404, "text/html", "<h1>Not here</h1>"),
    "another shape": (200, "application/json", '{"status": "maintenance"}'),
    "a list": (200, "application/json", "[]"),
    "an error": (400, "application/json", '{"error": "temporarily_unavailable"}'),
}
AWAY = "signing in through the provider is not possible"


@pytest.mark.parametrize("what", MAINTENANCE)
def test_a_provider_in_maintenance_refuses_nobody_and_ends_no_session(service, provider, browser, what):
    other = ConsoleBrowser(service)
    assert sign_in(other, "otto").status_code == 303
    before = service.log_text().count(AWAY)
    provider.maintenance = MAINTENANCE[what]
    # More often than attempts may fail.
    for _ in range(7):
        answer = sign_in(browser, "otto", "/sign-in/provider?next=/organizations")
        assert answer.status_code == 503 and answer.headers["Retry-After"] == "5", answer.text
        assert 'href="/sign-in/provider?next=' in answer.text and not is_in(browser)
    assert is_in(other)
    assert service.log_text().count(AWAY) == before + 1
    provider.honest()
    assert sign_in(browser, "otto").status_code == 303
    assert f"{AWAY.replace('not ', '')} again" in service.log_text()


@pytest.mark.parametrize("error", ["temporarily_unavailable", "server_error"])
def test_an_outage_that_the_provider_tells_at_the_redirect_is_no_failed_attempt(browser, error):
    for _ in range(7):
        address = urllib.parse.urlsplit(agree(begin(browser), "otto"))
        state = dict(urllib.parse.parse_qsl(address.query))["state"]
        answer = browser.get(f"{address.path}?{urllib.parse.urlencode({'state': state, 'error': error})}")
        assert answer.status_code == 503 and not is_in(browser)
    assert sign_in(browser, "otto").status_code == 303


@pytest.mark.parametrize("change", [
    lambda query: query | {"state": "A" * 43}, lambda query: query | {"code": "x"}, lambda query: {"code": query["code"]},
    lambda query: {"state": query["state"]}, lambda query: {"state": query["state"], "error": "access_denied"},
    lambda query: query | {"iss": "https://id.evil.example"},
])  # fmt: skip
def test_a_changed_answer_lets_nobody_in(browser, change):
    address = urllib.parse.urlsplit(agree(begin(browser), "otto"))
    query = dict(urllib.parse.parse_qsl(address.query))
    answer = browser.get(f"{address.path}?{urllib.parse.urlencode(change(query))}")
    assert answer.status_code == 403 and not is_in(browser)


@pytest.mark.parametrize("next", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_no_answer_leads_elsewhere(browser, next):
    path = "/sign-in/provider?" + urllib.parse.urlencode({"next": next})
    assert sign_in(browser, "ana", path).headers["Location"] == f"/orgs/{ORG}/campaigns"


def test_a_sign_in_at_another_name_of_the_console_goes_on_at_the_one_of_the_redirect_uri(service, browser):
    """Cookies are of one host, and the provider leads to that of the redirect URI."""
    other = service.console.replace("127.0.0.1", "localhost")
    assert other != service.console
    host = urllib.parse.urlsplit(other).netloc
    path = "/sign-in/provider?next=/organizations"
    led = browser.get(path, Host=host)
    assert led.status_code == 303 and browser.cookie("provider") not in browser.cookies
    address = urllib.parse.urlsplit(led.headers["Location"])
    assert f"{address.scheme}://{address.netloc}" == service.console and address.path == "/sign-in/provider"
    # Whatever `next` is, it leads to no other host.
    elsewhere = browser.get("/sign-in/provider?next=https://evil.example/&next=//evil.example", Host=host)
    assert elsewhere.headers["Location"].startswith(f"{service.console}/sign-in/provider?")
    assert "evil" not in elsewhere.headers["Location"]
    answer = sign_in(browser, "otto", led.headers["Location"])
    assert answer.status_code == 303 and answer.headers["Location"] == "/organizations" and is_in(browser)
    # A proxy that changes the host leads nobody round in a circle.
    again = ConsoleBrowser(service, Host=host)
    assert sign_in(again, "otto", f"{address.path}?{address.query}").status_code == 303 and is_in(again)


def test_what_cannot_be_undone_asks_the_provider_anew(service, provider, browser):
    who = person()
    operator = Operator(service)
    operator.expect(201, "POST", f"/v1/orgs/{ORG}/consents", {"recipient": who, "state": "given"})
    sign_in(browser, "otto")
    asked = browser.submit(f"/orgs/{ORG}/person", recipient=who, reason="a request")
    case = asked.headers["Location"]
    assert service.change("UPDATE sessions SET confirmed_at = confirmed_at - 3600000;") > 0
    confirm = browser.follow(browser.submit(case, f"{case}/erase", recipient=who))
    assert confirm.status_code == 200 and who not in confirm.text
    (fresh,) = re.findall(r'href="(/sign-in/provider\?[^"]+)"', confirm.text.replace("&amp;", "&"))
    where = urllib.parse.parse_qs(urllib.parse.urlsplit(begin(browser, fresh)).query)
    assert (where["max_age"], where["prompt"]) == (["0"], ["login"])
    provider.claims = lambda claims: claims | {"auth_time": int(time.time()) - 3600}
    assert sign_in(browser, "otto", fresh).status_code == 403, "an old sign-in proves nothing"
    provider.claims = lambda claims: claims | {"auth_time": int(time.time())}
    assert sign_in(browser, "ana", fresh).status_code == 403, "nor does another account's"
    assert sign_in(browser, "otto", fresh).status_code == 303
    assert browser.follow(browser.submit(case, f"{case}/erase", recipient=who)).status_code == 200
    assert operator.expect(200, "POST", f"/v1/orgs/{ORG}/consents/query", {"recipient": who}).json()["history"] == []


def test_failed_sign_ins_are_slowed_down(provider, browser):
    provider.sign = providers.unsigned
    answers = []
    # On a slow machine the wait of a second has passed before the next attempt, and the wait behind that is longer.
    while len(answers) < 10 and 429 not in [answer.status_code for answer in answers]:
        answers.append(sign_in(browser, "otto"))
    *failed, slowed = answers
    assert [answer.status_code for answer in failed] == [403] * len(failed) and len(failed) >= 5
    assert slowed.status_code == 429
    # The other tests come from the same address.
    time.sleep(int(slowed.headers["Retry-After"]) + 0.1)


def test_a_session_ends_with_the_mapping_that_it_was_given_by(tmp_path, provider):
    kept = settings(tmp_path, provider.issuer)
    service = Service(tmp_path, has_console=True, settings=kept)
    for service in run_to_the_end(service):
        Operator(service).make("restrictive", id=ORG)
        browsers = {name: ConsoleBrowser(service) for name in ("otto", "ana")}
        for name, browser in browsers.items():
            assert sign_in(browser, name).status_code == 303
        service.restart()
        assert all(is_in(browser) for browser in browsers.values())
        service.settings = kept | {"CONSENTLINK_CONSOLE_OIDC_ROLES": f"marketing=marketer@{ORG}"}
        service.restart()
        assert is_in(browsers["ana"]) and not is_in(browsers["otto"])
        service.settings = {}
        service.restart()
        assert not is_in(browsers["ana"])


@pytest.mark.parametrize("left", [["audit"], [], {"root": True}, 7, ["root", None], ["root"] * 513])
@pytest.mark.parametrize("is_fresh", [True, False])
def test_a_sign_in_that_shows_other_roles_ends_the_sessions_with_the_old_ones(service, provider, browser, left, is_fresh):
    others = [ConsoleBrowser(service) for _ in range(2)]
    for signed_in, account in [(browser, "otto"), (others[0], "otto"), (others[1], "ana")]:
        assert sign_in(signed_in, account).status_code == 303
    provider.claims = lambda claims: claims | {"roles": left}
    has_role = left == ["audit"]
    if is_fresh:
        refused = sign_in(browser, "otto", "/sign-in/provider?fresh=1&next=/organizations")
        assert refused.status_code == 403 and ("Your roles have changed" in refused.text) == has_role
    else:
        assert sign_in(ConsoleBrowser(service), "otto").status_code == (303 if has_role else 403)
    assert not is_in(browser) and not is_in(others[0])
    assert is_in(others[1]), "another account's"
    acts = [line for line in service.log_text().splitlines() if "console.sessions-end" in line]
    assert f"otto@{provider.issuer}" in acts[-1]


@pytest.mark.embedded_storage_only
def test_people_sign_in_while_service_time_is_ahead_of_the_clock(tmp_path, provider):
    """After the system's clock was ahead and was set right: it agrees with the provider's, and service time does not."""
    clock = MovingClock(tmp_path)
    own = clock.settings | settings(tmp_path, provider.issuer)
    for service in run_to_the_end(Service(tmp_path, has_console=True, settings=own)):
        Operator(service).make("restrictive", id=ORG)
        clock.set(HOUR)
        eventually(lambda: scrape(service).total("consentlink_clock_steps_total") >= 1)
        clock.set(0)
        eventually(lambda: scrape(service).total("consentlink_clock_lead_seconds") > 3000)
        browser = ConsoleBrowser(service)
        assert sign_in(browser, "otto").status_code == 303 and is_in(browser)
        fresh = "/sign-in/provider?fresh=1&next=/health"
        assert sign_in(browser, "otto", fresh).headers["Location"] == "/health"
        provider.claims = lambda claims: claims | {"auth_time": int(time.time()) - 600}
        assert sign_in(browser, "otto", fresh).status_code == 403, "a proof before the request is none"
        assert scrape(service).total("consentlink_clock_lead_seconds") > 3000


def test_the_operators_key_works_while_the_provider_is_away(tmp_path):
    provider = providers.Provider(ACCOUNTS)
    for service in run_to_the_end(Service(tmp_path, has_console=True, settings=settings(tmp_path, provider.issuer))):
        provider.stop()
        browser = ConsoleBrowser(service)
        answer = browser.get("/sign-in/provider")
        assert answer.status_code == 503 and "no connection" in " ".join(reasons(service))
        browser.sign_in(service.operator_key)
        assert browser.page("/health").status_code == 200
