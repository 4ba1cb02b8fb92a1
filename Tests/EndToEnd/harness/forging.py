"""Audit exports made from the documents alone (docs/formats/ledger.md, audit-export.md), without any code of ConsentLink.

A `Book` is a ledger with the key that signs it. So a test can forge everything in it: as somebody who has only the
export, or as somebody who has the signing key.
"""

import base64
import copy
import datetime
import hashlib
import hmac
import json
import random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

NAME = "links.example.com/acme"
START = 1_795_251_600_000
WIDTH = 256

README = """\
An audit export of the ledger {origin}, {size} entries.
{what}

To verify it you need neither the service nor its database, only this archive, the program, and the
verifier key, which you should have from somewhere else than this archive:

    consentlink verify EXPORT.tar --key "{origin}+...+..."

If you kept a checkpoint from an earlier time, add --since CHECKPOINT: it is then proved that nothing the
ledger had at that time was changed or cut. Keep the file "checkpoint" of this export for the next time.

README.txt            this text
checkpoint            the newest signed checkpoint (c2sp.org/tlog-checkpoint, c2sp.org/signed-note)
consistency           how its tree follows from an earlier one (as c2sp.org/tlog-witness has it), if asked for
tile/                 hashes of the tree (c2sp.org/tlog-tiles)
entries/*.ndjson      decisions, consent records, erasures and changes of enforcement, in the tree's order
interactions/*.ndjson clicks and other interactions; no tree stands over them, the manifest has their sums
manifest.json         counts, filters, and the SHA-256 of every file but tiles

Each line of entries/ has the entry, whose SHA-256 behind a zero byte is a leaf of the tree, its index, and
for decisions and consent records the private fields and the salt: HMAC-SHA-256 of the private fields
under the salt is the entry's "commit". Whoever was erased has neither any more.

What no verification can show: what was never entered, and a change made after the last checkpoint that
left the operator's hands.
"""
WHOLE = "It is whole: every entry of the ledger is in it, and what is missing is noticed."
PART = "It was filtered: what is in it is proved, what was left out cannot be seen (manifest.json has the filters)."


