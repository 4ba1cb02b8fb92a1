/// The ledger as it was signed last.
public struct LedgerHead: Sendable, Hashable, Decodable {
    public let origin: String
    public let size: Int
    /// SHA-256 in Base64.
    public let root: String
    public let verifierKey: String
    /// Why the ledger accepts no more entries; `nil` while the ledger is whole.
    public let closed: String?
}
