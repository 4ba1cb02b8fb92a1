import Consent
import Identifiers
import TestSupport
import Testing
import Webhooks

extension EndpointContract {
    /// What a caller that may not read recipients changes.
    static let permitting: [Promise] = [
        Promise("who may not read recipients does not change what an endpoint that includes them gets") { storage in
            let made = try await make(storage, [.messageDisabled])
            let url = try EndpointURL("https://other.example/x")
            let including = EndpointChange(includesRecipient: true)
            await refuses { try await apply(storage, made.id, by: including, mayReadRecipients: false) }
            let kinds = EndpointChange(kinds: [.endpointFailing])
            #expect(try await apply(storage, made.id, by: kinds, mayReadRecipients: false)?.kinds == [.endpointFailing])
            let before = try #require(try await apply(storage, made.id, by: including))
            for change in [
                EndpointChange(kinds: [.consentRecorded]), EndpointChange(url: url), including,
                EndpointChange(url: url, kinds: [.consentRecorded], includesRecipient: true),
            ] {
                await refuses { try await apply(storage, made.id, by: change, mayReadRecipients: false) }
            }
            #expect(try await storage.endpoints.endpoint(made.id, in: storage.acme) == before)
            let excluding = EndpointChange(url: url, kinds: [.consentRecorded], includesRecipient: false)
            let after = try await apply(storage, made.id, by: excluding, mayReadRecipients: false)
            #expect(after?.url == url && after?.kinds == [.consentRecorded] && after?.includesRecipient == false)
        },
        Promise("who may not read recipients has none sent again") { storage in
            let made = try await make(storage, [.consentRecorded])
            _ = try await replay(storage, made.id, from: nil, mayReadRecipients: false)
            _ = try await apply(storage, made.id, by: EndpointChange(includesRecipient: true))
            await refuses { try await replay(storage, made.id, from: nil, mayReadRecipients: false) }
            _ = try await replay(storage, made.id, from: nil)
        },
    ]

    private static func refuses(_ call: () async throws -> Endpoint?) async {
        await #expect(throws: RecipientsNotPermitted.self) { _ = try await call() }
    }

    static func apply(
        _ storage: StorageUnderTest, _ id: EndpointID, in organization: OrganizationID? = nil,
        by change: EndpointChange, mayReadRecipients: Bool = true, at now: Timestamp = .noon
    ) async throws -> Endpoint? {
        try await storage.endpoints.change(
            id, in: organization ?? storage.acme, by: change, mayReadRecipients: mayReadRecipients, at: now)
    }

    static func replay(
        _ storage: StorageUnderTest, _ id: EndpointID, from position: ConsentFeedPosition?,
        mayReadRecipients: Bool = true
    ) async throws -> Endpoint? {
        try await storage.endpoints.replay(
            id, from: position, in: storage.acme, mayReadRecipients: mayReadRecipients, at: .noon)
    }
}
