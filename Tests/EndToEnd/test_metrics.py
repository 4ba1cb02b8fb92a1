"""What operators read in numbers: counted exactly, told as Prometheus has it, and about nobody."""

import itertools
import re
import shutil
import subprocess
from datetime import datetime

import httpx
import pytest

from harness import postgres, tokens, wire
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.metrics import CONTENT_TYPE, Metrics, scrape

OUTCOMES = {
    *("recorded", "unrecorded", "head", "prefetch", "privacyControl", "expired", "consentEnded"),
    *("methodNotAllowed", "notFound", "gone", "unavailable"),
}


def test_the_page_is_in_the_text_format_and_asks_for_no_key(service):
    answer = httpx.get(f"{service.api}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == CONTENT_TYPE
    assert httpx.get(f"{service.public}/metrics").status_code == 404, "what is counted is not for the public"
    assert httpx.post(f"{service.api}/metrics").status_code == 405


def test_promtool_finds_nothing_wrong(service):
    promtool = shutil.which("promtool")
    assert promtool, "promtool is missing (Debian's package prometheus)"
    checked = subprocess.run(
        [promtool, "check", "metrics"], input=scrape(service).text, capture_output=True, text=True, timeout=60
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_buckets_of_every_histogram_add_up(own_service, own_org):
    """Each has all that is below its bound, and the last has all. A bound is written as Prometheus itself writes it, with
    a point: a series has the same name wherever it is read."""
    for _ in range(3):
        assert wire.follow(own_org.tracked_link().url).status == 302
    histograms = [family for family in scrape(own_service).families.values() if family.type == "histogram"]
    assert any(sample.name.endswith("_count") and sample.value >= 3 for one in histograms for sample in one.samples)
    for family in histograms:
        series = {}
        for sample in family.samples:
            own = {name: value for name, value in sample.labels.items() if name != "le"}
            kind = sample.name.removeprefix(family.name)
            series.setdefault(frozenset(own.items()), {}).setdefault(kind, []).append(sample)
        for labels, found in series.items():
            bounds = [sample.labels["le"] for sample in found["_bucket"]]
            counts = [sample.value for sample in found["_bucket"]]
            (count,), (total,) = found["_count"], found["_sum"]
            at = f"{family.name} {dict(labels)}"
            assert bounds[-1] == "+Inf" and counts[-1] == count.value, at
            assert bounds[:-1] == [str(float(bound)) for bound in bounds[:-1]], at
            assert all(float(lower) < float(upper) for lower, upper in itertools.pairwise(bounds)), at
            assert counts == sorted(counts) and total.value >= 0 and (total.value > 0) == (count.value > 0), at


def test_promtool_finds_what_is_wrong():
    """The negative control."""
    wrong = "# TYPE clicks counter\nclicks 1\n"
    checked = subprocess.run(["promtool", "check", "metrics"], input=wrong, capture_output=True, text=True, timeout=60)
    assert checked.returncode != 0


def test_every_series_is_there_from_the_start(start):
    metrics = scrape(start())
    assert metrics.by("consentlink_redirects_total", "outcome") == dict.fromkeys(OUTCOMES, 0)
    reasons = {"full", "failed", "stuck", "overloaded", "quota", "rate", "diskFloor", "stale"}
    assert metrics.by("consentlink_clicks_unrecorded_total", "reason") == dict.fromkeys(reasons, 0)
    assert metrics.by("consentlink_clicks_dropped_total", "reason") == {"consentEnded": 0, "retentionEnded": 0}
    for name in ("clicks_spooled_total", "spool_depth", "spool_commit_seconds_count", "redirect_seconds_count"):
        assert metrics.value(f"consentlink_{name}") == 0, name
    assert set(metrics.by("consentlink_decisions_total", "outcome")) == {"tracked", "untracked"}
    assert metrics.total("consentlink_decisions_total") == 0
    assert set(metrics.by("consentlink_previews_total", "outcome")) == {"tracked", "untracked"}
    assert metrics.total("consentlink_previews_total") == 0
    routes = metrics.by("consentlink_http_request_seconds_count", "route")
    assert {"/v1/orgs/{org}/payloads", "/v1/orgs/{org}/consents", "/bird/v1/orgs/{org}/interactions"} <= set(routes)
    assert metrics.value("consentlink_ready") == 1
    assert metrics.value("consentlink_retention_lag_seconds") == 0


def test_every_outcome_of_a_link_is_counted_once(own_service, own_org):
    link = own_org.tracked_link()
    other = own_org.tracked_link()
    own_org.record(other.recipient, "withdrawn")
    gone = own_org.tracked_link()
    own_org.expect(200, "POST", own_org.path(f"/messages/{gone.message}/disable"))
    wire.follow(link.url)
    wire.follow(link.url)
    wire.follow(link.url, "HEAD")
    wire.follow(link.url, headers={"Sec-Purpose": "prefetch"})
    wire.follow(link.url, headers={"Sec-GPC": "1"})
    wire.follow(other.url)
    wire.follow(gone.url)
    wire.follow(link.url, "POST")
    wire.follow(link.url[:-1])
    metrics = scrape(own_service)
    expected = dict.fromkeys(OUTCOMES, 0) | dict.fromkeys(
        ("head", "prefetch", "privacyControl", "consentEnded", "gone", "methodNotAllowed", "notFound"), 1
    )
    assert metrics.by("consentlink_redirects_total", "outcome") == expected | {"recorded": 2}
    assert metrics.value("consentlink_redirect_seconds_count") == 9
    assert metrics.value("consentlink_clicks_spooled_total") == 2
    assert 1 <= metrics.value("consentlink_spool_commit_seconds_count") <= 2
    eventually(lambda: scrape(own_service).value("consentlink_interactions_stored_total") == 2)
    assert scrape(own_service).value("consentlink_spool_depth") == 0


def test_what_is_left_in_the_spool_at_the_start_does_not_count_twice(own_service, own_org):
    link = own_org.tracked_link()
    assert wire.follow(link.url).status == 302
    own_service.kill()
    own_service.start()
    assert eventually(lambda: scrape(own_service).value("consentlink_spool_depth") == 0)
    assert wire.follow(link.url).status == 302
    eventually(lambda: len(own_org.clicks(link)) == 2)
    assert scrape(own_service).value("consentlink_spool_depth") == 0


def test_decisions_and_consent_are_counted_by_reason(own_service, own_org):
    people = [person() for _ in range(3)]
    own_org.record_all([{"recipient": who, "state": "given"} for who in people[:2]])
    own_org.record(people[1], "withdrawn")
    own_org.compose(people, message())
    own_org.compose(people, message(tracking=False))
    metrics = scrape(own_service)
    decided = {reason: count for reason, count in metrics.by("consentlink_decisions_total", "reason").items() if count}
    assert decided == {"consentGiven": 1, "consentWithdrawn": 1, "noConsentRecord": 1, "trackingOffForMessage": 3}
    recorded = metrics.by("consentlink_consent_records_total", "state")
    assert {state: count for state, count in recorded.items() if count} == {"given": 2, "withdrawn": 1}
    own_org.erase(people[0])
    assert scrape(own_service).value("consentlink_erasures_total") == 1
    assert scrape(own_service).value("consentlink_erasures_uncleared") == 0


def test_requests_are_timed_by_the_template_of_their_route(own_service, own_org):
    def count(route, status):
        return scrape(own_service).value("consentlink_http_request_seconds_count", route=route, status=status)

    own_org.record(person(), "given")
    own_org.call("POST", own_org.path("/consents"), {"recipient": 1})
    assert count("/v1/orgs/{org}/consents", "2xx") == 1
    assert count("/v1/orgs/{org}/consents", "4xx") == 1
    own_org.call("GET", "/nowhere/at/all")
    assert count("none", "4xx") == 1


def test_hummingbird_counts_requests_by_route_method_and_status(own_service, own_org):
    route = "/v1/orgs/{org}/consents"

    def counted(method, status, route=route):
        """How often it was counted and timed."""
        labels = {"http_route": route, "http_request_method": method, "http_response_status_code": str(status)}
        names = ("hb_requests_total", "http_server_request_duration_seconds_count")
        metrics = scrape(own_service)
        return [metrics.value(name, **labels) for name in names]

    def count(*of):
        try:
            return counted(*of)
        except KeyError:
            return None  # a series is made with the first answer that it counts

    own_org.record(person(), "given")
    own_org.call("POST", own_org.path("/consents"), {"recipient": 1})
    own_org.call("POST", own_org.path("/consents"), {"recipient": 1})
    eventually(lambda: count("POST", 201) == [1, 1])
    eventually(lambda: count("POST", 422) == [2, 2])
    own_org.call("GET", "/nowhere/at/all")
    eventually(lambda: count("GET", 404, "NotFound") == [1, 1])
    # The scrape itself.
    eventually(lambda: scrape(own_service).value("http_server_active_requests", http_request_method="GET") == 1)
    eventually(lambda: scrape(own_service).value("http_server_active_requests", http_request_method="POST") == 0)


def test_methods_that_strangers_make_up_are_one_series_or_none(own_service):
    before = scrape(own_service)
    for number in range(50):
        assert wire.ask(own_service.listen, f"STRANGE{number}", "/robots.txt").status == 400
    for method in ("MKCOL", "PROPFIND", "M-SEARCH", "UNLOCK"):
        assert wire.ask(own_service.listen, method, f"/{method}").status == 404
    eventually(lambda: scrape(own_service).by("hb_requests_total", "http_request_method").get("_OTHER") == 4)
    metrics = scrape(own_service)
    methods = metrics.by("hb_requests_total", "http_request_method")
    assert set(methods) - set(before.by("hb_requests_total", "http_request_method")) <= {"_OTHER", "GET"}
    assert methods["_OTHER"] == 4
    assert metrics.value("consentlink_library_metrics_refused_total") == 0


def test_links_are_not_among_the_requests_that_hummingbird_counts(own_service, own_org):
    link = own_org.tracked_link()
    for _ in range(20):
        wire.follow(link.url)
    assert not [route for route in scrape(own_service).by("hb_requests_total", "http_route") if route.startswith("/r")]


def test_the_lag_of_the_event_loops_is_told(own_service):
    name = "consentlink_event_loop_lag_seconds_count"
    first = scrape(own_service).value(name)
    assert eventually(lambda: scrape(own_service).value(name) > first + 3)


def test_reports_of_devices_are_counted(own_service, own_org):
    who = person()
    own_org.record(who, "given")
    tracking_id = own_org.compose([who]).links(who)["trackingId"]
    path = f"/api/v1.0/orgs/{own_org.id}/pushchannel/event/trackings"
    for identifier, body in (
        (tracking_id, {"PushNotificationStatus": 1}),
        ("A" * 54, {"PushNotificationStatus": 1}),
        (tracking_id, []),
    ):
        httpx.post(f"{own_service.public}{path}/{identifier}", json=body)
    counted = scrape(own_service).by("consentlink_device_reports_total", "outcome")
    assert counted == {"recorded": 1, "foreign": 1, "invalid": 1, "notPermitted": 0, "unavailable": 0}


def test_the_process_is_told_of(service):
    metrics = scrape(service)
    assert 1 << 20 < metrics.value("process_resident_memory_bytes") < 1 << 33
    assert metrics.value("process_start_time_seconds") > 1_700_000_000
    assert metrics.value("process_cpu_seconds_total") > 0
    assert 5 < metrics.value("process_open_fds") < metrics.value("process_max_fds")


def test_the_room_on_the_disks_and_the_size_of_the_databases_are_told(own_service, own_org):
    own_org.record_all([{"recipient": person(), "state": "given"} for _ in range(1000)])
    metrics = scrape(own_service)
    free, size = (metrics.by(f"consentlink_disk_{name}_bytes", "folder") for name in ("free", "size"))
    assert set(free) == set(size) == {"data", "backups"}
    assert all(0 < free[folder] <= size[folder] for folder in free)
    files = ("consentlink.db", "consentlink.db-wal", "spool.db", "spool.db-wal")
    if postgres.is_asked_for():
        told = metrics.by("consentlink_store_bytes", "file")
        size = int(own_service.stored("SELECT pg_database_size(current_database())")[0][0])
        assert set(told) == {"postgresql", *files[2:]} and size / 2 < told["postgresql"] < size * 2
        return

    def sizes():
        """What is told, once nothing is written between telling it and looking."""
        told = scrape(own_service).by("consentlink_store_bytes", "file")
        return told if told == {name: (own_service.data / name).stat().st_size for name in files} else None

    assert eventually(sizes)["consentlink.db-wal"] > 100_000


def test_the_newest_backup_is_told_also_after_a_restart(own_service, own_org):
    name = "consentlink_backup_last_success_timestamp_seconds"
    assert scrape(own_service).value(name) == 0
    for _ in range(2):
        made = Operator(own_service).expect(201, "POST", "/v1/backup").json()
    begun = datetime.fromisoformat(made["startedAt"]).timestamp()
    assert scrape(own_service).value(name) == pytest.approx(begun, abs=0.0005)
    own_service.restart()
    assert scrape(own_service).value(name) == pytest.approx(begun, abs=0.0005)
    shutil.rmtree(own_service.folder / "data-backups")
    assert scrape(own_service).value(name) == 0


def test_how_long_entries_wait_for_a_checkpoint_is_told(own_service, own_org):
    def lag():
        return scrape(own_service).value("consentlink_checkpoint_lag_seconds")

    own_org.record(person(), "given")
    eventually(lambda: lag() == 0)
    checkpoints = own_service.data / "checkpoints"
    checkpoints.rename(own_service.folder / "taken away")
    own_org.record(person(), "given")
    assert eventually(lag) > 0
    assert scrape(own_service).value("consentlink_ready") == 0
    own_service.kill()
    (own_service.folder / "taken away").rename(checkpoints)
    own_service.start()
    assert lag() == 0


def test_the_metrics_name_nobody(own_service, own_org):
    link = own_org.tracked_link(content=message(link="https://shop.example/secret-offer"))
    wire.follow(link.url)
    own_org.clicks(link)
    text = scrape(own_service).text
    for private in (link.recipient, own_org.id, link.message, "shop.example", tokens.of_link(link.url), own_org.key):
        assert private not in text
    assert not re.search(r"AQ[A-Za-z0-9_-]{20}", text)


def test_the_parser_of_the_tests_refuses_what_stands_there_twice():
    with pytest.raises(AssertionError, match="twice"):
        Metrics("# TYPE a gauge\na 1\na 2\n")
