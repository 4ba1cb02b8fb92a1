import ASCII
import Cryptography

/// Verifies an audit export while it is read, and keeps only its tiles: 32 bytes for each entry.
///
///     var verifier = AuditVerifier(key: key, since: earlier)
///     while let chunk = read() { try verifier.take(chunk) }
///     let findings = try verifier.finish()
///
/// Everything in an export is untrusted. Only what the key signed and what follows from it is accepted, and everything
/// that ``AuditExportWriter`` would write differently is refused. It must not be used after it has thrown.
package struct AuditVerifier: ~Copyable {
    private let key: VerifierKey
    private let since: SignedCheckpoint?
    private var archive = TarReader()
    private var order = AuditFileOrder()
    private var file: OpenFile?
    private var sum = SHA256()
    private var files: [AuditManifest.File] = []
    /// The last file of lines, and whether it is one behind which another can begin.
    private var lastPart: (kind: AuditFileOrder.Kind, isFull: Bool)?

    private var checkpoint: SignedCheckpoint?
    private var update: CheckpointUpdate?
    private var tree: AuditTree?
    /// Why the tiles prove nothing. The rest is still read to find the entry that causes it, because that says more.
    private var treeFault: AuditFault?
    private var entries: AuditEntries?
    private var interactions: UInt64 = 0
    private var manifest: AuditManifest?
    private var readme: [UInt8] = []
    private var times = HeaderTimes()
    private var instants = TimestampReader()

    private struct OpenFile {
        let name: String
        let size: UInt64
        let kind: AuditFileOrder.Kind
        /// The content so far; for a file of lines, the content of the last line.
        var bytes: [UInt8] = []
        var lines = 0
        /// Where the last line ends.
        var end = 0

        var isFull: Bool { AuditExportWriter.isFull(lines: lines, bytes: end) }
        var location: LineLocation { LineLocation(file: name, line: lines) }
    }

    /// More than the length of any line of an export: entries and their private fields have a few hundred bytes.
    private static let maximumLineLength = 1 << 20

    /// - Parameter since: an earlier checkpoint that the auditor has, signed with the same key.
    package init(key: VerifierKey, since: SignedCheckpoint? = nil) {
        self.key = key
        self.since = since
    }

    /// Continues with the next bytes of the archive.
    package mutating func take(_ chunk: [UInt8]) throws(AuditFault) {
        var chunk = chunk[...]
        while let part = try part(of: &chunk) {
            switch part {
            case .file(let header): try open(header)
            case .bytes(let bytes): try take(bytes)
            case .endOfFile: try closeFile()
            case .end: break
            }
        }
    }

    /// Must be called at the end of the archive.
    package mutating func finish() throws(AuditFault) -> AuditFindings {
        do throws(TarReader.Fault) { try archive.finish() } catch { throw .archive(error) }
        guard let manifest, let checkpoint, let tree else { throw .archive(.cutShort) }
        let found = entries?.counts ?? AuditCounts()
        guard manifest.origin.hasSameBytes(as: checkpoint.checkpoint.origin.description),
            manifest.head == checkpoint.head
        else {
            throw .manifest("it is not of this checkpoint")
        }
        if case .tileMissing? = treeFault, manifest.filters.areNone { try entries?.requireLength() }
        if manifest.filters.areNone { try entries?.requireAll() }
        if let treeFault { throw treeFault }
        try compareSums(manifest)
        guard readme == AuditReadme.text(checkpoint.checkpoint, manifest.filters) else { throw .readme }
        try times.require(manifest.exportedAt)
        let counts = AuditManifest.Counts(
            consents: found.consents, decisions: found.decisions, entries: found.entries, interactions: interactions)
        guard manifest.counts == counts else { throw .manifest("its counts are not those of the export") }
        if !manifest.filters.areNone { try entries?.contents.requireFitting(manifest.filters) }
        return AuditFindings(
            checkpoint: checkpoint.checkpoint, filters: manifest.filters, counts: found, tiles: tree.tiles.count,
            interactions: interactions, exportedAt: manifest.exportedAt,
            recomputation: manifest.filters.areNone ? entries?.recomputation : nil, since: since?.head.size)
    }

    private mutating func part(of chunk: inout ArraySlice<UInt8>) throws(AuditFault) -> TarReader.Part? {
        do throws(TarReader.Fault) { return try archive.next(&chunk) } catch { throw .archive(error) }
    }

    private func compareSums(_ manifest: AuditManifest) throws(AuditFault) {
        for (found, listed) in zip(files, manifest.files) where found != listed { throw .sum(found.name) }
        guard files.count == manifest.files.count else { throw .manifest("it lists other files than there are") }
    }
}

// MARK: - Files

