import Consent
import Cryptography
import Identifiers

/// The lines of an export's entries, each checked when it comes: its leaf against the tree, its form, its private fields
/// against its commitment. Decisions are judged again as they come.
struct AuditEntries: ~Copyable {
    private let tree: AuditTree
    /// Whether the tiles have the signed root. Otherwise the first entry that disagrees with them is still worth naming.
    private let isProved: Bool
    private var hasher = TreeHasher()
    private var committer = CommitmentHasher()
    private var instants = TimestampReader()
    private(set) var counts = AuditCounts()
    private(set) var contents = ExportContents()
    private var replay = DecisionReplay()
    private var erasures = ErasureBalance()
    private var pairs = ActivityPairs()
    /// Ids ascend from entry to entry, those of decisions, of consent records and of accesses.
    private var (lastDecision, lastConsent): (DecisionID?, ConsentRecordID?) = (nil, nil)
    private var lastAccess: AccessID?
    /// The index that the next entry of a whole export has.
    private var next: UInt64 = 0
    private var firstGap: ClosedRange<UInt64>?

    init(_ tree: AuditTree, isProved: Bool) {
        self.tree = tree
        self.isProved = isProved
    }

    /// What came of judging the decisions again. Only a whole export has all that they follow from.
    var recomputation: Recomputation { replay.result }

    /// - Parameters:
    ///   - file: whose line it is.
    ///   - number: of the line, from 1.
    mutating func take(_ line: ArraySlice<UInt8>, in file: String, _ number: Int) throws(AuditFault) {
        func fault(_ fault: AuditFault.LineFault) -> AuditFault { .line(LineLocation(file: file, line: number), fault) }
        guard let text = EntryText(line), let index = text.index else { throw fault(.form) }
        guard index >= next else { throw fault(.order) }
        guard index < tree.head.size else { throw fault(.outside) }
        if index > next, firstGap == nil { firstGap = next...(index - 1) }
        next = index + 1
        // Without all tiles there is nothing to compare it with.
        if tree.missing == nil { try check(text, at: index) }
    }

    mutating func take(_ interaction: InteractionLine) { contents.add(interaction) }

    /// To be called after the last line of an export that should have every entry.
    mutating func requireAll() throws(AuditFault) {
        if let firstGap { throw .missing(firstGap, of: tree.head.size) }
        if next < tree.head.size { throw .missing(next...(tree.head.size - 1), of: tree.head.size) }
        pairs.finish()
        if let decision = pairs.firstUnpaired { throw .entry(decision, .unpaired) }
        try erasures.requireExplanations()
    }

    /// To be called before ``requireAll()`` where the tree has not all of its tiles: says of how many entries the export
    /// is, if they are the first ones.
    func requireLength() throws(AuditFault) {
        guard firstGap == nil, next < tree.head.size else { return }
        throw .shorter(entries: next, size: tree.head.size)
    }

    private mutating func check(_ text: EntryText, at index: UInt64) throws(AuditFault) {
        func location() -> EntryLocation {
            EntryLocation(index: index, name: EntrySummary(text.entry)?.name ?? "unreadable")
        }
        func fault(_ fault: AuditFault.EntryFault) -> AuditFault {
            isProved ? .entry(location(), fault) : .unproved(location(), fault)
        }
        let leaf = hasher.leaf(text.entry.span)
        guard let expected = tree.leaf(index) else { throw fault(.noTile) }
        guard leaf == expected else { throw fault(tree.index(of: leaf).map { .exchanged(with: $0) } ?? .changed) }
        guard let entry = ParsedEntry(text.entry, &instants) else { throw fault(.form) }
        let opened: OpenedEntry
        do throws(AuditFault.EntryFault) {
            opened = try OpenedEntry(entry, text, &committer)
        } catch { throw fault(error) }
        guard ascends(opened) else { throw fault(.repeated) }
        counts.count(opened)
        take(opened, at: index, location)
    }

