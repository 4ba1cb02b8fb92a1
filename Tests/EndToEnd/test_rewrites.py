"""Rewriting: one mail for one recipient, with links that belong to a message and are there before the answer is."""

import json
import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import tokens, wire
from harness.client import assert_misfit, message, person, unique

HTML = (
    "\ufeff<!DOCTYPE html>\r\n<p>Dear “Ana” & co,</p>\r\n"
    '<a href="https://shop.example/basket?a=1&amp;b=%2F#top" data-consentlink-label="Basket">b</a>\r\n'
    "<A HREF=https://shop.example/offer?a=1&amp;b=2>o</A> <a href='https://shop.example/quiet' clicktracking=off>q</a>"
    ' <a href="mailto:shop@shop.example">m</a> <a href="https://user@shop.example/">c</a></body>\r\n'
)
TEXT = "See https://shop.example/basket?a=1&b=%2F#top, https+notrack://shop.example/quiet 見https://shop.example/cjk見\n"
PLAIN = TEXT.replace("+notrack", "")
BASKET = "https://shop.example/basket?a=1&b=%2F#top"
OWN = "https://shop.example/offer?a=1&b=2"  # the link of harness.client.message

# What undoes every version of the storage but the first.
FIRST_VERSION = """
    DROP INDEX consents_not_given;
    DROP TABLE clock_faults; DROP TABLE clock_note;
    DROP INDEX decisions_by_organization; DROP INDEX decisions_by_message; DROP INDEX decisions_by_recipient;
    CREATE INDEX decisions_by_organization ON decisions (organization, reason, id);
    CREATE INDEX decisions_by_message ON decisions (message, reason, id);
    CREATE INDEX decisions_by_recipient ON decisions (volume, recipient, id);
    ALTER TABLE access_keys DROP COLUMN last_used_at;
    DROP TABLE consent_counts; DROP TABLE evidence_words; DROP TABLE evidence_word_people;
    DROP TABLE evidence_word_filling; DROP TABLE decision_days;
    DROP TABLE consent_filling;
    DROP TABLE accesses;
    ALTER TABLE organizations DROP COLUMN records_access; ALTER TABLE organizations DROP COLUMN accesses_purged;
    DROP TABLE sessions; DROP TABLE sign_in_links;
    DROP TABLE endpoints; DROP TABLE endpoint_events; DROP TABLE endpoint_attempts;
    DROP INDEX ledger_runs_of_changes;
    ALTER TABLE organizations DROP COLUMN consent_url;
    DROP TABLE opens_people_counts; DROP TABLE message_opens_people; ALTER TABLE decisions DROP COLUMN activity;
    DROP INDEX messages_listed; ALTER TABLE messages DROP COLUMN opens_purpose;
    CREATE INDEX messages_listed ON messages (organization, id, purpose, created_at, expires_at, is_disabled);
    DROP TABLE consent_notices; DROP TABLE consent_requests; DROP TABLE consent_request_purposes;
    ALTER TABLE organizations DROP COLUMN ask_again_days;
    ALTER TABLE message_names DROP COLUMN tracks_opens;
    DROP TABLE people_counts; DROP TABLE message_people; DROP TABLE activity_counts;
    DROP TABLE message_responders; DROP TABLE report_filling; DROP TABLE deleted_interactions;
    DROP INDEX interactions_of_person;
    ALTER TABLE organizations DROP COLUMN requires_evidence;
    ALTER TABLE interactions DROP COLUMN visitor;
    DROP TABLE message_names; DROP TABLE message_tags; DROP INDEX messages_listed;
    DROP INDEX interactions_by_organization;
    DROP INDEX interactions_by_message;
    DROP INDEX interactions_by_recipient;
    ALTER TABLE interactions DROP COLUMN position;
    ALTER TABLE organizations DROP COLUMN interactions_purged;
    CREATE INDEX interactions_by_organization ON interactions (organization, kind, id);
    CREATE INDEX interactions_by_message ON interactions (message, kind, id);
    CREATE INDEX interactions_by_recipient ON interactions (volume, recipient, id);
    DROP TABLE ledger_beginnings; DROP TABLE erased_before_ledger; DROP TABLE ledger_check; DROP TABLE ledger_last_hashes;
    DROP INDEX ledger_events_of_enforcement;
    DROP TABLE ledgers; DROP TABLE ledger_runs; DROP TABLE ledger_events; DROP TABLE ledger_tiles;
    DROP TABLE kept_commitments; DROP TABLE file_identity; DROP TABLE folder; DROP TABLE purge_clock;
    ALTER TABLE organizations DROP COLUMN quota_requests; ALTER TABLE organizations DROP COLUMN quota_interactions;
    ALTER TABLE organizations DROP COLUMN interactions_stored;
    ALTER TABLE organizations DROP COLUMN identifiers; ALTER TABLE people DROP COLUMN is_respelled;
    ALTER TABLE decisions DROP COLUMN salt; ALTER TABLE consents DROP COLUMN salt;
    ALTER TABLE organizations DROP COLUMN interactions_days;
    ALTER TABLE organizations DROP COLUMN decisions_days;
    ALTER TABLE organizations DROP COLUMN decisions_purged;
    DROP TABLE added_links; DROP TABLE requests;
    PRAGMA user_version = 1;
"""


