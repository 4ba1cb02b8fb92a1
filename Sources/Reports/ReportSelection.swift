package import Identifiers
package import Messages

/// Which messages a report of an organization is about: those that were made in a time, all or those with a tag.
package struct ReportSelection: Hashable, Sendable {
    /// The longest time that one report can be about.
    package static let longest = Duration.seconds(366 * 86_400)
    /// The time that a report is about unless told otherwise.
    package static let standard = Duration.seconds(30 * 86_400)

    /// Included.
    package let from: Timestamp
    /// Not included.
    package let to: Timestamp
    /// With this tag alone.
    package let tag: MessageTag?

    /// - Parameters:
    ///   - from: 30 days before `to` where it is missing, and not before the year 1.
    ///   - to: now where it is missing.
    package init(
        from: Timestamp?, to: Timestamp?, tag: MessageTag? = nil, now: Timestamp
    ) throws(ReportSelectionError) {
        self.tag = tag
        self.to = to ?? now
        self.from = from ?? max(self.to - Self.standard, .earliestWritable)
        guard self.from <= self.to else { throw .backwards }
        guard self.to <= self.from.advanced(by: Self.longest) else { throw .tooLong }
    }
}

package enum ReportSelectionError: Error, Hashable, CustomStringConvertible {
    case backwards
    case tooLong
    case tooManyMessages
    /// More blocks of recipients than one report reads: who is the same person in several messages is told from them.
    case tooManyPeople

    package var description: String {
        switch self {
        case .backwards: "must not be before from"
        case .tooLong: "must be at most 366 days after from"
        case .tooManyMessages: "more than 10,000 messages were made in this time; ask for a shorter one"
        case .tooManyPeople:
            """
            the messages of this time have too many people to tell which of them are the same; ask for a shorter time, \
            or with a tag that fewer messages have
            """
        }
    }

    /// What is wrong with `from` where there is no `to`, so that now stands in its place.
    package var descriptionOfFrom: String {
        switch self {
        case .backwards: "must not be later than now"
        case .tooLong: "must be at most 366 days ago"
        case .tooManyMessages, .tooManyPeople: description
        }
    }
}
