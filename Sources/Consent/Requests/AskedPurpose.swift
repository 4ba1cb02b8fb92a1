package import Identifiers

/// One purpose of a consent request, and how far its answer has come.
package struct AskedPurpose: Hashable, Sendable {
    /// Why the request takes no answer for the purpose any more.
    package enum Closing: String, Hashable, Sendable {
        /// The recipient was asked again, and has said nothing later than here.
        case newerRequest
        /// A record from elsewhere, or of another request, counts that is later than the request and than its answers.
        case laterAnswer
    }

    package let purpose: Purpose
    /// The button that was pressed last, on either page.
    package let pressed: ConsentAnswer?
    /// What the last consent record says that came of it.
    package let recorded: ConsentAnswer?
    package let record: ConsentRecordID?
    /// How many records came of it.
    package let recordCount: Int
    package let closing: Closing?

    package init(
        purpose: Purpose, pressed: ConsentAnswer? = nil, recorded: ConsentAnswer? = nil,
        record: ConsentRecordID? = nil, recordCount: Int = 0, closing: Closing? = nil
    ) {
        self.purpose = purpose
        self.pressed = pressed
        self.recorded = recorded
        self.record = record
        self.recordCount = recordCount
        self.closing = closing
    }

    /// Its yes is in force, but another request was made: a no ends it, and a yes belongs to the newer one.
    package var takesNoAlone: Bool { closing == .newerRequest && recorded == .given }

    /// A yes that does not count yet.
    package var awaitsConfirmation: Bool { pressed == .given && recorded != .given && closing == nil }
}
