import Consent
import Identifiers
import SQL

/// One purpose that a message asks consent for, inside the write that stores decisions about it.
struct DecidedPurpose {
    /// The activity of the decisions for the purpose; `nil` for clicks and opens together.
    let activity: TrackedActivity?
    let number: Int64
    let name: Purpose
    let review: DecisionReview
    var people: PeopleCounting

    /// The purposes of a message, in the order of the decisions about a recipient.
    static func all(
        of message: MessageID, _ owner: MessageOwner, in organization: OrganizationRow, asOf basis: SnapshotBasis,
        at now: Timestamp, _ db: any SQLConnection
    ) throws -> [DecidedPurpose] {
        let activities: [TrackedActivity?] = owner.purposes.areApart ? TrackedActivity.allCases : [nil]
        return try activities.map { activity in
            let number = owner.purposes[activity ?? .clicks]
            let name = try PurposeRow.name(of: number, db)
            return DecidedPurpose(
                activity: activity, number: number, name: name,
                review: try DecisionReview(organization, asOf: basis, purpose: number, named: name, at: now, db),
                people: try PeopleCounting(of: .init(message: message, activity: activity ?? .clicks), db))
        }
    }
}
