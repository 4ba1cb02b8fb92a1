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

    mutating func add(_ decision: ParsedDecision, _ fields: DecisionFields?) {
        span =
            span.map { min($0.lowerBound, decision.instant)...max($0.upperBound, decision.instant) }
            ?? decision.instant...decision.instant
        guard let fields else { return }
        if let recipient = fields.recipient { recipients.add(recipient) }
        messages.add(fields.message)
    }

    mutating func add(_ record: ConsentFields) { recipients.add(record.recipient) }

    mutating func add(_ access: AccessFields) { if let recipient = access.recipient { recipients.add(recipient) } }

    mutating func add(_ interaction: InteractionLine) { interactionMessages.add(interaction.message) }

    func requireFitting(_ filters: AuditFilters) throws(AuditFault) {
        let (from, to) = (filters.from.flatMap(Timestamp.init(filter:)), filters.to.flatMap(Timestamp.init(filter:)))
        let isWithin = span.map { span in
            (from.map { $0 <= span.lowerBound } ?? true) && (to.map { span.upperBound < $0 } ?? true)
        }
        guard filters.recipient == nil || recipients.fits({ Self.may($0, be: filters.recipient) }),
            filters.message == nil
                || messages.fits({ $0.description == filters.message })
                    && interactionMessages.fits({ $0.description == filters.message }),
            isWithin ?? true
        else { throw .manifest("its filters do not fit the content of the export") }
    }

    /// Whether two spellings may be of one recipient; only the organization's settings decide it. If both are ASCII,
    /// they can differ only in case, or by a domain in Punycode (`xn--`).
    private static func may(_ recipient: RecipientID, be filter: String?) -> Bool {
        guard let filter, recipient.text.utf8.allSatisfy({ $0 < 0x80 }), filter.utf8.allSatisfy({ $0 < 0x80 }) else {
            return true
        }
        return recipient.text.lowercased() == filter.lowercased() || filter.contains("xn--")
            || recipient.text.contains("xn--")
    }
}

extension Timestamp {
    fileprivate init?(filter text: String) { self.init(canonical: Array(text.utf8)[...]) }
}
