import Identifiers

extension ConsoleCall {
    /// A member of the query, converted by `make`; `nil` if it is missing.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    func queryValue<Value, Failure: Error>(_ name: String, _ make: (String) throws(Failure) -> Value) throws -> Value? {
        guard let text = query(name) else { return nil }
        do throws(Failure) { return try make(text) } catch {
            throw ConsoleRefusal.unfit(field: name, .malformed)
        }
    }

    /// An id in the query.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    func queryID<ID: EntityID>(_ name: String, as _: ID.Type = ID.self) throws -> ID? {
        try queryValue(name) { text throws(IdentifierError) in try ID(text) }
    }

    /// The members of these names that the query has, for an address.
    func queryMembers(_ names: [String]) -> [(String, String)] {
        names.compactMap { name in query(name).map { (name, $0) } }
    }

    /// The beginning of a day (UTC), as `2026-11-25`.
    func queryDay(_ name: String) throws -> Timestamp? {
        try queryValue(name) { text throws(IdentifierError) in try Timestamp(rfc3339: text + "T00:00:00Z") }
    }

    /// The beginnings of the days (UTC) that the members `from` and `to` of the query name.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``, also for an end before the beginning: a list would be empty, as if
    ///   there were nothing.
    func queryDays() throws -> (from: Timestamp?, to: Timestamp?) {
        let (from, to) = (try queryDay("from"), try queryDay("to"))
        if let from, let to, to < from { throw ConsoleRefusal.unfit(field: "to", .beforeBeginning) }
        return (from, to)
    }

    /// The day (UTC) that a member of the query names.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    func queryDayRange(_ name: String) throws -> Range<Timestamp>? {
        try queryDay(name).map { $0..<$0.advanced(byDays: 1) }
    }

    /// One of the cases of `Choice`, by its raw value.
    func queryChoice<Choice: RawRepresentable>(_ name: String, as _: Choice.Type = Choice.self) throws -> Choice?
    where Choice.RawValue == String {
        guard let text = query(name) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw ConsoleRefusal.unfit(field: name, .unknown) }
        return choice
    }
}
