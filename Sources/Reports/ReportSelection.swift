package import Identifiers
package import Messages

/// The messages of a report: those of an organization that were made in a time, either all or those with a tag.
package struct ReportSelection: Hashable, Sendable {
    /// The longest time of a report, in days.
    package static let mostDays = 366
    /// The default time of a report.
    static let standard = Duration.days(30)

    /// Inclusive.
    package let from: Timestamp
    /// Exclusive.
    package let to: Timestamp
    /// Selects only messages with this tag.
    package let tag: MessageTag?

    /// - Parameters:
    ///   - from: the default is 30 days before `to`, but not before the year 1.
    ///   - to: the default is now.
    package init(
        from: Timestamp?, to: Timestamp?, tag: MessageTag? = nil, now: Timestamp
    ) throws(ReportSelectionError) {
        self.tag = tag
        self.to = to ?? now
        self.from = from ?? max(self.to - Self.standard, .earliestWritable)
        guard self.from <= self.to else { throw .backwards }
        guard self.to <= self.from.advanced(byDays: Self.mostDays) else { throw .tooLong }
    }
}

/// Why there is no report for the requested time. The description follows the name of a query member, or stands alone.
package enum ReportSelectionError: Error, Hashable, CustomStringConvertible {
    case backwards
    case tooLong
    case tooManyMessages
    /// There are more blocks of recipients than one report reads to find recipients who are in several messages.
    case tooManyPeople

    package var description: String {
        switch self {
        case .backwards: "must not be before from"
        case .tooLong: "must be at most \(ReportSelection.mostDays) days after from"
        case .tooManyMessages: "more than 10,000 messages were made in this time; ask for a shorter one"
        case .tooManyPeople:
            """
            the messages of this time have too many people to tell which of them are the same; ask for a shorter time, \
            or with a tag that fewer messages have
            """
        }
    }

    /// The fault of `from` if `to` is missing, so that now is used for it.
    package var descriptionOfFrom: String {
        switch self {
        case .backwards: "must not be later than now"
        case .tooLong: "must be at most \(ReportSelection.mostDays) days ago"
        case .tooManyMessages, .tooManyPeople: description
        }
    }
}
