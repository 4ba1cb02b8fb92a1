"""Bytes on disk by table and index, as SQLite counts pages (`dbstat`), and what a row takes of them."""

import sqlite3
from dataclasses import dataclass

from . import figures

LEDGER = "ledger"
# Tables that have one row for each of what a caller of `growth` asks about.
SALTED = ("consents", "decisions")


@dataclass
class Usage:
    """Of a database that no process has open. `bytes`: by (table, index or ""); `salts`: what salts take in each table."""

    bytes: dict
    salts: dict
    total: int


def usage(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        owners = dict(db.execute("SELECT name, tbl_name FROM sqlite_schema"))
        found = {}
        for name, size in db.execute("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE"):
            table = owners.get(name, name)
            found[table, "" if name == table else name] = size
        salts = {}
        for table in SALTED:
            # A salt has a byte in its row's header, too.
            salts[table] = db.execute(f"SELECT coalesce(sum(length(salt) + 1), 0) FROM {table}").fetchone()[0]
    return Usage(found, salts, sum(found.values()))


def print_growth(what, before, after, count):
    """A table of what grew by a byte or more for each of `count`, with and without the ledger's share."""
    grown = {place: (size - before.bytes.get(place, 0)) / count for place, size in after.bytes.items()}
    salts = sum(after.salts[table] - before.salts[table] for table in SALTED) / count
    whole = (after.total - before.total) / count
    ledger = salts + sum(size for (table, _), size in grown.items() if table.startswith(LEDGER))
    rows = [
        [table + (f", index {index}" if index else ""), f"{size:.1f}"]
        for (table, index), size in sorted(grown.items(), key=lambda item: -item[1]) if size >= 1
    ]  # fmt: skip
    rest = whole - sum(size for size in grown.values() if size >= 1)
    figures.table([f"bytes for {what}, {count:,} of them", "bytes each"], [
        *rows, ["others", f"{rest:.1f}"], ["all", f"{whole:.1f}"],
        ["of it the ledger's: its tables, and the salts in the rows", f"{ledger:.1f}"], ["without the ledger", f"{whole - ledger:.1f}"]])


def print_tables(usage, path, least=0.005):
    """Every table and index with its share of the file that is at least `least`, and its bytes for a row."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        counts = {table: db.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in {table for table, _ in usage.bytes}}
    rows = [
        [table, index or "–", f"{counts[table]:,}", f"{size / 1e6:,.1f}", f"{size / max(1, counts[table]):,.1f}"]
        for (table, index), size in sorted(usage.bytes.items(), key=lambda item: (-item[1])) if size >= usage.total * least
    ]  # fmt: skip
    figures.table(["table", "index", "rows", "MB", "bytes a row"], rows)
