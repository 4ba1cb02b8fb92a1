import Consent
import Identifiers
import JSON

extension JSONWriter {
    /// The members about decisions that every answer about a recipient has: `decision`, and `ended` if the recipient's
    /// tracking has ended since. If clicks and opens were decided separately, `decision` is the one about clicks, and
    /// `decisions` has both.
    mutating func decisions(_ decisions: RecipientDecisions, ended: PerActivity<DecisionReason?>) {
        key("decision")
        object { $0.members(decisions[.clicks].id, decisions[.clicks].reason) }
        if let ended = ended[.clicks] { member("ended", ended.rawValue) }
        guard decisions.areApart else { return }
        apart { writer, activity in
            writer.members(decisions[activity].id, decisions[activity].reason)
            if let ended = ended[activity] { writer.member("ended", ended.rawValue) }
        }
    }

    /// Writes the decisions that would be made now.
    mutating func decisions(wouldBe reasons: PerActivity<DecisionReason>) {
        key("decision")
        object { $0.members(nil, reasons[.clicks]) }
        guard reasons.areApart else { return }
        apart { writer, activity in writer.members(nil, reasons[activity]) }
    }

    private mutating func apart(_ write: (inout JSONWriter, TrackedActivity) -> Void) {
        key("decisions")
        object { writer in
            for activity in TrackedActivity.allCases {
                writer.key(activity.rawValue)
                writer.object { write(&$0, activity) }
            }
        }
    }

    private mutating func members(_ id: DecisionID?, _ reason: DecisionReason) {
        member("id", id?.description)
        member("outcome", reason.outcome.rawValue)
        member("reason", reason.rawValue)
    }
}
