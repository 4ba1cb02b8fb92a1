/// How many consents in force end on the days after that of the report.
public struct EndingConsents: Sendable, Hashable, Decodable {
    public let within30Days: Int
    public let within60Days: Int
    public let within90Days: Int
}
