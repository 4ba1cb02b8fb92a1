"""A consent history in the W3C Data Privacy Vocabulary: valid JSON-LD that needs no network, every IRI one that its
vocabulary has, and every field of every record where docs/formats/consent-records.md says."""

import json
import re
import time

import httpx
import pytest
from pyld import jsonld

from harness import times
from harness.client import EVIDENCE, person
from harness.service import ROOT

LD = "application/ld+json"
DPV, DCT, RDF, SCHEMA, XSD = (
    "https://w3id.org/dpv#",
    "http://purl.org/dc/terms/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "https://schema.org/",
    "http://www.w3.org/2001/XMLSchema#",
)
FOLDER = ROOT / "Tests/EndToEnd/vocabularies"
DOCUMENT = ROOT / "docs/formats/consent-records.md"


def lines(file):
    return [line for line in (FOLDER / file).read_text().splitlines() if line and not line.startswith("#")]


DPV_TERMS = dict(line.split() for line in lines("dpv-2.3.txt"))
OTHERS = set(lines("others.txt"))


def no_network(url, _):
    raise AssertionError(f"{url} would be fetched")


def expand(document):
    return jsonld.expand(document, {"documentLoader": no_network})


def iris(node):
    """(IRI, whether it stands where a property does) of all in an expanded document but blank nodes."""
    if isinstance(node, list):
        for item in node:
            yield from iris(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in ("@type", "@id"):
                for iri in value if isinstance(value, list) else [value]:
                    if not iri.startswith("_:"):
                        yield iri, False
            elif key != "@value":
                yield key, True
                yield from iris(value)


def unknown(expanded):
    """The IRIs that no vocabulary has, or has as something else."""
    found = []
    for iri, is_property in iris(expanded):
        if iri.startswith(DPV):
            kind = DPV_TERMS.get(iri.removeprefix(DPV))
            if kind != ("property" if is_property else "class"):
                found.append(iri)
        elif iri not in OTHERS:
            found.append(iri)
    return found


def values(node, iri):
    return [item["@value"] for item in node.get(iri, [])]


def nested(node, iri):
    return node.get(iri, [])


def history(org, recipient):
    """The document as it stood, and its nodes, expanded."""
    answer = org.expect(200, "POST", org.path("/recipients/export"), {"recipient": recipient}, headers={"Accept": LD})
    document = answer.json()
    assert set(document) == {"@context", "@graph"}
    return document, expand(document)


def keys(node):
    if isinstance(node, list):
        for item in node:
            yield from keys(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from keys(value)


def of_type(nodes, term):
    return [node for node in nodes if DPV + term in node.get("@type", [])]


@pytest.fixture
def everything(org):
    """A person with a record of every kind, and the records."""
    org.set(name='Ünïcode "shop"')
    recipient = person()
    for number, state in enumerate(["given", "refused", "withdrawn", "revoked", "invalidated"]):
        org.record(recipient, state, purpose=f"purpose.{number}", evidence=EVIDENCE)
    org.record(recipient, "given", purpose="bare")
    org.record(recipient, "given", purpose="empty", evidence={"notice": {}})
    org.record(recipient, "given", purpose="limited", validUntil=times.from_now(days=30), evidence={"actor": "agent"})
    org.record(
        recipient, "given", purpose="over", occurredAt=times.from_now(days=-2), validUntil=times.from_now(days=-1)
    )
    return recipient, org.consent(recipient)["history"]


class TestTheExport:
    def test_has_only_iris_that_their_vocabularies_have(self, org, everything):
        document, nodes = history(org, everything[0])
        assert unknown(nodes) == []
        used = {iri for iri, _ in iris(nodes)}
        assert len([iri for iri in used if iri.startswith(DPV)]) >= 20, "the history does not say what it should"
        context = document["@context"]
        for key in set(keys(document["@graph"])):
            assert key.startswith("@") or key.split(":")[0] in context, f"{key} would be dropped without a word"

    def test_names_controller_and_subject_once(self, org, everything):
        recipient, records = everything
        _, nodes = history(org, recipient)
        (controller,), (subject,) = of_type(nodes, "DataController"), of_type(nodes, "DataSubject")
        assert values(controller, DCT + "identifier") == [org.id]
        assert values(controller, DPV + "hasName") == ['Ünïcode "shop"']
        assert values(subject, DCT + "identifier") == [recipient]
        for node in of_type(nodes, "ConsentRecord"):
            assert nested(node, DPV + "hasDataSubject") == [{"@id": subject["@id"]}]
            assert nested(node, DPV + "hasDataController") == [{"@id": controller["@id"]}]
        assert len(nodes) == len(records) + 2

    def test_has_every_field_of_every_record_in_its_place(self, org, everything):
        recipient, records = everything
        _, nodes = history(org, recipient)
        (subject,) = of_type(nodes, "DataSubject")
        found = {values(node, DCT + "identifier")[0]: node for node in of_type(nodes, "ConsentRecord")}
        assert set(found) == {record["id"] for record in records}
        for record in records:
            node, evidence = found[record["id"]], record["evidence"] or {}
            notice = evidence.get("notice")
            assert node[DCT + "created"] == [{"@type": XSD + "dateTime", "@value": record["recordedAt"]}]
            (purpose,) = nested(node, DPV + "hasPurpose")
            assert (purpose["@type"], values(purpose, DCT + "identifier")) == ([DPV + "Purpose"], [record["purpose"]])
            assert values(node, DCT + "language") == ([evidence["language"]] if "language" in evidence else [])
            assert values(node, DCT + "source") == ([evidence["source"]] if "source" in evidence else [])
            if notice is None:
                assert DPV + "hasNotice" not in node
            else:
                (shown,) = nested(node, DPV + "hasNotice")
                for member, iri in (("id", DCT + "identifier"), ("version", SCHEMA + "version")):
                    assert values(shown, iri) == ([notice[member]] if member in notice else [])
                for member, iri in (("language", DCT + "language"), ("sha256", SCHEMA + "sha256")):
                    assert values(shown, iri) == ([notice[member]] if member in notice else [])
            status, *expiry = nested(node, DPV + "hasConsentStatus")
            assert status["@type"] == [DPV + "Consent" + record["state"].capitalize()]
            assert status[DPV + "isIndicatedAtTime"] == [{"@type": XSD + "dateTime", "@value": record["occurredAt"]}]
            assert values(status, DPV + "hasIndicationMethod") == ([evidence["method"]] if "method" in evidence else [])
            assert self.actor(status, subject) == (evidence.get("actor"), evidence.get("actor") == "subject")
            assert self.end(status) == (record["validUntil"] or "endless" if record["state"] == "given" else None)
            if record["purpose"] == "over":
                (over,) = expiry
                assert over["@type"] == [DPV + "ConsentExpired"]
                assert over[DCT + "date"] == [{"@type": XSD + "dateTime", "@value": record["validUntil"]}]
            else:
                assert expiry == []

    def actor(self, status, subject):
        """Who indicated it, and whether that is the node of the person."""
        if DPV + "isIndicatedBy" not in status:
            return None, False
        (node,) = nested(status, DPV + "isIndicatedBy")
        if node == {"@id": subject["@id"]}:
            return "subject", True
        assert node["@type"] == [DPV + "Entity"]
        return values(node, DCT + "description")[0], False

    def end(self, status):
        if DPV + "hasDuration" not in status:
            return None
        (duration,) = nested(status, DPV + "hasDuration")
        if duration["@type"] == [DPV + "EndlessDuration"]:
            return "endless"
        assert duration["@type"] == [DPV + "UntilTimeDuration"]
        ((end),) = duration[RDF + "value"]
        assert end["@type"] == XSD + "dateTime"
        return end["@value"]

    def test_shows_the_record_in_force_last(self, org):
        recipient = person()
        for state, days in (("withdrawn", 1), ("given", 3), ("refused", 2)):
            org.record(recipient, state, occurredAt=times.from_now(days=-days))
        _, nodes = history(org, recipient)
        states = [nested(node, DPV + "hasConsentStatus")[0]["@type"][0] for node in of_type(nodes, "ConsentRecord")]
        assert states == [DPV + "ConsentGiven", DPV + "ConsentRefused", DPV + "ConsentWithdrawn"]

    @pytest.mark.parametrize(
        "text", ["dpv:ConsentGiven", "_:subject", "@id", "https://evil.example/#x", '"}],"@graph":[{"@id":"x', "\\u0022", ""]
    )
    def test_takes_no_text_for_more_than_text(self, org, text):
        recipient = person()
        evidence = {"method": text, "source": text, "actor": text, "language": text, "notice": {"id": text, "version": text, "language": text}}
        org.record(recipient, "given", evidence=evidence)
        org.set(name=text or "x")
        _, nodes = history(org, recipient)
        assert unknown(nodes) == []
        (node,) = of_type(nodes, "ConsentRecord")
        (status,) = nested(node, DPV + "hasConsentStatus")
        assert values(node, DCT + "source") == values(status, DPV + "hasIndicationMethod") == [text]
        (actor,) = nested(status, DPV + "isIndicatedBy")
        assert values(actor, DCT + "description") == [text]

    def test_shows_a_withdrawal_on_the_page_as_the_subjects_own(self, org):
        recipient = person()
        org.record(recipient, "given")
        token = org.compose([recipient]).links(recipient)["trackingId"]
        time.sleep(0.003)
        assert httpx.post(f"{org.service.public}/p/{token}").status_code == 200
        _, nodes = history(org, recipient)
        (subject,) = of_type(nodes, "DataSubject")
        (status,) = nested(of_type(nodes, "ConsentRecord")[-1], DPV + "hasConsentStatus")
        assert status["@type"] == [DPV + "ConsentWithdrawn"]
        assert nested(status, DPV + "isIndicatedBy") == [{"@id": subject["@id"]}]
        assert values(status, DPV + "hasIndicationMethod") == ["withdrawal-page"]


class TestTheDocument:
    def example(self):
        (text,) = [block for block in re.findall(r"```json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL) if "@context" in block]
        return json.loads(text)

    def test_shows_an_export_with_its_context(self, org, everything):
        example = self.example()
        assert unknown(expand(example)) == []
        document, _ = history(org, everything[0])
        assert example["@context"] == document["@context"]

    def test_names_only_terms_that_there_are(self):
        terms = set(re.findall(r"`dpv:(\w+)`", DOCUMENT.read_text()))
        assert len(terms) > 25
        assert terms - set(DPV_TERMS) == set()

    def test_names_every_term_that_an_export_uses(self, org, everything):
        _, nodes = history(org, everything[0])
        text = DOCUMENT.read_text()
        prefixes = {DPV: "dpv", DCT: "dct", RDF: "rdf", SCHEMA: "schema", XSD: "xsd"}
        for iri in {iri for iri, _ in iris(nodes)}:
            (name,) = [f"{prefix}:{iri.removeprefix(base)}" for base, prefix in prefixes.items() if iri.startswith(base)]
            assert name in text, name

    @pytest.mark.parametrize(
        "wrong",
        [
            {"@type": "dpv:ConsentTerminated"},
            {"dpv:hasConsentState": "x"},
            {"dpv:ConsentGiven": "x"},
            {"@type": "dpv:hasNotice"},
            {"dct:identifer": "x"},
            {"dpv:hasNotice": {"dpv:hasNotice": [{"@type": "schema:Nonsense"}]}},
        ],
    )
    def test_and_what_there_is_not_would_be_noticed(self, wrong):
        assert len(unknown(expand({"@context": self.example()["@context"], **wrong}))) == 1
