import Consent
package import Identifiers
import Interactions
import Ledger

/// The scope of an export of an organization.
package struct AuditSelection: Sendable {
    package var recipient: RecipientID?
    let message: MessageID?
    /// Inclusive.
    let from: Timestamp?
    /// Exclusive.
    let to: Timestamp?

    package init(recipient: RecipientID?, message: MessageID?, from: Timestamp?, to: Timestamp?) {
        self.recipient = recipient
        self.message = message
        self.from = from
        self.to = to
    }

    var filters: AuditFilters { AuditFilters(recipient: recipient, message: message, from: from, to: to) }

    /// The names of the filters, without their values.
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

    /// Whether a time, written as in entries, lies within.
    func contains(_ instant: String) -> Bool {
        (from.map { $0.rfc3339 <= instant } ?? true) && (to.map { instant < $0.rfc3339 } ?? true)
    }
}
