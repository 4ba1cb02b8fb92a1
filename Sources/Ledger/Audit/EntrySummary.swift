import ASCII

/// The kind and the id that an entry claims, read from its bytes even if it does not have the form of one
/// (``ParsedEntry``).
struct EntrySummary {
    enum Kind: Hashable {
        case decision
        case consent
        case erasure
        case enforcement
        case purge
        case access
        case accessesForgotten
        /// A kind that this version does not know: the entry is proved, but not interpreted.
        case other
    }

    /// The member `commit` of an entry.
    enum CommitMember {
        case absent
        /// Its value is not a commitment.
        case malformed
        case commitment(Commitment)
    }

    private(set) var kind = Kind.other
    private(set) var commit = CommitMember.absent
    private var id: ArraySlice<UInt8>?

    /// - Returns: `nil` if it is not an object with its members in order.
    init?(_ entry: ArraySlice<UInt8>) {
        var (summary, type) = (Self(), ArraySlice<UInt8>())
        let isObject = JSONScanner.members(of: entry) { name, value in
            switch name {
            case Self.commitName:
                summary.commit = Commitment(base64: value.dropFirst().dropLast()).map { .commitment($0) } ?? .malformed
            case Self.idName: summary.id = value.dropFirst().dropLast()
            case Self.typeName: type = value
            default: break
            }
        }
        guard isObject else { return nil }
        switch type {
        case Self.decision: summary.kind = .decision
        case Self.consent: summary.kind = .consent
        case Self.erasure: summary.kind = .erasure
        case Self.enforcement: summary.kind = .enforcement
        case Self.purge: summary.kind = .purge
        case Self.access: summary.kind = .access
        case Self.accessesForgotten: summary.kind = .accessesForgotten
        default: break
        }
        self = summary
    }

    private init() {}

    /// The name for messages: `decision 19aa…`.
    var name: String {
        let id = id.flatMap {
            $0.count <= 64 && $0.allSatisfy(\.isLetterOrDigit) ? String(decoding: $0, as: UTF8.self) : nil
        }
        let kind =
            switch kind {
            case .decision: "decision"
            case .consent: "consent record"
            case .erasure: "erasure"
            case .enforcement: "change of enforcement"
            case .purge: "purge"
            case .access: "access"
            case .accessesForgotten: "forgetting of accesses"
            case .other: "of a kind unknown here"
            }
        return id.map { "\(kind) \($0)" } ?? kind
    }

    private static let commitName = Array("commit".utf8)[...]
    private static let idName = Array("id".utf8)[...]
    private static let typeName = Array("type".utf8)[...]
    private static let decision = Array(#""decision""#.utf8)[...]
    private static let consent = Array(#""consent""#.utf8)[...]
    private static let erasure = Array(#""erasure""#.utf8)[...]
    private static let enforcement = Array(#""enforcement""#.utf8)[...]
    private static let purge = Array(#""purge""#.utf8)[...]
    private static let access = Array(#""access""#.utf8)[...]
    private static let accessesForgotten = Array(#""accessesForgotten""#.utf8)[...]
}
