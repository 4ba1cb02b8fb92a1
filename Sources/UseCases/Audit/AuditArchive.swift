package import Consent
package import Identifiers
import Interactions
import JSON
package import Ledger

/// An audit export while it is made. It is read and sent in parts, so its size is not limited by memory.
package struct AuditArchive: Sendable {
    let organization: OrganizationID
    let checkpoint: SignedCheckpoint
    let selection: AuditSelection
    let consistency: ConsistencyProof?
    let madeAt: Timestamp
    let ledgers: any LedgerStore
    let decisions: any DecisionArchive
    let consent: any ConsentArchive
    let accesses: any AccessLog
    let interactions: LinkedInteractions
    let validity: CallerValidity
    /// The openings of the entries of recipients who were erased since the export began.
    let erased: ErasedOpenings
    /// The recorded look under which a recipient's entries and interactions are shown; only where looks are recorded.
    let look: RecordedAccess?

    package init(
        organization: OrganizationID, checkpoint: SignedCheckpoint, selection: AuditSelection,
        consistency: ConsistencyProof?, madeAt: Timestamp, ledgers: any LedgerStore, decisions: any DecisionArchive,
        consent: any ConsentArchive, accesses: any AccessLog, interactions: LinkedInteractions,
        validity: CallerValidity,
        erased: ErasedOpenings, look: RecordedAccess? = nil
    ) {
        self.organization = organization
        self.checkpoint = checkpoint
        self.selection = selection
        self.consistency = consistency
        self.madeAt = madeAt
        self.ledgers = ledgers
        self.decisions = decisions
        self.consent = consent
        self.accesses = accesses
        self.interactions = interactions
        self.validity = validity
        self.erased = erased
        self.look = look
    }

    private static let itemsAtOnce = 1000
    /// The same for entries, which have openings: with the longest evidence they take 7 MB.
    private static let entriesAtOnce = 200

    /// Openings were erased or reached the end of retention during the export, and the export does not have them. The
    /// export would have entries without private fields, but not the entry that accounts for them.
    enum Overtaken: Error, CustomStringConvertible {
        /// The erased openings are more than memory can hold.
        case tooMuch
        /// Another node may have erased them; this node is not informed of its erasures.
        case elsewhere

        var description: String {
            switch self {
            case .tooMuch: "too much was erased while the export was being made"
            case .elsewhere: "an export cannot account for what was erased while it was being made; ask again"
            }
        }
    }

    package enum Leaves: Sendable {
        case all
        /// Some leaves, in their order.
        case some([UInt64])
        /// The leaves of a time, which are adjacent.
        case range(Range<UInt64>)
    }

    /// The leaves of the requested entries. For a time, only its two ends are looked up, however many entries it has.
    /// Otherwise this holds eight bytes for each entry.
    package func leaves() async throws -> Leaves {
        guard !selection.filters.areNone else { return .all }
        guard selection.recipient != nil || selection.message != nil else {
            var (first, end): (UInt64, UInt64) = (0, checkpoint.head.size)
            if let from = selection.from { first = try await leaf(notBefore: from) }
            if let to = selection.to { end = try await leaf(notBefore: to) }
            return .range(first..<max(first, end))
        }
        var leaves: Set<UInt64> = []
        try await addDecisions(to: &leaves)
        try await addConsents(to: &leaves)
        try await addAccesses(to: &leaves)
        return .some(try await look.showing(leaves.sorted()))
    }

    /// Sends the parts of the archive one after another. If it throws, the archive is incomplete.
    package func write(_ leaves: Leaves, _ send: ([UInt8]) async throws -> Void) async throws {
        var writer = AuditExportWriter(
            checkpoint, filters: selection.filters, consistency: consistency, at: madeAt)
        try await send(writer.begin())
        try await writeTiles(leaves, &writer, send)
        var closed = ClosedEntries()
        switch leaves {
        case .all:
            try await forEachPage(0..<checkpoint.head.size) { items in
                for item in items {
                    closed.add(item)
                    try await send(writer.add(item))
                }
            }
        case .some(let leaves):
            for run in Self.runs(leaves) {
                try await forEachPage(run) { items in
                    for item in items {
                        // They were found by the recipient, so they had private fields when the export began.
                        if selection.recipient != nil { closed.add(item) }
                        try await send(writer.add(item))
                    }
                }
            }
        case .range(let range):
            try await forEachPage(range) { items in
                for item in items where isOfTime(item) { try await send(writer.add(item)) }
            }
        }
        if !erased.areOfAllNodes, closed.haveNoAccount, try await laterEvents(accountFor: closed) {
            throw Overtaken.elsewhere
        }
        try await writeInteractions(&writer, send)
        try await send(writer.finish())
    }

    private func forEachPage(
        _ leaves: Range<UInt64>, _ visit: ([LedgerItem]) async throws -> Void
    ) async throws {
        var first = leaves.lowerBound
        while first < leaves.upperBound {
            let count = min(UInt64(Self.entriesAtOnce), leaves.upperBound - first)
            try await validity.check()
            let items = try await ledgers.entries(from: first, count: Int(count), in: organization)
            if erased.isFull { throw Overtaken.tooMuch }
            try await visit(items.map { erased.restored($0, at: checkpoint.head.size) })
            first += count
        }
    }

    /// Whether events behind the checkpoint account for entries of the export. If none does, the export has them as
    /// they are, and the verifier names them. It is not known which events are of other nodes. So an erasure at this
    /// node counts, too, although the export has its openings. It can hide a changed entry from the verifier, until an
    /// export during which no recipient is erased.
    private func laterEvents(accountFor closed: ClosedEntries) async throws -> Bool {
        var (closed, first) = (closed, checkpoint.head.size)
        while closed.haveNoAccount {
            try await validity.check()
            let items = try await ledgers.entries(from: first, count: Self.entriesAtOnce, in: organization)
            guard let last = items.last else { return false }
            for item in items { closed.account(by: item) }
            first = last.leaf + 1
        }
        return true
    }

    /// Joins adjacent leaves to ranges.
    private static func runs(_ leaves: [UInt64]) -> [Range<UInt64>] {
        var runs: [Range<UInt64>] = []
        for leaf in leaves {
            if let last = runs.last, last.upperBound == leaf {
                runs[runs.count - 1] = last.lowerBound..<(leaf + 1)
            } else {
                runs.append(leaf..<(leaf + 1))
            }
        }
        return runs
    }

    private func writeTiles(
        _ leaves: Leaves, _ writer: inout AuditExportWriter, _ send: ([UInt8]) async throws -> Void
    ) async throws {
        let size = checkpoint.head.size
        let ids =
            switch leaves {
            case .all: AuditTiles.whole(inTreeOf: size)
            case .some(let leaves): AuditTiles.some(Set(leaves.map { $0 / UInt64(Tile.width) }), inTreeOf: size)
            case .range(let range): AuditTiles.some(Self.tiles(of: range), inTreeOf: size)
            }
        for id in ids {
            let width = id.width(inTreeOf: size)
            // The verifier finds a missing tile, like a missing entry.
            guard let tile = try await ledgers.tile(id, width: width, in: organization) else { continue }
            try await send(writer.add(tile))
        }
    }

    private func writeInteractions(
        _ writer: inout AuditExportWriter, _ send: ([UInt8]) async throws -> Void
    ) async throws {
        var last: InteractionPosition?
        repeat {
            try await validity.check()
            let items = try await look.showing(
                interactions.matching(
                    selection.interactions(after: last), limit: Self.itemsAtOnce, in: organization))
            for item in items {
                var line = JSONWriter(capacity: 512)
                line.object { $0.members(of: item) }
                try await send(writer.add(interaction: line.bytes))
            }
            last = items.count == Self.itemsAtOnce ? items.last?.interaction.position : nil
        } while last != nil
    }
}

