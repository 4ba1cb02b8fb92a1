"""The page on which a person ends their own tracking: looking changes nothing, one press ends it for the very next click
on any of their links, and nothing keeps anybody from pressing."""

import errno
import re
import threading

import httpx
import pytest

from conftest import run_to_the_end
from harness import tokens, times, wire
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.faulty_disk import FaultyDisk
from harness.metrics import scrape
from harness.traced import Traced, available

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FORM = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}


def page_of(link):
    """The page that belongs to a link: the same tracking ID, another path."""
    return f"/p/{tokens.of_link(link)}"


def ask(org, path, method="GET", headers=HTML, body=b""):
    length = {"Content-Length": len(body)} if method == "POST" else {}
    return wire.ask(org.service.listen, method, path, {**headers, **length}, body)


def text(answer):
    assert answer.status == 200, answer
    assert answer.header("Content-Type") == "text/html; charset=utf-8"
    return answer.body.decode()


def is_on(answer):
    page = text(answer)
    assert ("Message tracking is on" in page) != ("Message tracking is off" in page)
    return "Message tracking is on" in page


def states(org, recipient):
    return [record["state"] for record in org.consent(recipient)["history"]]


class Person:
    """Somebody with every kind of link there is, of several messages."""

    def __init__(self, org):
        self.org = org
        self.recipient = person()
        org.record(self.recipient, "given")
        actions = [{"id": "buy", "title": "Buy", "link": "https://shop.example/buy"}]
        push = org.compose([self.recipient], message(actions=actions), format="dynamics365", platform="ios")
        plain = org.compose([self.recipient])
        body = '<html><body><a href="https://shop.example/one">1</a> <a href="https://shop.example/two">2</a></body></html>'
        mail = org.compose([self.recipient], message(link=None, html=body, openTracking=True), format="email")
        html = mail.payload(self.recipient)["html"]
        self.messages = [push.message, plain.message, mail.message]
        self.tracking_id = plain.links(self.recipient)["trackingId"]
        self.links = [
            push.link(self.recipient),
            plain.link(self.recipient),
            *re.findall(r'href="([^"]*/r/[\w-]{54})"', html),
        ]
        assert len(self.links) == 4
        (self.pixel,) = re.findall(r"/o/[\w-]{54}\.gif", html)

    def click_everything(self):
        for link in self.links:
            assert wire.follow(link).status == 302
        assert ask(self.org, self.pixel).status == 200

    def recorded(self):
        self.org.settle()
        return [seen for id in self.messages for seen in self.org.interactions(message=id)]


class TestLooking:
    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    @pytest.mark.parametrize("hint", [{}, {"Sec-Purpose": "prefetch"}, {"X-Purpose": "preview"}, {"Sec-GPC": "1"}])
    def test_changes_nothing(self, org, method, hint):
        link = org.tracked_link()
        for _ in range(3):
            answer = ask(org, page_of(link.url), method, HTML | hint)
            assert answer.status == 200
            assert (method == "HEAD") == (answer.body == b"")
        assert states(org, link.recipient) == ["given"]
        assert wire.follow(link.url).status == 302
        assert len(org.clicks(link)) == 1

    def test_shows_whether_tracking_is_on(self, org):
        link = org.tracked_link()
        assert is_on(ask(org, page_of(link.url)))
        for state in ("refused", "revoked", "invalidated", "withdrawn"):
            org.record(link.recipient, state)
            assert not is_on(ask(org, page_of(link.url)))
            times.next_millisecond()
            org.record(link.recipient, "given")
            times.next_millisecond()
        assert is_on(ask(org, page_of(link.url)))

    def test_shows_what_the_rules_of_the_day_are(self, lenient_org):
        link = lenient_org.tracked_link(consented=False)
        assert is_on(ask(lenient_org, page_of(link.url)))
        lenient_org.set(enforcement="restrictive")
        answer = ask(lenient_org, page_of(link.url))
        assert not is_on(answer)
        assert "<button>" in text(answer), "a recipient who has not said no must be able to"

    def test_says_nothing_of_person_and_message(self, org):
        ana = Person(org)
        page = text(ask(org, f"/p/{ana.tracking_id}"))
        for secret in (ana.recipient, ana.recipient.split("@")[0], "shop.example", ana.tracking_id, org.id, *ana.messages):
            assert secret not in page

    def test_cannot_be_mistaken_for_a_page_of_the_organization(self, org):
        link = org.tracked_link()
        org.set(name='<script>alert(1)</script>"&')
        page = text(ask(org, page_of(link.url)))
        assert "<script" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;" in page


