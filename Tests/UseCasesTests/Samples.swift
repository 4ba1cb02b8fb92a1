import Consent
import Cryptography
import Identifiers
import Messages
import Organizations
import Synchronization
import TestSupport
import Testing
import TrackingIDs

@testable import UseCases

/// A clock that a test sets.
final class HandClock: Sendable {
    private let time = Mutex(Timestamp.noon)

    func now() -> Timestamp { time.withLock { $0 } }

    func advance(byMilliseconds milliseconds: Int64) {
        time.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
    }
}

/// Something that fails.
struct Outage: Error, Equatable {}

enum Samples {
    static func number(_ rawValue: UInt64) throws -> TimeOrderedNumber {
        try #require(TimeOrderedNumber(rawValue: rawValue))
    }

    static func organization(_ enforcement: Enforcement = .restrictive, quotas: Quotas = .unlimited) throws
        -> Organization
    {
        Organization(id: try OrganizationID("acme"), name: "Acme", enforcement: enforcement, quotas: quotas)
    }

    static func message(tracking: Bool = true, expiresAt: Timestamp? = nil) throws -> StoredMessage {
        var content = Message(name: "sale")
        content.tracking = tracking
        content.expiresAt = expiresAt
        return StoredMessage(
            id: MessageID(try number(77)), organization: try OrganizationID("acme"), content: content,
            createdAt: .noon, isDisabled: false)
    }

    static func keyRing() throws -> KeyRing {
        try KeyRing(keys: [
            .init(
                id: 1, secret: SecretBytes([UInt8](repeating: 1, count: 32)), createdAt: .noon, signedUntil: nil)
        ])
    }

    static func apiKey(_ id: UInt64 = 5) throws -> APIKey {
        APIKey(id: APIKeyID(try number(id)), organization: try OrganizationID("acme"), name: "", scopes: [.read])
    }
}
