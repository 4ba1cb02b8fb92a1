import Consent
import GRDB
import Identifiers
import SQL
import SQLiteFiles
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

struct RequestRowTests {
    @Test("requests that are too old go, a few with each write, until there are none")
    func removed() async throws {
        try await withSQLite { fixture in
            let store = fixture.storage.stores.consents
            func append(_ number: UInt8, at now: Timestamp) async throws -> Int {
                let record = try NewConsentRecord(
                    recipient: .ana, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil,
                    evidence: nil, now: now)
                let bytes = [UInt8](repeating: number, count: 32)
                _ = try await store.append(
                    [record], in: fixture.ports.acme, at: now,
                    fingerprint: IdempotencyFingerprint(key: bytes, body: bytes))
                return try await fixture.storage.database.read { db in
                    try db.statement("SELECT count(*) FROM requests").first { Int($0.integer(0)) } ?? 0
                }
            }
            let later = Timestamp.noon.advanced(by: IdempotencyRecord.lifetime)
            let instants = Array(repeating: Timestamp.noon, count: 10) + [later + -1, later, later, later, later]
            var counts: [Int] = []
            for (number, instant) in instants.enumerated() {
                counts.append(try await append(UInt8(number), at: instant))
            }
            // From the twelfth on each write adds one and removes four, as long as there are so many.
            #expect(counts == Array(1...11) + [8, 5, 4, 5])
        }
    }
}
