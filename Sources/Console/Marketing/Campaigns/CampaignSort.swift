import Identifiers
import Messages
import Reports

/// By what the list of messages is sorted.
struct CampaignSort: Equatable, Sendable {
    enum Key: String, CaseIterable, Sendable {
        case name
        case made
        case people
        case coverage
        case clicks

        /// The order of a first click on the heading of the column.
        var usual: ConsoleTable.Sort.Order { self == .name ? .ascending : .descending }

        /// Whether it is known only when the numbers of all messages are.
        var needsFigures: Bool {
            switch self {
            case .name, .made: false
            case .people, .coverage, .clicks: true
            }
        }
    }

    let key: Key
    let order: ConsoleTable.Sort.Order

    static let newestFirst = CampaignSort(key: .made, order: .descending)

    /// Where the heading of a column leads to.
    func next(by key: Key) -> CampaignSort {
        guard key == self.key else { return CampaignSort(key: key, order: key.usual) }
        return CampaignSort(key: key, order: order == .ascending ? .descending : .ascending)
    }

    /// Those of which the number is not known come last in every order; equals stay newest first.
    func sorted(_ rows: [CampaignRow]) -> [CampaignRow] {
        let places = rows.enumerated().sorted { one, other in
            let isBefore: Bool?
            switch key {
            case .name:
                isBefore = before(one.element.message.name.lowercased(), other.element.message.name.lowercased())
            case .made:
                // Of one millisecond there may be several, whose ids say which came first.
                isBefore =
                    before(one.element.message.createdAt, other.element.message.createdAt)
                    ?? before(one.element.message.id, other.element.message.id)
            case .people: isBefore = before(one.element.figures?.composed, other.element.figures?.composed)
            case .coverage: isBefore = before(one.element.coverage, other.element.coverage)
            case .clicks: isBefore = before(one.element.clickRate, other.element.clickRate)
            }
            return isBefore ?? (one.offset < other.offset)
        }
        return places.map(\.element)
    }

    /// - Returns: `nil` for equals.
    private func before<Value: Comparable>(_ one: Value?, _ other: Value?) -> Bool? {
        switch (one, other) {
        case (let one?, let other?): one == other ? nil : order == .ascending ? one < other : one > other
        case (nil, nil): nil
        case (nil, _): false
        case (_, nil): true
        }
    }
}

/// A message of the list, with its numbers where they were read.
struct CampaignRow: Sendable {
    let message: MessageSummary
    var figures: PeopleFigures?

    var coverage: Double? { figures?.coverage(of: .clicks).estimate?.value }
    var clickRate: Double? { figures?.clickRate.estimate?.value }
}