// MARK: - Which entries

extension AuditArchive {
    /// The leaf of the first entry that is not older than `instant`; the times in a ledger never go back.
    private func leaf(notBefore instant: Timestamp) async throws -> UInt64 {
        let (size, text) = (checkpoint.head.size, instant.rfc3339)
        // Behind the last decision or consent record before `instant`, only accesses and events can be older.
        var leaf = try await ledgers.size(before: instant, of: size, in: organization)
        while leaf < size {
            try await validity.check()
            let count = min(UInt64(Self.entriesAtOnce), size - leaf)
            let items = try await ledgers.entries(from: leaf, count: Int(count), in: organization)
            let found = items.first { item in item.instant.map { text <= $0 } ?? false }
            if let found { return found.leaf }
            leaf += count
        }
        return size
    }

    /// If the ids of a millisecond are used up, an entry can have a time that is some milliseconds later than the next
    /// entry's.
    private func isOfTime(_ item: LedgerItem) -> Bool { item.instant.map(selection.contains) ?? false }

    private static func tiles(of leaves: Range<UInt64>) -> Set<UInt64> {
        guard let last = leaves.last else { return [] }
        return Set(leaves.lowerBound / UInt64(Tile.width)...last / UInt64(Tile.width))
    }

    private func addDecisions(to leaves: inout Set<UInt64>) async throws {
        var last: DecisionID?
        var consents: Set<ConsentRecordID> = []
        repeat {
            let entries = try await decisions.decisions(
                matching: selection.decisions(after: last), limit: Self.itemsAtOnce, in: organization)
            for entry in entries {
                try await add(ledgers.entry(of: entry.id, in: organization), to: &leaves)
                if let id = entry.consent { consents.insert(id) }
            }
            last = entries.count == Self.itemsAtOnce ? entries.last?.id : nil
        } while last != nil
        // The consent records that the decisions rest on are included, whatever their time.
        for id in consents { try await add(ledgers.entry(of: id, in: organization), to: &leaves) }
    }

    private func addConsents(to leaves: inout Set<UInt64>) async throws {
        guard let recipient = selection.recipient else { return }
        var last: ConsentRecord?
        repeat {
            let records = try await consent.historyWithoutEvidence(
                of: recipient, after: last, limit: Self.itemsAtOnce, in: organization)
            for record in records where selection.contains(record.recordedAt.rfc3339) {
                try await add(ledgers.entry(of: record.id, in: organization), to: &leaves)
            }
            last = records.count == Self.itemsAtOnce ? records.last : nil
        } while last != nil
    }

    /// Adds the accesses to the recipient's data. An access is not about a message.
    private func addAccesses(to leaves: inout Set<UInt64>) async throws {
        guard selection.recipient != nil, selection.message == nil else { return }
        var last: AccessID?
        repeat {
            let found = try await accesses.accesses(
                matching: selection.accesses(before: last), limit: Self.itemsAtOnce, in: organization)
            for entry in found { try await add(ledgers.entry(of: entry.id, in: organization), to: &leaves) }
            last = found.count == Self.itemsAtOnce ? found.last?.id : nil
        } while last != nil
    }

    /// A row that is older than the ledger has no entry, and an entry that is newer than the checkpoint is not in this
    /// export.
    private func add(_ item: LedgerItem?, to leaves: inout Set<UInt64>) {
        if let item, item.leaf < checkpoint.head.size { leaves.insert(item.leaf) }
    }
}
