package import Consent
package import Identifiers
package import Interactions

/// The stored consent counts of an organization, at one moment. They are numbers only and name no recipient.
///
/// Counts of several purposes add up: a recipient counts once for each purpose.
package struct ConsentCounts: Hashable, Sendable {
    package struct Day: Hashable, Sendable {
        package let day: CalendarDay
        /// Records that count from this day on. A record that arrives late changes an earlier day.
        package var records: [ConsentState: Int] = [:]
        /// Consents in force that ended on this day. For a future day: those that will end if no further record
        /// arrives.
        package var expired = 0
        /// Recipients with records who were erased.
        package var erased = 0
        /// The number of recipients with each status at the end of the day.
        package var stock: [CountedStatus: Int] = [:]

        package init(_ day: CalendarDay) { self.day = day }
    }

    /// A word of evidence, and the number of records of given consents in the time of the report that have it.
    package struct Word<Value: Hashable & Sendable>: Hashable, Sendable {
        package let value: Value
        package let given: Int

        package init(value: Value, given: Int) {
            self.value = value
            self.given = given
        }
    }

    /// The words that enough records and enough recipients have, most frequent first. Rarer words are only counted in
    /// `others`: evidence is free text, and a text that only one recipient has could be about them, however many
    /// records repeat it.
    package struct Words<Value: Hashable & Sendable>: Hashable, Sendable {
        package let words: [Word<Value>]
        /// Records with other words.
        package let others: Int

        package init(_ words: [Word<Value>] = [], others: Int = 0) {
            self.words = words
            self.others = others
        }
    }

    package struct Notice: Hashable, Sendable {
        package let id: String?
        package let version: String?

        package init(id: String?, version: String?) {
            self.id = id
            self.version = version
        }
    }

    /// A word is shown if at least this many records of the time have it, and at least this many recipients who are not
    /// erased.
    package static let minimumShownCount = 10

    /// The purposes with counts, in order.
    package var purposes: [Purpose] = []
    package var days: [Day] = []
    /// The number of consents in force that end within a number of days after the day of the report.
    package var ending: [Int64: Int] = [:]
    /// Records of given consents in the time of the report.
    package var evidence: [CountedEvidence: Int] = [:]
    package var methods = Words<String>()
    package var notices = Words<Notice>()

    package init() {}
}