class TestPressing:
    def test_ends_recording_on_the_very_next_click_on_any_link(self, org):
        ana = Person(org)
        ana.click_everything()
        before = ana.recorded()
        assert len(before) == 5
        assert not is_on(ask(org, f"/p/{ana.tracking_id}", "POST", FORM))
        ana.click_everything()
        ana.click_everything()
        assert ana.recorded() == before
        assert not org.compose([ana.recipient]).of(ana.recipient)["tracked"]

    def test_reaches_the_redirect_itself(self, org):
        """A click that is spooled, and dropped before it becomes an interaction, has been on the disk."""
        link = org.tracked_link()
        assert not is_on(ask(org, page_of(link.url), "POST", FORM))
        before = scrape(org.service)
        assert wire.follow(link.url).status == 302
        after = scrape(org.service)
        changed = {
            outcome: count - before.by("consentlink_redirects_total", "outcome")[outcome]
            for outcome, count in after.by("consentlink_redirects_total", "outcome").items()
        }
        assert {outcome: count for outcome, count in changed.items() if count} == {"consentEnded": 1}
        spooled = [metrics.value("consentlink_clicks_spooled_total") for metrics in (before, after)]
        assert spooled[0] == spooled[1]

    def test_leaves_evidence_that_the_person_did_it(self, org):
        link = org.tracked_link()
        ask(org, page_of(link.url), "POST", FORM)
        (current,) = org.consent(link.recipient)["current"]
        assert current["state"] == "withdrawn"
        given, withdrawn = org.consent(link.recipient)["history"]
        assert withdrawn["evidence"] == {"method": "withdrawal-page", "actor": "subject"}
        assert withdrawn["purpose"] == given["purpose"] == "tracking"

    def test_twice_adds_nothing(self, org):
        link = org.tracked_link()
        for _ in range(3):
            assert not is_on(ask(org, page_of(link.url), "POST", FORM))
        assert states(org, link.recipient) == ["given", "withdrawn"]
        org.record(link.recipient, "given")
        assert not is_on(ask(org, page_of(link.url), "POST", FORM))
        assert states(org, link.recipient) == ["given", "withdrawn", "given", "withdrawn"]

    def test_by_many_at_once_adds_one_record(self, org):
        link = org.tracked_link()
        answers = []

        def press():
            answers.append(ask(org, page_of(link.url), "POST", FORM))

        threads = [threading.Thread(target=press) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [is_on(answer) for answer in answers] == [False] * 16
        assert states(org, link.recipient) == ["given", "withdrawn"]

    def test_ends_it_for_the_purpose_of_the_message_and_that_person(self, org):
        ana, bo = person("ana"), person("bo")
        for recipient in (ana, bo):
            org.record(recipient, "given")
            org.record(recipient, "given", purpose="offers")
        composed = org.compose([ana, bo], message(purpose="offers"))
        ask(org, page_of(composed.link(ana)), "POST", FORM)
        now = {entry["purpose"]: entry["state"] for entry in org.consent(ana)["current"]}
        assert now == {"tracking": "given", "offers": "withdrawn"}
        assert states(org, bo) == ["given", "given"]

    def test_promises_nothing_about_messages_for_another_purpose(self, own_org):
        """A click in a message for another purpose is recorded still, so the page says which purpose it is about."""
        ana = person("ana")
        own_org.record(ana, "given")
        link = own_org.compose([ana]).link(ana)
        said = "This is about the purpose <bdi><em>tracking</em></bdi>."
        assert said not in text(ask(own_org, page_of(link)))
        own_org.record(ana, "given", purpose="offers")
        offers = own_org.compose([ana], message(purpose="offers"))
        assert said in text(ask(own_org, page_of(link)))
        pressed = text(ask(own_org, page_of(link), "POST", FORM))
        assert "Message tracking is off" in pressed and said in pressed
        wire.follow(offers.link(ana))
        own_org.settle()
        assert len(own_org.interactions(message=offers.message)) == 1

    BODIES = {
        "nothing": (b"", {}),
        "one click": (b"List-Unsubscribe=One-Click", {"Content-Type": "application/x-www-form-urlencoded"}),
        "one click in parts": (
            b'--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
            {"Content-Type": "multipart/form-data; boundary=b"},
        ),
        "nonsense": (b"\xff\x00{", {"Content-Type": "application/json"}),
        "a megabyte": (b"x" * (1 << 20), {"Content-Type": "text/plain"}),
    }

    @pytest.mark.parametrize("kind", BODIES)
    def test_works_whatever_the_body_is(self, org, kind):
        """RFC 8058: a mail system posts `List-Unsubscribe=One-Click` in the person's name, and follows no redirect."""
        link = org.tracked_link()
        body, headers = self.BODIES[kind]
        answer = ask(org, page_of(link.url), "POST", headers, body)
        assert (answer.status, answer.header("Location")) == (200, None)
        assert states(org, link.recipient) == ["given", "withdrawn"]

    def test_works_in_chunks_and_on_one_connection_with_clicks(self, org):
        links = [org.tracked_link() for _ in range(3)]
        with wire.Connection(org.service.listen) as connection:
            for link in links:
                head = {**FORM, "Transfer-Encoding": "chunked"}
                sent = b"1a\r\nList-Unsubscribe=One-Click\r\n0\r\n\r\n"
                for request, status in (
                    (wire.request("GET", f"/r/{tokens.of_link(link.url)}", org.service.listen), 302),
                    (wire.request("POST", page_of(link.url), org.service.listen, head, sent), 200),
                    (wire.request("GET", f"/r/{tokens.of_link(link.url)}", org.service.listen), 302),
                ):
                    connection.send(request)
                    assert connection.receive().status == status
                    times.next_millisecond()
        assert [len(org.clicks(link)) for link in links] == [1, 1, 1]

    def test_is_counted_and_timed_under_the_name_of_its_route(self, org):
        link = org.tracked_link()
        before = scrape(org.service).by("consentlink_consent_records_total", "state")["withdrawn"]
        ask(org, page_of(link.url), "POST", FORM)
        assert scrape(org.service).by("consentlink_consent_records_total", "state")["withdrawn"] == before + 1
        written = httpx.get(f"{org.service.api}/metrics").text
        assert 'route="/p/{trackingId}"' in written
        assert tokens.of_link(link.url) not in written


class TestNobodyIsKeptFromIt:
    def test_by_the_age_of_a_link(self, org):
        content = message(expiresAt=times.from_now(seconds=4))
        link = org.tracked_link(content=content)

        def is_over():
            assert wire.follow(link.url).status == 302
            return tokens.fields(tokens.of_link(link.url)).expires <= times.now().timestamp()

        eventually(is_over)
        assert is_on(ask(org, page_of(link.url)))
        assert not is_on(ask(org, page_of(link.url), "POST", FORM))
        assert states(org, link.recipient) == ["given", "withdrawn"]

    def test_by_a_message_that_was_switched_off(self, org):
        link = org.tracked_link()
        org.expect(200, "POST", org.path(f"/messages/{link.message}/disable"))
        assert wire.follow(link.url).status == 410
        assert is_on(ask(org, page_of(link.url)))
        assert not is_on(ask(org, page_of(link.url), "POST", FORM))
        assert states(org, link.recipient) == ["given", "withdrawn"]

    def test_by_a_new_signing_key(self, own_service, own_org):
        link = own_org.tracked_link()
        Operator(own_service).expect(201, "POST", "/v1/keyring/rotate")
        assert not is_on(ask(own_org, page_of(link.url), "POST", FORM))
        assert states(own_org, link.recipient) == ["given", "withdrawn"]

    def test_and_whoever_was_erased_is_told_and_not_brought_back(self, org):
        link = org.tracked_link()
        org.erase(link.recipient)
        for method in ("GET", "POST"):
            page = text(ask(org, page_of(link.url), method, FORM))
            assert "Nothing is known any more" in page and "<button>" not in page
        assert org.consent(link.recipient) == {"recipient": link.recipient, "current": [], "history": []}
        assert org.service.files_with(link.recipient) == set()

    @pytest.mark.parametrize("suffix", ["/", "?utm_source=mail", "/?x=%2F", "?", "%E2%80%9D", "”", "/%C2%BB?a=b", "/%E2", "/。/x"])
    def test_by_what_a_gateway_adds(self, org, suffix):
        link = org.tracked_link()
        assert not is_on(ask(org, page_of(link.url) + wire.utf8(suffix), "POST", FORM))
        assert states(org, link.recipient) == ["given", "withdrawn"]


class TestForged:
    def spellings(self, token):
        raw = bytearray(tokens.decode(token))
        yield from (token[:-1], token + "A", token + "=", "x", "%41" + token[1:], tokens.ZERO_GUID, "nonsense")
        for place in (0, 1, 3, 7, 9, 20, 39):
            changed = raw.copy()
            changed[place] ^= 1
            yield tokens.encode(bytes(changed))

    @pytest.mark.parametrize("method", ["GET", "POST"])
    @pytest.mark.parametrize("accept", ["text/html", "*/*"])
    def test_is_answered_as_the_redirect_answers_it(self, org, method, accept):
        link = org.tracked_link()
        for forged in self.spellings(tokens.of_link(link.url)):
            redirect = wire.ask(org.service.listen, "GET", f"/r/{forged}", {"Accept": accept})
            page = ask(org, f"/p/{forged}", method, {"Accept": accept})
            assert page.status == redirect.status == 404
            assert page.body == redirect.body

            def fields(answer):
                return sorted((name.lower(), value) for name, value in answer.headers if name.lower() != "date")

            assert fields(page) == fields(redirect)
        assert states(org, link.recipient) == ["given"]

    def test_other_methods_are_refused(self, org):
        link = org.tracked_link()
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
            answer = ask(org, page_of(link.url), method)
            assert (answer.status, answer.header("Allow")) == (405, "GET, HEAD, POST")
        assert states(org, link.recipient) == ["given"]


class TestDurability:
    @pytest.mark.crash
    def test_what_was_answered_outlives_kill_9(self, own_service, own_org):
        for _ in range(5):
            link = own_org.tracked_link()
            with wire.Connection(own_service.listen) as connection:
                head = {**FORM, "Content-Length": 0}
                connection.send(wire.request("POST", page_of(link.url), own_service.listen, head))
                assert connection.receive().status == 200
                own_service.kill()
            own_service.start()
            assert states(own_org, link.recipient) == ["given", "withdrawn"]
            assert wire.follow(link.url).status == 302
            assert own_org.clicks(link) == []

    @pytest.mark.embedded_storage_only  # a server is asked to sync, and its calls are its own
    @pytest.mark.fault
    def test_the_sync_that_covers_it_returns_before_the_answer_is_written(self, tmp_path):
        if not available():
            pytest.skip("strace may not trace here")
        service = Traced(tmp_path).start(within=60)
        link = Operator(service).make().tracked_link()
        assert wire.ask(service.listen, "POST", page_of(link.url), {"Content-Length": 0}).status == 200
        assert service.stop(within=60) == 0
        calls = service.calls()
        (answer,) = [call for call in calls if b"Message tracking is off" in call.data]
        log = [call for call in calls if call.file.endswith("/consentlink.db-wal") and call.ended is not None]
        (written, *_) = [call.ended for call in log if call.name == "pwrite64" and b"withdrawal-page" in call.data]
        syncs = [call for call in log if call.name in ("fdatasync", "fsync") and call.result == 0]
        assert any(written < sync.began and sync.ended < answer.began for sync in syncs)

    @pytest.mark.embedded_storage_only  # its disk is filled
    @pytest.mark.fault
    def test_on_a_full_disk_the_page_asks_to_try_again_and_it_works_then(self, tmp_path):
        for service in run_to_the_end(FaultyDisk(tmp_path, file="consentlink.db")):
            org = Operator(service).make()
            link = org.tracked_link()
            service.fail("write", errno.ENOSPC)
            for accept, kind in (("text/html", "text/html; charset=utf-8"), ("*/*", "application/problem+json")):
                answer = ask(org, page_of(link.url), "POST", {"Accept": accept})
                assert (answer.status, answer.header("Retry-After")) == (503, "2")
                assert answer.header("Content-Type") == kind
            assert is_on(ask(org, page_of(link.url))), "it can still be read, and is still so"
            service.heal()
            eventually(lambda: ask(org, page_of(link.url), "POST").status == 200)
            assert states(org, link.recipient) == ["given", "withdrawn"]
