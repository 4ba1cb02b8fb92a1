"""Hits of Adobe Campaign, one request at a time: every form that is taken, and what is not."""

import itertools
import time
from dataclasses import dataclass

import pytest

from clients.adobe_campaign_hits import SDK, HitForm, HitQueue
from clients.device import Device
from harness import times, tokens
from harness.client import message, person, unique
from stage import feed, forgeries
from stage.feed import Interaction, link_click
from stage.simultaneous import at_once

SOURCE = "adobe-campaign"
TYPES = {"1": feed.OPENED, "2": feed.CLICKED, "7": feed.RECEIVED}
RECEIVED = Interaction(feed.RECEIVED, SOURCE)


@dataclass
class Reporter:
    """Sends hits about one message to one person, who has given consent."""

    org: object
    server: str
    phone: Device
    recipient: str
    message: str
    fields: dict
    ecid: str = "30614726903846537296203948573629103847"

    def hit(self, form=SDK, *, action="7", message_id=None, delivery_id=None):
        """One hit, well formed but for what is said here; its status."""
        ids = [self.fields["_mId"] if message_id is None else message_id]
        ids += [self.fields["_dId"] if delivery_id is None else delivery_id]
        return self.send(form.method, form.url("", *ids, action, self.ecid), form.body)

    def send(self, method, target, body=b"", headers=None):
        headers = {"Content-Type": "application/json", "Accept": "*/*"} if headers is None else headers
        return self.phone.request(method, self.server + target, headers, body).status

    @property
    def id(self):
        return f"{self.fields['_mId']},{self.fields['_dId']},7"

    @property
    def recorded(self):
        return feed.recorded(self.org, self.message)


def reporter_of(org, door, recipient=None, **content):
    recipient = recipient or person()
    org.record(recipient, "given", occurredAt=times.from_now(hours=-2))
    composed = org.compose([recipient], message(**content), format=SOURCE, platform="android")
    fields = composed.payload(recipient)["data"]
    return Reporter(org, door.origin, Device("android"), recipient, composed.message, fields)


@pytest.fixture
def reporter(org, door):
    return reporter_of(org, door)


def genuine(reporter):
    """The negative control of a test that shows that nothing is recorded: the same hit, well formed, is."""
    assert reporter.hit() == 200
    assert reporter.recorded == [RECEIVED]


FORMS = [HitForm(*it) for it in itertools.product(("GET", "POST"), ("mcId", "mcid"), (",", "%2C", "%2c"))]


class TestForm:
    @pytest.mark.parametrize("action", TYPES)
    @pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.method} {form.ecid_name} {form.comma}")
    def test_is_taken_in_each_of_its_variants(self, reporter, form, action):
        assert reporter.hit(form, action=action) == 200
        assert reporter.recorded == [Interaction(TYPES[action], SOURCE)]

    def test_may_have_its_parameters_the_other_way_round(self, reporter):
        assert reporter.send("GET", f"/r/?mcId={reporter.ecid}&id={reporter.id}") == 200
        assert reporter.recorded == [RECEIVED]

    @pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded", "nonsense"])
    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_may_have_any_content_type(self, reporter, method, content_type):
        headers = {"Content-Type": content_type} if content_type else {}
        body = b"{}" if method == "POST" else b""
        assert reporter.send(method, f"/r/?id={reporter.id}&mcId={reporter.ecid}", body, headers) == 200
        assert reporter.recorded == [RECEIVED]

    def test_of_the_sdks_own_vector_is_understood_and_its_foreign_id_refused(self, reporter):
        """Theirs is `h153d80,b670ea,7`: the same shape, and no id of ours."""
        assert reporter.send("GET", f"/r/?id=h153d80,b670ea,7&mcId={reporter.ecid}") == 404
        genuine(reporter)

    def test_that_is_a_links_path_with_such_a_query_is_that_link(self, reporter):
        link = reporter.fields["uri"].removeprefix(reporter.server)
        assert reporter.send("GET", f"{link}?id={reporter.id}&mcId={reporter.ecid}") == 302
        assert reporter.recorded == [link_click(reporter.fields["originalLink"])]


def hexadecimal(token):
    return "h" + tokens.decode(token).hex()


def base64url(message_id):
    return tokens.encode(bytes.fromhex(message_id[1:]))


def flipped(message_id, at):
    return hexadecimal(forgeries.flipped(base64url(message_id), at))


FORGERIES = {
    **{f"byte {at} flipped": (lambda id, at=at: flipped(id, at)) for at in forgeries.FIELDS},
    "cut by a digit": lambda id: id[:-1],
    "cut by a byte": lambda id: id[:-2],
    "extended": lambda id: id + "00",
    "of zeros": lambda id: "h" + "0" * 80,
    "without its h": lambda id: id[1:],
    "with another letter": lambda id: "t" + id[1:],
    "in base64url": base64url,
    "not hexadecimal": lambda id: id[:-1] + "g",
    "h alone": lambda id: "h",
    "empty": lambda id: "",
    "null": lambda id: "null",
    "the zero GUID": lambda id: tokens.ZERO_GUID,
}


@pytest.fixture(params=[SDK, HitForm("POST", "mcid", "%2C")], ids=["GET", "POST"])
def form(request):
    return request.param


