"""Every address of the console refuses whoever may not open it, as docs/console.md says: nobody who is not signed in, no
other role, no other organization, no form of another page, and nothing twice."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import run_to_the_end
from harness.client import Operator, person
from harness.console import ConsoleBrowser
from harness.service import Service

ROOT = Path(__file__).resolve().parents[2]
SCOPES = {"marketer": "report", "auditor": "read", "manager": "manage"}
# What a page says, to tell the refusals with one status apart.
SIGNED_OUT = "Please sign in, and ask for the file again."
ROLE, FORM, CROSS_SITE = "Your role does not allow this.", "is not one that this console gave", "did not come from a page"


@dataclass(frozen=True)
class Address:
    method: str
    path: str
    roles: tuple

    def __str__(self):
        return f"{self.method} {self.path}"

    @property
    def is_of_organization(self):
        return "{org}" in self.path


def documented():
    """The table of docs/console.md."""
    table = re.findall(r"^\| `(GET|POST) (\S+)` \| ([^|]+) \|", (ROOT / "docs/console.md").read_text(), re.MULTILINE)
    return [Address(method, path, tuple(roles.split(", "))) for method, path, roles in table]


def declared():
    """The addresses in the sources, with their constants put in."""
    found, files = set(), sorted((ROOT / "Sources/Console").rglob("*.swift"))
    constants = {}
    paths = (ROOT / "Sources/Console/Routing/FilePath.swift").read_text()
    files_of_console = dict(re.findall(r'case (\w+) = "([^"]*)"', paths))
    for file in files:
        for name, value in re.findall(r'static let (\w+) = "([^"]*)"', file.read_text()):
            for owner in re.findall(r"^(?:struct|enum) (\w+)", file.read_text(), re.MULTILINE):
                constants[owner, name] = value

    def resolved(expression, owners):
        if expression.startswith('"'):
            return re.sub(r"\\\((\w+)\.(\w+)\)", lambda name: constant(*name.groups(), owners), expression.strip('"'))
        return constant(*expression.split("."), owners)

    def constant(owner, name, owners):
        return next(constants[each, name] for each in (owners if owner == "Self" else [owner]) if (each, name) in constants)

    for file in files:
        text = file.read_text()
        owners = re.findall(r"^(?:struct|enum) (\w+)", text, re.MULTILINE)
        for kind, expression in re.findall(r'\.(page|form)\(\s*("[^"]*"|\w+\.\w+), \.(?:roles|anyone|signedIn|operatorAlone)', text):
            found.add(("GET" if kind == "page" else "POST", resolved(expression, owners)))
        for name in re.findall(r"\.file\(\.(\w+), \.roles", text):
            found.add(("GET", files_of_console[name]))
    return found


ADDRESSES = documented()
FORMS = [each for each in ADDRESSES if each.method == "POST"]
GUARDED = [each for each in ADDRESSES if each.roles != ("anyone",)]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    yield from run_to_the_end(Service(tmp_path_factory.mktemp("refusals"), has_console=True))


@pytest.fixture(scope="module")
def org(service):
    return Operator(service).make("restrictive")


@pytest.fixture(scope="module")
def browsers(service, org):
    signed_in = {role: ConsoleBrowser(service).sign_in(org.with_scopes(scope).key) for role, scope in SCOPES.items()}
    return signed_in | {"operator": ConsoleBrowser(service).sign_in(service.operator_key)}


@pytest.fixture(scope="module")
def aging(org):
    """A key with one session at a time: each test makes it too old, and sees that it has ended."""
    return org.with_scopes("report", "read", "manage")


@pytest.fixture(scope="module")
def values(browsers, org):
    """What stands in the place of each part of an address: things that exist."""
    who = person("ana")
    link = org.tracked_link(who)
    asked = browsers["auditor"].submit(f"/orgs/{org.id}/person", recipient=who, reason="a complaint")
    look = org.pages("/accesses", "accesses")[-1]["id"]
    decision = org.query_decisions(recipient=who)[0]
    return {
        "org": org.id, "message": link.message, "case": asked.headers["Location"].rsplit("/", 1)[1], "look": look,
        "key": org.with_scopes("compose").made["id"], "link": "x" * 43, "decisions": decision["id"],
        "consents": decision["consent"], "who": who,
    }  # fmt: skip


def filled(address, values):
    path = re.sub(r"/(decisions|consents)/\{id\}", r"/\1/{\1}", address.path)
    return re.sub(r"\{(\w+)\}", lambda name: values[name[1]], path)


def send(browser, address, values, **headers):
    """Sends nothing in a form."""
    if address.method == "GET":
        return browser.get(filled(address, values), **headers)
    return browser.post(filled(address, values), {}, **headers)


def assert_asks_to_sign_in(answer, address):
    """A file leads nowhere: a browser would save the page for signing in under its name."""
    if address.path.endswith(("/export", "/proof")):
        assert answer.status_code == 403 and SIGNED_OUT in answer.text and "Content-Disposition" not in answer.headers
    else:
        assert answer.status_code == 303 and answer.headers["Location"].startswith("/sign-in"), answer.text


@pytest.mark.parametrize("path", ["/health?as=csv&table=now", "/orgs/{org}/campaigns?as=json", "/orgs/{org}/ledger/export"])
def test_a_file_is_no_page_for_signing_in(service, org, path):
    answer = ConsoleBrowser(service).get(path.format(org=org.id))
    assert answer.status_code == 403 and SIGNED_OUT in answer.text


def test_the_documents_have_every_address():
    assert {(each.method, each.path) for each in ADDRESSES} == declared()
    assert len(ADDRESSES) == len(declared()) > 40


@pytest.mark.parametrize("address", GUARDED, ids=str)
@pytest.mark.parametrize("session", [None, "A" * 43, "!" * 43, ""], ids=["none", "unknown", "no token", "empty"])
def test_nobody_gets_in_without_a_session(service, values, address, session):
    browser = ConsoleBrowser(service)
    if session is not None:
        browser.cookies[browser.session] = session
    answer = send(browser, address, values)
    assert_asks_to_sign_in(answer, address)


@pytest.mark.parametrize("address", GUARDED, ids=str)
def test_a_session_that_has_ended_is_none(service, org, values, address):
    browser = ConsoleBrowser(service).sign_in(org.with_scopes("report", "read", "manage").key)
    kept = dict(browser.cookies)
    assert browser.submit("/sessions", "/sessions/end-all").status_code == 303
    browser.cookies = kept
    answer = send(browser, address, values)
    assert_asks_to_sign_in(answer, address)


@pytest.mark.parametrize("age", ["made_at = made_at - 43200000", "used_at = used_at - 1800000"], ids=["12 hours", "30 idle minutes"])
@pytest.mark.parametrize("address", GUARDED, ids=str)
def test_a_session_that_is_too_old_is_none(service, aging, values, address, age):
    key = aging
    browser = ConsoleBrowser(service).sign_in(key.key)
    assert browser.get("/sessions").status_code == 200
    assert service.change(f"UPDATE sessions SET {age} WHERE account = '{key.made['id']}';") == 1
    answer = send(browser, address, values)
    assert_asks_to_sign_in(answer, address)
    assert browser.session not in browser.cookies, "the browser is told to forget it"


@pytest.mark.parametrize("address", [each for each in GUARDED if each.roles != ("signed in",)], ids=str)
def test_each_role_opens_its_own_pages_alone(browsers, values, address):
    for role, browser in browsers.items():
        answer = send(browser, address, values)
        if role in address.roles or role == "operator":
            assert ROLE not in answer.text, f"{role}: {answer.text}"
            assert answer.status_code != 404 and (address.method == "GET" or FORM in answer.text), (role, answer.status_code)
        else:
            assert answer.status_code == 403 and ROLE in answer.text, f"{role}: {answer.status_code} {answer.text}"


@pytest.mark.parametrize("address", [each for each in GUARDED if each.is_of_organization], ids=str)
def test_another_organization_does_not_exist(service, browsers, values, address):
    other = Operator(service).make("restrictive")
    for role in SCOPES:
        for there in (other.id, "nowhere", "%2e%2e"):
            answer = send(browsers[role], address, values | {"org": there})
            assert answer.status_code == 404, (role, there, answer.text)


# What was erased stands in the address, and the page has no case any more.
CASES = [each for each in GUARDED if "{case}" in each.path and (each.method, each.path[-6:]) != ("GET", "/erase")]


@pytest.fixture(scope="module")
def own_case(service, org, values):
    """The operator's browser with an open case of the organization, and a form that would erase the person."""
    browser = ConsoleBrowser(service).sign_in(service.operator_key)
    asked = browser.submit(f"/orgs/{org.id}/person", recipient=values["who"], reason="a complaint")
    case = asked.headers["Location"]
    erase = browser.form(case, f"{case}/erase").fields | {"recipient": values["who"]}
    look = browser.submit(f"/orgs/{org.id}/access/{values['look']}", reason="a complaint")
    return browser, {"person": case.rsplit("/", 1)[1], "access": look.headers["Location"].rsplit("/", 1)[1]}, erase


