"""Composing: who gets a redirect link, who gets the target itself, and what may not differ between people."""

import time
from datetime import timedelta

import pytest

from harness import times, tokens
from harness.client import assert_misfit, message, person, unique

TARGET = "https://shop.example/spring?a=1&b=%2F#top"

CONTENT = {
    "title": "Spring sale",
    "body": "Have a look: 20 % off “everything” ☀",
    "imageUrl": "https://cdn.example/spring.png",
    "link": TARGET,
    "custom": {"campaign": "spring"},
}

RENDERINGS = [("dynamics365", "ios"), ("dynamics365", "android"), ("plain", None)]


def three_people(org):
    """Somebody who gave consent, somebody who withdrew it, somebody whom nobody asked."""
    given, withdrawn, unseen = person("given"), person("withdrawn"), person("unseen")
    org.record(given, "given")
    org.record(withdrawn, "given", occurredAt=times.from_now(hours=-2))
    org.record(withdrawn, "withdrawn")
    return given, withdrawn, unseen


@pytest.mark.parametrize(("format", "platform"), RENDERINGS)
class TestThreeRecipients:
    def test_the_one_who_gave_consent_gets_a_redirect_link(self, org, format, platform):
        given, withdrawn, unseen = three_people(org)
        composed = org.compose([given, withdrawn, unseen], message(**CONTENT), format=format, platform=platform)
        links = composed.links(given)
        public = org.service.public
        assert links["link"].startswith(f"{public}/r/")
        assert tokens.fields(links["link"].removeprefix(f"{public}/r/")).link == 1
        assert links["originalLink"] == TARGET
        assert len(links["trackingId"]) == 54
        assert tokens.fields(links["trackingId"]).link == 0

    def test_the_others_get_byte_for_byte_the_same_without_a_trace_of_the_service(self, org, format, platform):
        given, withdrawn, unseen = three_people(org)
        composed = org.compose([given, withdrawn, unseen], message(**CONTENT), format=format, platform=platform)
        text = composed.payload_text(withdrawn)
        assert text == composed.payload_text(unseen)
        assert text != composed.payload_text(given)
        for recipient in (withdrawn, unseen):
            links = composed.links(recipient)
            assert links["link"] == links["originalLink"] == TARGET
            assert links["trackingId"] == tokens.ZERO_GUID
        for trace in (org.service.public, org.service.listen, "/r/", "127.0.0.1", withdrawn, unseen, composed.message):
            assert trace not in text

    def test_the_answer_is_in_the_order_of_the_request_and_gives_each_decision(self, org, format, platform):
        given, withdrawn, unseen = three_people(org)
        order = [unseen, given, withdrawn]
        composed = org.compose(order, message(**CONTENT), format=format, platform=platform)
        assert [entry["recipient"] for entry in composed.payloads] == order
        verdicts = [
            (entry["tracked"], entry["decision"]["outcome"], entry["decision"]["reason"]) for entry in composed.payloads
        ]
        assert verdicts == [
            (False, "untracked", "noConsentRecord"),
            (True, "tracked", "consentGiven"),
            (False, "untracked", "consentWithdrawn"),
        ]
        for entry in composed.payloads:
            assert set(entry) == {"recipient", "tracked", "decision", "payload"}
        assert len({entry["decision"]["id"] for entry in composed.payloads}) == 3


