"""Tracking IDs that nobody issued."""

from harness import tokens

# One byte of each field: version, key, expiry, link index, subject (both ends), tag (both ends).
FIELDS = (0, 1, 2, 7, 8, 23, 24, 39)


def flipped(token, at):
    """A tracking ID with one bit flipped in one of its bytes."""
    raw = bytearray(tokens.decode(token))
    raw[at] ^= 1
    return tokens.encode(bytes(raw))
