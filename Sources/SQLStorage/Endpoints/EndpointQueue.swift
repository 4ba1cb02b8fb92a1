import Consent
import Identifiers
import Interactions
import SQL
import Webhooks

/// Finds the next event of an endpoint: the earliest of the consent feed, of `endpoint_events` and of interactions. It
/// reads what is there behind the endpoint's places; there is no stored queue.
struct EndpointQueue {
    /// The greatest number of pages of `endpoint_events` without a wanted one in one request. The search continues in
    /// the next request.
    private static let pages = 16
    /// The least time between two events about interactions.
    private static let minimumPause = Duration.seconds(1)

    struct Found {
        var event: WebhookEvent?
        /// No item of the consent feed up to here is wanted.
        var position: ConsentFeedPosition?
        /// No row of `endpoint_events` up to here is wanted.
        var passedEvent: Int64
        /// The time from which on an event that must still wait may be sent.
        var later: Timestamp?
    }

    let organization: Int64
    let now: Timestamp
    let db: any SQLConnection

    func next(_ row: EndpointRow) throws -> Found {
        var found = Found(event: nil, position: row.endpoint.position, passedEvent: row.event, later: nil)
        let consent = try consentEvent(row, &found.position)
        let other = try otherEvent(row, &found.passedEvent)
        let interactions = try interactionEvent(row, &found.later)
        found.event = [consent, other, interactions].compactMap(\.self).min { $0.instant < $1.instant }
        return found
    }

    /// The time of the oldest event behind the places of an endpoint; `nil` if nothing is there that may be sent now.
    /// An event about interactions names the last one, and has waited since the first.
    func waitingSince(_ row: EndpointRow) throws -> Timestamp? {
        guard let event = try next(row).event else { return nil }
        return min(event.instant, try firstInteraction(behind: row) ?? event.instant)
    }

    private func consentEvent(_ row: EndpointRow, _ position: inout ConsentFeedPosition?) throws -> WebhookEvent? {
        let wanted = row.endpoint.kinds
        guard !wanted.isDisjoint(with: [.consentRecorded, .recipientErased]) else { return nil }
        let feed = ConsentFeedReading(organization: organization, db)
        let ahead = try feed.next(
            after: position, records: wanted.contains(.consentRecorded), erasures: wanted.contains(.recipientErased))
        guard let ahead else {
            // The database was restored to an earlier state.
            position = try feed.end()
            return nil
        }
        position = ahead.passed
        return ahead.item.map { WebhookEvent(.consent($0), at: $0.instant) }
    }

    private func otherEvent(_ row: EndpointRow, _ passed: inout Int64) throws -> WebhookEvent? {
        for _ in 0..<Self.pages {
            let ahead = try EndpointEventRow.next(after: passed, for: row.endpoint, of: organization, db)
            guard ahead.event == nil, let last = ahead.passed else { return ahead.event }
            passed = last
        }
        return nil
    }

    private func interactionEvent(_ row: EndpointRow, _ later: inout Timestamp?) throws -> WebhookEvent? {
        guard row.endpoint.kinds.contains(.interactionsAvailable),
            let last = try Self.lastInteraction(of: organization, db), Int64(last.rawValue) > row.interaction
        else { return nil }
        let soonest = row.notifiedAt.advanced(by: Self.minimumPause)
        guard soonest <= now else {
            later = soonest
            return nil
        }
        return WebhookEvent(.interactionsAvailable(last: last), at: last.number.timestamp)
    }

    /// The time of the first interaction that an endpoint was not told of. Looks at one row for each kind.
    private func firstInteraction(behind row: EndpointRow) throws -> Timestamp? {
        guard row.endpoint.kinds.contains(.interactionsAvailable) else { return nil }
        let least = try InteractionPositions.least(behind: row.interaction, of: organization, db).min()
        return least.flatMap { InteractionPosition(rawValue: UInt64(bitPattern: $0)) }?.number.timestamp
    }

    /// The greatest position of an interaction of the organization. A position that no node makes is skipped: an
    /// endpoint that was told of it would never be told of another one.
    static func lastInteraction(of organization: Int64, _ db: any SQLConnection) throws -> InteractionPosition? {
        let last = Int64(TimeOrderedNumber.endOfMade) - 1
        return try InteractionPositions.greatest(through: last, of: organization, db).max().flatMap {
            InteractionPosition(rawValue: UInt64(bitPattern: $0))
        }
    }
}