    private mutating func ascends(_ entry: OpenedEntry) -> Bool {
        switch entry {
        case .decision(let decision, _):
            defer { lastDecision = decision.id }
            return lastDecision.map { $0 < decision.id } ?? true
        case .consent(let id, _):
            defer { lastConsent = id }
            return lastConsent.map { $0 < id } ?? true
        case .access(let id, _):
            defer { lastAccess = id }
            return lastAccess.map { $0 < id } ?? true
        case .erasure, .enforcement, .purge, .accessesForgotten, .other: return true
        }
    }

    private mutating func take(_ entry: OpenedEntry, at index: UInt64, _ location: () -> EntryLocation) {
        pairs.take(entry, at: index)
        switch entry {
        case .decision(let decision, let fields):
            if fields == nil { erasures.closeDecision() }
            contents.add(decision, fields)
            replay.judge(decision, fields, at: index)
        case .consent(let id, let fields?):
            contents.add(fields)
            replay.record(id, fields)
        case .consent(_, nil): erasures.closeConsent()
        case .erasure(let decisions, let consents):
            replay.erase()
            erasures.explain(decisions: decisions, consents: consents, by: location())
        case .purge(let decisions): erasures.explain(decisions: decisions, consents: 0, by: location())
        case .enforcement(let enforcement): replay.change(to: enforcement)
        case .access(_, let fields?): contents.add(fields)
        case .access(_, nil): erasures.closeAccess()
        case .accessesForgotten(let accesses): erasures.explain(accesses: accesses, by: location())
        case .other: break
        }
    }
}

/// An entry with the private fields that it was shown to commit to.
enum OpenedEntry {
    /// The fields are `nil` where they are gone.
    case decision(ParsedDecision, DecisionFields?)
    case consent(ConsentRecordID, ConsentFields?)
    case erasure(decisions: UInt64, consents: UInt64)
    case enforcement(Enforcement)
    case purge(decisions: UInt64)
    case access(AccessID, AccessFields?)
    case accessesForgotten(UInt64)
    case other(isOpen: Bool)

    /// - Throws: what is wrong between an entry and what comes with it to open its commitment.
    init(
        _ entry: ParsedEntry, _ text: EntryText, _ committer: inout CommitmentHasher
    ) throws(AuditFault.EntryFault) {
        switch entry {
        case .decision(let decision):
            let fields = try Self.opened(decision.commit, text, &committer)
            let read = fields.flatMap(DecisionFields.init)
            guard (read == nil) == (fields == nil) else { throw .fields }
            self = .decision(decision, read)
        case .consent(let id, let commit):
            let fields = try Self.opened(commit, text, &committer)
            let read = fields.flatMap(ConsentFields.init)
            guard (read == nil) == (fields == nil) else { throw .fields }
            self = .consent(id, read)
        case .access(let id, let commit):
            let fields = try Self.opened(commit, text, &committer)
            let read = fields.flatMap(AccessFields.init)
            guard (read == nil) == (fields == nil) else { throw .fields }
            self = .access(id, read)
        case .other:
            guard let commit = EntrySummary(text.entry)?.commit else {
                guard text.fields == nil else { throw .needlessOpening }
                self = .other(isOpen: false)
                return
            }
            guard let commit else { throw .form }
            self = .other(isOpen: try Self.opened(commit, text, &committer) != nil)
        case .erasure(let decisions, let consents): self = .erasure(decisions: decisions, consents: consents)
        case .enforcement(let enforcement): self = .enforcement(enforcement)
        case .purge(let decisions): self = .purge(decisions: decisions)
        case .accessesForgotten(let accesses): self = .accessesForgotten(accesses)
        }
        switch entry {
        case .erasure, .enforcement, .purge, .accessesForgotten:
            guard text.fields == nil else { throw .needlessOpening }
        case .decision, .consent, .access, .other: break
        }
    }

    private static func opened(
        _ commit: Commitment, _ text: EntryText, _ committer: inout CommitmentHasher
    ) throws(AuditFault.EntryFault) -> ArraySlice<UInt8>? {
        guard let fields = text.fields, let salt = text.salt else { return nil }
        guard committer.commitment(to: fields.span, salt: salt) == commit else { throw .commitment }
        return fields
    }
}
