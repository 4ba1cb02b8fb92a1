"""The receipt that a person gets of their own answer: it holds without the service, names nobody else, says nothing that
its proof does not, holds on when they are erased, and is handed to nobody but who gave the answer."""

import base64
import copy
import json
import re
import subprocess
import threading

import httpx
import pytest

from harness import tokens, wire
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.ledger import Ledger
from harness.pages import LANGUAGES, PURPOSES, ask, asked_apart, page_of
from harness.service import binary, environment

def offered(answer):
    """Where the page says that receipts are."""
    assert answer.status == 200, answer
    return re.findall(r'href="(/receipt/[\w-]{51}\?lang=[a-z]{2})"', answer.body.decode())


def press(org, link, language="en"):
    """The answer to the form of the page in a language."""
    return ask(org, f"{page_of(link.url)}?lang={language}", "POST")


def withdraw(org, link):
    """Where the receipt is of somebody who presses the button."""
    (path,) = offered(press(org, link))
    return path.partition("?")[0]


def receipt(org, path):
    answer = ask(org, path)
    assert answer.status == 200, answer
    return answer.body


class Person:
    """Somebody who withdrew, with their receipt in a folder of their own, far from the service."""

    def __init__(self, org, folder):
        self.org = org
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.vkey = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
        self.link = org.tracked_link()
        self.recipient = self.link.recipient
        self.path = withdraw(org, self.link)
        self.file = receipt(org, self.path)
        self.receipt = json.loads(self.file)
        (folder / "consent-receipt.json").write_bytes(self.file)

    def verify(self, content=None, *arguments, key=None):
        """`consentlink verify` of the receipt or of another file, with no service to ask."""
        name = "consent-receipt.json"
        if content is not None:
            name = "other.json"
            (self.folder / name).write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return subprocess.run(
            [str(binary()), "verify", name, "--key", key or self.vkey, *arguments],
            cwd=self.folder, capture_output=True, text=True, timeout=60, env=environment())  # fmt: skip

    def fault(self, content, *arguments, **more):
        done = self.verify(content, *arguments, **more)
        assert done.returncode == 1 and done.stdout == "", (done.stdout, done.stderr)
        return done.stderr.split(" does not hold: ")[1].strip()


@pytest.fixture
def ana(org, tmp_path):
    return Person(org, tmp_path / "ana")


class TestTheFile:
    def test_holds_without_the_service(self, ana):
        done = ana.verify()
        assert done.returncode == 0, done.stderr
        assert "consent-receipt.json holds." in done.stdout
        for word in (ana.recipient, "withdrawn at ", ana.receipt["record_id"]):
            assert word in done.stdout
        found = json.loads(ana.verify(None, "--json").stdout)
        assert (found["holds"], found["kind"]) == (True, "receipt")

    def test_says_what_was_recorded_and_nothing_else(self, ana):
        withdrawn = ana.org.consent(ana.recipient)["history"][-1]
        proof = ana.receipt["consentlink"].pop("proof")
        assert ana.receipt == {
            "schema_version": "consentlink-consent-receipt/1",
            "record_id": withdrawn["id"],
            "pii_principal_id": ana.recipient,
            "pii_processing": {
                "language": "en",
                "purposes": [{"purpose": "tracking"}],
                "pii_controllers": [
                    {"party_id": ana.org.id, "party_name": ana.org.expect(200, "GET", ana.org.path()).json()["name"],
                     "party_role": "controller"},
                ],
            },
            "event": {"event_time": withdrawn["occurredAt"], "event_state": "withdrawn", "entity_id": "subject"},
            "consentlink": {
                "recorded_at": withdrawn["recordedAt"],
                "method": "withdrawal-page",
                "key_name": f"{ana.org.service.listen}/{ana.org.id}",
            },
        }  # fmt: skip
        assert proof.startswith("c2sp.org/tlog-proof@v1\n")

    def test_is_a_file_to_be_saved_and_kept_by_nobody_else(self, ana):
        answer = ask(ana.org, ana.path)
        assert answer.header("Content-Type") == "application/json"
        assert answer.header("Content-Disposition") == 'attachment; filename="consent-receipt.json"'
        assert answer.header("Cache-Control") == "no-store"
        assert answer.header("Referrer-Policy") == "no-referrer"
        assert answer.header("X-Robots-Tag") == "noindex, nofollow"
        head = ask(ana.org, ana.path, "HEAD")
        assert (head.status, head.body) == (200, b"")
        refused = ask(ana.org, ana.path, "POST")
        assert (refused.status, refused.header("Allow")) == (405, "GET, HEAD")

    def test_is_the_proof_that_the_organization_gets_too(self, ana):
        org = ana.org
        proof = org.expect(200, "GET", org.path(f"/consents/{ana.receipt['record_id']}/proof")).text

        def entry(text):
            return next(line for line in text.splitlines() if line.startswith("extra "))

        assert entry(proof) == entry(ana.receipt["consentlink"]["proof"])


