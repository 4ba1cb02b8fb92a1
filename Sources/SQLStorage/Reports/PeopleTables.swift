import Identifiers

/// The tables that count recipients of messages by the decisions about one activity. Decisions about both activities
/// count for the clicks.
struct PeopleTables {
    /// How many recipients count under each reason.
    let counts: String
    /// The reason under which each recipient counts.
    let blocks: String

    init(_ activity: TrackedActivity) {
        switch activity {
        case .clicks: (counts, blocks) = ("people_counts", "message_people")
        case .opens: (counts, blocks) = ("opens_people_counts", "message_opens_people")
        }
    }
}
