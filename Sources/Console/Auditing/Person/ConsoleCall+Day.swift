import Identifiers

extension ConsoleCall {
    private static var millisecondsPerDay: Int64 { 86_400_000 }

    /// The day (UTC) that a member of the query names.
    /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
    func queryDayRange(_ name: String) throws -> Range<Timestamp>? {
        try queryDay(name).map { $0..<$0.advanced(byMilliseconds: Self.millisecondsPerDay) }
    }
}
