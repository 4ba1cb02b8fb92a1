"""What operators and managers see and do in the console: whether a click is lost now, organizations, keys, signing keys,
backups, the record of processing, and the link that signs in once."""

import csv
import errno
import io
import json
import re
import time
from datetime import timedelta

import pytest
from conftest import run_to_the_end
from harness import times, wire
from harness.client import Client, Operator, Organization, assert_problem, message, person, unique
from harness.console import ConsoleBrowser, facts_of, form_of
from harness.eventually import eventually
from harness.faulty_disk import FaultyDisk
from harness.metrics import scrape
from harness.service import Service

LINKS = "/v1/console/sign-in-links"
OPERATORS = ["/health", "/organizations", "/signing-keys", "/upkeep"]
OPERATORS_FORMS = ["/organizations", "/signing-keys/rotate", "/signing-keys/retire", "/upkeep/back-up"]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    yield from run_to_the_end(Service(tmp_path_factory.mktemp("console"), has_console=True))


@pytest.fixture
def own_service(tmp_path):
    yield from run_to_the_end(Service(tmp_path, has_console=True))


@pytest.fixture(scope="module")
def org(service):
    return Operator(service).make("restrictive")


@pytest.fixture
def browser(service):
    return ConsoleBrowser(service).sign_in(service.operator_key)


def values(table):
    return {row["name"]: row["value"] for row in table}


def acts(service):
    lines = [json.loads(line) for line in service.log_text().splitlines()]
    return [(line["act"], line["by"], line["status"]) for line in lines if line["message"] == "administrative act"]


def unconfirm(service):
    """Everybody proved long ago who they are."""
    assert service.change("UPDATE sessions SET confirmed_at = confirmed_at - 3600000;") > 0