class TestDynamics365:
    def compose_for_both(self, org, platform, **content):
        given, unseen = person("given"), person("unseen")
        org.record(given, "given")
        composed = org.compose([given, unseen], message(**content), format="dynamics365", platform=platform)
        return composed, composed.payload(given), composed.payload(unseen)

    def test_an_ios_payload_has_its_links_beside_aps(self, org):
        content = CONTENT | {"badge": 2, "sound": "default", "category": "OFFER"}
        _, tracked, untracked = self.compose_for_both(org, "ios", **content)
        assert untracked == {
            "aps": {
                "alert": {"title": content["title"], "body": content["body"]},
                "badge": 2,
                "sound": "default",
                "category": "OFFER",
                "mutable-content": 1,
            },
            "data": {
                "link": TARGET,
                "originalLink": TARGET,
                "trackingId": tokens.ZERO_GUID,
                "imageUrl": content["imageUrl"],
            },
            "campaign": "spring",
        }
        assert isinstance(untracked["aps"]["badge"], int)
        changed = {"link": tracked["data"]["link"], "trackingId": tracked["data"]["trackingId"]}
        assert tracked == untracked | {"data": untracked["data"] | changed}

    def test_an_android_payload_is_a_data_message_of_strings(self, org):
        _, tracked, untracked = self.compose_for_both(org, "android", **CONTENT)
        assert untracked == {
            "data": {
                "title": CONTENT["title"],
                "body": CONTENT["body"],
                "imageUrl": CONTENT["imageUrl"],
                "link": TARGET,
                "originalLink": TARGET,
                "trackingId": tokens.ZERO_GUID,
                "campaign": "spring",
            }
        }
        changed = {"link": tracked["data"]["link"], "trackingId": tracked["data"]["trackingId"]}
        assert tracked == {"data": untracked["data"] | changed}

    def test_a_message_without_image_title_or_custom_keys_leaves_them_out(self, org):
        _, _, ios = self.compose_for_both(org, "ios", body="Have a look", link=TARGET)
        assert ios == {
            "aps": {"alert": {"body": "Have a look"}},
            "data": {"link": TARGET, "originalLink": TARGET, "trackingId": tokens.ZERO_GUID},
        }
        _, _, android = self.compose_for_both(org, "android", body="Have a look", link=TARGET)
        assert android == {
            "data": {"body": "Have a look", "link": TARGET, "originalLink": TARGET, "trackingId": tokens.ZERO_GUID}
        }

    def test_without_a_link_ios_says_null_and_android_nothing(self, org):
        given = person()
        org.record(given, "given")
        content = {"name": unique(), "title": "Hello"}
        ios = org.compose([given], content, format="dynamics365", platform="ios").payload(given)
        assert ios["data"]["link"] is None and ios["data"]["originalLink"] is None
        assert len(ios["data"]["trackingId"]) == 54
        android = org.compose([given], content, format="dynamics365", platform="android").payload(given)
        assert set(android["data"]) == {"title", "trackingId"}
        assert android["data"]["trackingId"] == ios["data"]["trackingId"]

    def test_background_updates_are_announced_to_apns(self, org):
        _, _, untracked = self.compose_for_both(org, "ios", contentAvailable=True, **CONTENT)
        assert untracked["aps"]["content-available"] == 1

    @pytest.mark.parametrize("platform", ["ios", "android"])
    def test_what_the_format_cannot_carry_is_named(self, org, platform):
        actions = [{"id": "buy", "title": "Buy", "link": "https://shop.example/buy"}]
        composed, tracked, _ = self.compose_for_both(org, platform, actions=actions, **CONTENT)
        assert "actions" in composed.body["unsupportedMembers"]
        assert composed.body["notCarried"] == composed.body["unsupportedMembers"], "its name in the first version"
        assert "https://shop.example/buy" not in str(tracked)
        composed, _, _ = self.compose_for_both(org, platform, **CONTENT)
        assert composed.body["unsupportedMembers"] == []


class TestLinksThatAreNeverWrapped:
    @pytest.mark.parametrize(("format", "platform"), RENDERINGS)
    @pytest.mark.parametrize(
        "content",
        [{"link": "shopapp://offer/7?x=1"}, {"link": "https://shop.example/app/7", "deepLink": True}],
        ids=["an app's scheme", "a deep link"],
    )
    def test_they_stand_raw_for_everybody_and_the_tracking_id_is_there(self, org, format, platform, content):
        given, unseen = person("given"), person("unseen")
        org.record(given, "given")
        composed = org.compose([given, unseen], message(**content), format=format, platform=platform)
        for recipient in (given, unseen):
            assert composed.links(recipient)["link"] == content["link"]
            assert composed.links(recipient)["originalLink"] == content["link"]
        assert tokens.fields(composed.links(given)["trackingId"]).link == 0
        assert composed.links(unseen)["trackingId"] == tokens.ZERO_GUID


