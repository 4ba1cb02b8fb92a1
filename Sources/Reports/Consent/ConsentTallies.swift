package import Consent
package import Identifiers
package import Interactions

/// A counter of consents by day.
package enum ConsentCounter: Hashable, Sendable {
    /// Records of a state, on the day from which they count.
    case records(ConsentState)
    /// The growth of the number of recipients with a status. The sum of all days up to a day is the stock at its end;
    /// the ends of consents in force are noted on future days.
    case stock(CountedStatus)
    /// Consents in force that end on the day, past or future.
    case expired
    /// Recipients with records who were erased.
    case erased
    /// Records of given consents by their evidence.
    case evidence(CountedEvidence)
}

/// Changes of the consent counts for one purpose, each on its day.
///
/// A record that arrives late changes the consent in force from its time to the time of the next record. The change by
/// one more record follows from three records: itself, the record in force at its beginning, and the next one.
package struct ConsentTallies: Hashable, Sendable {
    package struct Key: Hashable, Sendable {
        package let counter: ConsentCounter
        package let day: CalendarDay

        package init(counter: ConsentCounter, day: CalendarDay) {
            self.counter = counter
            self.day = day
        }
    }

    package private(set) var counts: [Key: Int] = [:]

    package init() {}

    /// Adds a record that is stored.
    package mutating func addRecord(_ state: ConsentState, at occurredAt: Timestamp, _ evidence: ConsentEvidence?) {
        add(1, .records(state), at: occurredAt)
        if state == .given { add(1, .evidence(CountedEvidence(evidence)), at: occurredAt) }
    }

    /// Adds the consent in force of one recipient and one purpose, from the first of `records` on without end.
    /// - Parameters:
    ///   - records: in any order.
    ///   - sign: -1 to subtract it.
    package mutating func addTimeline(of records: [ConsentInForce], sign: Int = 1) {
        let order = records.sorted { one, other in
            one.occurredAt == other.occurredAt ? other.outranks(one) : one.occurredAt < other.occurredAt
        }
        for (place, record) in order.enumerated() {
            let end = place + 1 < order.count ? order[place + 1].occurredAt : nil
            if end != record.occurredAt { add(record, until: end, sign) }
        }
    }

    /// Changes the timelines of recipients because the records `new` are stored.
    /// - Parameter neighbours: for each of the new records the one in force at its beginning, and the next one.
    package mutating func add(_ new: [ConsentInForce], between neighbours: Set<ConsentInForce>) {
        addTimeline(of: Array(neighbours), sign: -1)
        addTimeline(of: Array(neighbours) + new)
    }

    /// Adds the erasure of a recipient whose last record is `record`: from now on they count under no status.
    package mutating func addErasure(of record: ConsentInForce, at now: Timestamp) {
        let end = max(now, record.occurredAt)
        add(record, until: nil, -1)
        add(record, until: end, 1)
        add(1, .erased, at: end)
    }

    private mutating func add(_ record: ConsentInForce, until end: Timestamp?, _ sign: Int) {
        let start = record.occurredAt
        let expiry = record.state == .given ? record.validUntil.map { max($0, start) } : nil
        guard let expiry, end.map({ expiry < $0 }) ?? true else {
            return addStock(CountedStatus(record.state), from: start, to: end, sign)
        }
        addStock(.given, from: start, to: expiry, sign)
        addStock(.expired, from: expiry, to: end, sign)
        add(sign, .expired, at: expiry)
    }

    private mutating func addStock(_ status: CountedStatus, from start: Timestamp, to end: Timestamp?, _ sign: Int) {
        add(sign, .stock(status), at: start)
        if let end { add(-sign, .stock(status), at: end) }
    }

    private mutating func add(_ count: Int, _ counter: ConsentCounter, at instant: Timestamp) {
        let place = Key(counter: counter, day: CalendarDay(instant))
        let sum = counts[place, default: 0] + count
        counts[place] = sum == 0 ? nil : sum
    }
}