def rewrite(org, message_id, recipient, **bodies):
    body = {"messageId": message_id, "recipient": recipient} | bodies
    return org.expect(200, "POST", org.path("/rewrites"), body).json()


def tracked(org):
    recipient = person("given")
    org.record(recipient, "given")
    return recipient


def links_in(org, body):
    return re.findall(rf"{re.escape(org.service.public)}/r/[\w-]{{54}}", body)


def targets(org, body):
    return [wire.follow(link).header("Location") for link in links_in(org, body)]


def page(*paths):
    return "".join(f'<a href="https://shop.example/{path}">x</a>' for path in paths)


def indexes(rewritten):
    return {link["url"]: link["index"] for link in rewritten["links"]}


def listed(org, message_id):
    return org.expect(200, "GET", org.path(f"/messages/{message_id}")).json()["links"]


@pytest.fixture
def made(org):
    return org.make_message(message())["id"]


class TestUntracked:
    def test_gets_what_came_in_and_leaves_no_link(self, org, made):
        unseen, refused = person("unseen"), person("refused")
        org.record(refused, "refused")
        answers = [rewrite(org, made, who, html=HTML, text=TEXT) for who in (unseen, refused)]
        assert [(answer["tracked"], answer["html"], answer["text"]) for answer in answers] == [(False, HTML, PLAIN)] * 2
        assert [answer["decision"]["reason"] for answer in answers] == ["noConsentRecord", "consentRefused"]
        assert answers[0]["links"] == answers[1]["links"], "tells people apart"
        found = answers[0]["links"]
        assert len(found) > 1 and [link["index"] for link in found] == [None] * len(found)
        assert [link["url"] for link in listed(org, made)] == [OWN]

    def test_of_a_message_that_tracks_nobody(self, org):
        off = org.make_message(message(tracking=False))["id"]
        answer = rewrite(org, off, tracked(org), html=HTML, text=TEXT)
        assert (answer["tracked"], answer["decision"]["reason"]) == (False, "trackingOffForMessage")
        assert (answer["html"], answer["text"]) == (HTML, PLAIN)
        assert len(listed(org, off)) == 1

    def test_after_a_withdrawal(self, org, made):
        recipient = tracked(org)
        assert rewrite(org, made, recipient, html=HTML)["tracked"]
        org.record(recipient, "withdrawn")
        answer = rewrite(org, made, recipient, html=HTML)
        assert (answer["tracked"], answer["html"]) == (False, HTML)
        assert answer["decision"]["reason"] == "consentWithdrawn"

    def test_has_only_the_bodies_that_were_given(self, org, made):
        beside = {"tracked", "decision", "trackingId", "links"}
        assert set(rewrite(org, made, person(), text="")) == beside | {"text"}
        assert set(rewrite(org, made, tracked(org), html="")) == beside | {"html"}


