package import Interactions
package import StoragePorts

/// Why the service is not ready. Programs and logs get ``description``; pages have their own words for each case.
package enum ReadinessReason: Hashable, Sendable {
    /// The process is ending.
    case stopping
    case diskFull
    case databaseUnreachable
    case storageUnsafe(DurabilityRisk)
    /// Says what an operator must repair.
    case storageUnusable(String)
    case storageReadOnly
    /// Says what failed.
    case storageFailed(String)
    /// The data folder, or a file in it, is not the one that was opened. Names it.
    case folderLost(String)
    /// The spool has failed. Has the error.
    case clicksUnrecordable(String)
    case clicksUnrecorded(UnrecordedReason)
    /// The node may lack changes that other nodes know.
    case nodeStale
    /// The node does not have this role.
    case roleMissing(String)
    /// The system's clock is behind the latest stored time.
    case clockBehind(seconds: Int64)
    /// Says what failed.
    case ledgersUnchecked(String)
    /// Nothing is signed until a restart. Says what failed.
    case checkpointsStopped(String)
    /// Trying again may help. Says what failed.
    case checkpointsUnwritten(String)
    /// The file of the signing keys may have others than the service uses. Says what failed.
    case keyRingUncertain(String)
    /// Names the ledger, and says what does not match.
    case ledgerClosed(String)
}

extension ReadinessReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stopping: "the service is being stopped"
        case .diskFull: "the disk is full"
        case .databaseUnreachable: "the database cannot be reached"
        case .storageUnsafe(let risk): risk.description
        case .storageUnusable(let fault): fault
        case .storageReadOnly: "the storage takes no writes while it is moved to another one"
        case .storageFailed(let fault): "the store has failed and takes nothing more until a restart: \(fault)"
        case .folderLost(let loss): "nothing is acknowledged until a restart: \(loss)"
        case .clicksUnrecordable(let fault): "clicks cannot be recorded: \(fault)"
        case .clicksUnrecorded(let reason): "clicks are not recorded: \(reason.explanation)"
        case .nodeStale: "the node does not reach the database that it shares with others"
        case .roleMissing(let role): "the node does not have the role \(role)"
        case .clockBehind(let seconds):
            "the system's clock is \(seconds) s behind service time; set it"
        case .ledgersUnchecked(let fault): "the ledgers cannot be checked: \(fault)"
        case .checkpointsStopped(let fault): "checkpoints cannot be signed until a restart: \(fault)"
        case .checkpointsUnwritten(let fault): "checkpoints cannot be written: \(fault)"
        case .keyRingUncertain(let fault): "keyring.json may have other signing keys than the service uses: \(fault)"
        case .ledgerClosed(let fault): "a ledger is closed: \(fault)"
        }
    }
}
