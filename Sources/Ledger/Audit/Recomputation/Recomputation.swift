/// What came of recomputing every decision of a whole export from the entries before it.
package struct Recomputation: Equatable, Sendable {
    /// So many exceptions are kept, and the others counted.
    static let mostExceptions = 1000

    /// Which are what follows from the consent records and the enforcement before them.
    package internal(set) var recomputed: UInt64 = 0
    /// Which cannot be recomputed, because their private fields are gone: their recipient was erased, or they are kept
    /// no longer. Their enforcement and reason fit each other and the last enforcement that was entered.
    package internal(set) var closed: UInt64 = 0
    /// Which say that their recipient was erased. The ledger says that a recipient was, and never which.
    package internal(set) var aboutErased: UInt64 = 0
    /// Which rest on the message alone, whose tracking is off. The ledger has no messages; all decisions about this one
    /// say so.
    package internal(set) var untrackedMessages: UInt64 = 0
    /// Of the exceptions the first, in the order of the ledger.
    package private(set) var exceptions: [DecisionException] = []
    package private(set) var exceptionCount: UInt64 = 0

    mutating func add(_ exception: DecisionException) {
        exceptionCount += 1
        if exceptions.count < Self.mostExceptions { exceptions.append(exception) }
    }
}
