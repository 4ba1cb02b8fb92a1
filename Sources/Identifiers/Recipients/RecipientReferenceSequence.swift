/// Makes the references of recipients who are entered one after the other. The references of a run begin with the same
/// random bits; all other bits are each reference's own.
///
/// The storage has an index of references. A reference that has nothing in common with those before belongs into
/// another page of that index, which is read, written to the log and written back for this one recipient. The
/// references of a run belong into one or two pages.
package struct RecipientReferenceSequence: Sendable {
    /// The number of leading bits that the references of a run share: with ten million recipients the index has about
    /// as many pages as these bits have values.
    package static let sharedBits = 16
    /// The number of references of a run: about those of one page of the index.
    package static let runLength = 256

    private static let ownMask = UInt64.max >> UInt64(sharedBits)

    /// The shared bits, at their place.
    private var shared: UInt64 = 0
    /// How many references of the present run are not made yet.
    private var left = 0

    package init() {}

    /// The next reference. It may have been made before, as one of 2⁴⁸ of the run.
    /// - Parameter generator: must be cryptographically secure.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> RecipientReference {
        if left == 0 {
            shared = RecipientReference(using: &generator).rawValue & ~Self.ownMask
            left = Self.runLength
        }
        left -= 1
        while true {
            let own = RecipientReference(using: &generator).rawValue & Self.ownMask
            if let reference = RecipientReference(rawValue: shared | own) { return reference }
        }
    }
}
