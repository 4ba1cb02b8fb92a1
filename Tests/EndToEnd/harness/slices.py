"""Values of a JSON document as their text, for comparing bytes where a parser would hide a difference."""

import json

_decoder = json.JSONDecoder()


def _skip_space(text, at):
    while text[at] in " \t\r\n":
        at += 1
    return at


def _value(text, at):
    """The end of the value that starts at `at`."""
    return _decoder.raw_decode(text, at)[1]


def members(text):
    """An object's members, each value as its own text."""
    at = _skip_space(text, 0)
    assert text[at] == "{", text[:40]
    at = _skip_space(text, at + 1)
    found = {}
    while text[at] != "}":
        name, at = _decoder.raw_decode(text, at)
        at = _skip_space(text, at)
        assert text[at] == ":"
        start = _skip_space(text, at + 1)
        end = _value(text, start)
        assert name not in found, f"duplicate member {name}"
        found[name] = text[start:end]
        at = _skip_space(text, end)
        if text[at] == ",":
            at = _skip_space(text, at + 1)
    return found


def items(text):
    """An array's items, each as its own text."""
    at = _skip_space(text, 0)
    assert text[at] == "[", text[:40]
    at = _skip_space(text, at + 1)
    found = []
    while text[at] != "]":
        end = _value(text, at)
        found.append(text[at:end])
        at = _skip_space(text, end)
        if text[at] == ",":
            at = _skip_space(text, at + 1)
    return found
