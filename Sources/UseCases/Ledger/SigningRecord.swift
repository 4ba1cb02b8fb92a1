import Identifiers
import Ledger
import Organizations

/// What became of the attempts to sign: what is left to be tried again, what operators are told, and why nothing is
/// signed any more.
struct SigningRecord: Sendable {
    /// What an operator is told once, when it begins.
    enum Notice: Equatable {
        /// Checkpoints cannot be written; trying again may help.
        case cannotWrite(CheckpointArchiveFailure)
        /// Nothing more is signed until a restart.
        case hasStopped(CheckpointArchiveFailure)
    }

    /// Why nothing is signed until a restart.
    private(set) var failure: CheckpointArchiveFailure?
    /// Why nothing could be signed the last time, where trying again may help.
    private(set) var shortage: CheckpointArchiveFailure?
    private(set) var signedCount: UInt64 = 0
    private(set) var failedCount: UInt64 = 0
    /// Checkpoints that should have been in the archive at the start.
    private(set) var missingCount: UInt64 = 0
    /// Entries that were signed at the start, because the process before had not signed them.
    private(set) var lateCount: UInt64 = 0
    private(set) var lag = SigningLag()
    /// What grew and could not be signed, for want of room or of file descriptors.
    private(set) var unsigned: Set<OrganizationID> = []

    mutating func isMissing() { missingCount += 1 }

    mutating func areLate(_ entries: UInt64) { lateCount += entries }

    /// - Returns: the ledgers to be signed now: those that grew, and what is left from before.
    mutating func grew(_ grown: Set<OrganizationID>, at instant: ContinuousClock.Instant) -> Set<OrganizationID> {
        let all = grown.union(unsigned)
        for organization in all { lag.begin(organization, at: instant) }
        unsigned = []
        return all
    }

    /// A checkpoint covers the whole ledger.
    ///
    /// - Parameter isNew: whether it was signed for that.
    mutating func covered(_ organization: OrganizationID, isNew: Bool) {
        lag.end(organization)
        guard isNew else { return }
        signedCount += 1
        shortage = nil
    }

    /// An attempt to sign failed.
    mutating func failed(_ error: any Error) -> Notice? {
        failedCount += 1
        guard let error = error as? CheckpointArchiveFailure else { return nil }
        if error.isTransient {
            defer { shortage = error }
            return shortage == nil ? .cannotWrite(error) : nil
        }
        defer { failure = error }
        return failure == nil ? .hasStopped(error) : nil
    }

    /// All that grew was tried.
    ///
    /// - Returns: whether nothing is left to be tried again.
    mutating func wereTried() -> Bool {
        // A ledger that is unchanged is not written, so that alone does not show that there is room again.
        if unsigned.isEmpty { shortage = nil }
        return unsigned.isEmpty
    }

    /// What grew was not signed.
    ///
    /// It is not tried again where only an operator can help: a client that asks for the checkpoint gets the reason, and
    /// readiness tells the operator.
    mutating func isLeft(_ organization: OrganizationID, becauseOf error: any Error) {
        switch error {
        case is LedgerInconsistency, is RequestRefusal: break
        case let error as any StoreFailure where !error.isTransient: break
        default: unsigned.insert(organization)
        }
    }
}
