import Consent
package import Identifiers
import Interactions
import Ledger

/// What of an organization an export is asked for.
package struct AuditSelection: Sendable {
    package var recipient: RecipientID?
    let message: MessageID?
    /// Included.
    let from: Timestamp?
    /// Not included.
    let to: Timestamp?

    package init(recipient: RecipientID?, message: MessageID?, from: Timestamp?, to: Timestamp?) {
        self.recipient = recipient
        self.message = message
        self.from = from
        self.to = to
    }

    var filters: AuditFilters { AuditFilters(recipient: recipient, message: message, from: from, to: to) }

    /// Which filters there are, and nothing of what they say.
    package var filterNames: [String] {
        let all = [
            ("recipient", recipient != nil), ("message", message != nil), ("from", from != nil), ("to", to != nil),
        ]
        return all.filter(\.1).map(\.0)
    }

    func decisions(after last: DecisionID?) -> DecisionQuery {
        DecisionQuery(recipient: recipient, message: message, from: from, to: to, after: last)
    }

    func accesses(before last: AccessID?) -> AccessQuery {
        AccessQuery(recipient: recipient, from: from, to: to, before: last)
    }

    func interactions(after last: InteractionPosition?) -> InteractionQuery {
        InteractionQuery(
            recipient: recipient, message: message, from: from, to: to, after: last.map { .position($0) })
    }

    /// Whether a moment lies within, written as entries write theirs.
    func contains(_ instant: String) -> Bool {
        (from.map { $0.rfc3339 <= instant } ?? true) && (to.map { instant < $0.rfc3339 } ?? true)
    }
}
