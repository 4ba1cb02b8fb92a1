import Cryptography
package import Identifiers

/// Makes the bytes of an audit export, piece by piece (docs/formats/audit-export.md).
///
///     var writer = AuditExportWriter(checkpoint, filters: filters, consistency: proof, at: now)
///     send(writer.begin())
///     for place in AuditTiles.whole(inTreeOf: size) { send(writer.add(read(place))) }
///     for item in items { send(writer.add(item)) }                   // mostly nothing, then a whole part
///     for line in interactions { send(writer.add(interaction: line)) }
///     send(writer.finish())
///
/// Tiles, entries and interactions must come in this order, entries in the order of the tree. It holds at most one
/// part: ten thousand lines or four megabytes.
package struct AuditExportWriter {
    static let readmeName = "README.txt"
    static let checkpointName = "checkpoint"
    static let consistencyName = "consistency"
    static let manifestName = "manifest.json"

    /// Whether a part ends with the line up to which it has so many lines and bytes. Every version has cut there.
    static func isFull(lines: Int, bytes: Int) -> Bool { lines == 10_000 || bytes >= 4 << 20 }

    private let checkpoint: SignedCheckpoint
    private let filters: AuditFilters
    private let consistency: ConsistencyProof?
    private let exportedAt: Timestamp
    private var files: [AuditManifest.File] = []
    private var counts = AuditManifest.Counts()
    private var part = AuditFileOrder.Kind.entries
    private var partNumber = 0
    private var lines = 0
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - consistency: the proof that the tree continues an earlier checkpoint.
    ///   - instant: the time of the export.
    package init(
        _ checkpoint: SignedCheckpoint, filters: AuditFilters, consistency: ConsistencyProof?, at instant: Timestamp
    ) {
        self.checkpoint = checkpoint
        self.filters = filters
        self.consistency = consistency
        exportedAt = instant
    }

    package mutating func begin() -> [UInt8] {
        var output = file(Self.readmeName, AuditReadme.text(checkpoint.checkpoint, filters))
        output += file(Self.checkpointName, checkpoint.bytes)
        if let consistency {
            output += file(Self.consistencyName, CheckpointUpdate(proof: consistency, note: checkpoint.note).bytes)
        }
        return output
    }

    /// - Parameter tile: must be the next of ``AuditTiles``.
    package mutating func add(_ tile: Tile) -> [UInt8] { archived(tile.path.description, tile.bytes) }

    package mutating func add(_ item: LedgerItem) -> [UInt8] {
        let output = begin(.entries)
        item.appendLine(to: &bytes)
        counts.entries += 1
        switch EntrySummary(item.entry[...])?.kind {
        case .decision: counts.decisions += 1
        case .consent: counts.consents += 1
        default: break
        }
        return output + endLine()
    }

    /// - Parameter line: JSON without a newline.
    package mutating func add(interaction line: [UInt8]) -> [UInt8] {
        let output = begin(.interactions)
        bytes += line
        bytes.append(.newline)
        counts.interactions += 1
        return output + endLine()
    }

    package mutating func finish() -> [UInt8] {
        let output = endPart()
        let manifest = AuditManifest(
            counts: counts, exportedAt: exportedAt.rfc3339, files: files, filters: filters,
            origin: checkpoint.checkpoint.origin.description, head: checkpoint.head)
        return output + archived(Self.manifestName, manifest.json)
            + [UInt8](repeating: 0, count: 2 * TarHeader.blockLength)
    }

    private mutating func begin(_ next: AuditFileOrder.Kind) -> [UInt8] {
        guard part != next else { return [] }
        let output = endPart()
        part = next
        partNumber = 0
        return output
    }

    private mutating func endLine() -> [UInt8] {
        lines += 1
        return Self.isFull(lines: lines, bytes: bytes.count) ? endPart() : []
    }

    private mutating func endPart() -> [UInt8] {
        guard lines > 0 else { return [] }
        partNumber += 1
        let output = file(Self.name(ofPart: partNumber, of: part), bytes)
        bytes.removeAll(keepingCapacity: true)
        lines = 0
        return output
    }

    static func name(ofPart number: Int, of kind: AuditFileOrder.Kind) -> String {
        let (digits, folder) = (String(number), kind == .entries ? "entries" : "interactions")
        return "\(folder)/\(String(repeating: "0", count: max(6 - digits.count, 0)))\(digits).ndjson"
    }

    /// A file whose sum goes into the manifest.
    private mutating func file(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let sum = Hexadecimal.encode(SHA256.hash(of: content))
        files.append(AuditManifest.File(name: name, size: UInt64(content.count), sha256: sum))
        return archived(name, content)
    }

    private func archived(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let seconds = UInt64(clamping: exportedAt.millisecondsSince1970 / 1000)
        let size = UInt64(content.count)
        guard let header = TarHeader(name: name, size: size, modified: seconds) else {
            preconditionFailure("an export names its files itself, and none is larger than a part")
        }
        return header.bytes + content + [UInt8](repeating: 0, count: TarHeader.padding(after: size))
    }
}