def canonical(value):
    """RFC 8785, as far as entries need it: integers are the only numbers, names are ASCII."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def b64(data):
    return base64.b64encode(data).decode()


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def moment(milliseconds):
    at = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


def split(count):
    half = 1
    while half * 2 < count:
        half *= 2
    return half


def root(leaves):
    if not leaves:
        return sha256()
    if len(leaves) == 1:
        return leaves[0]
    half = split(len(leaves))
    return sha256(b"\x01", root(leaves[:half]), root(leaves[half:]))


def path(index, leaves):
    if len(leaves) == 1:
        return []
    half = split(len(leaves))
    if index < half:
        return path(index, leaves[:half]) + [root(leaves[half:])]
    return path(index - half, leaves[half:]) + [root(leaves[:half])]


def subproof(old, leaves, whole=True):
    if old == len(leaves):
        return [] if whole else [root(leaves)]
    half = split(len(leaves))
    if old <= half:
        return subproof(old, leaves[:half], whole) + [root(leaves[half:])]
    return subproof(old - half, leaves[half:], False) + [root(leaves[:half])]


def tile_index(index):
    """In groups of three digits, all but the last with an x (C2SP tlog-tiles)."""
    groups = [f"{index % 1000:03}"]
    while index := index // 1000:
        groups.append(f"x{index % 1000:03}")
    return "/".join(reversed(groups))


def tiles(leaves):
    """The tiles of a whole export, in its order: the unfinished ones from the top down, then the others."""
    levels = [leaves]
    while len(levels[-1]) >= WIDTH:
        below = levels[-1]
        levels.append([root(below[start : start + WIDTH]) for start in range(0, len(below) // WIDTH * WIDTH, WIDTH)])
    edge, whole = [], []
    for level in reversed(range(len(levels))):
        hashes = levels[level]
        if rest := len(hashes) % WIDTH:
            edge.append((f"tile/{level}/{tile_index(len(hashes) // WIDTH)}.p/{rest}", b"".join(hashes[-rest:])))
        for index in range(len(hashes) // WIDTH):
            whole.append((f"tile/{level}/{tile_index(index)}", b"".join(hashes[index * WIDTH : (index + 1) * WIDTH])))
    return edge + whole


def header(name, size, seconds, **changed):
    """A POSIX ustar header as exports have them."""
    block = bytearray(512)

    def put(text, at):
        block[at : at + len(text)] = text

    put(name.encode(), 0)
    put(b"0000644", 100)
    put(b"0000000", 108)
    put(b"0000000", 116)
    put(f"{size:011o}".encode(), 124)
    put(f"{seconds:011o}".encode(), 136)
    put(b"        ", 148)
    put(b"0", 156)
    put(b"ustar\x0000", 257)
    put(b"0000000", 329)
    put(b"0000000", 337)
    for at, byte in changed.items():
        block[int(at.removeprefix("at"))] = byte
    put(f"{sum(block):06o}\x00 ".encode(), 148)
    return bytes(block)


class Signer:
    def __init__(self, name=NAME, seed=bytes(range(32))):
        self.name = name
        self.key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = b"\x01" + self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.id = sha256(name.encode(), b"\n", self.public)[:4]

    @property
    def verifier(self):
        return f"{self.name}+{self.id.hex()}+{b64(self.public)}"

    def line(self, text, id=None):
        return f"\u2014 {self.name} {b64((id or self.id) + self.key.sign(text.encode()))}\n"

    def sign(self, size, hash):
        text = f"{self.name}\n{size}\n{b64(hash)}\n"
        return text + "\n" + self.line(text)


class Entry:
    """The public entry, and the private fields; `raw` is an entry that is not written as the format prescribes."""

    def __init__(self, public, private, salt):
        self.public, self.private, self.salt = public, private, salt
        self.is_closed = False
        self.raw = None
        self.raw_private = None

    @property
    def fields(self):
        return self.raw_private or (canonical(self.private) if self.private is not None else None)

    @property
    def json(self):
        if self.raw is not None:
            return self.raw
        commit = {"commit": b64(hmac.digest(self.salt, self.fields, "sha256"))} if self.fields else {}
        return canonical(self.public | commit)

    @property
    def leaf(self):
        return sha256(b"\x00", self.json)

    def line(self, index):
        text = b'{"entry":' + self.json + b',"index":' + str(index).encode()
        if self.fields and not self.is_closed:
            text += b',"private":' + self.fields + b',"salt":"' + b64(self.salt).encode() + b'"'
        return text + b"}\n"


class Book:
    """A ledger, written by the rules."""

    def __init__(self, signer=None):
        self.signer = signer or Signer()
        self.entries = []
        self.interactions = []
        self.random = random.Random(1)
        self.now = START
        self.erased = set()
        self.off = set()

    def copy(self):
        return copy.deepcopy(self, {id(self.signer): self.signer})

    def _id(self):
        self.now += 1000
        return f"{(self.now << 21) + len(self.entries):x}"

    def _add(self, type, members, private=None):
        public = {"at": moment(self.now), "type": type, "v": 1} | members
        self.entries.append(Entry(public, private, self.random.randbytes(16)))
        return self.entries[-1]

    def enforce(self, enforcement):
        self.enforcement = enforcement
        self.now += 1000
        return self._add("enforcement", {"enforcement": enforcement})

    def consent(self, who, state, *, at=None, until=None, evidence=None, purpose="tracking"):
        id = self._id()
        private = {
            "occurredAt": moment(at or self.now), "purpose": purpose, "recipient": who, "state": state,
            "validUntil": until and moment(until),
        } | ({"evidence": evidence} if evidence else {})
        if state == "given" and not (until and until <= self.now):
            self.erased.discard(who)
        return self._add("consent", {"id": id}, private)

    def judged(self, who, purpose, at):
        """The rule of docs/using.md: reason and consent record."""
        records = [
            entry for entry in self.entries
            if entry.public["type"] == "consent" and not entry.is_closed and entry.private["recipient"] == who
            and entry.private["purpose"] == purpose and entry.private["occurredAt"] <= at
        ]  # fmt: skip
        strict = self.enforcement == "restrictive"
        if not records:
            if who in self.erased:
                return "recipientErased", None
            return ("noConsentRecord" if strict else "notOptedOut"), None
        last = max(records, key=lambda e: (e.private["occurredAt"], e.private["state"] != "given", int(e.public["id"], 16)))
        state, until = last.private["state"], last.private["validUntil"]
        if state == "given" and until and until <= at:
            if who in self.erased:
                return "recipientErased", None
            reason = "consentExpired" if strict else "notOptedOut"
        else:
            reason = "consent" + state.capitalize()
        return reason, last.public["id"]

    def decide(self, who, message, *, purpose="tracking", reason=None, consent=None, activity=None):
        id = self._id()
        if message in self.off:
            judged = "trackingOffForMessage", None
        else:
            judged = self.judged(who, purpose, moment(self.now))
        if reason:
            judged = reason, consent
        public = {
            "enforcement": self.enforcement, "id": id, "reason": judged[0],
            "outcome": "tracked" if judged[0] in ("consentGiven", "notOptedOut") else "untracked",
        }  # fmt: skip
        if activity:
            public["activity"] = activity
        known = None if who in self.erased and judged[1] is None else who
        private = {"consent": judged[1], "message": message, "purpose": purpose, "recipient": known}
        return self._add("decision", public, private)

    def decide_apart(self, who, message, clicks="tracking", opens="open-tracking"):
        """One decision about clicks and one about opens, which are made at one moment."""
        first = self.decide(who, message, purpose=clicks, activity="clicks")
        self.now -= 1000
        second = self.decide(who, message, purpose=opens, activity="opens")
        return first, second

    def erase(self, who):
        self.now += 1000
        closed = {"consent": 0, "decision": 0}
        for entry in self.entries:
            if entry.private and not entry.is_closed and entry.private["recipient"] == who:
                entry.is_closed = True
                closed[entry.public["type"]] += 1
        self.erased.add(who)
        return self._add(
            "erasure", {"consents": closed["consent"], "decisions": closed["decision"], "interactions": 1}
        )

    def purge(self, count):
        self.now += 1000
        oldest = [e for e in self.entries if e.public["type"] == "decision" and not e.is_closed and e.private["recipient"]]
        for entry in oldest[:count]:
            entry.is_closed = True
        return self._add("purge", {"decisions": count, "interactions": 4})

    def interact(self, who, message):
        id = self._id()
        self.interactions.append(
            {
                "id": id, "type": "PushLinkClicked", "occurredAt": moment(self.now), "recordedAt": moment(self.now),
                "recipient": who, "message": message, "link": {"index": 1, "url": "https://shop.example/", "label": None},
                "action": None, "source": "redirect", "automated": False, "first": True,
            }
        )  # fmt: skip

    # What is made from it

    @property
    def leaves(self):
        return [entry.leaf for entry in self.entries]

    def checkpoint(self, size=None):
        leaves = self.leaves[:size]
        return self.signer.sign(len(leaves), root(leaves))

    def consistency(self, old):
        hashes = "".join(f"{b64(hash)}\n" for hash in subproof(old, self.leaves))
        return f"old {old}\n{hashes}\n{self.checkpoint()}"

    def proof(self, index):
        extra = self.entries[index].line(index)[:-1].replace(f',"index":{index}'.encode(), b"", 1)
        hashes = "".join(f"{b64(hash)}\n" for hash in path(index, self.leaves))
        return f"c2sp.org/tlog-proof@v1\nextra {b64(extra)}\nindex {index}\n{hashes}\n{self.checkpoint()}"

    def archive(self, *, filters=None, since=None, only=None):
        """An export: whole, or with those entries whose index `only` lets through."""
        return Archive(self, filters or {}, since, only)


class Archive:
    """The files of an export, in their order. A test may change them: `pack` makes the manifest's sums fit."""

    def __init__(self, book, filters, since, only):
        self.book = book
        self.exported_at = moment(book.now + 60_000)
        self.seconds = (book.now + 60_000) // 1000
        self.header_changes = {}
        self.lines = [entry.line(index) for index, entry in enumerate(book.entries) if not only or only(index, entry)]
        kinds = [entry.public.get("type") for index, entry in enumerate(book.entries) if not only or only(index, entry)]
        self.interactions = [json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in book.interactions]
        self.files = {"README.txt": README.format(
            origin=book.signer.name, size=len(book.entries), what=PART if filters else WHOLE).encode()}
        self.files["checkpoint"] = book.checkpoint().encode()
        if since:
            self.files["consistency"] = book.consistency(since).encode()
        self.files |= dict(tiles(book.leaves))
        self.manifest = {
            "counts": {
                "consents": kinds.count("consent"), "decisions": kinds.count("decision"), "entries": len(kinds),
                "interactions": len(self.interactions),
            },
            "exportedAt": self.exported_at, "filters": filters, "format": "consentlink-audit@v1",
            "origin": book.signer.name, "root": b64(root(book.leaves)), "size": len(book.entries),
        }  # fmt: skip

    def pack(self):
        files = dict(self.files)
        if self.lines:
            files["entries/000001.ndjson"] = b"".join(self.lines)
        if self.interactions:
            files["interactions/000001.ndjson"] = b"".join(self.interactions)
        manifest = dict(self.manifest)
        manifest.setdefault("files", [
            {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
            for name, content in files.items() if not name.startswith("tile/")
        ])  # fmt: skip
        files["manifest.json"] = canonical(manifest) + b"\n"
        packed = b""
        for name, content in files.items():
            seconds = self.header_changes.get(name, self.seconds)
            packed += header(name, len(content), seconds) + content + bytes(-len(content) % 512)
        return packed + bytes(1024)

    def replace(self, name, old, new):
        assert old in self.files[name], f"{old} is not in {name}"
        self.files[name] = self.files[name].replace(old, new, 1)
