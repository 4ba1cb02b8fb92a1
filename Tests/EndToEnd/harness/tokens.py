"""Tracking IDs as a stranger sees them: 40 bytes in base64url without padding."""

import base64
from dataclasses import dataclass
from urllib.parse import urlsplit

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
LENGTH = 54
ZERO_GUID = "00000000-0000-0000-0000-000000000000"


def of_link(link):
    """The token of a redirect link."""
    path = urlsplit(link).path
    assert path.startswith("/r/"), link
    return path.removeprefix("/r/")


def decode(token):
    assert len(token) == LENGTH and set(token) <= set(ALPHABET), token
    raw = base64.urlsafe_b64decode(token + "==")
    assert len(raw) == 40
    assert encode(raw) == token, f"not canonical: {token}"
    return raw


def encode(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass(frozen=True)
class Fields:
    """The plain part of a tracking ID; what names the person and the message is sealed."""

    version: int
    key: int
    expires: int
    link: int


def fields(token):
    raw = decode(token)
    return Fields(
        version=raw[0],
        key=raw[1],
        expires=int.from_bytes(raw[2:6], "big"),
        link=int.from_bytes(raw[6:8], "big"),
    )
