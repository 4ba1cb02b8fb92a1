import Identifiers
import Ledger
import Logging
import StoragePorts

/// The results of the attempts to sign: what must be tried again, what operators must be told, and why nothing is
/// signed any more.
struct SigningRecord: Sendable {
    /// A message for operators, given once when the problem begins.
    enum Notice: Equatable {
        /// Checkpoints cannot be written; trying again may help.
        case cannotWrite(CheckpointArchiveFailure)
        /// Nothing more is signed until a restart.
        case hasStopped(CheckpointArchiveFailure)
    }

    /// Why nothing is signed until a restart.
    private(set) var failure: CheckpointArchiveFailure?
    /// Why the last attempt to sign failed, if trying again may help.
    private(set) var shortage: CheckpointArchiveFailure?
    private(set) var signedCount: UInt64 = 0
    private(set) var failedCount: UInt64 = 0
    /// The number of checkpoints that were missing in the archive at the start.
    private(set) var missingCount: UInt64 = 0
    /// The number of entries that were signed at the start, because the last process had not signed them.
    private(set) var lateCount: UInt64 = 0
    private(set) var lag = SigningLag()
    /// Ledgers that could not be signed, for lack of space or of file descriptors.
    private(set) var unsigned: Set<OrganizationID> = []

    mutating func countMissing() { missingCount += 1 }

    mutating func countLate(_ entries: UInt64) { lateCount += entries }

    /// - Returns: the ledgers to sign now: those that grew, and those that are left from before.
    mutating func recordGrowth(of grown: Set<OrganizationID>, at instant: ContinuousClock.Instant) -> Set<
        OrganizationID
    > {
        let all = grown.union(unsigned)
        for organization in all { lag.begin(organization, at: instant) }
        unsigned = []
        return all
    }

    /// Notes that a checkpoint covers the whole ledger.
    ///
    /// - Parameter isNew: whether the checkpoint was signed just now.
    mutating func recordCovered(_ organization: OrganizationID, isNew: Bool) {
        lag.end(organization)
        guard isNew else { return }
        signedCount += 1
        shortage = nil
    }

    /// Notes that an attempt to sign failed.
    mutating func recordFailure(_ error: any Error) -> Notice? {
        failedCount += 1
        guard let error = error as? CheckpointArchiveFailure else { return nil }
        if error.isTransient {
            defer { shortage = error }
            return shortage == nil ? .cannotWrite(error) : nil
        }
        defer { failure = error }
        return failure == nil ? .hasStopped(error) : nil
    }

    /// Notes that all ledgers that grew were tried.
    ///
    /// - Returns: whether nothing must be tried again.
    mutating func finishRound() -> Bool {
        // An unchanged ledger is not written, so its success alone does not show that there is space again.
        if unsigned.isEmpty { shortage = nil }
        return unsigned.isEmpty
    }

    /// Notes that a ledger that grew was not signed.
    ///
    /// It is not tried again if only an operator can help: a client that asks for the checkpoint gets the reason, and
    /// readiness tells the operator.
    mutating func recordUnsigned(_ organization: OrganizationID, because error: any Error) {
        switch error {
        case is LedgerInconsistency, is RequestRefusal: break
        case let error as any StoreFailure where !error.isTransient: break
        default: unsigned.insert(organization)
        }
    }
}

extension SigningRecord.Notice {
    func log(to logger: Logger) {
        switch self {
        case .cannotWrite(let error):
            logger.error("checkpoints cannot be written", metadata: ["error": "\(error)"])
        case .hasStopped(let error):
            logger.error("nothing more is signed until a restart", metadata: ["error": "\(error)"])
        }
    }
}
