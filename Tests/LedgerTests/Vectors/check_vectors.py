#!/usr/bin/env python3
"""Recomputes ledger-v1.json without any code of ConsentLink.

    pip install cryptography
    python3 check_vectors.py            # compares; exits 1 when something differs
    python3 check_vectors.py --write    # writes the file anew

Written from docs/formats/ledger.md and RFC 6962.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

FILE = pathlib.Path(__file__).with_name("ledger-v1.json")
NAME = "links.example.com/acme"
SEED = bytes(range(32))
AT = "2026-11-21T09:00:00.000Z"
ANA = "ana@example.com"
MESSAGE = "3357d7d9f3000002"

PRIVATE = {
    1: {
        "evidence": {"actor": "subject", "notice": {"id": "privacy", "version": "3"}, "source": "https://é.example/\"1\""},
        "occurredAt": AT, "purpose": "tracking", "recipient": ANA, "state": "given", "validUntil": None,
    },
    2: {"consent": "3357d7d9f3000001", "message": MESSAGE, "purpose": "tracking", "recipient": ANA},
    3: {"consent": None, "message": MESSAGE, "purpose": "tracking", "recipient": "bo\u2028@example.com"},
    4: {"consent": None, "message": MESSAGE, "purpose": "tracking", "recipient": "cem@example.com"},
}
PUBLIC = [
    {"enforcement": "restrictive", "type": "enforcement"},
    {"id": "3357d7d9f3000001", "type": "consent"},
    {"enforcement": "restrictive", "id": "3357d7d9f4000001", "outcome": "tracked", "reason": "consentGiven", "type": "decision"},
    {"enforcement": "restrictive", "id": "3357d7d9f4000002", "outcome": "untracked", "reason": "noConsentRecord", "type": "decision"},
    {"enforcement": "restrictive", "id": "3357d7d9f4000003", "outcome": "untracked", "reason": "noConsentRecord", "type": "decision"},
    {"consents": 0, "decisions": 1, "interactions": 0, "type": "erasure"},
    {"decisions": 0, "interactions": 12, "type": "purge"},
]
# Cem was erased: the entry stays, private fields and salt are gone.
ERASED = 4


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def base64_of(data):
    return base64.b64encode(data).decode()


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def split(count):
    half = 1
    while half * 2 < count:
        half *= 2
    return half


def root(leaves):
    """MTH of RFC 6962, 2.1."""
    if not leaves:
        return sha256()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return sha256(b"\x01", root(leaves[:k]), root(leaves[k:]))


def path(m, leaves):
    """PATH of RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return path(m, leaves[:k]) + [root(leaves[k:])]
    return path(m - k, leaves[k:]) + [root(leaves[:k])]


def subproof(m, leaves, whole=True):
    """SUBPROOF of RFC 6962, 2.1.2."""
    if m == len(leaves):
        return [] if whole else [root(leaves)]
    k = split(len(leaves))
    if m <= k:
        return subproof(m, leaves[:k], whole) + [root(leaves[k:])]
    return subproof(m - k, leaves[k:], False) + [root(leaves[:k])]


def vectors():
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    public = b"\x01" + key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    key_id = sha256(NAME.encode(), b"\n", public)[:4]

    def signed(size):
        text = f"{NAME}\n{size}\n{base64_of(root(leaves[:size]))}\n"
        return f"{text}\n\u2014 {NAME} {base64_of(key_id + key.sign(text.encode()))}\n"

    entries, leaves = [], []
    for index, members in enumerate(PUBLIC):
        members = {"at": AT, "v": 1} | members
        item = {"index": index}
        if index in PRIVATE:
            salt = sha256(b"salt", bytes([index]))[:16]
            fields = canonical(PRIVATE[index])
            members["commit"] = base64_of(hmac.digest(salt, fields, "sha256"))
            if index != ERASED:
                item |= {"private": fields.decode(), "salt": base64_of(salt)}
        item["entry"] = canonical(members).decode()
        leaf = sha256(b"\x00", item["entry"].encode())
        item["leaf"] = base64_of(leaf)
        entries.append(item)
        leaves.append(leaf)

    def proof(index):
        item = entries[index]
        extra = f'{{"entry":{item["entry"]}'
        if "salt" in item:
            extra += f',"private":{item["private"]},"salt":"{item["salt"]}"'
        hashes = "".join(f"{base64_of(h)}\n" for h in path(index, leaves))
        return f"c2sp.org/tlog-proof@v1\nextra {base64_of((extra + '}').encode())}\nindex {index}\n{hashes}\n{signed(7)}"

    def update(old):
        return f"old {old}\n" + "".join(f"{base64_of(h)}\n" for h in subproof(old, leaves)) + f"\n{signed(7)}"

    return {
        "name": NAME,
        "seed": SEED.hex(),
        "verifierKey": f"{NAME}+{key_id.hex()}+{base64_of(public)}",
        "entries": entries,
        "checkpoints": [signed(size) for size in range(8)],
        "proofs": [proof(index) for index in range(7)],
        "consistency": [update(old) for old in range(1, 8)],
    }


def main():
    text = json.dumps(vectors(), indent=2, ensure_ascii=False) + "\n"
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        sys.exit(f"{FILE.name} is not what the specification says")
    else:
        print(f"{FILE.name}: 7 entries, 8 checkpoints, 7 proofs, 7 consistency proofs agree")


main()
