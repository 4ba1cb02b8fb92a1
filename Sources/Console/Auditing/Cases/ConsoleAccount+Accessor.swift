import Consent
import Cryptography
import Organizations

extension ConsoleAccount {
    /// The name under which the account's looks at recipients are recorded.
    var accessor: AccessorName {
        get throws {
            switch origin {
            case .operatorKey: .operator
            case .key: AccessorName(key: name)
            case .provider: try Self.accessor(of: name)
            }
        }
    }

    /// A name that is too long for the ledger, or has characters that it does not accept, is recorded as its digest.
    private static func accessor(of name: String) throws -> AccessorName {
        if let accessor = try? AccessorName(account: name) { return accessor }
        return try AccessorName(account: "sha256:" + Hexadecimal.encode(SHA256.hash(of: Array(name.utf8))))
    }
}
