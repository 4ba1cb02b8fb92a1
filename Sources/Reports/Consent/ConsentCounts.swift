package import Consent
package import Identifiers
package import Interactions

/// What is kept about the consents of an organization, as of one moment. Numbers alone: they name no recipient.
///
/// Of several purposes counts add up: a recipient counts once for each purpose.
package struct ConsentCounts: Hashable, Sendable {
    package struct Day: Hashable, Sendable {
        package let day: CalendarDay
        /// Records that count from this day on. One that arrives later changes an earlier day.
        package var records: [ConsentState: Int] = [:]
        /// Consents in force whose end came on this day. On a day to come: as it will be, unless something is recorded.
        package var expired = 0
        /// Recipients with records who were erased.
        package var erased = 0
        /// How many recipients had which status at the end of the day.
        package var stock: [CountedStatus: Int] = [:]

        package init(_ day: CalendarDay) { self.day = day }
    }

    /// A word of evidence, and how many records of given consents in the time of the report have it.
    package struct Word<Value: Hashable & Sendable>: Hashable, Sendable {
        package let value: Value
        package let given: Int

        package init(value: Value, given: Int) {
            self.value = value
            self.given = given
        }
    }

    /// The words that enough records and enough recipients have, most frequent first. What few have is in `others` alone:
    /// evidence is free text, and a text that one recipient has could be about them, however many records repeat it.
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

    /// A word is told when so many records of the time have it, and so many recipients at all who are not erased.
    package static let leastToTell = 10

    /// Those that anything was counted of, in order.
    package var purposes: [Purpose] = []
    package var days: [Day] = []
    /// How many consents in force end within a number of days after the day of the report.
    package var ending: [Int64: Int] = [:]
    /// Records of given consents in the time of the report.
    package var evidence: [CountedEvidence: Int] = [:]
    package var methods = Words<String>()
    package var notices = Words<Notice>()

    package init() {}
}
