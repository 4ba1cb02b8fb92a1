import Consent
import Cryptography
import Identifiers

/// Checks the lines of an export's entries, each when it is read: its leaf against the tree, its form, and its private
/// fields against its commitment. Decisions are judged again at the same time.
struct AuditEntries: ~Copyable {
    private let tree: AuditTree
    /// Whether the tiles have the signed root. If not, the first entry that disagrees with them is still reported.
    private let isProved: Bool
    private var hasher = TreeHasher()
    private var committer = CommitmentHasher()
    private var instants = TimestampReader()
    private(set) var counts = AuditCounts()
    private(set) var contents = ExportContents()
    private var replay = DecisionReplay()
    private var erasures = ErasureBalance()
    private var pairs = ActivityPairs()
    /// The last ids. The ids of decisions, of consent records and of accesses must each grow from entry to entry.
    private var (lastDecision, lastConsent): (DecisionID?, ConsentRecordID?) = (nil, nil)
    private var lastAccess: AccessID?
    /// The index of the next entry, if the export is whole.
    private var next: UInt64 = 0
    private var firstGap: ClosedRange<UInt64>?

    init(_ tree: AuditTree, isProved: Bool) {
        self.tree = tree
        self.isProved = isProved
    }

    /// The result of judging the decisions again. Only a whole export has everything that they follow from.
    var recomputation: Recomputation { replay.result }

    /// - Parameters:
    ///   - file: the file with the line.
    ///   - number: the number of the line, from 1.
    mutating func take(_ line: ArraySlice<UInt8>, in file: String, _ number: Int) throws(AuditFault) {
        func fault(_ fault: AuditFault.LineFault) -> AuditFault { .line(LineLocation(file: file, line: number), fault) }
        guard let text = EntryText(line), let index = text.index else { throw fault(.form) }
        guard index >= next else { throw fault(.order) }
        guard index < tree.head.size else { throw fault(.outside) }
        if index > next, firstGap == nil { firstGap = next...(index - 1) }
        next = index + 1
        // Without all tiles there is nothing to compare the entry with.
        if tree.missing == nil { try check(text, at: index) }
    }

    mutating func take(_ interaction: InteractionLine) { contents.add(interaction) }

    /// Must be called after the last line of an export that must have every entry.
    mutating func requireAll() throws(AuditFault) {
        if let firstGap { throw .missing(firstGap, of: tree.head.size) }
        if next < tree.head.size { throw .missing(next...(tree.head.size - 1), of: tree.head.size) }
        pairs.finish()
        if let decision = pairs.firstUnpaired { throw .entry(decision, .unpaired) }
        try erasures.requireExplanations()
    }

    /// Must be called before ``requireAll()`` if the tree lacks tiles: reports how many entries the export has, if they
    /// are the first ones.
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
            try opened.requireTimeOfID()
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
        contents.add(entry)
        switch entry {
        case .decision(let decision, let fields):
            if fields == nil { erasures.closeDecision() }
            if let recipient = fields?.recipient { replay.name(recipient, at: index) }
            replay.judge(decision, fields, at: index)
        case .consent(let id, let fields?):
            replay.name(fields.recipient, at: index)
            replay.record(id, fields)
        case .consent(_, nil): erasures.closeConsent()
        case .erasure(let decisions, let consents):
            replay.erase()
            erasures.explain(decisions: decisions, consents: consents, by: location())
        case .purge(let decisions): erasures.explain(decisions: decisions, consents: 0, by: location())
        case .enforcement(let enforcement): replay.change(to: enforcement)
        case .access(_, nil): erasures.closeAccess()
        case .accessesForgotten(let accesses): erasures.explain(accesses: accesses, by: location())
        case .access, .other: break
        }
    }
}

extension ExportContents {
    /// An entry of an unknown kind may be of any content: later versions have more kinds.
    fileprivate mutating func add(_ entry: OpenedEntry) {
        switch entry {
        case .decision(let decision, let fields): add(decision, fields)
        case .consent(_, let fields): add(fields)
        case .access(_, let fields): add(fields)
        case .erasure, .purge, .enforcement, .accessesForgotten: addEvent()
        case .other: break
        }
    }
}

extension OpenedEntry {
    /// Needed where entries are judged by each other's times.
    fileprivate func requireTimeOfID() throws(AuditFault.EntryFault) {
        guard case .decision(let decision, _) = self else { return }
        guard decision.id.number.timestamp == decision.instant else { throw .otherTime }
    }
}

/// An entry with private fields that match its commitment.
enum OpenedEntry {
    /// The fields are `nil` if they are not known any more.
    case decision(ParsedDecision, DecisionFields?)
    case consent(ConsentRecordID, ConsentFields?)
    case erasure(decisions: UInt64, consents: UInt64)
    case enforcement(Enforcement)
    case purge(decisions: UInt64)
    case access(AccessID, AccessFields?)
    case accessesForgotten(UInt64)
    case other(isOpen: Bool)

    /// - Throws: the fault between an entry and its opening.
    init(
        _ entry: ParsedEntry, _ text: EntryText, _ committer: inout CommitmentHasher
    ) throws(AuditFault.EntryFault) {
        switch entry {
        case .decision(let decision):
            let fields = try Self.opened(decision.commit, text, &committer)
            let read = fields.flatMap(DecisionFields.init)
            guard (read == nil) == (fields == nil) else { throw .fields }
            self = .decision(decision, read)
        case .consent(let id, let recordedAt, let commit):
            let fields = try Self.opened(commit, text, &committer)
            let read = fields.flatMap(ConsentFields.init)
            guard (read == nil) == (fields == nil) else { throw .fields }
            if let read, read.occurredAt > recordedAt { throw .recordedBefore }
            self = .consent(id, read)
        case .access(let id, let commit):
            let fields = try Self.opened(commit, text, &committer)
            let read = fields.flatMap(AccessFields.init)
            guard (read == nil) == (fields == nil) else { throw .fields }
            self = .access(id, read)
        case .other:
            switch EntrySummary(text.entry)?.commit ?? .absent {
            case .absent:
                guard text.fields == nil else { throw .needlessOpening }
                self = .other(isOpen: false)
            case .malformed: throw .form
            case .commitment(let commit): self = .other(isOpen: try Self.opened(commit, text, &committer) != nil)
            }
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
