import Identifiers

/// Finds a decision about one activity without the decision about the other. If a message asks for clicks and opens
/// separately, both are entered together, so that neither can be left out.
struct ActivityPairs {
    /// The first decision whose counterpart is missing.
    private(set) var firstUnpaired: EntryLocation?
    private var clicks: (decision: ParsedDecision, fields: DecisionFields?, index: UInt64)?

    /// - Parameter index: the index of an entry of any kind, in the order of the ledger.
    mutating func take(_ entry: OpenedEntry, at index: UInt64) {
        let before = clicks.take()
        guard case .decision(let decision, let fields) = entry, let activity = decision.activity else {
            return note(before)
        }
        switch (activity, before) {
        case (.clicks, _):
            note(before)
            clicks = (decision, fields, index)
        case (.opens, let before?) where Self.belong(before.decision, before.fields, decision, fields): break
        case (.opens, _):
            note(before ?? (decision, fields, index))
        }
    }

    /// Must be called after the last entry.
    mutating func finish() { note(clicks.take()) }

    private mutating func note(_ unpaired: (decision: ParsedDecision, fields: DecisionFields?, index: UInt64)?) {
        guard let unpaired, firstUnpaired == nil else { return }
        firstUnpaired = EntryLocation(index: unpaired.index, name: "decision \(unpaired.decision.id)")
    }

    /// Whether they are about one recipient, one message and two purposes, as far as that is still known.
    private static func belong(
        _ clicks: ParsedDecision, _ clicksFields: DecisionFields?, _ opens: ParsedDecision,
        _ opensFields: DecisionFields?
    ) -> Bool {
        guard clicks.instant == opens.instant else { return false }
        guard let clicksFields, let opensFields else { return true }
        return clicksFields.message == opensFields.message && clicksFields.recipient == opensFields.recipient
            && clicksFields.purpose != opensFields.purpose
    }
}