class TestAnybodyElse:
    def test_stands_in_no_receipt(self, org, tmp_path):
        """Several people act at once: their records are neighbours in one tree, under one checkpoint."""
        links = [org.tracked_link() for _ in range(8)]
        paths = [None] * len(links)

        def act(number):
            paths[number] = withdraw(org, links[number])

        threads = [threading.Thread(target=act, args=(number,)) for number in range(len(links))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        files = [receipt(org, path).decode() for path in paths]
        for number, file in enumerate(files):
            extra = re.search(r"extra ([\w+/=]+)", file)[1]
            whole = file + base64.b64decode(extra).decode()
            assert whole.count(links[number].recipient) == 2
            for other, link in enumerate(links):
                if other != number:
                    assert link.recipient not in whole
                    assert json.loads(files[other])["record_id"] not in whole
                assert tokens.of_link(link.url) not in whole and link.message not in whole

    def test_is_offered_none(self, org):
        """A message that was forwarded leads to the page, and the page does not lead to a receipt."""
        link = org.tracked_link()
        for method in ("GET", "HEAD", "GET"):
            assert offered(ask(org, page_of(link.url), method)) == []
        withdraw(org, link)
        for method in ("GET", "POST", "POST"):
            assert offered(ask(org, page_of(link.url), method)) == []
        assert len(org.consent(link.recipient)["history"]) == 2

    def test_gets_none_for_a_tracking_id_a_record_or_a_guess(self, ana):
        record = ana.receipt["record_id"]
        genuine = ana.path.removeprefix("/receipt/")
        raw = bytearray(base64.urlsafe_b64decode(genuine + "="))
        assert len(raw) == 38
        forged = [tokens.of_link(ana.link.url), record, genuine[:-1], genuine + "A", "x", "%67" + genuine[1:]]
        for place in range(38):
            changed = raw.copy()
            changed[place] ^= 4
            forged.append(tokens.encode(bytes(changed)))
        for token in forged:
            answer = ask(ana.org, f"/receipt/{token}")
            assert answer.status == 404, token
            assert ana.recipient.encode() not in answer.body
        assert ask(ana.org, f"/r/{genuine}").status == 404
        assert ask(ana.org, f"/p/{genuine}").status == 404

    def test_that_only_looks_records_nothing(self, ana):
        """Gateways and browsers fetch every link that they see."""
        size = Ledger(ana.org).head["size"]
        for hint in ({}, {"Sec-Purpose": "prefetch"}, {"X-Purpose": "preview"}, {"User-Agent": "scanner/1"}):
            for method in ("HEAD", "GET"):
                assert ask(ana.org, ana.path, method, hint).status == 200
        assert len(ana.org.consent(ana.recipient)["history"]) == 2
        assert Ledger(ana.org).head["size"] == size


class TestEdited:
    @pytest.mark.parametrize(
        "pointer, value",
        [
            ("/record_id", "1"),
            ("/pii_principal_id", "somebody@example.com"),
            ("/pii_processing/language", "xx"),
            ("/pii_processing/purposes/0/purpose", "offers"),
            ("/pii_processing/pii_controllers/0/party_id", "globex"),
            ("/event/event_state", "given"),
            ("/event/event_time", "2020-01-01T00:00:00.000Z"),
            ("/event/entity_id", "agent"),
            ("/consentlink/recorded_at", "2020-01-01T00:00:00.000Z"),
            ("/consentlink/method", "telephone"),
            ("/consentlink/key_name", "links.example/globex"),
        ],
    )
    def test_is_found_by_its_place(self, ana, pointer, value):
        changed = copy.deepcopy(ana.receipt)
        *way, last = [int(part) if part.isdigit() else part for part in pointer.split("/")[1:]]
        inner = changed
        for part in way:
            inner = inner[part]
        inner[last] = value
        assert ana.fault(changed) == f"{pointer} is not the value that the proof proves"
        del inner[last]
        assert ana.fault(changed) == f"the proof proves {pointer}, which is missing"

    def test_with_more_words_is_found(self, ana):
        ana.receipt["event"]["note"] = "and she said yes to everything else"
        assert ana.fault(ana.receipt).startswith("/event has more than a receipt has there")
        doubled = ana.file.replace(b'"event_state"', b'"event_state": "given", "event_state"', 1)
        assert "it is not a receipt" in ana.fault(doubled)

    def test_with_the_proof_of_another_record_is_found(self, ana, tmp_path):
        bo = Person(ana.org, tmp_path / "bo")
        assert bo.verify().returncode == 0
        swapped = ana.receipt | {"consentlink": bo.receipt["consentlink"]}
        assert ana.fault(swapped) == "/record_id is not the value that the proof proves"
        theirs = bo.receipt | {"consentlink": ana.receipt["consentlink"]}
        assert ana.fault(theirs) == "/record_id is not the value that the proof proves"

    def test_with_the_proof_of_a_decision_is_found(self, ana):
        org = ana.org
        (decision,) = [d["id"] for d in org.query_decisions(recipient=ana.recipient)]
        proof = org.expect(200, "GET", org.path(f"/decisions/{decision}/proof")).text
        ana.receipt["consentlink"]["proof"] = proof
        assert ana.fault(ana.receipt) == "its proof is not that of a consent record"

    def test_of_another_organization_is_found(self, ana, operator, tmp_path):
        globex = Person(operator.make(), tmp_path / "globex")
        assert globex.verify().returncode == 0
        assert "the note is not signed by" in ana.fault(globex.file)
        assert "the note is not signed by" in globex.fault(ana.file)

    @pytest.mark.parametrize(
        "file",
        [b'{"schema_version":', b'{"schema_version":"consentlink-consent-receipt/2"}',
         b'{"schema_version":"consentlink-consent-receipt/1"}', b'{"schema_version":' + b"[" * 60 + b"]" * 60 + b"}"],
        ids=["cut", "another version", "nothing else", "deep"],
    )  # fmt: skip
    def test_what_is_none_is_refused(self, ana, file):
        assert ana.fault(file)

    def test_what_is_too_long_is_refused(self, ana):
        assert "it is longer than" in ana.fault(ana.file + b" " * (1 << 20))


class TestErasure:
    def test_leaves_the_file_and_the_ledger_that_it_leads_to(self, own_service, own_org, tmp_path):
        """Who is erased keeps the proof of what they said; the service can no longer give it out."""
        ana = Person(own_org, tmp_path / "ana")
        people = [own_org.tracked_link() for _ in range(5)]
        own_org.erase(ana.recipient)
        assert not own_service.files_with(ana.recipient)
        answer = ask(own_org, ana.path)
        assert answer.status == 404
        assert answer.header("Content-Type") == "text/html; charset=utf-8"
        assert ana.recipient.encode() not in answer.body
        assert offered(ask(own_org, page_of(ana.link.url), "POST")) == []

        assert ana.verify().returncode == 0
        export = subprocess.run(
            [str(binary()), "audit", "export", "--org", own_org.id, "--output", "later.tar"],
            cwd=ana.folder, capture_output=True, text=True, timeout=60,
            env=environment(CONSENTLINK_KEY=own_org.key, CONSENTLINK_API=own_service.api))  # fmt: skip
        assert export.returncode == 0, export.stderr
        held = subprocess.run(
            [str(binary()), "verify", "later.tar", "--key", ana.vkey, "--since", "consent-receipt.json", "--json"],
            cwd=ana.folder, capture_output=True, text=True, timeout=60, env=environment())  # fmt: skip
        assert held.returncode == 0, held.stderr
        found = json.loads(held.stdout)
        size = int(ana.receipt["consentlink"]["proof"].split("\n\n")[1].splitlines()[1])
        assert found["since"] == size < found["size"]
        assert ana.recipient.encode() not in (ana.folder / "later.tar").read_bytes()
        assert len(people) == 5

    def test_between_the_answer_and_the_fetching_leaves_none(self, org):
        link = org.tracked_link()
        path = withdraw(org, link)
        org.erase(link.recipient)
        answer = ask(org, path)
        assert answer.status == 404 and link.recipient.encode() not in answer.body


class TestTime:
    def test_it_is_there_at_once_for_whoever_waits(self, org):
        """The record is signed within about a second; whoever is quicker is answered when it is."""
        for _ in range(5):
            assert receipt(org, withdraw(org, org.tracked_link()))

    def test_it_is_there_after_a_restart_and_with_a_new_key(self, own_service, own_org, tmp_path):
        ana = Person(own_org, tmp_path / "ana")
        Operator(own_service).expect(201, "POST", "/v1/keyring/rotate")
        assert receipt(own_org, ana.path) == ana.file
        own_service.restart()
        assert eventually(lambda: ask(own_org, ana.path).status == 200)
        assert json.loads(receipt(own_org, ana.path))["record_id"] == ana.receipt["record_id"]
        assert ana.verify().returncode == 0


class TestThePage:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_offers_it_in_the_language_of_the_page(self, org, language):
        answer = press(org, org.tracked_link(), language)
        (path,) = offered(answer)
        assert path.endswith(f"?lang={language}")
        page = answer.body.decode()
        assert f'<html lang="{language}"' in page
        assert ("Save the receipt" in page) == (language == "en")
        assert json.loads(receipt(org, path))["pii_processing"]["language"] == language

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_says_in_the_reader_s_language_why_there_is_none(self, org, language):
        for path, headers in ((f"/receipt/x?lang={language}", {}), ("/receipt/x", {"Accept-Language": language})):
            answer = ask(org, path, "GET", headers)
            assert answer.status == 404
            assert f'<html lang="{language}"' in answer.body.decode()
        problem = ask(org, "/receipt/x", "GET", {"Accept": "*/*"})
        assert problem.header("Content-Type") == "application/problem+json"
        assert json.loads(problem.body)["status"] == 404

    def test_names_nobody(self, org):
        link = org.tracked_link()
        page = ask(org, page_of(link.url), "POST").body.decode()
        assert link.recipient not in page and org.id not in page


def test_the_log_and_the_metrics_name_no_receipt(own_service, own_org, tmp_path):
    ana = Person(own_org, tmp_path / "ana")
    token = ana.path.removeprefix("/receipt/")
    ask(own_org, f"/receipt/{token[:-1]}")
    metrics = httpx.get(f"{own_service.api}/metrics").text
    assert 'route="/receipt/{token}"' in metrics
    for text in (metrics, own_service.log_text()):
        assert token not in text and token[:-1] not in text and ana.recipient not in text


def test_one_message_about_another_purpose_has_a_receipt_of_that_purpose(org):
    ana = person()
    org.record(ana, "given", purpose="offers")
    composed = org.compose([ana], message(purpose="offers"))
    (path,) = offered(ask(org, page_of(composed.link(ana)), "POST"))
    assert "language" not in json.loads(receipt(org, path))["pii_processing"], "no page was shown"
    assert json.loads(receipt(org, path))["pii_processing"]["purposes"] == [{"purpose": "offers"}]


class TestTwoPurposes:
    FORM = {"Content-Type": "application/x-www-form-urlencoded"}

    def test_withdrawn_at_once_have_a_receipt_each(self, org):
        answer = ask(org, asked_apart(org) + "?lang=en", "POST")
        paths = offered(answer)
        found = [json.loads(receipt(org, path))["pii_processing"]["purposes"][0]["purpose"] for path in paths]
        assert sorted(found) == sorted(PURPOSES.values())
        for purpose in found:
            assert f"Save the receipt (<bdi>{purpose}</bdi>)" in answer.body.decode()

    def test_withdrawn_apart_have_the_receipt_of_what_was_withdrawn(self, org):
        path = asked_apart(org)
        for part in ("opens", "clicks"):
            (link,) = offered(ask(org, path, "POST", self.FORM, f"{part}=off".encode()))
            found = json.loads(receipt(org, link))["pii_processing"]["purposes"]
            assert found == [{"purpose": PURPOSES[part]}]
        assert offered(ask(org, path, "POST")) == []


class TestConsentRequests:
    """The page of a request offers the receipt of the answer that it recorded."""

    FORM = {"Content-Type": "application/x-www-form-urlencoded"}

    def answer(self, org, url, said):
        body = f"purpose=tracking&answer={said}".encode()
        path = "/c/" + url.rsplit("/", 1)[1] + "?lang=de"
        return wire.ask(org.service.listen, "POST", path, {**self.FORM, "Content-Length": len(body)}, body)

    @pytest.mark.parametrize("said", ["given", "refused"])
    def test_an_answer_has_a_receipt_that_holds(self, org, tmp_path, said):
        recipient = person()
        request = org.ask_for_consent(recipient)
        (path,) = offered(self.answer(org, request["url"], said))
        file = receipt(org, path)
        words = json.loads(file)
        assert words["pii_principal_id"] == recipient
        assert words["event"]["event_state"] == said
        assert request["notice"]["sha256"] in file.decode()
        (tmp_path / "receipt.json").write_bytes(file)
        vkey = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
        done = subprocess.run(
            [binary(), "verify", tmp_path / "receipt.json", "--key", vkey], env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr + done.stdout
        assert said in done.stdout

    def test_what_recorded_nothing_has_none(self, org):
        request = org.ask_for_consent(person(), confirm=True)
        waiting = self.answer(org, request["url"], "given")
        assert waiting.status == 200 and b"/receipt/" not in waiting.body
        # Others may have the first link of two.
        assert offered(self.answer(org, request["url"], "refused")) == []
        request = org.ask_for_consent(person())
        assert len(offered(self.answer(org, request["url"], "refused"))) == 1
        again = self.answer(org, request["url"], "refused")
        assert again.status == 200 and b"/receipt/" not in again.body
        looked = wire.ask(org.service.listen, "GET", "/c/" + request["url"].rsplit("/", 1)[1], {"Accept": "text/html"})
        assert looked.status == 200 and b"/receipt/" not in looked.body
