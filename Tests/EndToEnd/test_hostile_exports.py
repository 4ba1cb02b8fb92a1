"""Exports and proofs that somebody forged, with and without the signing key: `consentlink verify` finds each and names it,
and no byte of a file reaches the terminal as it is.

    .venv/bin/pytest Tests/EndToEnd/test_hostile_exports.py -s      # prints what verify said of each
"""

import json
import random
import re
import subprocess

import pytest

from harness import forging
from harness.forging import START, Book, Signer, b64, moment
from harness.service import ROOT, binary, environment

SALE, OFF, LATER, NEWS = "33d0000000000001", "33d0000000000002", "33d0000000000003", "33d0000000000004"
EVIDENCE = {"actor": "subject", "method": "web-form", "notice": {"id": "privacy", "version": "3"}, "source": "https://é.example/\"1\""}


def kept_book():
    """Every kind of entry and every reason, in 300 entries."""
    book = Book()
    book.enforce("restrictive")
    people = [f"reader-{number}@people.example" for number in range(60)]
    for who in people[:30]:
        book.consent(who, "given", evidence=EVIDENCE if who.startswith("reader-1") else None)
    for who in people:
        book.decide(who, SALE)
    book.consent(people[0], "withdrawn")
    book.consent(people[1], "given", until=book.now + 5_000)
    book.consent(people[2], "refused")
    book.consent(people[3], "given", at=START + 1)
    book.consent("\u00fc\"\\n@people.example", "revoked")
    for who in [*people[:10], "\u00fc\"\\n@people.example"]:
        book.decide(who, SALE)
    book.decide(people[1], SALE)
    book.off.add(OFF)
    for who in people[:8]:
        book.decide(who, OFF)
    book.erase(people[5])
    book.decide(people[5], SALE)
    book.enforce("nonRestrictive")
    for who in people[:12]:
        book.decide(who, LATER)
    book.decide("reader-40@people.example", NEWS, purpose="newsletter")
    book.purge(7)
    book.erase("nobody@people.example")
    book.consent(people[5], "given")
    while len(book.entries) < 300:
        book.decide(people[len(book.entries) % 60], LATER)
    book.interact(people[6], SALE)
    book.interact(people[7], LATER)
    book.interact(None, LATER)
    return book


BOOK = kept_book()
KEY = BOOK.signer.verifier
EARLIER = 200


