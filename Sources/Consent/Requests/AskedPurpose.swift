package import Identifiers

/// One purpose of a consent request, with the state of its answer.
package struct AskedPurpose: Hashable, Sendable {
    /// Why the request no longer takes an answer for the purpose.
    package enum Closing: String, Hashable, Sendable {
        /// The recipient was asked again, and has not answered later than here.
        case newerRequest
        /// A record from elsewhere, or from another request, is later than the request and its answers.
        case laterAnswer
    }

    package let purpose: Purpose
    /// The last answer on either page.
    let lastAnswer: ConsentAnswer?
    /// The answer in the last consent record of the request.
    package let recorded: ConsentAnswer?
    package let record: ConsentRecordID?
    /// The number of records of the request for this purpose.
    let recordCount: Int
    package let closing: Closing?

    package init(
        purpose: Purpose, lastAnswer: ConsentAnswer? = nil, recorded: ConsentAnswer? = nil,
        record: ConsentRecordID? = nil, recordCount: Int = 0, closing: Closing? = nil
    ) {
        self.purpose = purpose
        self.lastAnswer = lastAnswer
        self.recorded = recorded
        self.record = record
        self.recordCount = recordCount
        self.closing = closing
    }

    /// Its yes is in force, but a newer request was made: a no still ends it, but a yes belongs to the newer request.
    package var acceptsOnlyRefusal: Bool { closing == .newerRequest && recorded == .given }

    /// Whether it has a yes that does not count yet.
    package var awaitsConfirmation: Bool { lastAnswer == .given && recorded != .given && closing == nil }

    /// Whether `answer` is a no that is recorded once more, after an earlier one of this request.
    func acceptsRepeatedRefusal(_ answer: ConsentAnswer, at now: Timestamp) -> Bool {
        guard answer == .refused, recordCount < RepeatedRefusal.maximumCount, let record else { return false }
        return RepeatedRefusal.isLater(now, than: record.number.timestamp)
    }
}
