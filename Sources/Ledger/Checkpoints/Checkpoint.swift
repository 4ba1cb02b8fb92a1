/// The size and the root of a ledger at one time (C2SP tlog-checkpoint): origin, size and root, one line each.
///
/// Ledgers of this service never add lines, so a checkpoint with more lines is refused.
package struct Checkpoint: Hashable, Sendable {
    package let origin: KeyName
    package let head: TreeHead

    package init(origin: KeyName, head: TreeHead) {
        self.origin = origin
        self.head = head
    }

    /// Accepts only what ``text`` writes.
    package init(_ text: [UInt8]) throws(LedgerError) {
        var lines = LineReader(text)
        guard let first = lines.next() else { throw .checkpoint("it has three lines") }
        guard let origin = try? KeyName(first) else { throw .checkpoint("the first line is not the name of a ledger") }
        guard let second = lines.next(), let size = UInt64(decimal: second) else {
            throw .checkpoint("the second line is not a number of entries")
        }
        guard let third = lines.next(), let root = TreeHash(base64: third) else {
            throw .checkpoint("the third line is not a hash in Base64")
        }
        guard lines.rest.isEmpty else { throw .checkpoint("it has more than three lines") }
        guard size > 0 || root == .ofNothing else {
            throw .checkpoint("a tree without entries has one root, and this is another")
        }
        self.init(origin: origin, head: TreeHead(size: size, root: root))
    }

    package var text: [UInt8] {
        var text: [UInt8] = []
        text.append(line: origin.description)
        text.append(line: String(head.size))
        text.append(line: head.root.text)
        return text
    }
}

/// A checkpoint with its signature. It can only be made by signing with a ``SignerKey`` or by verifying.
package struct SignedCheckpoint: Equatable, Sendable {
    package let checkpoint: Checkpoint
    package let note: SignedNote

    init(checkpoint: Checkpoint, note: SignedNote) {
        self.checkpoint = checkpoint
        self.note = note
    }

    /// - Parameters:
    ///   - bytes: a signed note.
    ///   - key: the key that must have signed it, and whose name must be the ledger's.
    package init(_ bytes: [UInt8], by key: VerifierKey) throws(LedgerError) {
        try self.init(SignedNote(bytes), by: key)
    }

    package init(_ note: SignedNote, by key: VerifierKey) throws(LedgerError) {
        try note.verify(by: key)
        checkpoint = try Checkpoint(note.text)
        guard checkpoint.origin == key.name else { throw .origin(expected: key.name) }
        self.note = note
    }

    package var head: TreeHead { checkpoint.head }
    package var bytes: [UInt8] { note.bytes }
}