def verify(folder, packed, *arguments, key=KEY, name="export.tar"):
    (folder / name).write_bytes(packed)
    return subprocess.run(
        [str(binary()), "verify", name, "--key", key, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=60, env=environment(),
    )  # fmt: skip


def find(book, type, **members):
    """The first entry of a kind with these members, public or private, that is open."""
    for index, entry in enumerate(book.entries):
        both = (entry.private or {}) | entry.public
        if both["type"] == type and not entry.is_closed and all(both.get(name) == it for name, it in members.items()):
            return index, entry
    raise AssertionError(f"no {type} with {members}")


# Without the signing key: the export alone is changed, and the sums in its manifest are made to fit.


def line_of(archive, index):
    return json.loads(archive.lines[index])


def rewrite(archive, index, **changed):
    line = line_of(archive, index)
    archive.lines[index] = json.dumps(line | changed, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n"


def a_reason(archive):
    entry = line_of(archive, 120)["entry"]
    rewrite(archive, 120, entry=entry | {"reason": "consentRevoked", "outcome": "untracked"})


def a_recipient(archive):
    line = line_of(archive, 80)
    rewrite(archive, 80, private=line["private"] | {"recipient": "else@people.example"})


def a_salt(archive):
    rewrite(archive, 80, salt=b64(bytes(16)))


def two_salts(archive):
    one, other = line_of(archive, 80), line_of(archive, 81)
    rewrite(archive, 80, salt=other["salt"])
    rewrite(archive, 81, salt=one["salt"])


def two_privates(archive):
    one, other = line_of(archive, 80), line_of(archive, 81)
    rewrite(archive, 80, private=other["private"], salt=other["salt"])
    rewrite(archive, 81, private=one["private"], salt=one["salt"])


def private_taken_away(archive):
    line = line_of(archive, 250)
    archive.lines[250] = BOOK.entries[250].json.join([b'{"entry":', b',"index":%d}\n' % line["index"]])


def evidence_changed(archive):
    index, entry = find(BOOK, "consent", recipient="reader-1@people.example")
    rewrite(archive, index, private=entry.private | {"evidence": EVIDENCE | {"method": "paper"}})


def a_line_deleted(archive):
    del archive.lines[57]
    archive.manifest["counts"]["entries"] -= 1
    archive.manifest["counts"]["decisions"] -= 1


def a_line_deleted_and_moved_up(archive):
    del archive.lines[57]
    for index in range(57, len(archive.lines)):
        archive.lines[index] = archive.lines[index].replace(b'"index":%d' % (index + 1), b'"index":%d' % index, 1)


def a_line_doubled(archive):
    archive.lines.insert(58, archive.lines[57])


def two_lines_exchanged(archive):
    archive.lines[57:59] = archive.lines[58], archive.lines[57]


def two_entries_exchanged(archive):
    one, other = archive.lines[57], archive.lines[280]
    archive.lines[57] = other.replace(b'"index":280', b'"index":57', 1)
    archive.lines[280] = one.replace(b'"index":57', b'"index":280', 1)


def the_newest_cut(archive):
    del archive.lines[-20:]


def one_too_many(archive):
    archive.lines.append(BOOK.entries[299].line(300))


def a_bit_of_a_tile(archive):
    tile = archive.files["tile/0/000"]
    archive.files["tile/0/000"] = bytes([tile[0] ^ 1]) + tile[1:]


def a_bit_of_the_edge(archive):
    (name,) = [name for name in archive.files if name.startswith("tile/0/001.p/")]
    tile = archive.files[name]
    archive.files[name] = bytes([tile[0] ^ 1]) + tile[1:]


def a_tile_missing(archive):
    del archive.files["tile/0/000"]


def tiles_in_another_order(archive):
    edge = next(name for name in archive.files if name.startswith("tile/0/001.p/"))
    archive.files = {name: content for name, content in archive.files.items() if name != edge} | {
        edge: archive.files[edge]
    }


def the_size(archive):
    archive.replace("checkpoint", b"\n300\n", b"\n299\n")
    archive.manifest["size"] = 299


def the_root(archive):
    archive.replace("checkpoint", b64(forging.root(BOOK.leaves)).encode(), b64(bytes(32)).encode())


def another_key(archive):
    other = Signer(seed=bytes(32))
    archive.files["checkpoint"] = other.sign(300, forging.root(BOOK.leaves)).encode()


def a_forged_signature_beside(archive):
    archive.files["checkpoint"] += BOOK.signer.line("something else\n").encode()


def anothers_signature_by_our_name(archive):
    other = Signer(seed=bytes(32))
    archive.files["checkpoint"] += other.line("something else\n").encode()


def the_same_signature_twice(archive):
    archive.files["checkpoint"] += archive.files["checkpoint"].splitlines(keepends=True)[-1]


def a_foreign_file(archive):
    archive.files["tile/0/000"] = archive.files.pop("tile/0/000")
    archive.files["../../etc/passwd"] = b"root"


def another_readme(archive):
    archive.replace("README.txt", b"What no verification can show", b"What every verification shows")


def interactions_that_are_no_json(archive):
    archive.interactions[0] = b"\x1b[2Jclicks: none\n"


def interactions_in_another_form(archive):
    archive.interactions[0] = archive.interactions[0].replace(b'"automated":false', b'"automated":0')


def an_interaction_with_another_member(archive):
    archive.interactions[0] = archive.interactions[0].replace(b'"first":true}', b'"first":true,"x":1}')


def an_interaction_more(archive):
    archive.interactions.append(archive.interactions[0])


def wrong_counts(archive):
    archive.manifest["counts"]["decisions"] += 1


def another_root_in_the_manifest(archive):
    archive.manifest["root"] = b64(bytes(32))


def another_format(archive):
    archive.manifest["format"] = "consentlink-audit@v2"


def a_member_more_in_the_manifest(archive):
    archive.manifest["verdict"] = "whole"


def exported_with_escapes(archive):
    archive.manifest["exportedAt"] = "2026-11-21T09:00:00.000Z\x1b[2K\x1b[Gextent  whole"


def exported_at_another_time(archive):
    archive.manifest["exportedAt"] = "2025-01-01T00:00:00.000Z"


def exported_in_another_spelling(archive):
    archive.manifest["exportedAt"] = archive.manifest["exportedAt"].replace(".000Z", "Z").replace("Z", "+00:00")


def a_header_of_another_time(archive):
    archive.header_changes["checkpoint"] = archive.seconds + 1


def a_false_consistency_proof(archive):
    archive.replace("consistency", b64(forging.subproof(EARLIER, BOOK.leaves)[0]).encode(), b64(bytes(32)).encode())


def another_old_size(archive):
    archive.replace("consistency", b"old 200\n", b"old 199\n")


def a_consistency_proof_of_nothing(archive):
    archive.replace("consistency", b"old 200\n", b"old 0\n")


def a_hash_more(archive):
    archive.replace("consistency", b"\n\n", b"\n" + b64(bytes(32)).encode() + b"\n\n")


UNSIGNED = {
    "a reason": (a_reason, r"entry 120 \(decision \w+\) differs from the ledger"),
    "a recipient": (a_recipient, r"entry 80 \(decision \w+\) does not commit"),
    "a salt": (a_salt, r"entry 80 \(decision \w+\) does not commit"),
    "two salts exchanged": (two_salts, r"entry 80 \(decision \w+\) does not commit"),
    "private fields of two exchanged": (two_privates, r"entry 80 \(decision \w+\) does not commit"),
    "private fields taken away": (private_taken_away, r"decisions come without their recipient"),
    "evidence": (evidence_changed, r"entry \d+ \(consent record \w+\) does not commit"),
    "a line deleted": (a_line_deleted, r"entry 57 of 300 is missing"),
    "a line deleted, the others moved up": (a_line_deleted_and_moved_up, r"entry 57 .* is entry 58"),
    "a line doubled": (a_line_doubled, r"line 59 of entries/000001.ndjson"),
    "two lines exchanged": (two_lines_exchanged, r"line 59 of entries/000001.ndjson"),
    "two entries exchanged": (two_entries_exchanged, r"entry 57 .* is entry 280"),
    "the newest entries cut": (the_newest_cut, r"entries 280 to 299 of 300 are missing"),
    "an entry more": (one_too_many, r"line 301 of entries/000001.ndjson: the tree has no such entry"),
    "a bit of a tile": (a_bit_of_a_tile, r"the tile tile/0/000: its hashes"),
    "a bit of the unfinished tile": (a_bit_of_the_edge, r"tiles do not have the root"),
    "a tile missing": (a_tile_missing, r"entry 0 .* proved by no tile"),
    "tiles in another order": (tiles_in_another_order, r"the tile tile/0/000: it does not come here"),
    "the size in the checkpoint": (the_size, r"signature of links.example.com/acme does not hold"),
    "the root in the checkpoint": (the_root, r"signature of links.example.com/acme does not hold"),
    "a checkpoint of another key": (another_key, r"not signed by links.example.com/acme"),
    "a forged signature beside": (a_forged_signature_beside, r"signature of links.example.com/acme does not hold"),
    "another's signature by our name": (anothers_signature_by_our_name, r"more than one signature by the name"),
    "the same signature twice": (the_same_signature_twice, r"more than one signature by the name"),
    "a foreign file": (a_foreign_file, r"the file ../../etc/passwd does not belong"),
    "another README": (another_readme, r"README.txt is not the text"),
    "interactions that are no JSON": (interactions_that_are_no_json, r"line 1 of interactions/000001.ndjson"),
    "interactions in another form": (interactions_in_another_form, r"line 1 of interactions/000001.ndjson"),
    "an interaction with another member": (an_interaction_with_another_member, r"line 1 of interactions/000001.ndjson"),
    "an interaction more": (an_interaction_more, r"manifest.json: its counts"),
    "wrong counts": (wrong_counts, r"manifest.json: its counts"),
    "another root in the manifest": (another_root_in_the_manifest, r"manifest.json: it is not of this checkpoint"),
    "another format": (another_format, r"manifest.json: it has not the form"),
    "a member more in the manifest": (a_member_more_in_the_manifest, r"manifest.json: it has not the form"),
    "escapes in exportedAt": (exported_with_escapes, r"manifest.json: a time in it"),
    "exportedAt at another time": (exported_at_another_time, r"header of README.txt has another time"),
    "exportedAt in another spelling": (exported_in_another_spelling, r"manifest.json: a time in it"),
    "a header of another time": (a_header_of_another_time, r"header of checkpoint has another time"),
    "a false consistency proof": (a_false_consistency_proof, r"the file consistency does not prove .* one of 200"),
    "another old size": (another_old_size, r"the file consistency does not prove .* one of 199"),
    "a consistency proof from nothing": (a_consistency_proof_of_nothing, r"the file consistency does not prove .* one of 0"),
    "a hash more in the consistency proof": (a_hash_more, r"the file consistency does not prove"),
}


def test_the_page_of_the_format_has_what_a_reader_must_compare():
    """Enough to write a verifier by: the text of README.txt, and how an id tells its time."""
    page = (ROOT / "docs/formats/audit-export.md").read_text()
    assert f"```text\n{forging.README}```\n" in page
    assert f"```text\n{forging.WHOLE}\n{forging.PART}\n```\n" in page
    told = re.search(r"`([0-9a-f]+)` is of (\S+Z)\.", (ROOT / "docs/formats/ledger.md").read_text())
    assert moment(int(told[1], 16) >> 21) == told[2]


class TestForgeries:
    def test_begin_with_an_export_that_holds(self, tmp_path):
        for since in (None, EARLIER):
            done = verify(tmp_path, BOOK.archive(since=since).pack(), "--json", "--whole")
            assert done.returncode == 0, done.stderr.decode()
        found = json.loads(done.stdout)
        made = found["recomputation"]
        assert made["exceptions"] == 0 and made["closed"] > 7 and made["aboutErased"] == 2 and made["untrackedMessages"] == 7
        assert made["recomputed"] + made["closed"] + made["aboutErased"] + made["untrackedMessages"] == (
            found["entries"]["decisions"]
        )

    @pytest.mark.parametrize("what", UNSIGNED)
    def test_without_the_key_are_found(self, tmp_path, what):
        forge, expected = UNSIGNED[what]
        archive = BOOK.archive(since=EARLIER)
        forge(archive)
        assert_found(what, verify(tmp_path, archive.pack()), expected)

    @pytest.mark.parametrize("what", ["another old size", "a false consistency proof"])
    def test_of_consistency_are_found_with_since_too(self, tmp_path, what):
        forge, expected = UNSIGNED[what]
        archive = BOOK.archive(since=EARLIER)
        forge(archive)
        (tmp_path / "since").write_text(BOOK.checkpoint(EARLIER))
        assert_found(what, verify(tmp_path, archive.pack(), "--since", "since"), expected)

    @pytest.mark.parametrize(
        ("what", "change"),
        [
            ("cut", lambda packed: packed[: len(packed) // 2]),
            ("cut behind a file", lambda packed: packed[:-1024]),
            ("extended", lambda packed: packed + b"x"),
            ("extended by zeros", lambda packed: packed + bytes(512)),
            ("another byte between files", lambda packed: packed[:-1100] + b"x" + packed[-1099:]),
        ],
    )
    def test_of_the_archive_are_found(self, tmp_path, what, change):
        assert_found(what, verify(tmp_path, change(BOOK.archive().pack())), r"not an audit export|is not the one")


def assert_found(what, done, expected):
    said = done.stderr.decode()
    print(f"{what}: {said.strip().split(' does not hold: ', 1)[-1]}")
    assert done.returncode == 1, said + done.stdout.decode()
    assert re.search(expected, said), said
    assert_harmless(done)


def assert_harmless(done):
    """Nothing but what can be seen, and the ends of our own lines."""
    for text in (done.stdout.decode(), done.stderr.decode()):
        for character in text:
            assert character == "\n" or character.isprintable(), f"{character!a} in {text!a}"


# With the signing key: the ledger itself is forged, and everything in the export fits.


def public(index=250, **changed):
    def forge(book):
        entry = book.entries[index]
        entry.public = {name: value for name, value in (entry.public | changed).items() if value != "absent"}

    return forge


def raw(type, old, new):
    def forge(book):
        index, entry = next((i, e) for i, e in enumerate(book.entries) if e.public["type"] == type and i > 0)
        assert old in entry.json
        entry.raw = entry.json.replace(old, new, 1)

    return forge


def a_decision_twice(book):
    book.entries.append(book.entries[299])


def an_older_id(book):
    book.entries[299].public["id"] = BOOK.entries[251].public["id"][:-1] + "0"
    book.entries[299].public["at"] = BOOK.entries[251].public["at"]


def put_back(book):
    """An erased decision comes back; one that was made after the erasure is closed in its place."""
    erased = next(e for e in book.entries if e.is_closed and e.public["type"] == "decision" and e.private["recipient"] == "reader-5@people.example")
    erased.is_closed = False
    book.entries[299].is_closed = True


def put_back_alone(book):
    next(e for e in book.entries if e.is_closed and e.public["type"] == "decision").is_closed = False


def a_consent_put_back(book):
    next(e for e in book.entries if e.is_closed and e.public["type"] == "consent").is_closed = False


def tracked_after_a_withdrawal(book):
    given, _ = find(book, "consent", recipient="reader-0@people.example", state="given")
    book.decide("reader-0@people.example", LATER, reason="consentGiven", consent=book.entries[given].public["id"])


def tracked_at_a_time_before_a_withdrawal(book):
    _, given = find(book, "consent", recipient="reader-9@people.example", state="given")
    before = moment(book.now)
    book.consent("reader-9@people.example", "withdrawn")
    book.decide("reader-9@people.example", LATER, reason="consentGiven", consent=given.public["id"])
    book.entries[-1].public["at"] = before


def a_withdrawal_of_a_time_to_come(book):
    book.consent("reader-9@people.example", "withdrawn", at=book.now + 10 * 365 * 86_400_000)
    book.decide("reader-9@people.example", LATER)


def resting_on_no_record(book):
    book.decide("stranger@people.example", LATER, reason="consentGiven", consent="33dfffffffffffff")


def resting_on_anothers_record(book):
    _, other = find(book, "consent", recipient="reader-9@people.example")
    book.decide("reader-50@people.example", LATER, reason="consentGiven", consent=other.public["id"])


def resting_on_another_purpose(book):
    _, own = find(book, "consent", recipient="reader-9@people.example")
    book.decide("reader-9@people.example", NEWS, purpose="newsletter", reason="consentGiven", consent=own.public["id"])


def given_after_it_expired(book):
    index, record = next(
        (i, e) for i, e in enumerate(book.entries) if e.private and e.private.get("validUntil") and not e.is_closed
    )
    book.decide("reader-1@people.example", LATER, reason="consentGiven", consent=record.public["id"])


def under_an_enforcement_that_was_not(book):
    book.enforcement = "restrictive"
    book.decide("reader-51@people.example", LATER)


def enforcement_left_out(book):
    book.entries.pop(0)


def not_opted_out_under_restrictive(book):
    book.enforce("restrictive")
    book.decide("reader-51@people.example", LATER, reason="notOptedOut")


def tracked_by_a_message_without_tracking(book):
    book.off.clear()
    book.decide("reader-9@people.example", OFF)


def untracked_by_a_message_with_tracking(book):
    book.decide("reader-9@people.example", LATER, reason="trackingOffForMessage")


def erased_and_tracked(book):
    book.decide("reader-55@people.example", LATER)
    book.entries[-1].private["recipient"] = None


def a_record_entered_after_its_decision(book):
    book.decide("late@people.example", LATER, reason="consentGiven", consent="0")
    book.consent("late@people.example", "given", at=START)
    book.entries[-2].private["consent"] = book.entries[-1].public["id"]


def closed_under_another_enforcement(book):
    index = next(i for i, e in enumerate(book.entries) if e.is_closed and e.public["type"] == "decision")
    book.entries[index].public |= {"enforcement": "nonRestrictive", "reason": "notOptedOut", "outcome": "tracked"}


def private_member_more(book):
    book.entries[250].private["note"] = "x"


def private_in_another_order(book):
    entry = book.entries[250]
    entry.raw_private = b'{"message"' + entry.fields.split(b',"message"', 1)[1][:-1] + b',"consent":null}'


def private_surrogate(book):
    entry = book.entries[250]
    entry.raw_private = entry.fields.replace(b"@people.example", b"\\ud800@people.example", 1)


def private_escape(book):
    entry = book.entries[250]
    entry.raw_private = entry.fields.replace(b"@", b"\\u0040", 1)


def private_control(book):
    book.entries[250].private["recipient"] = "a\u009b31m@people.example"


def end_of_what_was_not_given(book):
    _, entry = find(book, "consent", state="withdrawn")
    entry.private["validUntil"] = moment(book.now)


def evidence_of_another_kind(book):
    _, entry = find(book, "consent", recipient="reader-1@people.example")
    entry.private["evidence"] = EVIDENCE | {"verdict": "good"}


def unknown(**members):
    def forge(book):
        book.now += 1000
        book.entries.append(forging.Entry({"at": moment(book.now), "type": "witness", "v": 1} | members, None, b""))

    return forge


def an_unknown_number(book):
    unknown()(book)
    book.entries[-1].raw = book.entries[-1].json.replace(b'"v":1', b'"share":1.50,"v":1').replace(b'"share":1.50,', b"")
    book.entries[-1].raw = b'{"at":"%s","share":1.50,"type":"witness","v":1}' % moment(book.now).encode()


def an_unknown_surrogate(book):
    book.now += 1000
    unknown()(book)
    book.entries[-1].raw = b'{"at":"%s","name":"\\ud800","type":"witness","v":1}' % moment(book.now).encode()


FORM = r"entry \d+ \([^)]*\) is not an entry of a ledger"
OTHER_TIME = r"entry \d+ \(decision \w+\) is of a decision at another time than its id says"
FIELDS = r"entry \d+ \([^)]*\) has private fields that are not written"
EXCEPTION = r"decisions? do(es)? not follow.*\n  entry \d+ \(decision \w+\): found .*; expected "

SIGNED = {
    "a decision of version 2": (public(v=2), FORM),
    "no at": (public(at="absent"), FORM),
    "no type": (public(type="absent"), FORM),
    "no v": (public(v="absent"), FORM),
    "a member more": (public(note="x"), FORM),
    "an at that is not its id's": (public(at=moment(START)), OTHER_TIME),
    "a decision after a withdrawal, at a time before it": (tracked_at_a_time_before_a_withdrawal, OTHER_TIME),
    "a withdrawal of a time to come": (a_withdrawal_of_a_time_to_come, r"entry \d+ \(consent record \w+\) is of a consent that occurred after"),
    "an outcome that is not the reason's": (public(outcome="untracked"), FORM),
    "a reason that there is not": (public(reason="because"), FORM),
    "white space": (raw("decision", b'","type"', b'", "type"'), FORM),
    "members in another order": (raw("erasure", b'"type":"erasure","v":1', b'"v":1,"type":"erasure"'), FORM),
    "a number that is not canonical": (raw("erasure", b'"interactions":1', b'"interactions":1.0'), FORM),
    "a number with an exponent": (raw("erasure", b'"interactions":1', b'"interactions":1e0'), FORM),
    "a negative count": (raw("erasure", b'"interactions":1', b'"interactions":-1'), FORM),
    "a huge count": (raw("erasure", b'"interactions":1', b'"interactions":99999999999999999999'), FORM),
    "a count that loses digits": (raw("erasure", b'"interactions":1', b'"interactions":9007199254740993'), FORM),
    "a number that is not canonical in an unknown entry": (an_unknown_number, FORM),
    "a lone surrogate in an unknown entry": (an_unknown_surrogate, FORM),
    "an unknown entry of version 2": (unknown(v=2), FORM),
    "the same decision twice": (a_decision_twice, r"entry 300 \(decision \w+\) has an id that does not come after"),
    "an id that goes back": (an_older_id, r"entry 299 \(decision \w+\) has an id that does not come after"),
    "a private member more": (private_member_more, FIELDS),
    "private members in another order": (private_in_another_order, FIELDS),
    "a lone surrogate in a recipient": (private_surrogate, FIELDS),
    "a needless escape in a recipient": (private_escape, FIELDS),
    "a control character in a recipient": (private_control, FIELDS),
    "an end of what was not given": (end_of_what_was_not_given, FIELDS),
    "evidence of another kind": (evidence_of_another_kind, FIELDS),
    "an erased decision put back, another closed": (put_back, r"come without their recipient|were put back"),
    "an erased decision put back": (put_back_alone, r"private fields were put back"),
    "an erased consent record put back": (a_consent_put_back, r"private fields were put back"),
    "tracked after a withdrawal": (tracked_after_a_withdrawal, EXCEPTION + "untracked consentWithdrawn"),
    "tracked by a record that has no entry": (resting_on_no_record, EXCEPTION + "tracked notOptedOut"),
    "tracked by another person's record": (resting_on_anothers_record, EXCEPTION),
    "tracked by another purpose's record": (resting_on_another_purpose, EXCEPTION),
    "for another purpose than its message": (
        lambda book: book.decide("reader-9@people.example", LATER, purpose="newsletter"), EXCEPTION + "a decision about the purposes that entry"),
    "tracked by a consent that had run out": (given_after_it_expired, EXCEPTION),
    "tracked by a record entered later": (a_record_entered_after_its_decision, EXCEPTION),
    "an enforcement that was not in force": (under_an_enforcement_that_was_not, EXCEPTION),
    "no enforcement at the beginning": (enforcement_left_out, EXCEPTION + "no decision, because no enforcement"),
    "tracked unasked under restrictive": (not_opted_out_under_restrictive, EXCEPTION + "untracked noConsentRecord"),
    "tracked by a message without tracking": (tracked_by_a_message_without_tracking, EXCEPTION + "tracking off, as in entry"),
    "untracked by a message with tracking": (untracked_by_a_message_with_tracking, EXCEPTION + "tracking on, as in entry"),
    "somebody erased, tracked": (erased_and_tracked, EXCEPTION + "untracked recipientErased"),
    "a closed decision under another enforcement": (closed_under_another_enforcement, EXCEPTION + "a decision under restrictive"),
}


class TestForgedLedgers:
    @pytest.mark.parametrize("what", SIGNED)
    def test_are_found_although_the_key_signed_them(self, tmp_path, what):
        forge, expected = SIGNED[what]
        book = BOOK.copy()
        forge(book)
        assert_found(what, verify(tmp_path, book.archive().pack()), expected)

    def test_exceptions_are_listed_for_programs(self, tmp_path):
        book = BOOK.copy()
        tracked_after_a_withdrawal(book)
        resting_on_no_record(book)
        done = verify(tmp_path, book.archive().pack(), "--json")
        assert done.returncode == 1
        found = json.loads(done.stdout)
        assert found["holds"] is False and found["recomputation"]["exceptions"] == 2
        assert [one["index"] for one in found["recomputation"]["listed"]] == [300, 301]
        assert found["recomputation"]["listed"][0]["id"] == book.entries[300].public["id"]

    def test_an_erasure_of_nobody_is_needed_for_somebody_erased(self, tmp_path):
        book = Book()
        book.enforce("restrictive")
        book.decide("ana@people.example", SALE, reason="recipientErased")
        assert_found("nobody was erased", verify(tmp_path, book.archive().pack()), EXCEPTION + "another reason, because no recipient")

    def test_entries_of_a_kind_that_is_not_known_are_proved_and_no_more(self, tmp_path):
        book = BOOK.copy()
        unknown(name="w1")(book)
        assert json.loads(verify(tmp_path, book.archive().pack(), "--json").stdout)["entries"]["others"] == 1


class TestFilteredExports:
    WHO = "reader-9@people.example"

    def part(self, book=BOOK, **filters):
        def fits(_, entry):
            return (entry.private or {}).get("recipient") == self.WHO and not entry.is_closed

        archive = book.archive(filters=filters or {"recipient": self.WHO}, only=fits)
        archive.interactions = []
        archive.manifest["counts"]["interactions"] = 0
        return archive

    def test_hold_and_say_last_that_they_are_filtered(self, tmp_path):
        done = verify(tmp_path, self.part().pack())
        assert done.returncode == 0, done.stderr
        last = done.stdout.decode().strip().splitlines()[-1]
        assert last.startswith("extent") and "FILTERED" in last and self.WHO in last
        assert json.loads(verify(tmp_path, self.part().pack(), "--json").stdout)["recomputation"] is None

    def test_are_refused_where_a_whole_one_is_wanted(self, tmp_path):
        done = verify(tmp_path, self.part().pack(), "--whole")
        assert done.returncode == 1 and b"not a whole export" in done.stderr

    @pytest.mark.parametrize(
        "filters",
        [
            {"recipient": "\x1b[2K\x1b[G extent        whole: none of the 166 entries is missing"},
            {"recipient": "\u009b31m@people.example"},
            {"recipient": ""},
            {"recipient": "somebody-else@people.example"},
            {"recipient": "r\u00e9ader-9@people.example"},
            {"message": "33d00000000000ff"},
            {"message": "no id"},
            {"recipient": WHO, "message": LATER},
            {"from": "yesterday"},
            {"from": "2026-11-21"},
            {"to": "2026-11-21T09:00:00Z"},
            {"recipient": WHO, "to": moment(START)},
            {"recipient": WHO, "from": moment(BOOK.now)},
            {"recipient": WHO, "verdict": "whole"},
        ],
    )
    def test_of_filters_that_they_cannot_have_are_refused(self, tmp_path, filters):
        assert_found(str(filters), verify(tmp_path, self.part(**filters).pack()), "manifest.json: ")

    def test_of_a_recipient_with_private_fields_cut_out_are_refused(self, tmp_path):
        archive = self.part()
        for place, line in enumerate(archive.lines):
            entry = json.loads(line)
            if entry["entry"]["type"] == "consent":
                archive.lines[place] = forging.canonical({"entry": entry["entry"], "index": entry["index"]}) + b"\n"
        assert_found("private fields cut out", verify(tmp_path, archive.pack()), "manifest.json: its filters do not fit")

    @pytest.mark.parametrize("filters", [{"recipient": WHO}, {"message": SALE}])
    @pytest.mark.parametrize("type", ["erasure", "purge", "enforcement"])
    def test_of_a_recipient_or_a_message_with_an_event_are_refused(self, tmp_path, type, filters):
        (name, value), = filters.items()

        def fits(_, entry):
            return (entry.private or {}).get(name) == value and not entry.is_closed or entry.public["type"] == type

        archive = BOOK.archive(filters=filters, only=fits)
        archive.interactions = []
        archive.manifest["counts"]["interactions"] = 0
        assert_found(type, verify(tmp_path, archive.pack()), "manifest.json: its filters do not fit")

    def test_show_nothing_that_a_terminal_acts_on(self, tmp_path):
        """What is allowed in a recipient and turns text around, or hides it."""
        who = "ana\u202e\u2066\u200b\u2028@people.example"
        book = Book()
        book.enforce("nonRestrictive")
        book.decide(who, SALE)
        archive = book.archive(filters={"recipient": who}, only=lambda index, _: index == 1)
        done = verify(tmp_path, archive.pack())
        assert done.returncode == 0, done.stderr
        assert_harmless(done)
        assert r"ana\u{202E}\u{2066}\u{200B}\u{2028}@people.example" in done.stdout.decode()
        done = verify(tmp_path, archive.pack(), "--json")
        assert_harmless(done)
        assert json.loads(done.stdout)["filters"]["recipient"] == who


class TestProofs:
    INDEX = 250

    @pytest.mark.parametrize("change", [str, lambda text: text + "\n", lambda text: text[:-1]])
    def test_hold_with_a_newline_more_or_less_at_their_end(self, tmp_path, change):
        done = verify(tmp_path, change(BOOK.proof(self.INDEX)).encode(), name="proof")
        assert done.returncode == 0, done.stderr

    @pytest.mark.parametrize("change", [lambda text: text + "\n\n", lambda text: "\n" + text, lambda text: text + " \n"])
    def test_do_not_hold_with_more_than_that(self, tmp_path, change):
        assert verify(tmp_path, change(BOOK.proof(self.INDEX)).encode(), name="proof").returncode == 1

    @pytest.mark.parametrize("change", [lambda text: text + "\n", lambda text: text[:-1]])
    def test_checkpoints_are_taken_with_a_newline_more_or_less(self, tmp_path, change):
        (tmp_path / "since").write_text(change(BOOK.checkpoint(EARLIER)))
        done = verify(tmp_path, BOOK.archive().pack(), "--since", "since")
        assert done.returncode == 0, done.stderr

    def test_a_checkpoint_of_nothing_has_one_root(self, tmp_path):
        (tmp_path / "since").write_text(BOOK.signer.sign(0, forging.root([])))
        assert verify(tmp_path, BOOK.archive().pack(), "--since", "since").returncode == 0
        (tmp_path / "since").write_text(BOOK.signer.sign(0, bytes(32)))
        done = verify(tmp_path, BOOK.archive().pack(), "--since", "since")
        assert done.returncode == 2 and b"without entries" in done.stderr

    def test_evidence_reaches_no_terminal_as_it_is(self, tmp_path):
        book = Book()
        book.enforce("restrictive")
        book.consent("ana@people.example", "given", evidence={"source": "\u009b31m\u202eevil"})
        done = verify(tmp_path, book.proof(1).encode(), name="proof")
        assert done.returncode == 0, done.stderr
        assert_harmless(done)
        assert r"\u{9B}31m\u{202E}evil" in done.stdout.decode()
        done = verify(tmp_path, book.proof(1).encode(), "--json", name="proof")
        assert_harmless(done)
        assert json.loads(done.stdout)["private"]["evidence"]["source"] == "\u009b31m\u202eevil"

    def document(self, **changed):
        entry = BOOK.entries[self.INDEX]
        same = {name: entry.public[name] for name in ("id", "outcome", "reason", "enforcement")}
        return json.dumps(
            same | entry.private | {"decidedAt": entry.public["at"], "consentRecord": None, "proof": BOOK.proof(self.INDEX)}
            | changed, indent=1,
        ).encode()  # fmt: skip

    def test_are_taken_from_the_answer_about_a_decision(self, tmp_path):
        done = verify(tmp_path, self.document(), "--json", name="decision.json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["kind"] == "decision" and "consentRecord" in found["unproved"]
        assert "not proved" in verify(tmp_path, self.document(), name="decision.json").stdout.decode()

    @pytest.mark.parametrize(
        "changed",
        [
            {"reason": "consentWithdrawn"}, {"outcome": "untracked"}, {"id": "33d0000000000009"}, {"enforcement": "restrictive"},
            {"decidedAt": "2026-11-21T09:00:00.000Z"}, {"recipient": "else@people.example"}, {"message": SALE},
            {"purpose": "newsletter"}, {"consent": "33d0000000000009"}, {"proof": None}, {"proof": "\x1b[2J"},
            {"proof": BOOK.proof(251)}, {"proof": BOOK.proof(0)},
        ],
    )  # fmt: skip
    def test_of_an_answer_that_says_something_else_do_not_hold(self, tmp_path, changed):
        assert_found(str(changed)[:60], verify(tmp_path, self.document(**changed), name="decision.json"), r"document: |not a proof")


class TestNoise:
    """Whatever the bytes are, there is a verdict, and no crash."""

    ROUNDS = 120

    def assert_refused(self, done):
        assert done.returncode == 1, (done.returncode, done.stderr)
        assert_harmless(done)

    @pytest.mark.parametrize("seed", range(3))
    def test_of_an_export(self, tmp_path, seed):
        chance = random.Random(seed)
        whole = BOOK.archive(since=EARLIER).pack()
        for _ in range(self.ROUNDS // 3):
            packed = bytearray(whole)
            match chance.randrange(4):
                case 0:
                    packed = packed[: chance.randrange(len(packed))]
                case 1:
                    packed = bytearray(chance.randbytes(chance.randrange(2000)))
                case 2:
                    # Whatever is not a bit of something that says nothing.
                    at = chance.randrange(len(packed) - 2048)
                    packed[at : at + 8] = chance.randbytes(8)
                case 3:
                    at = chance.randrange(len(packed))
                    del packed[at : at + chance.randrange(1, 600)]
            self.assert_refused(verify(tmp_path, bytes(packed)))

    def test_of_a_proof_and_of_an_answer(self, tmp_path):
        chance = random.Random(7)
        proof = BOOK.proof(250).encode()
        document = TestProofs().document()
        for original in (proof, document):
            for _ in range(self.ROUNDS // 4):
                at = chance.randrange(len(original) - 40)
                self.assert_refused(verify(tmp_path, original[:at], name="noise"))
        self.assert_refused(verify(tmp_path, b"{" * 100_000, name="noise"))
        self.assert_refused(verify(tmp_path, b'{"proof":' * 1000, name="noise"))
