import Identifiers

/// Where the people of messages are counted by their decisions about one activity. Those about both activities count for
/// the clicks.
struct PeopleTables {
    /// How many count under each reason.
    let counts: String
    /// Under which reason each of them counts.
    let blocks: String

    init(_ activity: TrackedActivity) {
        switch activity {
        case .clicks: (counts, blocks) = ("people_counts", "message_people")
        case .opens: (counts, blocks) = ("opens_people_counts", "message_opens_people")
        }
    }
}