LONG_AGO = {"occurredAt": times.from_now(days=-3)}
YESTERDAY = times.from_now(days=-1)

# What is in force, as records to make, and the outcome and reason under both enforcements.
TABLE = {
    "nothing": ([], ("untracked", "noConsentRecord"), ("tracked", "notOptedOut")),
    "given": ([("given", {})], ("tracked", "consentGiven"), ("tracked", "consentGiven")),
    "given, valid still": (
        [("given", {"validUntil": times.from_now(days=1)})],
        ("tracked", "consentGiven"),
        ("tracked", "consentGiven"),
    ),
    "given, past validUntil": (
        [("given", LONG_AGO | {"validUntil": YESTERDAY})],
        ("untracked", "consentExpired"),
        ("tracked", "notOptedOut"),
    ),
    "refused": ([("refused", {})], ("untracked", "consentRefused"), ("untracked", "consentRefused")),
    "withdrawn": (
        [("given", LONG_AGO), ("withdrawn", {})],
        ("untracked", "consentWithdrawn"),
        ("untracked", "consentWithdrawn"),
    ),
    "revoked": (
        [("given", LONG_AGO), ("revoked", {})],
        ("untracked", "consentRevoked"),
        ("untracked", "consentRevoked"),
    ),
    "invalidated": (
        [("given", LONG_AGO), ("invalidated", {})],
        ("untracked", "consentInvalidated"),
        ("untracked", "consentInvalidated"),
    ),
    "erased": (
        [("given", LONG_AGO), "erase"],
        ("untracked", "recipientErased"),
        ("untracked", "recipientErased"),
    ),
    "erased, given again": (
        [("given", LONG_AGO), "erase", ("given", {})],
        ("tracked", "consentGiven"),
        ("tracked", "consentGiven"),
    ),
}


def bring_about(org, recipient, steps):
    """Makes the records; the last one, if there is one."""
    record = None
    for step in steps:
        if step == "erase":
            org.erase(recipient)
            record = None
        else:
            record = org.record(recipient, step[0], **step[1])
    return record


@pytest.mark.parametrize("enforcement", ["restrictive", "nonRestrictive"])
@pytest.mark.parametrize("cell", TABLE)
def test_the_table_of_states_and_enforcement_holds(operator, cell, enforcement):
    steps, restrictive, non_restrictive = TABLE[cell]
    outcome, reason = restrictive if enforcement == "restrictive" else non_restrictive
    org = operator.make(enforcement)
    recipient = person()
    record = bring_about(org, recipient, steps)

    composed = org.compose([recipient], message(link=TARGET))
    entry = composed.of(recipient)
    assert entry["tracked"] == (outcome == "tracked")
    assert (entry["decision"]["outcome"], entry["decision"]["reason"]) == (outcome, reason)
    links = composed.links(recipient)
    if outcome == "tracked":
        assert links["link"].startswith(org.service.public) and links["trackingId"] != tokens.ZERO_GUID
    else:
        assert links == {"link": TARGET, "originalLink": TARGET, "trackingId": tokens.ZERO_GUID}

    stored = org.expect(200, "GET", org.path(f"/decisions/{entry['decision']['id']}")).json()
    assert (stored["outcome"], stored["reason"], stored["enforcement"]) == (outcome, reason, enforcement)
    if record and reason not in ("notOptedOut", "consentExpired"):
        assert stored["consent"] == record["id"] == stored["consentRecord"]["id"]
    if not steps:
        assert stored["consent"] is None and stored["consentRecord"] is None


