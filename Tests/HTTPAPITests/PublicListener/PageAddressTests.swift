import Consent
import HTTPTypes
import Identifiers
import Organizations
import Pages
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import HTTPAPI

/// Text that a mail program or a chat took for a part of a page's address.
@Suite struct PageAddressTests {
    private static let foreign = ["%E2%80%9D", "/%E2", "/%e3%80%8d", "/%80/x/y", "/日本", "”", "/。", "#x", "/#%E2"]
    private static let ascii = ["/x", "/x%E2", "/x/%E2", "//%E2", "/.%E2", "/%7F", "/%41%E2", ".%E2"]

    private func paths(_ service: PublicServiceFixture) async throws -> [String] {
        let (message, reference) = try await service.sent()
        let id = try service.listener.token(message, reference)
        let record = try #require(try await service.listener.history(of: RecipientID("ana@example.com")).last)
        let tokens = try SharedReceiptTokens(keys: service.listener.keys)
        await service.signer.signGrown()
        return ["/p/\(id)", "/preferences/acme", try #require(tokens.path(to: record.id, at: service.time.now))]
    }

    @Test(
        "text that is not ASCII and a fragment are ignored behind an address, also behind a slash, and with a query",
        arguments: foreign)
    func ignored(_ text: String) async throws {
        try await PublicServiceFixture.with { service in
            for path in try await paths(service) {
                for end in [text, text + "?lang=de"] {
                    #expect(await service.ask(.get, path + end).status == 200, "\(path)\(end)")
                    #expect(await service.ask(.head, path + end).status == 200, "\(path)\(end)")
                }
                let other = await service.ask(.put, path + text)
                #expect(other.status == 405 && other.headers[.allow]?.hasPrefix("GET, HEAD") == true, "\(path)\(text)")
            }
        }
    }

    @Test("ASCII behind an address leads nowhere, also before text that is not", arguments: ascii)
    func refused(_ text: String) async throws {
        try await PublicServiceFixture.with { service in
            for path in try await paths(service) {
                // The page of an organization takes any number of slashes, as the router does.
                guard !(path.hasPrefix("/preferences/") && text.hasPrefix("//")) else { continue }
                #expect(await service.ask(.get, path + text).status == 404, "\(path)\(text)")
            }
        }
    }

    @Test("text that is not ASCII instead of a token or a name leads nowhere", arguments: ["/p/", "/c/", "/receipt/"])
    func nothing(_ path: String) async throws {
        try await PublicServiceFixture.with { service in
            for text in Self.foreign {
                #expect(await service.ask(.get, path + text).status == 404, "\(text)")
            }
            #expect(await service.ask(.get, "/preferences/%E2").status == 404)
            #expect(await service.ask(.get, "/healthz/%E2").status == 404)
        }
    }

    @Test(
        "a reader at an address that no route has gets a page in their language, and a program a problem document",
        arguments: ["/", "/p", "/p/", "/c/", "/receipt/", "/preferences/", "/p/x/y", "/P/x", "/favicon.ico"])
    func missing(_ path: String) async throws {
        try await PublicServiceFixture.with { service in
            let headers: HTTPFields = [.accept: "text/html,*/*;q=0.8", .acceptLanguage: "fi"]
            let page = await service.ask(.get, path, headers: headers)
            let title = PageLanguage.finnish.texts.refusals.pageNotFound.title
            #expect(page.status == 404 && page.answer.body.contains("<h1>\(title.escapedForHTML.text)</h1>"))
            #expect(page.headers[.contentLanguage] == "fi" && page.headers[.cacheControl] == "no-store")
            let head = await service.ask(.head, path, headers: headers)
            #expect(head.status == 404 && head.bytes.isEmpty)
            #expect(head.headers[.contentType] == "text/html; charset=utf-8")
            let problem = await service.ask(.get, path, headers: [.accept: "*/*", .acceptLanguage: "fi"])
            #expect(problem.status == 404 && problem.headers[.contentType] == "application/problem+json")
        }
    }

    @Test("a press on such an address is a press on the plain one, in the language of its query")
    func press() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "/p/\(try service.listener.token(message, reference))/%E3%80%8D?lang=fi"
            let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let page = await service.ask(.post, path, "", headers: headers)
            #expect(page.status == 200 && page.answer.body.contains("<html lang=\"fi\""))
            let history = try await service.listener.history(of: RecipientID("ana@example.com"))
            #expect(history.map(\.state) == [.given, .withdrawn])
        }
    }

    @Test("the page of an organization whose name ends with a dot has a slash, and the same holds behind it")
    func dot() async throws {
        try await PublicServiceFixture.with { service in
            let dot = try OrganizationID("dot.")
            let made = Organization(id: dot, name: "Dot", enforcement: .restrictive)
            let digest = APIKeyDigest(bytes: [UInt8](repeating: 9, count: 32))
            let key = NewAPIKey(digest: digest, name: "first", scopes: [.manage])
            let organizations = service.listener.storage.stores.organizations
            _ = try await organizations.create(made, firstKey: key, at: .noon)
            for text in ["", "/", "/%E3%80%8D", "/」", "%E3%80%8D"] {
                #expect(await service.ask(.get, "/preferences/dot.\(text)").status == 200, "\(text)")
            }
        }
    }
}
