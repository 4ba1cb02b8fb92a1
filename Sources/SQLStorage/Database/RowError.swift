import Identifiers
import Ledger
import Organizations
import SQL
import StoragePorts

/// Why the database cannot answer a request. The description contains no paths, statements or values.
enum RowError: StoreFailure, Hashable, Sendable {
    /// A decision or a consent record has a value that no version of the service writes.
    case unreadable(LedgerRowName)
    case unreadableEndpoint(EndpointID)
    case unreadableKey(APIKeyID)
    /// The value is the number of the recipient's row.
    case unreadableRecipient(Int64)
    case unreadableInteraction(InteractionID)
    /// The number or the id of an organization is not a valid one. The value is the number of its row.
    case unreadableOrganization(Int64)
    case unknownOrganization
    case unknownMessage
    /// A decision is about other activities than its message asks consent for (both together, or one of them), or one
    /// of a recipient's decisions is missing.
    case otherActivity

    var description: String {
        switch self {
        case .unreadable(let row): "\(row) has a value that cannot be read"
        case .unreadableEndpoint(let id): "endpoint \(id) has a value that cannot be read"
        case .unreadableKey(let id): "key \(id) has a value that cannot be read"
        case .unreadableRecipient(let number): "row \(number) of recipients has a value that cannot be read"
        case .unreadableInteraction(let id): "interaction \(id) has a value that cannot be read"
        case .unreadableOrganization(let number):
            "row \(number) of organizations has a number or an id that cannot be read"
        case .unknownOrganization: "there is no such organization"
        case .unknownMessage: "there is no such message"
        case .otherActivity: "a decision is about another activity than its message asks consent for"
        }
    }

    var isTransient: Bool { true }
}