class TestWhatIsInForce:
    def reason(self, org, recipient):
        return org.compose([recipient]).of(recipient)["decision"]["reason"]

    def test_is_what_happened_last_not_what_arrived_last(self, org):
        recipient = person()
        org.record(recipient, "withdrawn", occurredAt=times.from_now(hours=-1))
        org.record(recipient, "given", occurredAt=times.from_now(hours=-2))
        assert self.reason(org, recipient) == "consentWithdrawn"
        org.record(recipient, "given", occurredAt=times.from_now(minutes=-30))
        assert self.reason(org, recipient) == "consentGiven"

    @pytest.mark.parametrize("order", [("given", "withdrawn"), ("withdrawn", "given")])
    def test_at_one_instant_the_record_that_ends_tracking_wins(self, org, order):
        recipient, instant = person(), times.from_now(hours=-1)
        for state in order:
            org.record(recipient, state, occurredAt=instant)
        assert self.reason(org, recipient) == "consentWithdrawn"

    def test_a_fast_clock_does_not_outlast_a_withdrawal(self, org):
        recipient = person()
        stored = org.record(recipient, "given", occurredAt=times.from_now(minutes=4))
        assert times.parse(stored["occurredAt"]) <= times.now()
        org.record(recipient, "withdrawn")
        assert self.reason(org, recipient) == "consentWithdrawn"

    def test_a_record_from_further_ahead_is_refused(self, org):
        body = {"recipient": person(), "state": "given", "occurredAt": times.from_now(minutes=6)}
        assert_misfit(org.call("POST", org.path("/consents"), body), "/occurredAt")
        assert org.consent(body["recipient"])["history"] == []

    def test_is_kept_apart_by_purpose(self, org):
        recipient = person()
        org.record(recipient, "given", purpose="newsletter.tracking")
        org.record(recipient, "refused", purpose="tracking")
        composed = org.compose([recipient], message(purpose="newsletter.tracking"))
        assert composed.of(recipient)["decision"]["reason"] == "consentGiven"
        assert self.reason(org, recipient) == "consentRefused"

    def test_is_compared_byte_for_byte_by_a_recipient_that_is_no_mail_address(self, org):
        recipient = person("Ana").replace("@", "#")
        org.record(recipient, "given")
        assert self.reason(org, recipient.upper()) == "noConsentRecord"
        accented = recipient + "\u00e9"
        org.record(accented, "given")
        assert self.reason(org, accented) == "consentGiven"
        assert self.reason(org, accented.replace("\u00e9", "e\u0301")) == "noConsentRecord"

    def test_is_told_with_its_history(self, org):
        recipient = person()
        first = org.record(recipient, "given", occurredAt=times.from_now(days=-2), validUntil=YESTERDAY)
        standing = org.consent(recipient)
        assert standing["recipient"] == recipient
        (current,) = standing["current"]
        assert (current["purpose"], current["state"], current["consent"]) == ("tracking", "expired", first["id"])
        assert current["validUntil"] == YESTERDAY
        second = org.record(recipient, "withdrawn")
        standing = org.consent(recipient)
        assert [record["id"] for record in standing["history"]] == [first["id"], second["id"]]
        assert [current["state"] for current in standing["current"]] == ["withdrawn"]

    def test_is_nothing_for_somebody_unknown(self, org):
        recipient = person()
        assert org.consent(recipient) == {"recipient": recipient, "current": [], "history": []}


