import Identifiers
import Messages
import Reports

/// The order of the list of messages.
struct CampaignSort: Equatable, Sendable {
    enum Key: String, CaseIterable, Sendable {
        case name
        case made
        case people
        case coverage
        case clicks

        /// The order after a first click on the heading of the column.
        var usual: ConsoleTable.Sort.Order { self == .name ? .ascending : .descending }

        /// Whether the order needs the numbers of all messages.
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

    /// The order that the heading of a column leads to.
    func next(by key: Key) -> CampaignSort {
        guard key == self.key else { return CampaignSort(key: key, order: key.usual) }
        return CampaignSort(key: key, order: order == .ascending ? .descending : .ascending)
    }

    /// Messages without a known number come last in every order; equal ones stay newest first.
    func sorted(_ rows: [CampaignRow]) -> [CampaignRow] {
        let places = rows.enumerated().sorted { one, other in
            let isBefore: Bool?
            switch key {
            case .name:
                isBefore = before(one.element.message.name.lowercased(), other.element.message.name.lowercased())
            case .made:
                // Several may be of one millisecond; their ids tell which came first.
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

    /// - Returns: `nil` if they are equal.
    private func before<Value: Comparable>(_ one: Value?, _ other: Value?) -> Bool? {
        switch (one, other) {
        case (let one?, let other?): one == other ? nil : order == .ascending ? one < other : one > other
        case (nil, nil): nil
        case (nil, _): false
        case (_, nil): true
        }
    }
}

/// A message of the list, with its numbers if they were read.
struct CampaignRow: Sendable {
    let message: MessageSummary
    var figures: PeopleFigures?

    var coverage: Double? { figures?.coverage(of: .clicks).estimate?.value }
    var clickRate: Double? { figures?.clickRate.estimate?.value }
}
