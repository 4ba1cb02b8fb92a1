import Consent
import Identifiers
import TestSupport
import Testing
import Webhooks

extension EndpointContract {
    /// What becomes of the part of the consent feed that an endpoint does not want.
    static let passing: [Promise] = [
        Promise("one search finds an erasure behind thousands of records that an endpoint does not want") { storage in
            let made = try await make(storage, [.recipientErased])
            for part in 0..<2 {
                let many = try (0..<2500).map { try newRecord("many-\(part)-\($0)") }
                _ = try await storage.consents.append(many, in: storage.acme, at: .noon)
            }
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            try await storage.record(.given, for: .bo)
            #expect(try await storage.deliveries.backlog(at: .noon + 9).dueSince == .noon)
            let leased = try #require(try await lease(storage).first)
            #expect(try await follow(storage, from: leased).map(\.kind) == [.recipientErased])

            #expect(try await lease(storage).isEmpty)
            let place = try await storage.endpoints.endpoint(made.id, in: storage.acme)?.position
            guard case .entry(_, .some)? = place else { return #expect(Bool(false), "\(String(describing: place))") }
            #expect(try await storage.consents.items(after: place, limit: 9, in: storage.acme) == [])
        },
        Promise("an erasure that an endpoint did not want is not sent when it wants erasures later") { storage in
            let made = try await make(storage, [.consentRecorded])
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            #expect(try await lease(storage).isEmpty)
            _ = try await apply(
                storage, made.id, by: EndpointChange(kinds: [.consentRecorded, .recipientErased]))
            #expect(try await lease(storage).isEmpty)
            try await storage.record(.given, for: .bo)
            _ = try await storage.consents.erase(.bo, in: storage.acme)
            let leased = try #require(try await lease(storage).first)
            #expect(try await follow(storage, from: leased).map(\.kind) == [.consentRecorded, .recipientErased])
        },
    ]
}
