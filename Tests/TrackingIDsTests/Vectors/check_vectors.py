#!/usr/bin/env python3
"""Recomputes tracking-id-v1.json without any code of ConsentLink.

    pip install cryptography
    python3 check_vectors.py [FILE]

Written from docs/formats/tracking-id.md. Prints how much was checked; exits 1 when something differs.
"""

import base64
import hmac
import json
import pathlib
import re
import struct
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def derive(root, purpose):
    info = b"consentlink tracking-id v1 " + purpose
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(root)


class Key:
    def __init__(self, root):
        self.signing = derive(root, b"signing")
        self.sealing = derive(root, b"sealing")

    def tag(self, signed):
        return hmac.digest(self.signing, signed, "sha256")[:16]

    def encrypt(self, block):
        encryptor = Cipher(algorithms.AES(self.sealing), modes.ECB()).encryptor()
        return encryptor.update(block) + encryptor.finalize()

    def decrypt(self, block):
        decryptor = Cipher(algorithms.AES(self.sealing), modes.ECB()).decryptor()
        return decryptor.update(block) + decryptor.finalize()


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def seal(key, key_id, message, recipient, link, expires):
    subject = key.encrypt(struct.pack(">QQ", message, recipient))
    signed = struct.pack(">BBIH", 1, key_id, expires, link) + subject
    return signed + key.tag(signed)


def open_token(keys, token):
    """The (key id, message, recipient, link, expires) of a token, or the reason why it does not open."""
    if len(token.encode()) != 54:
        return "length"
    if not re.fullmatch("[A-Za-z0-9_-]{54}", token):
        return "alphabet"
    data = base64.urlsafe_b64decode(token + "==")
    if encode(data) != token:
        return "trailingBits"
    version, key_id, expires, link = struct.unpack(">BBIH", data[:8])
    if version != 1:
        return "version"
    if key_id not in keys:
        return "unknownKey"
    if not hmac.compare_digest(keys[key_id].tag(data[:24]), data[24:]):
        return "tag"
    message, recipient = struct.unpack(">QQ", keys[key_id].decrypt(data[8:24]))
    if not 0 < message < 1 << 63 or recipient == 0:
        return "content"
    return key_id, message, recipient, link, expires


def main():
    default = pathlib.Path(__file__).with_name("tracking-id-v1.json")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    vectors = json.loads(path.read_text())
    failures = []

    def check(name, found, expected):
        if found != expected:
            failures.append(f"{name}: {found!r}, not {expected!r}")

    keys = {}
    for entry in vectors["keys"]:
        key = keys[entry["keyId"]] = Key(bytes.fromhex(entry["root"]))
        check(f"signing key {entry['keyId']}", key.signing.hex(), entry["signing"])
        check(f"sealing key {entry['keyId']}", key.sealing.hex(), entry["sealing"])
    for entry in vectors["sealed"]:
        message, recipient = int(entry["message"], 16), int(entry["recipient"], 16)
        fields = (entry["keyId"], message, recipient, entry["link"], entry["expires"])
        data = seal(keys[entry["keyId"]], *fields)
        check(entry["name"], data.hex(), entry["bytes"])
        check(entry["name"], encode(data), entry["token"])
        check(entry["name"], open_token(keys, entry["token"]), fields)
    for entry in vectors["refused"]:
        check(entry["name"], open_token(keys, entry["token"]), entry["reason"])

    for failure in failures:
        print(failure, file=sys.stderr)
    counts = {section: len(vectors[section]) for section in ("keys", "sealed", "refused")}
    print("{keys} keys, {sealed} sealed and {refused} refused tokens checked".format(**counts), end="")
    print(f", {len(failures)} wrong" if failures else ", all as written")
    return 1 if failures or not all(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
