/// The files of an export and their order. Each file has one place, and no other files are allowed.
struct AuditFileOrder {
    /// The kinds of files, in the order in which they must come.
    enum Kind: Int {
        case readme
        case checkpoint
        case consistency
        case tile
        case entries
        case interactions
        case manifest

        var isLines: Bool { self == .entries || self == .interactions }
        /// Whether the manifest has its sum. Tiles are proved by the root.
        var isSummed: Bool { self != .tile && self != .manifest }

        fileprivate var maximumSize: UInt64 {
            switch self {
            case .readme: 64 << 10
            case .checkpoint: UInt64(SignedNote.maximumLength)
            case .consistency: UInt64(SignedNote.maximumLength) + 16 << 10
            case .tile: UInt64(Tile.width * TreeHash.length)
            case .entries, .interactions: TarHeader.maximumSize
            // About 130 bytes for each file: enough for two thousand million entries.
            case .manifest: 32 << 20
            }
        }
    }

    private var last: Kind?
    /// How many files of this kind have been read.
    private var parts = 0

    /// The kind of the next file.
    mutating func kind(of header: TarHeader) throws(AuditFault) -> Kind {
        guard let kind = kind(named: header.name) else { throw .unexpectedFile(header.name) }
        guard header.size <= kind.maximumSize else { throw .fileTooLong(header.name) }
        parts = kind == last ? parts + 1 : 1
        last = kind
        return kind
    }

    private func kind(named name: String) -> Kind? {
        switch last {
        case nil: return name == AuditExportWriter.readmeName ? .readme : nil
        case .readme: return name == AuditExportWriter.checkpointName ? .checkpoint : nil
        case .manifest: return nil
        case .checkpoint where name == AuditExportWriter.consistencyName: return .consistency
        default: break
        }
        if name == AuditExportWriter.manifestName { return .manifest }
        if may(.tile), (try? TilePath(name)) != nil { return .tile }
        for kind in [Kind.entries, .interactions] where may(kind) {
            if name == AuditExportWriter.name(ofPart: (kind == last ? parts : 0) + 1, of: kind) { return kind }
        }
        return nil
    }

    private func may(_ kind: Kind) -> Bool { (last?.rawValue ?? 0) <= kind.rawValue }
}
