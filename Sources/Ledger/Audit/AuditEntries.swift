import Cryptography

/// The lines of an export's entries, each checked when it comes: its leaf against the tree, its private fields against
/// its commitment.
struct AuditEntries: ~Copyable {
    private let tree: AuditTree
    /// Whether the tiles have the signed root. Otherwise the first entry that disagrees with them is still worth naming.
    private let isProved: Bool
    private var hasher = TreeHasher()
    private var committer: Committer
    private(set) var tally = AuditTally()
    /// The index that the next entry of a whole export has.
    private var next: UInt64 = 0
    private var firstGap: ClosedRange<UInt64>?

    init(_ tree: AuditTree, isProved: Bool) {
        self.tree = tree
        self.isProved = isProved
        committer = Committer()
    }

    /// - Parameters:
    ///   - file: whose line it is.
    ///   - number: of the line, from 1.
    mutating func take(_ line: ArraySlice<UInt8>, in file: String, _ number: Int) throws(AuditFault) {
        func fault(_ fault: AuditFault.LineFault) -> AuditFault { .line(LinePlace(file: file, line: number), fault) }
        guard let text = EntryText(line), let index = text.index else { throw fault(.form) }
        guard index >= next else { throw fault(.order) }
        guard index < tree.head.size else { throw fault(.outside) }
        if index > next, firstGap == nil { firstGap = next...(index - 1) }
        next = index + 1
        try check(text, at: index)
    }

    /// To be called after the last line of an export that should have every entry.
    func requireAll() throws(AuditFault) {
        if let firstGap { throw .missing(firstGap, of: tree.head.size) }
        if next < tree.head.size { throw .missing(next...(tree.head.size - 1), of: tree.head.size) }
        try tally.requireExplanations()
    }

    private mutating func check(_ text: EntryText, at index: UInt64) throws(AuditFault) {
        let leaf = hasher.leaf(text.entry.span)
        let summary = EntrySummary(text.entry)
        func fault(_ fault: AuditFault.EntryFault) -> AuditFault {
            let place = EntryPlace(index: index, name: summary?.name ?? "unreadable")
            return isProved ? .entry(place, fault) : .unproved(place, fault)
        }
        guard let expected = tree.leaf(index) else { throw fault(.noTile) }
        guard leaf == expected else { throw fault(tree.index(of: leaf).map { .exchanged(with: $0) } ?? .changed) }
        guard let summary else { throw fault(.form) }
        if let problem = summary.fault(of: text, &committer) { throw fault(problem) }
        tally.count(summary, isOpen: text.fields != nil)
    }
}

extension EntrySummary {
    /// What is wrong between an entry and what comes with it to open its commitment.
    func fault(of text: EntryText, _ committer: inout Committer) -> AuditFault.EntryFault? {
        guard let commit else {
            if kind == .decision || kind == .consent { return .form }
            return text.fields == nil ? nil : .needlessOpening
        }
        guard let commit else { return .form }
        guard let fields = text.fields, let salt = text.salt else { return nil }
        return committer.commitment(to: fields.span, salt: salt) == commit ? nil : .commitment
    }
}

/// How many entries of each kind were proved.
package struct AuditTally: Hashable, Sendable {
    package private(set) var decisions: UInt64 = 0
    package private(set) var consents: UInt64 = 0
    package private(set) var erasures: UInt64 = 0
    package private(set) var enforcements: UInt64 = 0
    package private(set) var purges: UInt64 = 0
    package private(set) var others: UInt64 = 0
    /// Whose private fields came with them, and are those that they commit to.
    package private(set) var opened: UInt64 = 0
    /// Which came without, because their person was erased or they are older than decisions are kept.
    package private(set) var closedDecisions: UInt64 = 0
    package private(set) var closedConsents: UInt64 = 0
    private var erasedDecisions: UInt64 = 0
    private var erasedConsents: UInt64 = 0

    package var entries: UInt64 { decisions + consents + erasures + enforcements + purges + others }

    mutating func count(_ summary: EntrySummary, isOpen: Bool) {
        if isOpen { opened += 1 }
        switch summary.kind {
        case .decision:
            decisions += 1
            if !isOpen { closedDecisions += 1 }
        case .consent:
            consents += 1
            if !isOpen { closedConsents += 1 }
        case .erasure: erasures += 1
        case .enforcement: enforcements += 1
        case .purge: purges += 1
        case .other: others += 1
        }
        erasedDecisions = Self.sum(erasedDecisions, summary.erased.decisions)
        erasedConsents = Self.sum(erasedConsents, summary.erased.consents)
    }

    /// Whoever takes private fields away enters that they did, so there are not more without than were entered.
    func requireExplanations() throws(AuditFault) {
        guard closedDecisions <= erasedDecisions else {
            throw .unexplainedErasures(found: closedDecisions, recorded: erasedDecisions, what: "decisions")
        }
        guard closedConsents <= erasedConsents else {
            throw .unexplainedErasures(found: closedConsents, recorded: erasedConsents, what: "consent records")
        }
    }

    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