@pytest.mark.parametrize("address", CASES, ids=str)
def test_a_case_opens_in_its_own_session_alone(browsers, values, own_case, address):
    _, _, erase = own_case
    if address.method == "POST":
        answer = browsers["operator"].post(filled(address, values), erase)
        assert answer.status_code == 403 and FORM in answer.text
    else:
        answer = send(browsers["operator"], address, values)
        assert answer.status_code == 410, answer.text


@pytest.mark.parametrize("address", CASES, ids=str)
def test_a_case_opens_in_its_own_organization_alone(service, org, values, own_case, address):
    """In the browser that opened it, which may enter both organizations."""
    browser, cases, erase = own_case
    own = values | {"case": cases["access" if "/access/of/" in address.path else "person"]}
    there = own | {"org": Operator(service).make("restrictive").id}
    if address.method == "POST":
        answer = browser.post(filled(address, there), erase)
        assert answer.status_code == 403 and FORM in answer.text
        assert org.consent(erase["recipient"])["history"] != []
        # Nor does it count as sent: only what is of another case is refused.
        assert browser.get(filled(Address("GET", "/orgs/{org}/person/{case}", ()), own)).status_code == 200
    else:
        assert send(browser, address, own).status_code == 200, "the case is open"
        assert send(browser, address, there).status_code == 410


