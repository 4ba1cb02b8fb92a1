#!/usr/bin/env python3
"""Recomputes consent-request-link-v1.json without any code of ConsentLink.

    pip install cryptography
    python3 check_vectors.py [FILE | --write]

Written from docs/formats/consent-request-link.md. Prints how much was checked; exits 1 when something differs.
"""

import base64
import hmac
import json
import pathlib
import struct
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

FILE = pathlib.Path(__file__).parent / "consent-request-link-v1.json"
VERSIONS = {"question": 129, "confirmation": 130}
ROOT = bytes(range(32))


def derive(root, step, purpose):
    info = f"consentlink consent-request v1 {step} {purpose}".encode()
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(root)


def seal(root, key, step, request, expires):
    block = struct.pack(">QQ", request, 0)
    encryptor = Cipher(algorithms.AES(derive(root, step, "sealing")), modes.ECB()).encryptor()
    signed = struct.pack(">BBI", VERSIONS[step], key, expires) + encryptor.update(block) + encryptor.finalize()
    data = signed + hmac.digest(derive(root, step, "signing"), signed, "sha256")[:16]
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def vectors():
    cases = [(0x33B2E7A1C04F1D2A, 1811030400), (1, 0), (2**63 - 1, 2**32 - 1)]
    sealed = [
        {"step": step, "request": f"{request:016x}", "expires": expires, "token": seal(ROOT, 1, step, request, expires)}
        for step in VERSIONS
        for request, expires in cases
    ]
    return {"root": ROOT.hex(), "keyID": 1, "sealed": sealed}


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(json.dumps(vectors(), indent=2) + "\n")
    file = pathlib.Path(sys.argv[1]) if sys.argv[1:] and sys.argv[1] != "--write" else FILE
    wanted, found = vectors(), json.loads(file.read_text())
    if wanted != found:
        sys.exit("differs from what docs/formats/consent-request-link.md says")
    print(f"{len(found['sealed'])} links are as the document says")
