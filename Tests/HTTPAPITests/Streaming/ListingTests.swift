import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import NIOCore
import Organizations
import Synchronization
import Testing
import UseCases

@testable import HTTPAPI

/// Lists that are streamed page by page.
@Suite struct ListingTests {
    private struct Broken: Error {}

    /// How often the store was asked, and behind what.
    private final class Asked: Sendable {
        private let cursors = Mutex<[Int?]>([])
        var all: [Int?] { cursors.withLock { $0 } }
        func note(_ cursor: Int?) { cursors.withLock { $0.append(cursor) } }
    }

    private let keys = KeysInMemory()
    private let asked = Asked()

    /// Numbers from 1 to `count`.
    ///
    /// - Parameter failing: behind which number the store cannot be asked.
    private func listing(_ count: Int, failing: Int? = nil) -> Listing<Int, Int> {
        Listing(
            columns: ["number"],
            read: { [asked] after, limit in
                asked.note(after)
                if let failing, after == failing { throw Broken() }
                let first = (after ?? 0) + 1
                return first > count ? [] : Array(first...min(first + limit - 1, count))
            },
            cursor: { $0 }, writeJSON: { $1.member("number", $0) }, writeCSV: { $1.cell(String($0)) })
    }

    private func stream(
        _ listing: Listing<Int, Int>, _ type: APIMediaType, after start: Int? = nil,
        whileWriting: @escaping @Sendable () -> Void = {}
    ) async throws -> (text: String, hasEnded: Bool, error: (any Error)?) {
        let response = try await listing.stream(type, after: start, keys.validity, inChunks: true)
        #expect(response.headers[.contentType] == type.contentType)
        let writer = EndingWriter(whileWriting: whileWriting)
        do {
            try await response.body.write(writer)
        } catch {
            return (writer.text, writer.hasEnded, error)
        }
        return (writer.text, writer.hasEnded, nil)
    }

    @Test(
        "every item stands in it once, however many pages there are",
        arguments: [0, 1, 999, 1000, 1001, 2500], [APIMediaType.jsonLines, .csv])
    func whole(_ count: Int, _ type: APIMediaType) async throws {
        let (text, hasEnded, error) = try await stream(listing(count), type)
        #expect(error == nil && hasEnded)
        let numbers = (0..<count).map { $0 + 1 }
        #expect(
            text
                == (type == .csv
                    ? "\"number\"\r\n" + numbers.map { "\"\($0)\"\r\n" }.joined()
                    : numbers.map { "{\"number\":\($0)}\n" }.joined()))
        #expect(asked.all == [nil] + stride(from: 1000, through: count, by: 1000).map(Int?.init))
    }

    @Test("it begins behind the place that was asked for")
    func after() async throws {
        #expect(try await stream(listing(5), .jsonLines, after: 3).text == "{\"number\":4}\n{\"number\":5}\n")
    }

    @Test("a store that cannot be asked at first is an error of its own, and later cuts the answer off")
    func failing() async throws {
        await #expect(throws: Broken.self) {
            _ = try await listing(5, failing: 2).stream(.csv, after: 2, keys.validity, inChunks: true)
        }
        for type in [APIMediaType.jsonLines, .csv] {
            let (text, hasEnded, error) = try await stream(listing(2500, failing: 2000), type)
            #expect(error is Broken && !hasEnded, "no client takes it for whole")
            #expect(text.contains("2000") && !text.contains("2001"))
        }
    }

    @Test("a key that is deleted meanwhile ends lines with a line that says so, and cuts CSV off")
    func deleted() async throws {
        let lines = try await stream(listing(2500), .jsonLines) { keys.remove() }
        #expect(lines.error == nil && lines.hasEnded)
        let last = try #require(lines.text.split(separator: "\n").last)
        #expect(
            last
                == #"{"error":{"type":"about:blank","title":"Unauthorized","status":401,"#
                + #""detail":"The key was deleted. Nothing more was stored or is answered."}}"#)
        #expect(lines.text.split(separator: "\n").count == 1001)
        let csv = try await stream(listing(2500), .csv) { keys.remove() }
        #expect(csv.error as? RequestRefusal == .keyDeleted && !csv.hasEnded)
    }

    @Test("a list of one page is not asked about its key again: it is written already")
    func short() async throws {
        let (text, hasEnded, _) = try await stream(listing(3), .jsonLines) { keys.remove() }
        #expect(hasEnded && text.split(separator: "\n").count == 3)
    }

    @Test("a list of one page has its length; a longer one needs chunks, and is refused where there are none")
    func oldVersion() async throws {
        for (type, length) in [(APIMediaType.jsonLines, 5 * #"{"number":1}"#.count + 5), (.csv, 10 + 5 * 5)] {
            for allowsChunks in [true, false] {
                let short = try await listing(5).stream(type, after: nil, keys.validity, inChunks: allowsChunks)
                #expect(short.body.contentLength == length)
            }
            let error = await #expect(throws: Problem.self) {
                _ = try await listing(2500).stream(type, after: nil, keys.validity, inChunks: false)
            }
            #expect(error?.status == .upgradeRequired && error?.headers[.upgrade] == "HTTP/1.1")
        }
    }
}

/// One key, until it is removed.
final class KeysInMemory: APIKeyStore {
    private let credential: Credential
    private let isThere = Mutex(true)

    init() {
        var generator = SecureRandom()
        credential = Credential(using: &generator)
    }

    func remove() { isThere.withLock { $0 = false } }

    /// Of a request that was admitted with the key.
    var validity: CallerValidity {
        CallerValidity(
            header: "Bearer \(credential.text)",
            authenticator: Authenticator(operatorKey: APIKeyDigest(bytes: SHA256.hash(of: [0])), keys: self))
    }

    func key(with digest: APIKeyDigest) async throws -> APIKey? {
        guard digest == credential.digest, isThere.withLock({ $0 }) else { return nil }
        let number = try #require(TimeOrderedNumber(rawValue: 5))
        return APIKey(id: APIKeyID(number), organization: try OrganizationID("acme"), name: "", scopes: [.read])
    }
    func keys(of _: OrganizationID) async throws -> [APIKey] { [] }
    func keys(of _: OrganizationID, after _: APIKeyID?, limit _: Int) async throws -> [APIKey] { [] }
    func addKey(
        _: NewAPIKey, to _: OrganizationID, by _: APIKeyID?, at _: Timestamp
    ) async throws -> APIKey? { nil }
    func removeKey(_: APIKeyID, of _: OrganizationID) async throws -> Bool { false }
    func noteUses(_: [APIKeyID: Timestamp]) async throws {}
}

/// Keeps what is written, and whether the body came to its proper end.
final class EndingWriter: ResponseBodyWriter {
    private(set) var text = ""
    private(set) var hasEnded = false
    private let whileWriting: @Sendable () -> Void

    init(whileWriting: @escaping @Sendable () -> Void = {}) { self.whileWriting = whileWriting }

    func write(_ buffer: ByteBuffer) async throws {
        text += String(buffer: buffer)
        whileWriting()
    }
    func finish(_: HTTPFields?) async throws { hasEnded = true }
}