@pytest.mark.parametrize("path", OPERATORS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_each_page_of_the_operator_in_both_languages(browser, org, path, language):
    answer = browser.page(f"{path}?lang={language}")
    assert f'<html lang="{language}">' in answer.text
    assert "style=" not in answer.text and len(answer.content) < 100_000
    for tables in browser.data(path).values():
        assert isinstance(tables, list)


def test_the_operators_first_page_is_health(browser):
    assert str(browser.page("/").url).endswith("/health")


@pytest.mark.parametrize("scope", ["report", "read", "manage"])
def test_others_have_no_route_of_the_operator(service, org, scope):
    other = ConsoleBrowser(service).sign_in(org.with_scopes(scope).key)
    for path in OPERATORS:
        assert other.get(path).status_code == 403, path
    token = other.form("/sessions", "/sessions/end-all").fields
    for path in OPERATORS_FORMS:
        assert other.post(path, token).status_code == 403, path
    assert (other.get(f"/orgs/{org.id}/keys").status_code == 200) == (scope == "manage")
    assert other.get(f"/orgs/{org.id}/processing").status_code == 200
    stranger = Operator(service).make("restrictive")
    for page in ("keys", "processing"):
        assert other.get(f"/orgs/{stranger.id}/{page}").status_code == 404


class TestHealth:
    def test_no_click_is_lost(self, browser):
        page = browser.page("/health").text
        assert "No click is being lost." in page and 'data-live-every="1"' in page
        now = values(browser.data("/health")["now"])
        assert now["state"] == "good" and now["notReadyForLinks"] == now["notReadyForAPI"] == ""
        assert int(now["diskFreeBytes.data"]) > 0

    def test_it_counts_what_the_metrics_count(self, service, browser):
        org = Operator(service).make("nonRestrictive")
        for _ in range(3):
            who = person()
            assert wire.follow(org.compose([who]).link(who)).status == 302
        org.settle()
        data, metrics = browser.data("/health"), scrape(service)
        now, recorded = values(data["now"]), metrics.value("consentlink_clicks_spooled_total")
        assert recorded >= 3
        assert int(now["recorded"]) == recorded
        assert int(now["unrecorded"]) == metrics.total("consentlink_clicks_unrecorded_total")
        assert int(now["spoolDepth"]) == metrics.value("consentlink_spool_depth") == 0
        assert int(now["unjudged"]) == metrics.value("consentlink_clicks_unjudged_total")
        assert sum(minute["recorded"] for minute in data["minutes"]) == recorded
        buckets = metrics.by("consentlink_spool_commit_seconds_bucket", "le")
        slowest = min(float(bound) for bound, count in buckets.items() if count == buckets["+Inf"])
        assert 0 < int(now["commitP99Microseconds"]) <= slowest * 1_000_000

    def test_times_of_commits_are_those_of_the_metrics(self, own_service):
        """In its first minute a service has no commits but those that the page counts."""
        org = Operator(own_service).make("nonRestrictive")
        for _ in range(20):
            who = person()
            assert wire.follow(org.compose([who]).link(who)).status == 302
        browser = ConsoleBrowser(own_service).sign_in(own_service.operator_key)
        now = values(browser.data("/health")["now"])
        buckets = scrape(own_service).by("consentlink_spool_commit_seconds_bucket", "le")
        counts = sorted((float(bound), count) for bound, count in buckets.items())
        commits = counts[-1][1]
        assert commits > 0
        shown = facts_of(browser.page("/health").text)
        for name, title, share in (("Median", "Commit time, median (p50)", 0.5), ("P99", "Commit time, p99", 0.99)):
            most = next(round(bound * 1_000_000) for bound, count in counts if count >= commits * share)
            assert int(now[f"commit{name}Microseconds"]) == most, counts
            assert shown[title][0] == f"≤ {most:,} µs" if most < 1000 else f"≤ {most / 1000:,.1f} ms"

    def test_without_scripts_the_browser_asks_again(self, browser):
        assert 'href="/health?refresh=1"' in browser.page("/health").text
        asking = browser.page("/health?refresh=1").text
        assert '<meta http-equiv="refresh" content="1">' in asking
        assert '<a href="/health">Stop refreshing</a>' in asking
        assert "Stop refreshing" not in browser.page("/health").text

    def test_the_script_has_words_for_a_service_that_does_not_answer(self, browser):
        for language, words in [("en", "No answer from the service since {time} UTC."), ("de", "Keine Antwort vom Dienst seit {time} UTC.")]:
            page = browser.page(f"/health?lang={language}").text
            assert f'data-no-answer="{words}"' in page and re.search(r'data-as-of="\d\d:\d\d:\d\d"', page)

    def test_each_table_has_a_caption_of_its_own(self, service, browser):
        org = Operator(service).make("nonRestrictive")
        who = person()
        assert wire.follow(org.compose([who]).link(who)).status == 302
        captions = re.findall(r"<caption>(.*?)</caption>", browser.page("/health").text)
        assert len(captions) >= 3 and len(set(captions)) == len(captions)

    def test_a_full_disk_is_told_by_the_page_that_is_asked_for_after_the_first_lost_click(self, tmp_path):
        for disk in run_to_the_end(FaultyDisk(tmp_path, has_console=True)):
            browser = ConsoleBrowser(disk).sign_in(disk.operator_key)
            org = Operator(disk).make("nonRestrictive")
            people = [person() for _ in range(3)]
            composed = org.compose(people)
            assert wire.follow(composed.link(people[0])).status == 302
            assert values(browser.data("/health")["now"])["state"] == "good"
            disk.fail("write", errno.ENOSPC)
            assert wire.follow(composed.link(people[1])).status == 302
            page = browser.page("/health").text
            assert "Clicks are not being recorded: the disk is full." in page
            assert wire.follow(composed.link(people[2])).status == 302
            data = browser.data("/health")
            now = values(data["now"])
            assert now["state"] == "bad" and now["unrecorded"] == "2"
            assert ", 2 clicks were redirected without a record." in now["detail"]
            assert [(row["reason"], row["clicks"]) for row in data["unrecorded"]] == [("full", 2)]
            disk.heal()
            deadline = time.monotonic() + 30
            while values(browser.data("/health")["now"])["state"] != "good" and time.monotonic() < deadline:
                time.sleep(0.5)
            now = values(browser.data("/health")["now"])
            assert now["state"] == "good" and "2 clicks were redirected without a record" in now["detail"]

    def test_it_works_while_the_database_takes_no_writes(self, tmp_path):
        """Whoever is signed in stays signed in, on every page, whether the database has heard of the session or not."""
        for disk in run_to_the_end(FaultyDisk(tmp_path, file="consentlink.db", has_console=True)):
            before, browser = ConsoleBrowser(disk).sign_in(disk.operator_key), ConsoleBrowser(disk)
            disk.fail("write", errno.ENOSPC)
            browser.sign_in(disk.operator_key)
            assert "No click is being lost" in browser.page("/health").text
            statuses = [each.get(path).status_code for path in ["/health", "/organizations"] * 5 for each in (before, browser)]
            assert statuses == [200] * 20
            disk.heal()
            assert browser.get("/health").status_code == 200
            # What could not be stored is stored when it can be.
            disk.restart()
            assert [each.get("/health").status_code for each in (before, browser)] == [200, 200]


class TestOrganizations:
    def test_a_new_one_has_a_key_that_works_and_is_shown_once(self, service, browser):
        id = unique("org")
        answer = browser.submit("/organizations", "/organizations", id=id, name="A name", enforcement="restrictive")
        assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
        key = shown(answer.text)
        made = Client(service, key).expect(200, "GET", f"/v1/orgs/{id}").json()
        assert (made["name"], made["enforcement"]) == ("A name", "restrictive")
        assert key not in browser.page("/organizations").text and key not in service.log_text()
        assert ("organization.create", "operator", "done") in acts(service)
        assert id in [row["id"] for row in every(browser, "organizations")]

    def test_what_does_not_fit_is_refused_as_the_api_does(self, browser, org):
        for fields, status in [
            ({"id": ""}, 422), ({"id": ".."}, 422), ({"id": "a b"}, 422), ({"id": "x" * 65}, 422),
            ({"id": unique(), "name": "n" * 257}, 422), ({"id": unique(), "enforcement": "other"}, 422),
            ({"id": org.id}, 409),
        ]:  # fmt: skip
            sent = {"enforcement": "restrictive"} | fields
            answer = browser.submit("/organizations", "/organizations", **sent)
            assert answer.status_code == status, fields
            if fields.get("enforcement") != "other":
                form = form_of(answer.text, "/organizations")
                assert form.fields["id"] == fields["id"].strip() and form.fields["name"] == fields.get("name", "")
                assert 'role="alert"' in answer.text and 'aria-invalid="true"' in answer.text
                assert 'class="languages"' not in answer.text, "a link would lead to a page without what was said"

    def test_it_leads_to_each_ones_pages(self, browser, org):
        answer = browser.get("/organizations?as=csv")
        assert answer.headers["Content-Type"].startswith("text/csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert list(rows[0])[:3] == ["id", "name", "enforcement"] and "campaigns" not in rows[0]
        page = browser.page("/organizations").text
        assert org.id in {row["id"] for row in rows}
        first = rows[0]["id"]
        for name in ("campaigns", "consent", "person", "decisions", "ledger", "access", "keys", "processing"):
            assert f'href="/orgs/{first}/{name}"' in page, name
        labels = re.findall(r'aria-label="([^"]*: [^"]*)"', page)
        assert len(labels) == len(set(labels)) >= 8

    def test_making_one_asks_again_who_it_is(self, own_service):
        browser = ConsoleBrowser(own_service).sign_in(own_service.operator_key)
        form, id = browser.form("/organizations", "/organizations"), unique("org")
        unconfirm(own_service)
        answer = browser.post(form.action, form.fields | {"id": id, "enforcement": "restrictive"})
        assert answer.status_code == 403
        assert form_of(answer.text, "/confirm").fields["next"] == "/organizations"
        assert browser.data("/organizations")["organizations"] == []


def every(browser, table):
    """The rows of all pages of a table."""
    rows, path = [], f"/{table}"
    while path:
        found = browser.data(path)[table]
        rows += found
        path = f"/{table}?after={found[-1]['id']}" if len(found) == 50 else None
    return rows


def form_missing(page, action):
    return f'action="{action}"' not in page


def shown(page):
    return page.split('data-copied="', 1)[1].split(">", 1)[1].split("<", 1)[0]


class TestKeys:
    def path(self, org):
        return f"/orgs/{org.id}/keys"

    def test_a_manager_makes_and_deletes_keys(self, service, org):
        manager = org.with_scopes("manage", "read")
        browser = ConsoleBrowser(service).sign_in(manager.key)
        answer = browser.submit(self.path(org), self.path(org), name="for <reports>", **{"scope-report": "yes"})
        assert answer.status_code == 200, answer.text
        made = Client(service, shown(answer.text))
        assert made.call("GET", f"/v1/orgs/{org.id}/report?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z").status_code == 200
        assert made.call("GET", f"/v1/orgs/{org.id}/keys").status_code == 403
        (row,) = [row for row in browser.data(self.path(org))["keys"] if row["name"] == "for <reports>"]
        assert row["scopes"] == "report" and "for &lt;reports&gt;" in browser.page(self.path(org)).text
        delete = f"{self.path(org)}/{row['id']}/delete"
        answer = browser.submit(self.path(org), delete)
        assert answer.status_code == 303 and answer.headers["Location"].startswith(f"{self.path(org)}?done=deleted")
        assert "The key is deleted." in browser.follow(answer).text
        assert made.call("GET", f"/v1/orgs/{org.id}").status_code == 401
        id = manager.made["id"]
        assert ("key.create", id, "done") in acts(service) and ("key.delete", id, "done") in acts(service)

    @pytest.mark.parametrize(("own", "wanted", "status"), [
        (["manage"], ["read"], 403), (["manage"], ["manage", "compose"], 403), (["manage", "read"], ["deliver"], 403),
        (["manage", "read"], ["report"], 200), (["manage"], ["manage"], 200), (["manage"], [], 422),
    ])  # fmt: skip
    def test_nobody_gives_more_than_they_have(self, service, org, own, wanted, status):
        browser = ConsoleBrowser(service).sign_in(org.with_scopes(*own).key)
        before = org.expect(200, "GET", org.path("/keys?limit=1000")).json()["keys"]
        fields = {f"scope-{scope}": "yes" for scope in wanted}
        assert browser.submit(self.path(org), self.path(org), **fields).status_code == status
        after = org.expect(200, "GET", org.path("/keys?limit=1000")).json()["keys"]
        assert len(after) - len(before) == (status == 200)

    def test_a_name_that_is_too_long_keeps_the_form(self, service, org):
        browser = ConsoleBrowser(service).sign_in(org.with_scopes("manage", "read").key)
        answer = browser.submit(self.path(org), self.path(org), name="n" * 257, **{"scope-report": "yes"})
        assert answer.status_code == 422 and 'aria-invalid="true"' in answer.text
        form = form_of(answer.text, self.path(org))
        assert form.fields["name"] == "n" * 257 and form.fields["scope-report"] == "yes"
        assert 'class="languages"' not in answer.text

    def test_a_new_key_is_shown_without_a_link_that_loses_it(self, service, org):
        browser = ConsoleBrowser(service).sign_in(org.with_scopes("manage").key)
        answer = browser.submit(self.path(org), self.path(org), **{"scope-manage": "yes"})
        assert shown(answer.text).startswith("clk_") and 'class="languages"' not in answer.text
        assert 'data-copy-name="The new key"' in answer.text

    def test_making_one_asks_again_who_it_is(self, service, org):
        browser = ConsoleBrowser(service).sign_in(org.with_scopes("manage").key)
        form = browser.form(self.path(org), self.path(org))
        before = len(browser.data(self.path(org))["keys"])
        unconfirm(service)
        answer = browser.post(form.action, form.fields | {"scope-manage": "yes"})
        assert answer.status_code == 403 and form_of(answer.text, "/confirm").fields["next"] == self.path(org)
        assert len(browser.data(self.path(org))["keys"]) == before

    def test_when_each_was_made_and_last_used(self, own_service):
        org = Operator(own_service).make("restrictive")
        begun = times.now() - timedelta(seconds=1)
        used, unused, manager = org.with_scopes("read"), org.with_scopes("report"), org.with_scopes("manage")
        assert used.call("GET", org.path("/decisions")).status_code == 200
        ConsoleBrowser(own_service).sign_in(manager.key)
        # Uses are written down within a minute, and when the service ends.
        own_service.restart()
        keys = {key["id"]: key for key in org.expect(200, "GET", org.path("/keys")).json()["keys"]}
        assert len(keys) == 4
        for key in keys.values():
            assert key["createdAt"] <= (key["lastUsedAt"] or key["createdAt"])
        assert keys[unused.made["id"]]["lastUsedAt"] is None
        for which in (used, manager):
            assert begun <= times.parse(keys[which.made["id"]]["lastUsedAt"]) <= times.now() + timedelta(seconds=1)
        browser = ConsoleBrowser(own_service).sign_in(manager.key)
        rows = {row["id"]: row for row in browser.data(self.path(org))["keys"]}
        for id, key in keys.items():
            assert (rows[id]["createdAt"], rows[id]["lastUsedAt"]) == (key["createdAt"], key["lastUsedAt"])

    def test_deleting_asks_again_who_it_is(self, service, org):
        manager = org.with_scopes("manage")
        browser = ConsoleBrowser(service).sign_in(manager.key)
        victim = org.with_scopes("report").made["id"]
        delete = f"{self.path(org)}/{victim}/delete"
        form = browser.form(self.path(org), delete)
        unconfirm(service)
        answer = browser.post(form.action, form.fields)
        assert answer.status_code == 403, answer.headers
        confirm = form_of(answer.text, "/confirm")
        assert confirm.fields["next"] == self.path(org)
        assert victim in [row["id"] for row in browser.data(self.path(org))["keys"]]
        answer = browser.post("/confirm", confirm.fields | {"key": manager.key})
        assert answer.headers["Location"] == self.path(org)
        assert browser.submit(self.path(org), delete).status_code == 303
        assert victim not in [row["id"] for row in browser.data(self.path(org))["keys"]]

    def test_the_key_of_another_organization_is_none(self, service, org):
        manager = ConsoleBrowser(service).sign_in(org.with_scopes("manage").key)
        foreign = Operator(service).make("restrictive")
        own = manager.form(self.path(org), self.path(org)).fields
        assert manager.post(f"{self.path(foreign)}/{foreign.made['key']['id']}/delete", own).status_code == 404
        foreign.expect(200, "GET", foreign.path())


class TestSigningKeys:
    def test_rotate_and_retire(self, own_service):
        browser = ConsoleBrowser(own_service).sign_in(own_service.operator_key)
        assert [key["state"] for key in browser.data("/signing-keys")["keys"]] == ["signs"]
        assert form_missing(browser.page("/signing-keys").text, "/signing-keys/retire")
        answer = browser.submit("/signing-keys", "/signing-keys/rotate")
        assert answer.status_code == 303
        assert "a new key signs" in browser.follow(answer).text
        first, second = browser.data("/signing-keys")["keys"]
        assert (first["state"], second["state"]) == ("opens", "signs")
        listed = Operator(own_service).expect(200, "GET", "/v1/keyring").json()["keys"]
        assert first["linksAliveUntil"] == listed[0]["linksAliveUntil"]
        assert browser.submit("/signing-keys", "/signing-keys/retire", key=second["id"]).status_code == 409
        assert browser.submit("/signing-keys", "/signing-keys/retire", key=first["id"]).status_code == 409
        form = browser.form("/signing-keys", "/signing-keys/retire")
        unconfirm(own_service)
        answer = browser.post(form.action, form.fields | {"key": first["id"], "force": "yes"})
        assert answer.status_code == 403 and len(browser.data("/signing-keys")["keys"]) == 2
        confirm = form_of(answer.text, "/confirm")
        assert browser.post("/confirm", confirm.fields | {"key": own_service.operator_key}).status_code == 303
        answer = browser.submit("/signing-keys", "/signing-keys/retire", key=first["id"], force="yes")
        assert answer.status_code == 303
        assert "The key is retired." in browser.follow(answer).text
        assert [key["id"] for key in browser.data("/signing-keys")["keys"]] == [second["id"]]
        assert [act for act, _, status in acts(own_service) if status in ("done", "refused")] == [
            "console.sign-in", "keyring.rotate", "keyring.retire", "keyring.retire", "console.confirm",
            "keyring.retire",
        ]  # fmt: skip


def act_lines(service):
    lines = [json.loads(line) for line in service.log_text().splitlines()]
    return [line for line in lines if line["message"] == "administrative act"]


def test_an_act_is_logged_with_the_details_that_the_api_logs(own_service):
    """Each act once through the API and once through the console: the same members, and the same values but for what
    each was done to."""
    operator, secret = Operator(own_service), unique("private")
    org = operator.make("restrictive")
    api_ana, ana = person(secret), person(secret)
    for who in (api_ana, ana):
        org.tracked_link(who)
    api_made, made = (org.make_message(message())["id"] for _ in range(2))
    browser = ConsoleBrowser(own_service).sign_in(own_service.operator_key)
    dawn, dusk = times.from_now(days=-1)[:10], times.from_now(days=2)[:10]
    at, keys, export = f"/orgs/{org.id}/campaigns/{made}", f"/orgs/{org.id}/keys", f"/orgs/{org.id}/ledger/export"
    case = browser.submit(f"/orgs/{org.id}/person", recipient=ana, reason=secret).headers["Location"]

    def api(method, path, body=None):
        return lambda: operator.call(method, path, body)

    def form(page, action=None, **fields):
        return lambda: browser.submit(page, action or page, **fields)

    def newest_key():
        return org.expect(200, "GET", org.path("/keys")).json()["keys"][-1]["id"]

    faults = []

    def new(id):
        return {"id": id, "name": secret, "enforcement": "nonRestrictive"}

    for act, through_api, through_console in [
        ("message.disable", api("POST", org.path(f"/messages/{api_made}/disable")), form(at, f"{at}/disable")),
        ("message.enable", api("POST", org.path(f"/messages/{api_made}/enable")), form(at, f"{at}/enable")),
        ("organization.create", api("POST", "/v1/orgs", new(unique("a"))), form("/organizations", **new(unique("b")))),
        ("key.create", api("POST", org.path("/keys"), {"scopes": ["read", "report"], "name": secret}),
         form(keys, name=secret, **{"scope-read": "yes", "scope-report": "yes"})),
        ("key.delete", lambda: operator.call("DELETE", org.path(f"/keys/{newest_key()}")),
         lambda: browser.submit(keys, f"{keys}/{newest_key()}/delete")),
        ("audit.export", api("POST", org.path("/audits"), {}), lambda: browser.get(export)),
        ("audit.export", api("POST", org.path("/audits"), {"from": f"{dawn}T00:00:00Z", "to": f"{dusk}T00:00:00Z"}),
         lambda: browser.get(f"{export}?from={dawn}&to={dusk}")),
        ("recipient.export", api("POST", org.path("/recipients/export"), {"recipient": api_ana}), lambda: browser.get(f"{case}/export")),
        ("recipient.erase", api("POST", org.path("/recipients/erase"), {"recipient": api_ana}), form(case, f"{case}/erase", recipient=ana)),
        ("keyring.rotate", api("POST", "/v1/keyring/rotate"), form("/signing-keys", "/signing-keys/rotate")),
        ("keyring.retire", api("POST", "/v1/keyring/1/retire", {"force": True}),
         form("/signing-keys", "/signing-keys/retire", key="2", force="yes")),
        ("backup.make", api("POST", "/v1/backup"), form("/upkeep", "/upkeep/back-up")),
    ]:  # fmt: skip
        lines = []
        for carry_out in (through_api, through_console):
            before = len(act_lines(own_service))
            answer = carry_out()
            assert answer.status_code in (200, 201, 204, 303), (act, answer.text)
            (line,) = act_lines(own_service)[before:]
            lines.append({name: value for name, value in line.items() if name not in ("time", "timestamp", "request", "status")})
        assert [line["act"] for line in lines] == [act, act]
        of_each = {"keyId", "signingKey", "files"} | ({"organization"} if act == "organization.create" else set())
        expected = {name: value for name, value in lines[0].items() if name not in of_each}
        expected |= {"messageId": made} if "messageId" in expected else {}
        differing = {name: (value, lines[1].get(name)) for name, value in expected.items() if lines[1].get(name) != value}
        if differing or set(lines[0]) != set(lines[1]):
            faults.append((act, differing, set(lines[0]) ^ set(lines[1])))
    assert faults == []
    text = own_service.log_text()
    for private in (secret, org.key, own_service.operator_key, case.rsplit("/", 1)[1]):
        assert private not in text


def test_a_backup_is_made_and_listed(own_service):
    browser = ConsoleBrowser(own_service).sign_in(own_service.operator_key)
    org = Operator(own_service).make("restrictive")
    assert browser.data("/upkeep")["backups"] == []
    answer = browser.submit("/upkeep", "/upkeep/back-up")
    assert answer.status_code == 303
    assert "The backup is made." in browser.follow(answer).text
    data = browser.data("/upkeep")
    (backup,) = data["backups"]
    assert backup["bytes"] > 0
    assert values(browser.data("/health")["now"])["lastBackup"] == backup["startedAt"]
    (kept,) = data["retention"]
    assert kept["organization"] == org.id and kept["interactions"] == "760 days"
    assert data["jobs"][0]["holder"] == "thisNode"
    assert set(backup) == {"name", "startedAt", "bytes"}
    (run,) = eventually(lambda: browser.data("/upkeep")["runs"])
    assert run["interactions"] == run["decisions"] == run["accesses"] == 0
    assert run["lastEnd"] < run["nextRun"]


@pytest.mark.parametrize(("path", "claim"), [
    ("/orgs/{org}/keys?done=deleted", "The key is deleted."), ("/signing-keys?done=rotated", "The key ring is rotated"),
    ("/signing-keys?done=retired", "The key is retired."), ("/signing-keys?done=retiredHere", "The key is retired."),
    ("/signing-keys?retiredExcept=links-2", "The key is retired."), ("/upkeep?done=made", "The backup is made."),
])  # fmt: skip
def test_an_address_that_was_typed_claims_nothing(browser, org, path, claim):
    assert claim not in browser.page(path.format(org=org.id)).text


@pytest.mark.parametrize("refusal", ["expired", "sent", "closed", "unavailable"])
@pytest.mark.parametrize("path", ["/health", "/signing-keys", "/orgs/{org}/person"])
def test_an_address_that_was_typed_refuses_nothing(browser, org, path, refusal):
    assert browser.get(f"{path.format(org=org.id)}?refused={refusal}").status_code == 200


@pytest.mark.embedded_storage_only  # its disk is filled
@pytest.mark.fault
def test_a_form_that_a_full_disk_refused_can_be_sent_again(tmp_path):
    """The same form, as a browser sends it again. A page that showed the refusal leads back to the form."""
    for disk in run_to_the_end(FaultyDisk(tmp_path, file="consentlink.db", has_console=True)):
        browser, org = ConsoleBrowser(disk).sign_in(disk.operator_key), Operator(disk).make("restrictive")
        message_page = f"/orgs/{org.id}/campaigns/{org.make_message(message())['id']}"
        disable = browser.form(message_page, f"{message_page}/disable")
        person_page = f"/orgs/{org.id}/person"
        look = browser.form(person_page, person_page)
        asked = look.fields | {"recipient": "ana@people.example", "reason": "a complaint"}
        disk.fail("write", errno.ENOSPC)
        assert browser.post(disable.action, disable.fields).status_code == 503
        refused = browser.post(look.action, asked)
        page = browser.get(refused.headers["Location"])
        assert page.status_code == 503 and f'<a href="{person_page}">Open the page again</a>' in page.text
        disk.heal()
        eventually(lambda: org.call("PATCH", org.path(), {"name": "x"}).status_code == 200)
        assert browser.post(disable.action, disable.fields).status_code == 303
        assert browser.post(look.action, asked).headers["Location"].startswith(f"{person_page}/")
        assert browser.get(person_page).status_code == 200
        # What has been carried out is not carried out again.
        again = browser.post(disable.action, disable.fields)
        assert again.status_code == 409 and "It may have taken effect" in again.text


def test_a_form_that_comes_twice_says_what_its_first_answer_showed(browser, org):
    keys = f"/orgs/{org.id}/keys"
    for path, fields, words, back in (
        (keys, {"scope-read": "yes"}, "A key may have been made", keys),
        ("/organizations", {"id": unique(), "enforcement": "restrictive"}, "The organization may have been made", "/organizations"),
    ):
        form = browser.form(path, path)
        assert browser.post(path, form.fields | fields).status_code == 200
        again = browser.post(path, form.fields | fields)
        assert again.status_code == 409 and words in again.text
        assert f'<a href="{back}">Open the page again</a>' in again.text


class TestPagesAtTheirLimits:
    """What everybody may have, as long and as much of it as a page shows: below 100 KB all the same."""

    @pytest.fixture(scope="class")
    def full(self, tmp_path_factory):
        for service in run_to_the_end(Service(tmp_path_factory.mktemp("full"), has_console=True)):
            operator = Operator(service)
            for number in range(51):
                id = f"{number:02}{'o' * 62}"
                name = {"id": id, "name": "n" * 256, "enforcement": "restrictive"}
                made = operator.expect(201, "POST", "/v1/orgs", name).json()
            org = Organization(service, id, made["key"]["key"], made)
            link = f"https://shop.example/{'l' * 1900}"
            page = "".join(f'<a href="{link}{number}">{number}</a>' for number in range(60))
            content = {"html": f"<html><body>{page}</body></html>", "tags": [f"{n}{'t' * 60}" for n in range(8)]}
            who = person()
            org.record(who, "given")
            for _ in range(51):
                org.make_message({"name": "m" * 200} | content)
            composed = org.compose([who], {"name": "m" * 200} | content, format="email")
            for clicked in re.findall(r'<a href="([^"]+)"', composed.payload(who)["html"]):
                assert wire.follow(clicked).status == 302
            org.settle()
            for _ in range(60):
                org.with_scopes("report")
            browser = ConsoleBrowser(service).sign_in(service.operator_key)
            at = f"/orgs/{org.id}"
            for _ in range(51):
                case = browser.submit(f"{at}/person", recipient=who, reason="r" * 500).headers["Location"]
            yield browser, {
                "person": case, "message": f"{at}/campaigns/{composed.message}", "organizations": "/organizations",
                "upkeep": "/upkeep", "sample": f"{at}/decisions/sample?seed=1&size=100",
            } | {name: f"{at}/{name}" for name in ("campaigns", "consent", "decisions", "ledger", "access", "keys", "processing")}  # fmt: skip

    @pytest.mark.parametrize("name", [
        "person", "message", "organizations", "upkeep", "sample", "campaigns", "consent", "decisions", "ledger",
        "access", "keys", "processing",
    ])  # fmt: skip
    def test_is_below_100_kilobytes(self, full, name):
        browser, pages = full
        page = browser.page(f"{pages[name]}{'&' if '?' in pages[name] else '?'}lang=de")
        size = len(page.content)
        assert size < 100_000


class TestProcessing:
    def test_it_says_what_the_settings_say(self, service, org):
        own = Operator(service).make("nonRestrictive")
        own.make_message(message(purpose="newsletter"))
        own.expect(200, "PATCH", own.path(), {"retention": {"interactionsDays": 90}, "honorGPC": False})
        own.expect(201, "POST", own.path("/endpoints"), {
            "url": "https://hooks.example/secret-path", "kinds": ["consent.recorded"], "include": ["recipient"],
        })  # fmt: skip
        browser = ConsoleBrowser(service).sign_in(own.with_scopes("report").key)
        path = f"/orgs/{own.id}/processing"
        rows = {row["item"]: row for row in browser.data(path)["processing"]}
        assert rows["purposes"]["entry"] == "newsletter"
        assert "nonRestrictive" in rows["basis"]["entry"]
        assert rows["interactionsKept"]["entry"].startswith("90 days")
        assert rows["gpc"]["entry"] == "Not taken into account."
        told = [row for item, row in rows.items() if item.startswith("endpoint.")]
        assert [row["title"] for row in told] == ["hooks.example"]
        assert "with the recipient’s identifier" in told[0]["entry"]
        page = browser.page(f"{path}?lang=de").text
        assert "Art. 30 DSGVO" in page and "secret-path" not in page
        own.set(name="emca\u202e <b>")
        page = browser.page(path).text
        assert "emca⟨U+202E⟩ &lt;b&gt; (" in page and "\u202e" not in page


class TestSignInLinks:
    def test_a_link_signs_in_once(self, own_service):
        made = Operator(own_service).expect(201, "POST", LINKS).json()
        assert made["url"].startswith(f"{own_service.console}/sign-in/link/") and made["expiresAt"].endswith("Z")
        path = made["url"].removeprefix(own_service.console)
        browser, second = ConsoleBrowser(own_service), ConsoleBrowser(own_service)
        page = browser.page(path)
        assert browser.session not in browser.cookies, "a GET alone signs nobody in"
        assert second.get(path).status_code == 200, "nor does it use the link up"
        form, late = form_of(page.text, path), second.form(path, path)
        assert browser.post(path, form.fields).status_code == 303
        assert browser.page("/health").status_code == 200
        again = second.post(path, late.fields)
        assert again.status_code == 410
        again = second.post(path, late.fields)
        assert again.status_code == 409 and "A link signs in only once: ask for a new one." in again.text
        assert second.session not in second.cookies
        assert own_service.operator_key not in page.text and path.rsplit("/", 1)[1] not in own_service.log_text()
        assert ("console.link", "operator", "201") in acts(own_service)

    @pytest.mark.parametrize("is_live", [False, True], ids=["of nobody", "of somebody else"])
    def test_a_session_that_was_there_before_is_not_the_one_that_a_link_signs_in(self, service, org, is_live):
        other = ConsoleBrowser(service)
        planted = other.sign_in(org.with_scopes("report").key).cookies[other.session] if is_live else "A" * 43
        made = Operator(service).expect(201, "POST", LINKS).json()
        path = made["url"].removeprefix(service.console)
        browser = ConsoleBrowser(service)
        browser.cookies[browser.session] = planted
        assert browser.submit(path, path).status_code == 303
        assert browser.cookies[browser.session] != planted and browser.get("/health").status_code == 200
        other.cookies[other.session] = planted
        assert other.get("/health").status_code == 303, "what somebody else knows opens nothing"

    def test_a_link_that_was_not_taken_in_time_signs_nobody_in(self, own_service):
        made = Operator(own_service).expect(201, "POST", LINKS).json()
        own_service.change("UPDATE sign_in_links SET made_at = made_at - 600001;")
        path = made["url"].removeprefix(own_service.console)
        browser = ConsoleBrowser(own_service)
        form = browser.form(path, path)
        assert browser.post(path, form.fields).status_code == 410
        assert browser.session not in browser.cookies

    def test_only_the_operator_gets_one(self, service, org):
        assert_problem(org.call("POST", LINKS), 403)
        assert_problem(Client(service, None).call("POST", LINKS), 401)

    def test_without_a_console_there_is_none(self, tmp_path):
        for service in run_to_the_end(Service(tmp_path)):
            problem = assert_problem(Operator(service).call("POST", LINKS), 404)
            assert "console-listen" in problem["detail"]
