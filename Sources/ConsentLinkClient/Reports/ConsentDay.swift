/// What was recorded for a day, and the status of recipients at its end.
public struct ConsentDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    /// The number of records that count from this day on. The next four members count records in the same way.
    public let given: Int
    public let refused: Int
    public let withdrawn: Int
    public let revoked: Int
    public let invalidated: Int
    /// Consents in force that expired.
    public let expired: Int
    /// Recipients with records who were erased.
    public let erased: Int
    public let stock: ConsentStock
}