extension AuditVerifier {
    private mutating func open(_ header: TarHeader) throws(AuditFault) {
        let kind = try order.kind(of: header)
        times.add(header)
        if let lastPart, lastPart.kind == kind, !lastPart.isFull { throw .cut(header.name) }
        if kind.rawValue > AuditFileOrder.Kind.tile.rawValue, entries == nil { try finishTiles() }
        file = OpenFile(name: header.name, size: header.size, kind: kind)
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws(AuditFault) {
        // Removed while it is changed, so that it is not copied.
        guard var open = file.take() else { return }
        if open.kind.isSummed { sum.update(bytes.span) }
        if open.kind.isLines { try takeLines(bytes, &open) } else { open.bytes += bytes }
        file = open
    }

    private mutating func closeFile() throws(AuditFault) {
        guard let closed = file.take() else { return }
        if closed.kind.isSummed {
            let sum = Hexadecimal.encode(sum.finish())
            files.append(AuditManifest.File(name: closed.name, size: closed.size, sha256: sum))
        }
        switch closed.kind {
        case .readme: readme = closed.bytes
        case .checkpoint: try takeCheckpoint(closed.bytes)
        case .consistency: try takeConsistency(closed.bytes)
        case .tile: if let path = try? TilePath(closed.name) { try takeTile(path, closed.bytes) }
        case .entries, .interactions:
            guard closed.bytes.isEmpty else {
                throw .line(LineLocation(file: closed.name, line: closed.lines + 1), .noNewline)
            }
            guard closed.lines > 0 else { throw .cut(closed.name) }
            lastPart = (closed.kind, closed.isFull)
        case .manifest: manifest = try AuditManifest(closed.bytes)
        }
    }

    private mutating func takeLines(_ bytes: ArraySlice<UInt8>, _ open: inout OpenFile) throws(AuditFault) {
        var rest = bytes
        while let end = rest.firstIndex(of: .newline) {
            guard !open.isFull else { throw .cut(open.name) }
            open.lines += 1
            open.end += open.bytes.count + (end - rest.startIndex) + 1
            if open.bytes.isEmpty {
                try takeLine(rest[..<end], open)
            } else {
                open.bytes += rest[..<end]
                try takeLine(open.bytes[...], open)
                open.bytes.removeAll(keepingCapacity: true)
            }
            rest = rest[(end + 1)...]
        }
        open.bytes += rest
        guard open.bytes.count <= Self.maximumLineLength else {
            open.lines += 1
            throw .line(open.location, .tooLong)
        }
    }

    private mutating func takeLine(_ line: ArraySlice<UInt8>, _ open: borrowing OpenFile) throws(AuditFault) {
        if open.kind == .interactions {
            guard let interaction = InteractionLine(line, &instants) else { throw .line(open.location, .interaction) }
            interactions += 1
            entries?.take(interaction)
        } else {
            try entries?.take(line, in: open.name, open.lines)
        }
    }
}

// MARK: - The tree

extension AuditVerifier {
    private mutating func takeCheckpoint(_ bytes: [UInt8]) throws(AuditFault) {
        let signed: SignedCheckpoint
        do throws(LedgerError) { signed = try SignedCheckpoint(bytes, by: key) } catch { throw .checkpoint(error) }
        if let held = since?.head {
            guard held.size <= signed.head.size else { throw .replayed(size: signed.head.size, held: held.size) }
            guard held.size < signed.head.size || held.root == signed.head.root else {
                throw .forked(size: held.size)
            }
        }
        checkpoint = signed
        tree = AuditTree(signed.head)
    }

    private mutating func takeConsistency(_ bytes: [UInt8]) throws(AuditFault) {
        do throws(LedgerError) {
            let read = try CheckpointUpdate(bytes)
            guard read.note == checkpoint?.note else { throw .proof("its checkpoint is not that of the export") }
            update = read
        } catch { throw .proof(error) }
    }

    private mutating func takeTile(_ path: TilePath, _ bytes: [UInt8]) throws(AuditFault) {
        do { try tree?.take(path, bytes) } catch { try note(treeFault ?? error) }
    }

    /// Continues after a wrong root or a missing tile; throws all other faults.
    private mutating func note(_ fault: AuditFault) throws(AuditFault) {
        switch fault {
        case .root where treeFault == nil, .tileMissing where treeFault == nil: treeFault = fault
        default: throw fault
        }
    }

    /// Called after the last tile: from here on, entries can be compared with the tree.
    private mutating func finishTiles() throws(AuditFault) {
        guard let tree, let checkpoint else { return }
        do { try tree.finish() } catch { try note(error) }
        if treeFault == nil, let proof = update?.proof { try check(proof, checkpoint.head, tree) }
        if treeFault == nil, let held = since?.head, held.size > 0, held.size < checkpoint.head.size {
            try requireConsistency(from: held, to: checkpoint.head, tree)
        }
        entries = AuditEntries(tree, isProved: treeFault == nil)
    }

    /// Checks the export's own consistency proof, as far as its tiles have the old root.
    private func check(_ proof: ConsistencyProof, _ head: TreeHead, _ tree: AuditTree) throws(AuditFault) {
        var hasher = TreeHasher()
        let old = proof.oldSize == head.size ? head.root : tree.root(of: proof.oldSize)
        let holds =
            if let old {
                proof.holds(from: TreeHead(size: proof.oldSize, root: old), to: head, &hasher)
            } else {
                proof.leads(to: head, &hasher)
            }
        guard holds else { throw .consistency(old: proof.oldSize, size: head.size) }
    }

    private func requireConsistency(
        from held: TreeHead, to head: TreeHead, _ tree: AuditTree
    ) throws(AuditFault) {
        var hasher = TreeHasher()
        if let proof = update?.proof, proof.oldSize == held.size {
            guard proof.holds(from: held, to: head, &hasher) else {
                throw .inconsistent(held: held.size, size: head.size)
            }
        } else {
            guard let root = tree.root(of: held.size) else { throw .noConsistencyProof(held: held.size) }
            guard root == held.root else { throw .inconsistent(held: held.size, size: head.size) }
        }
    }
}
