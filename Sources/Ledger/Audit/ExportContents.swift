import ASCII
import Identifiers

/// The scope of a filtered export, derived from its content: it reveals a manifest that names other filters.
struct ExportContents {
    /// The value that all entries have, or that they differ.
    private enum Common<Value: Equatable> {
        case none
        case one(Value)
        case several

        mutating func add(_ value: Value) {
            switch self {
            case .none: self = .one(value)
            case .one(let known) where known == value: break
            case .one, .several: self = .several
            }
        }

        func fits(_ fits: (Value) -> Bool) -> Bool {
            switch self {
            case .none: true
            case .one(let value): fits(value)
            case .several: false
            }
        }
    }

    private var recipients = Common<RecipientID>.none
    private var messages = Common<MessageID>.none
    private var interactionMessages = Common<MessageID>.none
    /// The times of the first and of the last decision.
    private var span: ClosedRange<Timestamp>?
    /// Whether an entry does not say whom it is about.
    private var hasUnnamed = false
    private var hasAccess = false
    /// Whether there is an entry about the organization or about a recipient whom it does not name.
    private var hasEvent = false

    mutating func add(_ decision: ParsedDecision, _ fields: DecisionFields?) {
        span =
            span.map { min($0.lowerBound, decision.instant)...max($0.upperBound, decision.instant) }
            ?? decision.instant...decision.instant
        add(fields?.recipient)
        if let fields { messages.add(fields.message) }
    }

    /// - Parameter record: `nil` if its private fields are not known.
    mutating func add(_ record: ConsentFields?) { add(record?.recipient) }

    /// - Parameter access: `nil` if its private fields are not known.
    mutating func add(_ access: AccessFields?) {
        hasAccess = true
        add(access?.recipient)
    }

    /// An erasure, the end of retention periods, or a change of the enforcement.
    mutating func addEvent() { hasEvent = true }

    private mutating func add(_ recipient: RecipientID?) {
        if let recipient { recipients.add(recipient) } else { hasUnnamed = true }
    }

    mutating func add(_ interaction: InteractionLine) { interactionMessages.add(interaction.message) }

    func requireFitting(_ filters: AuditFilters) throws(AuditFault) {
        let (from, to) = (filters.from.flatMap(Timestamp.init(filter:)), filters.to.flatMap(Timestamp.init(filter:)))
        let isWithin = span.map { span in
            (from.map { $0 <= span.lowerBound } ?? true) && (to.map { span.upperBound < $0 } ?? true)
        }
        guard fits(recipient: filters.recipient), fits(message: filters.message), isWithin ?? true else {
            throw .manifest("its filters do not fit the content of the export")
        }
    }

    /// Every entry of an export with a recipient is found by the recipient, so it names them.
    private func fits(recipient filter: String?) -> Bool {
        guard let filter else { return true }
        return !hasUnnamed && !hasEvent && recipients.fits { Self.may($0, be: filter) }
    }

    /// An export with a message has decisions and the consent records that they rest on. Those of erased recipients name
    /// neither message nor recipient.
    private func fits(message filter: String?) -> Bool {
        guard let filter else { return true }
        return !hasAccess && !hasEvent && messages.fits { $0.description == filter }
            && interactionMessages.fits { $0.description == filter }
    }

    /// Whether two spellings may be of one recipient: some organizations compare e-mail addresses, others bytes.
    private static func may(_ recipient: RecipientID, be filter: String) -> Bool {
        guard let other = try? RecipientID(filter) else { return false }
        return recipient == other
            || RecipientKey(recipient, by: .email).text.hasSameBytes(as: RecipientKey(other, by: .email).text)
    }
}

extension Timestamp {
    fileprivate init?(filter text: String) { self.init(canonical: Array(text.utf8)[...]) }
}
