package import Ledger
import Organizations

/// Why the main file cannot answer a request. The description contains no paths, statements or values.
package enum RowError: StoreFailure, Hashable, Sendable {
    /// A stored value of a decision or of a consent record that no version of the service writes.
    case unreadable(LedgerRowName)
    case unknownOrganization
    case unknownMessage

    package var description: String {
        switch self {
        case .unreadable(let row): "\(row) has a value that cannot be read"
        case .unknownOrganization: "there is no such organization"
        case .unknownMessage: "there is no such message"
        }
    }

    package var isTransient: Bool { true }
}