class TestTracked:
    def test_every_link_arrives_at_its_target_and_nothing_else_differs(self, org, made):
        answer = rewrite(org, made, tracked(org), html=HTML, text=TEXT)
        assert (answer["tracked"], answer["decision"]["reason"]) == (True, "consentGiven")
        assert targets(org, answer["html"]) == [BASKET, OWN]
        assert targets(org, answer["text"]) == [BASKET, "https://shop.example/cjk"]
        back = answer["html"]
        for link, written in zip(links_in(org, back), (BASKET.replace("&", "&amp;"), OWN.replace("&", "&amp;"))):
            back = back.replace(link, written)
        assert back == HTML
        back = answer["text"]
        for link, written in zip(links_in(org, back), (BASKET, "https://shop.example/cjk")):
            back = back.replace(link, written)
        assert back == PLAIN

    def test_links_are_told_apart_by_url_and_use_the_index_that_the_message_has(self, org, made):
        answer = rewrite(org, made, tracked(org), html=HTML, text=TEXT)
        sealed = [tokens.fields(link.rpartition("/")[2]).link for link in links_in(org, answer["html"] + answer["text"])]
        assert sealed == [2, 1, 2, 3]
        assert [(link["index"], link["url"], link["where"], link["label"], link["tracked"]) for link in listed(org, made)] == [
            (1, OWN, "link", None, True),
            (2, BASKET, "html", "Basket", True),
            (3, "https://shop.example/cjk", "text", None, True),
        ]

    def test_a_link_of_the_messages_own_mail_keeps_its_index(self, org):
        made = org.make_message(message(html=page("one", "two"), text="https://shop.example/three"))["id"]
        answer = rewrite(org, made, tracked(org), html=page("new", "three", "two", "one"))
        assert indexes(answer) == {
            f"https://shop.example/{path}": index for path, index in (("new", 5), ("three", 4), ("two", 3), ("one", 2))}
        assert targets(org, answer["html"]) == [f"https://shop.example/{path}" for path in ("new", "three", "two", "one")]

    def test_the_decision_is_stored_and_a_click_counts_for_the_link(self, org, made):
        recipient = tracked(org)
        answer = rewrite(org, made, recipient, html=page("new"))
        (stored,) = org.decisions(message=made)
        assert (stored["id"], stored["recipient"]) == (answer["decision"]["id"], recipient)
        (link,) = links_in(org, answer["html"])
        assert wire.follow(link, headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0"}).status == 302
        org.settle()
        (click,) = org.interactions(message=made)
        assert click["link"] == {"index": 2, "url": "https://shop.example/new", "label": None}
        report = org.expect(200, "GET", org.path(f"/messages/{made}/report")).json()
        assert report["links"][1] == {
            "index": 2, "url": "https://shop.example/new", "where": "html", "label": None, "clicks": 1, "unique": 1}
        # The URL of a link in one recipient's mail may name them, and a report must not.
        numbers = org.with_scopes("report").expect(200, "GET", org.path(f"/messages/{made}/report")).json()
        assert numbers["links"] == report["links"][:1] and "shop.example/new" not in json.dumps(numbers)
        assert numbers["interactions"] == report["interactions"]

    def test_the_picture_that_tells_of_an_opening_comes_when_the_message_asks_for_it(self, org, made):
        recipient = tracked(org)
        asks = org.make_message(message(openTracking=True))["id"]
        assert "/o/" not in rewrite(org, made, recipient, html="<p>")["html"]
        assert "/o/" not in rewrite(org, asks, person(), html="<p>")["html"]
        assert "/o/" not in rewrite(org, asks, recipient, text="x")["text"]
        assert re.search(r"/o/[\w-]{54}\.gif", rewrite(org, asks, recipient, html="<p>")["html"])

    def test_the_message_stays_the_same_message(self, org):
        content = message()
        made = org.make_message(content)["id"]
        rewrite(org, made, tracked(org), html=page("new"))
        again = org.expect(200, "POST", org.path("/messages"), content).json()
        assert again["id"] == made and len(again["links"]) == 2

    def test_a_disabled_message_stays_disabled_when_links_are_added(self, org, made):
        org.expect(200, "POST", org.path(f"/messages/{made}/disable"))
        answer = rewrite(org, made, tracked(org), html=page("new"))
        assert wire.follow(links_in(org, answer["html"])[0]).status == 410
        org.expect(200, "POST", org.path(f"/messages/{made}/enable"))
        assert targets(org, answer["html"]) == ["https://shop.example/new"]


class TestReport:
    def test_names_every_link_with_its_place_and_what_became_of_it(self, org, made):
        answer = rewrite(org, made, tracked(org), html=HTML, text=TEXT)
        found = [(link["where"], link["line"], link["url"], link["label"], link["index"], link["skipped"]) for link in answer["links"]]
        assert found == [
            ("html", 3, BASKET, "Basket", 2, None),
            ("html", 4, OWN, None, 1, None),
            ("html", 4, "https://shop.example/quiet", None, None, "optedOut"),
            ("html", 4, "mailto:shop@shop.example", None, None, "otherScheme"),
            ("html", 4, "https://user@shop.example/", None, None, "notATarget"),
            ("text", 1, BASKET, None, 2, None),
            ("text", 1, "https://shop.example/quiet", None, None, "optedOut"),
            ("text", 1, "https://shop.example/cjk", None, 3, None),
        ]
        assert [link["detail"] for link in answer["links"] if not link["skipped"]] == [None] * 4
        assert "user name" in answer["links"][4]["detail"]
        for link in answer["links"]:
            source = {"html": HTML, "text": TEXT}[link["where"]].encode()[link["offset"]:]
            written = link["url"].replace("&", "&amp;") if link["where"] == "html" else link["url"]
            marked = written.replace("https:", "https+notrack:")
            assert source.startswith(written.encode()) or source.startswith(marked.encode())

    def test_a_host_that_is_not_allowed_and_the_service_itself_are_left_alone(self, org, made):
        org.set(targetHosts=["shop.example"])
        html = f'<a href="https://elsewhere.example/">x</a><a href="{org.service.public}/r/x">x</a>'
        answer = rewrite(org, made, tracked(org), html=html)
        assert answer["html"] == html
        assert [link["skipped"] for link in answer["links"]] == ["notATarget"] * 2
        assert "targetHosts" in answer["links"][0]["detail"] and "itself" in answer["links"][1]["detail"]

    def test_a_message_with_a_mail_says_what_is_skipped_and_one_without_says_nothing(self, org):
        org.set(targetHosts=["shop.example"])
        content = message(html=HTML + '<a href="https://elsewhere.example/">x</a>', text=TEXT)
        made = org.expect(201, "POST", org.path("/messages"), content).json()
        assert [(link["where"], link["line"], link["url"], link["reason"]) for link in made["skipped"]] == [
            ("html", 4, "https://shop.example/quiet", "optedOut"),
            ("html", 4, "mailto:shop@shop.example", "otherScheme"),
            ("html", 4, "https://user@shop.example/", "notATarget"),
            ("html", 5, "https://elsewhere.example/", "notATarget"),
            ("text", 1, "https://shop.example/quiet", "optedOut"),
        ]
        assert "targetHosts" in made["skipped"][3]["detail"]
        assert all(HTML.encode()[link["offset"]:].startswith(link["url"].encode()) for link in made["skipped"][:3])
        assert org.expect(200, "POST", org.path("/messages"), content).json() == made
        org.set(targetHosts=[])
        whole = org.expect(200, "GET", org.path(f"/messages/{made['id']}")).json()
        assert whole.pop("content") == content and whole == made
        assert "skipped" not in org.make_message(message())


class TestDurable:
    def test_the_same_url_has_the_same_index_over_calls_and_a_restart(self, own_service, own_org):
        made = own_org.make_message(message())["id"]
        one, other = tracked(own_org), tracked(own_org)
        first = rewrite(own_org, made, one, html=page("b", "a"))
        assert indexes(rewrite(own_org, made, other, html=page("a", "b"))) == indexes(first)
        own_service.restart()
        again = rewrite(own_org, made, other, html=page("c", "a", "b"))
        added = indexes(again).pop("https://shop.example/c")
        assert indexes(again) == indexes(first) | {"https://shop.example/c": added}
        assert added not in {1, *indexes(first).values()}
        assert targets(own_org, first["html"]) == ["https://shop.example/b", "https://shop.example/a"]
        assert targets(own_org, again["html"]) == [f"https://shop.example/{path}" for path in "cab"]

    def test_twenty_at_once_give_each_url_one_index_and_every_link_works_at_once(self, org, made):
        recipients = [tracked(org) for _ in range(20)]

        def one(number):
            html = page("shared/1", f"own/{number}", f"pair/{number // 2}", "shared/2")
            answer = rewrite(org, made, recipients[number], html=html)
            return answer, targets(org, answer["html"]) == re.findall('href="([^"]+)"', html)

        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(one, range(20)))
        assert all(arrived for _, arrived in answers), "a link of an answer was not known when it was followed"
        given = {}
        for answer, _ in answers:
            for url, index in indexes(answer).items():
                assert given.setdefault(url, index) == index
        assert sorted(given.values()) == list(range(2, 34))
        assert {link["url"]: link["index"] for link in listed(org, made)[1:]} == given

    def test_links_that_are_added_while_the_message_is_switched_on_and_off_are_not_lost(self, org, made):
        recipient = tracked(org)

        def switch(_):
            for state in ("disable", "enable") * 5:
                org.expect(200, "POST", org.path(f"/messages/{made}/{state}"))

        def add(worker):
            return [rewrite(org, made, recipient, html=page(f"{worker}/{number}"))["html"] for number in range(10)]

        with ThreadPoolExecutor(5) as pool:
            switching = pool.submit(switch, 0)
            bodies = [body for added in pool.map(add, range(4)) for body in added]
            switching.result()
        assert [targets(org, body) for body in bodies] == [
            [f"https://shop.example/{worker}/{number}"] for worker in range(4) for number in range(10)]

    def test_links_of_an_answer_survive_kill_9_an_instant_later(self, own_service, own_org):
        made = own_org.make_message(message())["id"]
        for number in range(3):
            answer = rewrite(own_org, made, tracked(own_org), html=page(f"new/{number}"), text="https://shop.example/t")
            own_service.kill()
            own_service.start()
            assert targets(own_org, answer["html"] + answer["text"]) == [
                f"https://shop.example/new/{number}", "https://shop.example/t"]
            assert own_org.decisions(message=made)[-1]["id"] == answer["decision"]["id"]

    @pytest.mark.embedded_storage_only  # that version had no other
    def test_a_data_folder_of_the_first_version_is_brought_up(self, own_service, own_org):
        recipient = tracked(own_org)
        link = own_org.tracked_link(recipient)
        assert own_service.stop() == 0
        with sqlite3.connect(own_service.data / "consentlink.db") as file:
            file.executescript(FIRST_VERSION)
        file.close()
        shutil.rmtree(own_service.data / "checkpoints")
        (own_service.data / "ledger.key").unlink()
        (own_service.data / "manifest.json").unlink()
        own_service.start()
        assert wire.follow(link.url).header("Location") == OWN
        answer = rewrite(own_org, link.message, recipient, html=page("new"))
        assert targets(own_org, answer["html"]) == ["https://shop.example/new"]