class TestTheMessage:
    def test_whose_sender_switched_tracking_off_tracks_nobody(self, org):
        given, unseen = person("given"), person("unseen")
        org.record(given, "given")
        composed = org.compose([given, unseen], message(link=TARGET, tracking=False))
        assert [entry["decision"]["reason"] for entry in composed.payloads] == ["trackingOffForMessage"] * 2
        assert composed.payload_text(given) == composed.payload_text(unseen)
        assert composed.payload(given) == {"link": TARGET, "originalLink": TARGET, "trackingId": tokens.ZERO_GUID}

    def test_made_again_is_the_same_message(self, org):
        content = message(title="Once")
        first = org.expect(201, "POST", org.path("/messages"), content).json()
        again = org.expect(200, "POST", org.path("/messages"), content).json()
        assert again == first
        assert org.compose([person()], content).message == first["id"]
        read = org.expect(200, "GET", org.path(f"/messages/{first['id']}")).json()
        assert {name: read[name] for name in first} == first

    @pytest.mark.parametrize("change", [{"name": "another"}, {"title": "Twice"}, {"link": "https://shop.example/b"}])
    def test_with_another_name_or_content_is_another(self, org, change):
        content = message(title="Once")
        first = org.make_message(content)
        other = org.expect(201, "POST", org.path("/messages"), content | change).json()
        assert other["id"] != first["id"]

    def test_says_which_of_its_links_are_tracked(self, org):
        made = org.make_message(message(name="Links", link=TARGET))
        (link,) = made["links"]
        assert (link["index"], link["url"], link["where"], link["tracked"]) == (1, TARGET, "link", True)
        assert made["name"] == "Links" and made["disabled"] is False
        times.parse(made["createdAt"])
        (raw,) = org.make_message(message(link="shopapp://offer"))["links"] or [{"tracked": False}]
        assert raw["tracked"] is False

    def test_composed_again_for_the_same_person_gives_the_same_link(self, org):
        content, recipient = message(), person()
        first = org.tracked_link(recipient, content)
        assert org.tracked_link(recipient, content, consented=False) == first
        by_id = org.compose([recipient], message_id=first.message)
        assert by_id.link(recipient) == first.url

    def test_sets_when_its_links_expire_the_same_moment_for_everybody(self, org):
        limited, unlimited = person(), person()
        org.record(limited, "given", validUntil=times.from_now(days=3))
        org.record(unlimited, "given")
        composed = org.compose([limited, unlimited])
        expires, also = (tokens.fields(tokens.of_link(composed.link(who))).expires for who in (limited, unlimited))
        assert expires == also
        days = (expires - time.time()) / 86_400
        assert expires % 86_400 == 0, "not rounded up to a whole day"
        assert 180 <= days <= 181.1

    def test_with_an_expiry_of_its_own_gives_it_to_its_links(self, org):
        expires_at = (times.now() + timedelta(days=100)).replace(microsecond=0)
        link = org.tracked_link(content=message(expiresAt=times.render(expires_at)))
        assert tokens.fields(tokens.of_link(link.url)).expires == int(expires_at.timestamp())


class TestRefusals:
    def test_a_payload_over_the_carriers_limit_is_refused_for_everybody(self, org):
        unseen = person()
        content = message(title="T", body="é" * 2_048)
        for platform in ("ios", "android"):
            body = {"message": content, "format": "dynamics365", "platform": platform, "recipients": [unseen]}
            assert org.call("POST", org.path("/payloads"), body).status_code == 422
        assert org.decisions() == []

    @pytest.mark.parametrize(
        ("platform", "key"),
        [
            ("ios", "aps"),
            ("ios", "data"),
            ("android", "link"),
            ("android", "trackingId"),
            ("android", "google.x"),
            ("android", "GCMx"),
            ("android", "from"),
        ],
    )
    def test_a_custom_key_that_the_format_uses_is_refused(self, org, platform, key):
        body = {
            "message": message(custom={key: "x"}),
            "format": "dynamics365",
            "platform": platform,
            "recipients": [person()],
        }
        assert org.call("POST", org.path("/payloads"), body).status_code == 422
        assert org.decisions() == []

    def test_an_unknown_message_is_refused(self, org):
        body = {"messageId": "no-such-message", "format": "plain", "recipients": [person()]}
        assert org.call("POST", org.path("/payloads"), body).status_code in (404, 422)
        assert org.decisions() == []