@pytest.mark.parametrize("address", FORMS, ids=str)
@pytest.mark.parametrize("headers", [
    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"},
    {"Origin": None, "Sec-Fetch-Site": None},
], ids=str)  # fmt: skip
def test_a_form_of_another_site_is_refused(browsers, values, address, headers):
    answer = send(browsers["operator"], address, values, **headers)
    assert answer.status_code == 403 and CROSS_SITE in answer.text


@pytest.mark.parametrize("address", FORMS, ids=str)
def test_a_form_of_another_page_is_refused(browsers, values, address):
    browser = browsers["operator"]
    token = browser.form("/upkeep", "/upkeep/back-up").fields["form"]
    for fields in ({}, {"form": ""}, {"form": token[:-1]}, {"form": "A" * len(token)}, {"form": token}):
        if address.path == "/upkeep/back-up" and fields.get("form") == token:
            continue
        answer = browser.post(filled(address, values), fields)
        assert answer.status_code == 403 and FORM in answer.text, fields


# Where the form of an address stands, for whom, and what they fill in; those that end the session come last.
PAGES = {
    "/sign-in": (None, "/sign-in", {}),
    "/sign-in/link/{link}": (None, "/sign-in/link/{link}", {}),
    "/confirm": ("operator", "/confirm", {"key": "{operator}"}),
    "/orgs/{org}/person": ("auditor", "/orgs/{org}/person", {}),
    "/orgs/{org}/ledger/compare": ("auditor", "/orgs/{org}/ledger", {}),
    "/orgs/{org}/access/{look}": ("auditor", "/orgs/{org}/access/{look}", {}),
    "/orgs/{org}/campaigns/{message}/disable": ("operator", "/orgs/{org}/campaigns/{message}", {}),
    "/orgs/{org}/campaigns/{message}/enable": ("operator", "/orgs/{org}/campaigns/{message}", {}),
    "/orgs/{org}/keys": ("manager", "/orgs/{org}/keys", {}),
    "/orgs/{org}/keys/{key}/delete": ("manager", "/orgs/{org}/keys", {}),
    "/organizations": ("operator", "/organizations", {}),
    "/signing-keys/rotate": ("operator", "/signing-keys", {}),
    # The first key opens links alone now.
    "/signing-keys/retire": ("operator", "/signing-keys", {"key": "1", "force": "yes"}),
    "/upkeep/back-up": ("operator", "/upkeep", {}),
    "/orgs/{org}/person/{case}/erase": ("operator", "/orgs/{org}/person/{case}", {"recipient": "{who}"}),
    "/sessions/end": ("marketer", "/sessions", {}),
    "/sessions/end-all": ("marketer", "/sessions", {}),
    "/sign-out": ("manager", "/sessions", {}),
}
# What has happened when one of these is carried out.
DONE = {
    "/confirm": "/health", "/signing-keys/retire": "/signing-keys?done=retired",
    "/orgs/{org}/person/{case}/erase": "/orgs/{org}/person/{case}/erase?",
}  # fmt: skip


def test_each_form_is_sent_twice():
    assert {each.path for each in FORMS} == set(PAGES)


def test_nothing_is_carried_out_twice(service, org, values):
    """In one test: the forms change what the others need."""
    values = values | {"operator": service.operator_key, "who": person("bo")}
    org.tracked_link(values["who"])
    for path, (role, page, fields) in PAGES.items():
        address = next(each for each in FORMS if each.path == path)
        browser = ConsoleBrowser(service)
        if role:
            browser.sign_in(org.with_scopes(SCOPES[role]).key if role in SCOPES else service.operator_key)
        if "{case}" in path:
            asked = browser.submit(f"/orgs/{org.id}/person", recipient=values["who"], reason="a request")
            values["case"] = asked.headers["Location"].rsplit("/", 1)[1]
        form = browser.form(filled(Address("GET", page, ()), values), filled(address, values))
        kept = dict(browser.cookies)
        sent = form.fields | {name: value.format(**values) for name, value in fields.items()}
        first = browser.post(form.action, sent)
        assert first.status_code not in (403, 409) or path == "/sign-in", f"{path}: {first.status_code} {first.text}"
        if path in DONE:
            assert first.headers["Location"].startswith(DONE[path].format(**values)), path
        browser.cookies = kept
        again = browser.post(form.action, sent)
        if path in ("/sign-out", "/sessions/end-all", "/sessions/end"):
            assert again.status_code in (303, 409), path
        else:
            assert browser.follow(again).status_code == 409, f"{path}: {again.status_code} {again.text}"
    assert len({each["id"] for each in org.expect(200, "GET", org.path("/keys")).json()["keys"]} & {values["key"]}) == 0