class TestSentAgain:
    @pytest.fixture
    def post(self, org, made):
        def post(recipient, key):
            body = {"messageId": made, "recipient": recipient, "html": HTML, "text": TEXT}
            return org.expect(200, "POST", org.path("/rewrites"), body, headers={"Idempotency-Key": f'"{key}"'})

        return post

    def test_with_its_key_it_is_answered_the_same_and_decided_once(self, org, made, post):
        given, unseen = tracked(org), person("unseen")
        for recipient in (given, unseen):
            key = unique("key")
            first = post(recipient, key)
            rewrite(org, made, given, html=page(key))
            assert post(recipient, key).content == first.content
            assert len(org.query_decisions(recipient=recipient, message=made)) == (2 if recipient == given else 1)

    def test_it_makes_no_link_whatever_hosts_are_allowed_since(self, org, made):
        org.set(targetHosts=["shop.example"])
        text = "https://shop.example/a https://elsewhere.example/"
        body = {"messageId": made, "recipient": tracked(org), "text": text}

        def post():
            return org.expect(200, "POST", org.path("/rewrites"), body, headers={"Idempotency-Key": '"once"'})

        first, links = post(), org.expect(200, "GET", org.path(f"/messages/{made}")).json()["links"]
        assert first.json()["links"][1]["skipped"] == "notATarget"
        org.set(targetHosts=[])
        assert post().content == first.content
        assert org.expect(200, "GET", org.path(f"/messages/{made}")).json()["links"] == links

    def test_whoever_was_erased_since_gets_what_came_in(self, org, post):
        recipient, key = tracked(org), unique("key")
        first = post(recipient, key).json()
        org.erase(recipient)
        again = post(recipient, key).json()
        assert again["decision"]["id"] == first["decision"]["id"]
        assert (again["tracked"], again["html"], again["text"]) == (False, HTML, PLAIN)


