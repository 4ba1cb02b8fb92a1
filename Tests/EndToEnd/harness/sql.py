"""What SQLite and PostgreSQL write differently, for tests that change the database."""

from . import postgres


def as_bytes(text):
    """An expression: the UTF-8 bytes of a text."""
    return f"convert_to({text}, 'UTF8')" if postgres.is_asked_for() else f"CAST({text} AS BLOB)"


def as_text(column):
    """An expression: the text that a column has the UTF-8 bytes of."""
    return f"convert_from({column}, 'UTF8')" if postgres.is_asked_for() else f"CAST({column} AS TEXT)"


def hexadecimal(digits):
    """An expression: these bytes."""
    return f"'\\x{digits}'::bytea" if postgres.is_asked_for() else f"X'{digits}'"
