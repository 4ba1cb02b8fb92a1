import Consent
import GRDB
import Identifiers
import Organizations
import Testing

@testable import SQLiteStorage

struct RequestRowTests {
    @Test("requests that are too old go, a few with each write, until there are none")
    func removed() async throws {
        try await withSQLite { fixture in
            let store = fixture.storage.consents
            func append(_ number: UInt8, at now: Timestamp) async throws -> Int {
                let record = try NewConsentRecord(
                    recipient: .ana, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil,
                    evidence: nil, now: now)
                let bytes = [UInt8](repeating: number, count: 32)
                _ = try await store.append(
                    [record], in: fixture.ports.acme, at: now, once: RequestMark(key: bytes, body: bytes))
                return try await fixture.storage.database.read { db in
                    try db.statement("SELECT count(*) FROM requests").first { Int($0.integer(0)) } ?? 0
                }
            }
            for number in 1...10 { #expect(try await append(UInt8(number), at: .noon) == number) }
            let later = Timestamp.noon + KeptRequest.span
            #expect(try await append(11, at: later + -1) == 11)
            // Each write adds one and removes four.
            #expect(try await append(12, at: later) == 8)
            #expect(try await append(13, at: later) == 5)
            #expect(try await append(14, at: later) == 4)
            #expect(try await append(15, at: later) == 5)
        }
    }
}
