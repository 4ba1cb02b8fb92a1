import Consent
import HTTPTypes
import Identifiers
import Ledger
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import HTTPAPI

/// What a person fetches with the link that the page showed after their answer.
@Suite struct ReceiptRoutesTests {
    private let accept: HTTPFields = [.accept: "text/html"]

    /// Where the receipt of a new record about `name` is.
    private func offered(
        _ service: PublicServiceFixture, _ name: String = "ana@example.com", _ state: ConsentState = .withdrawn
    ) async throws -> (path: String, record: ConsentRecord) {
        let listener = service.listener
        let person = try RecipientID(name)
        try await listener.record(state, for: person)
        let record = try #require(
            try await listener.history(of: person).last)
        let tokens = try SharedReceiptTokens(keys: listener.keys)
        return (try #require(tokens.path(to: record.id, at: service.time.now)), record)
    }

    private func verified(_ service: PublicServiceFixture, _ bytes: [UInt8]) async throws -> ReceiptFindings {
        let key = try await service.signer.verifier(of: service.listener.organization)
        return try ConsentReceipt.verify(bytes, by: key)
    }

    @Test("a receipt is a file that holds, with the words of this record and of no other")
    func genuine() async throws {
        try await PublicServiceFixture.with { service in
            let (path, record) = try await offered(service)
            _ = try await offered(service, "bo@example.com", .given)
            await service.signer.signGrown()
            let answer = await service.ask(.get, path, headers: accept)
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.contentDisposition] == #"attachment; filename="consent-receipt.json""#)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.known("Referrer-Policy")] == "no-referrer")
            #expect(answer.headers[.known("X-Robots-Tag")] == "noindex, nofollow")
            let findings = try await verified(service, answer.bytes)
            #expect(findings.receipt.organizationName == "Acme & Söhne <b>")
            for word in [record.id.description, "ana@example.com", #""event_state": "withdrawn""#] {
                #expect(answer.answer.body.contains(word), "\(word)")
            }
            #expect(!answer.answer.body.contains("bo@"))
            #expect(await service.ask(.get, path + "/?utm=1", headers: accept).bytes == answer.bytes)
        }
    }

    @Test("the page that answers a press offers it, in the language of the page, and no other page does")
    func offers() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "/p/\(try service.listener.token(message, reference))"
            #expect(await !service.ask(.get, path, headers: accept).answer.body.contains("/receipt/"))
            let pressed = await service.ask(.post, path + "?lang=sv", headers: accept).answer.body
            let link = try #require(
                pressed.firstMatch(of: /<a href="(\/receipt\/[\w-]{51}\?lang=sv)">Spara kvittot<\/a>/))
            for method in [HTTPRequest.Method.get, .head, .post] {
                #expect(await !service.ask(method, path, headers: accept).answer.body.contains("/receipt/"))
            }
            await service.signer.signGrown()
            let receipt = await service.ask(.get, String(link.1), headers: accept)
            #expect(receipt.status == 200)
            #expect(receipt.answer.body.contains(#""event_state": "withdrawn""#))
            #expect(receipt.answer.body.contains(#""language": "sv""#))
            let early = await service.ask(.get, "/receipt/x?lang=sv", headers: accept)
            #expect(early.answer.body.contains("Kvittot hittades inte"))
        }
    }

    @Test("fetching it records nothing, and HEAD has the same head and no body")
    func looking() async throws {
        try await PublicServiceFixture.with { service in
            let (path, _) = try await offered(service)
            await service.signer.signGrown()
            let organization = service.listener.organization
            let size = try await service.listener.storage.stores.ledgers.head(of: organization)?.head.size
            for method in [HTTPRequest.Method.get, .head, .get] {
                let answer = await service.ask(method, path)
                #expect(answer.status == 200 && answer.bytes.isEmpty == (method == .head))
                #expect(answer.headers[.contentType] == "application/json")
            }
            #expect(try await service.listener.storage.stores.ledgers.head(of: organization)?.head.size == size)
            let refused = await service.ask(.post, path)
            #expect(refused.status == 405)
            #expect(refused.headers[.allow] == "GET, HEAD")
        }
    }

    @Test("what is not genuine is not found: forged, cut, of another kind, of another key, of no record")
    func forged() async throws {
        try await PublicServiceFixture.with { service in
            let (path, record) = try await offered(service)
            await service.signer.signGrown()
            let (message, reference) = try await service.sent()
            let none = try #require(ConsentRecordID(rawValue: record.id.rawValue + 1000))
            let tokens = try SharedReceiptTokens(keys: service.listener.keys)
            let other = path.dropLast(8).last == "A" ? "B" : "A"
            for forged in [
                String(path.dropLast()), path + "A", path.dropLast(9) + other + path.suffix(8), path + "//",
                "/receipt/x", "/receipt/\(try service.listener.token(message, reference))",
                "/receipt/\(record.id)", try #require(tokens.path(to: none, at: service.time.now)),
            ] {
                let answer = await service.ask(.get, String(forged), headers: accept)
                #expect(answer.status == 404, "\(forged)")
                #expect(answer.headers[.cacheControl] == "no-store")
                #expect(!answer.answer.body.contains("ana"))
            }
        }
    }

    @Test("a token leads to it for an hour")
    func expired() async throws {
        try await PublicServiceFixture.with { service in
            let (path, _) = try await offered(service)
            await service.signer.signGrown()
            service.time.advance(byMilliseconds: 3_599_999)
            #expect(await service.ask(.get, path).status == 200)
            service.time.advance(byMilliseconds: 1)
            let answer = await service.ask(.get, path, headers: accept)
            #expect(answer.status == 410)
            #expect(!answer.answer.body.contains("ana@"))
        }
    }

    @Test("a checkpoint is waited for, and where none comes the person is asked to come again")
    func unsigned() async throws {
        try await PublicServiceFixture.with { service in
            let (path, _) = try await offered(service)
            let early = await service.ask(.get, path, headers: accept)
            #expect(early.status == 503)
            #expect(early.headers[.retryAfter] == "2")
            #expect(early.headers[.contentType] == "text/html; charset=utf-8")
            async let waiting = service.ask(.get, path)
            // So that the request has looked for a checkpoint before there is one.
            try await Task.sleep(for: .milliseconds(100))
            await service.signer.signGrown()
            #expect(await waiting.status == 200)
        }
    }

    @Test("after an erasure there is none, and the one from before holds")
    func erased() async throws {
        try await PublicServiceFixture.with { service in
            let (path, _) = try await offered(service)
            await service.signer.signGrown()
            let receipt = await service.ask(.get, path).bytes
            let ana = try RecipientID("ana@example.com")
            try await service.listener.erase(ana)
            #expect(await service.ask(.get, path, headers: accept).status == 404)
            await service.signer.signGrown()
            #expect(await service.ask(.get, path, headers: accept).status == 404)
            let findings = try await verified(service, receipt)
            #expect(findings.proof.fields != nil)
        }
    }

    @Test("a key that was retired leads nowhere, one that was rotated does")
    func keys() async throws {
        try await PublicServiceFixture.with { service in
            let (path, _) = try await offered(service)
            await service.signer.signGrown()
            var random = SeededGenerator(seed: 4)
            let rotated = try service.listener.keys.value.rotated(at: .noon, using: &random)
            service.listener.keys.replace(with: rotated)
            #expect(await service.ask(.get, path).status == 200)
            service.listener.keys.replace(with: try rotated.retiring(1))
            #expect(await service.ask(.get, path).status == 404)
        }
    }

    @Test("nothing of it stands in the log")
    func discreet() async throws {
        try await PublicServiceFixture.with { service in
            let (path, _) = try await offered(service)
            _ = await service.ask(.get, path)
            await service.signer.signGrown()
            _ = await service.ask(.get, path)
            let log = service.log.all.joined()
            #expect(!log.contains("ana@") && !log.contains(path.dropFirst("/receipt/".count)))
        }
    }
}
