public import Foundation

/// The consents of an organization's recipients, day by day. It has only numbers and names no recipient.
///
/// If there are several purposes, counts add up: a recipient counts once for each purpose.
public struct ConsentReport: Sendable, Hashable, Decodable {
    /// Included.
    public let from: Date
    /// Not included.
    public let to: Date
    /// `nil` for all purposes.
    public let purpose: String?
    /// The purposes that have records, in order.
    public let purposes: [String]
    /// Each day (UTC) that the period touches, in order.
    public let days: [ConsentDay]
    public let ending: EndingConsents
    /// Records of given consents in the period, by their evidence.
    public let evidence: EvidenceCounts
    /// Methods of at least ten records of given consents in the period, most frequent first.
    public let methods: [MethodCount]
    /// Records with other methods.
    public let otherMethods: Int
    /// Notices of at least ten records of given consents in the period, most frequent first.
    public let notices: [NoticeCount]
    /// Records with other notices.
    public let otherNotices: Int
}

/// What was recorded for a day, and the status of recipients at its end.
public struct ConsentDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    /// Records that count from this day on; so do the next four.
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

/// How many recipients had which status.
public struct ConsentStock: Sendable, Hashable, Decodable {
    /// With consent in force.
    public let given: Int
    public let refused: Int
    public let withdrawn: Int
    public let revoked: Int
    public let invalidated: Int
    /// With a given consent that is past its end.
    public let expired: Int
}

/// How many consents in force end on the days after that of the report.
public struct EndingConsents: Sendable, Hashable, Decodable {
    public let within30Days: Int
    public let within60Days: Int
    public let within90Days: Int
}

/// How many records have which evidence.
public struct EvidenceCounts: Sendable, Hashable, Decodable {
    public let methodAndNotice: Int
    public let methodOnly: Int
    public let noticeOnly: Int
    /// Other evidence, without method and notice.
    public let other: Int
    public let none: Int
}

/// How many records have a method.
public struct MethodCount: Sendable, Hashable, Decodable {
    public let method: String
    public let given: Int
}

/// How many records have a version of a notice.
public struct NoticeCount: Sendable, Hashable, Decodable {
    public let id: String?
    public let version: String?
    public let given: Int
}
