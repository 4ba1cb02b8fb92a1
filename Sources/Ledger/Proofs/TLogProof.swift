import Cryptography

/// An inclusion proof that can be verified with nothing but the verifier key (C2SP tlog-proof).
///
///     c2sp.org/tlog-proof@v1
///     extra eyJlbnRyeSI6…
///     index 73894
///     gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
///
///     links.example.com/acme
///     …
package struct TLogProof: Equatable, Sendable {
    package static let header = "c2sp.org/tlog-proof@v1"
    /// More than the length of any proof of this service.
    package static let maximumLength = 1024 * 1024

    /// Further data for the reader, which the proof does not cover.
    package let extra: [UInt8]?
    package let inclusion: InclusionProof
    /// The note of the checkpoint.
    package let note: SignedNote

    package init(extra: [UInt8]?, inclusion: InclusionProof, note: SignedNote) {
        self.extra = extra
        self.inclusion = inclusion
        self.note = note
    }

    /// Accepts only what ``bytes`` writes.
    package init(_ bytes: [UInt8]) throws(LedgerError) {
        guard bytes.count <= Self.maximumLength else { throw .proof("it is longer than \(Self.maximumLength) bytes") }
        var lines = LineReader(bytes)
        guard lines.next().map({ $0.elementsEqual(Self.header.utf8) }) == true else {
            throw .proof("the first line is not \(Self.header)")
        }
        let encoded = lines.next(labelled: "extra")
        let extra = encoded.flatMap { Base64.decode($0.span) }
        guard (encoded == nil) == (extra == nil) else { throw .proof("its extra data is not Base64") }
        guard let index = lines.next(labelled: "index").flatMap(UInt64.init(decimal:)) else {
            throw .proof("no line says the index")
        }
        guard let hashes = lines.hashes() else { throw .proof("no hashes and empty line come before the checkpoint") }
        let note = try SignedNote(Array(lines.rest))
        _ = try Checkpoint(note.text)
        self.init(
            extra: extra, inclusion: InclusionProof(index: index, hashes: hashes),
            note: note)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(line: Self.header)
        if let extra { bytes.append(line: "extra \(Base64.encode(extra))") }
        bytes.append(line: "index \(inclusion.index)")
        for hash in inclusion.hashes { bytes.append(line: hash.text) }
        bytes.append(.newline)
        return bytes + note.bytes
    }
}
