import Consent
import Cryptography
import HTTPTypes
import Identifiers
import Messages
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs

@testable import HTTPAPI

/// Tokens that another node signed with a key that this node does not have.
@Suite struct KeysElsewhereTests {
    /// The key that this node lacks.
    private static func elsewhere() throws -> KeyRing {
        try KeyRing(keys: [.init(id: 2, secret: SecretBytes([UInt8](repeating: 2, count: 32)), createdAt: .noon)])
    }

    /// A request with a token of each kind: what it asks for, and the status with which it is refused as forged.
    private static func requests(
        _ message: StoredMessage, _ reference: RecipientReference
    ) throws -> [(method: HTTPRequest.Method, path: String, body: String, forged: Int)] {
        let expiry = LinkExpiry(secondsSince1970: 1_811_030_400)
        let ring = try elsewhere()
        let id = try TrackingIDSealer(keyRing: ring).seal(
            TrackingID(message: message.id, recipient: reference, link: .message, expiry: expiry))
        let number = message.id.rawValue
        let question = ConsentRequestLink(
            request: try #require(ConsentRequestID(rawValue: number)), step: .question, expiry: expiry)
        let receipt = ReceiptToken(
            record: try #require(ConsentRecordID(rawValue: number)), expiresAt: expiry.secondsSince1970)
        return [
            (.get, "/p/\(id)", "", 404), (.post, "/p/\(id)", "", 404), (.get, "/o/\(id).gif", "", 404),
            (.get, "/c/\(try ConsentRequestLinkCodec(keyRing: ring).seal(question))", "", 404),
            (.get, "/receipt/\(try ReceiptTokenSealer(keyRing: ring).seal(receipt))", "", 404),
            (.post, "/bird/v1/orgs/acme/interactions", #"{"type":"Received","trackingId":"\#(id)"}"#, 400),
        ]
    }

    @Test("while the ring may be behind, every page and picture is 503, and a report is to be sent again")
    func unknownKey() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            for request in try Self.requests(message, reference) {
                let answer = await service.ask(request.method, request.path, request.body)
                #expect(answer.status == request.forged, "\(request.path)")
            }
            #expect(service.reports("foreign") == "1")
            service.listener.keys.mayLackKeys { true }
            for request in try Self.requests(message, reference) {
                let answer = await service.ask(request.method, request.path, request.body)
                #expect(answer.status == 503, "\(request.path)")
                #expect(answer.headers[.retryAfter] == "2", "\(request.path)")
            }
            #expect(service.reports("foreign") == "1")
            #expect(service.reports("unavailable") == "1")
            #expect(service.spool.occurrences.isEmpty)
        }
    }

    @Test("with the key each is answered as a genuine one")
    func keyArrives() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            service.listener.keys.mayLackKeys { true }
            let (_, path, _, _) = try Self.requests(message, reference)[0]
            #expect(await service.ask(.get, path).status == 503)
            service.listener.keys.replace(with: try Self.elsewhere())
            #expect(await service.ask(.get, path).status == 200)
        }
    }
}