class TestMalformed:
    @pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
    def test_a_forged_message_id_is_404_and_records_nothing(self, reporter, form, forge):
        assert reporter.hit(form, message_id=forge(reporter.fields["_mId"])) == 404
        assert reporter.recorded == []
        genuine(reporter)

    def test_the_id_of_a_link_is_404_and_records_nothing(self, reporter, form):
        assert reporter.hit(form, message_id=hexadecimal(tokens.of_link(reporter.fields["uri"]))) == 404
        assert reporter.recorded == []
        genuine(reporter)

    def test_the_delivery_id_of_another_message_is_404_and_records_nothing(self, reporter, org, door, form):
        other = reporter_of(org, door, reporter.recipient)
        assert reporter.hit(form, delivery_id=other.fields["_dId"]) == 404
        assert reporter.recorded == [] and other.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("id", ["", "0", "null", "-1", "g", "1" * 17, "ffffffffffffffff", "(null)"])
    def test_what_is_no_delivery_id_of_this_message_is_404_and_records_nothing(self, reporter, form, id):
        assert reporter.hit(form, delivery_id=id) == 404
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("action", ["", "0", "3", "8", "12", "71", "-1", "01", "x", "open", "7,7", "1.0"])
    def test_an_unknown_action_is_404_and_records_nothing(self, reporter, form, action):
        assert reporter.hit(form, action=action) == 404
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("method", ["GET", "POST"])
    @pytest.mark.parametrize(
        "query",
        ["", "?", "?id", "?id=", "?id=,,", "?id=%", "?ID={id}", "?mcId=1", "?id={mid}", "?id={mid},{did}", "?{id}"],
    )
    def test_a_query_without_the_three_parts_is_404_and_records_nothing(self, reporter, method, query):
        fields = reporter.fields
        filled = query.format(id=reporter.id, mid=fields["_mId"], did=fields["_dId"])
        status = reporter.send(method, f"/r/{filled}", b"{}" if method == "POST" else b"")
        # Without an `id` it is no hit, but a link that nobody can POST to.
        assert status in ((404,) if method == "GET" or query.startswith("?id") else (404, 405))
        assert reporter.recorded == []
        genuine(reporter)


class TestWhatHasEnded:
    def test_a_disabled_message_is_200_and_records_nothing_until_it_is_enabled(self, reporter, form):
        org = reporter.org
        org.expect(200, "POST", org.path(f"/messages/{reporter.message}/disable"))
        assert reporter.hit(form) == 200
        assert reporter.recorded == []
        org.expect(200, "POST", org.path(f"/messages/{reporter.message}/enable"))
        genuine(reporter)

    def test_a_message_past_its_lifetime_is_200_and_records_nothing(self, org, door, form):
        expires = int(time.time()) + 3
        expires_at = times.from_now(seconds=expires - time.time())[:-5] + ".000Z"
        reporter = reporter_of(org, door, expiresAt=expires_at)
        assert reporter.hit(form) == 200
        time.sleep(max(0.0, expires + 1.2 - time.time()))
        assert reporter.hit(form, action="1") == 200
        assert reporter.recorded == [RECEIVED]

    @pytest.mark.parametrize("state", ["refused", "withdrawn", "revoked", "invalidated"])
    def test_consent_that_has_ended_is_200_and_records_nothing_until_it_is_given_again(self, reporter, form, state):
        reporter.org.record(reporter.recipient, state)
        assert reporter.hit(form) == 200
        assert reporter.recorded == []
        time.sleep(0.003)
        reporter.org.record(reporter.recipient, "given")
        assert reporter.hit(form, action="1") == 200
        assert reporter.recorded == [Interaction(feed.OPENED, SOURCE)]


class TestRepeats:
    def test_a_hit_that_is_repeated_after_a_timeout_counts_once_in_whatever_form(self, reporter):
        for form in FORMS:
            assert reporter.hit(form) == 200
        assert reporter.recorded == [RECEIVED]

    def test_hits_at_the_same_moment_count_once(self, reporter):
        assert at_once(reporter.hit) == [200] * 8
        assert reporter.recorded == [RECEIVED]

    def test_each_action_of_each_person_counts(self, org, door):
        one, other = reporter_of(org, door), reporter_of(org, door)
        for reporter in (one, other):
            for action in TYPES:
                assert reporter.hit(action=action) == 200
        for reporter in (one, other):
            assert reporter.recorded == sorted(Interaction(type, SOURCE) for type in TYPES.values())


def test_a_tap_that_sends_clicked_then_opened_and_follows_the_link_is_three_interactions(org, door, website):
    page = website.page()
    reporter = reporter_of(org, door, link=page)
    for action in ("2", "1"):
        assert reporter.hit(action=action) == 200
    reporter.phone.open_url(reporter.fields["uri"])
    assert website.visits(page) == 1
    expected = [Interaction(feed.CLICKED, SOURCE), Interaction(feed.OPENED, SOURCE), link_click(page)]
    assert reporter.recorded == sorted(expected)
    report = org.expect(200, "GET", org.path(f"/messages/{reporter.message}/report")).json()
    assert {type: seen["total"] for type, seen in report["interactions"].items() if seen["total"]} == {
        seen.type: 1 for seen in expected
    }


def test_a_hit_that_is_refused_is_dropped_by_the_sdk_and_not_sent_again(reporter):
    queue = HitQueue(reporter.phone, reporter.server)
    queue.track(reporter.fields["_dId"], flipped(reporter.fields["_mId"], 39), "7")
    queue.flush()
    assert ([post.status for post in reporter.phone.posts], queue.waiting) == ([404], [])
    assert len(queue.dropped) == 1


@pytest.mark.parametrize("form", [SDK, HitForm("POST", "mcid")], ids=["GET", "POST"])
def test_an_mcid_is_kept_nowhere(reporter, form, service):
    reporter.ecid = unique("ecid")
    assert reporter.hit(form) == 200
    assert reporter.recorded == [RECEIVED]
    assert service.files_with(reporter.ecid) == set()
    assert reporter.ecid not in service.log_text()