class TestFull:
    """A message that has all the links that it can have."""

    def test_a_new_link_stays_as_it_is_and_everything_else_goes_on(self, org, made):
        recipient = tracked(org)
        text = " ".join(f"https://shop.example/{number}" for number in range(65_534))
        full = rewrite(org, made, recipient, text=text)
        assert full["links"][-1]["index"] == 65_535
        assert targets(org, links_in(org, full["text"])[-1]) == ["https://shop.example/65533"]

        one_more = "https://shop.example/more"
        answer = rewrite(org, made, recipient, html=page("7", "more", "8"), text=one_more)
        assert answer["tracked"], "the campaign stops for people who consented"
        assert [(link["index"], link["skipped"]) for link in answer["links"]] == [
            (9, None), (None, "full"), (10, None), (None, "full")]
        assert "65535" in answer["links"][1]["detail"]
        assert targets(org, answer["html"]) == ["https://shop.example/7", "https://shop.example/8"]
        assert f'href="{one_more}"' in answer["html"] and answer["text"] == one_more
        assert [decision["id"] for decision in org.decisions(message=made)][-1] == answer["decision"]["id"]

        unseen = rewrite(org, made, person(), html=page("more"))
        assert (unseen["html"], unseen["links"][0]["skipped"]) == (page("more"), None)
        assert len(listed(org, made)) == 65_535


