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
