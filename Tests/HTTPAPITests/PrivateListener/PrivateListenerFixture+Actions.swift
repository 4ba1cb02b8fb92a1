import HTTPTypes
import Identifiers
import Interactions
import JSON
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import HTTPAPI

extension PrivateListenerFixture {
    /// The answer to a request that waits with a key of acme's, which is deleted before `change`.
    func answer(
        afterDeletionOf scope: String, meanwhile change: () async throws -> Void,
        _ ask: @escaping @Sendable (_ key: String) async throws -> ListenerAnswer
    ) async throws -> ListenerAnswer {
        let made = try await post("/v1/orgs/acme/keys", #"{"scopes":["\#(scope)"]}"#)
        let key = made["key"]?.text ?? ""
        async let answer = ask(key)
        try #require(await eventually { watch.waiting >= 1 })
        let path = "/v1/orgs/acme/keys/\(made["id"]?.text ?? "")"
        #expect(try await self.ask(.delete, path, pieces: [], type: nil).status == 204)
        try await change()
        return try await answer
    }

    /// Makes a key of acme's with these scopes, and a way for the operator to delete it.
    func deletableKey(
        _ scopes: String...
    ) async throws -> (secret: String, delete: @Sendable () async throws -> Void) {
        let names = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        let made = try await post("/v1/orgs/acme/keys", #"{"scopes":[\#(names)]}"#)
        let path = "/v1/orgs/acme/keys/\(try #require(made["id"]?.text))"
        let delete: @Sendable () async throws -> Void = {
            let answer = try await ask(.delete, path, pieces: [], type: nil)
            #expect(answer.status == 204)
        }
        return (try #require(made["key"]?.text), delete)
    }

    /// Gives `body` a listener on which a message was composed, and a way to have ana or bo do something with it.
    /// - Parameter recipients: ana and bo have consented, all others have not.
    static func withActions(
        composing recipients: [String] = ["ana", "bo"],
        _ body: (
            PrivateListenerFixture, MessageID, (String, InteractionKind, UInt16, Visitor) async throws -> Void
        ) async throws -> Void
    ) async throws {
        try await with { listener in
            try await listener.organization()
            for recipient in ["ana", "bo"] { try await listener.consent(recipient, "given") }
            let composed = try await listener.compose(recipients)
            let message = try MessageID(composed["message"]?.text ?? "")
            var references: [String: RecipientReference] = [:]
            for payload in composed["payloads"]?.items ?? [] where payload["tracked"]?.text == "true" {
                let token = payload["payload"]?["trackingId"]?.text ?? ""
                references[payload["recipient"]?.text ?? ""] = try listener.opened(token)?.recipient
            }
            var number: UInt64 = 0x3357_D7D9_F400_0000
            try await body(listener, message) { recipient, kind, link, visitor in
                number += 1
                let occurrence = Occurrence(
                    kind: kind, source: .redirect, occurredAt: listener.time.now, message: message,
                    recipient: try #require(references[recipient]), link: LinkIndex(rawValue: link), visitor: visitor)
                let id = try #require(InteractionID(rawValue: number))
                let stores = listener.storage.stores
                let judged = PreparedOccurrences(
                    [SpooledOccurrence(id: id, occurrence: occurrence)],
                    judgedAsOf: try await stores.consents.newestRecord())
                _ = try await stores.interactions.store(judged, at: listener.time.now + 5)
            }
        }
    }
}