class TestRefused:
    @pytest.mark.parametrize(
        ("html", "detail"),
        [
            ("<div>" * 100_000, "nested"),
            ("<svg><style><a href=https://shop.example/></style></svg>", "cannot be determined"),
            ("x" * (10 * 1024 * 1024 + 1), "bytes"),
            ("".join(f"<a href=https://a.example/{n}>x</a>" for n in range(65_536)), "65535"),
        ],
        ids=["nested 100,000 deep", "undecidable", "over 10 MiB", "65,536 links"],
    )
    def test_html_that_cannot_be_searched_decides_nothing(self, org, made, html, detail):
        body = {"messageId": made, "recipient": tracked(org), "html": html}
        answer = org.call("POST", org.path("/rewrites"), body)
        assert_misfit(answer, "/html")
        assert detail in answer.text
        assert org.decisions(message=made) == []

    def test_an_unknown_message_is_pointed_to(self, org, operator):
        elsewhere = operator.make().make_message(message())["id"]
        for id in (elsewhere, "0123456789abcdef", "x"):
            body = {"messageId": id, "recipient": person(), "html": ""}
            assert_misfit(org.call("POST", org.path("/rewrites"), body), "/messageId")

    def test_one_body_at_least(self, org, made):
        for bodies in ({}, {"html": None}, {"html": None, "text": None}):
            answer = org.call("POST", org.path("/rewrites"), {"messageId": made, "recipient": person()} | bodies)
            assert_misfit(answer, "/html")
