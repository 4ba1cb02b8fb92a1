"""A ledger as an outsider reads it: from the tiles alone, with libraries that are not part of this project."""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass

from pymerkle import InmemoryTree
from tlog_scales.backend import HttpBackend
from tlog_scales.reader import TilesReader
from tlog_scales.signing import Vkey
from tlog_scales.tiles import leaf_hash
from tlog_scales.tlog import InclusionProof


class Ledger:
    """The ledger of one organization over HTTP."""

    def __init__(self, org):
        self.org = org
        self.base = f"{org.service.api}{org.path('/ledger')}"
        self.head = org.expect(200, "GET", org.path("/ledger")).json()
        self.key = Vkey.from_string(self.head["verifierKey"])
        self._backend = HttpBackend(self.base)
        self._backend.session.headers["Authorization"] = f"Bearer {org.key}"
        self.reader = TilesReader(self._backend)

    def checkpoint(self):
        """The newest checkpoint, whose signature holds."""
        checkpoint = self.reader.get_checkpoint()
        checkpoint.verify(self.key)
        assert checkpoint.origin == self.key.name
        return checkpoint

    def entries(self):
        """All entries of the newest checkpoint, as their bytes."""
        return [self.reader.get_entry(index) for index in range(self.reader.size)]

    def verify(self):
        """The checkpoint and the entries; tiles, entries and signature must have the same root."""
        checkpoint = self.checkpoint()
        assert self.reader.calculate_root_hash() == checkpoint.root_hash
        entries = self.entries()
        assert tree_of(entries).get_root() == checkpoint.root_hash
        return checkpoint, [json.loads(entry) for entry in entries]


def tree_of(entries):
    tree = InmemoryTree(algorithm="sha256")
    for entry in entries:
        tree.append_entry(entry)
    return tree


@dataclass(frozen=True)
class Proof:
    """A tlog-proof, taken apart."""

    index: int
    hashes: list
    checkpoint: str
    extra: dict
    entry: bytes

    @classmethod
    def read(cls, text):
        lines, checkpoint = text.split("\n\n", 1)
        header, *rest = lines.split("\n")
        assert header == "c2sp.org/tlog-proof@v1"
        extra = base64.b64decode(rest[0].removeprefix("extra "), validate=True)
        index = int(rest[1].removeprefix("index "))
        parsed = json.loads(extra)
        entry = json.dumps(parsed["entry"], separators=(",", ":"), ensure_ascii=False).encode()
        assert entry in extra, "the entry is canonical JSON"
        return cls(index, [base64.b64decode(line) for line in rest[2:]], checkpoint, parsed, entry)

    def check(self, checkpoint):
        """Checks that the entry is in the tree of the checkpoint, and that its commitment opens."""
        InclusionProof(self.index, checkpoint.size, self.hashes).check(leaf_hash(self.entry), checkpoint.root_hash)
        if "salt" in self.extra:
            fields = json.dumps(self.extra["private"], separators=(",", ":"), ensure_ascii=False, sort_keys=True)
            made = hmac.new(base64.b64decode(self.extra["salt"]), fields.encode(), hashlib.sha256).digest()
            assert base64.b64encode(made).decode() == self.extra["entry"]["commit"]
