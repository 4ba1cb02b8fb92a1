import Identifiers
import Ledger
import SQL
import StoragePorts

/// A message cannot be read, or it is not the message that was looked for.
struct UnreadableMessageRow: StoreFailure {
    let id: Int64
    let organization: OrganizationID
    var fault: LedgerMessageFault = .unreadable

    private var name: String { String(UInt64(bitPattern: id), radix: 16) }

    /// Why the ledger of the organization must be closed.
    var reason: LedgerInconsistency { LedgerInconsistency(organization, .derived(.message(name, fault))) }

    var isTransient: Bool { true }

    var description: String { "message \(name) \(fault.rawValue)" }
}
