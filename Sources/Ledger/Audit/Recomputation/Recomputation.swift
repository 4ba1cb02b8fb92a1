/// The result of judging every decision of a whole export again, from the entries before it.
package struct Recomputation: Equatable, Sendable {
    /// So many exceptions are stored; further ones are only counted.
    static let maximumExceptionCount = 1000

    /// Decisions that follow from the consent records and the enforcement before them.
    package internal(set) var recomputed: UInt64 = 0
    /// Decisions that cannot be judged again, because their private fields are gone: their recipient was erased, or
    /// their retention has ended. Their enforcement and reason fit each other and the last entered enforcement.
    package internal(set) var closed: UInt64 = 0
    /// Decisions whose reason is an earlier erasure. The ledger says that a recipient was erased, but never which.
    package internal(set) var aboutErased: UInt64 = 0
    /// Decisions whose reason is that tracking is off in the message. The ledger has no messages; all decisions about
    /// such a message have this reason.
    package internal(set) var untrackedMessages: UInt64 = 0
    /// The number of e-mail addresses that are in several spellings. Each spelling was judged as a recipient of its own,
    /// because the ledger does not say how the organization compares recipients.
    package private(set) var respelledCount: UInt64 = 0
    /// The first entries with another spelling than an earlier one, one for each address.
    package private(set) var respelled: [UInt64] = []
    /// The first exceptions, in the order of the ledger.
    package private(set) var exceptions: [DecisionException] = []
    package private(set) var exceptionCount: UInt64 = 0

    mutating func addRespelled(_ entry: UInt64) {
        respelledCount += 1
        if respelled.count < Self.maximumExceptionCount { respelled.append(entry) }
    }

    mutating func add(_ exception: DecisionException) {
        exceptionCount += 1
        if exceptions.count < Self.maximumExceptionCount { exceptions.append(exception) }
    }
}
